"""Walls round a program that nobody vouches for: what it can see, use and reach is said beforehand, and holds.

Law: `walls` says what is inside, purely; `bubblewrap`, `filter`, `limits` and `cgroup` make it so; `probe` and `proof`
try from inside whether it is. What this machine does not offer is named, never assumed.
"""

from __future__ import annotations


class WallsError(Exception):
    """The walls could not be put up: this machine's trouble, never the bot's; the message says why in one line."""
