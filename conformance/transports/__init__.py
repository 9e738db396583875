"""How bytes reach a seat and come back: one small Protocol, one module a way.

Law: a transport moves bytes; it judges nothing and reads no clock but its own process's CPU. Writing never blocks:
what a bot does not take waits here and goes out when the runner's poll says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

Watch = Callable[[int, int], None]
"""`watch(fd, mask)`: the runner is to poll `fd` for `mask` (0: no more)."""


class Arrival(NamedTuple):
    """What came: `out` (bytes of stdout; b"" = it ended), `err` (stderr), `exit` (status in `status`), `idle`."""

    channel: str
    data: bytes = b""
    status: int = 0


class Transport(Protocol):
    """One seat's line to its player."""

    def start(self, watch: Watch) -> None:
        """Bring the player up; raises StartError when it cannot be started."""
        ...

    def send(self, data: bytes) -> None:
        """Give these bytes to the player, now or as soon as it takes them."""
        ...

    def ready(self, fd: int, mask: int) -> Arrival | None:
        """The poll says `fd` is ready: one piece of what came, or None."""
        ...

    def prompt(self) -> Arrival | None:
        """What has come without any descriptor (players in this process), or None; `idle` = it will not answer."""
        ...

    def cpu(self) -> float:
        """CPU seconds used so far."""
        ...

    def end_input(self) -> None:
        """Close the player's input once everything sent has gone out."""
        ...

    def stop(self) -> None:
        """End the player and whatever it started; frees everything; may be called twice."""
        ...


class StartError(Exception):
    """A bot could not be started; the message says why in one line."""
