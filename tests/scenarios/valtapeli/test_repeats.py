"""The matches of Valtapeli that are repeated, and their boards."""

from __future__ import annotations

import pytest
from pdcheck.conformance.repeats.talk import Talk, talk_of
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.referee.match import Match
from pdcheck.scenarios.pack import Said
from pdcheck.scenarios.scenario import dump_scenario, read_scenarios
from pdcheck.scenarios.valtapeli.pack import PACK
from pdcheck.scenarios.valtapeli.players import player
from pdcheck.scenarios.valtapeli.repeats import NAMED, OPPONENTS, REPEATS, draw, matches


def played(number: int, turns: int) -> Talk:
    """A match with a house player in the candidate's seat."""
    stage = PACK.stage(matches(3, number + 1, turns)[number], PACK.default_rules, None)
    seats = [
        MemoryTransport(player("greedy") if seat == stage.seat else stage.players[seat]) for seat in (0, 1)
    ]
    log = Transcript()
    with Runner(Match(stage.game), seats, log) as runner:
        runner.play()
    return talk_of(log, stage.seat, NAMED)


@pytest.mark.parametrize("turns", [0, 12])
@pytest.mark.parametrize("number", range(len(OPPONENTS)))
def test_every_opponent_plays_the_same_match_again(number: int, turns: int) -> None:
    first = played(number, turns)
    assert first == played(number, turns)
    assert first.name == "Greedy"
    own = [said for said in first.said if said.seat == first.seat and said.outcome != NAMED]
    assert len(own) == (turns or 128)


def test_the_seats_alternate_and_the_same_seed_gives_the_same_matches() -> None:
    assert [scenario.seat for scenario in matches(0, 4, 8)] == [0, 1, 0, 1]
    assert matches(5, 6, 8) == matches(5, 6, 8)
    assert len({scenario.name for scenario in matches(5, 6, 8)}) == 6


def test_a_match_survives_being_written_as_a_file() -> None:
    for scenario in (*matches(0, 6, 8), *matches(0, 2, 0)):
        assert read_scenarios(dump_scenario(scenario), "file") == [scenario]


def test_the_requirements_are_those_of_the_catalogue() -> None:
    catalogue = PACK.catalogue()
    assert {REPEATS.same, REPEATS.name} <= {requirement.id for requirement in catalogue}
    assert not {REPEATS.same, REPEATS.name} & set(PACK.not_covered)


def test_the_board_shows_whose_cells_are_whose_and_marks_the_last_move() -> None:
    lines = draw([
        Said(0, "name", "A"), Said(0, "move", "1 1"), Said(1, "move", "16 16"), Said(0, "replaced", "2 10"),
    ])  # fmt: skip
    assert len(lines) == 17
    assert len({len(line) for line in lines}) == 1
    assert lines[0] == "    1 2 3 4 5 6 7 8 910111213141516"
    assert lines[1] == "  1 1 . . . . . . . . . . . . . . ."
    assert lines[2] == "  2 . . . . . . . . .>1 . . . . . ."
    assert lines[16] == " 16 . . . . . . . . . . . . . . . 2"
    assert sum(line.count(">") for line in lines) == 1
