"""From the runs of one match to the condition that it takes to change its moves.

Law: pure. What already differs when nothing is changed is not put down to a change; what is then the same while one
thing is held is put down to that thing, if it was seen often enough. Of several changes that do it alone, the one
under which it shows most often is named; all together are named only where none does it alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pdcheck.conformance.repeats.compare import Difference, difference
from pdcheck.conformance.repeats.conditions import (
    AGAIN,
    ALL,
    CONDITIONS,
    COUNTERS,
    HELD,
    PLAIN,
    VARIED,
    Condition,
)
from pdcheck.conformance.repeats.talk import Talk

ENOUGH = 3
"""Runs that must be the same while one thing is held."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a match: its case, the condition, and what was played."""

    case: str
    condition: str
    talk: Talk


@dataclass
class Repeated:
    """All runs of one match. The first one that counts with nothing changed is what the others are compared with."""

    name: str
    named: str
    runs: list[Run] = field(default_factory=list)

    @property
    def counted(self) -> list[Run]:
        """Those in which the bot came to the end."""
        return [run for run in self.runs if not run.talk.stopped]

    @property
    def first(self) -> Run | None:
        """What the others are compared with; None where there is nothing, or nothing to compare."""
        plain = [run for run in self.counted if run.condition in (PLAIN, AGAIN)]
        return plain[0] if plain and len(self.counted) > 1 else None

    @property
    def others(self) -> list[Run]:
        """Those that are compared with the first."""
        first = self.first
        held = {row.name for row in (*HELD, *COUNTERS)}
        return [run for run in self.counted if first and run is not first and run.condition not in held]

    def parts(self, run: Run) -> Difference | None:
        """Where this run parts from the first."""
        first = self.first
        return difference(first.talk, run.talk, self.named) if first and run is not first else None

    @property
    def enough(self) -> int:
        """So many of the candidate's moves show every difference that is known."""
        return max((found.number for run in self.others if (found := self.parts(run))), default=0)

    def differing(self, *conditions: str) -> tuple[int, int]:
        """In how many runs under these conditions the moves differ from the first run's, and of how many."""
        runs = [run for run in self.others if run.condition in conditions]
        return sum(self.parts(run) is not None for run in runs), len(runs)

    @property
    def differences(self) -> int:
        """In how many runs the moves differ."""
        return sum(self.parts(run) is not None for run in self.others)

    def show(self, cause: Condition) -> Run:
        """The run that shows best what this condition changes: of those under it the one that parts first. What differs
        when nothing is changed is shown so; but the clock may stand still between two runs, and only seems to change
        nothing then: under another date it comes again surely."""
        plain, of_plain = self.differing(PLAIN, AGAIN)
        by_clock = plain < of_plain and "clock" in cause.changed
        order = ["clock" if by_clock else AGAIN, AGAIN] if plain else [cause.name]
        parted = [
            (order.index(run.condition) if run.condition in order else len(order), found.place, at)
            for at, run in enumerate(self.others)
            if (found := self.parts(run))
        ]
        return self.others[min(parted)[2]]


def cause_of(match: Repeated) -> Condition | None:
    """The condition it takes; None where all runs are the same."""
    if match.differing(PLAIN, AGAIN)[0]:
        return next((row for row in HELD if _holds(match, row)), CONDITIONS[AGAIN])
    rates = {row.name: _rate(*match.differing(row.name)) for row in VARIED}
    best = max(rates, key=lambda name: rates[name])
    if rates[best]:
        return CONDITIONS[best]
    return ALL if match.differing(ALL.name)[0] else None


def alone(match: Repeated) -> list[Condition]:
    """Every change that alone makes the moves differ."""
    return [row for row in VARIED if match.differing(row.name)[0]]


def in_vain(match: Repeated) -> list[Condition]:
    """What was held often enough, and the moves differed all the same."""
    held = {row.name: [run.talk for run in match.counted if run.condition == row.name] for row in HELD}
    return [row for row in HELD if len(held[row.name]) >= ENOUGH and not same(match, held[row.name])]


def _rate(differing: int, of: int) -> float:
    return differing / of if of else 0.0


def _holds(match: Repeated, row: Condition) -> bool:
    """Whether the moves are the same while this is held, and others, the same again, when it is held otherwise; where
    there is no other way to hold it, whether they were not the same in between, when it was not held."""
    runs = match.counted
    places = [at for at, run in enumerate(runs) if run.condition == row.name]
    held = [runs[at].talk for at in places]
    if len(held) < ENOUGH or not same(match, held):
        return False
    if row.counter:
        other = [run.talk for run in runs if run.condition == row.counter]
        return len(other) > 1 and same(match, other) and not same(match, [held[0], other[0]])
    return not same(match, [run.talk for run in runs[places[0] : places[-1]] if run.condition == AGAIN])


def same(match: Repeated, talks: Sequence[Talk]) -> bool:
    """Whether the moves are the same in all of these."""
    return not any(difference(talks[0], talk, match.named) for talk in talks[1:])
