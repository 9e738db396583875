"""Strategies: every drawing is a state that play can reach, shrinks to what a fault needs, repeats."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from pdcheck.referee.clock import Stamp
from pdcheck.referee.game import Over
from pdcheck.referee.match import Match, Send
from pdcheck.referee.prime_daihinmin.codec import Encoder
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS, judge
from pdcheck.referee.prime_daihinmin.table import DECK, Table, counts
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.prime_daihinmin.players import player
from pdcheck.scenarios.prime_daihinmin.positions import cards_of, seat_of, setup
from pdcheck.scenarios.prime_daihinmin.strategies import OPPONENTS, generate, matches, states
from pdcheck.scenarios.scenario import Scenario, dump_scenario, read_scenarios
from pdcheck.schemas import explain

FIND = settings(
    database=None,
    max_examples=3_000,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
    deadline=None,
)


def plays_of(scenario: Scenario) -> list[list[Any]]:
    return list(scenario.others.get("before", ()))


def check_state(scenario: Scenario) -> None:
    """The state opens, its messages are sound, its cards make whole decks, and its record tells its story."""
    position = setup(scenario)
    seat = seat_of(scenario)
    table = Table(position)
    for out in position.out:
        table.put_out(out, "out at the deal")
    table.open(position)
    assert table.next_turn() == seat
    assert tuple(table.seats[seat].hand) == position.hands[seat] == cards_of(scenario)

    whole = [sum(cards) for cards in zip(*position.hands, counts(position.stock), strict=True)]
    assert whole == [count * (whole[1] // DECK[1]) for count in DECK]

    encoder = Encoder(position.names, position.time, table.record)
    init, play = encoder.init(table.seats[seat]), encoder.play(table.seats[seat], table.field, table.seats)
    message = json.loads(play)
    if sum(message["hand"]) < 500:  # the schemas take long for large hands
        assert not explain("prime_daihinmin/message_init", json.loads(init))
        assert not explain("prime_daihinmin/message_play", message)
    assert message["numbers"] == list(scenario.field)
    assert json.loads(init)["hand"] == message["hand"]
    check_record(message, scenario, seat)


def check_record(message: dict[str, Any], scenario: Scenario, seat: int) -> None:
    """From the deal's entries alone, each action explains the next count and field, down to `hands`."""
    names = [name for name, _ in message["hands"]]
    deal, actions = message["record"][: len(names)], message["record"][len(names) :]
    assert [entry[0] for entry in deal] == names
    out = [at for at, entry in enumerate(deal) if entry[1].startswith("ERROR")]
    assert out == scenario.others.get("out", [])
    left = {name: cards for name, _, cards, _ in deal}
    field: list[str] = []
    for (name, status, cards, after), (mover, digits) in zip(actions, plays_of(scenario), strict=True):
        assert names[mover] == name != names[seat]
        if status == "PASSED":
            assert (digits, after, cards) == ("", field, left[name] + 5)
        else:
            assert after == [*field, digits]
            assert cards == left[name] - len(digits)
            assert judge([9999] * 10, field, [int(digit) for digit in digits]).status == status
        left[name] = cards
        field = [] if status in ("MERSENNE", "BELPHEGOR") else after
    assert field == message["numbers"]
    assert message["hands"] == [[name, left[name]] for name in names]


@settings(max_examples=60)
@given(states())
def test_every_drawn_state_has_really_happened(scenario: Scenario) -> None:
    check_state(scenario)


@pytest.mark.parametrize("seed", range(2))
def test_every_generated_state_has_really_happened(seed: int) -> None:
    for scenario in generate(seed, 100):
        check_state(scenario)


@settings(max_examples=50)
@given(states() | matches())
def test_what_is_drawn_can_be_written_to_a_file(scenario: Scenario) -> None:
    assert read_scenarios(dump_scenario(scenario), "x.yaml") == [scenario]


def test_a_fault_of_26_zeros_shrinks_to_26_zeros_and_nothing_else() -> None:
    found = find(states(), lambda state: cards_of(state)[0] >= 26, settings=FIND, random=Random(1))
    assert found.hand == {"0": 26}
    assert (found.seats, found.seat, found.field, found.names) == (2, 0, (), ())
    assert found.others == {}


@pytest.mark.parametrize(
    ("fault", "others"),
    [
        (lambda state: len(state.field) == 2, {"before": [[0, "2"], [1, "5"]]}),
        (lambda state: "out" in state.others, {"out": [1]}),
        (
            lambda state: any(digits == BELPHEGOR_DIGITS for _, digits in plays_of(state)),
            {"before": [[0, BELPHEGOR_DIGITS], [0, ""]]},
        ),
    ],
)
def test_a_fault_of_the_table_shrinks_to_one_card_and_what_it_needs(fault: Any, others: Any) -> None:
    found = find(states(), fault, settings=FIND, random=Random(1))
    assert sum(cards_of(found)) == 1
    kept = {key: value for key, value in found.others.items() if key in others}
    if "out" in others:  # which seat it is depends on the path taken; that it is one does not
        assert len(kept["out"]) == 1
    elif others["before"][0][1] == BELPHEGOR_DIGITS:  # cut at once, or after the plainest lead
        assert len(kept["before"]) <= 3
    else:
        assert kept == others


def test_all_kinds_of_states_come_in_a_hundred() -> None:
    found = generate(0, 100)
    assert {len(state.field) for state in found} >= set(range(5))
    assert {state.seat for state in found} == set(range(8))
    assert {state.seats for state in found} == set(range(2, 9))
    plays = [digits for state in found for _, digits in plays_of(state)]
    assert {"", "3", BELPHEGOR_DIGITS} <= set(plays)
    sizes = [sum(cards_of(state)) for state in found]
    assert min(sizes) < 10
    assert max(sizes) > 500
    assert any(state.others.get("out") for state in found)
    assert any(state.names for state in found)
    assert any(cards_of(state)[0] >= 26 for state in found)


def test_the_same_seed_gives_the_same_list_and_its_beginning() -> None:
    assert generate(7, 50) == generate(7, 50)
    assert generate(7, 50)[:10] == generate(7, 10)
    assert generate(7, 10) != generate(8, 10)
    assert [state.name for state in generate(7, 2)] == ["gen-0001", "gen-0002"]


def test_generating_needs_no_hypothesis_and_is_the_same_in_another_process() -> None:
    code = (
        "import sys\n"
        "from pdcheck.scenarios.prime_daihinmin.strategies import generate\n"
        "from pdcheck.scenarios.scenario import dump_scenario\n"
        "sys.stdout.write(''.join(map(dump_scenario, generate(3, 30))))\n"
        "assert 'hypothesis' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "".join(map(dump_scenario, generate(3, 30)))


def played(scenario: Scenario, turns: int) -> tuple[Over | None, list[Ruling]]:
    """The match of house players alone, the candidate's seat among them, for so many messages."""
    game = PrimeDaihinmin(setup(scenario))
    names = {seat_of(scenario): "steady"} | {int(s): name for s, name in scenario.others["players"].items()}
    players = {seat: player(name, seat) for seat, name in names.items()}
    match = Match(game)
    events, rulings = deque(match.begin()), []
    while events and turns:
        event = events.popleft()
        if isinstance(event, Ruling):
            rulings.append(event)
        if isinstance(event, Send):
            turns -= 1
            answer = players[event.seat].answer(event.data)
            assert answer is not None
            events.extend(match.sent(event.seat, Stamp(0.0)))
            events.extend(match.received(event.seat, answer, Stamp(0.0)))
    return match.over, rulings


@settings(max_examples=25)
@given(matches())
def test_a_drawn_match_is_played_to_its_end_without_a_fault(scenario: Scenario) -> None:
    over, rulings = played(scenario, 2_000)
    assert over is not None
    assert not [ruling for ruling in rulings if ruling.violation]


def test_a_match_shrinks_to_two_seats_with_a_card_each() -> None:
    found = find(
        matches(), lambda match: "chaos" in match.others["players"].values(), settings=FIND, random=Random(1)
    )
    assert found.seats == 2
    assert list(found.others["players"].values()) == ["chaos"]
    assert sum(cards_of(found)) == 1
    assert len(found.others["stock"]) == 1


def test_the_opponents_of_a_match_can_be_chosen() -> None:
    found = find(
        matches(["late-dead"], turns=3, name="mine"), lambda _: True, settings=FIND, random=Random(1)
    )
    assert (set(found.others["players"].values()), found.turns, found.name) == ({"late-dead"}, 3, "mine")
    assert OPPONENTS[0] == "passer"
