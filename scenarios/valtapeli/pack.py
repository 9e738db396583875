"""Valtapeli as the kit uses it: one `GamePack`.

Law: only joins; rules, lines, scenes, strategies and players live in their own modules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from pdcheck.referee.catalogue import Catalogue, packaged
from pdcheck.referee.valtapeli.flow import GUARD, SEATS, SECONDS, Valtapeli
from pdcheck.referee.valtapeli.question import legal
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.scenario import Scenario, load_scenarios
from pdcheck.scenarios.valtapeli import players
from pdcheck.scenarios.valtapeli.features import FEATURES, describe, features
from pdcheck.scenarios.valtapeli.scene import RULES, stage

NAME = "valtapeli"
BASIC = frozenset({"starts", "answers", "plays-on"})


@cache
def _catalogue() -> Catalogue:
    return packaged("pdcheck.referee", "io.toml", "valtapeli/requirements.toml")


@cache
def _scenarios() -> Sequence[Scenario]:
    folder = files("pdcheck.scenarios.valtapeli")
    found = load_scenarios(file for file in folder.iterdir() if file.name.endswith(".yaml"))
    return sorted(found, key=lambda scenario: scenario.name not in BASIC)


def _generate(seed: int, count: int) -> Sequence[Scenario]:
    from pdcheck.scenarios.valtapeli.strategies import generate

    return generate(seed, count)


def _matches(seed: int, count: int) -> Sequence[Scenario]:
    from pdcheck.scenarios.valtapeli.strategies import matches

    return matches(seed, count)


def _match(names: Sequence[str], seed: int, time: float, rules: str, show: bool) -> Valtapeli:
    del seed, rules  # nothing is dealt
    return Valtapeli(names, time=time, show=show)


def _legal(state: Mapping[str, Any], play: Any, rules: str) -> Mapping[str, Any]:
    del rules
    return legal(state, play)


_GATE = "only the gate sees the submitted source"
_KIT = "the kit has no check for it yet"

PACK = GamePack(
    name=NAME,
    title="Valtapeli",
    suite=f"{NAME}/1",
    rules=RULES,
    default_rules=RULES[0],
    seats=SEATS,
    time=SECONDS,
    catalogue=_catalogue,
    scenarios=_scenarios,
    basic=BASIC,
    generate=_generate,
    matches=_matches,
    stage=stage,
    match=_match,
    players={name: players.about(name) for name in players.PLAYERS},
    player=players.player,
    legal=_legal,
    answered={
        "name": ("VA-1", "VA-12"),
        "opening": ("VA-3",),
        "move": ("VA-3", "VA-4", "VA-5", "VA-12"),
    },
    silence={"name": "VA-1", "opening": "VA-3", "move": GUARD.requirement},
    describe=describe,
    features=features,
    feature_table=FEATURES,
    robust=frozenset({"IO-8", "IO-12", "IO-14", "VA-10"}),
    match_time="VA-7",
    not_covered={"VA-11": _GATE, "IO-7": "no line of this game is long"}
    | dict.fromkeys(("VA-2", "VA-8", "VA-9"), _KIT),
)
