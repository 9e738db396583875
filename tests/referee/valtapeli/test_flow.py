"""The course of a match: who is told what and when, who may go, and what a stopped seat leaves behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from pdcheck.referee.clock import Stamp
from pdcheck.referee.game import Dismiss, Over
from pdcheck.referee.match import Event, Match, Send
from pdcheck.referee.valtapeli.board import CELLS, Board, cell_at
from pdcheck.referee.valtapeli.codec import move_line
from pdcheck.referee.valtapeli.flow import Script, Valtapeli
from pdcheck.referee.violations import Ruling


@dataclass
class Played:
    """A match that tests drive by hand: `say` writes for a seat, and everything that came of it is kept."""

    game: Valtapeli = field(default_factory=Valtapeli)
    events: list[Event] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.match = Match(self.game)
        self.events += self.match.begin()

    def say(self, seat: int, data: bytes) -> Played:
        self.now += 0.001
        self.events += self.match.received(seat, data, Stamp(self.now, 0.0))
        return self

    def sent(self, seat: int) -> list[bytes]:
        return [event.data for event in self.events if isinstance(event, Send) and event.seat == seat]

    def rulings(self, seat: int | None = None) -> list[Ruling]:
        return [e for e in self.events if isinstance(e, Ruling) and seat in (None, e.seat)]

    def broken(self, seat: int) -> list[str]:
        return [ruling.violation.requirement for ruling in self.rulings(seat) if ruling.violation]

    def flaws(self, seat: int) -> list[str]:
        return [flaw.requirement for ruling in self.rulings(seat) for flaw in ruling.flaws]

    def to_the_end(self, skip: Sequence[int] = ()) -> Played:
        """Both sides take the first free cell; a seat in `skip` is stopped and says nothing."""
        while not self.match.done:
            seat = next(s for s in (0, 1) if self.match.awaited(s))
            assert seat not in skip
            self.say(seat, move_line(self.game.board.first_free))
        return self

    @property
    def over(self) -> Over:
        assert self.match.over is not None
        return self.match.over


def named(**more: Any) -> Played:
    return Played(Valtapeli(**more)).say(0, b"First\n").say(1, b"Second\n")


def test_both_get_their_numbers_and_the_first_moves_unasked() -> None:
    played = Played()
    assert (played.sent(0), played.sent(1)) == ([b"1\n"], [b"2\n"])
    played.say(1, b"Second\n").say(0, b"First\n")
    assert played.match.awaited(0) == "opening"
    played.say(0, b"8 8\n")
    assert played.sent(1) == [b"2\n", b"8 8\n"]
    played.say(1, b"8 9\n")
    assert played.sent(0) == [b"1\n", b"8 9\n"]
    assert played.game.said == {0: "First", 1: "Second"}
    assert [(r.outcome, r.what) for r in played.rulings()] == [
        ("name", "First"),
        ("name", "Second"),
        ("move", "8 8"),
        ("move", "8 9"),
    ]


@pytest.mark.parametrize("late", [False, True])
def test_name_and_first_move_in_one_write(late: bool) -> None:
    played = Played()
    if late:
        played.say(1, b"Second\n")
    played.say(0, b"First\n8 8\n")
    if not late:
        played.say(1, b"Second\n")
    assert played.sent(1)[-1] == b"8 8\n"
    assert played.match.awaited(1) == "move"


def test_a_whole_match() -> None:
    played = named().to_the_end()
    over = played.over
    assert over.reason == "full"
    assert [place.score for place in over.places] == [played.game.board.score(), 0]
    # Row by row in turns: sixteen columns, eight each.
    assert over.facts["regions"] == [16] * 8
    assert over.places[0].score == 8 * 16**2
    assert [place.status for place in over.places] == ["OK", "OK"]
    assert over.facts["names"] == ["First", "Second"]
    assert len(over.facts["moves"]) == CELLS
    # Each is told the other's 128 moves, the last of them included, and nothing else.
    assert played.sent(0)[1:] == [move_line(cell) for cell in range(1, CELLS, 2)]
    assert played.sent(1)[1:] == [move_line(cell) for cell in range(0, CELLS, 2)]
    assert not played.flaws(0) + played.flaws(1)


def test_the_first_may_end_before_move_256_and_the_second_after_it() -> None:
    played = named()
    while len(played.game.board.moves) < CELLS - 1:
        seat = next(s for s in (0, 1) if played.match.awaited(s))
        played.say(seat, move_line(played.game.board.first_free))
    played.say(0, b"")
    played.say(1, b"16 16\n").say(1, b"")
    assert played.sent(0)[-1] == b"16 16\n"
    assert played.over.reason == "full"
    assert not played.broken(0) + played.broken(1)
    assert not played.game.stopped


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("together", [True, False])
def test_a_line_after_the_last_move_is_a_flaw_and_costs_nothing(seat: int, together: bool) -> None:
    played = named()
    while len(played.game.board.moves) < CELLS - 2 + seat:
        mover = next(s for s in (0, 1) if played.match.awaited(s))
        played.say(mover, move_line(played.game.board.first_free))
    last = move_line(played.game.board.first_free)
    if together:
        played.say(seat, last + b"1 1\n")
    else:
        played.say(seat, last).say(seat, b"1 1\n")
    played.to_the_end()
    assert played.flaws(seat) == ["VA-6"]
    assert not played.broken(seat)
    assert played.over.places[seat].status == "OK"


def test_the_public_fault_costs_nothing() -> None:
    """Its output ends right after move 256, whatever its exit status."""
    played = named().to_the_end()
    played.say(0, b"").say(1, b"")
    assert not played.game.stopped
    assert not played.broken(0) + played.broken(1)


def lapse(played: Played, seat: int, cpu: float) -> None:
    played.match.sent(seat, Stamp(played.now, 0.0))
    played.events += played.match.tick(seat, Stamp(played.now + 100.0, cpu))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("moves", [2, 20, 250])
@pytest.mark.parametrize(
    ("fault", "broken"),
    [
        (b"", "IO-1"),
        (b"1 1\n", "VA-5"),
        (b"17 1\n", "VA-4"),
        (b"\n", "VA-4"),
        (b"16 16\n9 9\n", "IO-3"),
        (b"16 16\nok\n", "IO-5"),
        (1.0, "IO-3"),
        (30.0, "VA-7"),
    ],
)
def test_a_stopped_seat_plays_on_by_the_first_free_cell(
    seat: int, moves: int, fault: bytes | float, broken: str
) -> None:
    played = named()
    while len(played.game.board.moves) < moves + seat:
        mover = next(s for s in (0, 1) if played.match.awaited(s))
        played.say(mover, move_line(played.game.board.first_free))
    before = list(played.game.board.moves)
    if isinstance(fault, bytes):
        played.say(seat, fault)
    else:
        lapse(played, seat, fault)
    told = len(played.sent(seat))
    played.to_the_end(skip=[seat])
    assert played.broken(seat) == [broken]
    assert played.game.stopped[seat].requirement == broken
    assert played.over.places[seat].status == "STOPPED"
    # From there on both take the first free cell, and nothing more is written to the stopped one.
    assert played.game.board.moves == [*before, *(c for c in range(CELLS) if c not in before)]
    assert len(played.sent(seat)) == told
    assert played.over.places[0].score == played.game.board.score() > 0


def quiet_opponent(played: Played, seat: int, cells: Iterator[int]) -> list[bytes]:
    """The seat plays these cells where they are free; what it was sent."""
    while not played.match.done:
        if played.match.awaited(seat):
            cell = next(c for c in cells if played.game.board.is_free(c))
            played.say(seat, move_line(cell))
        else:
            played.say(1 - seat, move_line(played.game.board.first_free))
    return played.sent(seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_opponent_cannot_notice(seat: int) -> None:
    """What it is sent is the same whether the other plays first cells by itself or was stopped at once."""
    sent = []
    for fault in (False, True):
        played = Played().say(seat, b"Other\n").say(1 - seat, b"no name\n" if fault else b"Simple\n")
        sent.append(quiet_opponent(played, seat, iter(range(CELLS - 1, -1, -1))))
        assert bool(played.game.stopped) is fault
    assert sent[0] == sent[1]


def test_both_stopped() -> None:
    played = Played().say(0, b"").say(1, b"")
    assert played.match.done
    assert played.game.board.moves == list(range(CELLS))
    assert [place.status for place in played.over.places] == ["STOPPED", "STOPPED"]
    assert played.sent(0) + played.sent(1) == [b"1\n", b"2\n"]


def test_deviations_in_spelling_are_told_and_played() -> None:
    played = Played().say(0, b" First\n").say(1, b"Second\r\n").say(0, b"+8  08\n")
    assert played.game.board.moves == [cell_at(8, 8)]
    assert played.sent(1)[-1] == b"8 8\n"
    assert played.flaws(0) == ["VA-12", "VA-12"]
    assert played.flaws(1) == ["IO-15"]


def test_a_taken_cell_names_who_took_it() -> None:
    played = named().say(0, b"8 8\n").say(1, b"8 8\n")
    [stopped] = [ruling for ruling in played.rulings(1) if ruling.violation]
    assert stopped.outcome == "stopped"
    assert stopped.what == "8 8"
    assert stopped.violation is not None
    assert stopped.violation.actual == "8 8: player 1 claimed it as move 1 of 1"


@pytest.mark.parametrize("pieces", [[b"Second\n5 5\n"], [b"Second\n", b"5 5\n"]])
def test_the_second_waits_for_the_first_move(pieces: list[bytes]) -> None:
    played = Played().say(0, b"First\n")
    for piece in pieces:
        played.say(1, piece)
    played.say(0, b"8 8\n")
    assert "VA-3" in played.broken(1)


def test_output_before_the_number_and_stray_text() -> None:
    game = Valtapeli()
    assert game.unasked(0, b"8 8", first=True).requirement == "IO-2"
    assert game.unasked(0, b"8 8", first=False).requirement == "IO-3"
    assert game.unasked(0, b"", first=False).requirement == "IO-3"
    assert game.unasked(0, b"thinking", first=False).requirement == "IO-5"
    game.board.claim(0)
    assert game.unasked(1, b"8 8", first=False).requirement == "IO-3"


# --- scripts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("turns", [1, 3])
def test_a_script_stops_after_so_many_turns(seat: int, turns: int) -> None:
    played = named(script=Script(seat, turns)).to_the_end()
    assert played.over.reason == "stopped"
    # Seat 0 is asked for its next move no more; seat 1 is stopped at once after its last.
    assert len(played.game.board.moves[seat::2]) == turns
    assert played.match.awaited(seat) is None


def test_a_script_stops_once_its_seat_is_stopped() -> None:
    played = named(script=Script(1)).say(0, b"8 8\n").say(1, b"8 8\n")
    assert played.match.done
    assert played.over.reason == "stopped"


def test_names_only() -> None:
    played = named(script=Script(0, names_only=True))
    assert played.match.done
    assert not played.game.board.moves
    assert played.sent(1) == [b"2\n"]


@pytest.mark.parametrize("seat", [0, 1])
def test_half_a_line(seat: int) -> None:
    played = named(script=Script(seat, 1, cut_short=True)).to_the_end()
    whole = move_line(played.game.board.moves[-1])
    assert played.sent(seat)[-1] == whole[: len(whole) // 2]
    assert played.over.reason == "stopped"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_line_that_is_left_unanswered(seat: int) -> None:
    played = named(script=Script(seat, 1, unanswered=True)).to_the_end()
    assert played.sent(seat)[-1] == move_line(played.game.board.moves[-1])
    assert played.over.reason == "stopped"


def test_not_a_word() -> None:
    played = Played(Valtapeli(script=Script(0, mute=True)))
    assert played.match.done
    assert played.sent(0) + played.sent(1) == []


@pytest.mark.parametrize("name", [b"Second\n", b"Second\n1 2\n"])
def test_number_and_first_move_together(name: bytes) -> None:
    played = Played(Valtapeli(script=Script(1, 2, together=True))).say(0, b"First\n1 1\n")
    assert played.sent(1) == [b"2\n1 1\n"]
    played.say(1, name)
    if name == b"Second\n":
        assert played.match.awaited(1) == "move"
        played.say(1, b"1 2\n")
    assert played.game.board.moves == [0, 1]
    assert not played.broken(1)


def test_listening_before_the_first_move() -> None:
    played = named(script=Script(1, 1, listen=0.5)).say(0, b"8 8\n")
    assert played.match.awaited(1) == "silence"
    played.match.sent(1, Stamp(1.0))
    played.events += played.match.tick(1, Stamp(1.5))
    assert played.sent(1)[-1] == b"8 8\n"
    assert not played.broken(1)


def test_listening_hears_a_hasty_second() -> None:
    played = named(script=Script(1, 1, listen=0.5)).say(0, b"8 8\n").say(1, b"5 5\n")
    assert played.broken(1) == ["VA-3"]


# --- showing ------------------------------------------------------------------------------------------------


def test_each_move_is_shown_when_asked_for() -> None:
    played = named(names=("A", "B"), show=True).say(0, b"8 8\n").say(1, b"8 8\n").say(0, b"8 9\n")
    lines = [ruling.line for ruling in played.rulings() if ruling.line]
    assert lines[:3] == ["1: A 8 8 [1]", "2: B (stopped) 1 1 [1]", "3: A 8 9 [4]"]
    assert not [r.line for r in named().say(0, b"8 8\n").rulings() if r.line]


def test_two_play() -> None:
    with pytest.raises(ValueError, match="3 names"):
        Valtapeli(("A", "B", "C"))


def test_the_boards_of_facts_and_moves_agree() -> None:
    facts = named().to_the_end().over.facts
    board = Board(cell_at(row, column) for row, column in facts["moves"])
    assert list(board.rows()) == facts["board"]


def test_a_stopped_seat_is_dismissed_once_where_the_match_goes_on() -> None:
    played = Played().say(0, b"Ann\n").say(1, b"B!\n").say(0, b"1 1\n").say(0, b"1 3\n")
    assert [event for event in played.events if isinstance(event, Dismiss)] == [Dismiss(1)]
    # A check stops with its own seat: what becomes of that one then is what it wants to see.
    checked = Played(Valtapeli(script=Script(1, 2))).say(0, b"Ann\n").say(1, b"B!\n").say(0, b"1 1\n")
    assert checked.match.done
    assert not any(isinstance(event, Dismiss) for event in checked.events)


def test_with_another_time_the_guard_is_as_much_longer_or_shorter() -> None:
    assert (Valtapeli().guard.turn, Valtapeli().guard.match) == (60.0, 300.0)
    assert (Valtapeli(time=3.0).guard.turn, Valtapeli(time=3.0).guard.match) == (6.0, 30.0)
