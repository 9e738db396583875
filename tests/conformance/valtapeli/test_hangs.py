"""A bot that hangs in the same way in every section: it is waited for a few times, and the report says why no more."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.report import Report
from pdcheck.referee.clock import Guard
from pdcheck.referee.valtapeli import flow
from pdcheck.scenarios.pack import GamePack

Make = Callable[[str], Path]
Check = Callable[..., CaseResult]
SECTIONS = ("VA-10", "generated")
SLEEPS = "def fault():\n    if number == 2 and made == 1: time.sleep(3600)\n"
AT_THE_SECOND = "def fault():\n    if made == 1: time.sleep(3600)\n"
TURN, BRIEF = 2.0, 0.6


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guards that can be waited out in a test; the match's time is the game's."""
    monkeypatch.setattr(flow, "GUARD", Guard(TURN, 100.0, "IO-3", BRIEF))
    monkeypatch.setattr(flow, "SHORTEST_GUARD", BRIEF)


def run(pack: GamePack, bot: Path, jobs: int) -> Report:
    cases = [case for case in checks.all_cases(pack, "quick", 0) if case.section in (checks.BASIC, *SECTIONS)]
    plan = kit.Plan(pack, read_bot([str(bot)]), cases, pack.default_rules, "quick", jobs=jobs)
    return kit.check(plan)


def shown(report: Report) -> object:
    """What must not depend on the number of jobs."""
    rows = [row.as_json() for row in report.rows]
    for row in rows:
        for finding in row["findings"]:
            finding["actual"] = re.sub(r"\d+\.\d+ s", "N s", finding["actual"])
            finding["message"] = re.sub(r"\d+\.\d+ s", "N s", finding["message"])
            finding["cause"] = ""
            finding["replay"] = finding["scenario"] = None
    skipped = {section: re.sub(r"\d+\.\d+ s", "N s", why) for section, why in report.skipped.items()}
    return (
        report.cases,
        report.verdict,
        skipped,
        [(row["id"], row["status"], row["findings"]) for row in rows],
    )


@pytest.mark.full
@pytest.mark.usefixtures("_short")
def test_a_hang_in_every_section_is_waited_for_a_few_times(pack: GamePack, make: Make) -> None:
    reports = [run(pack, make(SLEEPS), jobs) for jobs in (1, 2)]
    one, two = map(shown, reports)
    assert one == two
    for report in reports:
        assert report.troubles == []
        assert report.verdict == "fails"
        assert list(report.skipped) == list(SECTIONS)
        for why in report.skipped.values():
            assert why.startswith("stopped at once, after "), why
        waited = [float(told) for told in re.findall(r"no line, (\d+\.\d) s waited", str(report.skipped))]
        assert waited[0] >= TURN > waited[1], "the last one was given up early"


@pytest.mark.usefixtures("_short")
def test_one_that_is_known_to_hang_is_given_up_early_and_the_rule_stays_the_same(
    check: Check, cases: dict[str, Case]
) -> None:
    name = "va-5/its-first-cell-is-taken"
    patient, brief = (check(AT_THE_SECOND, replace(cases[name], brief=known)) for known in (False, True))
    [one], [two] = patient.findings, brief.findings
    assert (one.requirement, one.breakdown, one.expected) == (two.requirement, two.breakdown, two.expected)
    assert "given up early" not in one.actual
    assert two.actual.endswith("it was given up early, for it had hung before")


@pytest.mark.usefixtures("_short")
def test_one_that_computes_for_so_long_is_not_given_up_though_it_is_known_to_hang(
    check: Check, cases: dict[str, Case]
) -> None:
    works = f"def fault():\n    if made == 1: burn({2 * BRIEF})\n"
    assert check(works, replace(cases["va-5/its-first-cell-is-taken"], brief=True)).findings == []
