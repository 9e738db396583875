"""The checks, by how they look; each module makes cases out of what the game provides.

Law: a list of cases depends on the game, the profile and the seed, and on nothing else: not on the bot, the number of
jobs, or what ran before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pdcheck.conformance.case import Case
from pdcheck.conformance.checks import conduct, matches, repeats, states
from pdcheck.scenarios.pack import GamePack

BASIC = "basic"
"""The section that runs first: a bot that breaks down in all of it is asked nothing more."""


class Profile(NamedTuple):
    """How much is tried: generated states and whole matches (scripted scenarios always run); and, for a game that asks
    for it, matches that are repeated, their turns (0: whole), and whether `each` change is made alone."""

    states: int
    matches: int
    repeats: int
    turns: int
    each: bool


PROFILES = {
    "quick": Profile(states=40, matches=4, repeats=2, turns=16, each=False),
    "standard": Profile(states=300, matches=24, repeats=2, turns=48, each=True),
    "thorough": Profile(states=3000, matches=200, repeats=6, turns=0, each=True),
}


def all_cases(pack: GamePack, profile: str, seed: int) -> Sequence[Case]:
    """Every case of a run, in the order in which they count. Raises KeyError for an unknown profile."""
    size = PROFILES[profile]
    return (
        *conduct.cases(pack),
        *states.scripted(pack),
        *states.generated(pack, seed, size.states),
        *repeats.cases(pack, seed, size.repeats, size.turns, each=size.each),
        *matches.cases(pack, seed, size.matches),
    )
