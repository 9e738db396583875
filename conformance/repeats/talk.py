"""What is kept of a match to compare it with another: the referee's word on each turn.

Law: pure; from a transcript alone. It says what was played, not how long it took or what bytes said it. A match in
which the bot was stopped is kept as such: it is no evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pdcheck.conformance.transcript import Ruled, Transcript
from pdcheck.scenarios.pack import Said


@dataclass(frozen=True, slots=True)
class Talk:
    """One match as it was seen: the candidate's `seat`, all words in order, and whether the candidate was `stopped`
    (or had not come to its end). `name` is what it called itself; "" where it did not come to that."""

    seat: int
    said: tuple[Said, ...]
    stopped: bool = False
    name: str = ""
    language: str = ""
    """The language that the bot seems to be written in, "" when nothing tells."""
    names: tuple[str, ...] = ()
    """What the seats are called."""

    @property
    def bare(self) -> Talk:
        """Its name and seat alone, where the moves are not going to be compared."""
        return replace(self, said=(), names=())


def talk_of(log: Transcript, seat: int, named: str, language: str = "") -> Talk:
    """The talk of a transcript for one seat; `named` is the outcome that took a name."""
    rulings = [event.ruling for event in log.events if isinstance(event, Ruled)]
    said = tuple(Said(ruling.seat, ruling.outcome, ruling.what) for ruling in rulings)
    stopped = any(ruling.seat == seat and ruling.violation is not None for ruling in rulings)
    names = tuple(str(row["name"]) for row in log.header.get("seats", ()))
    return Talk(seat, said, stopped, _name(said, seat, named), language, names)


def moves(said: Sequence[Said], named: str) -> list[Said]:
    """The words that are about moves, of all seats."""
    return [word for word in said if word.outcome != named]


def _name(said: Sequence[Said], seat: int, named: str) -> str:
    return next((word.what for word in said if word.seat == seat and word.outcome == named), "")
