"""Simpler scenarios, without any bot: what a fault needs is a predicate on the position."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.prime_daihinmin.codec import Encoder
from pdcheck.referee.prime_daihinmin.table import Setup, Table
from pdcheck.scenarios.prime_daihinmin.pack import PACK
from pdcheck.scenarios.prime_daihinmin.positions import seat_of, setup
from pdcheck.scenarios.prime_daihinmin.simpler import simpler
from pdcheck.scenarios.prime_daihinmin.strategies import generate
from pdcheck.scenarios.scenario import Scenario, ScenarioError, dump_scenario

Fails = Callable[[Scenario, Setup], bool]
GENERATED = generate(5, 60)


def messages(scenario: Scenario) -> list[bytes]:
    """The first `play` message of a position."""
    position = setup(scenario)
    table = Table(position)
    table.open(position)
    table.next_turn()
    encoder = Encoder(position.names, position.time, table.record)
    return [encoder.play(table.seats[seat_of(scenario)], table.field, table.seats)]


def shrunk(scenario: Scenario, fails: Fails, sent: Sequence[bytes] = ()) -> tuple[Scenario, int]:
    """The end of all passes, and how many scenarios were tried."""
    tried = 0
    while True:
        proposals, taken, before = simpler(scenario, sent), None, scenario
        try:
            candidate = next(proposals)
            while True:
                tried += 1
                try:
                    ok = fails(candidate, setup(candidate))
                except ScenarioError:
                    ok = False
                taken = sent if ok else None
                scenario = candidate if ok else scenario
                candidate = proposals.send(taken)
        except StopIteration:
            pass
        if scenario == before:
            return scenario, tried


def hand(scenario: Scenario, position: Setup) -> tuple[int, ...]:
    return position.hands[seat_of(scenario)]


ZEROS: Fails = lambda scenario, position: hand(scenario, position)[0] >= 26  # noqa: E731
SIZE: Fails = lambda scenario, position: sum(hand(scenario, position)) >= 257  # noqa: E731
LONG: Fails = lambda scenario, _: any(len(number) >= 20 for number in scenario.field)  # noqa: E731
SEATS: Fails = lambda _, position: len(position.names) >= 5  # noqa: E731
CUT: Fails = lambda _, position: any(move.digits == "7" for move in position.before)  # noqa: E731
NAMES: Fails = lambda scenario, _: any("." in name for name in scenario.names)  # noqa: E731


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        (ZEROS, {"hand": "0" * 26, "field": (), "seats": 2, "seat": 0, "others": {}, "names": ()}),
        (SIZE, {"hand": "1" * 257, "field": (), "seats": 2, "others": {}, "names": ()}),
        (SEATS, {"seats": 5, "field": (), "names": ()}),
        (CUT, {"seats": 2, "field": (), "names": ()}),
        (NAMES, {"seats": 2, "field": ()}),
    ],
)
def test_only_what_the_fault_needs_is_left(fails: Fails, told: dict[str, Any]) -> None:
    found = [scenario for scenario in GENERATED if fails(scenario, setup(scenario))]
    assert found
    for scenario in found[:4]:
        small, tried = shrunk(scenario, fails)
        assert fails(small, setup(small))
        assert {name: getattr(small, name) for name in told} == told
        assert tried < 150
        assert len(dump_scenario(small)) < len(dump_scenario(scenario))


def test_a_long_number_keeps_the_shortest_field_that_can_be_laid() -> None:
    first = Scenario(
        game="prime-daihinmin",
        name="long",
        about="PD-2.3",
        why="x",
        hand="0123456789",
        field=("10007", "10009", "1000000007", "10000000000000000051", "1" + "0" * 38 + "3"),
    )
    setup(first)
    small, _ = shrunk(first, LONG)
    assert [len(number) for number in small.field] == [5, 5, 10, 20]
    assert len(small.hand or "") == 1


def test_the_same_scenario_shrinks_the_same_way() -> None:
    scenario = next(s for s in GENERATED if ZEROS(s, setup(s)))
    assert shrunk(scenario, ZEROS) == shrunk(scenario, ZEROS)


@settings(max_examples=25)
@given(st.sampled_from(GENERATED), st.integers(1, 200), st.integers(0, 7))
def test_whatever_fails_goes_on_failing(scenario: Scenario, cards: int, seat: int) -> None:
    def fails(_: Scenario, position: Setup) -> bool:
        return any(sum(position.hands[at]) >= cards for at in range(min(seat + 1, len(position.hands))))

    if fails(scenario, setup(scenario)):
        small, tried = shrunk(scenario, fails)
        assert fails(small, setup(small))
        assert tried < 400


def test_a_match_becomes_one_state() -> None:
    (match,) = PACK.matches(0, 1)
    state = next(s for s in GENERATED if ZEROS(s, setup(s)) and not s.field)
    small, _ = shrunk(match, lambda s, p: s.turns > 0 and ZEROS(s, p), messages(state))
    assert (small.turns, small.hand, small.field) == (1, "0" * 26, ())


def test_a_match_that_no_state_shows_keeps_its_first_turns() -> None:
    (match,) = PACK.matches(0, 1)
    state = next(s for s in GENERATED if not s.field)
    seen = messages(state) * 7
    small, _ = shrunk(match, lambda s, _: "deal" in s.others and s.turns >= 5, seen)
    assert (small.turns, small.seats) == (5, 2)
    assert small.others == {"deal": match.others["deal"]}


@pytest.mark.parametrize(
    "junk", [b"", b"{", b"[]\n", b'{"action": "play"}\n', b'{"action": ["play"]}\n', b"\xff\n"]
)
def test_messages_that_say_nothing_are_left_alone(junk: bytes) -> None:
    (match,) = PACK.matches(0, 1)
    tried = list(simpler(match, [junk]))
    assert all(isinstance(scenario, Scenario) for scenario in tried)


def test_a_scenario_that_cannot_be_read_gives_nothing_more() -> None:
    broken = Scenario(game="prime-daihinmin", name="x", about="PD-2.3", why="x", hand="12x", seats=3, seat=1)
    for candidate in simpler(broken, []):
        assert json.dumps(candidate.hand)
