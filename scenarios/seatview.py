"""How people sit at a game: what `pdcheck play` asks of a pack, one `SeatView` a match.

Law: pure. A view looks at the referee's own game and changes nothing in it; it is given what was typed and gives the
line to play or a complaint. It draws lines of `Span`s; where and how they are shown is none of its business. Nothing is
told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from pdcheck.referee.game import Over
from pdcheck.referee.violations import Ruling, Violation


class Span(NamedTuple):
    """A piece of a line; `style` in rich's words ("bold", "black on cyan"), "" for none."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


class Cell(NamedTuple):
    """A place on a view's grid, both counted from 0."""

    row: int
    column: int


class Due(NamedTuple):
    """What a message calls for: the bytes that are answered without asking the person (b"" for none), and whether a
    move is then the person's to say."""

    reply: bytes
    asks: bool


class Complaint(NamedTuple):
    """Why what was typed is no move: a line to show; the person is asked again."""

    text: str


class Hint(NamedTuple):
    """Help for the person in turn: lines to show, and the cell they are about."""

    lines: tuple[str, ...]
    cell: Cell | None = None


class Look(NamedTuple):
    """How the state is to be drawn: into `width` columns and at most `height` lines; for the person in `seat` (None:
    for nobody, so that nothing secret shows); with marks at the cell pointed at and the one hinted at."""

    width: int
    height: int
    seat: int | None = None
    pointer: Cell | None = None
    hint: Cell | None = None


class SeatView(Protocol):
    """One match as people at the board see it."""

    @property
    def how(self) -> str:
        """What a person types to move, in a few words."""
        ...

    @property
    def secret(self) -> bool:
        """Whether a person sees what the other seats must not."""
        ...

    @property
    def grid(self) -> Cell | None:
        """Rows and columns of a board that can be pointed at; None where there is none."""
        ...

    def pointed(self, cell: Cell) -> str:
        """What one would type instead of pointing at the cell."""
        ...

    def hear(self, seat: int, message: bytes) -> Due:
        """What a message of the referee to a person's seat calls for."""
        ...

    def read(self, seat: int, text: str) -> bytes | Complaint:
        """The line (with its LF) that plays what was typed; it is legal, or else it is a complaint."""
        ...

    def hint(self, seat: int) -> Hint:
        """What the person in turn could play."""
        ...

    def turn(self) -> int | None:
        """The seat in turn, None when the match has ended."""
        ...

    def draw(self, look: Look) -> list[Line]:
        """The state as it is now."""
        ...

    def told(self, ruling: Ruling) -> str:
        """A ruling in one line, "" where it tells nothing."""
        ...

    def result(self, over: Over) -> list[str]:
        """How it ended."""
        ...


def broken(violation: Violation) -> str:
    """A rule that was broken, or would be."""
    return f"{violation.requirement}: {violation.actual}; expected {violation.expected}"


def width_of(line: Sequence[Span]) -> int:
    """The columns that a line takes."""
    return sum(len(span.text) for span in line)


def plain(line: Sequence[Span]) -> str:
    """A line without its styles."""
    return "".join(span.text for span in line).rstrip()
