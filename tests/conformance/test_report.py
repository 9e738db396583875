"""The report: statuses, verdict and exit status out of results, and its form for scripts."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from pdcheck import schemas
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.checks import all_cases
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.kit import Plan
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.report import SHOWN_FINDINGS, Report, Row, compile_report
from pdcheck.conformance.reports import terminal
from pdcheck.referee.catalogue import Level

PACK = load_pack("prime-daihinmin")
BOT = Bot(("./bot", "-x"), ".", {}, "0" * 64)
PLAN = Plan(pack=PACK, bot=BOT, cases=(), rules="published", profile="quick")
WITH_CASES = replace(PLAN, cases=all_cases(PACK, "quick", 0))
MUST, SHOULD = "PD-3.1", "PD-5.3"


def finding(requirement: str = MUST, level: Level | None = None, **more: Any) -> Finding:
    wanted = level or PACK.catalogue()[requirement].level
    return Finding(requirement, wanted, f"{requirement} broken", "one thing", "another", case="x/1", **more)


def result(*covered: str, **more: Any) -> CaseResult:
    return CaseResult("x/1", covered=covered, **more)


def report(
    *findings: Finding,
    results: Sequence[CaseResult] = (),
    plan: Plan = PLAN,
    skipped: Mapping[str, str] | None = None,
    interrupted: bool = False,
) -> Report:
    made = compile_report(plan, results, findings, skipped or {}, 1.5, interrupted=interrupted)
    assert schemas.explain("report", json.loads(json.dumps(made.as_json()))) == []
    return made


def row(made: Report, requirement: str) -> Row:
    return next(row for row in made.rows if row.requirement.id == requirement)


def outcome(made: Report) -> tuple[str, int]:
    return made.verdict, made.exit_status


# --- rows ---------------------------------------------------------------------------------------------------


def test_every_requirement_but_the_referees_own_has_a_row() -> None:
    rows = [row.requirement.id for row in report().rows]
    assert rows == [entry.id for entry in PACK.catalogue() if entry.level is not Level.RULE]


@pytest.mark.parametrize(
    ("found", "status", "ends"),
    [
        (finding(MUST), "fail", ("fails", 1)),
        (finding(SHOULD), "warn", ("conforms", 0)),
        (finding(MUST, Level.INFO), "info", ("conforms", 0)),
        (finding(MUST, Level.SHOULD), "warn", ("conforms", 0)),
    ],
)
def test_a_finding_makes_the_status(found: Finding, status: str, ends: tuple[str, int]) -> None:
    made = report(found, results=[result(found.requirement)])
    assert row(made, found.requirement).status == status
    assert outcome(made) == ends


def test_the_gravest_finding_counts_and_is_first() -> None:
    made = report(finding(MUST, Level.INFO), finding(MUST), finding(MUST, Level.SHOULD))
    assert row(made, MUST).status == "fail"
    assert [f.level for f in row(made, MUST).findings] == [Level.MUST, Level.SHOULD, Level.INFO]


def test_what_was_covered_and_not_broken_passes() -> None:
    made = report(results=[result(MUST, SHOULD), result(MUST)])
    assert (row(made, MUST).status, row(made, MUST).cases) == ("pass", 2)
    assert (row(made, SHOULD).status, row(made, SHOULD).cases) == ("pass", 1)
    assert outcome(made) == ("conforms", 0)


def test_cases_are_never_fewer_than_the_times_it_was_seen() -> None:
    assert row(report(finding(times=7), results=[result(MUST)]), MUST).cases == 7


def test_a_row_shows_so_many_findings() -> None:
    many = [finding(breakdown=str(n)) for n in range(SHOWN_FINDINGS + 5)]
    assert len(row(report(*many), MUST).findings) == SHOWN_FINDINGS


def test_strict_makes_a_should_count_and_leaves_info_alone() -> None:
    strict = replace(PLAN, strict=True)
    assert outcome(report(finding(SHOULD), plan=strict)) == ("fails", 1)
    assert outcome(report(finding(SHOULD, Level.INFO), plan=strict)) == ("conforms", 0)


@pytest.mark.parametrize("requirement", [MUST, SHOULD])
def test_what_is_waived_is_told_with_its_reason_and_does_not_count(requirement: str) -> None:
    plan = replace(PLAN, strict=True, waived={requirement: "we know"})
    made = report(finding(requirement), plan=plan)
    assert (row(made, requirement).status, row(made, requirement).reason) == ("waived", "we know")
    assert row(made, requirement).findings
    assert outcome(made) == ("conforms", 0)
    other = MUST if requirement == SHOULD else SHOULD
    assert outcome(report(finding(requirement), finding(other), plan=plan)) == ("fails", 1)


def test_a_waiver_that_nothing_needs_changes_nothing() -> None:
    plan = replace(PLAN, waived={MUST: "we know"})
    assert row(report(results=[result(MUST)], plan=plan), MUST).status == "pass"
    info = report(finding(MUST, Level.INFO), plan=plan)
    assert row(info, MUST).status == "info"


# --- inconclusive, and what beats what ----------------------------------------------------------------------


def test_doubt_about_a_must_is_inconclusive_about_a_should_it_is_not() -> None:
    must = report(results=[result(MUST, inconclusive=(MUST,))])
    assert row(must, MUST).status == "inconclusive"
    assert row(must, MUST).reason
    assert outcome(must) == ("inconclusive", 4)
    should = report(results=[result(SHOULD, inconclusive=(SHOULD,))])
    assert row(should, SHOULD).status == "inconclusive"
    assert outcome(should) == ("conforms", 0)


def test_a_finding_settles_a_doubt() -> None:
    made = report(finding(MUST), results=[result(MUST, inconclusive=(MUST,))])
    assert row(made, MUST).status == "fail"


DOUBT = result("PD-5.1", inconclusive=("PD-5.1",))
TROUBLE = CaseResult("x/2", trouble="Traceback: oh")


@pytest.mark.parametrize(
    ("findings", "results", "interrupted", "ends"),
    [
        ([finding()], [TROUBLE, DOUBT], False, ("fails", 1)),
        ([finding()], [TROUBLE, DOUBT], True, ("fails", 1)),
        ([], [TROUBLE, DOUBT], False, ("error", 3)),
        ([], [TROUBLE], True, ("error", 130)),
        ([], [DOUBT], False, ("inconclusive", 4)),
        ([], [DOUBT], True, ("inconclusive", 130)),
        ([finding(SHOULD)], [], False, ("conforms", 0)),
        ([], [], True, ("inconclusive", 130)),
    ],
)
def test_a_proven_must_beats_the_kits_failure_beats_doubt(
    findings: list[Finding], results: list[CaseResult], interrupted: bool, ends: tuple[str, int]
) -> None:
    assert outcome(report(*findings, results=results, interrupted=interrupted)) == ends


def test_the_kits_failures_are_listed_with_their_cases() -> None:
    made = report(results=[TROUBLE])
    assert made.as_json()["kit_failures"] == [{"case": "x/2", "traceback": "Traceback: oh"}]


# --- not run ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "skipped", "reason"),
    [
        (PLAN, {}, "no case reached it"),
        (WITH_CASES, {"PD-3": "stopped after 3"}, "stopped after 3"),
        (WITH_CASES, {"PD-30": "another", "PD-2": "section"}, "no case reached it"),
        (WITH_CASES, {"*": "interrupted", "PD-3": "stopped"}, "interrupted"),
        (replace(PLAN, only=("JS",)), {}, "not selected"),
    ],
)
def test_why_something_was_not_run(plan: Plan, skipped: dict[str, str], reason: str) -> None:
    made = report(plan=plan, skipped=skipped)
    assert (row(made, MUST).status, row(made, MUST).reason) == ("not-run", reason)


def test_what_no_check_covers_says_so_whatever_else_happened() -> None:
    made = report(plan=replace(PLAN, only=("JS",)), skipped={"*": "interrupted"})
    for requirement, reason in PACK.not_covered.items():
        if PACK.catalogue()[requirement].level is not Level.RULE:
            assert row(made, requirement).reason == reason


# --- numbers and forms --------------------------------------------------------------------------------------


def test_timing() -> None:
    made = report(
        results=[
            result(MUST, turns=[n / 1000 for n in range(1, 101)], cpu=0.25, used_share=0.1),
            result(MUST, turns=[0.2], cpu=0.5, used_share=0.3),
        ]
    )
    assert made.timing == {
        "turns": 101,
        "wall_p50_ms": 51,
        "wall_p99_ms": 100,
        "wall_max_ms": 200,
        "wall_total_s": 5.25,
        "cpu_total_s": 0.75,
        "budget_used_share": 0.3,
    }


def test_where_nothing_was_answered_the_times_are_null() -> None:
    timing = report(results=[result(MUST)]).as_json()["timing"]
    assert timing.pop("turns") == 0
    assert set(timing.values()) == {None}


def test_the_json_has_every_finding_as_it_is() -> None:
    full = finding(sent="{}", cause="why", fix="how", scenario="s.yaml", replay="pdcheck replay", times=3)
    made = report(full, finding(SHOULD), results=[result(MUST)]).as_json()
    told = {entry["id"]: entry for entry in made["requirements"]}
    assert told[MUST]["findings"] == [full.as_json()]
    assert (made["verdict"], made["bot"]["command"]) == ("fails", ["./bot", "-x"])


def test_the_terminal_shows_what_is_not_met_and_the_verdict_last() -> None:
    made = report(
        finding(cause="[red]no markup[/] of theirs", times=3), results=[result("IO-1", turns=[0.1])]
    )
    stream = io.StringIO()
    terminal.write(made, stream)
    lines = stream.getvalue().splitlines()
    assert lines[0].split()[:4] == [MUST, "MUST", "fail", "3"]
    assert not any(line.startswith("IO-1 ") for line in lines), "what passes is not listed"
    assert any("[red]no markup[/] of theirs" in line for line in lines)
    assert lines[-2].startswith("./bot -x does not conform: ")
    assert "×3" in stream.getvalue()
    quiet, verbose = io.StringIO(), io.StringIO()
    terminal.write(made, quiet, quiet=True)
    assert quiet.getvalue().splitlines() == [lines[-2]]
    terminal.write(made, verbose, verbose=True)
    assert sum(line[:3] in ("IO-", "JS-", "PD-") for line in verbose.getvalue().splitlines()) > len(made.rows)
