"""What a silent bot was seen doing: the looks of `probes`, read.

Law: pure. A thread is told by the call it is in, or, where the kernel does not tell that, by the place in it (`wchan`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

BUSY_SHARE = 0.2
"""Of a look: a bot that ran for more of it was at work, not waiting."""
SLEEPS = frozenset({"nanosleep", "clock_nanosleep", "pause", "rt_sigsuspend", "rt_sigtimedwait"})
_READS = frozenset({"read", "readv", "pread64", "recvfrom", "recvmsg"})
_WRITES = frozenset({"write", "writev", "sendto", "sendmsg"})
_WAITS = frozenset(
    {
        "poll",
        "ppoll",
        "select",
        "pselect6",
        "epoll_wait",
        "epoll_pwait",
        "epoll_pwait2",
        "io_uring_enter",
        "ioctl",
    }
)
_LOCKS = {
    "futex": "a lock of its own (futex), or another thread",
    "flock": "a lock on a file",
    "fcntl": "a lock on a file",
    "semop": "a semaphore",
    "semtimedop": "a semaphore",
    "msgrcv": "a message queue",
    "wait4": "a process that it started",
    "waitid": "a process that it started",
    "accept": "a connection from outside",
    "accept4": "a connection from outside",
    "connect": "a server to answer",
    "open": "a file to be opened (a FIFO?)",
    "openat": "a file to be opened (a FIFO?)",
}


_PLACES = {
    "hrtimer_nanosleep": "nanosleep",
    "do_nanosleep": "nanosleep",
    "pipe_read": "read",
    "anon_pipe_read": "read",
    "pipe_write": "write",
    "anon_pipe_write": "write",
    "futex_wait_queue": "futex",
    "futex_wait_queue_me": "futex",
    "do_wait": "wait4",
    "ep_poll": "epoll_wait",
    "do_poll": "poll",
    "poll_schedule_timeout": "poll",
    "do_select": "select",
    "sigsuspend": "rt_sigsuspend",
}
"""Where in the kernel a process waits → the call it is in, for when the call itself is not told."""


def threads(look: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All threads of a look, each with its `call` where anything tells it."""
    for process in look.get("processes", ()):
        for thread in process["threads"]:
            place = _PLACES.get(thread.get("wchan", "").partition(".")[0])
            told = thread.get("call") not in (None, "restart_syscall")
            yield thread if told or place is None else {**thread, "call": place}


def reads(threads: Sequence[Mapping[str, Any]]) -> bool:
    """Whether any thread waits for the bot's input."""
    return any(
        (thread.get("call") in _READS and thread.get("fd") == "stdin") or "stdin" in thread.get("watches", ())
        for thread in threads
    )


def may_read(threads: Sequence[Mapping[str, Any]]) -> bool:
    """Whether any thread waits for something that is not told, its input perhaps."""
    return any(
        (thread.get("call") in _WAITS and "watches" not in thread)
        or (thread.get("call") in _READS and "fd" not in thread)
        for thread in threads
    )


def idle(look: Mapping[str, Any]) -> bool:
    """Whether it was seen waiting rather than at work."""
    return bool(look) and look["ran"] <= BUSY_SHARE * look["looked"]


def only_reads(look: Mapping[str, Any]) -> bool:
    """Whether it waits for its input and does nothing else, in whichever thread or process."""
    seen = list(threads(look))
    asleep = all(t["state"] == "S" and t.get("call") not in SLEEPS for t in seen)
    return idle(look) and asleep and reads(seen)


def locked(threads: Sequence[Mapping[str, Any]]) -> str:
    """What it is blocked on that is not its input; "" when it is not."""
    for thread in threads:
        call, end = thread.get("call"), thread.get("fd")
        if call in _WRITES and end:
            return f"blocked writing to {_a(end)}"
        if call in _READS and end and end != "stdin":
            return f"blocked reading from {_a(end)} that is not its input"
    # A process that waits for one it started is explained by that one, a thread by another one.
    calls = [thread.get("call", "") for thread in threads]
    known = [call for call in calls if call in _LOCKS]
    last = next((call for call in known if not call.startswith("wait")), next(iter(known), None))
    return f"blocked waiting for {_LOCKS[last]}" if last else ""


def _a(end: str) -> str:
    return f"its {end}" if end.startswith("std") else f"a {end}"


def shown(thread: Mapping[str, Any]) -> str:
    """A thread in words."""
    call = thread.get("call") or thread.get("wchan")
    return f"state {thread['state']}" + (f" in {call}" if call else "")
