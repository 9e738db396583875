"""What a run has learnt of a bot, and no longer waits for or asks.

Law: pure, and the same whatever the number of jobs: results count in the order of their cases, and a case knows only
of what came `LAG` cases before it. A section stops after `EQUAL_FAILURES` equal failures. What the bot was waited for
in vain as often over the whole run costs its time each time: from then on a section stops at the first of it, and a
bot that hangs is given up as soon as its game allows. No more is its end waited for once it was slow so often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from pdcheck.conformance.again import Key, key_of
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.referee.catalogue import Level

EQUAL_FAILURES = 3
LAG = 16
"""A case knows of what came only so many cases before it: the same ones whatever the number of jobs."""


@dataclass
class Stopping:
    """Takes the results of a run, one after the other; `number` is a case's place in the order they are played in."""

    slow_ends: list[int] = field(default_factory=list)
    """Which cases the bot left slowly."""
    waits: dict[Key, list[int]] = field(default_factory=dict)
    """Fault → in which cases the bot was waited for in vain by it."""
    failures: dict[str, Counter[tuple[str, ...]]] = field(default_factory=dict)
    """Section → how often each failure was seen in it."""

    @property
    def slow(self) -> bool:
        """Whether the bot is known to leave slowly."""
        return len(self.slow_ends) >= EQUAL_FAILURES

    @property
    def hangs(self) -> bool:
        """Whether the bot is known to hang, or to use all its time, by the end of the run."""
        return any(len(cases) >= EQUAL_FAILURES for cases in self.waits.values())

    def hurry(self, number: int) -> bool:
        """Whether this case does not wait for the bot's end."""
        return _often(self.slow_ends, number)

    def brief(self, number: int) -> bool:
        """Whether a hang is given up early in this case."""
        return any(_often(cases, number) for cases in self.waits.values())

    def count(self, number: int, case: Case, result: CaseResult) -> str:
        """Take a result; why its section stops with it, "" when it goes on."""
        if result.slow_end:
            self.slow_ends.append(number)
        tally = self.failures.setdefault(case.section, Counter())
        why = ""
        for finding in result.findings:
            if finding.level is Level.MUST:
                tally[finding.signature] += 1
                before = len(self.waits.get(key_of(finding), ())) if _waited_for(finding) else 0
                if before >= EQUAL_FAILURES:
                    why = why or f"stopped at once, after {before} such failures before: {finding.message}"
                elif tally[finding.signature] == EQUAL_FAILURES:
                    why = why or f"stopped after {EQUAL_FAILURES} equal failures: {finding.message}"
        for key in {key_of(finding) for finding in result.findings if _waited_for(finding)}:
            self.waits.setdefault(key, []).append(number)
        return why


def _often(cases: Iterable[int], number: int) -> bool:
    return sum(case <= number - LAG for case in cases) >= EQUAL_FAILURES


def _waited_for(finding: Finding) -> bool:
    """Whether all the time that there is went by before it was found."""
    return finding.timed and finding.broke_down and not finding.breakdown.startswith("died")
