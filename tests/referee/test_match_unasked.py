"""The sans-I/O match: output that nobody asked for, and output that ends."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from pdcheck.referee.clock import Stamp
from pdcheck.referee.game import Answer, Ask, Course
from pdcheck.referee.match import Expect, Heard, Send
from pdcheck.referee.violations import Ruling, Violation, unsolicited

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
def test_more_than_one_line_for_a_question(toys: ModuleType, more: bytes, broken: str) -> None:
    # In the same read, the answer is not taken.
    toy = toys.Toy(toys.asking(3))
    match = toys.started(toy)
    match.received(0, b"yes\n" + more, Stamp(1.0))
    assert toy.lapse == broken

    # In a later read while another is asked nothing: told at once, and no further question is put.
    def resting(toy: Any) -> Course:
        toy.outcomes.append((yield Ask(0, b"q\n", "first")))
        toy.outcomes.append((yield Ask(1, b"q\n", "other")))
        toy.outcomes.append((yield Ask(0, b"q\n", "second")))
        yield toy.over

    toy = toys.Toy(resting, seats=2)
    match = toys.started(toy)
    match.received(0, b"yes\n", Stamp(1.0))
    events = match.received(0, more, Stamp(2.0))
    assert toys.kinds(events) == ["Ruling"]
    assert isinstance(events[0], Ruling)
    assert (events[0].seat, events[0].outcome) == (0, "unasked")
    assert match.received(0, b"and more\n", Stamp(2.5)) == []  # told once
    assert toys.kinds(match.received(1, b"yes\n", Stamp(3.0))) == ["Heard", "Over"]
    assert toy.lapse == broken


@pytest.mark.parametrize("said", [b"hello\n", b"\n", b"hel"])
def test_output_before_the_first_message(toys: ModuleType, said: bytes) -> None:
    def course(toy: Any) -> Course:
        toy.outcomes.append((yield Ask(0, b"q\n", "first")))
        toy.outcomes.append((yield Ask(1, b"q\n", "second")))
        yield toy.over

    toy = toys.Toy(course, seats=2)
    match = toys.started(toy)
    events = match.received(1, said, Stamp(0.5))
    assert toys.kinds(events) == ["Ruling"]
    match.received(0, b"\n", Stamp(1.0))
    assert toy.lapse == "IO-2"


def test_extra_lines_shift_the_answers_where_the_game_keeps_them(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(4), keeps_extra_lines=True)
    match = toys.started(toy)
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


def test_kept_lines_may_come_while_nothing_is_due(toys: ModuleType) -> None:
    def course(toy: Any) -> Course:
        toy.outcomes.append((yield Ask(0, b"q\n", "first")))
        toy.outcomes.append((yield Ask(1, b"q\n", "second")))
        yield toy.over

    toy = toys.Toy(course, seats=2, keeps_extra_lines=True)
    match = toys.started(toy)
    assert match.received(1, b"ahead\n", Stamp(0.5)) == []
    match.received(0, b"\n", Stamp(1.0))
    assert toy.outcomes[-1] == Answer(b"ahead")


def test_what_a_seat_says_once_it_was_put_out_is_not_judged(toys: ModuleType) -> None:
    def course(toy: Any) -> Course:
        yield Ask(0, b"q\n", "first")
        yield Ruling(0, "out", violation=Violation("TOY-1", "x", "y"))
        toy.outcomes.append((yield Ask(1, b"q\n", "other")))
        yield toy.over

    toy = toys.Toy(course, seats=2)
    match = toys.started(toy)
    match.received(0, b"bad\n", Stamp(1.0))
    assert match.received(0, b"more\n", Stamp(2.0)) == []
    assert match.received(0, b"", Stamp(2.0)) == []


def test_a_line_that_is_too_long_ends_the_question(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(1))
    match = toys.started(toy, line_limit=100)
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
def test_a_bot_that_dies_when_asked(toys: ModuleType, before: bytes, words: str) -> None:
    toy = toys.Toy(toys.asking(2))
    match = toys.started(toy)
    if before:
        match.received(0, before, Stamp(1.0))
    match.received(0, b"", Stamp(2.0))
    assert toy.lapse == "IO-1"
    assert words in toy.outcomes[0].violation.actual


def test_a_bot_that_answers_and_dies_is_found_dead_at_the_next_question(toys: ModuleType) -> None:
    def course(toy: Any) -> Course:
        toy.outcomes.append((yield Ask(0, b"q\n", "first")))
        toy.outcomes.append((yield Ask(1, b"q\n", "other")))
        toy.outcomes.append((yield Ask(0, b"q\n", "second")))
        yield toy.over

    toy = toys.Toy(course, seats=2)
    match = toys.started(toy)
    match.received(0, b"last words\n", Stamp(1.0))
    events = match.received(0, b"", Stamp(1.1))
    assert [
        event.violation.requirement for event in events if isinstance(event, Ruling) and event.violation
    ] == ["IO-1"]
    events = match.received(1, b"\n", Stamp(2.0))
    assert not any(isinstance(event, Send) for event in events)  # nothing is written to the dead
    assert toy.outcomes[0] == Answer(b"last words")
    assert toy.lapse == "IO-1"


def test_an_answer_and_the_end_in_the_same_turn_is_still_an_answer(toys: ModuleType) -> None:
    toy = toys.Toy(toys.asking(1))
    match = toys.started(toy)
    match.received(0, b"bye\n", Stamp(1.0))
    assert toy.outcomes == [Answer(b"bye")]
    assert match.received(0, b"", Stamp(1.0)) == []  # the match is over: it may go


def test_kept_lines_outlive_the_bot(toys: ModuleType) -> None:
    def course(toy: Any) -> Course:
        yield Ask(0, b"q\n", "first")
        for _ in range(2):
            toy.outcomes.append((yield Ask(1, b"q\n", "second")))
        yield toy.over

    toy = toys.Toy(course, seats=2, keeps_extra_lines=True)
    match = toys.started(toy)
    match.received(1, b"testament\n", Stamp(0.5))
    match.received(1, b"", Stamp(0.6))
    match.received(0, b"\n", Stamp(1.0))
    assert toy.outcomes[0] == Answer(b"testament")
    assert toy.lapse == "IO-1"
