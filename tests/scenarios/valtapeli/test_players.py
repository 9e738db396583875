"""House players: their characters, and that every one of them is repeatable and minds the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import pytest
from pdcheck.conformance.transcript import Line, Ruled, Sent, Transcript
from pdcheck.referee.valtapeli.board import CELLS, Board, cell_at
from pdcheck.referee.valtapeli.codec import move_line, read_move, read_name
from pdcheck.referee.valtapeli.flow import Valtapeli
from pdcheck.scenarios.pack import Player
from pdcheck.scenarios.valtapeli.characters import CHARACTERS, scripted
from pdcheck.scenarios.valtapeli.players import LEGAL_PLAYERS, PLAYERS, UNRULY, about, player

Play = Callable[[Valtapeli, Player, Player], Transcript]


@pytest.fixture(scope="session")
def match(play: Play) -> Callable[[str, str], tuple[Valtapeli, Transcript]]:
    """A match of two house players by name; each pair is played once."""

    @cache
    def played(first: str, second: str) -> tuple[Valtapeli, Transcript]:
        game = Valtapeli()
        return game, play(game, player(first, 3), player(second, 4))

    return played


Matches = Callable[[str, str], tuple[Valtapeli, Transcript]]


def board(*moves: str) -> Board:
    cells = [read_move(move.encode()).cell for move in moves]
    return Board(cell for cell in cells if cell is not None)


def choice(name: str, *moves: str) -> str:
    return move_line(CHARACTERS[name](1)(board(*moves))).decode().strip()


@pytest.mark.parametrize("name", LEGAL_PLAYERS)
@pytest.mark.parametrize("other", ["chaos", "spoiler"])
def test_legal_players_play_every_match_to_its_end(match: Matches, name: str, other: str) -> None:
    for pair in ((name, other), (other, name)):
        game, log = match(*pair)
        assert game.board.full
        assert not game.stopped
        assert not [e for e in log.events if isinstance(e, Ruled) and e.ruling.flaws]


@pytest.mark.parametrize("name", LEGAL_PLAYERS)
def test_a_player_plays_the_same_way_again(play: Play, match: Matches, name: str) -> None:
    again = Valtapeli()
    play(again, player(name, 3), player("chaos", 4))
    assert again.board.moves == match(name, "chaos")[0].board.moves


def test_chaos_depends_on_its_seed_alone(play: Play) -> None:
    moves = []
    for seed in (3, 3, 5):
        game = Valtapeli()
        play(game, player("chaos", seed), player("first-free"))
        moves.append(tuple(game.board.moves))
    assert moves[0] == moves[1] != moves[2]


@pytest.mark.parametrize("name", PLAYERS)
def test_each_has_a_name_of_its_own_and_a_line_about_it(name: str) -> None:
    said = player(name).answer(b"2\n")
    assert said is not None
    if name != "nameless":
        assert read_name(said.split(b"\n")[0]).flaws == ()
    assert re.fullmatch(r"[A-Z].+\.", about(name))
    assert "\n" not in about(name)


def test_an_unknown_player() -> None:
    with pytest.raises(KeyError, match=r"no house player 'nobody'.*first-free"):
        player("nobody")
    with pytest.raises(KeyError):
        about("nobody")


def test_name_and_first_move_come_together_in_seat_1_only() -> None:
    assert player("first-free").answer(b"1\n") == b"FirstFree\n1 1\n"
    second = player("first-free")
    assert second.answer(b"2\n") == b"FirstFree\n"
    assert second.answer(b"1 1\n") == b"1 2\n"


def test_nothing_is_said_after_the_last_move() -> None:
    house = player("first-free")
    house.answer(b"1\n")
    answers = [house.answer(move_line(cell)) for cell in range(CELLS - 1, CELLS // 2 - 1, -1)]
    assert None not in answers[:-1]
    assert answers[-1] is None


def test_a_line_that_no_referee_sends() -> None:
    house = player("first-free")
    house.answer(b"2\n")
    with pytest.raises(ValueError, match="no move"):
        house.answer(b"quit\n")


def test_characters() -> None:
    assert choice("first-free", "1 1", "1 2") == "1 3"
    assert choice("corner") == "1 1"
    assert choice("corner", "1 1", "16 16", "1 16") == "16 1"
    assert choice("mirror", "1 3") == "16 14"
    assert choice("mirror", "16 14", "5 5", "1 3") == "16 16"  # the opposite cell is taken
    assert choice("spoiler", "8 8") in {"7 8", "9 8", "8 7", "8 9"}


def test_greedy_joins_as_player_1_and_is_there_first_as_player_2() -> None:
    # 5 6 joins two regions of one into three cells; no other cell joins both.
    assert choice("greedy", "5 5", "16 1", "5 7", "16 2") == "5 6"
    assert choice("greedy", "5 5", "16 1", "5 7") == "5 6"


def test_settler_grows_where_there_is_room() -> None:
    # Beside the corner there is less room than beside the middle.
    assert choice("settler", "1 1", "16 16", "8 8", "16 15") in {"7 8", "9 8", "8 7", "8 9"}


@pytest.mark.parametrize("other", ["first-free", "greedy", "corner", "chaos"])
def test_settler_is_a_decent_player(match: Matches, other: str) -> None:
    """Against each of these it scores more as starter than they do against it."""
    assert match("settler", other)[0].board.score() > match(other, "settler")[0].board.score()


@pytest.mark.parametrize(
    ("name", "broken", "first", "moves"),
    [
        ("mute", "IO-3", 0, 0),
        ("dead", "IO-1", 0, 0),
        ("mute", "IO-3", 1, 0),
        ("late-mute", "IO-3", 0, 100),
        ("dead", "IO-1", 1, 0),
        ("late-dead", "IO-1", 0, 127),
        ("nameless", "VA-1", 0, 0),
        ("hasty", "VA-3", 1, 0),
        ("babbler", "VA-4", 1, 3),
        ("outside", "VA-4", 0, 10),
        ("taken", "VA-5", 1, 20),
        ("twice", "IO-3", 0, 5),
    ],
)
def test_unruly_players_get_themselves_stopped(
    play: Play, name: str, broken: str, first: int, moves: int
) -> None:
    game = Valtapeli()
    seats = [player("first-free"), player("first-free")]
    seats[first] = player(name)
    log = play(game, *seats)
    assert game.board.full
    assert {seat: violation.requirement for seat, violation in game.stopped.items()} == {first: broken}
    made = [e for e in log.events if isinstance(e, Ruled) and e.ruling == e.ruling._replace(seat=first)]
    assert sum(event.ruling.outcome == "move" for event in made) == moves


def test_the_table_of_unruly_players_is_tested_whole() -> None:
    assert len(UNRULY) == 10


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", ["mute", "dead", "nameless"])
def test_the_opponent_of_a_stopped_player_is_told_the_same(play: Play, name: str, seat: int) -> None:
    told = []
    for other in ("first-free", name):
        game = Valtapeli()
        seats = [player("corner"), player(other)] if seat == 0 else [player(other), player("corner")]
        log = play(game, *seats)
        told.append([event.data for event in log.of(seat) if isinstance(event, Sent)])
        assert len([e for e in log.of(seat) if isinstance(e, Line)]) == 1 + CELLS // 2
    assert told[0] == told[1]


def test_a_script_is_followed_where_it_can_be() -> None:
    cells = [cell_at(1, 1), cell_at(2, 2), cell_at(3, 3)]
    choose = scripted(cells, [cell_at(1, 2)], CHARACTERS["first-free"](0))
    played = Board()
    played.claim(choose(played))
    played.claim(cell_at(2, 2))
    played.claim(choose(played))
    assert played.moves == [cells[0], cells[1], cells[2]]
    assert choose(played) == cell_at(1, 3)  # 1 2 is left to the last


def test_what_is_avoided_is_taken_when_nothing_else_is_free() -> None:
    last = [cell_at(1, 1), cell_at(1, 2)]
    choose = scripted([], last, CHARACTERS["first-free"](0))
    assert choose(Board(range(2, CELLS))) == last[0]
    assert choose(Board(range(3, CELLS))) == 2
