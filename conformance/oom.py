"""How often Linux has killed for want of memory where the kit runs.

Law: only looks. A memory cgroup counts what was killed in it and in none of those below, such as a bot behind walls
that used too much: what befell that one says nothing about the kit's own. Where no group tells, the whole machine's
count does.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

ROOT = "/sys/fs/cgroup"
OWN = "/proc/self/cgroup"
WHOLE = "/proc/vmstat"
_NAME = b"oom_kill "


def kills(root: str = ROOT, own: str = OWN, whole: str = WHOLE) -> int:
    """How many processes were killed so far; 0 where nothing tells."""
    for file in (*_own(root, own), whole):
        with contextlib.suppress(OSError, StopIteration, ValueError), open(file, "rb") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(_NAME))
    return 0


def _own(root: str, own: str) -> Iterator[str]:
    """The files that this process's own memory cgroup is told in: version 1, and version 2."""
    try:
        with open(own, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split(":", 2) for line in file]
    except (OSError, ValueError):
        return
    for _, controllers, path in rows:
        if "memory" in controllers.split(","):
            yield os.path.join(root, "memory", path.lstrip("/"), "memory.oom_control")
        elif not controllers:
            yield os.path.join(root, path.lstrip("/"), "memory.events.local")
