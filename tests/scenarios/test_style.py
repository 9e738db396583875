"""Other spellings of a message: they look different, and say the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.scenarios.scenario import Style
from pdcheck.scenarios.style import UNKNOWN_KEYS, rewriter

FLAGS = (False, True)
STYLES = [
    Style(key_order=order, spaces=spaces, unknown_keys=unknown, escapes=escapes, raw_utf8=raw)
    for order in (None, "reversed", "shuffled")
    for spaces in (None, "none", "wide")
    for unknown, escapes, raw in product(FLAGS, FLAGS, FLAGS)
][1:]
PLAY = {
    "action": "play",
    "name": "Zoë",
    "hand": [2, 3],
    "numbers": ["2", "13"],
    "hands": [["Zoë", 2], ["素数", 9], ["𠮷", 1], ['q"x"', 1], ["back\\slash", 1], ["OK", 0]],
    "record": [["Zoë", "OK", 3, ["2"]], ["素数", "ERROR:IO-1 x", 9, []]],
}
# What a name may be: anything a JSON string can hold. Lone surrogates are not UTF-8, so no message has them.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ["A", "play", "OK", '"', '"a"', "\\", "\\u0041", "𠮷", "𝐀b", "é", "a\tb", "\u2028", "12", "𝟘"]
)
MESSAGES = st.fixed_dictionaries(
    {
        "action": st.sampled_from(["init", "play", "pass", "quit"]),
        "name": TEXTS,
        "names": st.lists(TEXTS, max_size=4),
        "time": st.sampled_from([10, 10.0, 2.5]),
        "record": st.lists(st.tuples(TEXTS, TEXTS, st.integers(0, 3001), st.lists(TEXTS)).map(list)),
    }
)


def encoded(message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


def write(style: Style) -> Callable[[bytes], bytes]:
    made = rewriter(style)
    assert made is not None
    return made


def known(line: bytes) -> dict[str, Any]:
    """The message without the keys that a style may add; it must be one line."""
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    value = json.loads(line.decode("utf-8"))
    return {key: part for key, part in value.items() if key not in UNKNOWN_KEYS}


def test_no_style_touches_nothing() -> None:
    assert rewriter(Style()) is None


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_every_style_says_the_same(style: Style) -> None:
    line = write(style)(encoded(PLAY))
    assert known(line) == PLAY
    assert (json.loads(line).keys() - PLAY.keys() == UNKNOWN_KEYS.keys()) is style.unknown_keys


@given(MESSAGES, st.sampled_from(STYLES))
@settings(max_examples=150)
def test_any_message_in_any_style_says_the_same_also_twice(message: dict[str, Any], style: Style) -> None:
    once = write(style)(encoded(message))
    assert known(once) == message
    assert known(write(style)(once)) == message
    assert known(once).keys() == message.keys()


def test_key_order() -> None:
    assert list(json.loads(write(Style(key_order="reversed"))(encoded(PLAY)))) == [*PLAY][::-1]
    shuffled = list(json.loads(write(Style(key_order="shuffled"))(encoded(PLAY))))
    assert shuffled != [*PLAY]
    assert sorted(shuffled) == sorted(PLAY)


def test_spaces() -> None:
    small = {"action": "pass", "draw": [1, 2]}
    assert write(Style(spaces="none"))(encoded(small)) == b'{"action":"pass","draw":[1,2]}\n'
    wide = write(Style(spaces="wide"))(encoded(small))
    assert wide == b'  {"action"  :   "pass" ,  "draw"  :   [1 ,  2]} \t\n'


@pytest.mark.parametrize("kind", ["deep", "long", "odd"])
def test_unusual_unknown_keys_are_json_and_leave_the_message_as_it_is(kind: str) -> None:
    line = write(Style(unknown_keys=kind))(encoded(PLAY))
    value = json.loads(line)
    assert line.count(b"\n") == 1
    assert {key: value[key] for key in PLAY} == PLAY
    assert len(value) > len(PLAY)
    assert len(line) < 20_000, "an unknown key is no long line (IO-7)"


def test_names_in_two_spellings_are_usual_at_init() -> None:
    style = Style(escapes=True, mixed=True)
    init = {"action": "init", "uid": 0, "names": ["Bob"], "hand": [], "time": 10.0}
    assert write(style)(encoded(init)) == encoded(init)
    assert b"Bob" not in write(style)(encoded({"action": "play", "name": "Bob"}))
    raw = write(Style(raw_utf8=True, mixed=True))
    assert raw(encoded(init | {"names": ["Zoë"]})).isascii()
    assert "Zoë".encode() in raw(encoded(PLAY))


def test_escapes_really_escape_and_the_protocols_own_words_stay() -> None:
    line = write(Style(escapes=True))(encoded({"action": "play", "name": "Bob", "record": [["Bob", "OK"]]}))
    assert b"Bob" not in line
    assert line.count(rb'"\u0042\u006f\u0062"') == 2
    for word in (b'"action"', b'"play"', b'"name"', b'"OK"', b'"record"'):
        assert word in line


def test_raw_utf8_stays_raw() -> None:
    line = write(Style(raw_utf8=True))(encoded(PLAY))
    for name in ("Zoë", "素数", "𠮷"):
        assert name.encode() in line
    assert b"\\u" not in line
    assert write(Style(spaces="none"))(encoded(PLAY)).isascii(), "else it is as the contest writes it"


def test_a_name_past_the_first_plane_is_two_escapes() -> None:
    line = write(Style(escapes=True, raw_utf8=True))(encoded({"name": "𠮷"}))
    assert rb'"\ud842\udfb7"' in line


def test_unknown_keys_stand_among_the_others() -> None:
    keys = list(json.loads(write(Style(unknown_keys=True))(encoded(PLAY))))
    assert keys[0] in UNKNOWN_KEYS
    assert keys[-1] not in UNKNOWN_KEYS
