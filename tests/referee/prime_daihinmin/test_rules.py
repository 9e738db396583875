"""Which plays are legal: the referee's word against the second formulation, and each rule from both sides."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.prime_daihinmin.rules import (
    BELPHEGOR_DIGITS,
    DEFAULT_RULES,
    MENDED,
    PUBLISHED,
    RULE_SETS,
    V0_11A,
    RuleSet,
    Verdict,
    field_count,
    judge,
    missing_cards,
    other_reading,
)
from pdcheck.referee.prime_daihinmin.table import DECK, counts


def cards_of(digits: str) -> list[int]:
    return [int(digit) for digit in digits]


def word(hand: str | Sequence[int], field: Sequence[str], digits: str, rules: RuleSet = PUBLISHED) -> str:
    """The status of a play, or the ID of the rule it breaks."""
    verdict = judge(counts(hand) if isinstance(hand, str) else hand, field, cards_of(digits), rules)
    return verdict.violation.requirement if verdict.violation else verdict.status


digits = st.text("0123456789", min_size=1, max_size=12)
numbers = st.integers(2, 10**9).map(str)
few = st.lists(numbers, max_size=3)


@settings(max_examples=400)
@given(data=st.data(), field=few, spare=st.text("0123456789", max_size=8))
def test_any_play_has_the_second_formulations_word(
    naive: ModuleType, data: st.DataObject, field: list[str], spare: str
) -> None:
    lying = len("".join(field))
    played = data.draw(
        st.one_of(
            digits,
            st.text("1379", min_size=max(lying, 1), max_size=max(lying, 1)),
            st.sampled_from(["0", "00", "2", "3", "7", "31", "127", "8191", *field, "0" + "3" * lying]),
            st.sampled_from([BELPHEGOR_DIGITS, "0" + BELPHEGOR_DIGITS, BELPHEGOR_DIGITS[:-1] + "3"]),
        ),
        label="played",
    )
    short = data.draw(st.sampled_from([0, 0, 0, 1, 2]), label="cards not in the hand")
    hand = played[short:] + spare
    assert word(hand, field, played) == naive.announced(cards_of(hand), field, cards_of(played))


@pytest.mark.parametrize(
    ("hand", "field", "played", "expected"),
    [
        ("2", [], "2", "OK"),
        ("2", [], "3", "PD-3.1"),
        ("113", [], "1113", "PD-3.1"),
        ("99991", [], "99991", "OK"),
        ("999983", [], "999983", "PD-3.2"),
        ("57", ["3"], "5", "OK"),
        ("1357", ["3"], "13", "PD-3.3"),
        ("1357", ["2", "5", "13"], "1357", "PD-3.5"),
        ("1367", ["2", "5", "13"], "1367", "OK"),
        ("167", ["2", "5", "13"], "167", "PD-3.3"),
        ("55", ["5"], "5", "PD-3.4"),
        ("35", ["5"], "3", "PD-3.4"),
        ("79", ["5"], "9", "PD-3.5"),
        ("1", [], "1", "PD-3.5"),
        ("0", [], "0", "PD-3.6"),
        ("03", [], "03", "PD-3.6"),
        ("003", ["2"], "003", "PD-3.6"),
        ("7", ["5"], "7", "MERSENNE"),
        ("13", [], "31", "MERSENNE"),
        ("11", [], "11", "OK"),
        ("2147483647", ["67631", "80021"], "2147483647", "MERSENNE"),
        ("2147483647", ["67631", "2147483647"], "2147483647", "PD-3.3"),
        (BELPHEGOR_DIGITS, [], BELPHEGOR_DIGITS, "BELPHEGOR"),
        (BELPHEGOR_DIGITS, ["9" * 40], BELPHEGOR_DIGITS, "BELPHEGOR"),
        (BELPHEGOR_DIGITS[1:], [], BELPHEGOR_DIGITS, "PD-3.1"),
    ],
)
def test_each_rule_from_both_sides(hand: str, field: list[str], played: str, expected: str) -> None:
    assert word(hand, field, played) == expected


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        # One play breaks them all but the one before it: the first in the order of the specification is told.
        ("0222222", "PD-3.1"),
        ("0222", "PD-3.6"),
        ("222", "PD-3.3"),
        ("22", "PD-3.4"),
        ("24", "PD-3.5"),
    ],
)
def test_the_first_rule_broken_is_told(played: str, expected: str) -> None:
    assert word("022224", ["23"], played) == expected


@pytest.mark.parametrize(
    ("rules", "field", "played", "expected"),
    [
        (V0_11A, [], "00005", "OK"),
        (V0_11A, ["5"], "7", "MERSENNE"),
        (V0_11A, [], "000003", "PD-3.2"),
        (V0_11A, ["2", "5"], "05", "OK"),
        (V0_11A, ["5"], "5", "OK"),
        (V0_11A, ["5", "5"], "03", "PD-3.4"),
        (V0_11A, [], "0", "PD-3.5"),
        (V0_11A, ["5"], "0" * 60 + BELPHEGOR_DIGITS, "BELPHEGOR"),
        (PUBLISHED, ["5"], "0" * 60 + BELPHEGOR_DIGITS, "PD-3.6"),
        (PUBLISHED, ["2", "5"], "05", "PD-3.6"),
        (PUBLISHED, ["5"], "5", "PD-3.4"),
    ],
)
def test_the_control_program_takes_more(rules: RuleSet, field: list[str], played: str, expected: str) -> None:
    assert word(DECK, field, played, rules) == expected


def test_leading_zeros_are_not_on_the_field() -> None:
    assert judge(DECK, [], cards_of("00005"), V0_11A).number == "5"


@pytest.mark.parametrize(("played", "named"), [("00005", True), ("4", False), ("000003", False)])
def test_a_refused_play_says_who_would_take_it(played: str, named: bool) -> None:
    note = other_reading(DECK, [], cards_of(played), PUBLISHED)
    assert note == ("the rule set v0.11a or 2020-02-02 would take this" if named else "")


@given(hand=digits, played=digits)
def test_missing_cards_names_a_card_that_is_missing(hand: str, played: str) -> None:
    words = missing_cards(counts(hand), played)
    short = [d for d in "0123456789" if played.count(d) > hand.count(d)]
    assert bool(words) is bool(short)
    if short:
        assert f"{played.count(short[0])} × the card {short[0]} played, {hand.count(short[0])} in" in words


@given(field=few)
def test_the_count_is_of_all_digits_on_the_field(field: list[str]) -> None:
    assert field_count(field) == len("".join(field))


@pytest.mark.parametrize(
    ("played", "words"),
    [
        ("9", "3 × 3"),
        ("7", "Mersenne"),
        ("99991", "table"),
        ("91", "7 × 13"),
        (BELPHEGOR_DIGITS, "Belphegor"),
    ],
)
def test_the_ruling_names_the_test(played: str, words: str) -> None:
    assert words in judge(DECK, [], cards_of(played)).test


def test_a_refusal_says_what_was_expected_and_what_came() -> None:
    verdict: Verdict = judge(counts("223"), ["2", "5"], [2])
    assert verdict.violation is not None
    assert verdict.violation.expected == "exactly 2 cards: 2 cards on the field (2, 5)"
    assert verdict.violation.actual == "1 card: 2"


def test_the_rule_sets_differ_in_what_the_list_of_differences_says() -> None:
    assert list(RULE_SETS) == ["published", "v0.11a", "2020-02-02"]
    assert DEFAULT_RULES == "published"
    switches = [name for name in RuleSet.__slots__ if name != "name"]
    assert not any(getattr(PUBLISHED, name) for name in switches)
    assert all(getattr(V0_11A, name) for name in switches)
    assert [name for name in switches if not getattr(MENDED, name)] == ["belphegor_win_lost"]
