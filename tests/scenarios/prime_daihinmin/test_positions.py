"""Positions: what a scenario leaves open is derived so that it really happens; what cannot happen is told."""

from __future__ import annotations

from typing import Any

import pytest
from pdcheck.referee.prime_daihinmin.table import DECK, Move, Setup, Table, counts, deal
from pdcheck.scenarios.prime_daihinmin.positions import (
    FILLER_CARDS,
    cards_of,
    others_of,
    rules_of,
    seat_of,
    setup,
)
from pdcheck.scenarios.scenario import Scenario, ScenarioError

BELPHEGOR = "1000000000000066600000000000001"


def scenario(**given: Any) -> Scenario:
    return Scenario(game="prime-daihinmin", name="this-one", about="PD-3.1", why="Why not.", **given)


def opened(position: Setup) -> Table:
    """The table at the candidate's first turn, by the referee's own door."""
    table = Table(position)
    for seat in position.out:
        table.put_out(seat, "out at the deal")
    table.open(position)
    return table


def whole(position: Setup) -> tuple[int, ...]:
    """How many of each digit there are in all."""
    return tuple(sum(cards) for cards in zip(*position.hands, counts(position.stock), strict=True))


def test_an_empty_scenario_leads_with_a_hand_of_every_digit() -> None:
    position = setup(scenario())
    assert position.names == ("A", "B", "C", "D")
    assert position.hands[0] == (2,) * 10
    assert (position.before, position.out, position.time) == ((), (), 10.0)
    assert [sum(hand) for hand in position.hands[1:]] == [FILLER_CARDS] * 3
    assert whole(position) == DECK
    assert opened(position).next_turn() == 0


def test_the_seats_just_before_the_candidate_lay_the_field() -> None:
    position = setup(scenario(field=("2", "5", "11"), hand="1009"))
    assert position.before == (Move(0, "2"), Move(1, "5"), Move(2, "11"))
    table = opened(position)
    assert table.next_turn() == 3
    assert table.field == ["2", "5", "11"]
    assert table.seats[3].hand == list(counts("1009"))
    assert [seat.size for seat in table.seats] == [30, 30, 30, 4]


def test_earlier_seats_pass_on_the_empty_field() -> None:
    position = setup(scenario(seat=3, field=("11",)))
    assert position.before == (Move(0, ""), Move(1, ""), Move(2, "11"))
    table = opened(position)
    assert [entry.status for entry in table.record] == ["OK"] * 4 + ["PASSED", "PASSED", "OK"]
    assert table.seats[0].size == FILLER_CARDS + 5


def test_seats_that_are_out_are_passed_over() -> None:
    position = setup(scenario(field=("2",), others={"out": [1, 3]}, seat=2))
    assert position.before == (Move(0, "2"),)
    table = opened(position)
    assert table.next_turn() == 2
    assert [entry.status[:5] for entry in table.record] == ["OK", "ERROR", "OK", "ERROR", "OK"]
    assert whole(position) == DECK


@pytest.mark.parametrize(
    ("given", "seat", "seats"),
    [
        ({}, 0, 4),
        ({"field": ("2", "5")}, 2, 4),
        ({"field": ("2", "5"), "others": {"out": [0, 2]}}, 4, 5),
        ({"seat": 5}, 5, 6),
        ({"names": ("x", "y")}, 0, 2),
        ({"seats": 2, "field": ("2",)}, 1, 2),
        ({"others": {"players": {"6": "steady"}}}, 0, 7),
        ({"others": {"before": [[0, "3"], [0, ""], [1, "2"]]}}, 2, 4),
        ({"others": {"before": [[0, "2"]], "out": [1]}}, 2, 4),
    ],
)
def test_seats_follow_from_what_is_given(given: dict[str, Any], seat: int, seats: int) -> None:
    position = setup(scenario(**given))
    assert (seat_of(scenario(**given)), len(position.names)) == (seat, seats)
    assert opened(position).next_turn() == seat


def test_actions_given_in_full_are_taken_as_they_are() -> None:
    before = [[0, "3", 2], [0, BELPHEGOR], [0, ""], [1, "2"]]
    position = setup(scenario(others={"before": before}, hand="5"))
    table = opened(position)
    statuses = [entry.status for entry in table.record[4:]]
    assert statuses == ["MERSENNE", "MERSENNE", "BELPHEGOR", "PASSED", "OK"]
    assert (table.next_turn(), table.field) == (2, ["2"])


def test_given_hands_and_stock_are_exact() -> None:
    others = {"hands": {"0": "2", "1": {"4": 2}, "2": "66"}, "stock": "1234567890123456"}
    position = setup(scenario(others=others, seat=3, hand="7"))
    assert position.hands == (counts("2"), counts("44"), counts("66"), counts("7"))
    assert position.before == (Move(0, ""), Move(1, ""), Move(2, ""))
    assert opened(position).stock == [6]


def test_the_stock_is_drawn_in_the_order_given() -> None:
    table = Table(setup(scenario(others={"stock": "1234567"})))
    assert (table.draw(), table.draw()) == ([1, 2, 3, 4, 5], [6, 7])


def test_a_scripted_seat_holds_what_it_will_play() -> None:
    position = setup(
        scenario(hand="4", field=("2",), seats=2, others={"script": {"0": [BELPHEGOR, "11", ""]}})
    )
    assert all(
        held >= played for held, played in zip(position.hands[0], counts(f"2{BELPHEGOR}11"), strict=True)
    )
    assert others_of(scenario(others={"script": {"0": ["7", ""]}})).script == {0: ("7", "")}


def test_a_house_player_may_begin() -> None:
    position = setup(scenario(seat=2, others={"before": [[0, "2"]], "players": {"1": "steady"}}))
    assert (opened(position).next_turn(), position.before) == (1, (Move(0, "2"),))
    with pytest.raises(ScenarioError, match="it is seat 1's turn"):
        setup(scenario(seat=2, others={"before": [[0, "2"]], "players": {"3": "steady"}}))


def test_a_hand_larger_than_the_deck_allows_takes_more_decks() -> None:
    position = setup(scenario(hand={"3": 1024}))
    assert whole(position) == tuple(4 * count for count in DECK)


def test_another_deck() -> None:
    deck = {str(card): 3 for card in range(10)}
    position = setup(scenario(hand="123", others={"deck": deck}))
    assert whole(position) == (3,) * 10
    assert [sum(hand) for hand in position.hands] == [3, 6, 6, 6]


def test_time_is_the_scenarios_or_the_callers() -> None:
    assert repr(setup(scenario(time=10), time=3.5).time) == "10"
    assert setup(scenario(), time=3.5).time == 3.5


def test_a_whole_deal_by_seed() -> None:
    dealt = scenario(seats=3, seat=1, turns=0, others={"deal": 7, "players": {"0": "steady"}})
    assert setup(dealt) == deal(("A", "B", "C"), 7)
    assert seat_of(dealt) == 1


def test_the_same_scenario_gives_the_same_position() -> None:
    one = scenario(field=("2", "5", "11"), hand="1009")
    assert setup(one) == setup(one)


def test_rules_and_cards() -> None:
    assert rules_of(scenario()).name == "published"
    assert rules_of(scenario(rules="v0.11a")).leading_zeros
    assert cards_of(scenario(hand={"0": 2, "7": 1})) == (2, 0, 0, 0, 0, 0, 0, 1, 0, 0)


def test_rules_decide_what_can_have_happened() -> None:
    field = ("11", "13", "0017")
    assert setup(scenario(rules="v0.11a", field=field)).before[2] == Move(2, "0017")
    with pytest.raises(ScenarioError, match=r"PD-3\.6"):
        setup(scenario(field=field))


ABOVE = ("10007", "99989", "1000000007")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"field": ("2",) * 8}, "a field of 8 numbers needs 8 seats before the candidate"),
        ({"field": ("2", "5"), "seat": 1}, "a field of 2 numbers needs as many seats before the candidate"),
        ({"field": ("2", "5"), "seat": 2, "others": {"out": [0]}}, "there are 1 (seat 2, some out)"),
        ({"field": ("9",)}, "action 1, seat 0 plays 9: PD-3.5: expected a prime number, got 9 is not prime"),
        ({"field": ("5", "2")}, "action 2, seat 1 plays 2: PD-3.4: expected a number larger than 5"),
        ({"field": ("5", "5")}, "PD-3.4"),
        ({"field": ("5", "11")}, "PD-3.3: expected exactly 1 card: 1 card on the field"),
        ({"field": ("100003",)}, "PD-3.2"),
        ({"field": ("05",)}, "PD-3.6"),
        ({"field": ("7",)}, "the candidate is in seat 1, but it is seat 0's turn"),
        ({"field": ("x",)}, "field: expected digits in quotes, got 'x'"),
        ({"field": ("٣",)}, "field: expected digits in quotes"),
        ({"hand": "12a"}, "hand: expected digits in quotes"),
        ({"hand": {"x": 1}}, "hand: expected digits, or a count of each digit"),
        ({"hand": {"0": 0}}, "the candidate holds no card"),
        ({"rules": "v2"}, "no rule set is named v2; there are: published, v0.11a, 2020-02-02"),
        ({"names": ("A", "B", "A")}, "two seats have the same name: A, B, A"),
        ({"seats": 2, "seat": 2}, "the candidate's seat is 2, but there are 2 seats"),
        ({"seats": 2, "others": {"out": [1]}}, "1 of 2 seats are out: nobody is left to play with"),
        ({"seats": 2, "others": {"players": {"3": "steady"}}}, "seat 3 is named, but there are 2 seats"),
        ({"others": {"players": {"0": "steady"}}}, "seat 0 is the candidate's and cannot be set"),
        ({"others": {"players": {"9": "steady"}}}, "others.players: '9' is no seat, 0 to 7"),
        ({"others": {"out": [8]}}, "others.out lists seats, 0 to 7"),
        ({"others": {"out": ["1"]}}, "others.out lists seats, 0 to 7"),
        ({"others": {"out": 1}}, "others.out: expected a list"),
        ({"others": {"hands": [1]}}, "others.hands: expected a mapping from seats"),
        ({"others": {"cards": {}}}, "others.cards is not known; there are: hands, out, before"),
        ({"others": {"before": [[0]]}}, "others.before[0]: expected [seat, digits] or [seat, digits, times]"),
        ({"others": {"before": [[0, "3", 0]]}}, "others.before[0]: expected [seat, digits]"),
        ({"others": {"before": [[0, 3]]}}, "others.before[0]: expected digits in quotes, got 3"),
        ({"others": {"before": [[0, "3"]]}}, "the candidate is in seat 1, but it is seat 0's turn"),
        ({"others": {"before": [[1, "2"]]}}, "action 1, of seat 1: it is seat 0's turn"),
        ({"others": {"before": [[0, "2"], [0, "5"]]}}, "action 2, of seat 0: it is seat 1's turn"),
        ({"seat": 1, "others": {"before": [[0, "2"], [1, "5"]]}}, "seat 1 is the candidate's"),
        (
            {"field": ("5",), "others": {"before": [[0, "2"]]}},
            "after others.before the field holds 2, not what `field` says",
        ),
        ({"field": ("2",), "others": {"hands": {"0": "345"}}}, "PD-3.1: expected cards that are in the hand"),
        ({"field": ("2",), "others": {"hands": {"0": "2"}}}, "but the match ends before (winner)"),
        ({"seat": 1, "others": {"stock": "123"}}, "but the match ends before (stock)"),
        ({"others": {"stock": ""}}, "no card is left for the stock"),
        ({"others": {"stock": "1", "deck": "1"}}, "deck and stock exclude each other"),
        ({"hand": "11", "others": {"deck": {"1": 1, "2": 90}}}, "the deck has 1 × 1, the hands need 2"),
        ({"hand": {"1": 10**6}}, "it needs more cards than 999 decks have"),
        ({"hand": "1", "others": {"deal": 1}}, "others.deal deals a whole deck"),
        ({"others": {"deal": "1"}}, "others.deal is a seed: an integer"),
    ],
)
def test_what_cannot_be_is_told_with_the_scenarios_name(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        setup(scenario(**given))
    assert str(caught.value).startswith("scenario this-one: ")
    assert told in str(caught.value)


def test_a_long_number_is_not_quoted_in_full() -> None:
    with pytest.raises(ScenarioError) as caught:
        setup(scenario(field=(*ABOVE, "1" * 20, "1" * 40, "1" * 80)))
    assert len(str(caught.value)) < 400
