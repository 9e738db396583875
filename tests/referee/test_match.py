"""The sans-I/O match, with toy games: bytes and stamps in, events out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.referee.clock import Stamp
from pdcheck.referee.game import Answer, Ask, Await, Course, Lapse, Over, Place, Tell, Together
from pdcheck.referee.match import Deadline, Event, Expect, Heard, Match, Send, unsolicited
from pdcheck.referee.violations import Ruling, Violation

OVER = Over("done", (Place(0, "a", 1, 0, "OK"),))


class Toy:
    """A game made of its course; every outcome that the course is sent is kept in `outcomes`."""

    time_requirement = "TOY-5"

    def __init__(
        self,
        script: Callable[[Toy], Course],
        *,
        seats: int = 1,
        time: float = 10.0,
        by_cpu: bool = False,
        grace: float = 0.0,
        keeps_extra_lines: bool = False,
    ) -> None:
        self.names: Sequence[str] = [f"seat-{seat}" for seat in range(seats)]
        self.time = time
        self.by_cpu = by_cpu
        self.grace = grace
        self.keeps_extra_lines = keeps_extra_lines
        self.outcomes: list[Any] = []
        self._script = script

    def course(self) -> Course:
        return self._script(self)

    @property
    def lapse(self) -> str:
        """The requirement that the last outcome's lapse names; "" where it was an answer."""
        last = self.outcomes[-1]
        return last.violation.requirement if isinstance(last, Lapse) else ""


def asking(times: int, *, limit: float | None = None) -> Callable[[Toy], Course]:
    """A game that asks seat 0 so many times, and is over at the first lapse."""

    def course(toy: Toy) -> Course:
        for number in range(times):
            outcome = yield Ask(0, b"q%d\n" % number, "question", limit)
            toy.outcomes.append(outcome)
            if isinstance(outcome, Lapse):
                yield Ruling(0, "out", violation=outcome.violation)
                break
        yield OVER

    return course


def started(toy: Toy, **more: Any) -> Match:
    """The match after its first question was written at second 0."""
    match = Match(toy, **more)
    match.begin()
    match.sent(0, Stamp(0.0))
    return match


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


# --- question and answer ------------------------------------------------------------------------------------


def test_a_question_is_sent_expected_timed_and_heard() -> None:
    toy = Toy(asking(2))
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
    assert match.received(0, b"no\n", Stamp(20.5)) == [Heard(0, "question", b"no", 0.5), OVER]
    assert match.done
    assert match.over == OVER
    assert match.awaited(0) is None
    assert toy.outcomes == [Answer(b"yes"), Answer(b"no")]
    assert match.budget(0).spent == 3.0


def test_time_is_charged_from_the_stamp_of_the_write_and_not_between() -> None:
    match = Match(Toy(asking(3)))
    match.begin()
    now = 0.0
    for _ in range(2):
        now += 100.0  # nothing is due yet: nobody's time
        match.sent(0, Stamp(now))
        now += 1.0
        match.received(0, b"\n", Stamp(now))
    assert match.budget(0).spent == 2.0
    assert match.budget(0).longest == 1.0


def test_a_dripped_line_does_not_move_the_deadline() -> None:
    toy = Toy(asking(1))
    match = started(toy)
    for second in range(1, 10):
        assert match.received(0, b"x", Stamp(float(second))) == []
    events = match.tick(0, Stamp(10.0))
    assert kinds(events) == ["Ruling", "Over"]
    assert toy.lapse == "IO-3"
    assert "so far only: xxxxxxxxx" in toy.outcomes[0].violation.actual


def test_a_line_in_pieces_is_one_answer_when_its_lf_comes() -> None:
    toy = Toy(asking(1))
    match = started(toy)
    match.received(0, b"he", Stamp(1.0))
    assert match.received(0, b"llo\n", Stamp(4.0))[0] == Heard(0, "question", b"hello", 4.0)


def test_silence_breaks_the_games_own_time_requirement() -> None:
    toy = Toy(asking(1), time=2.0)
    match = started(toy)
    match.tick(0, Stamp(2.0))
    assert toy.lapse == "TOY-5"
    assert toy.outcomes[0].violation.expected == "an answer to `question` within 2 s"
    assert match.budget(0).left <= 0


@pytest.mark.parametrize(
    ("took", "grace", "broken"), [(9.9, 0.0, ""), (10.0, 0.0, "TOY-5"), (10.2, 0.5, ""), (10.5, 0.5, "TOY-5")]
)
def test_at_or_below_zero_is_out_and_grace_moves_the_zero(took: float, grace: float, broken: str) -> None:
    toy = Toy(asking(1), grace=grace)
    match = Match(toy)
    match.begin()
    assert match.sent(0, Stamp(0.0)) == [Deadline(0, 10.0 + grace)]
    match.received(0, b"\n", Stamp(took))
    assert toy.lapse == broken


def test_a_question_with_its_own_limit_costs_no_budget() -> None:
    toy = Toy(asking(2, limit=1.0))
    match = Match(toy)
    match.begin()
    assert match.sent(0, Stamp(50.0)) == [Deadline(0, 51.0)]
    assert match.received(0, b"\n", Stamp(50.9))[0] == Heard(0, "question", b"", 0.0)
    assert match.budget(0).spent == 0.0
    match.sent(0, Stamp(60.0))
    match.tick(0, Stamp(61.0))
    assert toy.lapse == "IO-9"
    assert match.budget(0).spent == 0.0


def test_a_tick_when_nothing_is_due_is_nothing() -> None:
    match = started(Toy(asking(1)))
    match.received(0, b"\n", Stamp(1.0))
    assert match.tick(0, Stamp(10.0)) == []
    assert match.sent(0, Stamp(10.0)) == []


@pytest.mark.parametrize("keeps", [False, True])
def test_nothing_is_taken_from_a_seat_whose_time_is_gone(keeps: bool) -> None:
    def lenient(toy: Toy) -> Course:
        """As the control program with a late answer to the pass notice (row 6): it goes on as if nothing were."""
        for seat in (0, 1, 0):
            toy.outcomes.append((yield Ask(seat, b"q\n", "question")))
        yield OVER

    toy = Toy(lenient, seats=2, keeps_extra_lines=keeps)
    match = started(toy)
    match.tick(0, Stamp(10.0))
    if keeps:
        assert match.received(0, b"late\n", Stamp(11.0)) == []
    match.sent(1, Stamp(10.0))
    events = match.received(1, b"\n", Stamp(12.0))
    assert kinds(events) == ["Heard", "Send", "Over"]
    assert toy.lapse == "TOY-5"


# --- lines that nobody asked for ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "broken"),
    [
        (b"\n", "IO-3"),
        (b'{"action": "pass"}\n', "IO-3"),
        (b'{"action"', "IO-5"),
        (b"debug: thinking\n", "IO-5"),
        (b"\xff\n", "IO-5"),
    ],
)
def test_more_than_one_line_for_a_question(more: bytes, broken: str) -> None:
    # In the same read, the answer is not taken.
    toy = Toy(asking(3))
    match = started(toy)
    match.received(0, b"yes\n" + more, Stamp(1.0))
    assert toy.lapse == broken

    # In a later read while another is asked nothing: told at once, and no further question is put.
    def resting(toy: Toy) -> Course:
        toy.outcomes.append((yield Ask(0, b"q\n", "first")))
        toy.outcomes.append((yield Ask(1, b"q\n", "other")))
        toy.outcomes.append((yield Ask(0, b"q\n", "second")))
        yield OVER

    toy = Toy(resting, seats=2)
    match = started(toy)
    match.received(0, b"yes\n", Stamp(1.0))
    events = match.received(0, more, Stamp(2.0))
    assert kinds(events) == ["Ruling"]
    assert isinstance(events[0], Ruling)
    assert (events[0].seat, events[0].outcome) == (0, "unasked")
    assert match.received(0, b"and more\n", Stamp(2.5)) == []  # told once
    assert kinds(match.received(1, b"yes\n", Stamp(3.0))) == ["Heard", "Over"]
    assert toy.lapse == broken


@pytest.mark.parametrize("said", [b"hello\n", b"\n", b"hel"])
def test_output_before_the_first_message(said: bytes) -> None:
    def course(toy: Toy) -> Course:
        toy.outcomes.append((yield Ask(0, b"q\n", "first")))
        toy.outcomes.append((yield Ask(1, b"q\n", "second")))
        yield OVER

    toy = Toy(course, seats=2)
    match = started(toy)
    events = match.received(1, said, Stamp(0.5))
    assert kinds(events) == ["Ruling"]
    match.received(0, b"\n", Stamp(1.0))
    assert toy.lapse == "IO-2"


def test_extra_lines_shift_the_answers_where_the_game_keeps_them() -> None:
    toy = Toy(asking(4), keeps_extra_lines=True)
    match = started(toy)
    events = match.received(0, b"one\ntwo\nthr", Stamp(1.0))
    assert events == [
        Heard(0, "question", b"one", 1.0),
        Send(0, b"q1\n"),
        Heard(0, "question", b"two", 0.0),
        Send(0, b"q2\n"),
        Expect(0, "question"),
    ]
    match.sent(0, Stamp(1.0))
    match.received(0, b"ee\nfour\n", Stamp(2.0))
    assert toy.outcomes == [Answer(b"one"), Answer(b"two"), Answer(b"three"), Answer(b"four")]
    assert match.done


def test_kept_lines_may_come_while_nothing_is_due() -> None:
    def course(toy: Toy) -> Course:
        toy.outcomes.append((yield Ask(0, b"q\n", "first")))
        toy.outcomes.append((yield Ask(1, b"q\n", "second")))
        yield OVER

    toy = Toy(course, seats=2, keeps_extra_lines=True)
    match = started(toy)
    assert match.received(1, b"ahead\n", Stamp(0.5)) == []
    match.received(0, b"\n", Stamp(1.0))
    assert toy.outcomes[-1] == Answer(b"ahead")


def test_what_a_seat_says_once_it_was_put_out_is_not_judged() -> None:
    def course(toy: Toy) -> Course:
        yield Ask(0, b"q\n", "first")
        yield Ruling(0, "out", violation=Violation("TOY-1", "x", "y"))
        toy.outcomes.append((yield Ask(1, b"q\n", "other")))
        yield OVER

    toy = Toy(course, seats=2)
    match = started(toy)
    match.received(0, b"bad\n", Stamp(1.0))
    assert match.received(0, b"more\n", Stamp(2.0)) == []
    assert match.received(0, b"", Stamp(2.0)) == []


def test_a_line_that_is_too_long_ends_the_question() -> None:
    toy = Toy(asking(1))
    match = started(toy, line_limit=100)
    assert match.received(0, b"x" * 100, Stamp(1.0)) == []
    match.received(0, b"x", Stamp(2.0))
    assert toy.lapse == "IO-3"
    assert toy.outcomes[0].violation.actual == "over 100 bytes without an LF"


@pytest.mark.parametrize(
    ("said", "first", "broken"),
    [
        (b"", False, "IO-3"),
        (b"  ", False, "IO-3"),
        (b" {} ", False, "IO-3"),
        (b"{", False, "IO-5"),
        (b"", True, "IO-2"),
    ],
)
def test_unsolicited(said: bytes, first: bool, broken: str) -> None:
    assert unsolicited(said, first=first).requirement == broken


# --- the end of the output ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "words"), [(b"", "its output ended"), (b"half", "after half without an LF")]
)
def test_a_bot_that_dies_when_asked(before: bytes, words: str) -> None:
    toy = Toy(asking(2))
    match = started(toy)
    if before:
        match.received(0, before, Stamp(1.0))
    match.received(0, b"", Stamp(2.0))
    assert toy.lapse == "IO-1"
    assert words in toy.outcomes[0].violation.actual


def test_a_bot_that_answers_and_dies_is_found_dead_at_the_next_question() -> None:
    def course(toy: Toy) -> Course:
        toy.outcomes.append((yield Ask(0, b"q\n", "first")))
        toy.outcomes.append((yield Ask(1, b"q\n", "other")))
        toy.outcomes.append((yield Ask(0, b"q\n", "second")))
        yield OVER

    toy = Toy(course, seats=2)
    match = started(toy)
    match.received(0, b"last words\n", Stamp(1.0))
    events = match.received(0, b"", Stamp(1.1))
    assert [
        event.violation.requirement for event in events if isinstance(event, Ruling) and event.violation
    ] == ["IO-1"]
    events = match.received(1, b"\n", Stamp(2.0))
    assert not any(isinstance(event, Send) for event in events)  # nothing is written to the dead
    assert toy.outcomes[0] == Answer(b"last words")
    assert toy.lapse == "IO-1"


def test_an_answer_and_the_end_in_the_same_turn_is_still_an_answer() -> None:
    toy = Toy(asking(1))
    match = started(toy)
    match.received(0, b"bye\n", Stamp(1.0))
    assert toy.outcomes == [Answer(b"bye")]
    assert match.received(0, b"", Stamp(1.0)) == []  # the match is over: it may go


def test_kept_lines_outlive_the_bot() -> None:
    def course(toy: Toy) -> Course:
        yield Ask(0, b"q\n", "first")
        for _ in range(2):
            toy.outcomes.append((yield Ask(1, b"q\n", "second")))
        yield OVER

    toy = Toy(course, seats=2, keeps_extra_lines=True)
    match = started(toy)
    match.received(1, b"testament\n", Stamp(0.5))
    match.received(1, b"", Stamp(0.6))
    match.received(0, b"\n", Stamp(1.0))
    assert toy.outcomes[0] == Answer(b"testament")
    assert toy.lapse == "IO-1"


# --- other games than question and answer -------------------------------------------------------------------


def relay(toy: Toy) -> Course:
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
    yield OVER


def test_a_bot_may_speak_first() -> None:
    toy = Toy(relay, seats=2)
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
    assert match.received(1, b"d5\n", Stamp(6.0))[1:] == [Send(0, b"end\n"), Send(1, b"end\n"), OVER]
    assert (match.budget(0).spent, match.budget(1).spent) == (2.5, 2.0)


def test_a_bot_that_should_speak_first_and_does_not() -> None:
    toy = Toy(relay, seats=2)
    match = Match(toy)
    match.begin()
    match.sent(0, Stamp(0.0))
    assert kinds(match.tick(0, Stamp(10.0)))[-1] == "Over"
    assert toy.lapse == "TOY-5"


def test_a_bot_that_speaks_out_of_turn() -> None:
    match = Match(Toy(relay, seats=2))
    match.begin()
    events = match.received(1, b"e5\n", Stamp(0.1))
    assert isinstance(events[0], Ruling)
    assert events[0].violation is not None
    assert events[0].violation.requirement == "IO-2"


def test_cpu_time_is_charged_and_a_deadline_set_again_while_some_is_left() -> None:
    toy = Toy(asking(2), by_cpu=True, time=3.0)
    match = Match(toy)
    match.begin()
    assert match.sent(0, Stamp(100.0, 1.0)) == [Deadline(0, 103.0)]
    # Three seconds have gone by; it was given one of them.
    assert match.tick(0, Stamp(103.0, 2.0)) == [Deadline(0, 105.0)]
    assert match.tick(0, Stamp(105.0, 3.5)) == [Deadline(0, 105.5)]
    assert match.received(0, b"\n", Stamp(105.4, 3.75))[0] == Heard(0, "question", b"", 2.75)
    match.sent(0, Stamp(106.0, 3.75))
    match.tick(0, Stamp(106.25, 4.0))
    assert toy.lapse == "TOY-5"


def test_an_answer_that_cost_too_much_cpu_time_is_late() -> None:
    toy = Toy(asking(1), by_cpu=True, time=3.0)
    match = Match(toy)
    match.begin()
    match.sent(0, Stamp(0.0, 0.0))
    match.received(0, b"\n", Stamp(1.0, 3.0))
    assert toy.lapse == "TOY-5"


def together(toy: Toy) -> Course:
    """All seats are told at once to stop, with a second each."""
    outcomes = yield Together(tuple(Ask(seat, b"stop\n", "stop", 1.0) for seat in range(3)))
    toy.outcomes.extend(outcomes)
    yield OVER


@given(order=st.permutations(range(3)), silent=st.sets(st.integers(0, 2)))
def test_a_round_goes_on_when_the_last_outcome_is_there(order: list[int], silent: set[int]) -> None:
    toy = Toy(together, seats=3)
    match = Match(toy)
    assert kinds(match.begin()) == ["Send", "Expect"] * 3
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


def test_a_round_with_the_dead_waits_for_the_living_only() -> None:
    def course(toy: Toy) -> Course:
        yield Ask(0, b"q\n", "question")
        yield from together(toy)

    toy = Toy(course, seats=3)
    match = started(toy)
    match.received(1, b"", Stamp(0.1))
    match.received(2, b"", Stamp(0.1))
    assert kinds(match.received(0, b"\n", Stamp(0.5))) == ["Heard", "Send", "Expect"]
    match.received(0, b"bye\n", Stamp(0.6))
    assert match.done
    assert toy.outcomes[0] == Answer(b"bye")
    assert [outcome.violation.requirement for outcome in toy.outcomes[1:]] == ["IO-1", "IO-1"]


def test_a_round_in_which_nobody_lives_is_over_at_once() -> None:
    def course(toy: Toy) -> Course:
        yield Ask(0, b"q\n", "question")
        yield from together(toy)

    toy = Toy(course, seats=3)
    match = started(toy)
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


def ping_pong(toy: Toy) -> Course:
    for number in range(6):
        outcome = yield Ask(number % 2, b"q\n", "question", 1.0 if number == 3 else None)
        toy.outcomes.append(outcome)
        if isinstance(outcome, Lapse):
            yield Ruling(number % 2, "out", violation=outcome.violation)
    yield OVER


@given(calls=calls, keeps=st.booleans())
def test_the_same_calls_give_the_same_events_and_none_is_an_exception(
    calls: list[tuple[str, int, bytes]], keeps: bool
) -> None:
    def run() -> tuple[list[list[Event]], list[Any]]:
        toy = Toy(ping_pong, seats=2, keeps_extra_lines=keeps)
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
