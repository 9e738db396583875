"""When a run stops waiting and asking, and that the order of the cases alone says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pdcheck.conformance import checks
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.stopping import EQUAL_FAILURES, LAG, Stopping
from pdcheck.referee.catalogue import Level

CASE = next(case for case in checks.all_cases(load_pack("valtapeli"), "quick", 0) if case.section == "VA-10")
HANG = Finding("VA-10", Level.MUST, "it hangs", "a line", "none", timed=True, breakdown="hang")
LATE = Finding("VA-7", Level.MUST, "out of time", "30 s", "31 s", timed=True)
TAKEN = Finding("VA-5", Level.MUST, "taken", "a free cell", "8 8")


def play(stopping: Stopping, *sections: tuple[str, Sequence[Finding]], start: int = 0) -> list[str]:
    """Why the section of each case stopped, case by case."""
    return [
        stopping.count(number, replace(CASE, section=section), CaseResult("case", findings=list(found)))
        for number, (section, found) in enumerate(sections, start)
    ]


def test_a_section_stops_after_equal_failures() -> None:
    told = play(Stopping(), *[("VA-5", [TAKEN])] * 3, *[("VA-4", [TAKEN])] * 3)
    assert [bool(why) for why in told] == [False, False, True] * 2
    assert told[2] == told[5] == "stopped after 3 equal failures: taken"


@pytest.mark.parametrize("found", [HANG, LATE], ids=["hangs", "out-of-time"])
def test_what_was_waited_for_in_vain_stops_the_later_sections_at_once(found: Finding) -> None:
    elsewhere = replace(found, requirement="IO-8") if found.breakdown else found
    told = play(Stopping(), *[("VA-10", [found])] * 3, ("IO-8", []), ("IO-8", [elsewhere]), ("VA-5", [found]))
    assert [bool(why) for why in told] == [False, False, True, False, True, True]
    assert told[4].startswith("stopped at once, after 3 such failures before: ")
    assert told[5].startswith("stopped at once, after 4 such failures before: ")


@pytest.mark.parametrize(
    "found",
    [
        TAKEN,
        replace(HANG, level=Level.SHOULD),
        replace(LATE, at_end=True),
        replace(HANG, breakdown="died -9 Killed"),
        replace(HANG, timed=False, breakdown="silent: move"),
    ],
    ids=["breaks-a-rule", "should", "at-its-end", "killed", "reads-and-was-given-up"],
)
def test_what_costs_no_waiting_or_is_no_breakdown_does_not(found: Finding) -> None:
    stopping = Stopping()
    play(stopping, *[("VA-10", [found])] * 5)
    assert play(stopping, ("VA-5", [found])) == [""]
    assert not stopping.brief(100)


def test_two_hangs_in_one_case_are_one_case() -> None:
    stopping = Stopping()
    play(stopping, ("VA-10", [HANG, replace(HANG, requirement="IO-3")]), ("VA-10", [HANG]))
    assert not stopping.brief(100)


def test_a_case_knows_only_what_came_so_many_cases_before_it() -> None:
    stopping = Stopping()
    play(stopping, *[(f"section-{at}", [HANG]) for at in range(EQUAL_FAILURES)])
    last = EQUAL_FAILURES - 1
    assert stopping.hangs, "what comes after all cases need not ask for their order"
    assert not stopping.brief(last + LAG - 1)
    assert stopping.brief(last + LAG)
    for number in range(EQUAL_FAILURES):
        stopping.count(number, CASE, CaseResult("case", slow_end=True))
    assert stopping.slow
    assert not stopping.hurry(last + LAG - 1)
    assert stopping.hurry(last + LAG)


def test_different_faults_are_not_added_up() -> None:
    stopping = Stopping()
    play(stopping, *[("a", [HANG]), ("b", [LATE])] * 2)
    assert not stopping.brief(100)
    assert not stopping.hangs
