"""Prime Daihinmin as the kit uses it: one `GamePack`.

Law: only joins; rules, bytes, positions, strategies and players live in their own modules.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from pdcheck.referee.catalogue import Catalogue, packaged
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin, Script
from pdcheck.referee.prime_daihinmin.rules import DEFAULT_RULES, RULE_SETS, field_count
from pdcheck.referee.prime_daihinmin.table import HAND_CARDS, SEATS, Setup, deal
from pdcheck.scenarios.pack import GamePack, Player, Stage
from pdcheck.scenarios.prime_daihinmin import players, positions
from pdcheck.scenarios.scenario import Scenario, ScenarioError, read_scenarios
from pdcheck.scenarios.style import rewriter

NAME = "prime-daihinmin"
TIME = 10.0
HEAVY_DIGITS, HEAVY_CARDS = 160, 300
"""PD-5.1: "in a synthetic state an overrun above 160 digits or 300 cards is INFO"."""
BASIC = "basic.yaml"
OPPONENTS = ("steady", "greedy", "cutter", "chaos", "passer")
UNRULY = ("composite-cheat", "dead", "mute", "babbler")
SEAT_COUNTS = (4, 4, 4, 2, 3, 5, 8)


@cache
def _catalogue() -> Catalogue:
    return packaged("pdcheck.referee", "io.toml", "js.toml", "prime_daihinmin/requirements.toml")


@cache
def _files() -> Mapping[str, tuple[Scenario, ...]]:
    """Scenario files by name, `basic.yaml` first."""
    folder = files("pdcheck.scenarios.prime_daihinmin")
    found = [file for file in folder.iterdir() if file.name.endswith(".yaml")]
    found.sort(key=lambda file: (file.name != BASIC, file.name))
    return {file.name: tuple(read_scenarios(file.read_text("utf-8"), file.name)) for file in found}


def _scenarios() -> Sequence[Scenario]:
    return [scenario for group in _files().values() for scenario in group]


def _generate(seed: int, count: int) -> Sequence[Scenario]:
    from pdcheck.scenarios.prime_daihinmin.strategies import generate

    return generate(seed, count)


def _matches(seed: int, count: int) -> list[Scenario]:
    """Whole matches: usual opponents, and in every third one of them gets itself put out."""
    rng = random.Random(seed)
    made = []
    for number in range(count):
        seats = SEAT_COUNTS[number % len(SEAT_COUNTS)]
        seat = rng.randrange(seats)
        others = {str(s): rng.choice(OPPONENTS) for s in range(seats) if s != seat}
        if number % 3 == 2:
            others[rng.choice(sorted(others))] = rng.choice(UNRULY)
        made.append(
            Scenario(
                game=NAME,
                name=f"match-{number + 1:04}",
                about="PD-5.1",
                why="A whole match against house players, for its rules, its time and its margin.",
                blame=False,
                seats=seats,
                seat=seat,
                turns=0,
                others={"deal": seed * 1000 + number, "players": others},
            )
        )
    return made


def _stage(scenario: Scenario, rules: str, time: float | None) -> Stage:
    """The scenario ready to be played; raises ScenarioError."""
    rule_set = RULE_SETS[scenario.rules or rules]
    setup, seat, cast = _cast(scenario, TIME if time is None else time)
    interject = scenario.interject
    script = Script(
        seat,
        scenario.turns or None,
        quit=scenario.ending == "quit",
        rewrite=rewriter(scenario.style),
        together=scenario.deliver.together,
        interject=b"" if interject is None else json.dumps(dict(interject)).encode() + b"\n",
        init_only=scenario.ending == "eof-at-init",
        cut_short=scenario.ending == "eof-in-line",
    )
    heavy = sum(setup.hands[seat]) > HEAVY_CARDS or field_count(_field(setup)) > HEAVY_DIGITS
    return Stage(PrimeDaihinmin(setup, rule_set, script=script), seat, cast, heavy)


def _cast(scenario: Scenario, time: float) -> tuple[Setup, int, dict[int, Player]]:
    seed = scenario.others.get("deal")
    if seed is not None:
        seat = scenario.seat or 0
        names = scenario.names or tuple(positions.NAMES[: scenario.seats or 4])
        setup = deal(names, seed, time=scenario.time or time, hand_cards=HAND_CARDS)
        named = {int(s): str(name) for s, name in scenario.others.get("players", {}).items()}
        script: Mapping[int, Sequence[str]] = {}
    else:
        seat = positions.seat_of(scenario)
        setup = positions.setup(scenario, time=time)
        others = positions.others_of(scenario)
        named, script = dict(others.players), others.script
    cast: dict[int, Player] = {}
    for other in range(len(setup.names)):
        if other in script:
            cast[other] = players.Scripted(script[other])
        else:
            cast[other] = _player(scenario, named.get(other, "passer"), other + (seed or 0))
    return setup, seat, cast


def _player(scenario: Scenario, name: str, seed: int) -> Player:
    try:
        return players.player(name, seed)
    except KeyError as error:
        raise ScenarioError(f"scenario {scenario.name}: {error.args[0]}") from None


def _field(setup: Setup) -> list[str]:
    return [move.digits for move in setup.before if move.digits]


def _match(names: Sequence[str], seed: int, time: float, rules: str, show: bool) -> PrimeDaihinmin:
    return PrimeDaihinmin(replace(deal(names, seed), time=time), RULE_SETS[rules], show=show)


def _legal(state: Mapping[str, Any], play: Any, rules: str) -> Mapping[str, Any]:
    from pdcheck.referee.prime_daihinmin.question import legal

    return legal(state, play, RULE_SETS[rules])


_PLAYED = ("PD-2.3", "PD-2.4", "PD-3.1", "PD-3.2", "PD-3.3", "PD-3.4", "PD-3.5", "PD-3.6")
_GATE = "only the gate sees the submitted source"
_LATER = "no check covers it yet"

PACK = GamePack(
    name=NAME,
    title="Prime Daihinmin (素数大貧民)",
    suite=f"{NAME}/1",
    rules=tuple(RULE_SETS),
    default_rules=DEFAULT_RULES,
    seats=SEATS,
    time=TIME,
    catalogue=_catalogue,
    scenarios=_scenarios,
    basic=frozenset({"leads", "follows", "can-only-pass"}),
    generate=_generate,
    matches=_matches,
    stage=_stage,
    match=_match,
    players={name: (type(players.player(name)).__doc__ or "").split("\n\n")[0] for name in players.PLAYERS},
    player=players.player,
    legal=_legal,
    answered={
        "init": ("PD-2.1", "PD-2.2"),
        "play": ("PD-2.3",),
        "ok": _PLAYED,
        "mersenne": _PLAYED,
        "belphegor": _PLAYED,
        "pass": ("PD-2.3", "PD-2.5", "PD-2.6", "PD-2.7"),
        "quit": ("PD-2.8",),
    },
    silence={"init": "PD-2.1", "play": "PD-2.3", "pass": "PD-2.6", "quit": "PD-2.8"},
    robust=frozenset(
        ["IO-7", "IO-8", "IO-12", "IO-14", "JS-2", "JS-3", "JS-4", "JS-6"]
        + [f"PD-2.{n}" for n in range(9, 15)]
    ),
    match_time="PD-5.1",
    margin="PD-5.2",
    not_covered={"PD-6.5": _GATE, "PD-6.7": _GATE}
    | dict.fromkeys(("PD-6.1", "PD-6.2", "PD-6.3", "PD-6.4"), _LATER),
)
