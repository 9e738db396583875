"""Valtapeli: hypothesis strategies of boards and matches.

Law: whatever is drawn can happen: a board is a run of moves by both sides, each into a free cell. Every choice is an
integer that shrinks to the plainest one, so a failing match loses all that the failure does not need: a bot that fails
against a random opponent is shown the first cells in order.

In a contestant's own tests::

    from hypothesis import given
    from pdcheck.referee.valtapeli.board import Board
    from pdcheck.scenarios.valtapeli.strategies import moves

    @given(moves(most=255))
    def test_my_move_is_legal(cells):
        board = Board(cells)
        ...  # board.turn is the player to move, board.rows() the board

`generate` and `matches` make the same scenarios from a seed alone, anywhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from pdcheck.referee.valtapeli.board import CELLS
from pdcheck.referee.valtapeli.codec import shown
from pdcheck.scenarios.scenario import Scenario
from pdcheck.scenarios.valtapeli.players import LEGAL_PLAYERS, UNRULY

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Pick = Callable[[int, int], int]
"""An integer of [least, most]; a shrinker makes it as small as it can."""

GAME: Final = "valtapeli"
LONGEST_OPENING: Final = 12
"""Cells that a generated opponent takes first."""
MOST_AVOIDED: Final = 6
"""Cells that it leaves to the last."""
MOST_TURNS: Final = 16


def moves(least: int = 0, most: int = CELLS) -> SearchStrategy[tuple[int, ...]]:
    """A hypothesis strategy of `least` to `most` moves from the empty board, as cells 0 to 255, no cell twice.

    The shortest and the lowest cells are the simplest. Needs hypothesis.
    """
    return _drawn(lambda pick: _moves(pick, least, most))


def almost_full(most_free: int = 4) -> SearchStrategy[tuple[int, ...]]:
    """A hypothesis strategy of moves that leave 1 to `most_free` cells free."""
    return moves(CELLS - most_free, CELLS - 1)


def states(name: str = "state") -> SearchStrategy[Scenario]:
    """A hypothesis strategy of scenarios of a few turns: an opening, an opponent, a seat."""
    return _drawn(lambda pick: _state(pick, name))


def generate(seed: int, count: int) -> list[Scenario]:
    """`count` such scenarios, named gen-0001 and so on; number n depends on `seed` and n alone."""
    return [_state(_picker(f"state/{seed}/{number}"), f"gen-{number:04}") for number in range(1, count + 1)]


def matches(seed: int, count: int) -> list[Scenario]:
    """`count` whole matches in alternate seats; in every fourth the opponent gets itself stopped."""
    return [_match(_picker(f"match/{seed}/{number}"), number) for number in range(count)]


def _picker(seed: str) -> Pick:
    chance = random.Random(seed)
    return lambda least, most: least + int(chance.random() * (most - least + 1))


def _drawn(make: Callable[[Pick], Any]) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    @st.composite
    def drawing(draw: Any) -> Any:
        return make(lambda least, most: draw(st.integers(least, most)))

    return drawing()


def _moves(pick: Pick, least: int, most: int) -> tuple[int, ...]:
    """One pick a move would make a full board of 256 choices: a seed orders the cells, 0 leaves them as they are."""
    count, order = pick(least, most), list(range(CELLS))
    if seed := pick(0, 2**32):
        random.Random(seed).shuffle(order)
    return tuple(order[:count])


def _cells(pick: Pick, most: int) -> list[str]:
    return list(dict.fromkeys(shown(pick(0, CELLS - 1)) for _ in range(pick(0, most))))


def _others(pick: Pick, player: str) -> dict[str, Any]:
    """How the other side plays, with what is empty left out."""
    parts: dict[str, Any] = {
        "player": player,
        "script": _cells(pick, LONGEST_OPENING),
        "avoid": _cells(pick, MOST_AVOIDED),
        "seed": pick(0, 9_999) if player == "chaos" else 0,
    }
    return {key: part for key, part in parts.items() if part}


def _of(names: Sequence[str], pick: Pick) -> str:
    return names[pick(0, len(names) - 1)]


def _state(pick: Pick, name: str) -> Scenario:
    return Scenario(
        game=GAME,
        name=name,
        about="VA-10",
        why="A generated opening and opponent.",
        blame=False,
        seats=2,
        seat=pick(0, 1),
        others=_others(pick, _of(LEGAL_PLAYERS, pick)),
        turns=pick(1, MOST_TURNS),
        ending="eof",
    )


def _match(pick: Pick, number: int) -> Scenario:
    unruly = number % 4 == 3
    others = {"player": _of(tuple(UNRULY), pick)} if unruly else _others(pick, _of(LEGAL_PLAYERS, pick))
    return Scenario(
        game=GAME,
        name=f"match-{number + 1:04}",
        about="VA-7",
        why="A whole match against a house player, for its rules, its time and its end.",
        blame=False,
        seats=2,
        seat=number % 2 if number % 8 < 4 else 1 - number % 2,
        others=others,
        turns=0,
    )
