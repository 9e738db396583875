"""The packaged scenarios: each follows the schema, can be played, comes to what it says, and tells the truth."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import pytest
import yaml
from pdcheck.conformance.transcript import Sent, Transcript
from pdcheck.referee.valtapeli.codec import move_line, read_move
from pdcheck.referee.valtapeli.flow import Valtapeli
from pdcheck.scenarios.pack import Player
from pdcheck.scenarios.scenario import Scenario, dump_scenario, load_scenarios, read_scenarios
from pdcheck.scenarios.valtapeli.pack import PACK
from pdcheck.scenarios.valtapeli.players import player
from pdcheck.scenarios.valtapeli.scene import others_of, seat_of
from pdcheck.schemas import explain

Play = Callable[[Valtapeli, Player, Player], Transcript]

FOLDER = files("pdcheck.scenarios.valtapeli")
FILES = sorted(file.name for file in FOLDER.iterdir() if file.name.endswith(".yaml"))
SCENARIOS = {scenario.name: scenario for scenario in load_scenarios(FOLDER.iterdir())}
# A house player is no process: it cannot be listened to, and takes one line at a time.
PARTIAL = [
    name
    for name, scenario in SCENARIOS.items()
    if scenario.turns and not others_of(scenario).listen and not scenario.deliver.together
]
WHOLE = [name for name, scenario in SCENARIOS.items() if not scenario.turns]


def candidate(scenario: Scenario) -> str:
    """A plain player; in a match that the other side steers to its last cells, one that has them in its way."""
    return "first-free" if scenario.turns else "chaos"


def played(play: Play, scenario: Scenario, name: str) -> tuple[Valtapeli, Transcript]:
    stage = PACK.stage(scenario, "published", None)
    assert isinstance(stage.game, Valtapeli)
    seats = {stage.seat: player(name, 9), **stage.players}
    return stage.game, play(stage.game, seats[0], seats[1])


@pytest.mark.parametrize("file", FILES)
def test_a_file_follows_the_schema(file: str) -> None:
    document = yaml.safe_load(FOLDER.joinpath(file).read_text("utf-8"))
    assert explain("valtapeli/scenario", document) == []


@pytest.mark.parametrize("file", [file for file in FILES if file != "basic.yaml"])
def test_a_file_is_about_its_section(file: str) -> None:
    family, number, *_ = file.removesuffix(".yaml").split("-")
    for scenario in read_scenarios(FOLDER.joinpath(file).read_text("utf-8"), file):
        assert scenario.about == f"{family}-{number}".upper()


@pytest.mark.parametrize("name", PARTIAL)
def test_a_good_player_gets_through_the_first_turns(play: Play, name: str) -> None:
    scenario = SCENARIOS[name]
    game, log = played(play, scenario, candidate(scenario))
    seat = seat_of(scenario)
    assert seat not in game.stopped
    made = len(game.board.moves[seat::2])
    assert made == (0 if scenario.ending == "eof-at-init" else scenario.turns)
    if scenario.ending == "eof-in-line":
        last = [event.data for event in log.of(seat) if isinstance(event, Sent)][-1]
        assert last == move_line(game.board.moves[-1])[: len(last)]
        assert not last.endswith(b"\n")


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_match_comes_to_its_end(play: Play, name: str) -> None:
    scenario = SCENARIOS[name]
    game, _ = played(play, scenario, candidate(scenario))
    assert game.board.full
    assert seat_of(scenario) not in game.stopped
    avoided = others_of(scenario).avoid
    if scenario.seat == 1 and len(avoided) == 1:
        # Its own moves are the candidate's affair: one that leaves this cell as well comes to it last of all.
        game, _ = played(play, scenario, "first-free" if avoided == (255,) else "mirror")
        assert set(avoided) <= set(game.board.moves[-2:])


@pytest.mark.parametrize("name", [n for n, s in SCENARIOS.items() if s.expect.tempting])
def test_what_is_tempting_breaks_what_it_says(play: Play, name: str) -> None:
    scenario = SCENARIOS[name]
    script = others_of(scenario).script
    for play_, breaks in scenario.expect.tempting:
        cell, flaws = read_move(play_.encode())
        if breaks == "VA-5":
            assert seat_of(scenario) == 1
            assert cell == script[0]
        else:
            assert flaws[0].requirement == breaks


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_written_and_read_back(name: str) -> None:
    assert read_scenarios(dump_scenario(SCENARIOS[name]), name) == [SCENARIOS[name]]


def test_what_the_specification_asks_for_is_there() -> None:
    players = {(others_of(s).player, seat_of(s)) for s in SCENARIOS.values() if not s.turns}
    for name in ("spoiler", "mirror", "corner", "chaos", "greedy", "settler"):
        assert {(name, 0), (name, 1)} <= players
    assert {seat_of(s) for s in SCENARIOS.values() if s.about == "VA-6"} == {0, 1}
    assert len(SCENARIOS) >= 60
