"""A setting: what is different around a bot's process, from the way its contest starts it.

Law: data only. What is made of it is `candidate`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Setting:
    """What is different around the bot's process, from the way its contest starts it."""

    name: str = "plain"
    changes: Mapping[str, str | None] = field(default_factory=dict)
    """Environment variables set, or (None) taken away."""
    elsewhere: bool = False
    """It runs in an empty folder."""
    unwritable: bool = False
    """That folder cannot be written to, by root neither."""
    listen: bool = False
    """The kit listens until the bot has come to rest before it sends the first message (IO-2)."""
    beside: bool = False
    """A second copy of the bot is at the same point of the same scenario (IO-14)."""
    terminal: bool = False
    """Its streams are terminals, not pipes."""
    patience: float = 0.0
    """How much longer than its time, as a share of it, the kit waits for an answer; the bot is not told."""
    watched: str = ""
    """Whether its process is looked at from outside now and then (`looks`), its system calls, too (`calls`), or
    neither ("") (PD-6)."""
    idles: tuple[int, ...] = ()
    """Before which of its messages (from 1) the kit does nothing for a while first (PD-6.2)."""
    late: float = 0.0
    """Seconds by which some of its messages come late (see `delivery.late_lines`)."""
    clock: str = ""
    """The clock it is told: one of `repeats.clock`'s, or its own ("")."""
    fixed: bool = False
    """Its memory is laid out without chance."""
    crowded: bool = False
    """It shares a core with a process that computes all the time."""

    @property
    def meddles(self) -> bool:
        """Whether what it costs the bot, or that it breaks down, may be the setting's own doing."""
        return bool(self.clock) or self.crowded


PLAIN = Setting()
