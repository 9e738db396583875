"""Valtapeli: the matches that are repeated to see that a bot plays the same way each time, and their boards.

Law: pure. The opponents play the same way in every run; in alternate seats the candidate meets each of them in turn.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from pdcheck.referee.valtapeli.board import SHOWN, SIZE, Board, coordinates
from pdcheck.referee.valtapeli.codec import read_move
from pdcheck.scenarios.pack import Repeats, Said
from pdcheck.scenarios.scenario import Scenario

SAME, NAME, NAMED = "VA-9", "VA-2", "name"
CLAIMS: Final = ("move", "replaced")
OPPONENTS: Final = ("settler", "greedy", "spoiler", "chaos", "mirror", "corner")
"""Those that answer most to what the candidate does come first."""


def matches(seed: int, count: int, turns: int) -> list[Scenario]:
    """`count` matches of `turns` moves of the candidate (0: whole ones), in alternate seats."""
    return [_match(seed, number, turns) for number in range(count)]


def _match(seed: int, number: int, turns: int) -> Scenario:
    player = OPPONENTS[number % len(OPPONENTS)]
    chance = random.Random(f"repeat/{seed}/{number}")
    others = {"player": player} | ({"seed": int(chance.random() * 10_000)} if player == "chaos" else {})
    return Scenario(
        game="valtapeli",
        name=f"repeat-{number + 1}",
        about=SAME,
        why="The same match again, to see whether the same moves are made.",
        blame=False,
        seats=2,
        seat=number % 2,
        others=others,
        turns=turns,
        ending="eof" if turns else "quit",
    )


def draw(said: Sequence[Said]) -> list[str]:
    """The board after these words, as 17 lines; the last move has a `>` before it."""
    board = Board()
    for word in said:
        cell = read_move(word.what.encode()).cell if word.outcome in CLAIMS else None
        if cell is not None and board.is_free(cell):
            board.claim(cell)
    last = coordinates(board.moves[-1]) if board.moves else (0, 0)
    lines = ["   " + "".join(f"{column:2}" for column in range(1, SIZE + 1))]
    for row in range(1, SIZE + 1):
        owners = board.owners[(row - 1) * SIZE : row * SIZE]
        cells = (
            f"{'>' if (row, column) == last else ' '}{SHOWN[owner]}" for column, owner in enumerate(owners, 1)
        )
        lines.append(f"{row:3}{''.join(cells)}")
    return lines


REPEATS: Final = Repeats(
    same=SAME,
    name=NAME,
    named=NAMED,
    matches=matches,
    draw=draw,
    hints={
        "order": f"A cell's is {SIZE} * row + column.",
        "hash": "Of cells `min(cells)` or `sorted(cells)` is the same in every run.",
    },
)
