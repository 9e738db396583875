"""A look at a bot that does not answer, before it is ended: what Linux tells of it under /proc.

Law: only looked, never touched: no ptrace, no signal, nothing that needs a privilege. What the kernel does not tell or
refuses is named in `lacks`; nothing is guessed here (see `diagnosis`), and no look fails.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from typing import Any

from pdcheck.conformance import doing, languages
from pdcheck.conformance.transports.process import ProcessTransport

LOOK = 0.05
"""Seconds over which CPU clocks are compared."""
LOOKS = 5
"""How often a thread that is about to run is looked at again, within another `LOOK`."""
MOST_PROCESSES = 8
MOST_THREADS = 32
TICK = 1 / os.sysconf("SC_CLK_TCK")
_ROWS: tuple[tuple[str, int, int], ...] = (
    ("read", 0, 63),
    ("readv", 19, 65),
    ("pread64", 17, 67),
    ("recvfrom", 45, 207),
    ("recvmsg", 47, 212),
    ("write", 1, 64),
    ("writev", 20, 66),
    ("sendto", 44, 206),
    ("sendmsg", 46, 211),
    ("poll", 7, -1),
    ("ppoll", 271, 73),
    ("select", 23, -1),
    ("pselect6", 270, 72),
    ("epoll_wait", 232, -1),
    ("epoll_pwait", 281, 22),
    ("epoll_pwait2", 441, 441),
    ("io_uring_enter", 426, 426),
    ("nanosleep", 35, 101),
    ("clock_nanosleep", 230, 115),
    ("pause", 34, -1),
    ("rt_sigsuspend", 130, 133),
    ("rt_sigtimedwait", 128, 137),
    ("futex", 202, 98),
    ("flock", 73, 32),
    ("fcntl", 72, 25),
    ("semop", 65, 193),
    ("semtimedop", 220, 192),
    ("msgrcv", 70, 188),
    ("wait4", 61, 260),
    ("waitid", 247, 95),
    ("accept", 43, 202),
    ("accept4", 288, 242),
    ("connect", 42, 203),
    ("open", 2, -1),
    ("openat", 257, 56),
    ("ioctl", 16, 29),
    ("sched_yield", 24, 124),
    ("restart_syscall", 219, 128),
)
"""Calls that a process can be blocked in: name, number on x86_64, number on aarch64 (-1: not there)."""
_COLUMN = {"x86_64": 1, "aarch64": 2}.get(platform.machine())
CALLS = {int(row[_COLUMN]): row[0] for row in _ROWS if row[_COLUMN] != -1} if _COLUMN else {}
"""System calls of this machine by number; empty where their numbers are not known here."""
FIRST_IS_FD = frozenset(
    {
        "read",
        "readv",
        "pread64",
        "recvfrom",
        "recvmsg",
        "write",
        "writev",
        "sendto",
        "sendmsg",
        "flock",
        "fcntl",
    }
    | {"epoll_wait", "epoll_pwait", "epoll_pwait2", "accept", "accept4", "connect", "ioctl"}
)
ENDS = ("stdin", "stdout", "stderr")


def silence(transport: ProcessTransport) -> dict[str, Any]:
    """What a bot is doing that should have answered; takes `LOOK` seconds.

    `processes`: it and what it started, each with `name`, `exe` and `threads` (`id`, `state`, `call`, `fd`: what the
    call's descriptor is, `watches`, `wchan`). `cpu`: seconds used by all of them, `system` of that in the kernel,
    `ran`: of the `looked` seconds just now. `unread`: bytes sent and not read (`pipe`, `kit`: still on this side).
    `language`: by its process. `lacks`: what could not be looked at, with the reason.
    """
    lacks: dict[str, str] = {}
    pids = list(_family(transport.pid, lacks))
    before, began = _ran(pids, lacks), time.monotonic()
    processes = [_process(pid, transport, lacks) for pid in pids]
    time.sleep(LOOK)
    after, looked = _ran(pids, lacks), time.monotonic() - began
    if after - before <= doing.BUSY_SHARE * looked:
        _see_past_wakings(pids, processes, transport, lacks)
    user, system = map(sum, zip(*(_times(pid, lacks) for pid in pids), strict=True))
    pipe = transport.in_pipe()
    if pipe is None:
        lacks["FIONREAD"] = "not told of this descriptor"
    if not CALLS:
        lacks["syscall"] = f"call numbers of {platform.machine()} are not known here"
    return {
        "processes": processes,
        "cpu": round(user + system, 3),
        "system": round(system, 3),
        "looked": round(looked, 3),
        "ran": round(max(0.0, after - before), 4),
        "unread": {"pipe": pipe, "kit": transport.unread},
        "language": next(filter(None, (languages.of_program(p["exe"]) for p in reversed(processes))), None),
        "lacks": lacks,
    }


def _read(path: str, lacks: dict[str, str]) -> str:
    """A file of /proc; "" where it is not to be had, which `lacks` then tells by the file's name."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        if not os.path.exists("/proc/self/stat"):
            lacks["/proc"] = "not there"
    except ProcessLookupError:
        pass  # it has ended since
    except OSError as error:
        lacks[path.rpartition("/")[2]] = error.strerror or str(error)
    return ""


def _family(pid: int, lacks: dict[str, str]) -> Iterator[int]:
    """The process and all that it started, parents first."""
    todo = [pid]
    for _ in range(MOST_PROCESSES):
        if not todo:
            return
        pid = todo.pop(0)
        yield pid
        for thread in _threads(pid):
            todo += map(int, _read(f"/proc/{pid}/task/{thread}/children", lacks).split())


def _threads(pid: int) -> list[str]:
    try:
        return sorted(os.listdir(f"/proc/{pid}/task"), key=int)[:MOST_THREADS]
    except OSError:
        return []


def _ran(pids: list[int], lacks: dict[str, str]) -> float:
    """Seconds that the threads have run on a core; the kernel's finest count."""
    total = 0
    for pid in pids:
        for thread in _threads(pid):
            fields = _read(f"/proc/{pid}/task/{thread}/schedstat", lacks).split()
            total += int(fields[0]) if fields else 0
    return total / 1e9


def _times(pid: int, lacks: dict[str, str]) -> tuple[float, float]:
    """CPU seconds of a process: its own, and the kernel's on its behalf."""
    fields = _read(f"/proc/{pid}/stat", lacks).rpartition(")")[2].split()
    return (int(fields[11]) * TICK, int(fields[12]) * TICK) if len(fields) > 12 else (0.0, 0.0)


def _process(pid: int, transport: ProcessTransport, lacks: dict[str, str]) -> dict[str, Any]:
    try:
        exe = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError as error:
        exe = ""
        if not isinstance(error, FileNotFoundError | ProcessLookupError):
            lacks["exe"] = error.strerror or str(error)
    threads = [_thread(pid, thread, transport, lacks) for thread in _threads(pid)]
    return {"name": _read(f"/proc/{pid}/comm", lacks).strip(), "exe": exe, "threads": threads}


def _see_past_wakings(
    pids: list[int], processes: list[dict[str, Any]], transport: ProcessTransport, lacks: dict[str, str]
) -> None:
    """Look again at the threads that run though the bot as a whole does not: a runtime's housekeeping (a JVM's wakes
    every 50 ms) is soon back where it waits; a thread that only lacks a free core still runs."""
    for _ in range(LOOKS):
        running = [
            (pid, process["threads"], at)
            for pid, process in zip(pids, processes, strict=True)
            for at, thread in enumerate(process["threads"])
            if thread["state"] == "R"
        ]
        if not running:
            return
        time.sleep(LOOK / LOOKS)
        for pid, threads, at in running:
            threads[at] = _thread(pid, threads[at]["id"], transport, lacks)


def _thread(pid: int, thread: str, transport: ProcessTransport, lacks: dict[str, str]) -> dict[str, Any]:
    place = f"/proc/{pid}/task/{thread}"
    status = _read(f"{place}/stat", lacks).rpartition(")")[2].split()
    seen: dict[str, Any] = {"id": thread, "state": status[0] if status else "?"}
    wchan = _read(f"{place}/wchan", lacks).strip()
    if wchan not in ("", "0"):
        seen["wchan"] = wchan
    words = _read(f"{place}/syscall", lacks).split()
    # "running", or the number, six arguments and two pointers; -1: stopped outside of any call
    if len(words) != 9:
        return seen
    number, arguments = int(words[0]), [int(word, 16) for word in words[1:7]]
    seen["call"] = CALLS.get(number, str(number))
    if seen["call"] in FIRST_IS_FD:
        seen["fd"] = _end(pid, arguments[0] & 0xFFFFFFFF, transport, lacks)
    if seen["call"].startswith("epoll"):
        text = _read(f"/proc/{pid}/fdinfo/{arguments[0]}", lacks)
        targets = [line.split()[1] for line in text.splitlines() if line.startswith("tfd:")]
        seen["watches"] = sorted({_end(pid, int(fd), transport, lacks) for fd in targets})
    return seen


def _end(pid: int, fd: int, transport: ProcessTransport, lacks: dict[str, str]) -> str:
    """Which of the bot's three streams a descriptor is (whatever its number), or what else: `pipe`, `socket`, …"""
    try:
        link = os.readlink(f"/proc/{pid}/fd/{fd}")
    except OSError as error:
        lacks["fd"] = error.strerror or str(error)
        return ENDS[fd] if fd < len(ENDS) else f"descriptor {fd}"
    streams = transport.streams()
    if link in streams:
        return ENDS[streams.index(link)]
    return "file" if link.startswith("/") else link.partition(":")[0]
