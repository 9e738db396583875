"""Valtapeli as the kit uses it: one `GamePack`.

Law: only joins; rules, lines, scenes, strategies and players live in their own modules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from pdcheck.referee.catalogue import Catalogue, packaged
from pdcheck.referee.valtapeli.codec import looks_like_a_move
from pdcheck.referee.valtapeli.flow import GUARD, SEATS, SECONDS, Valtapeli
from pdcheck.referee.valtapeli.question import legal
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.exchange import Answers, End
from pdcheck.scenarios.pack import Conduct, GamePack, Reference, Upload
from pdcheck.scenarios.scenario import Scenario, load_scenarios
from pdcheck.scenarios.valtapeli import players
from pdcheck.scenarios.valtapeli.features import (
    FEATURES,
    describe,
    features,
    lines_due,
    meant,
)
from pdcheck.scenarios.valtapeli.repeats import CLAIMS, REPEATS
from pdcheck.scenarios.valtapeli.scene import RULES, stage
from pdcheck.scenarios.valtapeli.summary import summary, times
from pdcheck.scenarios.valtapeli.table import BoardView
from pdcheck.scenarios.valtapeli.viewer import view

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


def _rematch(names: Sequence[str], seed: int, seat: int, rulings: Mapping[int, Sequence[Ruling]]) -> Scenario:
    """A match of `_match` for one seat: the other takes the cells that it took, as long as they are free."""
    del seed
    took = [ruling.what for ruling in rulings[1 - seat] if ruling.outcome in CLAIMS]
    return Scenario(
        game=NAME,
        name="match",
        about="VA-7",
        why="A match between bots, played again.",
        blame=False,
        names=tuple(names),
        seat=seat,
        turns=0,
        others={"script": took} if took else {},
    )


def _legal(state: Mapping[str, Any], play: Any, rules: str) -> Mapping[str, Any]:
    del rules
    return legal(state, play)


_GATE = "only the gate sees the submitted source"

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
    answers=Answers(
        shape=frozenset({"VA-1", "VA-4"}),
        mistaken=frozenset({"VA-5"}),
        unreadable=frozenset({"VA-1", "VA-4"}),
        own=frozenset({"VA-1", "VA-4"}),
        due=lines_due,
        meant=meant,
        whole=looks_like_a_move,
        message=lambda data: data.endswith(b"\n"),
    ),
    end=End(
        "VA-6",
        "the bot ends by itself within 2 s of the last line, with exit status 0",
        "the last line and the end of its input",
        closes=True,
    ),
    hasty="VA-3",
    hang=GUARD.requirement,
    silence={"name": "VA-1", "opening": "VA-3", "move": GUARD.requirement},
    describe=describe,
    features=features,
    viewer=view,
    feature_table=FEATURES,
    robust=frozenset({"IO-8", "IO-12", "IO-14", "VA-10"}),
    endures="VA-10",
    match_time="VA-7",
    timing=frozenset({"VA-7"}),
    margin="VA-7",
    rematch=_rematch,
    conduct=Conduct(memory="VA-8", most_memory=512 * 2**20),
    upload=Upload(2**20, 2**20, "VA-11", one_source=False),
    summary=summary,
    times=times,
    seatview=BoardView,
    not_covered={"VA-11": _GATE, "IO-7": "no line of this game is long", "IO-9": "VA-6 asks for it here"},
    repeats=REPEATS,
    reference=Reference("an x86-64 at 1.73 GHz", 1.73),
)
