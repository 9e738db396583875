"""What was found is tried again: whether it shows every time, and if not, how often.

Law: bounded in runs and in time, and nothing at all for a bot without findings. A fault that shows in each of `TRIES`
more runs, in the failing cases with the fewest answers, or in every run of one of them, is told as it is. One that does
not is flaky: it keeps its level, is told with its rate, and is not put down to what its few cases happen to share (see
`reconcile`). What rests on time is tried again by the kit, alone, and not here.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field

from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.work import Job
from pdcheck.referee.catalogue import Level

TRIES = 3
RATE_RUNS = 20
"""Runs of one case from which the rate of a flaky fault is told."""
RATE_LEAST = 5
SECONDS = 4.0
"""For the runs of one fault: `TRIES` of a bot that is silent, which the runner sees after a second. A longer case is
run once more, and `RATE_LEAST` times when that does not show it."""
ALL_SECONDS = 10.0
"""For all faults together."""
MOST_FAULTS = 12

Key = tuple[str, str]
"""A fault: its requirement, or how the bot broke down."""


def key_of(finding: Finding) -> Key:
    """Equal for sights of one fault."""
    return ("", finding.breakdown) if finding.breakdown else (finding.requirement, "")


@dataclass(frozen=True, slots=True)
class Flaky:
    """In how many runs of a case a fault showed."""

    case: str
    runs: int
    failed: int


@dataclass
class Again:
    """Runs cases again on `pool`, up to `window` at once, until the monotonic time `until`."""

    pool: Executor
    cases: Mapping[str, Case]
    window: int
    until: float
    hurry: bool
    """Whether a bot that broke down is not told to quit: how slowly it goes is known by now."""
    flaky: dict[Key, Flaky] = field(default_factory=dict)

    def try_all(self, results: Sequence[CaseResult]) -> Mapping[Key, Flaky]:
        """The flaky ones of all faults above INFO in these results."""
        self.until = min(self.until, time.monotonic() + ALL_SECONDS)
        for key, failing in list(_faults(results).items())[:MOST_FAULTS]:
            if time.monotonic() < self.until:
                self._try(key, failing)
        return self.flaky

    def _try(self, key: Key, failing: Sequence[CaseResult]) -> None:
        runs = _affordable(failing[0], TRIES)
        chosen = [failing[at % len(failing)] for at in range(runs)]
        shown = self._run(key, [result.case for result in chosen])
        if all(seen for _, seen in shown):
            return
        # Where it showed again it may show every time: then it is no flaky one, whatever a second case made it do once.
        again = {name for name, seen in shown if seen}
        rated = next((result for result in chosen if result.case in again), failing[0])
        mine = [seen for name, seen in shown if name == rated.case]
        more = max(RATE_LEAST, _affordable(rated, RATE_RUNS)) - 1 - len(mine)
        mine += [seen for _, seen in self._run(key, [rated.case] * more)]
        if not all(mine):
            self.flaky[key] = Flaky(rated.case, 1 + len(mine), 1 + sum(mine))

    def _run(self, key: Key, names: Sequence[str]) -> list[tuple[str, bool]]:
        """Case and whether the fault showed, run by run. Runs in which the kit failed, or that came too late, are left
        out."""
        shown: list[tuple[str, bool]] = []
        # With one among them that must be alone none is beside another.
        window = min(map(self._window, names), default=1)
        waiting: deque[Future[CaseResult]] = deque()
        todo = deque(names)
        while todo or waiting:
            if todo and time.monotonic() > self.until:
                todo.clear()
            while todo and len(waiting) < window:
                hurry = self.hurry and bool(key[1])
                waiting.append(self.pool.submit(Job(self.cases[todo.popleft()], hurry)))
            if waiting:
                result = waiting.popleft().result()
                if not result.trouble:
                    shown.append((result.case, any(key_of(finding) == key for finding in result.findings)))
        return shown

    def _window(self, name: str) -> int:
        case = self.cases[name]
        return 1 if case.alone or case.setting.beside else self.window


def _faults(results: Sequence[CaseResult]) -> Mapping[Key, list[CaseResult]]:
    """The faults and the cases they showed in: those with the fewest answers first, for what comes by chance at any
    answer is least likely to come again there."""
    faults: dict[Key, list[CaseResult]] = {}
    for result in results:
        for finding in result.findings:
            if finding.level is not Level.INFO and not finding.timed:
                showing = faults.setdefault(key_of(finding), [])
                if result not in showing:
                    showing.append(result)
    order: Callable[[CaseResult], int] = lambda result: len(result.turns)  # noqa: E731
    return {key: sorted(showing, key=order) for key, showing in faults.items()}


def _affordable(result: CaseResult, most: int) -> int:
    return max(1, min(most, int(SECONDS / max(result.seconds, 0.001))))
