"""Faults in how a bot ends and what it does to, or wants of, its surroundings (IO-9 to IO-14).

Law of this file: until then each bot plays rightly. Whatever lingers, spins or is left behind ends by itself
within a minute or two, and on SIGTERM or SIGKILL at once (but for the one that ignores SIGTERM).
"""

from __future__ import annotations

import os
import sys
import time

from .base import Bot, complain, die_by, fault, safety_net

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import Message

SIGABRT = 6


# IO-9: ends after quit --------------------------------------------------------------------------------------


@fault("IO-9", "SHOULD", "lingers")
class Lingers(Bot):
    """The guest who says goodbye and stays another 30 seconds."""

    def after_quit(self) -> int:
        time.sleep(30)
        return 0


@fault("IO-9", "SHOULD", "waits-for-eof")
class WaitsForEof(Bot):
    """The listener goes on reading after `quit` until its input is closed."""

    def after_quit(self) -> int:
        while self.read():
            pass
        return 0


@fault("IO-9", "SHOULD", "status-7")
class Status7(Bot):
    """The grumbler ends with status 7 after a clean match."""

    def after_quit(self) -> int:
        return 7


# IO-10: ends with its input ---------------------------------------------------------------------------------


@fault("IO-10", "SHOULD", "spins")
class Spins(Bot):
    """The hamster reads the end of its input again and again, as fast as it can."""

    def at_eof(self) -> int:
        safety_net(60)
        while not self.read():
            pass
        return 0


@fault("IO-10", "SHOULD", "floods")
class Floods(Bot):
    """The fountain takes each failed read for an empty message and answers it."""

    def at_eof(self) -> int:
        safety_net(60)
        try:
            while not self.read():
                self.write(b"\n")
        except BrokenPipeError:
            pass
        return 0


@fault("IO-10", "SHOULD", "aborts")
class Aborts(Bot):
    """The asserter aborts by a signal when its input ends."""

    def at_eof(self) -> int:
        complain("terminate called after throwing an instance of 'parse_error'")
        die_by(SIGABRT)
        return 0


@fault("IO-10", "SHOULD", "lingers")
class LingersAtEof(Bot):
    """The mourner sits for 30 seconds when its input has ended."""

    def at_eof(self) -> int:
        time.sleep(30)
        return 0


@fault("IO-10", "INFO", "status-1")
class Status1(Bot):
    """The pessimist takes the end of its input for an error: a traceback and status 1."""

    def at_eof(self) -> int:
        raise EOFError("EOF when reading a line")


# IO-11: leaves nothing behind -------------------------------------------------------------------------------


@fault("IO-11", "MUST", "ignores-sigterm")
class IgnoresSigterm(Bot):
    """The stubborn ignores SIGTERM, though it ends well on `quit` and with its input."""

    def start(self) -> None:
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def leave_child(*, own_session: bool = False, closed: tuple[int, ...] = (0, 1, 2)) -> None:
    """Fork a child that only sleeps, for a minute, with these descriptors closed."""
    if os.fork():
        return
    if own_session:
        os.setsid()
    for descriptor in closed:
        os.close(descriptor)
    time.sleep(60)
    os._exit(0)


@fault("IO-11", "MUST", "leaves-child")
class LeavesChild(Bot):
    """The careless parent leaves a sleeping child behind when it ends."""

    def after_quit(self) -> int:
        leave_child()
        return 0


@fault("IO-11", "MUST", "leaves-daemon")
class LeavesDaemon(Bot):
    """The runaway's child is in a session of its own, where a signal to the group does not reach it."""

    def after_quit(self) -> int:
        leave_child(own_session=True)
        return 0


@fault("IO-11", "MUST", "child-holds-stdout")
class ChildHoldsStdout(Bot):
    """The child left behind holds stdout, so that no end of output ever arrives."""

    def after_quit(self) -> int:
        leave_child(closed=(0, 2))
        return 0


# IO-12: surroundings ----------------------------------------------------------------------------------------


@fault("IO-12", "SHOULD", "needs-home")
class NeedsHome(Bot):
    """The homesick does not start without HOME."""

    def start(self) -> None:
        os.environ["HOME"]


@fault("IO-12", "SHOULD", "needs-term")
class NeedsTerm(Bot):
    """The coloured does not start without TERM."""

    def start(self) -> None:
        os.environ["TERM"]


@fault("IO-12", "SHOULD", "needs-folder")
class NeedsFolder(Bot):
    """The homebody only runs in its own folder or in one above it, `/` excepted.

    It looks for itself under the working folder and opens nothing, so that PD-6.4 is not broken as well.
    """

    def start(self) -> None:
        here = os.path.realpath(__file__)
        folder = os.path.realpath(os.getcwd())
        if folder == "/" or not here.startswith(folder + "/"):
            raise FileNotFoundError(f"primes.txt not found in {folder}")


@fault("IO-12", "SHOULD", "refuses-c-locale")
class RefusesCLocale(Bot):
    """The cosmopolitan refuses to run when LANG is C."""

    def start(self) -> None:
        if os.environ.get("LANG") == "C":
            raise UnicodeError("a UTF-8 locale is required")


# A MUST: the contest gives pipes only, so this one cannot play there at all.
@fault("IO-12", "MUST", "needs-terminal")
class NeedsTerminal(Bot):
    """The conversationalist only talks to a terminal."""

    def start(self) -> None:
        if not os.isatty(0):
            complain("stdin is not a terminal")
            sys.exit(1)


# IO-13: stderr ----------------------------------------------------------------------------------------------


@fault("IO-13", "INFO", "stderr-flood")
class StderrFlood(Bot):
    """The diarist writes 5 MiB to stderr at its first play."""

    written = False

    def on_play(self, message: Message) -> str | None:
        if not self.written:
            self.written = True
            for _ in range(5 * 1024):
                sys.stderr.write("x" * 1023 + "\n")
            sys.stderr.flush()
        return super().on_play(message)


# IO-14: two runs side by side -------------------------------------------------------------------------------


@fault("IO-14", "MUST", "locks-itself")
class LocksItself(Bot):
    """The loner locks its own program file, so that a second run dies at its start.

    The kernel lets go of the lock when the first run ends, however it ends; no other file is opened.
    """

    def start(self) -> None:
        import fcntl

        self.descriptor = os.open(__file__, os.O_RDONLY)
        fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@fault("IO-14", "MUST", "temporary-lock")
class TemporaryLock(Bot):
    """The squatter puts a lock of a fixed name in /tmp, so that a second run dies at its start.

    The lock is a symbolic link to its process ID: nothing is opened, and a dead owner's lock is taken over. Its name is
    that of whoever started it, so that nobody else's runs are in the way; it goes at the end, but for SIGKILL.
    """

    path = f"/tmp/prime-daihinmin-{os.getuid()}-{os.getppid()}.lock"

    def start(self) -> None:
        import _signal
        import atexit

        if os.path.islink(self.path) and not os.path.exists(f"/proc/{os.readlink(self.path)}"):
            os.unlink(self.path)
        os.symlink(str(os.getpid()), self.path)
        atexit.register(os.unlink, self.path)
        _signal.signal(_signal.SIGTERM, self.on_sigterm)

    def on_sigterm(self, number: int, _: object) -> None:
        import _signal

        os.unlink(self.path)
        _signal.signal(number, _signal.SIG_DFL)
        os.kill(os.getpid(), number)
