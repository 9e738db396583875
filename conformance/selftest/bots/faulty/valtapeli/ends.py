"""Faults at the end of a match (VA-6): every move that is made is right.

Law of this file: whatever lingers ends by itself within half a minute, and on SIGTERM or SIGKILL at once.
"""

from __future__ import annotations

import os
import time

from .base import FREE, Bot, complain, die_by, fault

SIGABRT = 6


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


@fault("VA-6", "SHOULD", "status-3")
class Status3(Bot):
    """The scorer ends with the number of its regions as its status."""

    def at_end(self) -> int:
        return 3


@fault("VA-6", "SHOULD", "aborts")
class Aborts(Bot):
    """The double freer aborts by a signal when all is done."""

    def at_end(self) -> int:
        complain("free(): double free detected in tcache 2")
        die_by(SIGABRT)
        return 0


@fault("VA-6", "SHOULD", "stays")
class Stays(Bot):
    """The guest does not go: it sits there for half a minute after its last move."""

    def at_end(self) -> int:
        time.sleep(30)
        return 0


@fault("VA-6", "SHOULD", "says-good-game")
class SaysGoodGame(Bot):
    """The sportsman says something after its last move."""

    def at_end(self) -> int:
        self.answer("good game")
        return 0


@fault("VA-6", "SHOULD", "move-129")
class Move129(Bot):
    """The unstoppable makes its last move once more when it is told move 256."""

    def at_end(self) -> int:
        if self.seat == 1 and next(self.input, None) is not None:
            self.answer("1 1")
        return 0


@fault("VA-6", "SHOULD", "prints-its-score")
class PrintsItsScore(Bot):
    """The accountant prints what it has got when the board is full."""

    def at_end(self) -> int:
        while FREE in self.board and (line := next(self.input, None)) is not None:
            self.told(line)
        self.answer("score 8194")
        return 0


@fault("VA-6", "SHOULD", "thread-stays")
class ThreadStays(Bot):
    """The weaver forgot a thread that keeps the process alive, for half a minute."""

    def at_end(self) -> int:
        import threading

        threading.Thread(target=time.sleep, args=(30,)).start()
        return 0


@fault("VA-6", "SHOULD", "spins")
class Spins(Bot):
    """The hamster asks its input for another move again and again, for as long as it does not get one."""

    def at_end(self) -> int:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            os.read(0, 16)
        return 0
