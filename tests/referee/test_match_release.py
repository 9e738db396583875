"""The sans-I/O match: lines that may come early, seats that may end, and waiting that has a bound."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from pdcheck.referee.clock import Guard, Stamp
from pdcheck.referee.game import Answer, Ask, Await, Course, Lapse, Release, Tell, Together
from pdcheck.referee.match import Deadline, Expect, Heard, Match, Send
from pdcheck.referee.violations import Ruling

GUARD = Guard(60.0, 100.0, "TOY-6")


def opening(toy: Any) -> Course:
    """Both seats say who they are; seat 0 then moves without being asked, and perhaps ahead of the other's word."""
    asks = (Ask(0, b"1\n", "name", ahead=True), Ask(1, b"2\n", "name"))
    toy.outcomes.extend((yield Together(asks)))
    toy.outcomes.append((yield Await(0, "opening")))
    toy.outcomes.append((yield Ask(0, b"q\n", "move")))
    yield toy.over


@pytest.mark.parametrize(
    "pieces", [[b"me\ne4\n"], [b"me\n", b"e4\n"], [b"me\ne", b"4\n"], [b"m", b"e\ne", b"4\n"]]
)
@pytest.mark.parametrize("other_first", [False, True])
def test_the_next_line_may_come_early(toys: ModuleType, pieces: list[bytes], other_first: bool) -> None:
    toy = toys.Toy(opening, seats=2)
    match = Match(toy)
    match.begin()
    if other_first:
        match.received(1, b"you\n", Stamp(0.0))
    for piece in pieces:
        match.received(0, piece, Stamp(1.0))
    if not other_first:
        match.received(1, b"you\n", Stamp(2.0))
    assert toy.outcomes == [Answer(b"me"), Answer(b"you"), Answer(b"e4")]
    assert match.awaited(0) == "move"


def test_an_early_line_costs_what_it_cost_when_it_came(toys: ModuleType) -> None:
    match = Match(toys.Toy(opening, seats=2, by_cpu=True))
    match.begin()
    match.sent(0, Stamp(0.0, 0.0))
    match.received(0, b"me\n", Stamp(1.0, 0.25))
    match.received(0, b"e4\n", Stamp(2.0, 0.75))
    events = match.received(1, b"you\n", Stamp(9.0, 0.0))
    assert Heard(0, "opening", b"e4", 0.5) in events
    assert match.budget(0).spent == 0.75


def test_one_line_may_come_early_and_no_more(toys: ModuleType) -> None:
    toy = toys.Toy(opening, seats=2)
    match = Match(toy)
    match.begin()
    match.received(0, b"me\ne4\nd4\n", Stamp(1.0))
    match.received(1, b"you\n", Stamp(2.0))
    assert [type(outcome) for outcome in toy.outcomes] == [Answer, Answer, Lapse]
    assert toy.lapse == "IO-5"


def test_an_early_line_counts_though_the_output_has_ended_since(toys: ModuleType) -> None:
    toy = toys.Toy(opening, seats=2)
    match = Match(toy)
    match.begin()
    match.received(0, b"me\ne4\n", Stamp(1.0))
    assert match.received(0, b"", Stamp(1.5)) == []
    match.received(1, b"you\n", Stamp(2.0))
    assert toy.outcomes[2] == Answer(b"e4")
    assert toy.lapse == "IO-1"


def test_what_may_not_come_early_does_not(toys: ModuleType) -> None:
    toy = toys.Toy(opening, seats=2)
    match = Match(toy)
    match.begin()
    match.received(1, b"you\ne5\n", Stamp(1.0))
    match.received(0, b"me\n", Stamp(2.0))
    assert isinstance(toy.outcomes[1], Lapse)


def farewell(toy: Any) -> Course:
    """Seat 0 makes its last move and may go; what seat 1 does then is told to it all the same."""
    toy.outcomes.append((yield Ask(0, b"q\n", "last", ahead=True)))
    yield Release(0, "TOY-7")
    toy.outcomes.append((yield Ask(1, b"q\n", "last")))
    yield Tell(0, b"end\n")
    yield toy.over


def test_a_released_seat_may_end(toys: ModuleType) -> None:
    toy = toys.Toy(farewell, seats=2)
    match = Match(toy)
    match.begin()
    assert match.received(0, b"bye\n", Stamp(1.0))[1:] == [Send(1, b"q\n"), Expect(1, "last")]
    assert match.received(0, b"", Stamp(1.1)) == []
    assert match.received(1, b"bye\n", Stamp(2.0))[1:] == [Send(0, b"end\n"), toy.over]
    assert match.done


@pytest.mark.parametrize("apart", [False, True])
def test_what_a_released_seat_says_is_a_flaw_however_it_comes(toys: ModuleType, apart: bool) -> None:
    toy = toys.Toy(farewell, seats=2)
    match = Match(toy)
    match.begin()
    events = match.received(0, b"bye\n" if apart else b"bye\nmore\n", Stamp(1.0))
    if apart:
        events += match.received(0, b"mo", Stamp(1.1))
        events += match.received(0, b"re\n", Stamp(1.2))
    [told] = [event for event in events if isinstance(event, Ruling)]
    assert told.violation is None
    assert [(flaw.requirement, flaw.actual) for flaw in told.flaws] == [("TOY-7", "more")]
    assert match.received(0, b"and more\n", Stamp(1.3)) == []
    assert toy.outcomes == [Answer(b"bye")]


def test_half_a_line_of_a_released_seat_is_told_when_it_ends(toys: ModuleType) -> None:
    match = Match(toys.Toy(farewell, seats=2))
    match.begin()
    match.received(0, b"bye\nmo", Stamp(1.0))
    [told] = match.received(0, b"", Stamp(1.1))
    assert isinstance(told, Ruling)
    assert told.flaws[0].actual == "mo"


def test_a_seat_that_waits_uses_no_budget_and_hangs_at_last(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(2), by_cpu=True, time=30.0, guard=GUARD)
    match = Match(toy)
    match.begin()
    assert match.sent(0, Stamp(0.0)) == [Deadline(0, 30.0)]
    assert match.tick(0, Stamp(30.0, 1.0)) == [Deadline(0, 59.0)]
    assert match.tick(0, Stamp(59.0, 1.0)) == [Deadline(0, 60.0)]
    match.received(0, b"\n", Stamp(59.5, 1.0))
    assert match.sent(0, Stamp(100.0, 1.0)) == [Deadline(0, 129.0)]
    assert match.tick(0, Stamp(129.0, 1.5)) == [Deadline(0, 140.5)]  # 59.5 + 40.5 s of waiting
    match.tick(0, Stamp(140.5, 1.5))
    assert toy.lapse == "TOY-6"
    assert "1.500 s of CPU time" in toy.outcomes[-1].violation.actual


def test_a_hang_is_none_where_the_budget_is_gone(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(1), by_cpu=True, time=3.0, guard=GUARD)
    match = Match(toy)
    match.begin()
    match.sent(0, Stamp(0.0))
    match.tick(0, Stamp(60.0, 3.5))
    assert toy.lapse == "TOY-5"


def test_a_player_that_is_given_up_hangs(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(1), by_cpu=True, guard=GUARD)
    match = Match(toy)
    match.begin()
    match.lapse(0, Stamp(0.5))
    assert toy.lapse == "TOY-6"


def test_time_that_is_left_at_a_deadline_is_a_later_one(toys: ModuleType) -> None:
    match = Match(toys.Toy(toys.asking(1), by_cpu=True, time=3.0, guard=GUARD))
    match.begin()
    match.sent(0, Stamp(0.0))
    assert match.left(0, Stamp(3.0, 1.0)) == Deadline(0, 5.0)
    assert match.left(0, Stamp(3.0, 3.0)) is None
    assert match.left(0, Stamp(60.0, 1.0)) is None
    wall = Match(toys.Toy(toys.asking(1), time=3.0))
    wall.begin()
    wall.sent(0, Stamp(0.0))
    assert wall.left(0, Stamp(3.0, 1.0)) is None


def test_one_that_is_waited_for_less_has_a_nearer_guard(toys: ModuleType) -> None:
    match = Match(toys.Toy(toys.asking(1), by_cpu=True, time=30.0, guard=GUARD), patience=-27.0)
    match.begin()
    assert match.sent(0, Stamp(0.0)) == [Deadline(0, 3.0)]
    assert match.tick(0, Stamp(3.0, 1.0)) == [Deadline(0, 5.0)]
    assert match.left(0, Stamp(6.0, 1.0)) is None


def test_one_that_is_known_to_hang_is_given_up_when_it_has_not_computed_for_so_long(toys: ModuleType) -> None:
    guard = GUARD._replace(brief=5.0)
    toy = toys.Toy(toys.asking(1), by_cpu=True, time=30.0, guard=guard)
    match = Match(toy, brief=True)
    match.begin()
    assert match.sent(0, Stamp(0.0)) == [Deadline(0, 5.0)]
    assert match.tick(0, Stamp(5.0, 4.0)) == [Deadline(0, 9.0)]  # it was at work for 4 s
    match.tick(0, Stamp(9.0, 4.0))
    assert toy.lapse == "TOY-6"
    told = toy.outcomes[-1].violation
    assert f"within {guard.turn:g} s" in told.expected
    assert told.actual.endswith("9.0 s waited for it so far, 4.000 s of CPU time used; it was given up early, "
                                "for it had hung before")  # fmt: skip
    patient = Match(toys.Toy(toys.asking(1), by_cpu=True, time=30.0, guard=guard))
    patient.begin()
    assert patient.sent(0, Stamp(0.0)) == [Deadline(0, 30.0)]
