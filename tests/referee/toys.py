"""Toy games for the tests of the match: a helper of the tests beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pdcheck.referee.clock import Guard, Stamp
from pdcheck.referee.game import Ask, Course, Lapse, Over, Place
from pdcheck.referee.match import Event, Match
from pdcheck.referee.violations import Ruling, Violation, unsolicited

OVER = Over("done", (Place(0, "a", 1, 0, "OK"),))


class Toy:
    """A game made of its course; every outcome that the course is sent is kept in `outcomes`."""

    time_requirement = "TOY-5"
    over = OVER

    def __init__(
        self,
        script: Callable[[Toy], Course],
        *,
        seats: int = 1,
        time: float = 10.0,
        by_cpu: bool = False,
        grace: float = 0.0,
        keeps_extra_lines: bool = False,
        guard: Guard | None = None,
    ) -> None:
        self.head: Sequence[str] = ()
        self.names: Sequence[str] = [f"seat-{seat}" for seat in range(seats)]
        self.time = time
        self.by_cpu = by_cpu
        self.grace = grace
        self.keeps_extra_lines = keeps_extra_lines
        self.guard = guard
        self.outcomes: list[Any] = []
        self._script = script

    def unasked(self, seat: int, said: bytes, *, first: bool) -> Violation:
        del seat
        return unsolicited(said, first=first)

    def course(self) -> Course:
        return self._script(self)

    @property
    def lapse(self) -> str:
        """The requirement that the last outcome's lapse names; "" where it was an answer."""
        last = self.outcomes[-1]
        return last.violation.requirement if isinstance(last, Lapse) else ""


def asking(times: int, *, limit: float | None = None) -> Callable[[Toy], Course]:
    """A game that asks seat 0 so many times, and is over at the first lapse."""

    def course(toy: Toy) -> Course:
        for number in range(times):
            outcome = yield Ask(0, b"q%d\n" % number, "question", limit)
            toy.outcomes.append(outcome)
            if isinstance(outcome, Lapse):
                yield Ruling(0, "out", violation=outcome.violation)
                break
        yield OVER

    return course


def started(toy: Toy, **more: Any) -> Match:
    """The match after its first question was written at second 0."""
    match = Match(toy, **more)
    match.begin()
    match.sent(0, Stamp(0.0))
    return match


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]
