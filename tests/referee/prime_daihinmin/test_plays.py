"""Which plays exist: held against trying every arrangement of a small hand."""

from __future__ import annotations

from itertools import islice, permutations
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.prime_daihinmin.plays import Tries, candidates, legal, plays, primes_of, smallest
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS, PUBLISHED, RULE_SETS, RuleSet, judge
from pdcheck.referee.prime_daihinmin.table import DECK, counts, deal
from pdcheck.referee.primes import primality

small = st.text("0123456789", min_size=1, max_size=6)
PRIMES = [n for n in range(2, 2000) if all(n % d for d in range(2, n))]


def arranged(hand: str, count: int) -> list[str]:
    """Every arrangement of `count` cards, once."""
    return sorted({"".join(some) for some in permutations(hand, count)})


@settings(max_examples=150)
@given(hand=small, count=st.integers(1, 6), above=st.one_of(st.just(""), small), inclusive=st.booleans())
def test_every_prime_of_a_hand_is_found_in_order(
    naive: ModuleType, hand: str, count: int, above: str, inclusive: bool
) -> None:
    least = int(above or 0) + (not inclusive)
    expected = [
        digits
        for digits in arranged(hand, count)
        if digits[0] != "0" and int(digits) >= least and naive.is_prime(int(digits))
    ]
    assert list(primes_of(counts(hand), count, above, inclusive=inclusive)) == expected
    if not inclusive:
        assert smallest(counts(hand), count, above) == next(iter(expected), None)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@settings(max_examples=80)
@given(hand=small, field=st.lists(st.sampled_from(PRIMES[:400]).map(str), max_size=2))
def test_every_legal_play_is_found_in_order(rules: RuleSet, hand: str, field: list[str]) -> None:
    every = {digits for count in range(1, len(hand) + 1) for digits in arranged(hand, count)}
    expected = [
        digits
        for digits in every
        if judge(counts(hand), field, [int(digit) for digit in digits], rules).violation is None
    ]
    expected.sort(key=lambda digits: (int(digits), len(digits)))
    assert list(plays(counts(hand), field, rules)) == expected
    assert legal(counts(hand), field, len(expected), rules) == (expected, True)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@pytest.mark.parametrize("field", [[], ["5"], ["9" * 15, "9" * 16], ["11"] * 16, ["9" * 40]], ids=str)
def test_belphegor_stands_where_its_size_puts_it_and_once(rules: RuleSet, field: list[str]) -> None:
    hand = counts(BELPHEGOR_DIGITS + "03")
    found = list(plays(hand, field, rules, Tries(500)))
    devils = [digits for digits in found if digits.endswith(BELPHEGOR_DIGITS)]
    assert devils == [BELPHEGOR_DIGITS, "0" + BELPHEGOR_DIGITS][: 2 if rules.long_belphegor else 1]
    assert [int(digits) for digits in found] == sorted(int(digits) for digits in found)
    assert len(set(found)) == len(found)
    for digits in found:
        assert judge(hand, field, [int(digit) for digit in digits], rules).violation is None


def test_belphegor_answers_a_field_of_31_cards_like_any_prime() -> None:
    hand = counts(BELPHEGOR_DIGITS)
    found = list(plays(hand, ["3" * 15, "7" * 16]))
    assert found.count(BELPHEGOR_DIGITS) == 1
    assert found == sorted(found)
    assert len(found) > 10


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ("2" * 300 + "468" * 300 + "0" * 300, 100),  # nothing to end on
        ("369" * 300 + "0" * 300, 100),  # always divisible by 3
        ("07" * 300, 100),  # always divisible by 7
        ("12345" * 30 + "8888" * 15, 210),  # all cards, and their sum divisible by 3
        ("7" + "285" * 50, 50),  # its only end decides the sum, and decides it wrongly
        ("75" + "0" * 60, 62),  # all cards again
        ("123", 4),
        ("", 1),
        ("468", 1),
    ],
)
def test_what_cannot_be_is_seen_without_a_try(hand: str, count: int) -> None:
    tries = Tries(0)
    assert smallest(counts(hand), count, tries=tries) is None
    assert not tries.gone


@settings(max_examples=60)
@given(hand=st.lists(st.integers(0, 6), min_size=10, max_size=10), count=st.integers(2, 30), above=small)
def test_no_candidate_is_one_that_no_one_would_test(hand: list[int], count: int, above: str) -> None:
    before = ""
    for digits in islice(candidates(hand, count, above), 40):
        assert len(digits) == count
        assert digits[0] != "0"
        assert digits[-1] in "1379"
        assert sum(map(int, digits)) % 3
        assert all(digits.count(str(card)) <= hand[card] for card in range(10))
        assert int(digits) > int(above)
        assert digits > before
        before = digits


@pytest.mark.parametrize("count", [1, 2, 5, 10, 20, 40, 80, 160])
def test_a_full_hand_has_its_prime_within_the_tries(count: int) -> None:
    for seed in range(3):
        hand = deal("ABCD", seed).hands[seed]
        first = smallest(hand, count)
        assert first is not None
        second = smallest(hand, count, first)
        assert second is not None
        assert int(first) < int(second)
        for found in (first, second):
            assert len(found) == count
            assert primality(int(found)).prime
            assert all(found.count(str(card)) <= hand[card] for card in range(10))


def test_the_longest_number_that_can_occur_is_no_deeper_than_any_other() -> None:
    digits = next(candidates(DECK, 1280))
    assert len(digits) == 1280
    assert len(next(candidates(DECK, 1280, "8" * 300 + "7" * 980))) == 1280


def test_tries_are_shared_and_their_end_is_told() -> None:
    tries = Tries(6)
    field = ["2", "5", "13", "1367"]
    first = smallest(DECK, 8, "", tries)
    assert (first, tries.left) == ("10000019", 0)
    assert list(plays(DECK, field, PUBLISHED, tries)) == [BELPHEGOR_DIGITS]
    assert tries.gone
    hand = counts("1379" * 12)
    assert legal(hand, ["1" * 20], 10**6, tries=50).complete is False


def test_a_limit_that_is_reached_is_not_complete_unless_there_are_no_more() -> None:
    assert legal(counts("2357"), ["5"], 1) == (["7"], True)
    assert legal(counts("2357"), [], 2) == (["2", "3"], False)
    assert legal(counts("468"), [], 2) == ([], True)


def test_all_leads_of_a_full_deck_are_the_primes_of_up_to_five_digits() -> None:
    led = list(plays((25,) * 10, [], PUBLISHED, Tries(0)))
    assert len(led) == 9592
    assert led[:4] == ["2", "3", "5", "7"]
    assert led[-1] == "99991"
