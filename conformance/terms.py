"""The terms on which all cases of a run are played.

Law: data, the same for every case; a worker has them from its start.
"""

from __future__ import annotations

from dataclasses import dataclass

from pdcheck.conformance.bot import Bot
from pdcheck.conformance.candidate import OPEN, Enclosure
from pdcheck.scenarios.pack import GamePack


@dataclass(frozen=True, slots=True)
class Terms:
    """`scratch` is where the bot's fresh folders are made; CPU seconds are charged `cpu_factor` times; `enclosure`
    is what the bot runs behind."""

    bot: Bot
    pack: GamePack
    rules: str
    time: float | None = None
    scratch: str | None = None
    cpu_factor: float = 1.0
    enclosure: Enclosure = OPEN
