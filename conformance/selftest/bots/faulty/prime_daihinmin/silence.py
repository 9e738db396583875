"""Bots that do not answer, each for another reason: what the kit is to tell is not only that, but why.

Law of this file: each is silent (or gone) in the first ordinary exchange already, and its `cause` is the word that the
kit's finding begins with. Whatever spins, sleeps or hangs ends by itself within a minute.
"""

from __future__ import annotations

import os
import sys
import time

from .base import Bot, complain, die_by, fault, safety_net

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .base import Message

SIGSEGV, SIGSTOP = 11, 19
NOBODY = "python-that-nobody-has"


# It is asked to play and is at something else ---------------------------------------------------------------


class Hangs(Bot):
    """Does something else instead of answering a play."""

    def on_play(self, message: Message) -> str | None:
        safety_net(60)
        self.hang()
        return super().on_play(message)

    def hang(self) -> None:
        raise NotImplementedError


@fault("PD-5.1", "MUST", "silence-spins", "spinning")
class Spins(Hangs):
    """The mill turns in an endless loop."""

    def hang(self) -> None:
        while True:
            pass


@fault("PD-5.1", "MUST", "silence-polls", "spinning")
class Polls(Hangs):
    """The child in the back seat asks its input again and again whether there is more yet."""

    def hang(self) -> None:
        os.set_blocking(0, False)
        while True:
            try:
                os.read(0, 1)
            except BlockingIOError:
                pass


@fault("PD-5.1", "MUST", "silence-computes", "computing too long")
class Computes(Hangs):
    """The thorough answers rightly, a third later than it may."""

    def hang(self) -> None:
        until = time.process_time() + 1.3 * self.time  # on a loaded machine the clock would be unfair
        while time.process_time() < until:
            sum(range(1000))


@fault("PD-5.1", "MUST", "silence-sleeps", "sleeping")
class Sleeps(Hangs):
    """The dormouse sleeps for half a minute."""

    def hang(self) -> None:
        time.sleep(30)


@fault("PD-5.1", "MUST", "silence-stops", "stopped")
class Stops(Hangs):
    """The statue stops itself, as a program does that is put in the background."""

    def hang(self) -> None:
        os.kill(os.getpid(), SIGSTOP)


@fault("PD-5.1", "MUST", "silence-locks", "dead-locked")
class Locks(Hangs):
    """The locked out waits for a lock that it holds itself."""

    def hang(self) -> None:
        import _thread

        lock = _thread.allocate_lock()
        lock.acquire()
        lock.acquire()


@fault("PD-5.1", "MUST", "silence-fills-pipe", "dead-locked")
class FillsPipe(Hangs):
    """The scribe writes its log into a pipe of its own that nobody reads."""

    def hang(self) -> None:
        self.reader, writer = os.pipe()
        while True:
            os.write(writer, b"thinking\n" * 1000)


@fault("PD-5.1", "MUST", "silence-waits-for-child", "dead-locked")
class WaitsForChild(Hangs):
    """The parent waits for a child that waits for its parent."""

    def hang(self) -> None:
        reader, self.writer = os.pipe()
        child = os.fork()
        if child == 0:
            safety_net(60)
            os.close(self.writer)
            os.read(reader, 1)
            os._exit(0)
        os.waitpid(child, 0)


# It reads, and does not answer ------------------------------------------------------------------------------


@fault("PD-2.1", "MUST", "silence-wants-blank-line", "still reading")
class WantsBlankLine(Bot):
    """The reader of letters waits for the empty line at the end of each."""

    def lines(self) -> Iterator[bytes]:
        letter: list[bytes] = []
        for line in super().lines():
            if line:
                letter.append(line)
            else:
                yield b"".join(letter)
                letter.clear()


@fault("PD-2.1", "MUST", "silence-reads-to-end", "still reading")
class ReadsToEnd(Bot):
    """The scholar reads everything to its end, then answers the one message it takes that for."""

    def lines(self) -> Iterator[bytes]:
        letter = bytearray()
        while chunk := self.read():
            letter += chunk
        yield bytes(letter.partition(b"\n")[0])


@fault("IO-8", "MUST", "silence-fixed-blocks", "still reading")
class FixedBlocks(Bot):
    """The mason takes its input in blocks of 1,024 bytes, and waits until the last one is full."""

    def read(self) -> bytes:
        block = b""
        while len(block) < 1024 and (more := os.read(0, 1024 - len(block))):
            block += more
        return block


@fault("PD-2.1", "MUST", "silence-on-stderr", "answered on stderr")
class OnStderr(Bot):
    """The misdirected writes each answer to stderr."""

    def write(self, data: bytes) -> None:
        os.write(2, data)


@fault("IO-4", "MUST", "silence-own-buffer", "missing flush")
class OwnBuffer(Bot):
    """The saver keeps its answers in a buffer of its own until it ends, on a terminal as well."""

    kept = b""

    def write(self, data: bytes) -> None:
        self.kept += data

    def at_eof(self) -> int:
        super().write(self.kept)
        return 0


@fault("IO-4", "MUST", "silence-line-buffer", "missing flush")
class LineBuffer(Bot):
    """The two-faced flushes each line on a terminal; in a pipe, what is not flushed is lost with it."""

    def write(self, data: bytes) -> None:
        sys.stdout.write(data.decode())

    def at_eof(self) -> int:
        os._exit(0)


# It is gone -------------------------------------------------------------------------------------------------


@fault("IO-1", "MUST", "silence-crashes", "crashed")
class Crashes(Bot):
    """The stumbler follows a null pointer at `init`."""

    def on_init(self, message: Message) -> str | None:
        complain("loading the table")
        die_by(SIGSEGV)
        return None


@fault("IO-1", "MUST", "silence-no-interpreter", "wrong interpreter")
class NoInterpreter(Bot):
    """The foreigner's first line names an interpreter that nobody has."""

    def start(self) -> None:
        os.execv("/usr/bin/env", ["env", NOBODY, __file__])


@fault("IO-1", "MUST", "silence-not-found", "wrong interpreter")
class NotFound(Bot):
    """The script's own script calls a program by a name that is not in PATH."""

    def start(self) -> None:
        os.execv("/bin/sh", ["sh", "-c", "prime-player-that-nobody-has"])


@fault("IO-1", "MUST", "silence-python-2", "wrong interpreter")
class Python2(Bot):
    """The veteran was written for Python 2."""

    def start(self) -> None:
        exec(compile("print 'ready'\n", "bot.py", "exec"))


@fault("IO-1", "MUST", "silence-no-library", "missing library")
class NoLibrary(Bot):
    """The lean left its shared library at home, and says what the loader of programs would say."""

    def start(self) -> None:
        complain(
            "./bot: error while loading shared libraries: libprimes.so.3: cannot open shared object file: "
            "No such file or directory"
        )
        sys.exit(127)


@fault("IO-1", "MUST", "silence-no-module", "missing module")
class NoModule(Bot):
    """The borrower imports what is not here."""

    def start(self) -> None:
        import module_that_nobody_has  # noqa: F401
