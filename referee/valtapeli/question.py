"""Valtapeli: the referee's answer to one situation, without a match.

Law: pure; what a state is made of is read strictly, and a state that no match can reach raises ValueError.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pdcheck.referee.valtapeli.board import Board, Taken, coordinates
from pdcheck.referee.valtapeli.codec import read_move

STATE = ("moves",)


def legal(state: Mapping[str, Any], play: Any) -> dict[str, Any]:
    """What stands on the board after the state's `moves`, and whether `play` may be played on it.

    `moves`: the moves since the start, each "ROW COLUMN" or [row, column], player 1's first. `play`: one such move, or
    None: then the answer has the player in `turn`, the number of `free` cells and the first of them, player 1's
    `regions` and `score`, and the `board` as 16 strings. With a play: `legal`, and if not, what it `breaks`, in words.
    Raises ValueError for what is no state.
    """
    if unknown := sorted(set(state) - set(STATE)):
        raise ValueError(f"state: unknown key {unknown[0]!r}; known are {', '.join(STATE)}")
    board = _board(state.get("moves", []))
    if play is None:
        return _told(board)
    cell, flaws = read_move(_line(play))
    if cell is not None and board.is_free(cell):
        deviations = [{"requirement": flaw.requirement, "actual": flaw.actual} for flaw in flaws]
        return {"legal": True, "gain": board.gain(cell, board.turn), "flaws": deviations}
    if cell is not None:
        owner = board.owners[cell]
        return {
            "legal": False,
            "breaks": "VA-5",
            "expected": "a free cell",
            "actual": f"player {owner} has it",
        }
    flaw = flaws[0]
    return {"legal": False, "breaks": flaw.requirement, "expected": flaw.expected, "actual": flaw.actual}


def _board(moves: Any) -> Board:
    if not isinstance(moves, list):
        raise ValueError("state: moves is a list of moves")
    board = Board()
    for number, move in enumerate(moves, 1):
        cell, flaws = read_move(_line(move))
        if cell is None:
            raise ValueError(f"state: move {number}: {flaws[0].expected} is expected, got {flaws[0].actual}")
        try:
            board.claim(cell)
        except Taken as taken:
            raise ValueError(f"state: move {number}: {taken}") from None
    return board


def _line(move: Any) -> bytes:
    """A move as its line: strings as they are, arrays of two integers written out, anything else as it shows."""
    if isinstance(move, list) and all(type(part) is int for part in move):
        return " ".join(map(str, move)).encode()
    return (move if isinstance(move, str) else repr(move)).encode("utf-8", "backslashreplace")


def _told(board: Board) -> dict[str, Any]:
    free = len(board.free())
    return {
        "turn": board.turn if free else None,
        "free": free,
        "first_free": list(coordinates(board.first_free)) if free else None,
        "regions": list(board.regions()),
        "score": board.score(),
        "board": list(board.rows()),
    }
