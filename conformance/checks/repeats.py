"""Repeats: matches played again under other conditions, for a game in which a bot plays the same way in every run.

Law: one case a match and condition, each with a fresh process; what they say is said by comparing them (`repeats`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pdcheck.conformance.case import Case
from pdcheck.conformance.repeats.conditions import AGAIN, ALL, PLAIN, VARIED, under
from pdcheck.conformance.repeats.settle import SECTION
from pdcheck.scenarios.pack import GamePack

FEW = (PLAIN, AGAIN, ALL.name)
"""The least that shows a difference; what it takes is then found out."""
EACH = (PLAIN, AGAIN, *(row.name for row in VARIED), ALL.name)


def cases(pack: GamePack, seed: int, count: int, turns: int, *, each: bool) -> Iterator[Case]:
    """`count` matches of `turns` turns (0: whole), under `each` condition alone or only all together, and whole ones
    twice; before them one that only asks for the name in either seat."""
    wanted = pack.repeats
    if wanted is None:
        return
    for scenario in wanted.matches(seed, 2, 1):
        named = replace(scenario, name=f"name-{(scenario.seat or 0) + 1}")
        yield Case(f"{SECTION}/{named.name}", SECTION, named, about=wanted.name)
    for scenario in wanted.matches(seed, count, turns):
        first = Case(f"{SECTION}/{scenario.name}/{PLAIN}", SECTION, scenario, repeats=PLAIN)
        for condition in EACH if each else FEW:
            yield under(first, condition)
    if turns:  # what comes late in a match shows in whole ones only
        for scenario in wanted.matches(seed, count, 0):
            whole = replace(scenario, name=f"{scenario.name}-whole")
            first = Case(f"{SECTION}/{whole.name}/{PLAIN}", SECTION, whole, repeats=PLAIN)
            yield from (under(first, condition) for condition in (PLAIN, AGAIN))
