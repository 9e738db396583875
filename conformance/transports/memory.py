"""Players in this process: house players and scripted opponents.

Law: a message sent is answered before `send` returns. A player that says nothing is `idle`, and the runner lets its
time run out at once: nobody waits for a clock that only the kit itself keeps.
"""

from __future__ import annotations

from collections import deque

from pdcheck.conformance.transports import Arrival, Watch
from pdcheck.scenarios.pack import Player


class MemoryTransport:
    """The `Transport` of a house player."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._arrived: deque[Arrival] = deque()

    def start(self, watch: Watch) -> None:
        """Nothing to bring up."""

    def send(self, data: bytes) -> None:
        """Ask the player."""
        answer = self._player.answer(data)
        self._arrived.append(Arrival("idle") if answer is None else Arrival("out", answer))

    def ready(self, fd: int, mask: int) -> Arrival | None:
        """Never called: there is no descriptor."""
        raise AssertionError("a house player has no descriptor")

    def prompt(self) -> Arrival | None:
        """The answer to what was sent."""
        return self._arrived.popleft() if self._arrived else None

    def cpu(self) -> float:
        """House players are not charged CPU time."""
        return 0.0

    def end_input(self) -> None:
        """Nothing to close."""

    def stop(self) -> None:
        """Nothing to end."""
