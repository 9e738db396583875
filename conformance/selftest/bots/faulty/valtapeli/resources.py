"""Faults in the use of time and memory (VA-7, VA-8).

Law of this file: every line and every move is right and in each run the same, whatever a match's budget is. The kit
plays with `SECONDS` of CPU time a match; what is burned here is more than that. Nothing outlives the bot.
"""

from __future__ import annotations

import os
import time

from .base import Bot, fault

SECONDS = 0.5
"""The budget of a match that these bots are run with."""
BURNED = 0.8
"""CPU seconds that each burns in a match."""
MOST = 600 << 20
"""Bytes; the limit is 512 MiB."""


def burn(seconds: float) -> None:
    """Use this much CPU time of this thread."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def child_that(work: object, *, wait: bool) -> int:
    """A child process without the three streams, which burns CPU time and ends."""
    child = os.fork()
    if child == 0:
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        work()  # type: ignore[operator]
        os._exit(0)
    if wait:
        os.waitpid(child, 0)
    return child


# VA-7: CPU time ---------------------------------------------------------------------------------------------


@fault("VA-7", "MUST", "little-by-little")
class LittleByLittle(Bot):
    """The steady thinks only a little longer than it may at each of its moves: the sum is too much."""

    def choose(self) -> int:
        burn(BURNED / 100)
        return super().choose()


@fault("VA-7", "MUST", "while-starting")
class WhileStarting(Bot):
    """The preparer makes its tables before it says who it is."""

    def start(self) -> None:
        burn(BURNED)


@fault("VA-7", "MUST", "in-a-child")
class InAChild(Bot):
    """The delegator has a child process think for it, and waits for it."""

    def choose(self) -> int:
        if self.made == 4:
            child_that(lambda: burn(BURNED), wait=True)
        return super().choose()


@fault("VA-7", "MUST", "in-many-children")
class InManyChildren(Bot):
    """The manager has a child for each move, none of which thinks for long."""

    def choose(self) -> int:
        child_that(lambda: burn(BURNED / 100), wait=True)
        return super().choose()


@fault("VA-7", "MUST", "in-a-thread")
class InAThread(Bot):
    """The weaver has another thread think for it."""

    def choose(self) -> int:
        if self.made == 4:
            import _thread

            done = _thread.allocate_lock()
            done.acquire()
            _thread.start_new_thread(lambda: (burn(BURNED), done.release()), ())
            done.acquire()
        return super().choose()


@fault("VA-7", "MUST", "beside-the-match")
class BesideTheMatch(Bot):
    """The moonlighter has a child think on while it plays, and waits for it at its last move only."""

    child = 0

    def choose(self) -> int:
        if self.made == 4:
            self.child = child_that(lambda: burn(BURNED), wait=False)
        if self.made == 127:
            os.waitpid(self.child, 0)
        return super().choose()

    def at_eof(self) -> int:
        if self.child:
            os.kill(self.child, 9)
            os.waitpid(self.child, 0)
        return 0


# VA-8: memory -----------------------------------------------------------------------------------------------


def fill(size: int) -> bytearray:
    """So many bytes, each page of them really used."""
    table = bytearray(size)
    page = b"\x01"
    for at in range(0, size, 4096):
        table[at : at + 1] = page
    return table


@fault("VA-8", "MUST", "for-one-move")
class ForOneMove(Bot):
    """The spendthrift fills 600 MiB for one move, late in a match, and gives them back before it writes it."""

    def choose(self) -> int:
        if self.made == 100:
            fill(MOST)
        return super().choose()


@fault("VA-8", "MUST", "grows")
class Grows(Bot):
    """The historian keeps 16 MiB more with each of its moves, until it has 600."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[bytearray] = []

    def choose(self) -> int:
        if self.made >= 60 and len(self.kept) < 38:
            self.kept.append(fill(16 << 20))
        return super().choose()


@fault("VA-8", "MUST", "in-a-child")
class MemoryInAChild(Bot):
    """The delegator has a child process that fills 600 MiB, and keeps it until its last move."""

    child = 0

    def choose(self) -> int:
        if self.made == 4:
            self.child = self.store()
        if self.made == 127:
            self.let_go()
        return super().choose()

    def store(self) -> int:
        ready, told = os.pipe()
        held, self.holder = os.pipe()
        child = os.fork()
        if child == 0:
            for descriptor in (0, 1, 2, ready, self.holder):
                os.close(descriptor)
            table = fill(MOST)
            os.write(told, b"!")
            os.read(held, 1)
            os._exit(len(table) == 0)
        os.close(told)
        os.close(held)
        os.read(ready, 1)
        os.close(ready)
        return child

    def let_go(self) -> None:
        if self.child:
            os.close(self.holder)
            os.waitpid(self.child, 0)
            self.child = 0

    def at_eof(self) -> int:
        self.let_go()
        return 0
