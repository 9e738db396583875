"""Watching a bot from outside while it plays: its processes, threads, memory, files and connections (PD-6).

Law: what is here only looks, and writes what it saw into the transcript as probes; `pdcheck.conformance.conduct`
judges. A watched bot does what it would do unwatched: every call is let through, nothing is left behind.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

SANDBOXES = ("none", "watch")
"""Values of `--sandbox`: nothing is looked at, or all of it is looked at and nothing is kept from the bot."""
LIMITS = ("memory", "network", "files", "processes")


def limits(sandbox: str = "watch") -> Mapping[str, str]:
    """For each kind of limit whether it is enforced, watched or off. Raises ValueError for an unknown sandbox."""
    if sandbox not in SANDBOXES:
        raise ValueError(f"no sandbox is named {sandbox!r}")
    seen = sandbox == "watch" and os.path.exists("/proc/self/stat")
    return dict.fromkeys(LIMITS, "watched" if seen else "off")
