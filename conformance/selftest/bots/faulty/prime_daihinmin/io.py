"""Faults in how a bot speaks and listens in lines (IO-1 to IO-8, IO-15).

Law of this file: what each bot says is right; only the bytes, the lines or the moment are wrong. What a bot
does to its surroundings, and how it ends (IO-9 to IO-14), is in `surroundings.py`.
"""

from __future__ import annotations

import select
import sys
import time

from . import surroundings
from .base import Bot, complain, die_by, fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .base import Message

__all__ = ["surroundings"]

SIGSEGV = 11


# IO-1: alive until told to quit -----------------------------------------------------------------------------


@fault("IO-1", "MUST", "stillborn")
class Stillborn(Bot):
    """The stillborn ends with a traceback before it reads anything."""

    def start(self) -> None:
        raise ModuleNotFoundError("No module named 'sympy'")


@fault("IO-1", "MUST", "dies-on-play")
class DiesOnPlay(Bot):
    """The faint-hearted dies by a signal when it is first asked to play."""

    def on_play(self, message: Message) -> str | None:
        die_by(SIGSEGV)
        return None


@fault("IO-1", "MUST", "one-and-done")
class OneAndDone(Bot):
    """The one-shot answers one play rightly and goes home."""

    def after_answer(self) -> None:
        if self.action == "play":
            sys.exit(0)


@fault("IO-1", "MUST", "dies-after-25-turns")
class DiesAfter25Turns(Bot):
    """The leaker runs out of something after 25 turns, which only a long match shows."""

    turns = 0

    def on_play(self, message: Message) -> str | None:
        self.turns += 1
        if self.turns > 25:
            raise MemoryError("out of handles")
        return super().on_play(message)


@fault("IO-1", "MUST", "dies-with-26-zeros")
class DiesWith26Zeros(Bot):
    """The superstitious dies when its hand could hold Belphegor's prime for its zeros."""

    def on_play(self, message: Message) -> str | None:
        if message["hand"].count(0) >= 26:
            raise IndexError("list index out of range")
        return super().on_play(message)


# IO-2: nothing before the first message ---------------------------------------------------------------------


@fault("IO-2", "MUST", "banner")
class Banner(Bot):
    """The chatterbox greets before it listens."""

    def start(self) -> None:
        self.write(b"prime player 1.0, good luck!\n")


@fault("IO-2", "MUST", "prompt")
class EarlyPrompt(Bot):
    """The shell writes one prompt, without a line end, before the first message."""

    def start(self) -> None:
        self.write(b"> ")


# IO-3: exactly one line -------------------------------------------------------------------------------------


@fault("IO-3", "MUST", "twice")
class Twice(Bot):
    """The echo answers everything twice."""

    def answer(self, text: str) -> None:
        self.write(f"{text}\n{text}\n".encode())


@fault("IO-3", "MUST", "blank-after-play")
class BlankAfterPlay(Bot):
    """The println fan ends a line that already had its end."""

    def answer(self, text: str) -> None:
        super().answer(text + "\n" if self.action == "play" else text)


@fault("IO-3", "MUST", "late-second-line")
class LateSecondLine(Bot):
    """The afterthought sends the same play again a moment later."""

    def answer(self, text: str) -> None:
        super().answer(text)
        if self.action == "play":
            time.sleep(0.02)
            super().answer(text)


@fault("IO-3", "MUST", "blank-after-init")
class BlankAfterInit(Bot):
    """The double bower answers `init` with two empty lines, so that each later answer is one behind."""

    def answer(self, text: str) -> None:
        super().answer(text + "\n" if self.action == "init" else text)


@fault("IO-3", "MUST", "no-line-end")
class NoLineEnd(Bot):
    """The breathless never ends the line of a play."""

    def answer(self, text: str) -> None:
        self.write(text.encode() if self.action == "play" else text.encode() + b"\n")


# IO-4: flushes ----------------------------------------------------------------------------------------------


@fault("IO-4", "MUST", "never-flushes")
class NeverFlushes(Bot):
    """The hoarder prints and never flushes; only on a terminal does anything come out."""

    def write(self, data: bytes) -> None:
        sys.stdout.write(data.decode())


@fault("IO-4", "MUST", "flushes-plays-only")
class FlushesPlaysOnly(Bot):
    """The economist flushes its plays but not its empty lines."""

    def write(self, data: bytes) -> None:
        sys.stdout.write(data.decode())
        if self.action == "play":
            sys.stdout.flush()


# IO-5: nothing but answers ----------------------------------------------------------------------------------


@fault("IO-5", "MUST", "debug-line")
class DebugLine(Bot):
    """The debugger prints what it sees before each play."""

    def on_play(self, message: Message) -> str | None:
        self.write(f"DEBUG: {len(message['hand'])} cards\n".encode())
        return super().on_play(message)


@fault("IO-5", "MUST", "prompt")
class Prompt(Bot):
    """The shell asks for more with a prompt after each answer."""

    def after_answer(self) -> None:
        self.write(b"> ")


# IO-6: UTF-8 ------------------------------------------------------------------------------------------------


@fault("IO-6", "MUST", "bom")
class ByteOrderMark(Bot):
    """The notepad user starts each play with a byte order mark."""

    def answer(self, text: str) -> None:
        super().answer("\ufeff" + text if self.action == "play" else text)


@fault("IO-6", "MUST", "latin-1")
class Latin1(Bot):
    """The westerner writes a comment in Latin-1, which is not UTF-8."""

    def answer(self, text: str) -> None:
        if self.action == "play":
            self.write(text[:-1].encode() + b', "comment": "voil\xe0"}\n')
        else:
            super().answer(text)


@fault("IO-6", "MUST", "nul")
class Nul(Bot):
    """The C programmer sends the end of its string along."""

    def answer(self, text: str) -> None:
        super().answer(text + "\0" if self.action == "play" else text)


@fault("IO-6", "MUST", "utf-16")
class Utf16(Bot):
    """The wide character writes its plays in UTF-16."""

    def answer(self, text: str) -> None:
        if self.action == "play":
            self.write(text.encode("utf-16-le") + b"\n")
        else:
            super().answer(text)


# IO-7: long lines -------------------------------------------------------------------------------------------


class FixedBuffer(Bot):
    """Dies on a line that its buffer cannot hold."""

    size = 0

    def parse(self, line: bytes) -> Message:
        if len(line) >= self.size:
            complain("*** buffer overflow detected ***: terminated")
            sys.exit(1)
        return super().parse(line)


@fault("IO-7", "MUST", "terminal-line")
class TerminalLine(FixedBuffer):
    """The typist keeps 4,096 bytes of a line, loses the rest, and dies of what is left."""

    size = 4096


@fault("IO-7", "MUST", "buffer-65536")
class Buffer65536(FixedBuffer):
    """The optimist thinks that 65,536 bytes will do for any line."""

    size = 65_536


@fault("IO-7", "MUST", "buffer-200000")
class Buffer200000(FixedBuffer):
    """The calculator took the largest message it ever saw, 200,000 bytes, as the limit."""

    size = 200_000


@fault("IO-7", "SHOULD", "buffer-524288")
class Buffer524288(FixedBuffer):
    """The generous holds half a mebibyte: enough for the MUST, not for the SHOULD."""

    size = 524_288


@fault("IO-7", "MUST", "drops-long-lines")
class DropsLongLines(Bot):
    """The filter takes a line over 65,536 bytes for noise and waits for a better one."""

    def reply(self, message: Message) -> str | None:
        return super().reply(message) if self.line_length <= 65_536 else None

    def parse(self, line: bytes) -> Message:
        self.line_length = len(line)
        return super().parse(line)


# IO-8: by line, not by chunk --------------------------------------------------------------------------------


@fault("IO-8", "MUST", "pieces")
class Pieces(Bot):
    """The impatient takes each read for a whole message and dies on half a one.

    A full pipe hands a long line over in whole pages; those it puts together, or it would break IO-7 as well.
    """

    def lines(self) -> Iterator[bytes]:
        rest = bytearray()
        while chunk := self.read():
            rest += chunk
            if chunk.endswith(b"\n"):
                yield from map(bytes, rest.splitlines())
                rest.clear()
            elif len(chunk) % 4096:
                raise ValueError(f"half a message of {len(chunk)} bytes")


@fault("IO-8", "MUST", "two-at-once")
class TwoAtOnce(Bot):
    """The single-minded answers the first of two lines that arrive together and forgets the other."""

    def lines(self) -> Iterator[bytes]:
        rest = bytearray()
        while chunk := self.read():
            rest += chunk
            if b"\n" in chunk:
                yield bytes(rest.partition(b"\n")[0])
                rest.clear()


@fault("IO-8", "MUST", "polls-its-buffer")
class PollsItsBuffer(Bot):
    """The doorkeeper waits for a knock before each line, also for the one that he has let in already."""

    def lines(self) -> Iterator[bytes]:
        rest, door = bytearray(), select.poll()
        door.register(0, select.POLLIN)
        while door.poll():
            if b"\n" not in rest:
                chunk = self.read()
                if not chunk:
                    return
                rest += chunk
            line, found, after = rest.partition(b"\n")
            if found:
                rest = after
                yield bytes(line)


# IO-15: LF --------------------------------------------------------------------------------------------------


@fault("IO-15", "SHOULD", "crlf")
class CrLf(Bot):
    """The teletype returns its carriage."""

    def answer(self, text: str) -> None:
        super().answer(text + "\r")
