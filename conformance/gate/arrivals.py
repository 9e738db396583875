"""What lies in an inbox, and whether it is all there yet.

Law: nothing is opened and no link followed: what somebody uploads is only looked at from outside. A submission is
complete when two looks find the same; whoever wants none looked at too early writes it under another name (with a dot
before it, or `.part` after it) and renames it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

UNFINISHED = (".part", ".tmp")
"""How names end that are not yet there."""
MOST_ENTRIES = 20_000
"""Of a folder, so many are looked at."""


def arrivals(inbox: Path) -> list[str]:
    """The names of what was dropped into an inbox, sorted. Raises OSError."""
    return sorted(
        name for name in os.listdir(inbox) if not name.startswith(".") and not name.endswith(UNFINISHED)
    )


def look_of(path: Path) -> str:
    """How a file or folder looks: other when something of it was written, added or taken away; the same after it was
    renamed. Raises OSError when it is not there."""
    digest = hashlib.sha256()
    for inside, there in _entries(path):
        kind = stat.S_IFMT(there.st_mode)
        told = [kind, there.st_ino]
        if kind != stat.S_IFDIR:  # a folder's own time may change when it is renamed; what is in it tells
            told += [there.st_size, there.st_mtime_ns]
        digest.update(os.fsencode(inside) + b"\0" + repr(told).encode())
    return digest.hexdigest()


def _entries(path: Path) -> Iterator[tuple[str, os.stat_result]]:
    """The path itself (as "") and what is in it, in an order of its own; no link is followed."""
    left = MOST_ENTRIES
    trail = [("", os.lstat(path))]
    while trail and left:
        inside, there = trail.pop()
        yield inside, there
        left -= 1
        if stat.S_ISDIR(there.st_mode):
            trail += _inside(path, inside)


def _inside(path: Path, folder: str) -> list[tuple[str, os.stat_result]]:
    found = []
    try:
        names = sorted(os.listdir(path / folder))[:MOST_ENTRIES]
    except OSError:  # it has gone, or nobody may read it: that is told when it is judged
        return []
    for name in names:
        inside = os.path.join(folder, name)
        try:
            found.append((inside, os.lstat(path / inside)))
        except OSError:
            continue
    return found


class Steady:
    """Tells what has looked the same for long enough."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._seen: dict[str, tuple[str, float]] = {}

    def is_steady(self, name: str, look: str) -> bool:
        """Whether this look of it is the one it had before, and so for long enough."""
        now = self._clock()
        before, since = self._seen.setdefault(name, (look, now))
        if before != look:
            self._seen[name] = (look, now)
            return False
        return since != now and now - since >= self._seconds

    def vouch(self, name: str, look: str) -> None:
        """It has been looked at under another name."""
        self._seen[name] = (look, self._clock() - self._seconds - 1)

    def only(self, names: Iterable[str]) -> None:
        """Forget all others."""
        kept = set(names)
        self._seen = {name: seen for name, seen in self._seen.items() if name in kept}
