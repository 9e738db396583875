"""Which condition is named, from runs that are made up."""

from __future__ import annotations

import pytest
from pdcheck.conformance.repeats.conditions import CONDITIONS, HELD, VARIED
from pdcheck.conformance.repeats.talk import Talk
from pdcheck.conformance.repeats.telling import Account
from pdcheck.conformance.repeats.verdict import ENOUGH, Repeated, Run, alone, cause_of
from pdcheck.scenarios.pack import Said

NAME = "name"


def match(*runs: str) -> Repeated:
    """A match of runs written "condition move …"; a move "!" stops the bot."""
    made = Repeated("repeat-1", NAME)
    for at, run in enumerate(runs):
        condition, *moves = run.split()
        said = tuple(Said(0, "move", what) for what in moves if what != "!")
        made.runs.append(Run(f"case-{at}", condition, Talk(0, said, "!" in moves)))
    return made


def named(*runs: str) -> str | None:
    cause = cause_of(match(*runs))
    return cause.name if cause else None


def test_equal_runs_have_no_cause() -> None:
    assert named("plain a b", "again a b", "clock a b", "together a b") is None


@pytest.mark.parametrize("condition", [row.name for row in VARIED])
def test_what_one_change_does_alone_is_put_down_to_it(condition: str) -> None:
    others = [f"{row.name} {'x' if row.name == condition else 'a'}" for row in VARIED]
    assert named("plain a", "again a", *others, "together x") == condition


def test_what_only_all_changes_do_is_put_down_to_them_together() -> None:
    singles = [f"{row.name} a" for row in VARIED]
    assert named("plain a", "again a", *singles, "together x") == "together"


def test_what_differs_unchanged_is_put_down_to_no_change() -> None:
    assert named("plain a", "again b", "clock c", "together d") == "again"


def test_of_several_changes_the_one_that_shows_most_often_is_named() -> None:
    runs = ["plain a", "late x", "late a", "load x", "load y", "folder a"]
    assert named(*runs) == "load"
    assert [row.name for row in alone(match(*runs))] == ["late", "load"]


@pytest.mark.parametrize("row", [row for row in HELD if row.counter], ids=lambda row: row.name)
def test_what_is_the_same_while_held_and_other_when_held_otherwise_is_the_cause(row: object) -> None:
    held, counter = row.name, row.counter  # type: ignore[attr-defined]
    wild = ["plain a", "again b", "again c"]
    same = [f"{held} h"] * ENOUGH
    assert named(*wild, *same, f"{counter} o", f"{counter} o") == held
    assert named(*wild, *same, f"{counter} h", f"{counter} h") == "again", "it was the same by luck"
    assert named(*wild, *same, f"{counter} o", f"{counter} p") == "again", "the other way is not the same"
    assert named(*wild, *same[1:], f"{counter} o", f"{counter} o") == "again", "too few"
    assert named(*wild, *same[1:], f"{held} i", f"{counter} o", f"{counter} o") == "again"


def test_what_cannot_be_held_otherwise_must_differ_in_between() -> None:
    held = "held-addresses"
    assert not CONDITIONS[held].counter
    wild = ["plain a", "again b"]
    assert named(*wild, f"{held} h", "again c", f"{held} h", "again d", f"{held} h") == held
    assert named(*wild, f"{held} h", "again c", f"{held} h", "again c", f"{held} h") == "again"


def test_runs_in_which_it_was_stopped_do_not_count() -> None:
    made = match("plain !", "again a", "again a", "clock b !", "folder a")
    assert made.first is made.runs[1]
    assert [run.condition for run in made.others] == ["again", "folder"]
    assert cause_of(made) is None


def test_with_one_run_there_is_nothing_to_compare() -> None:
    made = match("plain a", "again !")
    assert made.first is None
    assert made.others == []
    assert Account([made], {}).headline == "no match could be repeated to its end"


def test_what_always_differs_is_shown_unchanged() -> None:
    made = match("plain a b", "clock x b", "again a c")
    cause = cause_of(made)
    assert cause is not None
    assert made.show(cause).condition == "again"


def test_what_the_clock_seldom_changes_is_shown_under_another_date() -> None:
    held = ["held-clock h"] * ENOUGH + ["other-clock o"] * 2
    made = match("plain a b", "again a c", "again a b", "late x b", "clock x b", *held)
    cause = cause_of(made)
    assert cause is CONDITIONS["held-clock"]
    assert made.show(cause).condition == "clock"
    assert made.show(CONDITIONS["again"]).condition == "again"


def test_the_account_tells_each_condition_and_match() -> None:
    one = match("plain a b", "again a b", "again a b", "folder a c", "held-hash a b", "held-hash a b")
    two = match("plain a", "again !", "folder a", "other-hash a")
    account = Account([one, two], {"clock": "no compiler"})
    assert account.table() == [
        ("changed", "repeat-1 (seat 1)", "repeat-1 (seat 1)"),
        ("nothing", "same", "stopped"),
        ("another working folder", "differs at its move 2", "same"),
        ("PYTHONHASHSEED held", "same each time", ""),
    ]
    assert account.headline == "other moves in 1 of 4 repetitions of 2 matches"
    assert account.as_json()["untried"] == {"another date and time": "no compiler"}
