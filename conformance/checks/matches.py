"""Whole matches against house players: the only place where the time of a match is judged.

Law: they run alone, one at a time: a bot's clock must not pay for another's work.
"""

from __future__ import annotations

from collections.abc import Iterator

from pdcheck.conformance.case import Case
from pdcheck.scenarios.pack import GamePack


def cases(pack: GamePack, seed: int, count: int) -> Iterator[Case]:
    """`count` matches by seed; the candidate's seat, the number of seats and the opponents change."""
    for scenario in pack.matches(seed, count):
        yield Case(f"matches/{scenario.name}", "matches", scenario, alone=True, whole=True)
