"""Bytes into lines, with a bound.

Law: a line ends with LF and nothing else; bytes are never dropped in silence: past `limit` bytes in one line, or
held in lines not yet taken, the framer is `overflown`, keeps the head of what came and takes no more.
"""

from __future__ import annotations

from collections import deque

LINE_LIMIT = 1 << 20


class Framer:
    """Cuts one stream of bytes into lines without their LF; holds at most about `limit` bytes at a time."""

    __slots__ = ("_held", "_lines", "_parts", "_size", "limit", "overflown")

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self.limit = limit
        self.overflown = False
        self._lines: deque[bytes] = deque()
        self._held = 0
        self._parts: list[bytes] = []
        self._size = 0

    def __len__(self) -> int:
        """How many complete lines wait to be taken."""
        return len(self._lines)

    @property
    def partial(self) -> bytes:
        """What has come since the last LF."""
        return b"".join(self._parts)

    def take(self) -> bytes:
        """The oldest complete line. Raises IndexError when there is none."""
        line = self._lines.popleft()
        self._held -= len(line) + 1
        return line

    def clear(self) -> None:
        """Forget all lines that wait, and what has come since."""
        self._lines.clear()
        self._parts = []
        self._held = self._size = 0

    def feed(self, data: bytes) -> None:
        """Take what arrived."""
        if self.overflown or not data:
            return
        # The usual case, one whole line in one read, costs no split.
        if not self._parts and data.find(b"\n") == len(data) - 1 <= self.limit:
            self._keep(data[:-1])
            return
        *complete, rest = data.split(b"\n")
        for piece in complete:
            self._parts.append(piece)
            self._size += len(piece)
            if self._size > self.limit or self.overflown:
                self.overflown = True
                return
            self._keep(b"".join(self._parts))
            self._parts, self._size = [], 0
        if rest:
            self._parts.append(rest)
            self._size += len(rest)
            self.overflown = self.overflown or self._size > self.limit

    def _keep(self, line: bytes) -> None:
        self._lines.append(line)
        self._held += len(line) + 1
        self.overflown = self._held > self.limit + 1
