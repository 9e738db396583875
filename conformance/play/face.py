"""What people at the board see and type on: a small Protocol with two modules, `screen` and `lines`.

Law: a face knows no game. It shows what a `SeatView` draws and gives back whole lines of text; what they mean is the
desk's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pdcheck.scenarios.seatview import Hint, SeatView


class Face(Protocol):
    """A terminal, or a pair of streams. One that cannot be written any more raises the desk's `Left`."""

    @property
    def away(self) -> float:
        """Seconds up to now in which the match stood still because its people had put it aside (Ctrl-Z)."""
        ...

    def open(self, view: SeatView, names: Sequence[str]) -> None:
        """A match begins between the seats of these names (once more, after an undo)."""
        ...

    def turn(self, seat: int, *, hidden: bool) -> None:
        """The person in this seat is asked for a move; `hidden`: they are not to see their own things yet."""
        ...

    def waits(self) -> None:
        """A program is to move."""
        ...

    def done(self) -> None:
        """The person has moved."""
        ...

    def told(self, text: str, *, grave: bool) -> None:
        """Something happened; `grave`: it must not be overlooked."""
        ...

    def say(self, lines: Sequence[str], hint: Hint | None = None) -> None:
        """An answer to what the person typed."""
        ...

    def feed(self, data: bytes) -> None:
        """Bytes came from the keyboard."""
        ...

    def line(self) -> str | None:
        """The next line typed, None while there is none. Raises EOFError at the end of what can be typed."""
        ...

    def over(self, result: Sequence[str]) -> None:
        """The match has been played to its end."""
        ...

    def close(self) -> None:
        """Give the terminal back as it was; may be called twice."""
        ...
