"""Watching a bot from outside while it plays: its processes, threads, memory, files and connections (PD-6).

Law: what is here only looks, and writes what it saw into the transcript as probes; `pdcheck.conformance.conduct`
judges. A watched bot does what it would do unwatched: every call is let through, nothing is left behind.
It watches honest bots and tells of careless ones; it is no wall: a path is read from the bot's memory before the kernel
reads it, and a second thread can change it in between (of two threads, PD-6.1 tells).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

SANDBOXES = ("none", "watch", "best", "strict")
"""Values of `--sandbox`: nothing is looked at; all of it is, and nothing is kept from the bot; all of it behind walls,
if there are some, or behind walls that hold (see `behind`)."""
LIMITS = ("memory", "network", "files", "processes")


_YAMA = "/proc/sys/kernel/yama/ptrace_scope"
_ONLY_ADMIN = 2
"""From this value of ptrace_scope on nobody without CAP_SYS_PTRACE reads another process's memory."""
NO_PATHS = (
    "ptrace_scope keeps this system's processes from being looked into: which files are opened is not seen"
)


def paths_readable() -> bool:
    """Whether the system lets the memory of a bot be read, where the paths that it opens are."""
    try:
        with open(_YAMA, encoding="ascii") as file:
            return int(file.read()) < _ONLY_ADMIN or os.geteuid() == 0
    except (OSError, ValueError):
        return True


def limits(sandbox: str = "watch") -> Mapping[str, str]:
    """For each kind of limit whether it is enforced, watched or off. Raises ValueError for an unknown sandbox."""
    if sandbox not in SANDBOXES:
        raise ValueError(f"no sandbox is named {sandbox!r}")
    seen = sandbox != "none" and os.path.exists("/proc/self/stat")
    told = dict.fromkeys(LIMITS, "watched" if seen else "off")
    return told if paths_readable() else told | {"files": "off"}
