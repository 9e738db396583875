"""One fault a bot, one case a test: what is told is the root, and nothing beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.repeats import clock
from pdcheck.referee.catalogue import Level

Check = Callable[..., CaseResult]
AT_THE_SIXTH = "def fault():\n    if made == 5:\n        {}\n"

FAULTS = {
    "": ("", "", ""),
    "bad-name": ("def name(): say('My Bot!')", "VA-1", "shape VA-1"),
    "banner": ("def name(): say('== Bot =='); say('Tester')", "IO-2", "lost step IO-2"),
    "out-of-range": ("def answer(cell): say(f'{cell // 16} {cell % 16}')", "VA-4", "shape VA-4"),
    "taken": (AT_THE_SIXTH.format("taken.clear()"), "VA-5", ""),
    "text": (AT_THE_SIXTH.format("say('thinking')"), "IO-5", "lost step IO-5"),
    "blank": (AT_THE_SIXTH.format("say('')"), "IO-3", "lost step IO-3"),
    "prompt": (
        "def hear(by=hear):\n    print('> ', end='', flush=True)\n    by()\n",
        "IO-5",
        "shape IO-5",
    ),
    "no-line-end": ("def say(text): sys.stdout.write(text); sys.stdout.flush()", "IO-3", "silent: no LF"),
    "unflushed": ("def say(text): print(text)", "IO-4", "silent: unflushed"),
    "deaf": (AT_THE_SIXTH.format("sys.stdin.read(); sys.exit()"), "IO-3", "silent: move"),
    "on-stderr": (AT_THE_SIXTH.format("print('9 9', file=sys.stderr); hear()"), "IO-3", "silent: move"),
    "crash": (AT_THE_SIXTH.format("1 / 0"), "IO-1", "died 1 ZeroDivisionError"),
}


@pytest.mark.parametrize(("fault", "requirement", "breakdown"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_as_what_it_is(check: Check, fault: str, requirement: str, breakdown: str) -> None:
    result = check(fault, time=6.0)  # a guard of 12 s, for those that wait it out
    told = [f for f in result.findings if f.level is not Level.INFO]
    roots = [(f.general or f.requirement, f.breakdown) for f in told]
    assert roots == ([(requirement, breakdown)] if requirement else [])


@pytest.mark.parametrize("case", ["basic/starts", "basic/answers", "va-6/the-end-as-the-starter"])
def test_a_good_bot_writes_no_line_too_many_in_either_seat(check: Check, case: str) -> None:
    result = check("", case)
    assert (result.findings, result.inconclusive) == ([], ())
    assert {"IO-3", "VA-1", "VA-4"} <= set(result.covered)
    assert "" not in result.covered
    assert "JS-1" not in result.covered


def test_a_line_written_twice_is_told_so_even_when_it_is_taken_for_the_next_answer(check: Check) -> None:
    # The second copy comes once the next message is there: it is read as a move, to a cell that is taken.
    late = "import select\ndef answer(cell, by=answer): by(cell); select.select([0], [], []); by(cell)\n"
    [found] = check(late, "basic/plays-on").findings
    assert (found.general, found.breakdown) == ("IO-3", "lost step IO-3")
    # One that never marks its own cells makes the same move again, and is in step.
    blind = "def move():\n    fault()\n    answer(next(cell for cell in range(256) if cell not in taken))\n"
    [found] = check(blind, "basic/plays-on").findings
    assert (found.requirement, found.breakdown) == ("VA-5", "")


KEEPS = "import select\ndef hear(by=hear): select.select([sys.stdin], [], []); by()\n"
WAITS = "def play(number):\n    hear()\n    move()\n"


@pytest.mark.parametrize(
    ("fault", "case", "requirement", "breakdown"),
    [
        (KEEPS, "io-8/number-and-move-together", "IO-8", "silent: kept"),
        (WAITS, "basic/starts", "VA-3", "silent: opening"),
    ],
    ids=["keeps-the-second-line", "waits-as-the-starter"],
)
def test_a_message_that_is_due_two_answers_is_not_one_that_came_with_another(
    check: Check, fault: str, case: str, requirement: str, breakdown: str
) -> None:
    [found] = check(fault, case, time=0.3).findings
    assert (found.requirement, found.breakdown) == (requirement, breakdown)


def test_what_was_on_stderr_instead_is_quoted(check: Check) -> None:
    [found] = check(FAULTS["on-stderr"][0]).findings
    assert "its stderr has what looks like the answer: 9 9" in (found.cause or "")


LISTENED = "va-3/waits-for-the-first-move"
FIRST = "def fault():\n    if made == 0:\n        {}\n"


@pytest.mark.parametrize(
    ("fault", "requirement", "breakdown"),
    [
        ("", "", ""),
        (FIRST.format("say('')"), "IO-3", "lost step IO-3"),
        (FIRST.format("time.sleep(1000)"), "IO-3", "hang"),
    ],
    ids=["none", "blank", "sleeps"],
)
def test_that_a_bot_was_listened_to_before_is_no_sign_of_anything(
    check: Check, cases: dict[str, Case], fault: str, requirement: str, breakdown: str
) -> None:
    """It waits for the first move, as it has to; what it does then is another matter."""
    # As short as a guard can be where it is waited out, else one that no busy machine meets.
    time = 0.5 if breakdown == "hang" else 30.0
    told = [f for f in check(fault, LISTENED, time=time).findings if f.level is not Level.INFO]
    assert [(f.general or f.requirement, f.breakdown) for f in told] == (
        [(requirement, breakdown)] if requirement else []
    )


def test_what_breaks_down_under_another_clock_is_not_the_bots(
    check: Check, cases: dict[str, Case], needs: Callable[[str], str], tmp_path: Path
) -> None:
    """Programs made with a sanitizer do not start behind another library."""
    needs("gcc")
    (tmp_path / "scratch").mkdir()
    assert clock.prepare(str(tmp_path / "scratch")) == {}
    case = next(case for case in cases.values() if case.setting.clock)
    result = check("if 'LD_PRELOAD' in os.environ: sys.exit(1)", case.id)
    assert result.findings == []
    assert check("if 'LD_PRELOAD' in os.environ: print(); sys.exit(1)", "basic/starts").findings == []
