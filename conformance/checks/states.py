"""States: scripted scenarios and generated ones, each before a fresh process."""

from __future__ import annotations

from collections.abc import Iterator

from pdcheck.conformance.case import Case
from pdcheck.scenarios.pack import GamePack

TIMED = frozenset({"IO-10", "IO-11"})
"""Scenarios about these, and about the end of a match, end by waiting for the bot to go, and so must not share the
machine."""


def scripted(pack: GamePack) -> Iterator[Case]:
    """The game's own scenarios, in the order of its files; the section is the part of the spec."""
    timed = TIMED | {pack.end.requirement}
    for scenario in pack.scenarios():
        basic = scenario.name in pack.basic
        section = "basic" if basic else scenario.about.partition(".")[0]
        yield Case(f"{section.lower()}/{scenario.name}", section, scenario, alone=scenario.about in timed)


def generated(pack: GamePack, seed: int, count: int) -> Iterator[Case]:
    """States that play can reach, found by seed."""
    for scenario in pack.generate(seed, count):
        yield Case(f"generated/{scenario.name}", "generated", scenario)
