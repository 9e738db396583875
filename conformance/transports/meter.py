"""CPU seconds of a process and of all that it starts, from the kernel, while it runs.

Law: only reads, and never goes back. Each living process is read from its own clock, those that were waited for from
its `stat`, in ticks of the kernel's; one whose parent has ended is found among this process's children while it bears
the bot's session; what is lost from sight any other way keeps what it was last seen to have used. So it is never too
much, and too little by less than two ticks (20 ms) for each process that waits for others; once the process has ended,
its `rusage` makes that up. A child that is waited for while the tree is being read is in neither place, so what seems
lost is read a second time before it is believed.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pdcheck.conformance.transports import orphans

_TICK = 1 / os.sysconf("SC_CLK_TCK")
_GRAIN = 2 * _TICK
"""What rounding takes from the user and the system time of one process's children, at most."""
MOST = 256
"""Processes of one bot that are looked at."""


class _Node(NamedTuple):
    """One process as it was seen: its start (ticks since boot) tells it from a later one of the same number."""

    start: int
    threads: int
    session: int
    reaped: float
    """Seconds of the children that it has waited for."""


def clock_of(pid: int) -> int:
    """The number of the CPU clock of a process, as clock_getcpuclockid(3) makes it."""
    return (~pid << 3) | 2


class Meter:
    """The CPU time of the process `root`, a child of this one that is not reaped yet, and of its descendants."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._total = self._lost = self._seen = 0.0
        self._known: dict[int, int] = {}
        """Every process of it that was seen: pid → start."""

    @property
    def pids(self) -> list[int]:
        """The processes that were there when it was last read."""
        return list(self._known)

    def read(self) -> float:
        """Seconds so far."""
        for _ in range(2):
            seen, found = self._sum()
            lost = max(0.0, self._seen - seen - _GRAIN * len(self._known))
            if not lost:
                break
        self._lost += lost
        self._seen, self._known = seen, found
        self._total = max(self._total, seen + self._lost)
        return self._total

    def _sum(self) -> tuple[float, dict[int, int]]:
        """Seconds of all that can be seen now, and who that is."""
        seen, found = 0.0, dict[int, int]()
        for pid, node in self._tree():
            found[pid] = node.start
            seen += _seconds(pid, node)
        # What became a child of another's when its parent ended is still this bot's, and what became this process's.
        for pid, start in {**self._known, **self._orphans(found)}.items():
            if pid not in found and (left := _used(pid, start)) is not None:
                found[pid] = start
                seen += left
        return seen, found

    def _orphans(self, found: Mapping[int, int]) -> dict[int, int]:
        """Processes of the bot's session whose parents have ended, so that they are this one's children (see
        `orphans`). One in another session could be anybody's."""
        nodes = {pid: _look(pid) for pid in orphans.children().difference(found)}
        return {pid: node.start for pid, node in nodes.items() if node and node.session == self._root}

    def ended(self, used: float) -> float:
        """Seconds in all, now that the process was reaped: `used` by itself and all it had waited for."""
        self._known.pop(self._root, None)
        others = [_used(pid, start) or 0.0 for pid, start in self._known.items()]
        self._total = max(self._total, used + self._lost + sum(others))
        return self._total

    def _tree(self) -> Iterator[tuple[int, _Node]]:
        todo = [self._root]
        while todo:
            pid = todo.pop()
            node = _look(pid)
            if node is None:
                continue
            yield pid, node
            if len(todo) < MOST:
                todo += _children(pid, node.threads)


def _read(path: str) -> bytes:
    """What stands in a file of /proc: twice an exchange, so without what a file object costs."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(fd, 1 << 16)
    finally:
        os.close(fd)


def _look(pid: int) -> _Node | None:
    """The process as it is now; None when it is gone, or where the system does not tell."""
    try:
        fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split(None, 21)
        reaped = (int(fields[13]) + int(fields[14])) * _TICK
        return _Node(int(fields[19]), int(fields[17]), int(fields[3]), reaped)
    except (OSError, IndexError, ValueError):
        return None


def _used(pid: int, start: int) -> float | None:
    """Seconds of a process and those it has waited for; None when it is gone, or its number is another's by now."""
    node = _look(pid)
    return None if node is None or node.start != start else _seconds(pid, node)


def _seconds(pid: int, node: _Node) -> float:
    """Of a process and those it has waited for; one that has ended has its clock until somebody waits for it."""
    with contextlib.suppress(OSError):
        return time.clock_gettime(clock_of(pid)) + node.reaped
    return 0.0


def _children(pid: int, threads: int) -> list[int]:
    """Its children; of one with several threads each may have some."""
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError):
        tasks = [str(pid)] if threads <= 1 else os.listdir(f"/proc/{pid}/task")
        for task in tasks:
            with contextlib.suppress(OSError):
                words = _read(f"/proc/{pid}/task/{task}/children").split()
                # Of more than can be read at once the last number may be cut short, and so another's.
                found += map(int, words[:MOST])
    return found
