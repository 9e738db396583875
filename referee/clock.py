"""Budget arithmetic: who has used how much of its time.

Law: stamps come in as arguments; nothing here reads a clock. Wall time is charged from before the first byte of
a message is written to the LF of its answer (PD-5.1); a game may charge CPU seconds instead (VA-7).
"""

from __future__ import annotations

from typing import NamedTuple


class Stamp(NamedTuple):
    """A moment: monotonic wall seconds, and the CPU seconds the seat's process has used up to it."""

    wall: float
    cpu: float = 0.0


class Budget:
    """One seat's time for one match, in seconds; `spent` may pass `limit` (then the seat is `out`).

    `cpu_factor`: how often a CPU second is charged, on a machine so many times as fast as the one that is meant;
    waiting takes equally long everywhere.
    """

    __slots__ = ("_since", "by_cpu", "cpu_factor", "limit", "longest", "spent")

    def __init__(self, limit: float, *, by_cpu: bool = False, cpu_factor: float = 1.0) -> None:
        self.limit = limit
        self.by_cpu = by_cpu
        self.cpu_factor = cpu_factor
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
        """Seconds the running turn has cost up to `at`; 0.0 when none runs."""
        if self._since is None:
            return 0.0
        cpu = at.cpu - self._since.cpu
        if self.by_cpu:
            return cpu * self.cpu_factor
        wall = at.wall - self._since.wall
        return wall if self.cpu_factor == 1.0 else max(0.0, wall + (self.cpu_factor - 1.0) * cpu)

    def lasts(self, seconds: float) -> float:
        """Wall seconds in which no one core can use up so much of the budget."""
        return seconds / max(1.0, self.cpu_factor)

    def stop(self, at: Stamp) -> float:
        """The answer's LF has come: charge the turn and return its cost in seconds."""
        cost = self.used(at)
        self.spent += cost
        self.longest = max(self.longest, cost)
        self._since = None
        return cost
