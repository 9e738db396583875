"""Generated scenarios and boards: possible, repeatable, and simplest where nothing is needed."""

from __future__ import annotations

import pytest
from hypothesis import Phase, find, given, settings
from pdcheck.referee.valtapeli.board import CELLS, Board
from pdcheck.scenarios.scenario import Scenario, dump_scenario, read_scenarios
from pdcheck.scenarios.valtapeli.pack import PACK
from pdcheck.scenarios.valtapeli.players import LEGAL_PLAYERS, UNRULY
from pdcheck.scenarios.valtapeli.strategies import almost_full, generate, matches, moves, states
from pdcheck.schemas import explain

few = settings(max_examples=30)


@few
@given(cells=moves())
def test_moves_can_be_made(cells: tuple[int, ...]) -> None:
    assert len(Board(cells).moves) == len(cells)


@few
@given(cells=almost_full(3))
def test_almost_full_boards(cells: tuple[int, ...]) -> None:
    assert 1 <= len(Board(cells).free()) <= 3


@few
@given(scenario=states())
def test_states_can_be_staged_and_written(scenario: Scenario) -> None:
    assert PACK.stage(scenario, "published", None).seat == scenario.seat
    assert read_scenarios(dump_scenario(scenario), "drawn") == [scenario]


def test_the_same_seed_gives_the_same_and_another_does_not() -> None:
    for make in (generate, matches):
        assert make(7, 20) == make(7, 20)
        assert make(7, 20)[:5] == make(7, 5)
        assert make(7, 20) != make(8, 20)
        assert len({scenario.name for scenario in make(7, 20)}) == 20


def test_generated_scenarios_differ_as_they_should() -> None:
    made = generate(1, 60)
    assert {scenario.seat for scenario in made} == {0, 1}
    assert {scenario.others["player"] for scenario in made} == set(LEGAL_PLAYERS)
    assert {scenario.ending for scenario in made} == {"eof"}


def test_matches_alternate_seats_and_meet_unruly_players() -> None:
    made = matches(1, 16)
    assert {scenario.turns for scenario in made} == {0}
    assert [scenario.seat for scenario in made[:4]] == [0, 1, 0, 1]
    unruly = [scenario for scenario in made if scenario.others["player"] in UNRULY]
    assert unruly == made[3::4]
    assert {scenario.seat for scenario in unruly} == {0, 1}


def test_generated_scenarios_follow_the_schema() -> None:
    import yaml

    for scenario in (*generate(1, 10), *matches(1, 10)):
        assert explain("valtapeli/scenario", yaml.safe_load(dump_scenario(scenario))) == []


@pytest.mark.parametrize("least", [0, 3])
def test_a_failing_board_shrinks_to_the_first_cells(least: int) -> None:
    shrinking = settings(max_examples=200, database=None, phases=[Phase.generate, Phase.shrink])
    assert find(moves(least), lambda cells: len(cells) >= 5, settings=shrinking) == (0, 1, 2, 3, 4)
    assert CELLS == 256
