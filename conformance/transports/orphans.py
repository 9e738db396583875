"""What a bot leaves behind when it has left its process group: found, because Linux hands it to this process.

Law: only processes that came to this process as orphans while a runner was at work are ever touched: not those it
started itself, not those that were there before, none of its own session. Elsewhere than on Linux nothing is found.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterable

PR_SET_CHILD_SUBREAPER = 36
ROUNDS = 50
"""Ending one orphan hands its own children over; a chain longer than this is given up."""


_at_work = 0


def adopt() -> None:
    """From now on orphaned descendants become children of this process (a Linux "child subreaper")."""
    global _at_work
    _at_work += 1
    _subreaper(1)


def release() -> None:
    """One runner has done with orphans; after the last one they are no longer this process's."""
    global _at_work
    _at_work -= 1
    if not _at_work:
        _subreaper(0)


def _subreaper(on: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, on)


def children() -> set[int]:
    """The children of this process, zombies among them; empty where the system does not tell."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        for thread in os.listdir("/proc/self/task"):
            with contextlib.suppress(OSError), open(f"/proc/self/task/{thread}/children", "rb") as file:
                found.update(map(int, file.read().split()))
    return found


def adopted(known: Iterable[int]) -> list[int]:
    """Orphans that run: children not `known` and of another session. Those that have ended are reaped here."""
    left = []
    for pid in children().difference(known):
        with contextlib.suppress(OSError):
            if os.getsid(pid) == os.getsid(0):
                continue
            if os.waitpid(pid, os.WNOHANG)[0] == 0:
                left.append(pid)
    return left


def end(known: Iterable[int]) -> None:
    """Kill and reap every orphan, and those that come up behind it."""
    known = set(known)
    for _ in range(ROUNDS):
        left = adopted(known)
        if not left:
            return
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
