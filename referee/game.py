"""What every game provides: a course, written as a generator of steps.

Law: a game knows no bytes' arrival, no clock and no process. It yields what is to happen next and is sent what
came of it; `referee.match` turns that into the sans-I/O seam. A bot may be asked (`Ask`), may be due to speak
unasked (`Await`: it moves first, or is an HTTP client), or be told something that wants no answer (`Tell`).
Once nothing more is due from it, it may go before the match is over (`Release`).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from pdcheck.referee.clock import Guard
from pdcheck.referee.violations import Ruling, Violation


class Ask(NamedTuple):
    """Send `message` (bytes with their LF) to `seat` and wait for one line; the generator is sent an outcome.

    `kind` names what is awaited. `limit`: its own seconds instead of the match budget (the `quit` round).
    `ahead`: further lines may follow the answer at once; they wait for the seat's next step, even if they come
    before it.
    """

    seat: int
    message: bytes
    kind: str
    limit: float | None = None
    ahead: bool = False


class Await(NamedTuple):
    """Wait for one line of `seat` without sending anything."""

    seat: int
    kind: str
    limit: float | None = None
    ahead: bool = False


class Tell(NamedTuple):
    """Send `message` to `seat`; no answer is due."""

    seat: int
    message: bytes


class Release(NamedTuple):
    """Nothing more is due from `seat`: it may end by right. A line it still writes breaks `requirement`, which
    is told as a flaw and puts nobody out."""

    seat: int
    requirement: str


class Dismiss(NamedTuple):
    """The match goes on without `seat`: whoever played there may be ended."""

    seat: int


class Together(NamedTuple):
    """Several `Ask`s at once; the generator is sent the list of their outcomes, in the same order."""

    asks: tuple[Ask, ...]


class Answer(NamedTuple):
    """What came of an `Ask` or `Await`: one complete line, without its LF."""

    line: bytes


class Lapse(NamedTuple):
    """What came of an `Ask` or `Await`: no usable line, and why.

    `late`: its time ran out; `asked`: false when the seat was in trouble before the question could be put.
    """

    violation: Violation
    late: bool = False
    asked: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """One seat's line in the final ranking. `time_left` is filled in by the match from the seat's budget."""

    seat: int
    name: str
    place: int
    score: int
    status: str


@dataclass(frozen=True, slots=True)
class Over:
    """The match is decided. `reason` is the game's word for how; `places` are in seat order."""

    reason: str
    places: tuple[Place, ...]
    facts: dict[str, Any] = field(default_factory=dict)


Outcome = Answer | Lapse
Step = Ask | Await | Tell | Release | Dismiss | Together | Ruling | Over
Course = Generator[Step, Any, None]
"""Yields steps; is sent an `Outcome` for Ask and Await, a list of them for Together, None for the rest."""


class Game(Protocol):
    """One match of one game, not yet begun."""

    @property
    def names(self) -> Sequence[str]:
        """The seats' names, in seat order."""
        ...

    @property
    def time(self) -> float:
        """The budget of each seat in seconds."""
        ...

    @property
    def by_cpu(self) -> bool:
        """Whether the budget is CPU time (wall time otherwise)."""
        ...

    @property
    def guard(self) -> Guard | None:
        """How long a line is waited for, where the budget is CPU time."""
        ...

    @property
    def grace(self) -> float:
        """Seconds past the budget within which an answer still counts (row 7 of the control program's list)."""
        ...

    @property
    def keeps_extra_lines(self) -> bool:
        """Whether lines nobody asked for wait for the next question (row 14) instead of breaking IO-3."""
        ...

    @property
    def time_requirement(self) -> str:
        """The ID broken by running out of the match budget."""
        ...

    @property
    def head(self) -> Sequence[str]:
        """What is printed of it before it begins, a line each."""
        ...

    def unasked(self, seat: int, said: bytes, *, first: bool) -> Violation:
        """What a seat breaks by output that nobody asked for: one line or part of a line without its LF. `first`:
        it was told nothing yet. `violations.unsolicited` knows the general requirements."""
        ...

    def course(self) -> Course:
        """The match, step by step; may be called once."""
        ...
