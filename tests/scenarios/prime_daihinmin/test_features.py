"""What was special in what a bot was given, read from hand-made messages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.scenarios.pack import Span
from pdcheck.scenarios.prime_daihinmin.features import FEATURES, features

DEAL = [["A", "OK", 5, []], ["B", "OK", 5, []]]
ALL = list(range(10))


def line(action: str, **parts: Any) -> bytes:
    return json.dumps({"action": action, **parts}).encode() + b"\n"


def init(**parts: Any) -> bytes:
    return line("init", **{"uid": 0, "names": ["A", "B"], "hand": ALL, "time": 10.0} | parts)


def play(*entries: list[Any], **parts: Any) -> bytes:
    hands = [["A", 10], ["B", 10]]
    values = {"name": "A", "hand": ALL, "numbers": [], "hands": hands, "record": [*DEAL, *entries]}
    return line("play", **values | parts)


def of(*messages: bytes) -> dict[str, tuple[float, float]]:
    return {name: (span.least, span.greatest) for name, span in features(messages).items()}


def test_what_no_message_shows_is_not_there() -> None:
    assert features([]) == {}
    assert features([line("quit")]) == {}
    assert "seats" not in of(play())
    assert "own_cut" not in of(init())


def test_a_whole_exchange_shows_every_feature() -> None:
    shown = features([init(), play(), line("pass", draw=[1, 2, 3, 4, 5]), play()])
    assert shown.keys() == {feature.name for feature in FEATURES}


@pytest.mark.parametrize(
    ("parts", "name", "value"),
    [
        ({"uid": 5}, "uid", 5),
        ({"names": ["A", "B", "C"]}, "seats", 3),
        ({"names": ["A", "Bobby"]}, "name_length", 5),
        ({"names": ["A", "B"]}, "name_signs", 0),
        ({"names": ["A", "素数"]}, "name_signs", 0),
        ({"names": ["A", "B 2"]}, "name_signs", 1),
        ({"time": 10}, "whole_time", 1),
        ({"time": 10.0}, "whole_time", 0),
        ({"time": 10}, "other_time", 0),
        ({"time": 2.5}, "other_time", 1),
        ({"hand": [2, 2, 3]}, "hand_cards", 3),
        ({"hand": [2, 2, 3]}, "missing_digits", 1),
        ({"hand": ALL}, "missing_digits", 0),
        ({"hand": []}, "hand_cards", 0),
    ],
)
def test_features_of_init(parts: dict[str, Any], name: str, value: float) -> None:
    assert of(init(**parts))[name] == (value, value)


@pytest.mark.parametrize(
    ("message", "name", "value"),
    [
        (play(), "number_digits", 0),
        (play(numbers=["2", "13"]), "number_digits", 2),
        (play(["B", "ERROR:IO-1 gone", 5, []]), "error_entries", 1),
        (play(["B", "BELPHEGOR", 5, ["1"]]), "belphegor_entries", 1),
        (play(["B", "MERSENNE", 5, ["3"]]), "mersenne_entries", 1),
        (play(["B", "PASSED", 5, []]), "passed_entries", 1),
        (play(["B", "OK", 4, ["2"]]), "error_entries", 0),
        (play(["A", "MERSENNE", 4, ["3"]]), "own_cut", 1),
        (play(["B", "MERSENNE", 4, ["3"]]), "own_cut", 0),
        (play(["A", "OK", 4, ["2"]]), "own_cut", 0),
        (play(["A", "OK", 4, ["2"]], ["B", "PASSED", 10, ["2"]]), "leads_again", 1),
        (play(["A", "OK", 4, ["2"]], ["B", "OK", 4, ["2", "5"]]), "leads_again", 0),
        (play(["A", "OK", 4, ["2"]], ["B", "PASSED", 10, ["2"]], numbers=["2"]), "leads_again", 0),
        (play(), "leads_again", 0),
        (play(), "after_draw", 0),
        (play(), "field_shrank", 0),
        (line("pass", draw=[1, 2, 3, 4]), "short_draw", 1),
        (line("pass", draw=[1, 2, 3, 4, 5]), "short_draw", 0),
        (line("pass", draw=[]), "short_draw", 1),
    ],
)
def test_features_of_one_message(message: bytes, name: str, value: float) -> None:
    assert of(message)[name] == (value, value)


def test_the_span_is_over_all_messages() -> None:
    shown = of(init(hand=[2] * 7), play(hand=[2] * 7), play(hand=[2] * 12))
    assert shown["hand_cards"] == (7, 12)
    assert shown["missing_digits"] == (1, 1)
    assert of(play(hand=ALL), play(hand=[2] * 12))["missing_digits"] == (0, 1)


def test_what_takes_two_messages() -> None:
    drawn = of(init(), play(), line("pass", draw=[1]), play())
    assert drawn["after_draw"] == (0, 1)
    assert of(play(numbers=["2", "5"]), play(numbers=["7"]))["field_shrank"] == (0, 1)
    assert of(play(numbers=["2"]), play(numbers=["2", "5"]))["field_shrank"] == (0, 0)


def test_lines_together_or_in_pieces_are_the_same() -> None:
    messages = [init(), play(numbers=["2"]), line("pass", draw=[1]), play()]
    whole = of(*messages)
    text = b"".join(messages)
    assert of(text) == whole
    assert of(*(text[at : at + 7] for at in range(0, len(text), 7))) == whole


@pytest.mark.parametrize("cut", [1, 20, 60, len(play()) - 2])
def test_half_a_line_has_no_features(cut: int) -> None:
    assert of(init(), play()[:cut]) == of(init())


@pytest.mark.parametrize(
    "message",
    [
        *(b"\n", b"7\n", b"[]\n", b"null\n", b'"x"\n', b"\xff\n"),
        *(line("shuffle"), line("init"), line("pass"), line("play")),
        line("play", numbers=3, record=[], name="A", hand=[]),
    ],
)
def test_a_message_that_is_none_of_the_games_takes_nothing_from_the_others(message: bytes) -> None:
    assert of(message, init(), play()) == of(init(), play())


@given(st.lists(st.binary(max_size=60)))
def test_no_bytes_make_it_raise(messages: list[bytes]) -> None:
    assert all(isinstance(span, Span) for span in features(messages).values())
