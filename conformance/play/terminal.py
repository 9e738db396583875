"""The terminal itself: its modes, its size, its alternate screen.

Law: whatever was changed is changed back, in one place, also when that is interrupted: no signal is taken meanwhile.
Signals still come from the keyboard (cbreak, not raw), so that a person can always stop what hangs.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
import tty
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, TextIO

ALTERNATE, USUAL = "\x1b[?1049h\x1b[2J", "\x1b[0m\x1b[?25h\x1b[?1049l"
FALLBACK: Final = os.terminal_size((80, 24))
_HELD: Final = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGWINCH}


class Terminal:
    """One terminal, read by `fd` and written by `out`. `changed` is called when it has to be drawn anew."""

    def __init__(self, fd: int, out: TextIO, changed: Callable[[], None]) -> None:
        self._fd = fd
        self._out = out
        self._changed = changed
        self._mode: list[Any] | None = None
        self._handlers: dict[int, Any] = {}

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
        if self._mode is None:
            with _undisturbed():
                self._take()
                for number, handler in ((signal.SIGWINCH, self._resized), (signal.SIGTSTP, self._paused)):
                    self._handlers[number] = signal.signal(number, handler)

    def leave(self) -> None:
        """Give it back as it was. A terminal that is gone needs nothing."""
        with _undisturbed():
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            self._handlers.clear()
            self._give()

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
        with _undisturbed():
            self._give()
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        # Stopped here, until a SIGCONT.
        with _undisturbed():
            signal.signal(number, self._paused)
            self._take()
        self._changed()


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
