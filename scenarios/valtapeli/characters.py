"""Valtapeli: how the house players choose their cells.

Law: each is a function of the board alone (whose turn it is says which side it plays), so it plays the same way in
every run (VA-9); chance comes from a seed that is given. One row of `CHARACTERS` a player, the plainest first.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final

from pdcheck.referee.valtapeli.board import CELLS, FIRST, FREE, NEIGHBOURS, SIZE, Board, coordinates

Choose = Callable[[Board], int]
"""A free cell for the player in turn, on a board that is not full."""


def first_free(board: Board) -> int:
    """Takes the first free cell, row by row, as the contest's sample program does."""
    return board.first_free


def greedy(board: Board) -> int:
    """Takes the cell by which player 1's score would grow most at once: to get it, or to keep it from being got."""
    return _best(board.free(), lambda cell: (board.gain(cell, FIRST), -_OFF_CENTRE[cell]))


def settler(board: Board) -> int:
    """Takes the cell that joins most with most room around it: player 1 grows where it can go on, player 2 is there
    first."""
    return _best(board.free(), lambda cell: (_worth(board, cell), -_OFF_CENTRE[cell]))


def spoiler(board: Board) -> int:
    """Sits down right beside the other's last move, where that region could grow most."""
    if not board.moves:
        return _CENTRE
    near = [cell for cell in NEIGHBOURS[board.moves[-1]] if board.is_free(cell)]
    other = 3 - board.turn
    return _best(near, lambda cell: (board.gain(cell, other), _room(board, cell))) if near else greedy(board)


def mirror(board: Board) -> int:
    """Answers each move with the cell opposite to it through the board's middle; where that is taken, with the last
    free cell."""
    opposite = CELLS - 1 - board.moves[-1] if board.moves else _CENTRE
    return opposite if board.is_free(opposite) else board.owners.rindex(FREE)


def corner(board: Board) -> int:
    """Fills the four corners, then goes along the edges and inwards."""
    return next(cell for cell in _INWARDS if board.is_free(cell))


def chaos(seed: int) -> Choose:
    """Takes free cells at random, by its seed."""
    chance = random.Random(seed)

    def choose(board: Board) -> int:
        free = board.free()
        return free[int(chance.random() * len(free))]

    return choose


CHARACTERS: Final[dict[str, Callable[[int], Choose]]] = {
    "first-free": lambda _: first_free,
    "greedy": lambda _: greedy,
    "settler": lambda _: settler,
    "spoiler": lambda _: spoiler,
    "mirror": lambda _: mirror,
    "corner": lambda _: corner,
    "chaos": chaos,
}
"""Name → the choice made from a seed; only `chaos` makes something of it."""


def scripted(cells: Iterable[int], avoid: Iterable[int], then: Choose) -> Choose:
    """Takes `cells` in their order, each as soon as it is its turn and unless it is taken by then; then goes on as
    `then` does, but leaves the cells of `avoid` free while there are others."""
    plan = list(reversed(list(cells)))
    left = frozenset(avoid)

    def choose(board: Board) -> int:
        while plan:
            cell = plan.pop()
            if board.is_free(cell):
                return cell
        choice = then(board)
        if choice not in left:
            return choice
        return next((cell for cell in board.free() if cell not in left), choice)

    return choose


_CENTRE: Final = CELLS // 2 + SIZE // 2


def _off_centre(cell: int) -> int:
    """Twice the distance from the board's middle, in steps."""
    row, column = coordinates(cell)
    return abs(2 * row - SIZE - 1) + abs(2 * column - SIZE - 1)


def _from_corner(cell: int) -> tuple[int, int, int]:
    row, column = coordinates(cell)
    down, across = min(row - 1, SIZE - row), min(column - 1, SIZE - column)
    return min(down, across), down + across, cell


_INWARDS: Final = tuple(sorted(range(CELLS), key=_from_corner))
_OFF_CENTRE: Final = tuple(map(_off_centre, range(CELLS)))


def _room(board: Board, cell: int) -> int:
    return bytes([board.owners[near] for near in NEIGHBOURS[cell]]).count(FREE)


def _worth(board: Board, cell: int) -> int:
    """What a free cell is worth to player 1, and so to player 2 to take away: what it joins, by where it leads."""
    return (1 + sum(board.joined(cell, FIRST))) * (1 + 4 * _room(board, cell))


def _best(cells: Iterable[int], value: Callable[[int], tuple[int, int]]) -> int:
    """The cell of the greatest value; the first of several."""
    return max(cells, key=value)
