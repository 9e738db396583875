"""Whole matches, message by message, against the second formulation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.game import Answer, Ask, Lapse, Outcome, Over, Together
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.plays import Tries, plays
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS, PUBLISHED, RULE_SETS, V0_11A, RuleSet
from pdcheck.referee.prime_daihinmin.table import Move, Setup, counts
from pdcheck.referee.violations import Ruling, Violation

LATE = Lapse(Violation("PD-5.1", "an answer in time", "none"))
DIED = Lapse(Violation("IO-1", "a living bot", "its output ended"))
BLANK = Answer(b"")


def said(digits: str) -> Answer:
    """A `play` reply: digits, "" for a pass, or an unknown action."""
    if digits == "?":
        return Answer(b'{"action": "shrug"}')
    if not digits:
        return Answer(b'{"action": "pass"}')
    return Answer(json.dumps({"action": "number", "cards": [int(digit) for digit in digits]}).encode())


class Walk:
    """Drives one course by hand: `step` answers the open question and goes on to the next one."""

    def __init__(self, setup: Setup, rules: RuleSet, *, show: bool = False) -> None:
        self.game = PrimeDaihinmin(setup, rules, show=show)
        self._course = self.game.course()
        self.rulings: list[Ruling] = []
        self.over: Over | None = None
        self.quits: list[bytes] = []
        self.asked: Ask | None = None
        self._go(None)

    @property
    def message(self) -> dict[str, Any]:
        assert self.asked is not None
        assert self.asked.message.endswith(b"\n")
        message: dict[str, Any] = json.loads(self.asked.message)
        return message

    @property
    def turn(self) -> tuple[int, list[str]]:
        """The seat asked to play and the field it is shown."""
        assert self.asked is not None
        assert self.asked.kind == "play"
        return self.asked.seat, self.message["numbers"]

    def step(self, outcome: Outcome) -> None:
        self._go(outcome)

    def play(self, *replies: str) -> None:
        """Answer so many `play` messages; pass notices and `init` are answered on the way."""
        for reply in replies:
            self.quiet()
            self._go(said(reply))
        self.quiet()

    def quiet(self) -> None:
        while self.asked is not None and self.asked.kind != "play":
            self._go(BLANK)

    def _go(self, sent: object) -> None:
        self.asked = None
        try:
            step = self._course.send(sent)
            while not isinstance(step, Ask):
                if isinstance(step, Together):
                    self.quits = [ask.message for ask in step.asks]
                    step = self._course.send([BLANK] * len(step.asks))
                    continue
                if isinstance(step, Over):
                    self.over = step
                elif isinstance(step, Ruling):
                    self.rulings.append(step)
                step = self._course.send(None)
            self.asked = step
        except StopIteration:
            pass


def setup_of(hands: Sequence[str], stock: str = "1234567890" * 3, **more: Any) -> Setup:
    names = tuple("ABCDEFGH"[: len(hands)])
    return Setup(names, tuple(counts(hand) for hand in hands), stock, **more)


def at_play(hands: Sequence[str], rules: RuleSet = PUBLISHED, stock: str = "1234567890" * 3) -> Walk:
    walk = Walk(setup_of(hands, stock), rules)
    walk.quiet()
    return walk


# --- any match at all ---------------------------------------------------------------------------------------


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    digits = st.text("00112233577899", min_size=1, max_size=12)
    hands = draw(st.lists(digits, min_size=2, max_size=4))
    devil = draw(st.sampled_from([None, None, *range(len(hands))]))
    if devil is not None:
        extra = draw(st.sampled_from(["", "", "0", "00", "3"]))
        hands[devil] = BELPHEGOR_DIGITS + extra + draw(st.sampled_from(["", hands[devil]]))
    return setup_of(hands, draw(st.text("0123456789", min_size=1, max_size=40)))


@st.composite
def replies(draw: st.DrawFn, hand: Sequence[int], field: list[str], rules: RuleSet) -> str:
    """Something to answer a `play` with: sensible, legal, or nearly."""
    cards = "".join(map(str, hand))
    lying = len("".join(field))
    kind = draw(
        st.sampled_from(
            ["legal", "legal", "legal", "legal", "pass", "pass", "some", "equal", "zeros", "devil", "?"]
        )
    )
    if kind == "legal":
        found = plays(counts(cards), field, rules, Tries(200))
        several = [digits for digits, _ in zip(found, range(4), strict=False)]
        return draw(st.sampled_from(several)) if several else ""
    if kind == "some":
        some = draw(st.permutations(cards))
        return "".join(some[: draw(st.sampled_from([lying or 1, lying + 1, 5, 6]))])
    if kind == "equal" and field:
        return field[-1].rjust(lying, "0")
    if kind == "zeros":
        return draw(st.sampled_from(["03", "0005", "00000", "000003", "0", "010"]))
    if kind == "devil":
        return "0" * draw(st.integers(0, 2)) + BELPHEGOR_DIGITS
    return "?" if kind == "?" else ""


def second(naive: ModuleType, setup: Setup, rules: RuleSet) -> Any:
    hands = [[card for card in range(10) for _ in range(hand[card])] for hand in setup.hands]
    if rules is PUBLISHED:
        return naive.Announced(list(setup.names), hands, len(setup.stock))
    return naive.Program(list(setup.names), hands, len(setup.stock), mended=rules is not V0_11A)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@settings(max_examples=120)
@given(data=st.data(), setup=setups())
def test_every_message_and_the_ranking_are_the_second_formulations(
    naive: ModuleType, rules: RuleSet, data: st.DataObject, setup: Setup
) -> None:
    walk = Walk(setup, rules)
    other = second(naive, setup, rules)
    overdue: set[int] = set()
    for seat in range(len(setup.names)):
        assert (walk.message["action"], walk.message["uid"]) == ("init", seat)
        assert walk.message["hand"] == other.hands()[seat]
        walk.step(BLANK)
    free = 0
    while walk.asked is not None:
        seat = walk.asked.seat
        assert other.turn() == seat
        field, hands = other.field(), other.hands()
        assert walk.message == {
            "action": "play",
            "name": setup.names[seat],
            "hand": hands[seat],
            "numbers": field,
            "hands": [[name, len(hand)] for name, hand in zip(setup.names, hands, strict=True)],
            "record": other.record(),
        }
        if seat in overdue:  # row 6: its time is out, and is seen to be now
            other.silent()
            walk.step(LATE)
            continue
        reply = data.draw(replies(hands[seat], field, rules), label=f"seat {seat} on {field}")
        if reply == "?" and (free := free + 1) > 8:
            reply = ""
        walk.step(said(reply))
        if reply == "?":
            other.other()
        elif reply:
            status = other.number([int(digit) for digit in reply])
            ruled = [ruling for ruling in walk.rulings if ruling.outcome not in ("init", "quit")][-1]
            if status in ("OK", "MERSENNE", "BELPHEGOR"):
                assert ruled.outcome == status.lower()
            else:
                assert ruled.outcome == "out"
                assert ruled.violation is not None
                assert status in ("ERROR", ruled.violation.requirement)
        else:
            assert walk.asked is not None
            notice = walk.message
            assert notice["record"] == other.record()
            assert (notice["action"], notice["name"]) == ("pass", setup.names[seat])
            late = data.draw(st.booleans(), label="late") and data.draw(st.booleans(), label="indeed")
            other.pass_(notice["draw"], late=late)
            walk.step(LATE if late else BLANK)
            overdue |= {seat} if late else set()
    assert other.turn() is None
    assert walk.over is not None
    assert walk.over.reason == other.end()
    assert walk.over.facts["stock"] == other.stock()
    scores = other.scores()
    assert [place.score for place in walk.over.places] == scores
    assert [place.place for place in walk.over.places] == naive.places(scores)
    assert walk.quits == [b'{"action": "quit"}\n'] * len(setup.names)


# --- the differences, one by one ----------------------------------------------------------------------------

CONTROL = [rules for rules in RULE_SETS.values() if rules is not PUBLISHED]
control = pytest.mark.parametrize("rules", CONTROL, ids=lambda rules: rules.name)


def ruled_out(walk: Walk) -> list[tuple[int, str]]:
    return [(r.seat, r.violation.requirement) for r in walk.rulings if r.violation is not None]


@control
def test_row_1_leading_zeros_lead_and_the_field_is_as_short_as_the_number(rules: RuleSet) -> None:
    walk = at_play(["000055", "7788", "88"], rules)
    walk.play("00005")
    assert walk.turn == (1, ["5"])
    assert walk.message["hands"][0] == ["A", 1]
    walk.play("7")
    assert walk.turn == (1, [])
    assert ruled_out(walk) == []


def test_row_1_is_out_by_the_announcement_with_a_word_on_the_control_program() -> None:
    walk = at_play(["000055", "7788", "88"])
    walk.play("00005")
    assert ruled_out(walk) == [(0, "PD-3.6")]
    note = walk.rulings[-1].violation
    assert note is not None
    assert "v0.11a" in note.note
    assert walk.turn == (1, [])


@pytest.mark.parametrize(
    ("rules", "broken"), [(PUBLISHED, "PD-3.6"), *((rules, "PD-3.2") for rules in CONTROL)]
)
def test_row_1_six_cards_are_too_many_to_lead_whatever_their_number(rules: RuleSet, broken: str) -> None:
    walk = at_play(["000003377", "7788"], rules)
    walk.play("000003")
    assert ruled_out(walk) == [(0, broken)]


@control
def test_row_2_an_equal_number_is_taken(rules: RuleSet) -> None:
    walk = at_play(["225", "2558", "0558"], rules)
    walk.play("2", "2")
    assert walk.turn == (2, ["2", "2"])
    walk = at_play(["225", "2558", "0558"], rules)
    walk.play("2", "5", "05")
    assert walk.turn == (0, ["2", "5", "5"])


def test_row_2_an_equal_number_is_not_larger() -> None:
    walk = at_play(["225", "2558", "0558"])
    walk.play("2", "2")
    assert ruled_out(walk) == [(1, "PD-3.4")]


@control
def test_row_3_belphegor_takes_any_zeros_along(rules: RuleSet) -> None:
    walk = at_play(["0" * 60 + BELPHEGOR_DIGITS + "4", "7788"], rules)
    walk.play("0" * 60 + BELPHEGOR_DIGITS)
    assert walk.turn == (0, [])
    assert walk.message["hand"] == [4]
    assert walk.message["record"][-1] == ["A", "BELPHEGOR", 1, [BELPHEGOR_DIGITS]]


def test_row_3_belphegor_is_thirty_one_cards() -> None:
    walk = at_play(["0" + BELPHEGOR_DIGITS + "4", "7788"])
    walk.play("0" + BELPHEGOR_DIGITS)
    assert ruled_out(walk) == [(0, "PD-3.6")]


def test_row_4_going_out_with_belphegor_is_lost_in_the_control_program() -> None:
    hands = [BELPHEGOR_DIGITS + "7", "7788", "88"]
    for rules in RULE_SETS.values():
        walk = Walk(setup_of(hands), rules, show=True)
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


def test_row_4_a_full_deck_scores_3001() -> None:
    hands = [BELPHEGOR_DIGITS, "7788"]
    stock = (
        "".join(str(card) * (300 - sum(hand.count(str(card)) for hand in hands)) for card in range(10)) + "0"
    )
    walk = at_play(hands, V0_11A, stock)
    walk.play(BELPHEGOR_DIGITS)
    assert walk.over is not None
    assert [place.score for place in walk.over.places] == [3001, 4]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_row_4_going_out_with_mersenne_wins(rules: RuleSet) -> None:
    walk = at_play(["7", "7788"], rules)
    walk.play("7")
    assert walk.over is not None
    assert walk.over.places[0].score == 0
    assert walk.over.places[0].status == "MERSENNE"


@control
def test_row_5_a_free_turn_is_no_pass_so_the_leader_meets_its_own_number(rules: RuleSet) -> None:
    walk = at_play(["2255", "88", "88", "88"], rules)
    walk.play("2", "?", "", "")
    assert walk.turn == (0, ["2"])  # B has not passed: nothing is cleared
    walk.play("")
    assert walk.turn == (1, [])  # all but B have passed now: B leads
    assert len(walk.message["record"]) == 4 + 4
    assert ruled_out(walk) == []


@control
def test_row_5_after_a_cut_the_bot_is_asked_again(rules: RuleSet) -> None:
    walk = at_play(["3355", "88"], rules)
    walk.play("3", "?", "?", "?")
    assert walk.turn == (0, [])
    assert len(walk.message["record"]) == 2 + 1


def test_row_5_an_unknown_action_is_out() -> None:
    walk = at_play(["2255", "88", "88", "88"])
    walk.play("2", "?")
    assert ruled_out(walk) == [(1, "PD-2.3")]


def test_row_6_out_of_time_in_the_pass_notice() -> None:
    for rules in RULE_SETS.values():
        walk = at_play(["2255", "88", "88"], rules)
        walk.step(said(""))
        walk.step(LATE)
        walk.quiet()
        assert ruled_out(walk) == ([(0, "PD-5.1")] if rules is PUBLISHED else [])
        assert [e.status for e in walk.game.table.record[3:]] == ([] if rules is PUBLISHED else ["PASSED"])
        assert len(walk.game.table.stock) == 25


def test_row_6_the_ranking_has_it_as_ok_when_the_match_ends_first() -> None:
    for rules in CONTROL:
        walk = at_play(["2255", "7"], rules)
        walk.step(said(""))
        walk.step(LATE)
        walk.play("7")
        assert walk.over is not None
        assert [place.status for place in walk.over.places] == ["OK", "MERSENNE"]
        assert walk.over.places[0].score == 9


@pytest.mark.parametrize(
    ("reply", "left"),
    [("4", 4), ("0000004", 5), ("22", 4), ("445", 5), ("6", 5)],
    ids=["composite", "not all in hand", "more than in hand", "wrong count and not there", "not in hand"],
)
def test_row_8_refused_cards_are_gone(reply: str, left: int) -> None:
    # "22" holds one 2: it goes before the second one is missed (row 11); a digit it has not at all, and none goes.
    hands, rest = ["23458", "88", "777"], 5
    for rules, kept in [(PUBLISHED, rest), *((rules, left) for rules in CONTROL)]:
        walk = at_play(hands, rules)
        walk.play(reply)
        assert len(ruled_out(walk)) == 1
        expected = kept if reply != "445" or rules is PUBLISHED else 4
        assert walk.message["hands"][0] == ["A", expected]
        assert walk.message["record"] == [["A", "OK", 5, []], ["B", "OK", 2, []], ["C", "OK", 3, []]]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_row_10_the_leader_may_pass_and_the_lead_moves_on(rules: RuleSet) -> None:
    walk = at_play(["2255", "7788", "88"], rules)
    walk.play("")
    assert walk.turn == (1, [])
    assert walk.message["record"][-1] == ["A", "PASSED", 9, []]
    walk.play("7", "4")  # a cut, then an error: the next seat leads an empty field
    assert walk.turn == (2, [])


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_row_14_is_a_switch_of_the_game(rules: RuleSet) -> None:
    game = PrimeDaihinmin(setup_of(["1", "2"]), rules)
    assert game.keeps_extra_lines is (rules is not PUBLISHED)
    assert game.grace == (0.0 if rules is PUBLISHED else 0.0004)


# --- what else a course does --------------------------------------------------------------------------------


def test_a_seat_out_at_the_deal_is_never_asked_and_shows_as_an_error() -> None:
    walk = Walk(setup_of(["2255", "7788", "88"], out=(0,)), PUBLISHED)
    asked: list[int] = []
    while walk.asked is not None and walk.asked.kind == "init":
        asked.append(walk.asked.seat)
        walk.step(BLANK)
    assert asked == [1, 2]
    assert walk.turn == (1, [])
    name, status, cards, field = walk.message["record"][0]
    assert (name, cards, field) == ("A", 4, [])
    assert status.startswith("ERROR")
    walk.play("7", "")
    assert walk.quits == []


@pytest.mark.parametrize("outcome", [LATE, DIED])
def test_a_seat_that_fails_in_init_is_out_before_the_deal_is_written(outcome: Lapse) -> None:
    walk = Walk(setup_of(["2255", "7788", "88"]), PUBLISHED)
    walk.step(outcome)
    walk.quiet()
    assert walk.turn == (1, [])
    assert [status.partition(":")[0] for _, status, _, _ in walk.message["record"]] == ["ERROR", "OK", "OK"]
    assert all(ord(c) < 128 for c in walk.message["record"][0][1])


def test_a_seat_put_out_later_leaves_the_record_as_it_was() -> None:
    walk = at_play(["2255", "7788", "88"])
    walk.play("2", "4")
    assert walk.turn == (2, ["2"])
    assert [entry[1] for entry in walk.message["record"]] == ["OK"] * 4


def test_one_survivor_ends_the_match_and_all_others_tie() -> None:
    walk = at_play(["2255", "7788", "88"])
    walk.play("4", "4")
    assert walk.over is not None
    assert walk.over.reason == "survivor"
    assert [(place.score, place.place) for place in walk.over.places] == [(40, 3), (40, 3), (2, 1)]


def test_the_last_cards_of_the_stock_end_the_match() -> None:
    walk = at_play(["2255", "7788"], stock="123456")
    walk.step(said(""))
    assert walk.message["draw"] == [6, 5, 4, 3, 2]
    walk.play("")
    assert walk.over is not None
    assert walk.over.reason == "stock"
    assert [place.score for place in walk.over.places] == [9, 5]
    assert walk.over.facts == {"stock": 0}


def test_actions_before_the_start_are_in_the_record_and_not_asked_for() -> None:
    before = (Move(0, "2"), Move(1, "7"), Move(1, ""))
    walk = Walk(setup_of(["2255", "7788", "88"], before=before), PUBLISHED)
    walk.quiet()
    assert walk.turn == (2, [])
    assert [entry[1] for entry in walk.message["record"]] == ["OK", "OK", "OK", "OK", "MERSENNE", "PASSED"]


@pytest.mark.parametrize("before", [(Move(1, "7"),), (Move(0, "4"),)], ids=["not its turn", "not legal"])
def test_an_impossible_past_is_refused_by_name(before: tuple[Move, ...]) -> None:
    walk = Walk(setup_of(["2255", "7788"], before=before), PUBLISHED)
    with pytest.raises(ValueError, match="action 1 before the start"):
        walk.quiet()


def test_the_answers_to_init_and_pass_are_to_be_empty_lines() -> None:
    walk = Walk(setup_of(["2255", "7788"]), PUBLISHED)
    walk.step(Answer(b"hello"))
    walk.step(BLANK)
    walk.step(said(""))
    walk.step(Answer(b"thanks"))
    assert [flaw.requirement for ruling in walk.rulings for flaw in ruling.flaws] == ["PD-2.2", "PD-2.7"]
    assert ruled_out(walk) == []


def test_the_shown_lines_are_the_control_programs() -> None:
    walk = Walk(setup_of(["2255", "7788"]), PUBLISHED, show=True)
    walk.play("2", "7", "", "")
    shown = [ruling.line for ruling in walk.rulings if ruling.line]
    assert shown == [
        "init: A 2255 () [OK]",
        "init: B 7788 () [OK]",
        "play: A 255 (2) [OK]",
        "play: B 788 (2,7) [MERSENNE]",
        "pass: B 06778889 () [PASSED]",
        "pass: A 12234555 () [PASSED]",
    ]


# --- the announcement's complete match ----------------------------------------------------------------------


def replayed(sample: dict[str, Any], check: Callable[[Walk, int], None]) -> Walk:
    """The sample match through the course. In which order five cards were drawn the announcement does not
    show."""
    drawn = [digits for _, status, digits, _, _ in sample["actions"] if status == "PASSED"]
    rest = "".join(
        str(card)
        * (
            (301 if card == 0 else 300)
            - sum(hand[card] for hand in sample["hands"])
            - sum(digits.count(str(card)) for digits in drawn)
        )
        for card in range(10)
    )
    setup = Setup(
        tuple(sample["names"]), tuple(tuple(hand) for hand in sample["hands"]), rest + "".join(drawn)[::-1]
    )
    assert len(setup.stock) == 2205
    walk = Walk(setup, PUBLISHED)
    walk.quiet()
    for number, (seat, status, digits, _, _) in enumerate(sample["actions"]):
        assert walk.asked is not None
        assert walk.asked.seat == seat, f"action {number}"
        walk.play("" if status == "PASSED" else digits)
        check(walk, number)
    return walk


def test_the_sample_match_replays_without_an_illegal_action(sample: dict[str, Any]) -> None:
    def check(walk: Walk, number: int) -> None:
        seat, status, digits, left, hashed = sample["actions"][number]
        table = walk.game.table
        entry = table.record[4 + number]
        assert (entry.name, entry.status, entry.cards) == (sample["names"][seat], status, left)
        assert status == "PASSED" or entry.field[-1] == digits
        hand = "".join(str(card) * count for card, count in enumerate(table.seats[seat].hand))
        assert hashlib.sha256(hand.encode()).hexdigest()[:8] == hashed

    walk = replayed(sample, check)
    assert ruled_out(walk) == []
    assert walk.over is not None
    assert walk.over.reason == sample["reason"]
    assert walk.over.facts == {"stock": sample["stock"]}
    assert [place.place for place in walk.over.places] == sample["places"]
    assert [place.score for place in walk.over.places] == sample["scores"]
    assert {place.status for place in walk.over.places} == {"OK"}
