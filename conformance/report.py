"""The report: what a run found, requirement by requirement, as the contract for scripts has it.

Law: one value, from which every writer (terminal, JSON, …) works; nothing is computed in a writer. A proven MUST
failure is exit status 1 whatever else happened; else the kit's own failure (3); else what could not be decided (4).
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pdcheck.conformance.calibration import calibrated
from pdcheck.conformance.checks import BASIC
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.machine import machine
from pdcheck.conformance.version import __version__
from pdcheck.conformance.watch import NO_PATHS, paths_readable
from pdcheck.referee.catalogue import Level, Requirement
from pdcheck.scenarios.view import View

if TYPE_CHECKING:
    from pdcheck.conformance.baseline import Comparison
    from pdcheck.conformance.case import Case
    from pdcheck.conformance.kit import Plan
    from pdcheck.conformance.repeats.telling import Account

SCHEMA = 1
EXIT = {"conforms": 0, "fails": 1, "error": 3, "inconclusive": 4}
INTERRUPTED = 130
MEASURED = ("wall_p50_ms", "wall_p99_ms", "wall_max_ms", "wall_total_s", "cpu_total_s", "budget_used_share")
"""What `timing` tells of the answers; null where there was none."""
DOUBTFUL = "it seemed broken once and not when tried again alone: the machine may have stalled"
DOUBTFUL_ONCE = "it seems broken, by time: the machine may have stalled, and a transcript is not tried again"
SHOWN_FINDINGS = 10
"""Findings kept for one requirement."""


@dataclass(slots=True)
class Row:
    """One requirement: `status` is pass, fail, warn, info, inconclusive, waived or not-run."""

    requirement: Requirement
    status: str
    cases: int = 0
    reason: str | None = None
    findings: list[Finding] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The row as `schemas/report.json` has it."""
        return {
            "id": self.requirement.id,
            "title": self.requirement.title,
            "level": str(self.requirement.level),
            "status": self.status,
            "reason": self.reason,
            "cases": self.cases,
            "findings": [finding.as_json() for finding in self.findings],
        }


@dataclass(slots=True)
class Report:
    """A whole run. `troubles`: tracebacks of the kit's own failures, with their cases."""

    plan: Plan
    rows: list[Row]
    verdict: str
    elapsed: float
    timing: Mapping[str, float | None]
    cases: int
    transcripts: Mapping[str, str]
    troubles: list[tuple[str, str]]
    skipped: Mapping[str, str]
    interrupted: bool = False
    tried: frozenset[str] = frozenset()
    """The cases that were run to their end."""
    baseline: Comparison | None = None
    """How it compares with a baseline, where one was given."""
    bug_report: str = ""
    """Where the report of the kit's own failures is, or why there is none, in words; "" without one."""
    shrunk: Mapping[tuple[str, ...], tuple[Case, str]] = field(default_factory=dict)
    """By the signature of a finding: the simplest case that gives it, where one was found, and its transcript."""

    needs: Mapping[str, str] = field(default_factory=dict)
    """Environment variables with which all cases but the first were run: the bot does not work without (IO-12)."""
    first: str = ""
    """The case that was run first, and so without them."""
    repeats: Account | None = None
    """What came of playing matches again, where the game asks for that."""
    views: list[View] = field(default_factory=list)
    """The match that the whole report is about, step by step."""
    gate: Mapping[str, Any] = field(default_factory=dict)
    """What the gate tells of a submission, as `schemas/report.json` has it; empty for a run without it."""

    def needed(self, finding: Finding) -> list[str]:
        """NAME=VALUE of the variables without which a finding would not show again; in the first case it is that they
        lack."""
        if finding.case == self.first:
            return []
        return [f"{name}={value}" for name, value in self.needs.items()]

    @property
    def doubt(self) -> str:
        """Why the verdict is `inconclusive`, and what may help, in words."""
        if self.interrupted:
            return "it was interrupted before its end"
        if not self._whole:
            return f"no case was run ({self.skipped.get('*') or next(iter(self.skipped.values()), 'none was left')})"
        if not self.plan.profile:
            return "this transcript does not tell the bot's doing from the machine's; only another run can"
        return "run it again on a calmer machine"

    def settle(self) -> None:
        """The verdict, from what the rows say now and how the baseline compares."""
        self.verdict = _verdict(self.rows, bool(self.troubles), whole=self._whole)
        if self.baseline and self.baseline.fails:
            self.verdict = "fails"

    @property
    def _whole(self) -> bool:
        return bool(self.cases or not self.plan.cases) and not self.interrupted

    @property
    def exit_status(self) -> int:
        """The command's exit status."""
        if self.interrupted and self.verdict != "fails":
            return INTERRUPTED
        return EXIT[self.verdict]

    def as_json(self) -> dict[str, Any]:
        """The report as the contract has it."""
        plan = self.plan
        return {
            "schema": SCHEMA,
            "pdcheck": __version__,
            "suite": plan.pack.suite,
            "game": plan.pack.name,
            "game_title": plan.pack.title,
            "rules": plan.rules,
            "profile": plan.profile or None,
            "seed": plan.seed if plan.profile else None,
            "bot": {"command": list(plan.bot.command), "sha256": plan.bot.sha256},
            "verdict": self.verdict,
            "doubt": self.doubt if self.verdict == "inconclusive" else None,
            "interrupted": self.interrupted,
            "elapsed_s": round(self.elapsed, 3),
            "cases": self.cases,
            "requirements": [row.as_json() for row in self.rows],
            "timing": dict(self.timing),
            "machine": self._machine(),
            "repeats": self.repeats.as_json() if self.repeats else None,
            "kit_failures": [{"case": case, "traceback": text} for case, text in self.troubles],
            "baseline": self.baseline.as_json() if self.baseline else None,
            **({"views": self.views} if self.views else {}),
            **({"gate": dict(self.gate)} if self.gate else {}),
        }

    def _machine(self) -> dict[str, Any]:
        plan = self.plan
        told = machine(plan.sandbox) | calibrated(plan.pack.reference, plan.cpu_factor)
        return told | ({"limits": dict(plan.enclosure.limits)} if plan.enclosure.limits else {})


def compile_report(
    plan: Plan,
    results: Sequence[CaseResult],
    findings: Sequence[Finding],
    skipped: Mapping[str, str],
    elapsed: float,
    *,
    interrupted: bool = False,
) -> Report:
    """Put the results of a run together."""
    troubles = [(result.case, result.trouble) for result in results if result.trouble]
    rows = [
        _row(requirement, plan, results, findings, skipped)
        for requirement in plan.pack.catalogue()
        if requirement.level is not Level.RULE
    ]
    transcripts = {result.case: result.transcript for result in results if result.transcript}
    report = Report(
        plan,
        rows,
        "inconclusive",
        elapsed,
        _timing(results),
        len(results),
        transcripts,
        troubles,
        skipped,
        interrupted,
        frozenset(result.case for result in results if not result.trouble),
    )
    if results and any(case.id == results[0].case and case.section == BASIC for case in plan.cases):
        report.needs, report.first = results[0].needs, results[0].case
    report.settle()
    return report


def _row(
    requirement: Requirement,
    plan: Plan,
    results: Sequence[CaseResult],
    findings: Sequence[Finding],
    skipped: Mapping[str, str],
) -> Row:
    mine = [finding for finding in findings if finding.requirement == requirement.id]
    mine.sort(key=lambda finding: (-_WEIGHT[finding.level], finding.case))
    cases = sum(requirement.id in result.covered for result in results)
    doubtful = any(requirement.id in result.inconclusive for result in results)
    row = Row(requirement, "pass", max(cases, sum(f.times for f in mine)), findings=mine[:SHOWN_FINDINGS])
    if mine:
        worst = mine[0].level
        row.status = {Level.MUST: "fail", Level.SHOULD: "warn"}.get(worst, "info")
        if row.status == "warn" and plan.strict:
            row.status = "fail"
        if requirement.id in plan.waived and row.status in ("fail", "warn"):
            row.status, row.reason = "waived", plan.waived[requirement.id]
    elif doubtful:
        row.status = "inconclusive"
        row.reason = DOUBTFUL if plan.profile else DOUBTFUL_ONCE
    elif not cases:
        row.status, row.reason = "not-run", _why_not(requirement, plan, skipped)
    return row


def _why_not(requirement: Requirement, plan: Plan, skipped: Mapping[str, str]) -> str:
    known = plan.pack.not_covered.get(requirement.id)
    if known:
        return known
    if "*" in skipped:
        return skipped["*"]
    if plan.sandbox == "none" and plan.pack.conduct and requirement.id in plan.pack.conduct:
        return "--sandbox none: the bot is not watched"
    if plan.pack.conduct and requirement.id == plan.pack.conduct.files and not paths_readable():
        return NO_PATHS
    if plan.only:
        return "not selected"
    sections = {case.section for case in plan.cases if case.requirement == requirement.id}
    return next((why for name, why in skipped.items() if name in sections), "no case reached it")


_WEIGHT = {Level.MUST: 3, Level.SHOULD: 2, Level.INFO: 1, Level.RULE: 0}


def _verdict(rows: Sequence[Row], troubled: bool, *, whole: bool) -> str:
    if any(row.status == "fail" for row in rows):
        return "fails"
    if troubled:
        return "error"
    doubtful = any(row.status == "inconclusive" and row.requirement.level is Level.MUST for row in rows)
    return "conforms" if whole and not doubtful else "inconclusive"


def _timing(results: Sequence[CaseResult]) -> dict[str, float | None]:
    turns = sorted(cost * 1000 for result in results for cost in result.turns)
    if not turns:
        return {"turns": 0} | dict.fromkeys(MEASURED)
    return {
        "turns": len(turns),
        "wall_p50_ms": round(statistics.median(turns), 3),
        "wall_p99_ms": round(turns[min(len(turns) - 1, int(len(turns) * 0.99))], 3),
        "wall_max_ms": round(turns[-1], 3),
        "wall_total_s": round(sum(turns) / 1000, 3),
        "cpu_total_s": round(sum(result.cpu for result in results), 3),
        "budget_used_share": round(max(result.used_share for result in results), 4),
    }
