"""Strict reading: each fault found and named, the rest read as Python reads it, nothing stops the kit."""

from __future__ import annotations

import gc
import json
import sys
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee import strictjson
from pdcheck.referee.strictjson import (
    LONGEST_QUOTE,
    MAX_DEPTH,
    MAX_DIGITS,
    HugeInteger,
    excerpt,
    read_object,
    without_cr,
)
from pdcheck.referee.violations import Violation

MIB = 1 << 20


def requirements(line: bytes) -> list[str]:
    return [flaw.requirement for flaw in read_object(line).flaws]


def only_flaw(line: bytes) -> Violation:
    [flaw] = read_object(line).flaws
    return flaw


class TestGoodLines:
    @pytest.mark.parametrize(
        ("line", "value"),
        [
            (b"{}", {}),
            (
                b' \t\r {"a" : [1, -0, 0.5, 1e3, true, null, "\\u00e9\\n"]} \r ',
                {"a": [1, 0, 0.5, 1e3, True, None, "é\n"]},
            ),
            ('{"a":"素数"}'.encode(), {"a": "素数"}),
            (b'{"a":"\\ud83d\\ude00"}', {"a": "😀"}),
            (b'{"a":"\\\\ud800 is text"}', {"a": "\\ud800 is text"}),
            ('{"a":"\ufeff"}'.encode(), {"a": "\ufeff"}),  # a mark is one at the start only
            (b'{"a":{"k":1},"b":{"k":1}}', {"a": {"k": 1}, "b": {"k": 1}}),
            (b'{"a":"NaN [[[ {{{"}', {"a": "NaN [[[ {{{"}),
            (b'{"a":-' + b"1" * 4300 + b"}", {"a": -int("1" * 4300)}),
        ],
    )
    def test_gives_the_value_and_no_flaw(self, line: bytes, value: dict[str, Any]) -> None:
        assert read_object(line) == (value, ())


class TestBytes:
    @pytest.mark.parametrize(
        ("line", "shown", "offset"),
        [
            (b'\xef\xbb\xbf{"a":1}', "ef bb bf", 0),
            ('{"a":1}'.encode("utf-16"), "ff fe", 0),
            (b"\xfe\xff\0{\0}", "fe ff", 0),
            ('{"a":1}'.encode("utf-16-le"), "00", 1),
            (b'{"a":"\0"}', "00", 6),
            (b'{"a":"\xff"}', "ff", 6),
            (b'{"a":"\xed\xa0\x80"}', "ed", 6),  # an encoded surrogate
            (b'{"a":"\xc0\xaf"}', "c0", 6),  # overlong
            (b'{"a":"\xf4\x90\x80\x80"}', "f4", 6),  # beyond the last code point
            (b'{"a":"\xe7\xb4', "e7 b4", 6),  # cut short
            (b'{"a":1}\xa0', "a0", 7),
        ],
    )
    def test_that_are_no_utf_8(self, line: bytes, shown: str, offset: int) -> None:
        reading = read_object(line)
        assert reading.value is None
        [flaw] = reading.flaws
        assert flaw.requirement == "IO-6"
        assert f"{shown} (hex) at byte {offset} of" in flaw.actual

    def test_cr_before_the_lf(self) -> None:
        assert read_object(b'{"a":1}\r') == (
            {"a": 1},
            (Violation("IO-15", "a line ended by LF alone", "a line ended by CR LF"),),
        )
        assert without_cr(b"\r\r")[0] == b"\r"

    def test_cr_is_told_beside_a_worse_flaw(self) -> None:
        for line, worse in (
            (b"\xff\r", "IO-6"),
            (b"[\r", "JS-1"),
            (b"[]\r", "JS-1"),
            (b"{}{}\r", "JS-1"),
            (b"\r", "JS-1"),
        ):
            assert requirements(line) == [worse, "IO-15"]


class TestOneObject:
    @pytest.mark.parametrize(
        ("line", "told"),
        [
            (b"", "an empty line"),
            (b"  ", "white space only: «  »"),
            (b"hello", "text that is not JSON at byte 0 of «hello»"),
            (b'> {"a":1}', "text that is not JSON at byte 0 of"),
            (b"\x0c{}", "text that is not JSON at byte 0 of «\\x0c{}»"),
            (b"{}\x0c", "more text after the object at byte 2 of «{}\\x0c»"),
            (b"{}\x0b", "more text after the object at byte 2"),
            ("\u00a0{}".encode(), "text that is not JSON at byte 0 of «\\u00a0{}»"),
            ("{}\u2028".encode(), "more text after the object at byte 2"),
            (b"{} {}", "a second object at byte 3"),
            (b"{}]", "more text after the object at byte 2"),
            (b"[{}]", "an array: «[{}]»"),
            (b'"a"', 'a string: «"a"»'),
            (b"null", "null: «null»"),
            (b"true", "a boolean: «true»"),
            (b"7", "an integer: «7»"),
            (b"7.0", "a number with a fraction or an exponent: «7.0»"),
            (b"1" * 5000, "an integer too long to read"),
            (b"{'a':1}", "no key in double quotes at byte 1"),
            (b"{a:1}", "no key in double quotes at byte 1"),
            (b'{"a" 1}', "no colon after a key at byte 5"),
            (b'{"a":1 "b":2}', "no comma or end at byte 7"),
            (b'{"a":1', "no comma or end at byte 6"),
            (b'{"a":}', "no JSON value at byte 5"),
            (b'{"a":True}', "no JSON value at byte 5"),
            (b'{"a":01}', "no comma or end at byte 6"),
            (b'{"a":+1}', "no JSON value at byte 5"),
            (b'{"a":.5}', "no JSON value at byte 5"),
            (b'{"a":"b', "a string that does not end at byte 5"),
            (b'{"a":"\t"}', "an unescaped control character in a string at byte 6"),
            (b'{"a":"\\x41"}', "an escape that JSON does not know at byte 6"),
            (b'{"a":"\\u12g4"}', "an escape that JSON does not know at byte"),
            ('{"é":x}'.encode(), "no JSON value at byte 6"),  # bytes, not characters
        ],
    )
    def test_and_what_is_none(self, line: bytes, told: str) -> None:
        reading = read_object(line)
        assert reading.value is None
        [flaw] = reading.flaws
        assert flaw.requirement == "JS-1"
        assert flaw.expected == "one JSON object and nothing else on the line"
        assert flaw.actual.startswith(told)

    @pytest.mark.parametrize("line", [b'{"a":1,}', b'{"a":[1,]}', b'{"a":1 // one\n}'])
    def test_what_else_is_not_json(self, line: bytes) -> None:
        assert requirements(line) == ["JS-1"]

    def test_a_long_line_is_quoted_at_its_ends_and_at_the_place(self) -> None:
        line = b'{"a":"' + b"x" * 5000 + b'"; "b":"' + b"y" * 5000 + b'"}'
        told = only_flaw(line).actual
        assert told.startswith("no comma or end at byte 5,007, near «…")
        assert 'xxx"; "b":"yyy' in told
        assert 'of «{"a":"xxx' in told
        assert "characters left out" in told
        assert told.endswith('yyy"}»')


class TestDepth:
    def nested(self, depth: int) -> bytes:
        return b'{"a":' * (depth - 1) + b"{}" + b"}" * (depth - 1)

    def test_the_limit_is_exact(self) -> None:
        assert requirements(self.nested(MAX_DEPTH)) == []
        flaw = only_flaw(self.nested(MAX_DEPTH + 1))
        assert flaw.requirement == "JS-1"
        assert flaw.expected == f"objects and arrays nested at most {MAX_DEPTH} deep"
        assert flaw.actual.startswith(f"deeper nesting at byte {MAX_DEPTH * 5:,}, near «")

    def test_brackets_side_by_side_or_in_strings_are_not_deep(self) -> None:
        assert requirements(b'{"a":[' + b",".join([b"[]"] * 1000) + b"]}") == []
        assert requirements(b'{"a":"' + b'\\"[{' * 1000 + b'"}') == []

    @pytest.mark.parametrize("line", [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 100_000 + b"]" * 100_000])
    def test_a_hundred_thousand_deep(self, line: bytes) -> None:
        assert requirements(line) == ["JS-1"]

    def test_a_stack_that_is_too_full_does_not_raise(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(strictjson, "MAX_DEPTH", MIB)
        assert requirements(b'{"a":' * 100_000) == ["JS-1"]


class TestTolerated:
    """JS-5: the flaw is told, and the value is what the control program would see."""

    @pytest.mark.parametrize(
        ("line", "value", "told"),
        [
            (b'{"a":1,"b":2,"a":3}', {"a": 3, "b": 2}, "the key «a» more than once"),
            (b'{"a":1,"\\u0061":2}', {"a": 2}, "the key «a» more than once"),
            (b'{"x":[{"k":1,"k":2}]}', {"x": [{"k": 2}]}, "the key «k» more than once"),
            (
                b'{"x":[{"k":1,"k":2},{"j":1,"j":2}]}',
                {"x": [{"k": 2}, {"j": 2}]},
                "the key «k» more than once (the first of 2)",
            ),
            (b'{"a":Infinity}', {"a": float("inf")}, "Infinity"),
            (b'{"a":[-Infinity]}', {"a": [float("-inf")]}, "-Infinity"),
            (b'{"a":1e400}', {"a": float("inf")}, "«1e400», which overflows to infinity"),
            (b'{"a":-1E+999}', {"a": float("-inf")}, "«-1E+999», which overflows to infinity"),
            (b'{"a":"\\ud800"}', {"a": "\ud800"}, "\\ud800 alone"),
            (b'{"a":"\\uDC00\\uD800"}', {"a": "\udc00\ud800"}, "\\uDC00 alone (the first of 2)"),
            (b'{"a":"\\ud83d\\ud83d\\ude00"}', {"a": "\ud83d😀"}, "\\ud83d alone"),
            (b'{"\\udfff":1}', {"\udfff": 1}, "\\udfff alone"),
        ],
    )
    def test_each(self, line: bytes, value: dict[str, Any], told: str) -> None:
        reading = read_object(line)
        assert reading.value == value
        assert [(flaw.requirement, flaw.actual) for flaw in reading.flaws] == [("JS-5", told)]

    def test_nan(self) -> None:
        reading = read_object(b'{"a":NaN}')
        assert str(reading.value) == "{'a': nan}"
        assert only_flaw(b'{"a":NaN}').actual == "NaN"

    @pytest.mark.parametrize("sign", [b"", b"-"])
    def test_a_huge_integer_is_none(self, sign: bytes) -> None:
        value, flaws = read_object(b'{"a":' + sign + b"7" * (MAX_DIGITS + 1) + b"}")
        assert value is not None
        assert isinstance(value["a"], HugeInteger)
        assert not isinstance(value["a"], int)
        assert [flaw.requirement for flaw in flaws] == ["JS-5"]

    def test_a_lower_bound_of_the_interpreter(self) -> None:
        before = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(640)
        try:
            assert requirements(b'{"a":' + b"7" * 700 + b"}") == ["JS-5"]
        finally:
            sys.set_int_max_str_digits(before)

    def test_each_sort_once(self) -> None:
        line = b'{"a":NaN,"a":1e400,"b":"\\ud800","c":' + b"1" * 5000 + b"}\r"
        assert requirements(line) == ["JS-5"] * 5 + ["IO-15"]


class TestWords:
    def test_an_excerpt_keeps_short_lines_whole(self) -> None:
        assert excerpt(b'{"a":1}') == '«{"a":1}»'

    def test_an_excerpt_is_bounded_and_counts_what_it_leaves_out(self) -> None:
        told = excerpt(b"a" * 1000 + b"z")
        assert "(802 bytes left out)" in told
        assert told.endswith("z»")
        assert len(told) < LONGEST_QUOTE + 40

    @given(st.binary(max_size=300))
    def test_an_excerpt_can_be_printed_anywhere(self, line: bytes) -> None:
        assert excerpt(line).isprintable()
        excerpt(line).encode("utf-8")

    def test_a_lone_surrogate_is_shown_as_its_escape(self) -> None:
        assert excerpt("\ud800") == "«\\ud800»"


# --- whatever the bytes -------------------------------------------------------------------------------------

WORDS = [
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b",",
        b":",
        b"\\",
        b"\\ud800",
        b"\\udc00",
        b'"a"',
        b'"a":',
        b"1",
        b"-",
        b"0",
    ),
    *(b"1e400", b"NaN", b"Infinity", b"true", b"null", b" ", b"\r", b"\n", b"\0", b"\xff", b"\xef\xbb\xbf"),
    *(b"\xc2\xa0", b"'", b"9" * 4301),
]
pieces = st.sampled_from(WORDS)
soup = st.lists(pieces | st.binary(max_size=3), max_size=30).map(b"".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def as_python_reads(line: bytes) -> tuple[dict[str, Any] | None, bool]:
    """A second way: what the plain reader makes of the line, and whether it is one object, strictly."""
    strict = True

    def refuse(_: str) -> float:
        nonlocal strict
        strict = False
        return 0.0

    def finite(digits: str) -> float:
        return refuse(digits) if abs(float(digits)) == float("inf") else float(digits)

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal strict
        strict = strict and len({key for key, _ in found}) == len(found)
        return dict(found)

    try:
        text = line.decode("utf-8")
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=refuse, parse_float=finite)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        strict = False  # half a surrogate pair
    except ValueError:
        return None, False
    return (value, strict) if isinstance(value, dict) else (None, False)


@st.composite
def near_misses(draw: st.DrawFn) -> bytes:
    """An object as Python writes it, with a few bytes somewhere replaced."""
    value = draw(st.dictionaries(st.text(max_size=3) | st.just("a"), values, max_size=4))
    line = json.dumps(value, ensure_ascii=draw(st.booleans())).encode("utf-8")
    at = draw(st.integers(0, len(line)))
    return line[:at] + draw(pieces) + line[at + draw(st.integers(0, 3)) :]


@settings(max_examples=500, deadline=None)
@given(soup | near_misses())
def test_never_raises_and_agrees_with_python(line: bytes) -> None:
    reading = read_object(line)
    must = [flaw for flaw in reading.flaws if flaw.requirement in ("IO-6", "JS-1")]
    assert (reading.value is None) == bool(must)
    assert len(must) <= 1
    assert must == list(reading.flaws[: len(must)])
    for flaw in reading.flaws:
        assert (flaw.expected + flaw.actual).isprintable()
        (flaw.expected + flaw.actual).encode("utf-8")
    if b"9" * 4301 not in line:  # which Python does not read
        value, strict = as_python_reads(without_cr(line)[0])
        assert (reading.value is None) == (value is None)
        assert ([f for f in reading.flaws if f.requirement != "IO-15"] == []) == strict


@given(st.dictionaries(st.text(max_size=5), values, max_size=5), st.booleans(), st.sampled_from([None, 1]))
def test_reads_what_python_writes(value: dict[str, Any], ascii_only: bool, indent: int | None) -> None:
    line = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode("utf-8")
    assert read_object(line) == (value, ())


HOSTILE = {
    "arrays in one another": b"[" * MIB,
    "objects in one another": b'{"a":' * (MIB // 5),
    "keys, all different": b"{" + b",".join(b'"%d":1' % n for n in range(80_000)) + b"}",
    "keys, all the same": b"{" + b",".join([b'"":1'] * (MIB // 5)) + b"}",
    "objects with a key twice": b'{"a":[' + b",".join([b'{"a":1,"a":1}'] * (MIB // 14)) + b"]}",
    "quotes": b'"' * MIB,
    "escaped quotes in an endless string": b"[]" * 300 + b'"' + b'\\"' * (MIB // 2),
    "backslashes": b'{"' + b"\\" * MIB,
    "lone surrogates": b'{"a":"' + b"\\ud800" * (MIB // 6) + b'"}',
    "integers at the limit": b'{"a":[' + b",".join([b"1" * MAX_DIGITS] * 240) + b"]}",
    "one huge integer": b'{"a":' + b"1" * MIB + b"}",
    "one long fraction": b'{"a":0.' + b"0" * MIB + b"1e1048570}",
    "one long exponent": b'{"a":1e' + b"9" * MIB + b"}",
    "white space after": b'{"a":1' + b" " * MIB,
    "empty arrays": b'{"a":[' + b",".join([b"[]"] * (MIB // 3)) + b"]}",
    "NUL": b"\0" * MIB,
    "no UTF-8": b"\xff" * MIB,
    "no UTF-8 at the end": b'{"a":"' + b"x" * MIB + b"\xff",
}  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_mebibyte_takes_linear_time(line: bytes) -> None:
    """Sixteen times the bytes may take sixteen times the time, with room for noise; quadratic is 256 times.

    CPU time of this thread, the best of three, without the garbage of all the tests before; the floor of 1 ms is what
    a short line's fixed cost hides in.
    """

    def cost(of: bytes) -> float:
        best = float("inf")
        for _ in range(3):
            start = time.thread_time()
            reading = read_object(of)
            best = min(best, time.thread_time() - start)
            assert sum(len(flaw.actual) for flaw in reading.flaws) < 2_000
        return best

    gc.disable()
    try:
        small = cost(_sixteenth(line) if line.endswith(b"}") else line[: len(line) // 16])
        assert cost(line) < 80 * max(small, 0.001)
    finally:
        gc.enable()


def _sixteenth(line: bytes) -> bytes:
    """A sixteenth of a line that closes what it opens."""
    tail = next(tail for tail in (b"}]}", b"]}", b'"}', b"}") if line.endswith(tail))
    size = len(line) // 16
    # Neither in a member nor in an escape: what is broken off is found out at once.
    marks = (b"},",) if tail == b"}]}" else (b",", b"\\u")
    return line[: next((at for mark in marks if (at := line.rfind(mark, 0, size)) >= 0), size)] + tail
