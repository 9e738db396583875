"""Valtapeli: house players, the opponents a candidate meets.

Law: pure and quick. A house player is given a line's bytes and gives the bytes of its answer; it keeps a board of its
own and reads no clock. In seat 1 (turn number 1) name and first move come together. The last rows of the table get
themselves stopped, each in its own way: the referee then plays for them, and a candidate must not notice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pdcheck.referee.valtapeli.board import CELLS, Board
from pdcheck.referee.valtapeli.codec import move_line, read_move
from pdcheck.scenarios.pack import Player
from pdcheck.scenarios.valtapeli.characters import CHARACTERS, Choose, first_free


class House:
    """Answers every line properly, with cells that `choose` finds."""

    def __init__(self, name: str, choose: Choose) -> None:
        self._name = name
        self._choose = choose
        self._board: Board | None = None

    def answer(self, message: bytes) -> bytes | None:
        """See `Player`. None where no answer is due: its 128 moves are made."""
        board = self._board
        if board is None:
            self._board = board = Board()
            return self._says(self._move(board) if message.strip() == b"1" else None)
        if not message.endswith(b"\n"):
            return None
        cell = read_move(message.rstrip(b"\n")).cell
        if cell is None:
            raise ValueError(f"{message!r} is no move: the referee sends no other line")
        board.claim(cell)
        return None if board.full else self._move(board)

    def _says(self, opening: bytes | None) -> bytes | None:
        """The name, and with it the first move where it is due at once; b"" as a move ends it before both."""
        return b"" if opening == b"" else self._name.encode("ascii") + b"\n" + (opening or b"")

    def _move(self, board: Board) -> bytes | None:
        cell = self._choose(board)
        board.claim(cell)
        return move_line(cell)


Fault = Callable[[Board], bytes | None]
"""What is said instead of a move: bytes, None (nothing) or b"" (the output ends)."""


class Unruly(House):
    """Plays first cells for `moves` moves, then does what gets it stopped."""

    def __init__(self, name: str, moves: int, fault: Fault) -> None:
        super().__init__(name, first_free)
        self._moves = moves
        self._fault = fault

    def _move(self, board: Board) -> bytes | None:
        if not self._moves:
            return self._fault(board)
        self._moves -= 1
        return super()._move(board)


class Nameless(House):
    """Answers its turn number with an empty line."""

    def _says(self, opening: bytes | None) -> bytes | None:
        return b"\n" + (opening or b"")


class Hasty(House):
    """In seat 2, moves together with its name instead of waiting for the first move."""

    def _says(self, opening: bytes | None) -> bytes | None:
        return super()._says(opening or move_line(CELLS - 1))


def _taken(board: Board) -> bytes:
    """A cell that is taken, or on an empty board none at all."""
    return move_line(board.moves[-1]) if board.moves else b"0 0\n"


def _twice(board: Board) -> bytes:
    return 2 * move_line(board.first_free)


UNRULY: Final[dict[str, tuple[str, Callable[[], Player]]]] = {
    "mute": ("Says its name and then nothing more (a hang).", lambda: Unruly("Mute", 0, lambda _: None)),
    "late-mute": (
        "Says nothing more after 100 moves (a hang).",
        lambda: Unruly("LateMute", 100, lambda _: None),
    ),
    "dead": ("Ends before its first move (IO-1).", lambda: Unruly("Dead", 0, lambda _: b"")),
    "late-dead": (
        "Ends after 127 moves, before its last (IO-1).",
        lambda: Unruly("LateDead", 127, lambda _: b""),
    ),
    "nameless": ("Answers its turn number with an empty line (VA-1).", lambda: Nameless("None", first_free)),
    "hasty": (
        "In seat 2, moves before it is told the first move (VA-3).",
        lambda: Hasty("Hasty", first_free),
    ),
    "babbler": (
        "Says where it would like to sit (VA-4).",
        lambda: Unruly("Babbler", 3, lambda _: b"in the middle\n"),
    ),
    "outside": (
        "Leaves the board after 10 moves (VA-4).",
        lambda: Unruly("Outside", 10, lambda _: b"17 1\n"),
    ),
    "taken": ("Claims the cell that the other has just claimed (VA-5).", lambda: Unruly("Taken", 20, _taken)),
    "twice": ("Writes its move twice (IO-3).", lambda: Unruly("Twice", 5, _twice)),
}
"""Name → what it does in a line, and how to make one."""

PLAYERS: Final = (*CHARACTERS, *UNRULY)
LEGAL_PLAYERS: Final = tuple(CHARACTERS)
"""Those that play every match to its end."""


def player(name: str, seed: int = 0) -> Player:
    """A new house player. Raises KeyError, listing the known names, for an unknown one."""
    if name in CHARACTERS:
        return House(_called(name), CHARACTERS[name](seed))
    if name in UNRULY:
        return UNRULY[name][1]()
    raise KeyError(f"no house player {name!r}; there are: {', '.join(PLAYERS)}")


def about(name: str) -> str:
    """Who a house player is, in one line. Raises KeyError."""
    if name in UNRULY:
        return UNRULY[name][0]
    make = CHARACTERS[name]
    return " ".join((make.__doc__ or make(0).__doc__ or "").split())


def _called(name: str) -> str:
    """The name that it gives: `first-free` says FirstFree."""
    return "".join(word.capitalize() for word in name.split("-"))
