"""Faults in which cell a bot takes (VA-5), and in what it can bear of the other's play (VA-10).

Law of this file: every line is a name or a move as it should be. A bot of VA-5 goes on as if nothing had happened when
it has taken a taken cell; one of VA-10 never takes any, but breaks down.
"""

from __future__ import annotations

import sys

from .base import CELLS, FREE, OTHER, OWN, SIZE, Bot, Grower, Tempted, beside, cell_at, coordinates, fault

CORNERS = (0, SIZE - 1, CELLS - SIZE, CELLS - 1)


# VA-5: what it marks ----------------------------------------------------------------------------------------


class Lax(Bot):
    """Its board may be wrong, so that it may find no free cell on it: then it takes the first one."""

    def choose(self) -> int:
        return max(self.board.find(FREE), 0)


@fault("VA-5", "MUST", "own-cell")
class OwnCell(Bot):
    """The absent-minded does not mark its own first move, and makes it again."""

    def mark_own(self, cell: int) -> None:
        if self.made:
            super().mark_own(cell)


@fault("VA-5", "MUST", "swaps-row-and-column")
class SwapsRowAndColumn(Lax):
    """The transposed takes the row that it reads for the column."""

    def mark_other(self, cell: int) -> None:
        row, column = coordinates(cell)
        super().mark_other(cell_at(column, row))


@fault("VA-5", "MUST", "stride-17")
class Stride17(Lax):
    """The framed has an edge around its board, and forgot it where it reads."""

    def mark_other(self, cell: int) -> None:
        row, column = coordinates(cell)
        super().mark_other(min((row - 1) * (SIZE + 1) + column - 1, CELLS - 1))


@fault("VA-5", "MUST", "forgets-the-last-row")
class ForgetsTheLastRow(Lax):
    """The one-short has a board of 15 rows, and takes row 16 for free for ever."""

    def mark_other(self, cell: int) -> None:
        if cell < CELLS - SIZE:
            super().mark_other(cell)


@fault("VA-5", "MUST", "undoes-a-move")
class UndoesAMove(Grower):
    """The searcher takes back one trial move too many, the other's last, when nothing beside it is free."""

    def choose(self) -> int:
        if self.last >= 0 and all(self.board[cell] != FREE for cell in beside(self.last)):
            self.board[self.last] = FREE
        return super().choose()


# VA-5: what it wants ----------------------------------------------------------------------------------------


@fault("VA-5", "MUST", "mirrors")
class Mirrors(Tempted):
    """The vain mirrors the other's moves, and does not look whether the opposite cell is still free."""

    def tempt(self) -> int | None:
        return CELLS - 1 - self.last if self.last >= 0 else None


@fault("VA-5", "MUST", "when-mirrored")
class WhenMirrored(Tempted):
    """The flattered plays the other's last cell when its own last four moves were mirrored."""

    def __init__(self) -> None:
        super().__init__()
        self.mirrored = 0
        self.own = -1

    def mark_own(self, cell: int) -> None:
        super().mark_own(cell)
        self.own = cell

    def mark_other(self, cell: int) -> None:
        super().mark_other(cell)
        self.mirrored = self.mirrored + 1 if self.own == CELLS - 1 - cell else 0

    def tempt(self) -> int | None:
        return self.last if self.mirrored >= 4 else None


@fault("VA-5", "MUST", "when-told-a-corner")
class WhenToldACorner(Tempted):
    """The cornered answers a corner with the same corner."""

    def tempt(self) -> int | None:
        return self.last if self.last in CORNERS else None


@fault("VA-5", "MUST", "tires-after-100")
class TiresAfter100(Tempted):
    """The tired has not looked at the board since its hundredth move."""

    def tempt(self) -> int | None:
        return self.taken() if self.made > 100 else None


@fault("VA-5", "MUST", "the-last-two")
class TheLastTwo(Tempted):
    """The off-by-one looks for its last move beside the only cell that is left."""

    def tempt(self) -> int | None:
        return self.taken() if self.board.count(FREE) <= 2 else None


@fault("VA-5", "MUST", "wraps-around")
class WrapsAround(Bot):
    """The globetrotter thinks that right of column 16 lies column 1 of the same row, and that it is free."""

    def choose(self) -> int:
        row, column = divmod(self.last, SIZE)
        return row * SIZE if self.made > 3 and column == SIZE - 1 else super().choose()


@fault("VA-5", "MUST", "full-row")
class FullRow(Tempted):
    """The rower takes the first cell of the row that the other has just filled up."""

    def tempt(self) -> int | None:
        row = self.last // SIZE * SIZE
        full = self.last >= 0 and FREE not in self.board[row : row + SIZE]
        return row if full else None


# VA-10: what it can bear ------------------------------------------------------------------------------------


@fault("VA-10", "MUST", "three-corners")
class ThreeCorners(Bot):
    """The confined dies when the other holds three corners."""

    def choose(self) -> int:
        if [self.board[corner] for corner in CORNERS].count(OTHER) == 3:
            raise IndexError("pop from empty list")
        return super().choose()


@fault("VA-10", "MUST", "nothing-near-the-last-move")
class NothingNearTheLastMove(Bot):
    """The follower dies when it finds no free cell within two of the other's last move, late in a match."""

    def choose(self) -> int:
        row, column = divmod(self.last, SIZE)
        near = [
            cell
            for cell in range(CELLS)
            if self.board[cell] == FREE and abs(cell // SIZE - row) <= 2 and abs(cell % SIZE - column) <= 2
        ]
        if self.made > 60 and not near:
            raise ValueError("max() arg is an empty sequence")
        return super().choose()


@fault("VA-10", "MUST", "deep-regions")
class DeepRegions(Bot):
    """The recursive counts its regions by a function that calls itself, which is too deep from 90 cells on."""

    def choose(self) -> int:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(110)
        seen: set[int] = set()
        for cell in range(CELLS):
            if self.board[cell] == OWN and cell not in seen:
                self.fill(cell, seen)
        sys.setrecursionlimit(limit)
        return super().choose()

    def fill(self, cell: int, seen: set[int]) -> None:
        seen.add(cell)
        for near in beside(cell):
            if self.board[near] == OWN and near not in seen:
                self.fill(near, seen)


@fault("VA-10", "MUST", "one-free-cell")
class OneFreeCell(Bot):
    """The comparer has nothing to compare when a single cell is left, and dies of it."""

    def choose(self) -> int:
        if self.board.count(FREE) == 1:
            raise IndexError("list index out of range")
        return super().choose()


@fault("VA-10", "MUST", "last-cells-apart")
class LastCellsApart(Bot):
    """The grouper dies when four free cells are left and none lies beside another."""

    def choose(self) -> int:
        free = [cell for cell in range(CELLS) if self.board[cell] == FREE]
        if len(free) in (3, 4) and not any(
            self.board[near] == FREE for cell in free for near in beside(cell)
        ):
            raise ZeroDivisionError("division by zero")
        return super().choose()


@fault("VA-10", "MUST", "150-moves-as-second")
class The150MovesAsSecond(Bot):
    """The fixed has room for 150 moves, but in seat 2 only."""

    def choose(self) -> int:
        if self.seat == 2 and self.moves > 150:
            raise IndexError("bytearray index out of range")
        return super().choose()
