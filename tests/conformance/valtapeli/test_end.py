"""VA-6: what a bot does when its match is over, and what is told of it once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.reconcile import reconcile
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import GamePack

Check = Callable[..., CaseResult]
ENDS = ("va-6/the-end-as-the-starter", "va-6/the-end-as-the-second")
PUBLIC = """
def hear(by=hear):
    line = sys.stdin.readline()
    row, column = map(int, line.split())
    taken.add(row * 16 + column - 17)
def play(number):
    if number == 1: move()
    while True:
        hear()
        move()
"""


def told(found: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.requirement, str(finding.level)) for finding in found]


@pytest.mark.parametrize("case", ENDS)
@pytest.mark.parametrize(
    ("fault", "actual"),
    [
        ("def end(): sys.exit(3)", "exit status 3"),
        ("def end(): os.abort()", "killed by signal 6"),
        (PUBLIC, "exit status 1"),
        ("def end(): say('17 17')", "17 17"),
    ],
)
def test_an_end_that_is_none_is_one_finding(check: Check, case: str, fault: str, actual: str) -> None:
    result = check(fault, case)
    assert told(result.findings) == [("VA-6", "SHOULD")]
    assert result.findings[0].actual == actual


def test_one_that_stays_is_told_after_what(check: Check) -> None:
    [found] = check("def end(): import signal; signal.pause()", ENDS[1]).findings
    assert (found.requirement, found.level, found.timed) == ("VA-6", Level.SHOULD, True)
    assert found.actual == "still running 2 s after the last line and the end of its input"


def test_how_it_ends_with_its_input_is_not_told_beside_that(check: Check, pack: GamePack) -> None:
    results = [check(PUBLIC, case) for case in ("basic/starts", ENDS[0])]
    assert told(results[0].findings) == [("IO-10", "INFO")]
    assert told(reconcile(results, pack)) == [("VA-6", "SHOULD")]
    # Alone it is told.
    assert told(reconcile(results[:1], pack)) == [("IO-10", "INFO")]


def test_a_last_move_that_never_comes_is_about_the_end(check: Check, pack: GamePack) -> None:
    early = "def fault():\n    if made == 127: sys.exit()\n"
    broken = [check(early, case) for case in ENDS]
    assert {finding.requirement for result in broken for finding in result.findings} == {"IO-1"}
    good = [check("", case) for case in ("basic/plays-on", "basic/answers")]
    assert told(reconcile([*broken, *good], pack)) == [("VA-6", "SHOULD")]


def test_work_on_a_move_that_is_still_due_is_no_spinning(check: Check) -> None:
    works = "def fault(): burn(0.6)\n"
    assert check(works, "va-1/name-as-the-starter").findings == []
    spins = "def hear(by=hear):\n    try: by()\n    finally:\n        if made == 1: burn(0.6)\n"
    assert told(check(spins, "io-10/eof-after-a-turn").findings) == [("IO-10", "SHOULD")]
