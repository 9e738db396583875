"""Faults in how a bot takes the end of its input, and in what it does to, or wants of, its surroundings (IO-10 to
IO-14).

Law of this file: until then each bot plays rightly. Whatever lingers or is left behind ends by itself
within a minute or two, and on SIGTERM or SIGKILL at once (but for the one that ignores SIGTERM).
"""

from __future__ import annotations

import os
import sys
import time

from .base import Bot, complain, fault

# IO-10: ends with its input ---------------------------------------------------------------------------------


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
    """The stubborn ignores SIGTERM, though it ends well when the match or its input does."""

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


@fault("IO-11", "MUST", "leaves-daemon")
class LeavesDaemon(Bot):
    """The runaway's child is in a session of its own, where a signal to the group does not reach it."""

    def at_end(self) -> int:
        leave_child(own_session=True)
        return 0

    at_eof = at_end


@fault("IO-11", "MUST", "child-holds-stdout")
class ChildHoldsStdout(Bot):
    """The child left behind holds stdout, so that no end of output ever arrives."""

    def at_end(self) -> int:
        leave_child(closed=(0, 2))
        return 0


# IO-12: surroundings ----------------------------------------------------------------------------------------


@fault("IO-12", "SHOULD", "needs-home")
class NeedsHome(Bot):
    """The homesick does not start without HOME."""

    def start(self) -> None:
        os.environ["HOME"]


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
    """The diarist writes 5 MiB to stderr at its second move."""

    def choose(self) -> int:
        if self.made == 1:
            for _ in range(5 * 1024):
                sys.stderr.write("x" * 1023 + "\n")
            sys.stderr.flush()
        return super().choose()


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
