"""The small processes that this process has beside it (the warden, the control), and this process's own limits.

Law: a bot has the kit's user, so it can stop them, kill them, and take from the limits of the process that runs it.
Each is noticed here, in the process that has them. One that is stopped would outlive its kit, because it never reads
that its line is closed: it is woken when it has to end. A kit's worker enters its helpers in a table shared with the
kit, which sees to them when the worker is gone; a number is a process's only together with when that one started.
"""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import resource
import signal
import struct
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

ENDS_WITHIN = 5.0
"""Seconds a helper has to end in when its line is closed; past that it is killed."""
LOOK = 0.02
SLOTS = 64
"""Helpers a table holds; older ones are overwritten, whose place these took."""

_ENTRY = struct.Struct("=qq")
"""Process id, and when it started in clock ticks."""

Limits = Mapping[str, tuple[float, float]]
"""Soft and hard limit, by name."""


def blow(process: subprocess.Popen[Any]) -> int:
    """The signal by which a child process was ended, or stopped since this was last asked (even when it goes on
    again); 0: none."""
    status = process.poll()
    if status is not None:
        return max(0, -status)
    with contextlib.suppress(ChildProcessError, AttributeError):
        if os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WCONTINUED | os.WNOHANG):
            return signal.SIGSTOP
    return 0


def end(process: subprocess.Popen[Any]) -> None:
    """Wait for a child process whose line is closed, waking it if it was stopped; kill it in the end. Reaps it."""
    until = time.monotonic() + ENDS_WITHIN
    while time.monotonic() < until:
        process.send_signal(signal.SIGCONT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LOOK)
            return
    process.kill()
    process.wait()


def new_table() -> mmap.mmap:
    """Memory that this process and those it forks share."""
    return mmap.mmap(-1, SLOTS * _ENTRY.size)


_table: mmap.mmap | None = None
_entered = 0


def enter_in(table: mmap.mmap) -> None:
    """This process's helpers are entered in this table from now on."""
    global _table, _entered
    _table, _entered = table, 0


def enter(pid: int) -> None:
    """This process has this helper."""
    global _entered
    if _table is not None:
        _ENTRY.pack_into(_table, _entered % SLOTS * _ENTRY.size, pid, look(pid)[1])
        _entered += 1


def end_entered(tables: Iterable[mmap.mmap]) -> None:
    """See that the helpers of processes that are gone go as well; they are reaped by whoever has them now."""
    left = {entry for table in tables for entry in _ENTRY.iter_unpack(table[:]) if entry[0] and entry[1]}
    until = time.monotonic() + ENDS_WITHIN
    while left := set(_still(left)):
        last = time.monotonic() > until
        for pid, _ in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL if last else signal.SIGCONT)
        if last:
            return
        time.sleep(LOOK / 10)


def _still(entries: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    for pid, started in entries:
        state, now = look(pid)
        if state not in ("", "Z", "X") and now == started:
            yield pid, started


def look(pid: int | None) -> tuple[str, int]:
    """A process's state (a letter) and when it started in clock ticks; "" and 0 where the system does not tell."""
    with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
        return fields[0].decode(), int(fields[19])
    return "", 0


def limits() -> Limits:
    """What this process may use."""
    names = [name for name in dir(resource) if name.startswith("RLIMIT_")]
    found = {}
    for name in names:
        with contextlib.suppress(OSError, ValueError):
            soft, hard = resource.getrlimit(getattr(resource, name))
            found[name] = _size(soft), _size(hard)
    return found


def _size(limit: int) -> float:
    return math.inf if limit == resource.RLIM_INFINITY else limit


def lowered(before: Limits) -> str:
    """The name of a limit that is lower than it was, "" when none is. As far as this process may, they are raised
    again: telling of it needs memory, too."""
    lower = ""
    for name, now in limits().items():
        was = before.get(name, now)
        if now[0] < was[0] or now[1] < was[1]:
            lower = lower or name
            hard = now[1] if os.geteuid() else was[1]
            values = [
                resource.RLIM_INFINITY if one == math.inf else int(one) for one in (min(was[0], hard), hard)
            ]
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, name), (values[0], values[1]))
    return lower
