"""Faults at the end of a match (VA-6).

Law of this file: every move that is made is right, and none of these bots lingers.
"""

from __future__ import annotations

from .base import FREE, Bot, fault


@fault("VA-6", "SHOULD", "dies-of-a-full-board")
class DiesOfAFullBoard(Bot):
    """The endless takes move 256 for one more to answer, finds no free cell, and dies of it; so it does in seat 2."""

    def at_end(self) -> int:
        while (line := next(self.input, None)) is not None:
            self.told(line)
            self.move()
        raise EOFError("EOF when reading a line")


@fault("VA-6", "SHOULD", "dies-at-end-of-input")
class DiesAtEndOfInput(Bot):
    """The public one marks move 256, waits for the next, and takes the end of its input for an error: status 1."""

    def at_end(self) -> int:
        for line in self.input:
            self.told(line)
        return 1


@fault("VA-6", "SHOULD", "leaves-before-its-last-move")
class LeavesBeforeItsLastMove(Bot):
    """The miscounter makes 127 moves, and ends with status 0 as if they were 128."""

    def move(self) -> None:
        super().move()
        if self.made == 127:
            raise SystemExit(0)


@fault("VA-6", "SHOULD", "move-129")
class Move129(Bot):
    """The unstoppable makes its last move once more when it is told move 256."""

    cell = -1

    def mark_own(self, cell: int) -> None:
        super().mark_own(cell)
        self.cell = cell

    def at_end(self) -> int:
        if self.seat == 1 and next(self.input, None) is not None:
            self.say_move(self.cell)
        return 0


@fault("VA-6", "SHOULD", "prints-its-score")
class PrintsItsScore(Bot):
    """The accountant prints what it has got when the board is full."""

    def at_end(self) -> int:
        while FREE in self.board and (line := next(self.input, None)) is not None:
            self.told(line)
        self.answer("score 8194")
        return 0
