"""The processes of one bubblewrap as the host sees them: who it is that keeps the others, and which one is the bot.

Law: only reads /proc, ends the keeper when asked, and waits no longer than it is told to. The keeper is the first
process of the bot's process namespace: when it ends, the kernel ends all others there.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import resource
import select
import signal
import struct
import time
from collections.abc import Mapping
from typing import Any

PIDFD_GET_INFO = 0xC040FF0B
_INFO = struct.Struct("=QQ11Ii")
"""struct pidfd_info as of Linux 6.15: mask, cgroup, eleven numbers, the status it ended with."""
_INFO_EXIT = 1 << 3
GONE_WITHIN = 10.0
"""Seconds within which the kernel has taken down a namespace, whatever was in it."""
_FATAL = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 29, 31})
"""Signals of Linux that end a process which does nothing about them."""


def documents(text: bytes) -> Mapping[str, Any]:
    """What bubblewrap has written about itself so far: one JSON object a line, put together."""
    told: dict[str, Any] = {}
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            told |= json.loads(line)
    return told


def child_of(pid: int) -> int:
    """Its first child; 0 while there is none, or when it has ended."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", "rb") as file:
            words = file.read(64).split(None, 1)
        return int(words[0]) if words else 0
    except OSError:
        return 0


def program_of(pid: int) -> str:
    """The file of the program that it runs; "" when it has ended or is not to be looked at."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def pidfd(pid: int) -> int:
    """A descriptor that stands for a process; -1 where there is none to be had."""
    with contextlib.suppress(AttributeError, OSError):
        return os.pidfd_open(pid)
    return -1


def ended_with(descriptor: int) -> int | None:
    """The exit status of a process that another one has waited for; None where the kernel does not tell (before
    Linux 6.15)."""
    asked = bytearray(_INFO.pack(_INFO_EXIT, 0, *(0,) * 11, 0))
    try:
        fcntl.ioctl(descriptor, PIDFD_GET_INFO, asked)
    except (OSError, ValueError):
        return None
    mask, *_, status = _INFO.unpack(asked)
    return os.waitstatus_to_exitcode(status) if mask & _INFO_EXIT else None


def status_of(code: int, descriptor: int) -> int:
    """The bot's exit status, by what bubblewrap made of it: 128 and the signal, as a shell does."""
    told = ended_with(descriptor) if descriptor >= 0 else None
    if told is not None:
        return told
    return 128 - code if code - 128 in _FATAL else code


class Keeper:
    """The first process inside. `own`: CPU seconds that it has used, making the walls."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.own = 0.0
        self._descriptor = pidfd(pid)

    def settle(self) -> None:
        """From now on it only waits: what it has used is its own doing."""
        with contextlib.suppress(OSError):
            self.own = time.clock_gettime((~self.pid << 3) | 2)

    def end(self) -> resource.struct_rusage | None:
        """End it and all that is inside, and wait for that. What they have used, if it had become this process's."""
        if self._descriptor < 0:
            return None
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)
        self.gone(GONE_WITHIN)
        with contextlib.suppress(ChildProcessError):
            # bubblewrap has gone before it, and this process has its orphans.
            pid, _, usage = os.wait4(self.pid, os.WNOHANG)
            return usage if pid else None
        return None

    def gone(self, seconds: float) -> bool:
        """Whether it has ended; waits so long for it."""
        return self._descriptor < 0 or wait(self._descriptor, seconds)

    def close(self) -> None:
        """Free the descriptor."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def wait(descriptor: int, seconds: float) -> bool:
    """Whether a descriptor is readable, or its other end gone, within so long."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(int(seconds * 1000)))
