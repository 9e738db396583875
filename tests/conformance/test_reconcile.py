"""From the findings of all cases to faults, each counted once and under the requirement at its root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pdcheck.conformance import causes
from pdcheck.conformance.again import Flaky, key_of
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.reconcile import reconcile
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import Span

PACK = load_pack("prime-daihinmin")
TABLE = (*causes.GENERAL, *PACK.feature_table, *causes.LAST)


def result_of(name: str, *findings: Finding, features: Mapping[str, float] | None = None) -> CaseResult:
    known = dict.fromkeys([feature.name for feature in TABLE], 0.0) | dict(features or {})
    return CaseResult(
        name,
        findings=[replace(finding, case=name) for finding in findings],
        covered=("IO-1",),
        turns=[0.01] * 3,
        features={key: Span(value, value) for key, value in known.items()},
    )


def death(requirement: str = "IO-1", **more: Any) -> Finding:
    made = Finding(
        requirement,
        Level.MUST,
        "it died",
        expected="a bot that runs",
        actual="the bot ended (exit status 1)",
        breakdown="died 1 ValueError",
    )
    return replace(made, **more)


def test_one_fault_counts_once_and_is_shown_after_the_shortest_message() -> None:
    results = [result_of("a", death(size=50)), result_of("b", death(size=9)), result_of("c", death(size=70))]
    (finding,) = reconcile(results, PACK)
    assert (finding.requirement, finding.times, finding.case) == ("IO-1", 3, "b")


def test_the_graver_level_is_kept() -> None:
    broken = Finding("PD-3.1", Level.MUST, "not held", "cards of the hand", "9", size=70)
    mild = replace(broken, level=Level.INFO, size=1)
    for order in ([broken, mild], [mild, broken]):
        (finding,) = reconcile([result_of(str(n), f) for n, f in enumerate(order)], PACK)
        assert (finding.level, finding.size) == (Level.MUST, broken.size)


def test_what_all_cases_of_a_breakdown_share_names_the_requirement() -> None:
    bad = [result_of(f"bad-{n}", death(), features={"error_entries": 1}) for n in range(3)]
    good = [result_of(f"good-{n}") for n in range(20)]
    (finding,) = reconcile([*bad, *good], PACK)
    assert (finding.requirement, finding.level, finding.times) == ("PD-2.13", Level.MUST, 3)
    assert finding.fix == PACK.catalogue()["PD-2.13"].fix
    assert (finding.cause or "").startswith("it happens where the record has an ERROR (3 cases)")


def test_a_habit_that_shows_in_ordinary_cases_is_none_of_what_others_are_about() -> None:
    habit = death("IO-5", breakdown="lost step IO-5")
    aimed = [
        result_of(f"{id_}-aimed", replace(habit, requirement=id_, dedicated=True)) for id_ in ("IO-7", "JS-2")
    ]
    (alone,) = reconcile(aimed[:1], PACK)
    assert alone.requirement == "IO-7"
    (finding,) = reconcile([*aimed, result_of("plain", habit)], PACK)
    assert (finding.requirement, finding.times) == ("IO-5", 3)


def test_without_a_shared_cause_it_stays_general_unless_all_cases_are_about_something() -> None:
    good = [result_of(f"good-{n}") for n in range(20)]
    aimed = [result_of(f"bad-{n}", death("JS-3", dedicated=True)) for n in range(3)]
    (finding,) = reconcile([*aimed, *good], PACK)
    assert finding.requirement == "JS-3"
    (finding,) = reconcile([*aimed, result_of("plain", death()), *good], PACK)
    assert (finding.requirement, finding.times) == ("IO-1", 4)


def test_the_kits_own_trouble_is_no_case_to_compare_with() -> None:
    trouble = CaseResult("t", trouble="Traceback", turns=[0.1] * 3)
    (finding,) = reconcile([result_of("bad", death(), features={"error_entries": 1}), trouble], PACK)
    assert finding.requirement == "IO-1"


def test_two_breakdowns_are_two_faults() -> None:
    other = death(breakdown="died 2 KeyError")
    found = reconcile([result_of("a", death()), result_of("b", other)], PACK)
    assert len(found) == 2


# --- flaky ones ---------------------------------------------------------------------------------------------


def test_a_flaky_breakdown_is_under_the_general_requirement_whatever_its_few_cases_share() -> None:
    accident = {"error_entries": 1}
    first = result_of("bad", death("PD-2.13", dedicated=True, general="IO-1"), features=accident)
    results = [first, *(result_of(f"good-{n}") for n in range(20))]
    (finding,) = reconcile(results, PACK)
    assert (finding.requirement, finding.runs) == ("PD-2.13", 0)
    rate = Flaky("bad", 20, 3)
    (finding,) = reconcile(results, PACK, {key_of(death()): rate})
    assert (finding.requirement, finding.level) == ("IO-1", Level.MUST)
    assert (finding.runs, finding.failed, finding.times) == (20, 3, 1)
    assert "in 3 of 20 runs of this case, and in 1 of 21 cases" in (finding.cause or "")
    assert finding.as_json()["flaky"] == {"runs": 20, "failed": 3}


def test_a_flaky_one_is_shown_in_the_case_that_was_tried_again() -> None:
    results = [result_of("a", death(general="IO-1", size=1)), result_of("b", death(general="IO-1", size=90))]
    (finding,) = reconcile(results, PACK, {key_of(death()): Flaky("b", 20, 1)})
    assert (finding.case, finding.times, finding.runs) == ("b", 2, 20)


def test_what_is_not_flaky_is_told_without_a_rate() -> None:
    broken = Finding("PD-3.1", Level.MUST, "not held", "cards of the hand", "9")
    results = [result_of("a", broken), result_of("b", death(general="IO-1"))]
    told = {f.requirement: f.runs for f in reconcile(results, PACK, {key_of(death()): Flaky("b", 9, 1)})}
    assert told == {"PD-3.1": 0, "IO-1": 9}
    assert broken.as_json()["flaky"] is None


# --- a game in which a bot may speak first, and goes by itself ----------------------------------------------

LINES = load_pack("valtapeli")


def test_a_hasty_bot_is_told_once_whatever_its_line_was_taken_for() -> None:
    hasty = Finding(LINES.hasty, Level.MUST, "it moves at once", "nothing", "1 1")
    taken = Finding("VA-5", Level.MUST, "the cell is taken", "a free cell", "1 1", ahead=True)
    surplus = death("IO-3", breakdown="lost step IO-3")
    for findings in ((hasty, taken, surplus), (taken, surplus, hasty)):
        told = reconcile([result_of(str(n), f) for n, f in enumerate(findings)], LINES)
        assert {finding.requirement for finding in told} == {LINES.hasty}
        assert not any(finding.runs for finding in told)
    told = reconcile([result_of("a", replace(taken, ahead=False)), result_of("b", hasty)], LINES)
    assert {finding.requirement for finding in told} == {LINES.hasty, "VA-5"}


def test_to_die_at_the_last_move_is_not_to_leave_before_it() -> None:
    good = [result_of(f"good-{n}") for n in range(100)]
    for breakdown, wanted in (
        ("died 1 IndexError", LINES.endures),
        ("died 0 ", LINES.end.requirement),
        ("silent: move", LINES.endures),
        ("hang", LINES.endures),
        ("silent: no LF", "IO-3"),
    ):
        broke = death(breakdown=breakdown, general="IO-3" if "LF" in breakdown else "")
        gone = [result_of(f"bad-{n}", broke, features={"last_due": 1}) for n in range(3)]
        (finding,) = reconcile([*gone, *good], LINES)
        assert finding.requirement == wanted, breakdown
