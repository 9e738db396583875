"""How quick, how patient and how stubborn a watcher is.

Law: waiting is by this process's own clock. What watchers must agree on is in the queue; when to try again is not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Pace(NamedTuple):
    """All in seconds but `tries`."""

    interval: float = 0.5
    """Between two looks at the inbox."""
    settle: float = 1.0
    """For so long a submission must have looked the same."""
    patience: float = 600.0
    """After so long a claim that was not confirmed is ended."""
    tries: int = 4
    """So many judgings may end without a verdict; then an error is told."""
    pause: float = 5.0
    """Before the second one; before each later one twice as long as before the last."""
    longest_pause: float = 300.0

    def pause_after(self, troubles: int) -> float:
        """How long to wait when so many judgings had no verdict."""
        if not troubles:
            return 0.0
        return min(self.longest_pause, self.pause * 2.0 ** min(troubles - 1, 30))

    @property
    def confirms(self) -> float:
        """How often a watcher confirms its claims."""
        return self.patience / 20


class Pauses:
    """When each ticket may be tried again: a while after this process first saw that it had come to this."""

    def __init__(self, pace: Pace, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace = pace
        self._clock = clock
        self._seen: dict[str, tuple[int, float]] = {}
        self._own: dict[str, int] = {}

    def failed(self, ticket: str) -> None:
        """This process could not write down what came of it, as on a full disk."""
        self._own[ticket] = self._own.get(ticket, 0) + 1

    def is_over(self, ticket: str, troubles: int) -> bool:
        """Whether it may be tried now, with so many troubles behind it."""
        troubles += self._own.get(ticket, 0)
        if not troubles:
            return True
        now = self._clock()
        known, since = self._seen.get(ticket, (0, now))
        if known != troubles:
            since = now
        self._seen[ticket] = troubles, since
        return now - since >= self._pace.pause_after(troubles)

    def only(self, tickets: Iterable[str]) -> None:
        """Forget all others."""
        kept = set(tickets)
        self._seen = {ticket: seen for ticket, seen in self._seen.items() if ticket in kept}
        self._own = {ticket: count for ticket, count in self._own.items() if ticket in kept}
