"""Replies: each fault under its own requirement, usable replies used, short cuts true to the strict way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pdcheck.referee.prime_daihinmin.replies import (
    Malformed,
    Number,
    Pass,
    Unknown,
    read_blank,
    read_play_reply,
    read_strictly,
)
from pdcheck.referee.strictjson import read_object, without_cr
from pdcheck.referee.violations import Violation
from pdcheck.schemas import validator

MUST = {"IO-6", "JS-1", "PD-2.3", "PD-2.4"}


def requirements(line: bytes) -> list[str]:
    return [flaw.requirement for flaw in read_play_reply(line)[1]]


class TestUsable:
    @pytest.mark.parametrize(
        ("line", "reply"),
        [
            (b'{"action": "number", "cards": [1, 0, 3]}', Number((1, 0, 3))),
            (b'{"action":"number","cards":[7]}', Number((7,))),
            (b'{"cards":[7],"action":"number"}', Number((7,))),
            (b'\t{ "action" : "number" , "cards" : [ 0 ,1 , 2,\t9 ] } ', Number((0, 1, 2, 9))),
            (b'{"action":"number","cards":[-0, 1]}', Number((0, 1))),
            (b'{"\\u0061ction":"num\\u0062er","cards":[1]}', Number((1,))),
            (b'{"action":"number","cards":[' + b"9," * 1279 + b"7]}", Number((9,) * 1279 + (7,))),
            (b'{"action": "pass"}', Pass()),
            (b' {"action":"pass"} ', Pass()),
        ],
    )
    def test_without_a_flaw(self, line: bytes, reply: Number | Pass) -> None:
        assert read_play_reply(line) == (reply, ())

    @pytest.mark.parametrize(
        ("line", "reply", "should"),
        [
            (b'{"action":"number","cards":[1]}\r', Number((1,)), ["IO-15"]),
            (b'{"action":"pass"}\r', Pass(), ["IO-15"]),
            (b'{"action":"number","cards":[1],"time":0.1}', Number((1,)), ["JS-5"]),
            (b'{"action":"number","cards":[2],"cards":[1]}', Number((1,)), ["JS-5"]),
            (b'{"action":"number","cards":["x"],"cards":[1]}', Number((1,)), ["JS-5"]),
            (b'{"action":"pass","action":"pass"}', Pass(), ["JS-5"]),
            (b'{"action":"pass","cards":[]}', Pass(), ["PD-2.5"]),
            (b'{"action":"pass","x":NaN}\r', Pass(), ["JS-5", "IO-15", "PD-2.5"]),
            (b'{"action":"number","cards":[1],"x":1e400}', Number((1,)), ["JS-5", "JS-5"]),
        ],
    )
    def test_in_spite_of_should_flaws(self, line: bytes, reply: Number | Pass, should: list[str]) -> None:
        assert read_play_reply(line)[0] == reply
        assert requirements(line) == should

    def test_further_keys_are_named_and_not_all_of_many(self) -> None:
        line = json.dumps({"action": "pass"} | {f"k{n}": n for n in range(7)}).encode()
        [flaw] = read_play_reply(line)[1]
        assert flaw.actual == 'also the keys "k0", "k1", "k2", "k3", "k4" and 2 more'


class TestAction:
    """PD-2.3"""

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            (b"", "an empty line"),
            (b"{}", 'no "action": «{}»'),
            (b'{"Action":"pass"}', 'no "action": «{"Action":"pass"}»'),
            (b'{"cards":[1]}', 'no "action": «{"cards":[1]}»'),
        ],
    )
    def test_missing(self, line: bytes, told: str) -> None:
        reply, [flaw] = read_play_reply(line)
        assert reply == Malformed()
        assert flaw == Violation("PD-2.3", 'one JSON object whose "action" is "number" or "pass"', told)

    @pytest.mark.parametrize(
        ("action", "told"),
        [
            ("Number", 'the action "Number": write "number", to the letter'),
            (" pass", 'the action " pass": write "pass", to the letter'),
            ("draw", 'the action "draw"'),
            ("", 'the action ""'),
            ("パス", 'the action "パス"'),
        ],
    )
    def test_unknown(self, action: str, told: str) -> None:
        reply, [flaw] = read_play_reply(json.dumps({"action": action, "cards": [1]}).encode())
        assert reply == Unknown(action)
        assert (flaw.requirement, flaw.actual) == ("PD-2.3", told)

    @pytest.mark.parametrize(
        ("action", "told"),
        [
            (None, '"action" is null'),
            (5, '"action" is an integer, 5'),
            (True, '"action" is a boolean, true'),
            (["pass"], '"action" is an array, ["pass"]'),
            ({"pass": 1}, '"action" is an object, {"pass": 1}'),
        ],
    )
    def test_no_string(self, action: object, told: str) -> None:
        reply, [flaw] = read_play_reply(json.dumps({"action": action}).encode())
        assert reply == Unknown(json.dumps(action))
        assert (flaw.requirement, flaw.actual) == ("PD-2.3", told)

    def test_a_lone_surrogate_in_it_can_be_written_down(self) -> None:
        reply, flaws = read_play_reply(b'{"action":"\\ud800"}')
        assert reply == Unknown("\\ud800")
        assert [flaw.requirement for flaw in flaws] == ["PD-2.3", "JS-5"]

    def test_an_empty_line_with_cr(self) -> None:
        assert requirements(b"\r") == ["PD-2.3", "IO-15"]


class TestCards:
    """PD-2.4"""

    @pytest.mark.parametrize(
        ("cards", "told"),
        [
            (b"null", '"cards" is null'),
            (b'"103"', '"cards" is a string, "103"'),
            (b"103", '"cards" is an integer, 103'),
            (b'{"1":1}', '"cards" is an object, {"1": 1}'),
            (b"[]", '"cards" is an empty array'),
            (b'[1,"0",3]', 'cards[1] is a string, "0", of [1, "0", 3]'),
            (b"[true]", "cards[0] is a boolean, true, of [true]"),
            (b"[1.0]", "cards[0] is a number with a fraction or an exponent, 1.0, of [1.0]"),
            (b"[3e0]", "cards[0] is a number with a fraction or an exponent, 3.0, of [3.0]"),
            (b"[[1,0,3]]", "cards[0] is an array, [1, 0, 3], of [[1, 0, 3]]"),
            (b"[null]", "cards[0] is null, of [null]"),
            (b"[1,10]", "cards[1] is 10, which is no single digit, of [1, 10]"),
            (b"[-1]", "cards[0] is -1, which is no single digit, of [-1]"),
        ],
    )
    def test_that_are_none(self, cards: bytes, told: str) -> None:
        reply, [flaw] = read_play_reply(b'{"action":"number","cards":' + cards + b"}")
        assert reply == Malformed()
        assert (flaw.requirement, flaw.actual) == ("PD-2.4", told)
        assert "array of integers 0 to 9" in flaw.expected

    def test_missing(self) -> None:
        reply, [flaw] = read_play_reply(b'{"action":"number"}')
        assert reply == Malformed()
        assert (flaw.requirement, flaw.actual) == ("PD-2.4", 'no "cards": «{"action":"number"}»')

    @pytest.mark.parametrize("card", [b"NaN", b"1e400", b"1" * 4301])
    def test_should_flaws_come_after(self, card: bytes) -> None:
        assert requirements(b'{"action":"number","cards":[' + card + b'],"x":1}\r') == [
            "PD-2.4",
            "JS-5",
            "IO-15",
            "JS-5",
        ]

    def test_long_ones_are_elided(self) -> None:
        [flaw] = read_play_reply(b'{"action":"number","cards":[' + b"1," * 2000 + b'"x"]}')[1]
        assert flaw.actual.startswith('cards[2000] is a string, "x", of [1, 1')
        assert len(flaw.actual) < 250


class TestOneMustFlaw:
    @pytest.mark.parametrize(
        ("line", "must"),
        [
            (b'\xef\xbb\xbf{"action":"Number","cards":[]}{', "IO-6"),
            (b'{"action":"Number","cards":[]}{', "JS-1"),
            (b'{"action":"Number","cards":[]}', "PD-2.3"),
            (b'{"action":"number","cards":[]}', "PD-2.4"),
            (b" ", "JS-1"),
            (b"[1,0,3]", "JS-1"),
        ],
    )
    def test_the_first_in_order(self, line: bytes, must: str) -> None:
        assert requirements(line) == [must]


class TestBlank:
    @pytest.mark.parametrize(
        ("line", "told"),
        [
            (b"", []),
            (b"\r", ["IO-15"]),
            (b"ok", ["PD-2.2"]),
            (b"ok\r", ["PD-2.2", "IO-15"]),
            (b" ", ["PD-2.2"]),
            (b"\r\r", ["PD-2.2", "IO-15"]),
            (b'{"action":"pass"}', ["PD-2.2"]),
            (b"\xef\xbb\xbf", ["IO-6"]),
            (b"\xef\xbb\xbf\r", ["IO-6", "IO-15"]),
            (b"\xef\xbb\xbfok", ["IO-6", "PD-2.2"]),
            (b"\0", ["IO-6", "PD-2.2"]),
            (b"\xff", ["IO-6", "PD-2.2"]),
        ],
    )
    def test_each(self, line: bytes, told: list[str]) -> None:
        assert [flaw.requirement for flaw in read_blank(line, "PD-2.2")] == told

    def test_says_what_is_there(self) -> None:
        assert read_blank(b"ready!", "PD-2.7") == (
            Violation("PD-2.7", "an empty line", "text on the line: «ready!»"),
        )
        assert read_blank(b"\t", "PD-2.8") == (
            Violation("PD-2.8", "an empty line", "white space only on the line: «\\t»"),
        )

    @given(st.binary())
    def test_anything_but_nothing_is_told(self, line: bytes) -> None:
        assert bool(read_blank(line, "PD-2.2")) == bool(line)


# --- the short cuts, the strict way and the schemas ---------------------------------------------------------

TOKENS = b'{ } "action" : "number" "pass" , "cards" [ ] 0 7 10 -0 1.0 1e0 "1" true null "x" NaN'.split()
TOKENS += [b"\xff", b"\xef\xbb\xbf", b" ", b"\t", b"\r", b"\n", b"\x0c", b"\0"]
CANONICAL = b'{ "action" : "number" , "cards" : [ 1 , 0 , 3 ] }'.split()
PASSING = [b"{", b'"action"', b":", b'"pass"', b"}"]
spaces = st.sampled_from([b"", b"", b"", b" ", b"\t", b"  ", b"\r", b"\n", b"\x0b"])


@st.composite
def near_misses(draw: st.DrawFn) -> bytes:
    """A canonical answer with other spaces, and up to three tokens put in, taken out or replaced."""
    tokens = list(draw(st.sampled_from([CANONICAL, PASSING])))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(tokens)))
        tokens[at : at + draw(st.integers(0, 1))] = draw(st.lists(st.sampled_from(TOKENS), max_size=2))
    line = b"".join(part for token in tokens for part in (draw(spaces), token)) + draw(spaces)
    return line.replace(
        b'"action"', draw(st.sampled_from([b'"action"', b'"Action"', b'"action" ', b"'action'"]))
    )


@settings(max_examples=1000, deadline=None)
@given(near_misses() | st.binary(max_size=40))
@example(b'{"action":"number","cards":[1 2]}')
@example(b'{"action":"number","cards":[1 2,3]}')
@example(b'{"action":"number","cards":[1,,2]}')
@example(b'{"action":"number","cards":[,]}')
@example(b'{"action":"number","cards":[1,]}')
@example(b'{"action":"number","cards":[,1]}')
@example(b'{"action":"number","cards":[12]}')
@example(b'{"action":"number","cards":[ ]}')
@example(b'{"action":"number","cards":[,1,2,3,]}')
@example(b'{"action":"number","cards":[1,23,,4]}')
@example(b'{"action":"number","cards":[1]}\n')
@example(b'{"action":"pass"}\n')
def test_the_short_cuts_agree_with_the_strict_way(line: bytes) -> None:
    assert read_play_reply(line) == read_strictly(line)


@given(st.lists(st.sampled_from([b"0", b"1", b"9", b",", b",", b" ", b"\t"]), max_size=14).map(b"".join))
def test_the_short_cuts_agree_on_any_list_of_digits(inside: bytes) -> None:
    line = b'{"action": "number", "cards": [' + inside + b"]}"
    assert read_play_reply(line) == read_strictly(line)


cards = st.integers(-1, 11) | st.sampled_from([1.0, True, False, None, "1", [1], 0.5, 10**20])
actions = st.sampled_from(["number", "number", "pass", "Number", "", None, 1, ["number"]])
objects = st.fixed_dictionaries(
    {},
    optional={
        "action": actions,
        "cards": st.lists(st.integers(0, 9), max_size=4) | st.lists(cards, max_size=3) | cards,
        "x": st.integers() | st.just(float("nan")),
    },
)


def written(value: object) -> bytes:
    return json.dumps(value).encode()


def valid(value: Any) -> bool:
    return any(validator(f"prime_daihinmin/reply_{kind}").is_valid(value) for kind in ("number", "pass"))


lines = (
    objects.map(written)
    | near_misses()
    | st.builds(lambda value, end: written(value) + end, objects, st.sampled_from([b"\r", b" ", b"{}"]))
)


def defined_keys(value: dict[str, Any]) -> dict[str, Any]:
    """The object without the keys not defined for its action: of these a SHOULD speaks."""
    known = {"action"} if value.get("action") == "pass" else {"action", "cards"}
    return {key: below for key, below in value.items() if key in known}


@settings(max_examples=1000, deadline=None)
@given(lines)
def test_accepts_exactly_what_the_schemas_and_the_strictness_rules_accept(line: bytes) -> None:
    """How the two relate. The schemas refuse every further key; they SHOULD not be sent (PD-2.5, JS-5).
    So a reply is

    - without any flaw exactly when the line is strict JSON without any flaw and the object is valid as it is;
    - usable, without a MUST flaw, exactly when the line reads as one object (IO-6, JS-1), and that is
      valid without the keys that are not defined for its action.
    """
    reading = read_object(line)
    reply, flaws = read_play_reply(line)
    must = [flaw for flaw in flaws if flaw.requirement in MUST]
    usable = reading.value is not None and valid(defined_keys(reading.value))
    assert (not flaws) == (not reading.flaws and reading.value is not None and valid(reading.value))
    assert (not must) == usable == isinstance(reply, Number | Pass)
    assert len(must) <= 1
    assert must == list(flaws[: len(must)])
    if usable and reading.value is not None:
        meant = Number(tuple(reading.value["cards"])) if reading.value["action"] == "number" else Pass()
        assert reply == meant


@given(st.lists(st.integers(0, 9), min_size=1), st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
def test_reads_any_cards(digits: list[int], separators: tuple[str, str]) -> None:
    line = json.dumps({"action": "number", "cards": digits}, separators=separators).encode()
    assert read_play_reply(line) == (Number(tuple(digits)), ())


@pytest.mark.parametrize(
    "line",
    [
        b'{"action":"number","cards":[' + b" " * (1 << 20),
        b'{"action":"number","cards":[' + b"1," * (1 << 19),
        b" " * (1 << 20) + b'{"action":"pass"}x',
        b'{"action":' * 100_000,
        b'{"action":"pass",' + b",".join(b'"%d":1' % n for n in range(80_000)) + b"}",
        b'{"action":"number","cards":[' + b",".join([b"[]"] * (1 << 18)) + b"]}",
        b'{"action":' + b"[" * 200 + b'"x"' + b"]" * 200 + b"}",
    ],
)
def test_hostile_lines_get_short_flaws(line: bytes) -> None:
    _, flaws = read_play_reply(line)
    assert 1 <= len(flaws) <= 3
    assert all(len(flaw.actual) < 1_000 for flaw in flaws)
    assert sum(flaw.requirement in MUST for flaw in flaws) <= 1
    assert len(without_cr(line)[1]) == 0
