"""Where the control program differs from the announcement: rows 1 to 5, 6, 8, 10 and 14 of the list."""

from __future__ import annotations

from types import ModuleType

import pytest
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS, PUBLISHED, RULE_SETS, V0_11A, RuleSet

CONTROL = [rules for rules in RULE_SETS.values() if rules is not PUBLISHED]
control = pytest.mark.parametrize("rules", CONTROL, ids=lambda rules: rules.name)


@control
def test_row_1_leading_zeros_lead_and_do_not_lie_on_the_field(walks: ModuleType, rules: RuleSet) -> None:
    walk = walks.at_play(["000055", "7788", "88"], rules)
    walk.play("00005")
    assert walk.turn == (1, ["5"])
    assert walk.message["hands"][0] == ["A", 1]
    walk.play("7")
    assert walk.turn == (1, [])
    assert walks.ruled_out(walk) == []


def test_row_1_is_out_by_the_announcement_with_a_word_on_the_control_program(walks: ModuleType) -> None:
    walk = walks.at_play(["000055", "7788", "88"])
    walk.play("00005")
    assert walks.ruled_out(walk) == [(0, "PD-3.6")]
    note = walk.rulings[-1].violation
    assert note is not None
    assert "v0.11a" in note.note
    assert walk.turn == (1, [])


@pytest.mark.parametrize(
    ("rules", "broken"), [(PUBLISHED, "PD-3.6"), *((rules, "PD-3.2") for rules in CONTROL)]
)
def test_row_1_six_cards_are_too_many_to_lead(walks: ModuleType, rules: RuleSet, broken: str) -> None:
    walk = walks.at_play(["000003377", "7788"], rules)
    walk.play("000003")
    assert walks.ruled_out(walk) == [(0, broken)]


@control
def test_row_2_an_equal_number_is_taken(walks: ModuleType, rules: RuleSet) -> None:
    walk = walks.at_play(["225", "2558", "0558"], rules)
    walk.play("2", "2")
    assert walk.turn == (2, ["2", "2"])
    walk = walks.at_play(["225", "2558", "0558"], rules)
    walk.play("2", "5", "05")
    assert walk.turn == (0, ["2", "5", "5"])


def test_row_2_an_equal_number_is_not_larger(walks: ModuleType) -> None:
    walk = walks.at_play(["225", "2558", "0558"])
    walk.play("2", "2")
    assert walks.ruled_out(walk) == [(1, "PD-3.4")]


@control
def test_row_3_belphegor_takes_any_zeros_along(walks: ModuleType, rules: RuleSet) -> None:
    walk = walks.at_play(["0" * 60 + BELPHEGOR_DIGITS + "4", "7788"], rules)
    walk.play("0" * 60 + BELPHEGOR_DIGITS)
    assert walk.turn == (0, [])
    assert walk.message["hand"] == [4]
    assert walk.message["record"][-1] == ["A", "BELPHEGOR", 1, [BELPHEGOR_DIGITS]]


def test_row_3_belphegor_is_thirty_one_cards(walks: ModuleType) -> None:
    walk = walks.at_play(["0" + BELPHEGOR_DIGITS + "4", "7788"])
    walk.play("0" + BELPHEGOR_DIGITS)
    assert walks.ruled_out(walk) == [(0, "PD-3.6")]


def test_row_4_going_out_with_belphegor_is_lost_in_the_control_program(walks: ModuleType) -> None:
    hands = [BELPHEGOR_DIGITS + "7", "7788", "88"]
    for rules in RULE_SETS.values():
        walk = walks.Walk(walks.setup_of(hands), rules, show=True)
        walk.play("7", BELPHEGOR_DIGITS)
        assert walk.over is not None
        assert walk.over.reason == "winner"
        table, lost = walk.game.table, rules is V0_11A
        first = walk.over.places[0]
        assert (first.score, first.place) == ((table.cards, 3) if lost else (0, 1))
        assert [entry.cards for entry in table.record[3:]] == ([31] if lost else [31, 0])
        # What is not in its record, the control program does not show either.
        shown = [ruling.line for ruling in walk.rulings if ruling.outcome == "belphegor"]
        assert shown == ["" if lost else f"play: A  ({BELPHEGOR_DIGITS}) [BELPHEGOR]"]


def test_row_4_a_full_deck_scores_3001(walks: ModuleType) -> None:
    hands = [BELPHEGOR_DIGITS, "7788"]
    stock = (
        "".join(str(card) * (300 - sum(hand.count(str(card)) for hand in hands)) for card in range(10)) + "0"
    )
    walk = walks.at_play(hands, V0_11A, stock)
    walk.play(BELPHEGOR_DIGITS)
    assert walk.over is not None
    assert [place.score for place in walk.over.places] == [3001, 4]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_row_4_going_out_with_mersenne_wins(walks: ModuleType, rules: RuleSet) -> None:
    walk = walks.at_play(["7", "7788"], rules)
    walk.play("7")
    assert walk.over is not None
    assert walk.over.places[0].score == 0
    assert walk.over.places[0].status == "MERSENNE"


@control
def test_row_5_a_free_turn_is_no_pass(walks: ModuleType, rules: RuleSet) -> None:
    walk = walks.at_play(["2255", "88", "88", "88"], rules)
    walk.play("2", "?", "", "")
    assert walk.turn == (0, ["2"])  # B has not passed: nothing is cleared
    walk.play("")
    assert walk.turn == (1, [])  # all but B have passed now: B leads
    assert len(walk.message["record"]) == 4 + 4
    assert walks.ruled_out(walk) == []


@control
def test_row_5_after_a_cut_the_bot_is_asked_again(walks: ModuleType, rules: RuleSet) -> None:
    walk = walks.at_play(["3355", "88"], rules)
    walk.play("3", "?", "?", "?")
    assert walk.turn == (0, [])
    assert len(walk.message["record"]) == 2 + 1


def test_row_5_an_unknown_action_is_out(walks: ModuleType) -> None:
    walk = walks.at_play(["2255", "88", "88", "88"])
    walk.play("2", "?")
    assert walks.ruled_out(walk) == [(1, "PD-2.3")]


def test_row_6_out_of_time_in_the_pass_notice(walks: ModuleType) -> None:
    for rules in RULE_SETS.values():
        walk = walks.at_play(["2255", "88", "88"], rules)
        walk.step(walks.said(""))
        walk.step(walks.LATE)
        walk.quiet()
        assert walks.ruled_out(walk) == ([(0, "PD-5.1")] if rules is PUBLISHED else [])
        assert [e.status for e in walk.game.table.record[3:]] == ([] if rules is PUBLISHED else ["PASSED"])
        assert len(walk.game.table.stock) == 25


def test_row_6_the_ranking_has_it_as_ok_when_the_match_ends_first(walks: ModuleType) -> None:
    for rules in CONTROL:
        walk = walks.at_play(["2255", "7"], rules)
        walk.step(walks.said(""))
        walk.step(walks.LATE)
        walk.play("7")
        assert walk.over is not None
        assert [place.status for place in walk.over.places] == ["OK", "MERSENNE"]
        assert walk.over.places[0].score == 9


@pytest.mark.parametrize(
    ("reply", "left"),
    [("4", 4), ("0000004", 5), ("22", 4), ("445", 5), ("6", 5)],
    ids=["composite", "not all in hand", "more than in hand", "wrong count and not there", "not in hand"],
)
def test_row_8_refused_cards_are_gone(walks: ModuleType, reply: str, left: int) -> None:
    # Row 11: of "22" one is there and goes before the other is missed. A digit that is not there at all saves
    # the whole hand.
    hands, rest = ["23458", "88", "777"], 5
    for rules, kept in [(PUBLISHED, rest), *((rules, left) for rules in CONTROL)]:
        walk = walks.at_play(hands, rules)
        walk.play(reply)
        assert len(walks.ruled_out(walk)) == 1
        expected = kept if reply != "445" or rules is PUBLISHED else 4
        assert walk.message["hands"][0] == ["A", expected]
        assert walk.message["record"] == [["A", "OK", 5, []], ["B", "OK", 2, []], ["C", "OK", 3, []]]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_row_10_the_leader_may_pass_and_the_lead_moves_on(walks: ModuleType, rules: RuleSet) -> None:
    walk = walks.at_play(["2255", "7788", "88"], rules)
    walk.play("")
    assert walk.turn == (1, [])
    assert walk.message["record"][-1] == ["A", "PASSED", 9, []]
    walk.play("7", "4")  # a cut, then an error: the next seat leads an empty field
    assert walk.turn == (2, [])


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_row_14_is_a_switch_of_the_game(walks: ModuleType, rules: RuleSet) -> None:
    game = PrimeDaihinmin(walks.setup_of(["1", "2"]), rules)
    assert game.keeps_extra_lines is (rules is not PUBLISHED)
    assert game.grace == (0.0 if rules is PUBLISHED else 0.0004)
