"""What /proc tells of a tree of processes at one moment.

Law: only reads. A process or thread that ends while it is looked at is simply not there; what may not be read is left
out. Elsewhere than on Linux there is nothing to see.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pdcheck.conformance.probes import CALLS

DEAD = frozenset("ZX")
MOST_PROCESSES, MOST_THREADS, MOST_DESCRIPTORS = 64, 256, 256
"""What is looked at of one bot, of one process; a bot that has more has broken enough."""
GO_MARK = b"\xff Go buildinf:"
_SOCKET = re.compile(r"socket:\[(\d+)\]")
_TABLES = (
    "tcp",
    "tcp6",
    "udp",
    "udp6",
    "udplite",
    "raw",
    "raw6",
    "icmp",
    "icmp6",
    "packet",
    "unix",
    "netlink",
)


class Seen(NamedTuple):
    """One process: `threads` thread ID → name; `command` its words (none while it is in mid-exec); `exe` the program's
    file, `folder` its working folder, "" if hidden."""

    pid: int
    parent: int
    exe: str
    command: tuple[str, ...]
    threads: dict[int, str]
    folder: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "pid": self.pid,
            "parent": self.parent,
            "exe": self.exe,
            "command": list(self.command),
            "threads": {str(thread): name for thread, name in self.threads.items()},
        }


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()


def tree(roots: Iterable[int]) -> list[int]:
    """The roots and all their descendants that are there."""
    found: dict[int, None] = {}
    todo = deque(roots)
    while todo and len(found) < MOST_PROCESSES:
        pid = todo.popleft()
        if pid in found:
            continue
        found[pid] = None
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError):
                    todo += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    return list(found)


def look(pid: int) -> Seen | None:
    """The process as it is now; None when it has ended or is about to, also when nobody has reaped it yet."""
    try:
        state, parent = _read(f"/proc/{pid}/stat").decode("utf-8", "replace").rpartition(")")[2].split()[:2]
        threads = {}
        for thread in os.listdir(f"/proc/{pid}/task")[:MOST_THREADS]:
            with contextlib.suppress(OSError):
                threads[int(thread)] = (
                    _read(f"/proc/{pid}/task/{thread}/comm").decode("utf-8", "replace").strip()
                )
        words = os.fsdecode(_read(f"/proc/{pid}/cmdline")).rstrip("\0").split("\0")
    except (OSError, ValueError):
        return None
    if state in DEAD:
        return None
    exe = folder = ""
    try:
        exe = os.readlink(f"/proc/{pid}/exe")
        folder = os.readlink(f"/proc/{pid}/cwd")
    except PermissionError:
        pass
    except OSError:  # it has given its memory up, and its threads are going
        return None
    return Seen(pid, int(parent), exe, tuple(words) if any(words) else (), threads, folder)


def busy(pid: int) -> bool:
    """Whether a thread of it runs, or wants to."""
    with contextlib.suppress(OSError, IndexError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            if _read(f"/proc/{pid}/task/{thread}/stat").rpartition(b")")[2].split()[0] in (b"R", b"D"):
                return True
    return False


_READS = frozenset({"read", "readv", "recvfrom", "recvmsg"})
_POLLS = {"poll": 1, "ppoll": 1, "select": 0, "pselect6": 0}
"""Which argument says how many descriptors are waited for."""


def reads(pid: int, stdin: str) -> bool:
    """Whether a thread of it is blocked in reading, or waiting for, the pipe that is called `stdin`. False where the
    system does not tell."""
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError, ValueError, IndexError):
                if _waits_for(pid, _read(f"/proc/{pid}/task/{thread}/syscall").split(), stdin):
                    return True
    return False


def _waits_for(pid: int, words: list[bytes], stdin: str) -> bool:
    call, arguments = CALLS.get(int(words[0]), ""), [int(word, 16) for word in words[1:7]]
    if call in _POLLS:
        return arguments[_POLLS[call]] > 0
    targets = [arguments[0]] if call in _READS else []
    if call.startswith("epoll"):
        text = _read(f"/proc/{pid}/fdinfo/{arguments[0]}").decode("ascii", "replace")
        targets = [int(line.split()[1]) for line in text.splitlines() if line.startswith("tfd:")]
    return any(os.readlink(f"/proc/{pid}/fd/{fd}") == stdin for fd in targets)


def mapped(pid: int) -> set[str]:
    """Files that the process has mapped."""
    try:
        lines = _read_all(f"/proc/{pid}/maps").splitlines()
    except OSError:
        return set()
    return {
        os.fsdecode(parts[5])
        for line in lines
        if len(parts := line.split(None, 5)) == 6 and parts[5][:1] == b"/"
    }


def _read_all(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


class Descriptor(NamedTuple):
    """An open descriptor that is a file or a socket: where it leads, and for a file how it was opened."""

    target: str
    flags: int = 0
    family: str = ""
    address: str = ""


def descriptors(
    pid: int, known: Iterable[tuple[int, str]] = ()
) -> Iterator[tuple[tuple[int, str], Descriptor]]:
    """Descriptors that are not `known` yet (number and target); pipes and the kernel's own objects are left out."""
    try:
        numbers = os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return
    for number in numbers[:MOST_DESCRIPTORS]:
        with contextlib.suppress(OSError, ValueError):
            target = os.readlink(f"/proc/{pid}/fd/{number}")
            key = (int(number), target)
            if key in known:
                continue
            if target.startswith("/"):
                info = re.search(rb"flags:\s*([0-7]+)", _read(f"/proc/{pid}/fdinfo/{number}"))
                yield key, Descriptor(target, int(info[1], 8) if info else 0)
            elif socket := _SOCKET.fullmatch(target):
                yield key, _socket(pid, target, socket[1])


def _socket(pid: int, target: str, inode: str) -> Descriptor:
    for table in _TABLES:
        with contextlib.suppress(OSError):
            for line in _read_all(f"/proc/{pid}/net/{table}").decode("utf-8", "replace").splitlines()[1:]:
                words = line.split()
                if inode in words:
                    path = words[7] if table == "unix" and len(words) > 7 else ""
                    return Descriptor(target, family=table, address=path)
    return Descriptor(target)


def memory(pid: int, key: str) -> int:
    """`VmHWM` or `VmRSS` of a process in KiB; 0 where it does not tell."""
    with contextlib.suppress(OSError):
        found = re.search(rb"^%s:\s*(\d+)" % key.encode(), _read(f"/proc/{pid}/status"), re.M)
        return int(found[1]) if found else 0
    return 0


def proportional(pid: int) -> int:
    """Its resident set in KiB, with what it shares with others divided among them; slow where it is large."""
    with contextlib.suppress(OSError):
        found = re.search(rb"^Pss:\s*(\d+)", _read_all(f"/proc/{pid}/smaps_rollup"), re.M)
        return int(found[1]) if found else 0
    return 0


def cpu(pids: Iterable[int]) -> float:
    """CPU seconds that these processes have used, ended threads included."""
    used = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):
            used += time.clock_gettime((~pid << 3) | 2)
    return used


def waited(pids: Iterable[int]) -> float:
    """Seconds that the threads of these processes were ready to run and got no core."""
    nanoseconds = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError, ValueError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                nanoseconds += int(_read(f"/proc/{pid}/task/{thread}/schedstat").split()[1])
    return nanoseconds / 1e9


def is_go(exe: str) -> bool:
    """Whether the program was made by the Go linker."""
    try:
        with open(exe, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as program:
            if program[:4] != b"\x7fELF":
                return False
            return program.find(GO_MARK) >= 0
    except (OSError, ValueError):
        return False
