"""Budget arithmetic: who has used how much of its time.

Law: stamps come in as arguments; nothing here reads a clock. Wall time is charged from before the first byte of
a message is written to the LF of its answer (PD-5.1); a game may charge CPU seconds instead (VA-7): then all of
them, those before the first message and in the other seats' turns too, and wall time only bounds the waiting.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple


class Stamp(NamedTuple):
    """A moment: monotonic wall seconds, and the CPU seconds the seat's process has used up to it."""

    wall: float
    cpu: float = 0.0


class Guard(NamedTuple):
    """How long a line is waited for at all where the budget is CPU time: wall seconds for one line, and for all
    lines of a seat in a match; `requirement` is the one that a hang breaks. `brief`: where it is known to hang, so many
    wall seconds for one line are enough in which it is not on the CPU."""

    turn: float
    match: float
    requirement: str
    brief: float = inf


class Budget:
    """One seat's time for one match, in seconds; `spent` may pass `limit` (then the seat is `out`).

    `cpu_factor`: how often a CPU second is charged, on a machine so many times as fast as the one that is meant;
    waiting takes equally long everywhere. `waited`: wall seconds of all its turns, which is what a `guard` bounds.
    """

    __slots__ = ("_charged", "_since", "by_cpu", "cpu_factor", "guard", "limit", "longest", "spent", "waited")

    def __init__(
        self, limit: float, *, by_cpu: bool = False, cpu_factor: float = 1.0, guard: Guard | None = None
    ) -> None:
        self.limit = limit
        self.by_cpu = by_cpu
        self.cpu_factor = cpu_factor
        self.guard = guard
        self.waited = 0.0
        self._charged = 0.0
        self.spent = 0.0
        self.longest = 0.0
        self._since: Stamp | None = None

    @property
    def left(self) -> float:
        """Seconds left; zero or less means out of time (row 7: "at or below zero is out")."""
        return self.limit - self.spent

    @property
    def running(self) -> bool:
        """Whether a turn is being charged."""
        return self._since is not None

    def start(self, at: Stamp) -> None:
        """The message's first byte is about to be written; a second start in the same turn changes nothing."""
        if self._since is None:
            self._since = at

    def used(self, at: Stamp) -> float:
        """Seconds not yet charged: of wall time those of the running turn (0.0 when none runs), of CPU time all
        since the last charge."""
        if self.by_cpu:
            return max(0.0, at.cpu - self._charged) * self.cpu_factor
        if self._since is None:
            return 0.0
        wall, cpu = at.wall - self._since.wall, at.cpu - self._since.cpu
        return wall if self.cpu_factor == 1.0 else max(0.0, wall + (self.cpu_factor - 1.0) * cpu)

    @property
    def hangs_at(self) -> float:
        """The wall time at which the running turn is a hang in any case; infinite without a guard."""
        if self.guard is None or self._since is None:
            return inf
        return self._since.wall + min(self.guard.turn, self.guard.match - self.waited)

    def hang(self, at: Stamp) -> float:
        """The earliest wall time, as seen `at` this moment, at which the running turn can be a hang."""
        if self.guard is None or self._since is None:
            return inf
        busy = max(0.0, at.cpu - self._since.cpu)
        return min(self.hangs_at, self._since.wall + self.guard.brief + busy)

    def lasts(self, seconds: float) -> float:
        """Wall seconds in which no one core can use up so much of the budget."""
        return seconds / max(1.0, self.cpu_factor)

    def until(self, at: Stamp, grace: float = 0.0) -> float:
        """The earliest wall time after `at` at which the running turn can be out of time, by either clock."""
        return min(at.wall + self.lasts(self.left + grace - self.used(at)), self.hang(at))

    def stop(self, at: Stamp) -> float:
        """The answer's LF has come: charge the turn and return its cost in seconds."""
        cost = self.used(at)
        self.spent += cost
        self._charged = max(self._charged, at.cpu)
        if self._since is not None:
            self.waited += at.wall - self._since.wall
        self.longest = max(self.longest, cost)
        self._since = None
        return cost
