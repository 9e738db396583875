"""The sans-I/O match, with toy games: bytes and stamps in, events out."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.referee.clock import Stamp
from pdcheck.referee.game import Answer, Ask, Await, Course, Lapse, Tell, Together
from pdcheck.referee.match import Deadline, Event, Expect, Heard, Match, Send
from pdcheck.referee.violations import Ruling

# --- question and answer ------------------------------------------------------------------------------------


def test_a_question_is_sent_expected_timed_and_heard(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(2))
    match = Match(toy)
    assert match.begin() == [Send(0, b"q0\n"), Expect(0, "question")]
    assert match.awaited(0) == "question"
    assert match.sent(0, Stamp(5.0)) == [Deadline(0, 15.0)]
    assert match.received(0, b"yes\n", Stamp(7.5)) == [
        Heard(0, "question", b"yes", 2.5),
        Send(0, b"q1\n"),
        Expect(0, "question"),
    ]
    assert match.sent(0, Stamp(20.0)) == [Deadline(0, 27.5)]
    assert not match.done
    assert match.received(0, b"no\n", Stamp(20.5)) == [Heard(0, "question", b"no", 0.5), toys.OVER]
    assert match.done
    assert match.over == toys.OVER
    assert match.awaited(0) is None
    assert toy.outcomes == [Answer(b"yes"), Answer(b"no")]
    assert match.budget(0).spent == 3.0


def test_time_is_charged_from_the_stamp_of_the_write_and_not_between(toys: ModuleType) -> None:
    match = Match(toys.Toy(toys.asking(3)))
    match.begin()
    now = 0.0
    for _ in range(2):
        now += 100.0  # nothing is due yet: nobody's time
        match.sent(0, Stamp(now))
        now += 1.0
        match.received(0, b"\n", Stamp(now))
    assert match.budget(0).spent == 2.0
    assert match.budget(0).longest == 1.0


def test_a_dripped_line_does_not_move_the_deadline(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(1))
    match = toys.started(toy)
    for second in range(1, 10):
        assert match.received(0, b"x", Stamp(float(second))) == []
    events = match.tick(0, Stamp(10.0))
    assert toys.kinds(events) == ["Ruling", "Over"]
    assert toy.lapse == "IO-3"
    assert "so far only: xxxxxxxxx" in toy.outcomes[0].violation.actual


def test_a_line_in_pieces_is_one_answer_when_its_lf_comes(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(1))
    match = toys.started(toy)
    match.received(0, b"he", Stamp(1.0))
    assert match.received(0, b"llo\n", Stamp(4.0))[0] == Heard(0, "question", b"hello", 4.0)


def test_silence_breaks_the_games_own_time_requirement(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(1), time=2.0)
    match = toys.started(toy)
    match.tick(0, Stamp(2.0))
    assert toy.lapse == "TOY-5"
    assert toy.outcomes[0].violation.expected == "an answer to `question` within 2 s"
    assert match.budget(0).left <= 0


@pytest.mark.parametrize(
    ("took", "grace", "broken"), [(9.9, 0.0, ""), (10.0, 0.0, "TOY-5"), (10.2, 0.5, ""), (10.5, 0.5, "TOY-5")]
)
def test_at_or_below_zero_is_out(toys: ModuleType, took: float, grace: float, broken: str) -> None:
    toy = toys.Toy(toys.asking(1), grace=grace)
    match = Match(toy)
    match.begin()
    assert match.sent(0, Stamp(0.0)) == [Deadline(0, 10.0 + grace)]
    match.received(0, b"\n", Stamp(took))
    assert toy.lapse == broken


def test_a_question_with_its_own_limit_costs_no_budget(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(2, limit=1.0))
    match = Match(toy)
    match.begin()
    assert match.sent(0, Stamp(50.0)) == [Deadline(0, 51.0)]
    assert match.received(0, b"\n", Stamp(50.9))[0] == Heard(0, "question", b"", 0.0)
    assert match.budget(0).spent == 0.0
    match.sent(0, Stamp(60.0))
    match.tick(0, Stamp(61.0))
    assert toy.lapse == "IO-9"
    assert match.budget(0).spent == 0.0


def test_a_tick_when_nothing_is_due_is_nothing(toys: ModuleType) -> None:
    match = toys.started(toys.Toy(toys.asking(1)))
    match.received(0, b"\n", Stamp(1.0))
    assert match.tick(0, Stamp(10.0)) == []
    assert match.sent(0, Stamp(10.0)) == []


def test_two_messages_before_one_answer_are_charged_from_the_first(toys: ModuleType) -> None:
    def course(toy: Any) -> Course:
        yield Tell(0, b"news\n")
        toy.outcomes.append((yield Ask(0, b"q\n", "question")))
        yield toy.over

    match = Match(toys.Toy(course))
    assert match.begin() == [Send(0, b"news\n"), Send(0, b"q\n"), Expect(0, "question")]
    match.sent(0, Stamp(1.0))
    match.sent(0, Stamp(2.0))
    assert match.received(0, b"\n", Stamp(4.0))[0] == Heard(0, "question", b"", 3.0)


@pytest.mark.parametrize("keeps", [False, True])
def test_nothing_is_taken_from_a_seat_whose_time_is_gone(toys: ModuleType, keeps: bool) -> None:
    def lenient(toy: Any) -> Course:
        """As the control program with a late answer to the pass notice (row 6): it goes on."""
        for seat in (0, 1, 0):
            toy.outcomes.append((yield Ask(seat, b"q\n", "question")))
        yield toy.over

    toy = toys.Toy(lenient, seats=2, keeps_extra_lines=keeps)
    match = toys.started(toy)
    match.tick(0, Stamp(10.0))
    if keeps:
        assert match.received(0, b"late\n", Stamp(11.0)) == []
    match.sent(1, Stamp(10.0))
    events = match.received(1, b"\n", Stamp(12.0))
    assert toys.kinds(events) == ["Heard", "Send", "Over"]
    assert toy.lapse == "TOY-5"


# --- other games than question and answer -------------------------------------------------------------------


def relay(toy: Any) -> Course:
    """Seat 0 moves first, unasked; each move is told to the other, who answers with its own."""
    outcome = yield Await(0, "opening")
    seat = 1
    for _ in range(3):
        toy.outcomes.append(outcome)
        if isinstance(outcome, Lapse):
            break
        outcome = yield Ask(seat, outcome.line + b"\n", "move")
        seat = 1 - seat
    for other in (0, 1):
        yield Tell(other, b"end\n")
    yield toy.over


def test_a_bot_may_speak_first(toys: ModuleType) -> None:
    toy = toys.Toy(relay, seats=2)
    match = Match(toy)
    assert match.begin() == [Expect(0, "opening")]
    assert match.sent(0, Stamp(1.0)) == [Deadline(0, 11.0)]  # the caller says from when its time runs
    assert match.received(0, b"e4\n", Stamp(3.0)) == [
        Heard(0, "opening", b"e4", 2.0),
        Send(1, b"e4\n"),
        Expect(1, "move"),
    ]
    match.sent(1, Stamp(3.0))
    assert match.received(1, b"e5\n", Stamp(4.0))[1:] == [Send(0, b"e5\n"), Expect(0, "move")]
    match.sent(0, Stamp(4.0))
    match.received(0, b"d4\n", Stamp(4.5))
    match.sent(1, Stamp(5.0))
    assert match.received(1, b"d5\n", Stamp(6.0))[1:] == [Send(0, b"end\n"), Send(1, b"end\n"), toys.OVER]
    assert (match.budget(0).spent, match.budget(1).spent) == (2.5, 2.0)


def test_a_bot_that_should_speak_first_and_does_not(toys: ModuleType) -> None:
    toy = toys.Toy(relay, seats=2)
    match = Match(toy)
    match.begin()
    match.sent(0, Stamp(0.0))
    assert toys.kinds(match.tick(0, Stamp(10.0)))[-1] == "Over"
    assert toy.lapse == "TOY-5"


def test_a_bot_that_speaks_out_of_turn(toys: ModuleType) -> None:
    match = Match(toys.Toy(relay, seats=2))
    match.begin()
    events = match.received(1, b"e5\n", Stamp(0.1))
    assert isinstance(events[0], Ruling)
    assert events[0].violation is not None
    assert events[0].violation.requirement == "IO-2"


def test_cpu_time_is_charged_and_a_deadline_set_again_while_some_is_left(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(2), by_cpu=True, time=3.0)
    match = Match(toy)
    match.begin()
    # Half a second of CPU time went into its start, which is charged as well.
    assert match.sent(0, Stamp(100.0, 0.5)) == [Deadline(0, 102.5)]
    # Two and a half seconds have gone by; it was given one of them.
    assert match.tick(0, Stamp(102.5, 1.5)) == [Deadline(0, 104.0)]
    assert match.tick(0, Stamp(104.0, 2.25)) == [Deadline(0, 104.75)]
    assert match.received(0, b"\n", Stamp(104.5, 2.5))[0] == Heard(0, "question", b"", 2.5)
    # It went on computing while nothing was asked of it.
    assert match.sent(0, Stamp(106.0, 2.75)) == [Deadline(0, 106.25)]
    match.tick(0, Stamp(106.25, 3.0))
    assert toy.lapse == "TOY-5"


def test_an_answer_that_cost_too_much_cpu_time_is_late(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(1), by_cpu=True, time=3.0)
    match = Match(toy)
    match.begin()
    match.sent(0, Stamp(0.0, 0.0))
    match.received(0, b"\n", Stamp(1.0, 3.0))
    assert toy.lapse == "TOY-5"


def together(toy: Any) -> Course:
    """All seats are told at once to stop, with a second each."""
    outcomes = yield Together(tuple(Ask(seat, b"stop\n", "stop", 1.0) for seat in range(3)))
    toy.outcomes.extend(outcomes)
    yield toy.over


@given(order=st.permutations(range(3)), silent=st.sets(st.integers(0, 2)))
def test_a_round_goes_on_with_its_last_outcome(toys: ModuleType, order: list[int], silent: set[int]) -> None:
    toy = toys.Toy(together, seats=3)
    match = Match(toy)
    assert toys.kinds(match.begin()) == ["Send", "Expect"] * 3
    for seat in range(3):
        assert match.sent(seat, Stamp(0.0)) == [Deadline(seat, 1.0)]
    for seat in order:
        assert not match.done
        if seat in silent:
            match.tick(seat, Stamp(1.0))
        else:
            match.received(seat, b"%d\n" % seat, Stamp(0.5))
    assert match.done
    for seat, outcome in enumerate(toy.outcomes):
        assert outcome == Answer(b"%d" % seat) if seat not in silent else isinstance(outcome, Lapse)


def test_a_round_with_the_dead_waits_for_the_living_only(toys: ModuleType) -> None:
    def course(toy: Any) -> Course:
        yield Ask(0, b"q\n", "question")
        yield from together(toy)

    toy = toys.Toy(course, seats=3)
    match = toys.started(toy)
    match.received(1, b"", Stamp(0.1))
    match.received(2, b"", Stamp(0.1))
    assert toys.kinds(match.received(0, b"\n", Stamp(0.5))) == ["Heard", "Send", "Expect"]
    match.received(0, b"bye\n", Stamp(0.6))
    assert match.done
    assert toy.outcomes[0] == Answer(b"bye")
    assert [outcome.violation.requirement for outcome in toy.outcomes[1:]] == ["IO-1", "IO-1"]


def test_a_round_in_which_nobody_lives_is_over_at_once(toys: ModuleType) -> None:
    def course(toy: Any) -> Course:
        yield Ask(0, b"q\n", "question")
        yield from together(toy)

    toy = toys.Toy(course, seats=3)
    match = toys.started(toy)
    for seat in (1, 2, 0):
        match.received(seat, b"", Stamp(0.1))
    assert match.done
    assert [type(outcome) for outcome in toy.outcomes] == [Lapse] * 3


# --- the same in, the same out ------------------------------------------------------------------------------

calls = st.lists(
    st.tuples(
        st.sampled_from(["received", "tick", "sent"]),
        st.integers(0, 1),
        st.sampled_from([b"", b"a\n", b"b", b"\n", b"c\nd\n", b"{}\n"]),
    ),
    max_size=25,
)


def ping_pong(toy: Any) -> Course:
    for number in range(6):
        outcome = yield Ask(number % 2, b"q\n", "question", 1.0 if number == 3 else None)
        toy.outcomes.append(outcome)
        if isinstance(outcome, Lapse):
            yield Ruling(number % 2, "out", violation=outcome.violation)
    yield toy.over


@given(calls=calls, keeps=st.booleans())
def test_the_same_calls_give_the_same_events(
    toys: ModuleType, calls: list[tuple[str, int, bytes]], keeps: bool
) -> None:
    def run() -> tuple[list[list[Event]], list[Any]]:
        toy = toys.Toy(ping_pong, seats=2, keeps_extra_lines=keeps)
        match = Match(toy)
        events = [match.begin()]
        for number, (call, seat, data) in enumerate(calls):
            at = Stamp(float(number))
            if call == "received":
                events.append(match.received(seat, data, at))
            else:
                events.append(match.tick(seat, at) if call == "tick" else match.sent(seat, at))
        return events, toy.outcomes

    assert run() == run()


def test_with_a_cpu_factor_the_deadline_moves_while_a_bot_only_waits(toys: ModuleType) -> None:
    """Twice as fast a machine: 3 s are over after 1.5 s of computing, and not before 3 s of waiting."""
    match = Match(toys.Toy(toys.asking(1), time=3.0), cpu_factor=2.0)
    match.begin()
    assert match.sent(0, Stamp(10.0, 1.0)) == [Deadline(0, 11.5)]
    assert match.tick(0, Stamp(11.5, 1.0)) == [Deadline(0, 12.25)]
    assert match.tick(0, Stamp(12.25, 1.25)) == [Deadline(0, 12.5)]
    events = match.tick(0, Stamp(12.5, 1.5))
    assert events
    assert not any(isinstance(event, Deadline) for event in events)
    assert match.budget(0).spent == 3.0


def test_with_a_cpu_factor_below_1_computing_is_cheaper(toys: ModuleType) -> None:
    match = Match(toys.Toy(toys.asking(1), time=3.0), cpu_factor=0.5)
    match.begin()
    assert match.sent(0, Stamp(10.0, 0.0)) == [Deadline(0, 13.0)]
    assert match.tick(0, Stamp(13.0, 3.0)) == [Deadline(0, 14.5)]
    (heard, *_) = match.received(0, b"\n", Stamp(14.0, 4.0))
    assert isinstance(heard, Heard)
    assert heard.cost == 2.0
