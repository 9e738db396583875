"""The pack: everything it names is there."""

from __future__ import annotations

import re

import pytest
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.valtapeli.features import describe, features
from pdcheck.scenarios.valtapeli.pack import PACK


def test_every_id_is_in_the_catalogue() -> None:
    named = {
        *PACK.not_covered,
        *PACK.robust,
        *PACK.acknowledgements,
        *PACK.silence.values(),
        *(requirement for requirements in PACK.answered.values() for requirement in requirements),
        *(feature.requirement for feature in PACK.feature_table),
        *(scenario.about for scenario in PACK.scenarios()),
        PACK.match_time,
    }
    assert not named - {entry.id for entry in PACK.catalogue()}
    assert not [entry.id for entry in PACK.catalogue() if entry.level is Level.RULE]


def test_the_basic_scenarios_come_first_and_exist() -> None:
    names = [scenario.name for scenario in PACK.scenarios()]
    assert set(names[: len(PACK.basic)]) == PACK.basic


def test_every_scenario_can_be_staged() -> None:
    for scenario in (*PACK.scenarios(), *PACK.generate(7, 30), *PACK.matches(7, 12)):
        staged = PACK.stage(scenario, PACK.default_rules, None)
        assert staged.players.keys() == {1 - staged.seat}


def test_the_suite_names_the_game_and_the_players_have_a_line_each() -> None:
    assert re.fullmatch(rf"{PACK.name}/\d+", PACK.suite)
    for name, words in PACK.players.items():
        assert words
        assert PACK.player(name, 1)


def test_a_match() -> None:
    game = PACK.match(["A", "B"], 1, 5.0, "published", True)
    assert (list(game.names), game.time, game.by_cpu) == (["A", "B"], 5.0, True)


def test_what_can_be_played() -> None:
    assert PACK.legal({"moves": ["1 1"]}, None, "published")["turn"] == 2


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (b"1\n", "1 (its turn number)"),
        (b"10 16\n", "10 16 (the other's move)"),
        (b"2\n8 8\n", "8 8 (the other's move)"),
        (b"1", "1 (its turn number)"),
        (b"10 ", "10 "),
        (b"\xff\n", "\\xff"),
    ],
)
def test_a_message_in_a_line(message: bytes, words: str) -> None:
    assert describe(message) == words


def test_features_are_in_the_table_and_told_from_the_lines() -> None:
    found = features([b"2\n", b"8 8\n16 1\n", b"3 1"])
    assert set(found) <= {feature.name for feature in PACK.feature_table}
    assert found["as_second"].greatest == 1
    assert found["as_first"].greatest == 0
    assert found["moves_told"] == (1, 2)
    assert found["corner_told"] == (0, 1)
    assert features([]) == {}
    assert features([b"\xff\n", b"nonsense\n"])["as_first"].greatest == 0
