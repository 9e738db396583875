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
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS, DEFAULT_RULES, RULE_SETS
from pdcheck.referee.prime_daihinmin.table import SEATS, Setup, deal
from pdcheck.referee.primes import is_mersenne_prime
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.exchange import Answers
from pdcheck.scenarios.pack import Conduct, GamePack, Player, Stage, Upload
from pdcheck.scenarios.prime_daihinmin import players, positions
from pdcheck.scenarios.prime_daihinmin.describe import describe
from pdcheck.scenarios.prime_daihinmin.features import FEATURES, features
from pdcheck.scenarios.prime_daihinmin.seatview import TableView
from pdcheck.scenarios.prime_daihinmin.simpler import simpler
from pdcheck.scenarios.prime_daihinmin.summary import summary
from pdcheck.scenarios.prime_daihinmin.viewer import view
from pdcheck.scenarios.scenario import Scenario, ScenarioError, load_scenarios
from pdcheck.scenarios.style import rewriter

NAME = "prime-daihinmin"
TIME = 10.0
HEAVY_DIGITS, HEAVY_CARDS = 160, 300
"""PD-5.1: "in a synthetic state an overrun above 160 digits or 300 cards is INFO"."""
BASIC = frozenset({"leads", "follows", "can-only-pass"})
OPPONENTS = players.LEGAL_PLAYERS
SHORT_TIME = 3.0
"""PD-5.3: what a bot is told where it is tried whether it heeds that; the kit makes it three times its start-up."""
UNRULY = tuple(name for name in players.PLAYERS if name not in OPPONENTS)
SEAT_COUNTS = (4, 4, 4, 2, 3, 5, 8)


@cache
def _catalogue() -> Catalogue:
    return packaged("pdcheck.referee", "io.toml", "js.toml", "prime_daihinmin/requirements.toml")


@cache
def _scenarios() -> Sequence[Scenario]:
    folder = files("pdcheck.scenarios.prime_daihinmin")
    found = load_scenarios(file for file in folder.iterdir() if file.name.endswith(".yaml"))
    return sorted(found, key=lambda scenario: scenario.name not in BASIC)


@cache
def _by_name() -> Mapping[str, Scenario]:
    return {scenario.name: scenario for scenario in _scenarios()}


def _generate(seed: int, count: int) -> Sequence[Scenario]:
    from pdcheck.scenarios.prime_daihinmin.strategies import generate

    return generate(seed, count)


def _matches(seed: int, count: int) -> list[Scenario]:
    """Whole matches by seed: usual opponents; in every third one of them gets itself put out."""
    rng = random.Random(seed)
    return [_whole_match(rng, seed, number) for number in range(count)]


def _whole_match(rng: random.Random, seed: int, number: int) -> Scenario:
    seats = SEAT_COUNTS[number % len(SEAT_COUNTS)]
    seat = rng.randrange(seats)
    others = {str(s): rng.choice(OPPONENTS) for s in range(seats) if s != seat}
    if number % 3 == 2:
        others[rng.choice(sorted(others))] = rng.choice(UNRULY)
    short = number % 4 == 3
    return Scenario(
        game=NAME,
        name=f"match-{number + 1:04}",
        about="PD-5.3" if short else "PD-5.1",
        why="A whole match against house players, for its rules, its time and its margin.",
        blame=False,
        seats=seats,
        seat=seat,
        turns=0,
        time=SHORT_TIME if short else None,
        others={"deal": seed * 1000 + number, "players": others},
    )


def _stage(scenario: Scenario, rules: str, time: float | None) -> Stage:
    """The scenario ready to be played; raises ScenarioError."""
    rule_set = positions.rules_of(scenario) if scenario.rules else RULE_SETS[rules]
    # The shipped scenarios are played through by the tests; a match plays them once more in any case.
    proven = _by_name().get(scenario.name) == scenario
    setup = positions.setup(scenario, time=TIME if time is None else time, proven=proven)
    seat = positions.seat_of(scenario)
    interject = scenario.interject
    script = Script(
        seat,
        scenario.turns or None,
        quit=scenario.ending == "quit",
        rewrite=rewriter(scenario.style),
        together=scenario.deliver.together,
        interject=b"" if interject is None else json.dumps(dict(interject)).encode() + b"\n",
        mute=scenario.ending == "eof-before-init",
        init_only=scenario.ending == "eof-at-init",
        cut_short=scenario.ending == "eof-in-line",
        unanswered=scenario.ending in ("eof-in-turn", "term-in-turn"),
    )
    heavy = sum(setup.hands[seat]) > HEAVY_CARDS or _field_cards(setup) > HEAVY_DIGITS
    return Stage(PrimeDaihinmin(setup, rule_set, script=script), seat, _cast(scenario, setup, seat), heavy)


def _cast(scenario: Scenario, setup: Setup, seat: int) -> dict[int, Player]:
    """Who sits on the other seats: scripted, a house player by name, or one that passes."""
    others = positions.others_of(scenario)
    cast: dict[int, Player] = {}
    for other in range(len(setup.names)):
        if other == seat:
            continue
        if other in others.script:
            cast[other] = players.Scripted(others.script[other])
        else:
            name = others.players.get(other, "passer")
            cast[other] = _player(scenario, name, other + (others.deal or 0))
    return cast


def _player(scenario: Scenario, name: str, seed: int) -> Player:
    try:
        return players.player(name, seed)
    except KeyError as error:
        raise ScenarioError(f"scenario {scenario.name}: {error.args[0]}") from None


def _field_cards(setup: Setup) -> int:
    """How many cards lie on the field at the candidate's first turn: those laid since the last cut."""
    laid = 0
    for move in reversed(setup.before):
        if move.digits == BELPHEGOR_DIGITS or (move.digits and is_mersenne_prime(int(move.digits))):
            break
        laid += len(move.digits)
    return laid


def _match(names: Sequence[str], seed: int, time: float, rules: str, show: bool) -> PrimeDaihinmin:
    return PrimeDaihinmin(replace(deal(names, seed), time=time), RULE_SETS[rules], show=show)


def _rematch(names: Sequence[str], seed: int, seat: int, rulings: Mapping[int, Sequence[Ruling]]) -> Scenario:
    """A match of `_match` for one seat; a seat that was put out passes from there on instead."""
    script = {str(other): [_did(r) for r in ruled if r.outcome in _DID] for other, ruled in rulings.items()}
    return Scenario(
        game=NAME,
        name="match",
        about="PD-5.1",
        why="A match between bots, played again.",
        blame=False,
        names=tuple(names),
        seat=seat,
        turns=0,
        others={"deal": seed, "script": {s: did for s, did in script.items() if s != str(seat)}},
    )


_DID = ("ok", "mersenne", "belphegor", "pass")


def _did(ruling: Ruling) -> str:
    return "" if ruling.outcome == "pass" else ruling.what


def _legal(state: Mapping[str, Any], play: Any, rules: str) -> Mapping[str, Any]:
    from pdcheck.referee.prime_daihinmin.question import legal

    return legal(state, play, RULE_SETS[rules])


def _line_about(player: Player) -> str:
    """The first paragraph of its docstring, on one line."""
    return " ".join((type(player).__doc__ or "").split("\n\n")[0].split())


_PLAYED = ("PD-2.3", "PD-2.4", "PD-3.1", "PD-3.2", "PD-3.3", "PD-3.4", "PD-3.5", "PD-3.6")
_GATE = "only the gate sees the submitted source"

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
    basic=BASIC,
    generate=_generate,
    matches=_matches,
    stage=_stage,
    match=_match,
    players={name: _line_about(players.player(name)) for name in players.PLAYERS},
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
    answers=Answers(
        shape=frozenset({"JS-1", "PD-2.3", "PD-2.4"}), unreadable=frozenset({"JS-1"}), always=("JS-1", "JS-5")
    ),
    silence={"init": "PD-2.1", "play": "PD-2.3", "pass": "PD-2.6", "quit": "PD-2.8"},
    describe=describe,
    features=features,
    feature_table=FEATURES,
    acknowledgements=frozenset({"PD-2.2", "PD-2.7", "PD-2.8"}),
    robust=frozenset(
        ["IO-7", "IO-8", "IO-12", "IO-14", "JS-2", "JS-3", "JS-4", "JS-6"]
        + [f"PD-2.{n}" for n in range(9, 15)]
    ),
    match_time="PD-5.1",
    timing=frozenset({"PD-5.1", "PD-5.2", "PD-5.3"}),
    told_time="PD-5.3",
    margin="PD-5.2",
    simpler=simpler,
    summary=summary,
    seatview=TableView,
    viewer=view,
    rematch=_rematch,
    conduct=Conduct("PD-6.1", "PD-6.2", "PD-6.3", "PD-6.4", most_memory=2**30),
    upload=Upload(2**20, 0, "PD-6.5", "PD-6.6", "PD-6.7"),
    not_covered={"PD-6.5": _GATE, "PD-6.7": _GATE},
)
