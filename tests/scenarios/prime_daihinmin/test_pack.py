"""The pack: everything the kit is given can be staged, and every ID it names is in the catalogue."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import Stage
from pdcheck.scenarios.prime_daihinmin.pack import HEAVY_CARDS, HEAVY_DIGITS, PACK, SHORT_TIME
from pdcheck.scenarios.scenario import Scenario, ScenarioError, Style

SHIPPED = {scenario.name: scenario for scenario in PACK.scenarios()}
PLAIN = Scenario(game=PACK.name, name="plain", about="PD-2.3", why="Made by hand.", hand="2357")


def staged(scenario: Scenario, rules: str | None = None, time: float | None = None) -> Stage:
    return PACK.stage(scenario, rules or PACK.default_rules, time)


def check(scenario: Scenario) -> Stage:
    """The stage is whole: a seat for the candidate and somebody on each of the others."""
    stage = staged(scenario)
    seats = range(len(stage.game.names))
    assert len(seats) in PACK.seats
    assert stage.seat in seats
    assert stage.players.keys() == set(seats) - {stage.seat}
    assert stage.game.time == (scenario.time or PACK.time)
    assert scenario.about in PACK.catalogue()
    return stage


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_scenario_can_be_staged_under_every_rule_set(name: str) -> None:
    check(SHIPPED[name])
    for rules in PACK.rules:
        staged(SHIPPED[name], rules)


def test_generated_states_can_be_staged() -> None:
    scenarios = PACK.generate(7, 50)
    assert len(scenarios) == 50
    for scenario in scenarios:
        check(scenario)


def test_matches_can_be_staged_and_differ_as_they_should() -> None:
    scenarios = PACK.matches(7, 20)
    assert len(scenarios) == 20
    stages = [check(scenario) for scenario in scenarios]
    assert {len(stage.game.names) for stage in stages} == {2, 3, 4, 5, 8}
    assert {scenario.about for scenario in scenarios} == {"PD-5.1", "PD-5.3"}
    assert all((s.time == SHORT_TIME) is (s.about == "PD-5.3") for s in scenarios)
    assert scenarios == PACK.matches(7, 20)
    assert scenarios != PACK.matches(8, 20)
    assert PACK.matches(7, 5) == scenarios[:5]


def test_the_basic_scenarios_come_first_and_exist() -> None:
    names = list(SHIPPED)
    assert set(names[: len(PACK.basic)]) == PACK.basic
    assert len(names) == len(PACK.scenarios()) >= 60


def test_every_id_is_in_the_catalogue() -> None:
    named = {
        *PACK.not_covered,
        *PACK.robust,
        *PACK.acknowledgements,
        *PACK.silence.values(),
        *(requirement for requirements in PACK.answered.values() for requirement in requirements),
        *(feature.requirement for feature in PACK.feature_table),
        PACK.match_time,
        PACK.margin,
    }
    assert not named - {entry.id for entry in PACK.catalogue()}


def test_what_is_not_covered_is_no_scenarios_subject() -> None:
    subjects = {scenario.about for scenario in (*PACK.scenarios(), *PACK.matches(0, 12))}
    assert not subjects & PACK.not_covered.keys()
    assert all(reason for reason in PACK.not_covered.values())


def test_nobody_is_blamed_for_what_only_the_referee_can_break() -> None:
    for requirement in (*PACK.robust, *PACK.silence.values(), PACK.match_time, PACK.margin):
        assert PACK.catalogue()[requirement].level is not Level.RULE


def test_the_suite_names_the_game_and_the_players_have_a_line_each() -> None:
    assert re.fullmatch(rf"{PACK.name}/\d+", PACK.suite)
    assert PACK.default_rules in PACK.rules
    for name, words in PACK.players.items():
        assert words
        assert "\n" not in words
        assert PACK.player(name, 1)
    with pytest.raises(KeyError):
        PACK.player("nobody", 1)


def test_a_stage_has_the_time_it_is_told_unless_the_scenario_says_its_own() -> None:
    assert staged(PLAIN).game.time == PACK.time
    assert staged(PLAIN, time=3.5).game.time == 3.5
    assert staged(replace(PLAIN, time=2.0), time=3.5).game.time == 2.0


@pytest.mark.parametrize(
    ("hand", "field", "heavy"),
    [
        ({"2": HEAVY_CARDS}, (), False),
        ({"2": HEAVY_CARDS + 1}, (), True),
        ("2357", ("2",), False),
    ],
)
def test_heavy_states(hand: str | dict[str, int], field: tuple[str, ...], heavy: bool) -> None:
    assert staged(replace(PLAIN, hand=hand, field=field)).heavy is heavy


def test_wide_fields_are_heavy() -> None:
    wide = {name for name, scenario in SHIPPED.items() if sum(map(len, scenario.field)) > HEAVY_DIGITS}
    assert wide
    assert all(staged(SHIPPED[name]).heavy for name in wide)


@pytest.mark.parametrize(
    "others", [{"players": {"1": "nobody"}}, {"out": [0, 1, 2, 3]}, {"bogus": 1}], ids=["who", "out", "key"]
)
def test_what_cannot_be_staged_says_so(others: dict[str, object]) -> None:
    with pytest.raises(ScenarioError, match="plain"):
        staged(replace(PLAIN, seats=4, others=others))


def test_an_unknown_rule_set_raises() -> None:
    with pytest.raises(KeyError):
        staged(PLAIN, "nope")


def test_a_style_reaches_the_wire() -> None:
    assert staged(replace(PLAIN, style=Style(spaces="none"))).game != staged(PLAIN).game
