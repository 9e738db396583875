"""The terminal itself: its modes, its size, its alternate screen.

Law: whatever was changed is changed back, in one place, also when that is interrupted: no signal is taken meanwhile.
Signals still come from the keyboard (cbreak, not raw), so that a person can always stop what hangs. It is taken only in
the foreground: in the background its modes are those of the shell, which is at work.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
import time
import tty
from collections.abc import Callable, Collection, Iterator
from types import FrameType
from typing import Any, Final, TextIO

ALTERNATE, USUAL = "\x1b[?1049h\x1b[2J", "\x1b[0m\x1b[?25h\x1b[?1049l"
FALLBACK: Final = os.terminal_size((80, 24))
_HELD: Final = {
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGTSTP,
    signal.SIGWINCH,
}


class Terminal:
    """One terminal, read by `fd` and written by `out`. `changed` is called when it has to be drawn anew."""

    def __init__(self, fd: int, out: TextIO, changed: Callable[[], None]) -> None:
        self._fd = fd
        self._out = out
        self._changed = changed
        self._mode: list[Any] | None = None
        self._handlers: dict[int, Any] = {}
        self.away = 0.0
        """Seconds that pauses (Ctrl-Z) have taken: nobody has played then."""

    @property
    def taken(self) -> bool:
        """Whether it is ours now; else the shell writes on it."""
        return self._mode is not None

    @property
    def size(self) -> os.terminal_size:
        """Columns and lines; 80 and 24 where it does not tell."""
        try:
            size = os.get_terminal_size(self._out.fileno())
        except OSError:
            return FALLBACK
        return size if size.columns and size.lines else FALLBACK

    def write(self, text: str) -> None:
        """Show it at once."""
        # Not through the stream: a pause (Ctrl-Z) may come in the middle of a write, and streams do not nest.
        data, fd = text.encode("utf-8", "replace"), self._out.fileno()
        while data:
            try:
                data = data[os.write(fd, data) :]
            except BlockingIOError:  # somebody else has left the terminal so
                select.select([], [fd], [])

    def enter(self) -> None:
        """Take it over: keys one by one, without echo, on the alternate screen."""
        if not self.taken:
            self._foreground()
            with held(_HELD):
                self._take()
                for number, handler in ((signal.SIGWINCH, self._resized), (signal.SIGTSTP, self._paused)):
                    self._handlers[number] = signal.signal(number, handler)

    def leave(self) -> None:
        """Give it back as it was. A terminal that is gone needs nothing."""
        with held(_HELD):
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            self._handlers.clear()
            if self.taken:
                # What was typed ahead was for the match, not for the shell.
                with contextlib.suppress(OSError, termios.error):
                    termios.tcflush(self._fd, termios.TCIFLUSH)
            self._give()

    def _foreground(self) -> None:
        """Wait, stopped, until the shell has put us into the foreground (`fg`)."""
        with contextlib.suppress(OSError):  # it is not the terminal that controls us: no shell stops us
            while os.tcgetpgrp(self._fd) != os.getpgrp():
                os.kill(os.getpid(), signal.SIGSTOP)

    def _take(self) -> None:
        self._mode = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd, termios.TCSANOW)
        self.write(ALTERNATE)

    def _give(self) -> None:
        mode, self._mode = self._mode, None
        if mode is None:
            return
        with contextlib.suppress(OSError):
            self.write(USUAL)
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(self._fd, termios.TCSANOW, mode)

    def _resized(self, number: int, frame: FrameType | None) -> None:
        self._changed()

    def _paused(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: the shell gets its terminal as it was, and we ours when we go on."""
        begun = time.monotonic()
        with held(_HELD):
            self._give()
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Stopped here, until a SIGCONT.
        self._foreground()
        with held(_HELD):
            signal.signal(number, self._paused)
            self._take()
        self.away += time.monotonic() - begun
        self._changed()


@contextlib.contextmanager
def held(signals: Collection[signal.Signals]) -> Iterator[None]:
    """These signals wait until it is done. One that came just before may still raise, then before anything is done."""
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    except BaseException:  # the handler's, which runs after the signals have been blocked
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)
        raise
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
