"""What walls promise, by which means, and how much of it holds on a machine.

Law: a table and pure functions on it. A status is `enforced` (tried from inside, and kept out), `watched` (it can be
done and is seen), or `off`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

ENFORCED, WATCHED, OFF = STATUSES = ("enforced", "watched", "off")


class Property(NamedTuple):
    """`promise`: what a bot cannot do; `means`: what keeps it from that. `watched`: the kit sees it without walls."""

    name: str
    promise: str
    means: tuple[str, ...]
    watched: bool = False


PROPERTIES: Mapping[str, Property] = {
    row.name: row
    for row in (
        Property(
            "network",
            "reach no host, no port, no socket of another program, by path or abstract name",
            ("network namespace", "seccomp filter"),
            watched=True,
        ),
        Property(
            "files",
            "read nothing of the host but its runtime's folders and its own",
            ("mount namespace",),
            watched=True,
        ),
        Property(
            "write",
            "write nowhere but to a /tmp of its own, of a fixed size",
            ("read-only mounts", "sized tmpfs", "RLIMIT_FSIZE"),
            watched=True,
        ),
        Property(
            "processes",
            "have no more processes and threads at once than its runtime needs",
            ("RLIMIT_NPROC in a user namespace",),
            watched=True,
        ),
        Property(
            "memory",
            "use no more memory than it is given, by whatever kind of mapping or file",
            ("memory cgroup, or RLIMIT_AS where there is none", "sized tmpfs", "seccomp filter"),
            watched=True,
        ),
        Property("signals", "signal no process outside", ("process namespace", "user of its own")),
        Property(
            "other_processes",
            "see, read or trace no process outside",
            ("process namespace", "seccomp filter"),
        ),
        Property(
            "ipc", "share no memory, queue or semaphore with others", ("IPC namespace", "seccomp filter")
        ),
        Property(
            "kernel",
            "reach none of the kernel's rarer doors: tracing, keyrings, mounts, namespaces, io_uring, bpf",
            ("seccomp filter", "no user namespace inside"),
        ),
        Property(
            "privileges", "have and gain no privilege", ("user namespace", "no capability", "no_new_privs")
        ),
        Property("terminal", "reach no terminal", ("new session", "minimal /dev", "seccomp filter")),
        Property("time", "set no clock and no name of the machine", ("UTS namespace", "seccomp filter")),
        Property(
            "survival", "leave nothing running when it has ended", ("process namespace", "die with parent")
        ),
    )
}


class Attempt(NamedTuple):
    """One thing that was tried from inside: whether it was `done`, and in words `how` it went."""

    property: str
    name: str
    done: bool
    how: str


class Held(NamedTuple):
    """Whether a property holds: its status, what was tried, and why it does not hold ("" when it does)."""

    property: str
    status: str
    attempts: tuple[Attempt, ...]
    why: str = ""


def unproven(sandbox: str) -> dict[str, str]:
    """The status of each property without walls. Raises ValueError for a sandbox that has some."""
    if sandbox not in ("none", "watch"):
        raise ValueError(f"what holds in the sandbox {sandbox!r} is to be proven")
    return {row.name: WATCHED if row.watched and sandbox == "watch" else OFF for row in PROPERTIES.values()}


def judged(attempts: Mapping[str, tuple[Attempt, ...]]) -> dict[str, Held]:
    """Each property by what was tried. Nothing tried is nothing proven."""
    return {name: _held(name, attempts.get(name, ())) for name in PROPERTIES}


def _held(name: str, attempts: tuple[Attempt, ...]) -> Held:
    if unknown := {attempt.property for attempt in attempts} - {name}:
        raise ValueError(f"attempts at {unknown} do not tell of {name}")
    done = [attempt for attempt in attempts if attempt.done]
    if attempts and not done:
        return Held(name, ENFORCED, attempts)
    why = "; ".join(f"{attempt.name}: {attempt.how}" for attempt in done) or "nothing was tried"
    return Held(name, WATCHED if PROPERTIES[name].watched else OFF, attempts, why)
