"""The table: the deal, turns, the end and the ranking."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.referee.prime_daihinmin.rules import RULE_SETS, V0_11A
from pdcheck.referee.prime_daihinmin.table import (
    DECK,
    HAND_CARDS,
    Entry,
    Setup,
    Table,
    counts,
    deal,
    violation_words,
)
from pdcheck.referee.violations import Violation


def table(*hands: str, stock: str = "12345678901234567890", **more: Any) -> Table:
    names = tuple("ABCDEFGH"[: len(hands)])
    setup = Setup(names, tuple(counts(hand) for hand in hands), stock)
    made = Table(setup, **more)
    made.open(setup)
    return made


@given(seats=st.integers(2, 8), seed=st.integers(0, 2**64))
def test_a_deal_is_the_whole_deck_and_the_same_for_a_seed(seats: int, seed: int) -> None:
    names = [f"bot-{seat}" for seat in range(seats)]
    dealt = deal(names, seed)
    assert dealt == deal(names, seed)
    assert [sum(hand) for hand in dealt.hands] == [HAND_CARDS] * seats
    total = [sum(hand[card] for hand in dealt.hands) + dealt.stock.count(str(card)) for card in range(10)]
    assert tuple(total) == DECK
    assert len(dealt.stock) == 3001 - 199 * seats


def test_four_seats_leave_a_stock_of_2205_and_another_seed_another_deal() -> None:
    assert len(deal("ABCD", 1).stock) == 2205
    assert deal("ABCD", 1) != deal("ABCD", 2)


@pytest.mark.parametrize(
    ("names", "words"), [("A", "1 seats"), ("ABCDEFGHI", "9 seats"), (["A", "A"], "the same name: A, A")]
)
def test_names_that_make_no_match_are_refused(names: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        deal(names, 0)


def test_a_pass_draws_five_from_the_end_of_the_stock_or_what_is_left() -> None:
    played = table("22", "33", stock="1234567")
    assert played.next_turn() == 0
    assert played.draw() == [7, 6, 5, 4, 3]
    played.pass_(0, [7, 6, 5, 4, 3])
    assert played.end == ""
    assert played.next_turn() == 1
    assert played.draw() == [2, 1]
    played.pass_(1, [2, 1])
    assert (played.end, played.next_turn()) == ("stock", None)
    assert [seat.size for seat in played.seats] == [7, 4]


def test_a_seat_that_passed_may_play_when_its_turn_comes_round() -> None:
    played = table("28", "58", "78")
    played.next_turn()
    played.pass_(0, played.draw())
    played.next_turn()
    played.play(1, [5])
    played.next_turn()
    played.pass_(2, played.draw())
    assert (played.next_turn(), played.field) == (0, ["5"])


def test_all_others_passed_clears_the_field_for_the_last_player() -> None:
    played = table("288", "58", "68")
    played.next_turn()
    played.play(0, [2])
    for seat in (1, 2):
        assert (played.next_turn(), played.field) == (seat, ["2"])
        played.pass_(seat, played.draw())
    assert (played.next_turn(), played.field) == (0, [])


def test_a_seat_that_is_out_need_not_have_passed() -> None:
    played = table("288", "58", "68")
    played.next_turn()
    played.play(0, [2])
    played.next_turn()
    played.put_out(1, "why")
    played.next_turn()
    played.pass_(2, played.draw())
    assert (played.next_turn(), played.field) == (0, [])


@pytest.mark.parametrize("cut", [[3], [3, 1]])
def test_a_cut_clears_the_field_and_its_player_leads(cut: list[int]) -> None:
    played = table("1338", "58", "68")
    played.next_turn()
    assert played.play(0, cut).status == "MERSENNE"
    assert (played.next_turn(), played.field) == (0, [])


def test_the_lead_moves_on_when_a_cutter_errs() -> None:
    played = table("1338", "58", "68")
    played.next_turn()
    played.play(0, [3])
    assert played.next_turn() == 0
    played.put_out(0, "why")
    assert (played.next_turn(), played.field) == (1, [])


def test_a_refused_play_changes_nothing() -> None:
    played = table("1338", "58")
    played.next_turn()
    assert played.play(0, [8]).violation is not None
    assert played.seats[0].size == 4
    assert len(played.record) == 2


def test_the_record_keeps_each_field_as_it_was() -> None:
    played = table("288", "58", "68")
    for seat, card in ((0, 2), (1, 5)):
        played.next_turn()
        played.play(seat, [card])
    assert played.record[3:] == [Entry("A", "OK", 2, ("2",)), Entry("B", "OK", 1, ("2", "5"))]


@given(sizes=st.lists(st.integers(0, 30), min_size=2, max_size=8), out=st.sets(st.integers(0, 7)))
def test_ties_share_the_worst_place(naive: ModuleType, sizes: list[int], out: set[int]) -> None:
    played = table(*("2" * size for size in sizes))
    for seat in out & set(range(len(sizes))):
        played.put_out(seat, "why")
    everything = sum(sizes) + 20
    scores = [everything if seat in out else size for seat, size in enumerate(sizes)]
    assert [place.score for place in played.places()] == scores
    assert [place.place for place in played.places()] == naive.places(scores)


def test_the_announcements_two_examples_of_ties(sample: dict[str, Any]) -> None:
    played = table(*("2" * size for size in sample["tied"]["scores"]))
    assert [place.place for place in played.places()] == sample["tied"]["places"]
    assert [place.place for place in table("2", "2", "22", "22").places()] == [2, 2, 4, 4]
    assert [place.place for place in table("2", "2", "2", "2").places()] == [4, 4, 4, 4]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_a_lone_survivor_is_first_however_many_cards_it_holds(rules: Any) -> None:
    played = table("2" * 50, "3", "3", rules=rules)
    played.put_out(1, "why")
    played.put_out(2, "why")
    assert (played.next_turn(), played.end) == (None, "survivor")
    assert [place.place for place in played.places()] == [1, 3, 3]


def test_refused_cards_are_gone_only_where_the_rules_say_so() -> None:
    for rules, left in ((RULE_SETS["published"], 4), (V0_11A, 3)):
        played = table("1338", "58", rules=rules)
        played.put_out(0, "why", [8])
        assert (played.seats[0].size, sum(played.seats[0].hand)) == (left, left)


def test_the_words_of_a_status_are_short_ascii_on_one_line() -> None:
    words = violation_words(Violation("PD-3.1", "cards", "2 × the card 9 played…" + "x" * 200))
    assert words.startswith("PD-3.1 2 ? the card 9 played?")
    assert words.isascii()
    assert len(words) == 80
    assert "\n" not in violation_words(Violation("JS-1", "an object", "a\nb"))
