"""What rests on time is tried again, alone: it counts when it is seen again, or the machine was calm.

Law: bounded in runs and in time. What was not seen a second time is inconclusive, not the bot's; where the machine was
calm it is the bot's, and flaky. A bot whose hang was confirmed is not waited for as long in the next case.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from pdcheck.conformance.again import Flaky, Key, key_of
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.stopping import EQUAL_FAILURES
from pdcheck.referee.catalogue import Level

Sight = tuple[str, str, str]
"""What rests on time, as it is confirmed: the requirement, how the bot broke down, and of what is about its end what
was expected there. At which answer a bot runs out of time differs from run to run."""
Play = Callable[[str, bool], CaseResult]
"""`play(case, brief)`: the case once more, alone; `brief`: see `Case`."""


@dataclass
class Confirm:
    """What is known by the second runs."""

    confirmed: set[Sight] = field(default_factory=set)
    """What was seen broken by time twice, the second time alone."""
    faults: set[Key] = field(default_factory=set)
    """The faults that these were."""
    tries: dict[str, dict[str, bool]] = field(default_factory=dict)
    """Requirement → case → whether it was seen broken by time in the second run, too."""

    def try_all(self, results: list[CaseResult], play: Play, until: float) -> None:
        """Run these once more where something in them rests on time that was not seen a second time yet, until the
        monotonic time `until`; the results then tell what came of it."""
        tried: Counter[str] = Counter()
        for at, result in enumerate(results):
            told = {requirement for requirement, *_ in self.confirmed}
            doubtful = {*result.inconclusive} - told
            open_ = {requirement for requirement, *_ in _timed(result) - self.confirmed} | doubtful
            worth_it = any(tried[requirement] < EQUAL_FAILURES for requirement in open_)
            if worth_it and time.monotonic() <= until:
                tried.update(open_)
                brief = any(key_of(finding) in self.faults for finding in result.findings if finding.timed)
                results[at] = self._taken(result, play(result.case, brief))

    def _taken(self, result: CaseResult, second: CaseResult) -> CaseResult:
        """The result, with what the second run says."""
        slow, again = _timed(result), _timed(second)
        self.confirmed |= slow & again
        self.faults |= {key_of(finding) for finding in result.findings if _sight(finding) in slow & again}
        for sight in slow:
            requirement = sight[0]
            if requirement not in second.inconclusive:
                tries = self.tries.setdefault(requirement, {})
                tries[result.case] = tries.get(result.case, False) or sight in again
        # What the machine alone was to blame for is forgotten when it goes well now; what could not be told the first
        # time, and shows now, is found.
        found = [f for f in second.findings if f.timed and f.requirement in result.inconclusive]
        return replace(
            result,
            findings=[*result.findings, *found],
            inconclusive=second.inconclusive,
            covered=tuple(sorted({*result.covered, *second.covered})),
            transcript=result.transcript or (second.transcript if found else ""),
            trouble=result.trouble or second.trouble,
        )

    def drop(self, results: list[CaseResult], flaky: dict[Key, Flaky]) -> None:
        """Without what rests on time and was not confirmed, unless the machine was calm: then the bot is `flaky`."""
        for at, result in enumerate(results):
            timed = [finding for finding in result.findings if finding.timed]
            dropped = [f for f in timed if _sight(f) not in self.confirmed and not f.calm]
            for finding in timed:
                if (
                    finding not in dropped
                    and self.tries.get(finding.requirement, {}).get(result.case) is False
                ):
                    flaky[key_of(finding)] = Flaky(result.case, 2, 1)
            if dropped:
                doubtful = {finding.requirement for finding in dropped}
                results[at] = replace(
                    result,
                    findings=[finding for finding in result.findings if finding not in dropped],
                    inconclusive=tuple(sorted({*result.inconclusive, *doubtful})),
                )


def _sight(finding: Finding) -> Sight:
    return (finding.requirement, finding.breakdown, finding.expected if finding.at_end else "")


def _timed(result: CaseResult) -> set[Sight]:
    """What in it rests on time and wants a second look: not what is only told, and was seen on a calm machine."""
    return {
        _sight(finding)
        for finding in result.findings
        if finding.timed and not (finding.calm and finding.level is Level.INFO)
    }
