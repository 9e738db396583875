"""A finding: one requirement seen broken in one case, in words its author can act on.

Law: data only. Findings that tell the same story in many cases are one finding with a count (`Finding.signature`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pdcheck.conformance.repeats.talk import Talk
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import Span
from pdcheck.scenarios.view import View

ORDER = (Level.MUST, Level.SHOULD, Level.INFO)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was sent, expected and received where a requirement broke."""

    requirement: str
    level: Level
    message: str
    expected: str
    actual: str
    sent: str = ""
    cause: str | None = None
    fix: str | None = None
    size: int = 0
    """Bytes of the message sent: of two sights of a fault, the one after the shorter message is shown."""
    case: str = ""
    scenario: str | None = None
    replay: str | None = None
    times: int = 1
    breakdown: str = ""
    """For a bot that died, hung or lost step: how (exit status and last stderr line, …); equal ones are one fault."""
    timed: bool = False
    """Whether it rests on how long something took: a loaded machine could be the reason."""
    ahead: bool = False
    """Whether more lines of it came than were due: what it was put out for may be the answer to something else."""
    at_end: bool = False
    """Whether it is about how the bot ended: it got through what came before."""
    dedicated: bool = False
    """Whether the case it was seen in is about this requirement."""
    calm: bool = False
    """Of one that rests on time: whether the machine was calm, so that it counts without being seen again."""
    general: str = ""
    """Of a breakdown in a case about something else: the requirement that would be told without that case."""
    runs: int = 0
    """Runs of the case it is shown in, when it did not show in every one: it is flaky. 0: it always shows."""
    failed: int = 0
    """Of a flaky one: in how many of these runs it showed."""
    shrunk: str | None = None
    """From what to what the case was made smaller, in words, where it was."""
    views: tuple[View, ...] = ()
    """What happened, step by step; several where they are to be compared."""

    examined: bool = False
    """Whether second looks were taken at it."""
    language: str = ""
    """The language that the bot seems to be written in (a row of `idioms.toml`); "" when nothing tells."""

    @property
    def broke_down(self) -> bool:
        """Whether the bot did not get through the case for it: it died, fell silent, lost step, took all its time."""
        return bool(self.breakdown or self.timed) and self.level is Level.MUST and not self.at_end

    @property
    def signature(self) -> tuple[str, ...]:
        """Equal for findings that tell the same story."""
        return (self.requirement, self.breakdown)

    def as_json(self) -> dict[str, Any]:
        """The finding as `schemas/report.json` has it."""
        return {
            "level": str(self.level),
            "message": self.message,
            "expected": self.expected,
            "actual": self.actual,
            "sent": self.sent or None,
            "cause": self.cause,
            "fix": self.fix,
            "case": self.case,
            "times": self.times,
            "flaky": {"runs": self.runs, "failed": self.failed} if self.runs else None,
            "shrunk": self.shrunk,
            "scenario": self.scenario,
            "replay": self.replay,
            **({"views": list(self.views)} if self.views else {}),
        }


@dataclass(slots=True)
class CaseResult:
    """What came of one case. `trouble` is set when the kit itself failed in it."""

    case: str
    findings: list[Finding] = field(default_factory=list)
    covered: tuple[str, ...] = ()
    trouble: str = ""
    inconclusive: tuple[str, ...] = ()
    """Requirements that seemed broken by time, and were not when the case ran once more alone."""
    no_start: bool = False
    """Whether the trouble is that the bot could not be started."""
    turns: list[float] = field(default_factory=list)
    """Seconds charged for each answer."""
    cpu: float = 0.0
    used_share: float = 0.0
    """Budget used in a whole match; 0 elsewhere."""
    seconds: float = 0.0
    needs: Mapping[str, str] = field(default_factory=dict)
    """Environment variables that the bot does not work without: the rest of the run goes on with them (IO-12)."""
    start_up: float = 0.0
    """Seconds from its start to its first answer; 0 where there was none."""
    slow_end: bool = False
    """Whether the bot did not go by itself when it was told to."""
    features: Mapping[str, Span] = field(default_factory=dict)
    """What the bot was given, up to where it broke down (see `causes`)."""
    transcript: str = ""
    """The transcript as JSON, when there is a finding above INFO, or when it is compared with others."""
    talk: Talk | None = None
    """What was played, where runs are compared (`repeats`)."""
