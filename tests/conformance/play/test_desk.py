"""The desk and a person's seat without a terminal: no time runs, one keyboard serves two, what is typed ahead waits."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

import pytest
from pdcheck.conformance.play.desk import Desk, Left, Undone
from pdcheck.conformance.play.lines import Lines
from pdcheck.conformance.play.person import PersonTransport
from pdcheck.conformance.play.screen import Screen
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Transcript
from pdcheck.referee.clock import Stamp
from pdcheck.referee.match import Deadline, Match
from pdcheck.referee.valtapeli.flow import Valtapeli
from pdcheck.scenarios.valtapeli.table import BoardView

Keyboard = tuple[int, int]


@pytest.fixture
def keyboard() -> Iterator[Keyboard]:
    """The end that is read, and the one that is typed into."""
    pair = os.pipe()
    yield pair
    for fd in pair:
        os.close(fd)


class Sink:
    """A stream that keeps what it is given."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""


def seated(fd: int, given: tuple[bytes, ...] = ()) -> tuple[Runner, Desk, Valtapeli, Sink]:
    """Two people at one keyboard."""
    game, sink = Valtapeli(["one", "two"]), Sink()
    desk = Desk(Lines(sink), BoardView(game), game.names, {0, 1}, given=given)  # type: ignore[arg-type]
    people = [PersonTransport(seat, desk, fd) for seat in range(2)]
    return Runner(Match(game, untimed={0, 1}), people, Transcript()), desk, game, sink


def test_people_have_all_the_time_they_like() -> None:
    game = Valtapeli(["one", "two"])
    match = Match(game, untimed={1})
    match.begin()
    assert [event.at for event in match.sent(0, Stamp(1.0)) if isinstance(event, Deadline)] < [math.inf]
    assert match.sent(1, Stamp(1.0)) == [Deadline(1, math.inf)]
    match.received(0, b"one\n1 1\n", Stamp(2.0))
    match.received(1, b"two\n", Stamp(1e6))
    match.received(1, b"2 2\n", Stamp(1e9))
    assert game.stopped == {}
    assert len(game.board.moves) == 2


def test_two_people_and_one_keyboard_with_everything_typed_ahead(keyboard: Keyboard) -> None:
    fd, typed = keyboard
    cells = [f"{row} {column}\n" for row in range(1, 17) for column in range(1, 17)]
    os.write(typed, "".join(cells).encode())
    runner, desk, game, sink = seated(fd)
    with runner:
        runner.play()
    assert game.board.moves == list(range(256))
    assert len(desk.answers) == 256
    assert "one scores" not in sink.text, "that is the board's to say"


def test_a_complaint_asks_again_and_nothing_is_sent(keyboard: Keyboard) -> None:
    fd, typed = keyboard
    os.write(typed, b"1 1\n1 1\n0 0\n\xff\n1 2\nq\n")
    runner, desk, game, sink = seated(fd)
    with pytest.raises(Left, match="quit"), runner:
        runner.play()
    assert desk.answers == [b"1 1\n", b"1 2\n"]
    assert game.stopped == {}
    assert sink.text.count("VA-5: ") == 1
    assert sink.text.count("VA-4: ") == 2
    assert "\x1b" not in sink.text


def test_undo_gives_the_answers_before_it_and_they_are_played_at_once(keyboard: Keyboard) -> None:
    fd, typed = keyboard
    os.write(typed, b"u\n1 1\n2 2\nu\n")
    runner, _, _, sink = seated(fd)
    with pytest.raises(Undone) as undone, runner:
        runner.play()
    assert "nothing to take back" in sink.text
    assert undone.value.answers == (b"1 1\n",)
    os.write(typed, b"3 3\nq\n")
    runner, desk, game, _ = seated(fd, undone.value.answers)
    with pytest.raises(Left), runner:
        runner.play()
    assert desk.answers == [b"1 1\n", b"3 3\n"]
    assert game.board.moves == [0, 34]


def test_what_is_half_typed_when_the_terminal_goes_is_no_move() -> None:
    screen = Screen(0, Sink())  # type: ignore[arg-type]
    screen.feed(b"1 1\r2 2")
    assert screen.line() == "1 1"
    assert screen.line() is None
    screen.feed(b"")
    for _ in range(2):
        with pytest.raises(EOFError):
            screen.line()


def test_a_face_that_cannot_be_written_any_more_ends_the_match(keyboard: Keyboard) -> None:
    read, write = os.pipe()
    os.close(read)
    with open(write, "w") as broken:
        with pytest.raises(Left, match="the terminal is gone"):
            Screen(0, broken).told("one scores", grave=False)
        with pytest.raises(Left, match="nobody reads"):
            Lines(broken).told("one scores", grave=False)
        os.dup2(keyboard[1], write)  # what the stream still holds goes there


def test_another_match_does_not_ask_as_the_last_one_did() -> None:
    sink = Sink()
    lines = Lines(sink)  # type: ignore[arg-type]
    game = Valtapeli(["one", "two"])
    lines.open(BoardView(game), game.names)
    lines.turn(0, hidden=False)
    assert sink.text.endswith("one> ")
    lines.open(BoardView(game), game.names)
    lines.told("two 1 1", grave=False)
    assert sink.text.endswith("taken back.\ntwo 1 1\n")


def test_the_end_of_the_input_is_the_end_after_the_last_line(keyboard: Keyboard) -> None:
    fd, typed = keyboard
    os.write(typed, b"1 1\n2 2")
    spare = os.dup(fd)
    os.close(typed)
    runner, desk, _, _ = seated(fd)
    with pytest.raises(Left, match="the input ended"), runner:
        runner.play()
    os.dup2(spare, typed)
    os.close(spare)
    assert desk.answers == [b"1 1\n", b"2 2\n"]
