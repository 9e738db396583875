"""Whole matches against house players: the only place where the time of a match is judged.

Law: they run alone, one at a time: a bot's clock must not pay for another's work.
"""

from __future__ import annotations

from collections.abc import Iterator

from pdcheck.conformance.case import Case
from pdcheck.conformance.setting import PLAIN, Setting
from pdcheck.scenarios.pack import GamePack

LOOKED_AT = Setting("looked-at", watched="looks")
"""A whole match is played as the contest does it; the bot is looked at while the kit waits anyway (PD-6)."""


def cases(pack: GamePack, seed: int, count: int) -> Iterator[Case]:
    """`count` matches by seed; the candidate's seat, the number of seats and the opponents change."""
    setting = LOOKED_AT if pack.conduct else PLAIN
    for scenario in pack.matches(seed, count):
        yield Case(f"matches/{scenario.name}", "matches", scenario, setting, alone=True, whole=True)
