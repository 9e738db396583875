"""A closer look at a match whose moves were seen to differ: a few runs more, to name what it takes.

Law: bounded in runs and in time, and nothing at all for a bot that plays the same way each time. Whether the moves
differ is settled before it; it only says under what, and how often.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.repeats.conditions import AGAIN, ALL, HELD, PLAIN, VARIED, Condition, under
from pdcheck.conformance.repeats.verdict import ENOUGH, Repeated, Run, alone

MORE = 2
"""Further runs under each condition that is in question."""
SPARE = 4
"""Turns beyond those in which the moves were seen to differ."""
SECONDS = 20.0

Submit = Callable[[Case], "Future[CaseResult]"]


@dataclass
class Closer:
    """Plays cases by `submit`, up to `window` at once, until the monotonic time `until`. `missing`: the conditions that
    cannot be made here. `played` holds what was played, by the case."""

    submit: Submit
    window: int
    until: float
    missing: frozenset[str]
    played: dict[str, tuple[Case, CaseResult]] = field(default_factory=dict)
    interrupted: bool = False
    """Whether an interrupt ended the look: what was seen by then still counts."""

    def look(self, match: Repeated, case: Case) -> None:
        """Add runs to this match, of which `case` is one, until it is known what it takes."""
        try:
            self._look(match, case)
        except KeyboardInterrupt:
            self.interrupted = True

    def _look(self, match: Repeated, case: Case) -> None:
        self.until = min(self.until, time.monotonic() + SECONDS)
        case = _cut(case, match.enough + SPARE)
        self._play(match, case, [AGAIN] * MORE)
        if match.differing(PLAIN, AGAIN)[0]:
            for row in HELD:
                if row.name not in self.missing:
                    self._play(match, case, _held(row))
            return
        known = {run.condition for run in match.runs}
        singles = [row.name for row in VARIED if row.name not in self.missing]
        self._play(match, case, [name for name in singles if name not in known])
        again = [row.name for row in alone(match)] or [ALL.name]
        self._play(match, case, [name for name in again for _ in range(MORE)])

    def _play(self, match: Repeated, case: Case, conditions: Sequence[str]) -> None:
        """Play the match under these conditions and add the runs."""
        todo = [
            self._numbered(match, case, name, conditions[:at].count(name))
            for at, name in enumerate(conditions)
        ]
        while todo and time.monotonic() < self.until:
            # What shares a core with a busy process has the machine for itself.
            size = 1 if todo[0].alone else next(
                (at for at, one in enumerate(todo) if one.alone), len(todo)
            )  # fmt: skip
            batch, todo = todo[: min(size, self.window)], todo[min(size, self.window) :]
            self._take(match, batch)

    def _take(self, match: Repeated, batch: Iterable[Case]) -> None:
        futures = [(case, self.submit(case)) for case in batch]
        for case, future in futures:
            result = future.result()
            if result.talk is not None and not result.trouble:
                match.runs.append(Run(case.id, case.repeats, result.talk))
                self.played[case.id] = (case, result)

    @staticmethod
    def _numbered(match: Repeated, case: Case, condition: str, before: int) -> Case:
        """The case under this condition, named apart from those known and from so many `before` it."""
        made = under(case, condition)
        number = 1 + before + sum(run.condition == condition for run in match.runs)
        return replace(made, id=f"{made.id}-{number}") if number > 1 else made


def _held(row: Condition) -> list[str]:
    """The conditions of the runs that show whether it is this that must be held."""
    return [*[row.name] * ENOUGH, *[row.counter] * MORE] if row.counter else [AGAIN, row.name] * (ENOUGH + 1)


def _cut(case: Case, turns: int) -> Case:
    """The same match, ended after so many turns where it is longer."""
    scenario = case.scenario
    if scenario.turns and scenario.turns <= turns:
        return case
    return replace(case, scenario=replace(scenario, turns=turns, ending="eof"))
