"""Prime Daihinmin as people see it: their own hand, what is read, and hints that are legal."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.game import Over
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.rules import RULE_SETS, judge
from pdcheck.referee.prime_daihinmin.table import Move, Setup, counts, deal
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.prime_daihinmin.seatview import TableView
from pdcheck.scenarios.seatview import Complaint, Due, Look, plain

PASS = b'{"action": "pass"}\n'


def seen(
    hand: str = "0123579", field: str = "", rules: str = "published"
) -> tuple[TableView, PrimeDaihinmin]:
    """Seat 1 (`human`) with this hand, in turn after seat 0 has led `field`."""
    setup = Setup(("bot", "human"), (counts(field + "4"), counts(hand)), "0" * 20)
    if field:
        setup = replace(setup, before=(Move(0, field),))
    game = PrimeDaihinmin(setup, RULE_SETS[rules])
    game.table.open(setup)
    game.table.next_turn()
    return TableView(game), game


def drawn(view: TableView, seat: int | None, width: int = 79, height: int = 19) -> str:
    return "\n".join(map(plain, view.draw(Look(width, height, seat))))


def test_hand_field_stock_and_the_others_sizes() -> None:
    view, _ = seen(field="13")
    text = drawn(view, 1)
    for part in (
        ">human               7 cards",
        " bot                 1 cards",
        "stock  20 cards",
        "field  13  (2 cards to play)",
        "hand   0:1",
        "9:1",
        "bot              OK            1  13",
    ):
        assert part in text
    assert "4:" not in text, "another's hand is not shown"


def test_nobody_s_hand_is_shown_to_nobody() -> None:
    view, _ = seen()
    assert "hand" not in drawn(view, None)


@given(st.integers(1, 100), st.integers(1, 50), st.integers(2, 8))
@settings(max_examples=30)
def test_any_size(width: int, height: int, seats: int) -> None:
    view = TableView(PrimeDaihinmin(deal([f"seat{n}" for n in range(seats)], 1)))
    assert len(view.draw(Look(width, height, 0))) <= height


@pytest.mark.parametrize("typed", ["p", "P", "pass", " p "])
def test_passing(typed: str) -> None:
    assert seen()[0].read(1, typed) == PASS


@pytest.mark.parametrize("typed", ["", "  "])
def test_an_enter_too_many_does_not_pass(typed: str) -> None:
    found = seen()[0].read(1, typed)
    assert found == Complaint("PD-2.4: an empty line; expected digits, as `103`, or `p` to pass")


@pytest.mark.parametrize("typed", ["103", "1 0 3", " 103 "])
def test_digits_become_a_reply(typed: str) -> None:
    line = seen()[0].read(1, typed)
    assert isinstance(line, bytes)
    assert json.loads(line) == {"action": "number", "cards": [1, 0, 3]}


@pytest.mark.parametrize(
    ("field", "typed", "rule"),
    [
        ("", "9", "PD-3.5"),
        ("", "11", "PD-3.1"),
        ("", "012", "PD-3.6"),
        ("", "102359", "PD-3.2"),
        ("13", "7", "PD-3.3"),
        ("53", "19", "PD-3.4"),
        ("", "-7", "PD-2.4"),
        ("", "7a", "PD-2.4"),
        ("", "７", "PD-2.4"),
    ],
)
def test_an_illegal_play_names_its_rule(field: str, typed: str, rule: str) -> None:
    found = seen(field=field)[0].read(1, typed)
    assert isinstance(found, Complaint)
    assert found.text.startswith(f"{rule}: ")


def test_the_rules_are_those_of_the_match() -> None:
    assert isinstance(seen(rules="v0.11a")[0].read(1, "02"), bytes)


def test_a_hint_is_legal_under_the_rules() -> None:
    view, game = seen(field="13")
    hint = view.hint(1).lines[0]
    assert hint.startswith("Legal: 17  19  23  29")
    for number in hint.split()[1:]:
        cards = [int(digit) for digit in number]
        assert judge(game.table.seats[1].hand, game.table.field, cards).violation is None


def test_a_hint_of_long_numbers_can_be_typed() -> None:
    view, game = seen(hand="1379" * 60)
    game.table.field = ["1" * 160]
    hint = view.hint(1).lines[0]
    number = hint.rpartition(" ")[2]
    assert len(number) == 160
    assert isinstance(view.read(1, number), bytes)


def test_a_hint_where_only_passing_is_legal() -> None:
    assert seen(hand="00", field="13")[0].hint(1).lines == ("Only passing is legal.",)


def test_notices_are_answered_for_the_person() -> None:
    view, _ = seen()
    assert view.hear(1, b'{"action": "init", "uid": 1}\n') == Due(b"\n", False)
    assert view.hear(1, b'{"action": "pass", "name": "play"}\n') == Due(b"\n", False)
    assert view.hear(1, b'{"action": "play", "name": "x"}\n') == Due(b"", True)
    assert view.hear(1, b'{"action": "quit"}\n') == Due(b"\n", False)


def test_rulings_in_words() -> None:
    view, _ = seen()
    assert view.told(Ruling(1, "ok", "13")) == "human plays 13: 7 cards"
    assert view.told(Ruling(1, "mersenne", "7")) == "human plays 7 (Mersenne: the field is cleared): 7 cards"
    assert view.told(Ruling(0, "pass", "12345")) == "bot passes and draws 5: 1 cards"
    assert view.told(Ruling(0, "init")) == ""
    broken = Violation("PD-3.5", "a prime number", "9 is not prime")
    assert view.told(Ruling(0, "out", "9", violation=broken)) == (
        "bot is out for PD-3.5: 9 is not prime; expected a prime number"
    )


def test_the_result_is_the_ranking() -> None:
    view, game = seen()
    game.table.end = "winner"
    over = Over("winner", game.table.places(), {"stock": 20, "winner": "bot"})
    assert view.result(over) == ["bot has gone out.", "1. bot  1 cards  OK", "2. human  7 cards  OK"]
    assert view.turn() is None


def test_only_its_own_game() -> None:
    with pytest.raises(TypeError, match="no match of Prime Daihinmin"):
        TableView(object())  # type: ignore[arg-type]
