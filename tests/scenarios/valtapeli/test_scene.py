"""From a scenario to a match: what can be set, and what cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pdcheck.referee.valtapeli.flow import Script, Valtapeli
from pdcheck.scenarios.scenario import Deliver, Scenario, ScenarioError, Style
from pdcheck.scenarios.valtapeli.scene import Others, others_of, script_of, stage

PLAIN = Scenario(game="valtapeli", name="plain", about="VA-5", why="Made by hand.", ending="eof")


def test_a_plain_scenario() -> None:
    staged = stage(PLAIN, "published", None)
    assert isinstance(staged.game, Valtapeli)
    assert (staged.seat, staged.game.time, list(staged.players)) == (0, 30.0, [1])
    assert staged.game.script == Script(0, 1)
    assert not staged.heavy


def test_the_seat_is_the_candidates() -> None:
    staged = stage(replace(PLAIN, seat=1), "published", None)
    assert (staged.seat, list(staged.players)) == (1, [0])
    assert staged.game.names[1] == "candidate"


def test_time_is_the_scenarios_then_the_runs_then_the_games() -> None:
    assert stage(replace(PLAIN, time=2.0), "published", 5.0).game.time == 2.0
    assert stage(PLAIN, "published", 5.0).game.time == 5.0


def test_others_are_read() -> None:
    others: dict[str, Any] = {
        "player": "chaos",
        "script": ["1 16"],
        "avoid": ["2 1"],
        "seed": 5,
        "listen": 0.2,
    }
    assert others_of(replace(PLAIN, others=others)) == Others("chaos", (15,), (16,), 5, 0.2)
    assert others_of(PLAIN) == Others()


@pytest.mark.parametrize(
    ("ending", "script"),
    [
        ("eof", Script(0, 2)),
        ("term", Script(0, 2)),
        ("eof-at-init", Script(0, 2, names_only=True)),
        ("eof-in-line", Script(0, 2, cut_short=True)),
    ],
)
def test_endings(ending: str, script: Script) -> None:
    assert script_of(replace(PLAIN, turns=2, ending=ending)) == script


def test_a_match_to_its_end_needs_no_ending() -> None:
    assert script_of(replace(PLAIN, turns=0, ending="quit")) == Script(0, None)


def test_what_only_seat_1_can_be_given() -> None:
    second = replace(PLAIN, seat=1, deliver=Deliver(together=True))
    assert script_of(second) == Script(1, 1, together=True)
    assert script_of(replace(PLAIN, seat=1, others={"listen": 0.5})) == Script(1, 1, listen=0.5)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"ending": "quit"}, "wants an ending"),
        ({"deliver": Deliver(together=True)}, "only seat 1"),
        ({"others": {"listen": 1}}, "only seat 1"),
        ({"hand": "12"}, "hand: Valtapeli has none"),
        ({"field": ("5",)}, "field: Valtapeli has none"),
        ({"style": Style(spaces="wide")}, "style: Valtapeli has none"),
        ({"interject": {"action": "hello"}}, "interject: Valtapeli has none"),
        ({"seats": 3}, "two play"),
        ({"seat": 2}, "two play"),
        ({"others": {"hands": {}}}, "others.hands: no keys but player"),
        ({"others": {"player": "nobody"}}, "a house player, one of first-free"),
        ({"others": {"script": "1 1"}}, "a list of cells"),
        ({"others": {"script": ["1  1"]}}, "not '1  1'"),
        ({"others": {"avoid": ["0 1"]}}, "not '0 1'"),
        ({"others": {"avoid": [[1, 1]]}}, "cells as"),
        ({"others": {"seed": "x"}}, "an integer"),
        ({"others": {"listen": 0}}, "seconds above 0"),
        ({"others": {"player": "mute", "script": ["1 1"]}}, "mute follows no script"),
    ],
)
def test_what_cannot_be(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ScenarioError, match="scenario plain: ") as told:
        stage(replace(PLAIN, **changes), "published", None)
    assert words in str(told.value)


def test_an_unknown_rule_set_raises() -> None:
    with pytest.raises(KeyError, match="published"):
        stage(PLAIN, "nope", None)
