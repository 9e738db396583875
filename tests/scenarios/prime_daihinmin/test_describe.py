"""A message in one line of bounded length, whatever the bytes are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pdcheck.scenarios.prime_daihinmin.describe import describe

MOST = 2_000
MIB = 1 << 20


def encoded(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def play(**parts: Any) -> bytes:
    values = {"action": "play", "name": "A", "hand": [2, 3], "numbers": [], "hands": [["A", 2], ["B", 1]]}
    return encoded(values | {"record": []} | parts)


def check(message: bytes) -> str:
    shown = describe(message)
    assert shown
    assert shown.isprintable(), "one line, which any terminal can show"
    assert len(shown) < MOST
    return shown


def test_a_small_message_is_shown_in_full() -> None:
    assert check(encoded({"action": "quit"})) == '{"action": "quit"}'
    assert check(encoded({"action": "pass", "draw": [9, 0, 9]})) == '{"action": "pass", "draw": [9, 0, 9]}'
    assert (
        check(play())
        == '{"action": "play", "name": "A", "hand": [2, 3], "numbers": [], "hands": [["A", 2], ["B", 1]], '
        '"record": []}'
    )


def test_a_long_hand_is_told_as_counts() -> None:
    assert '"hand": [24 cards: 2×20 7×4]' in check(play(hand=[2] * 20 + [7] * 4))
    assert '"hand": [2, 2, 2' in check(play(hand=[2] * 20))


def test_long_numbers_are_elided_with_their_length() -> None:
    shown = check(play(numbers=["2", "1" * 640]))
    assert '"2"' in shown
    assert "more]" in shown


def test_of_the_record_the_length_and_the_last_entry() -> None:
    record = [["A", "OK", 199, []], ["B", "OK", 199, []], ["B", "ERROR:" + "x" * 99, 198, ["13"]]]
    shown = check(play(record=record))
    assert "3 entries, the last [" in shown
    assert '198, ["13"]]' in shown


def test_of_several_lines_the_last() -> None:
    assert check(play() + encoded({"action": "quit"})) == '{"action": "quit"}'


def test_what_is_no_message_is_quoted() -> None:
    assert check(b"hello\xff\n") == "hello\\xff"
    assert check(b"\n") == "an empty line"
    assert check(b"") == "an empty line"
    assert check(b"[1, 2]\n") == "[1, 2]"


HUGE = {
    "record": play(record=[["A", "OK", n, ["2"]] for n in range(MIB // 16)]),
    "hand": play(hand=[7] * (MIB // 3)),
    "kinds-of-cards": play(hand=list(range(MIB // 9))),
    "number": play(numbers=["1" * MIB]),
    "numbers": play(numbers=["13"] * (MIB // 6)),
    "hands": play(hands=[["A", 1]] * (MIB // 10)),
    "name": play(name="x" * MIB),
    "controls": play(name="\u2028" * (MIB // 6), hands=[["\u2028" * 12, 1]] * 500),
    "key": play(**{"k" * MIB: 1}),
    "keys": play(**{f"k{n}": 1 for n in range(MIB // 16)}),
    "spaces": b" " * MIB + b"{}\n",
    "no-json": b"\xff" * MIB,
    "deep": b'{"x": ' + b"[" * MIB,
    "integer": b'{"x": ' + b"9" * MIB + b"}",
}


@pytest.mark.parametrize("name", HUGE)
def test_a_mebibyte_is_told_in_a_line(name: str) -> None:
    assert len(HUGE[name]) > MIB // 2
    check(HUGE[name])


def test_half_a_line_is_quoted_as_it_is() -> None:
    assert check(play()[:30]).startswith('{"action": "play", "name": "A"')


@given(st.binary(max_size=200))
@example(b"[" * 100_000)
@example(b'{"record": "x"}')
@example(b'{"record": [[1]]}')
@example(b'{"hand": {"a": 1}, "numbers": "12", "hands": [1]}')
@example(b'{"name": "\\ud800"}')
@settings(max_examples=300)
def test_no_bytes_make_it_raise(message: bytes) -> None:
    check(message)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS, lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=4), part, max_size=3)
)


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(["action", "hand", "numbers", "hands", "record", "x"]), VALUES))
def test_no_json_makes_it_raise(message: dict[str, Any]) -> None:
    check(encoded(message))
