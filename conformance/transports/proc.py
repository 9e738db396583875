"""What /proc tells of one process.

Law: only reads, and knows no bot.
"""

from __future__ import annotations

import contextlib
import os


def state(stat: str) -> bytes:
    """The state in a `stat` file of a process or thread. Raises OSError."""
    with open(stat, "rb") as file:
        return file.read().rpartition(b")")[2].split()[0]


def states(pid: int) -> list[bytes] | None:
    """The states of its threads; None where the system does not tell."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError, IndexError):
                found.append(state(f"/proc/{pid}/task/{thread}/stat"))
    except OSError:
        return None
    return found


def starved(pid: int) -> float:
    """Seconds that the threads of a process were ready to run and had no core; 0.0 where the system does not tell."""
    waited = 0
    with contextlib.suppress(OSError, IndexError, ValueError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:
                waited += int(file.read().split()[1])
    return waited / 1e9


def name(fd: int) -> str:
    """What a descriptor of this process is open on; both ends of a pipe have one name. "" when it is closed."""
    try:
        return os.readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return ""


def running_in(group: int) -> bool:
    """Whether /proc shows a process of this group that is no zombie; true where there is no /proc."""
    try:
        pids = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return True
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):
            with open(f"/proc/{pid}/stat", "rb") as file:
                state, _, its_group = file.read().rpartition(b")")[2].split()[:3]
            if int(its_group) == group and state not in (b"Z", b"X"):
                return True
    return False
