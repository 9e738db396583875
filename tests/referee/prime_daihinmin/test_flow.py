"""Whole matches, message by message, against the second formulation."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.game import Answer, Ask, Tell
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin, Script
from pdcheck.referee.prime_daihinmin.plays import Tries, plays
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS, PUBLISHED, RULE_SETS, V0_11A, RuleSet
from pdcheck.referee.prime_daihinmin.table import Move, Setup, counts

# --- any match at all ---------------------------------------------------------------------------------------


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    digits = st.text("00112233577899", min_size=1, max_size=12)
    hands = draw(st.lists(digits, min_size=2, max_size=4))
    devil = draw(st.sampled_from([None, None, *range(len(hands))]))
    if devil is not None:
        extra = draw(st.sampled_from(["", "", "0", "00", "3"]))
        hands[devil] = BELPHEGOR_DIGITS + extra + draw(st.sampled_from(["", hands[devil]]))
    stock = draw(st.text("0123456789", min_size=1, max_size=40))
    return Setup(tuple("ABCD"[: len(hands)]), tuple(map(counts, hands)), stock)


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
def test_every_message_and_the_ranking(
    walks: ModuleType, naive: ModuleType, rules: RuleSet, data: st.DataObject, setup: Setup
) -> None:
    walk = walks.Walk(setup, rules)
    other = second(naive, setup, rules)
    overdue: set[int] = set()
    for seat in range(len(setup.names)):
        assert (walk.message["action"], walk.message["uid"]) == ("init", seat)
        assert walk.message["hand"] == other.hands()[seat]
        walk.step(walks.BLANK)
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
            walk.step(walks.LATE)
            continue
        reply = data.draw(replies(hands[seat], field, rules), label=f"seat {seat} on {field}")
        if reply == "?" and (free := free + 1) > 8:
            reply = ""
        walk.step(walks.said(reply))
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
            walk.step(walks.LATE if late else walks.BLANK)
            overdue |= {seat} if late else set()
    assert other.turn() is None
    assert walk.over is not None
    assert walk.over.reason == other.end()
    assert walk.over.facts["stock"] == other.stock()
    scores = other.scores()
    assert [place.score for place in walk.over.places] == scores
    assert [place.place for place in walk.over.places] == naive.places(scores)
    assert walk.quits == [b'{"action": "quit"}\n'] * len(setup.names)


# --- what else a course does --------------------------------------------------------------------------------


def test_a_seat_out_at_the_deal_is_never_asked_and_shows_as_an_error(walks: ModuleType) -> None:
    walk = walks.Walk(walks.setup_of(["2255", "7788", "88"], out=(0,)), PUBLISHED)
    asked: list[int] = []
    while walk.asked is not None and walk.asked.kind == "init":
        asked.append(walk.asked.seat)
        walk.step(walks.BLANK)
    assert asked == [1, 2]
    assert walk.turn == (1, [])
    name, status, cards, field = walk.message["record"][0]
    assert (name, cards, field) == ("A", 4, [])
    assert status.startswith("ERROR")
    walk.play("7", "")
    assert walk.quits == []


@pytest.mark.parametrize("outcome", ["LATE", "DIED"])
def test_a_seat_that_fails_in_init_is_out_before_the_deal_is_written(walks: ModuleType, outcome: str) -> None:
    walk = walks.Walk(walks.setup_of(["2255", "7788", "88"]), PUBLISHED)
    walk.step(getattr(walks, outcome))
    walk.quiet()
    assert walk.turn == (1, [])
    assert [status.partition(":")[0] for _, status, _, _ in walk.message["record"]] == ["ERROR", "OK", "OK"]
    assert all(ord(c) < 128 for c in walk.message["record"][0][1])


def test_a_seat_put_out_later_leaves_the_record_as_it_was(walks: ModuleType) -> None:
    walk = walks.at_play(["2255", "7788", "88"])
    walk.play("2", "4")
    assert walk.turn == (2, ["2"])
    assert [entry[1] for entry in walk.message["record"]] == ["OK"] * 4


def test_one_survivor_ends_the_match_and_all_others_tie(walks: ModuleType) -> None:
    walk = walks.at_play(["2255", "7788", "88"])
    walk.play("4", "4")
    assert walk.over is not None
    assert walk.over.reason == "survivor"
    assert [(place.score, place.place) for place in walk.over.places] == [(40, 3), (40, 3), (2, 1)]


def test_the_last_cards_of_the_stock_end_the_match(walks: ModuleType) -> None:
    walk = walks.at_play(["2255", "7788"], stock="123456")
    walk.step(walks.said(""))
    assert walk.message["draw"] == [6, 5, 4, 3, 2]
    walk.play("")
    assert walk.over is not None
    assert walk.over.reason == "stock"
    assert [place.score for place in walk.over.places] == [9, 5]
    assert walk.over.facts["stock"] == 0
    assert walk.over.facts["winner"] is None


def test_actions_before_the_start_are_in_the_record_and_not_asked_for(walks: ModuleType) -> None:
    before = (Move(0, "2"), Move(1, "7"), Move(1, ""))
    walk = walks.Walk(walks.setup_of(["2255", "7788", "88"], before=before), PUBLISHED)
    walk.quiet()
    assert walk.turn == (2, [])
    assert [entry[1] for entry in walk.message["record"]] == ["OK", "OK", "OK", "OK", "MERSENNE", "PASSED"]


@pytest.mark.parametrize("before", [(Move(1, "7"),), (Move(0, "4"),)], ids=["not its turn", "not legal"])
def test_an_impossible_past_is_refused_by_name(walks: ModuleType, before: tuple[Move, ...]) -> None:
    walk = walks.Walk(walks.setup_of(["2255", "7788"], before=before), PUBLISHED)
    with pytest.raises(ValueError, match="action 1 before the start"):
        walk.quiet()


def test_the_answers_to_init_and_pass_are_to_be_empty_lines(walks: ModuleType) -> None:
    walk = walks.Walk(walks.setup_of(["2255", "7788"]), PUBLISHED)
    walk.step(Answer(b"hello"))
    walk.step(walks.BLANK)
    walk.step(walks.said(""))
    walk.step(Answer(b"thanks"))
    assert [flaw.requirement for ruling in walk.rulings for flaw in ruling.flaws] == ["PD-2.2", "PD-2.7"]
    assert walks.ruled_out(walk) == []


def test_the_shown_lines_are_the_control_programs(walks: ModuleType) -> None:
    walk = walks.Walk(walks.setup_of(["2255", "7788"]), PUBLISHED, show=True)
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


def replayed(walks: ModuleType, sample: dict[str, Any], check: Callable[[Any, int], None]) -> Any:
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
    walk = walks.Walk(setup, PUBLISHED)
    walk.quiet()
    for number, (seat, status, digits, _, _) in enumerate(sample["actions"]):
        assert walk.asked is not None
        assert walk.asked.seat == seat, f"action {number}"
        walk.play("" if status == "PASSED" else digits)
        check(walk, number)
    return walk


def test_the_sample_match_replays(walks: ModuleType, sample: dict[str, Any]) -> None:
    def check(walk: Any, number: int) -> None:
        seat, status, digits, left, hashed = sample["actions"][number]
        table = walk.game.table
        entry = table.record[4 + number]
        assert (entry.name, entry.status, entry.cards) == (sample["names"][seat], status, left)
        assert status == "PASSED" or entry.field[-1] == digits
        hand = "".join(str(card) * count for card, count in enumerate(table.seats[seat].hand))
        assert hashlib.sha256(hand.encode()).hexdigest()[:8] == hashed

    walk = replayed(walks, sample, check)
    assert walks.ruled_out(walk) == []
    assert walk.over is not None
    assert walk.over.reason == sample["reason"]
    assert walk.over.facts["stock"] == sample["stock"]
    assert walk.over.facts["winner"] == "B"
    assert [place.place for place in walk.over.places] == sample["places"]
    assert [place.score for place in walk.over.places] == sample["scores"]
    assert {place.status for place in walk.over.places} == {"OK"}


# --- what a check does differently --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script", [Script(0, quit=False, cut_short=True), Script(0, turns=1, quit=False, unanswered=True)]
)
@pytest.mark.parametrize("dies", [False, True])
def test_a_last_message_is_only_for_the_seat_of_the_script(
    walks: ModuleType, script: Script, dies: bool
) -> None:
    """One that is out leaves the turn to another, who expects whole messages, and to be heard."""
    setup = Setup(("A", "B", "C"), (counts("23"), counts("45"), counts("67")), "89")
    course = PrimeDaihinmin(setup, script=script).course()
    told: list[Tell] = []
    with contextlib.suppress(StopIteration):
        step = next(course)
        while True:
            if isinstance(step, Tell):
                told.append(step)
            lost = dies and isinstance(step, Ask) and step.seat == 0
            step = course.send((walks.DIED if lost else walks.BLANK) if isinstance(step, Ask) else None)
    assert [tell.seat for tell in told] == ([] if dies else [0])
