"""A bot under a pseudo-terminal: the same small Protocol, for the second look at one that said nothing on pipes.

Law: only for finding out why. Its three streams are terminals (stderr one of its own), set raw: no echo, no line
editing, no limit to a line, so that only `isatty` and what follows from it differ from pipes.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import termios
import tty
from array import array

from pdcheck.conformance.transports.process import Launch, ProcessTransport

SIZE = (24, 80)


class TerminalTransport(ProcessTransport):
    """A `ProcessTransport` whose streams are terminals."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        self._inside: list[int] = []

    def _open(self) -> subprocess.Popen[bytes]:
        master, slave = _pair()
        said, says = _pair()
        # Kept open on this side, too: what it wrote last is then still there when it has ended.
        self._inside = [slave, says]
        self._files = (
            os.fdopen(os.dup(master), "wb", buffering=0),
            os.fdopen(master, "rb", buffering=0),
            os.fdopen(said, "rb", buffering=0),
        )
        try:
            return self._popen(slave, slave, says)
        except BaseException:
            for file in self._files:
                file.close()
            self._close_inside()
            raise

    def in_pipe(self) -> int | None:
        """Bytes sent that the bot has not read yet."""
        waiting = array("i", [0])
        try:
            fcntl.ioctl(self._inside[0], termios.FIONREAD, waiting)
        except (OSError, IndexError):
            return None
        return waiting[0]

    def streams(self) -> tuple[str, str, str]:
        """Its stdin and stdout are one terminal."""
        names = []
        for fd in self._inside:
            with contextlib.suppress(OSError):
                names.append(os.ttyname(fd))
        return (names[0], "", names[1]) if len(names) == 2 else ("", "", "")

    def end_input(self) -> None:
        """A raw terminal has no end of input: it hangs up."""
        super().end_input()
        self.signal(signal.SIGHUP)

    def stop(self) -> None:
        """Kill the group, reap the bot, close every descriptor."""
        super().stop()
        self._close_inside()

    def _close_inside(self) -> None:
        for fd in self._inside:
            os.close(fd)
        self._inside = []


def _pair() -> tuple[int, int]:
    master, slave = os.openpty()
    tty.setraw(slave)
    termios.tcsetwinsize(slave, SIZE)
    return master, slave
