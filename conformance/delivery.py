"""How a message is cut into pieces, and when each is written (IO-8).

Law: pure; the pieces put together are the message. A piece waits until the one before it was read, so that a slow
start or a loaded machine does not put them together again; it does not wait for a bot that does not read.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise

from pdcheck.scenarios.scenario import Deliver

_WITHIN: dict[str, tuple[re.Pattern[bytes], int]] = {
    "before-lf": (re.compile(rb"\n\Z"), 0),
    "in-character": (re.compile(rb"[\xc2-\xf4][\x80-\xbf]+"), 1),
    "in-escape": (re.compile(rb"\\u[0-9a-fA-F]{4}"), 3),
}
"""Cut → what it is in, and how many bytes after the start of that."""

PIECE_GAP = 0.002
READ_LOOK = 0.001
LATE_EVERY = 8
READ_WITHIN = 1.0
"""Seconds after its message within which a piece waits for the one before it to be read."""

Splitter = Callable[[int, bytes], Sequence[bytes]]
"""How a message to a seat is cut into pieces that are written one after another."""


def splitter(deliver: Deliver, seat: int) -> Splitter | None:
    """The function that cuts what is sent to this seat; None when nothing is cut."""
    if deliver.pieces == 1 and deliver.cut is None:
        return None
    return lambda to, data: pieces_of(data, deliver) if to == seat else (data,)


def late_lines(seat: int) -> Splitter:
    """The function that has every message to this seat whose number `LATE_EVERY` divides come a gap late."""
    numbers = count(1)

    def split(to: int, data: bytes) -> Sequence[bytes]:
        return (b"", data) if to == seat and next(numbers) % LATE_EVERY == 0 else (data,)

    return split


def pieces_of(data: bytes, deliver: Deliver) -> list[bytes]:
    """The pieces of one message."""
    size = max(1, math.ceil(len(data) / deliver.pieces))
    cuts = {*range(size, len(data), size), *_within(data, deliver.cut)} - {0, len(data)}
    edges = [0, *sorted(cuts), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


@dataclass
class _Queue:
    pieces: deque[bytes]
    due: float
    patient_until: float


class Outbox:
    """Pieces to be written `gap` seconds after the one before them, each seat's in their order."""

    def __init__(self, gap: float = PIECE_GAP) -> None:
        self._gap = gap
        self._queues: dict[int, _Queue] = {}

    def __bool__(self) -> bool:
        return bool(self._queues)

    def put(self, seat: int, pieces: Sequence[bytes], now: float) -> None:
        """Take the pieces of a message whose first one was written just now."""
        queue = self._queues.setdefault(seat, _Queue(deque(), now + self._gap, 0.0))
        queue.pieces.extend(pieces)
        queue.patient_until = now + READ_WITHIN

    def due(self) -> list[float]:
        """When there is something to do next, for each seat."""
        return [queue.due for queue in self._queues.values()]

    def take(self, now: float, unread: Callable[[int], bool]) -> Iterator[tuple[int, bytes]]:
        """What is to be written now, at most one piece a seat. `unread`: whether a seat has not read all it got."""
        for seat, queue in list(self._queues.items()):
            if queue.due > now:
                continue
            if now < queue.patient_until and unread(seat):
                queue.due = now + READ_LOOK
                continue
            queue.due = now + self._gap
            yield seat, queue.pieces.popleft()
            if not queue.pieces:
                del self._queues[seat]


def _within(data: bytes, cut: str | None) -> Iterator[int]:
    """Where the message is cut inside its first and its last character or escape, or before its LF."""
    if cut is None:
        return
    pattern, after = _WITHIN[cut]
    starts = [match.start() for match in pattern.finditer(data)]
    yield from (start + after for start in (*starts[:1], *starts[-1:]))
