"""Faults in playing the same match the same way (VA-9).

Law of this file: every move is legal, and against the same moves another one in another run; what makes it another one
is in the name. Each of them chooses between the two ends of a row's free cells (`Odd`), or among all free cells.
"""

from __future__ import annotations

import os
import time

from .base import CELLS, FREE, SIZE, Bot, Odd, fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MULTIPLIER, ADDEND = 1103515245, 12345


def mixed(text: str) -> int:
    """A number made from all of the text, in each run the same."""
    number = 0
    for byte in text.encode():
        number = (number * 31 + byte) % 2**31
    return number


class Seeded(Bot):
    """Chooses among all free cells by its own generator, whose start `seed()` names."""

    state = -1

    def seed(self) -> int:
        raise NotImplementedError

    def choose(self) -> int:
        if self.state < 0:
            self.state = self.seed()
        self.state = (self.state * MULTIPLIER + ADDEND) % 2**31
        free = [cell for cell in range(CELLS) if self.board[cell] == FREE]
        return free[(self.state >> 8) % len(free)]


# Chance -----------------------------------------------------------------------------------------------------


@fault("VA-9", "MUST", "random")
class Random(Seeded):
    """The dicer seeds its generator from the system's own chance."""

    def seed(self) -> int:
        return int.from_bytes(os.urandom(4), "big")


@fault("VA-9", "MUST", "random-as-second")
class RandomAsSecond(Odd):
    """The careless lets the dice decide in seat 2, where nothing is to be won."""

    def aside(self) -> int:
        return os.urandom(1)[0] % 2 if self.seat == 2 else 0


@fault("VA-9", "MUST", "random-tie-break")
class RandomTieBreak(Odd):
    """The fair tosses a coin where two cells are as good as one another: at every fourth of its moves."""

    def aside(self) -> int:
        return os.urandom(1)[0] % 2 if self.made % 4 == 3 else 0


# The clock --------------------------------------------------------------------------------------------------


@fault("VA-9", "MUST", "time-seeded")
class TimeSeeded(Seeded):
    """The classic seeds its generator with the time in seconds."""

    def seed(self) -> int:
        return int(time.time())


@fault("VA-9", "MUST", "by-day")
class ByDay(Seeded):
    """The churchgoer seeds its generator with the number of the day."""

    def seed(self) -> int:
        return int(time.time()) // 86400


@fault("VA-9", "MUST", "searches-for-2-ms")
class SearchesFor2Ms(Odd):
    """The limited searches for two milliseconds of the wall's time, and takes what it has then."""

    def aside(self) -> int:
        nodes, until = 0, time.monotonic() + 0.002
        while time.monotonic() < until:
            nodes += 1
        return nodes % 2


@fault("VA-9", "MUST", "searches-for-2-ms-of-cpu")
class SearchesFor2MsOfCpu(Odd):
    """The measured searches for two milliseconds of its own CPU time, which is no better."""

    def aside(self) -> int:
        nodes, until = 0, time.process_time() + 0.002
        while time.process_time() < until:
            nodes += 1
        return nodes % 2


# The process ------------------------------------------------------------------------------------------------


@fault("VA-9", "MUST", "pid-seeded")
class PidSeeded(Seeded):
    """The registered seeds its generator with its process ID."""

    def seed(self) -> int:
        return os.getpid()


@fault("VA-9", "MUST", "by-address")
class ByAddress(Seeded):
    """The addressed seeds its generator with where an object happens to lie, in pages."""

    def seed(self) -> int:
        return id(self) >> 12


@fault("VA-9", "MUST", "by-order-of-a-set")
class ByOrderOfASet(Bot):
    """The unordered takes the first of a set of words, which lie in it by their hashes."""

    def choose(self) -> int:
        free = {f"{cell // SIZE} {cell % SIZE}" for cell in range(CELLS) if self.board[cell] == FREE}
        row, column = next(iter(free)).split()
        return int(row) * SIZE + int(column)


# The surroundings -------------------------------------------------------------------------------------------


@fault("VA-9", "MUST", "by-locale")
class ByLocale(Odd):
    """The polyglot reads from right to left where the locale is not the usual one."""

    def aside(self) -> int:
        return int("utf" not in (os.environ.get("LC_ALL") or os.environ.get("LANG", "")).lower())


@fault("VA-9", "MUST", "by-folder")
class ByFolder(Seeded):
    """The local seeds its generator with the path of its working folder."""

    def seed(self) -> int:
        return mixed(os.getcwd())


@fault("VA-9", "MUST", "by-pace")
class ByPace(Odd):
    """The impulsive answers otherwise when the other has taken longer than a fiftieth of a second."""

    waited = 0.0

    def lines(self) -> Iterator[bytes]:
        source = super().lines()
        while True:
            begun = time.monotonic()
            line = next(source, None)
            self.waited = time.monotonic() - begun
            if line is None:
                return
            yield line

    def aside(self) -> int:
        return int(self.made > 0 and self.waited > 0.02)
