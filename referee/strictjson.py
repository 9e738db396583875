"""One reply line (bytes, without its LF), read strictly as one JSON object.

Law: never raises, whatever the bytes; takes time linear in their number; says what it found as flaws. A line
that is no such object gives no value and one flaw, IO-6 or JS-1; what the control program tolerates (JS-5,
IO-15) gives flaws and the value that it would see.

Python's own reader is the base, its lenience taken out: it also takes UTF-16, a BOM, NaN, a key twice, 1e400
as infinity and half a surrogate pair, recurses without a bound, and raises on integers of over 4,300 digits.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from pdcheck.referee.violations import Violation

MAX_DEPTH = 256  # objects and arrays in one another: more than any protocol needs, less than Python takes
MAX_DIGITS = 4_300  # of one integer: Python's own default bound, which makes int() raise
LONGEST_QUOTE = 200  # bytes of a line that a flaw shows


class Reading(NamedTuple):
    """The object (None where the line holds none), and the flaws, those of IO-6 and JS-1 first."""

    value: dict[str, Any] | None
    flaws: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class HugeInteger:
    """Stands where an integer of over MAX_DIGITS digits stood: no int, so nothing takes it for one."""

    digits: int
    start: str


def read_object(line: bytes) -> Reading:
    """Read one line as one JSON object (IO-6, JS-1, JS-5, IO-15). Never raises."""
    line, ending = without_cr(line)
    if unreadable := encoding_flaw(line):
        return Reading(None, (unreadable, *ending))
    text = line.decode("utf-8")
    if deep := _depth_flaw(text):
        return Reading(None, (deep, *ending))
    reader = _Reader()
    try:
        value, end = reader.read(text)
    except json.JSONDecodeError as error:
        return Reading(None, (_syntax_flaw(text, error), *ending))
    except RecursionError:  # the caller's own stack was nearly full
        return Reading(None, (Violation("JS-1", NESTING, f"deeper nesting: {excerpt(line)}"), *ending))
    if not isinstance(value, dict):
        return Reading(None, (Violation("JS-1", ONE_OBJECT, f"{kind(value)}: {excerpt(line)}"), *ending))
    if end < len(text):
        return Reading(None, (_rest_flaw(text, end), *ending))
    return Reading(value, (*reader.flaws(), *_surrogate_flaws(text), *ending))


def without_cr(line: bytes) -> tuple[bytes, tuple[Violation, ...]]:
    """The line without one CR at its end, and the flaw (IO-15) if there was one."""
    return (line[:-1], (_CR,)) if line.endswith(b"\r") else (line, ())


def encoding_flaw(line: bytes) -> Violation | None:
    """What is wrong with the line's bytes as text (IO-6), if anything is: the first such place."""
    if line.isascii() and b"\0" not in line:
        return None
    for start, name in _MARKS:
        if line.startswith(start):
            return Violation(
                "IO-6", "UTF-8 without a byte order mark", f"{name}, {_hex(line, 0, len(start))}"
            )
    if (at := line.find(b"\0")) >= 0:
        hint = " (UTF-16?)" if line.count(b"\0") * 3 > len(line) else ""
        return Violation("IO-6", "UTF-8 without NUL bytes", f"a NUL byte{hint}, {_hex(line, at, 1)}")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"bytes that are not UTF-8, {_hex(line, error.start, error.end - error.start)}"
        return Violation("IO-6", "valid UTF-8", found)
    return None


def excerpt(line: bytes | str, longest: int = LONGEST_QUOTE) -> str:
    """A line to show: in «…», control characters escaped, the middle of a long one left out and counted."""
    return f"«{elided(line, longest)}»"


def elided(line: bytes | str, longest: int = LONGEST_QUOTE) -> str:
    """The same as `excerpt` without the marks around it."""
    size = len(line)
    if size <= longest:
        return _visible(line)
    head, tail = longest * 2 // 3, longest // 3
    unit = "bytes" if isinstance(line, bytes) else "characters"
    gap = f" … ({size - head - tail:,} {unit} left out) … "
    return f"{_visible(line[:head])}{gap}{_visible(line[size - tail :])}"


def kind(value: object) -> str:
    """What a JSON value is, in words: "a string", "an array"."""
    return _KINDS.get(type(value), "a value")


ONE_OBJECT = "one JSON object and nothing else on the line"
NESTING = f"objects and arrays nested at most {MAX_DEPTH} deep"
_SPACE = re.compile(r"[ \t\r\n]*+")
_CR = Violation("IO-15", "a line ended by LF alone", "a line ended by CR LF")
_MARKS = (
    (b"\xef\xbb\xbf", "a UTF-8 byte order mark"),
    (b"\xff\xfe", "a UTF-16 byte order mark"),
    (b"\xfe\xff", "a UTF-16 byte order mark"),
)
_KINDS: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "a boolean",
    int: "an integer",
    float: "a number with a fraction or an exponent",
    type(None): "null",
    HugeInteger: "an integer too long to read",
}


# --- reading with everything noticed ------------------------------------------------------------------------


class _Reader:
    """Python's JSON reader; what it would swallow is noted: the first of each sort and how many there are."""

    def __init__(self) -> None:
        self.noted: dict[str, tuple[str, int]] = {}
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_int=self._int,
            parse_float=self._float,
            parse_constant=self._constant,
        )

    def read(self, text: str) -> tuple[Any, int]:
        """The value, and where the line goes on after it and white space. Raises JSONDecodeError."""
        value, end = self.decoder.raw_decode(text, _after_space(text, 0))
        return value, _after_space(text, end)

    def flaws(self) -> list[Violation]:
        return [
            Violation("JS-5", expected, found + (f" (the first of {times:,})" if times > 1 else ""))
            for expected, (found, times) in self.noted.items()
        ]

    def _note(self, expected: str, found: str) -> None:
        first, times = self.noted.get(expected, (found, 0))
        self.noted[expected] = (first, times + 1)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)  # of a key sent twice the last counts, as for the control program
        if len(made) < len(pairs):
            self._note(
                "each key once in an object", f"the key {excerpt(_first_twice(pairs), 60)} more than once"
            )
        return made

    def _int(self, digits: str) -> int | HugeInteger:
        if len(digits) - digits.startswith("-") <= MAX_DIGITS:
            try:
                return int(digits)
            except ValueError:  # this interpreter's bound is set lower
                pass
        self._note(f"integers of up to {MAX_DIGITS:,} digits", f"an integer of {len(digits):,} digits")
        return HugeInteger(len(digits), digits[:20])

    def _float(self, digits: str) -> float:
        value = float(digits)
        if abs(value) == float("inf"):
            self._note("numbers that fit a double", f"{excerpt(digits, 60)}, which overflows to infinity")
        return value

    def _constant(self, word: str) -> float:
        self._note("no NaN and no Infinity, which are not JSON", word)
        return float(word)


def _first_twice(pairs: list[tuple[str, Any]]) -> str:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return key
        seen.add(key)
    raise AssertionError("no key is there twice")


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


# An escape for half of a surrogate pair without its other half (group 1); all other escapes are stepped over.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def _surrogate_flaws(text: str) -> list[Violation]:
    if "\\ud" not in text and "\\uD" not in text:
        return []
    lone = [found[1] for found in _ESCAPE.finditer(text) if found[1]]
    more = f" (the first of {len(lone):,})" if len(lone) > 1 else ""
    return [Violation("JS-5", "surrogates in pairs only", f"\\{lone[0]} alone{more}")] if lone else []


# A whole string (or what there is of one that never ends) or a bracket: brackets in strings do not count.
_NESTING = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def _depth_flaw(text: str) -> Violation | None:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return None
    depth = 0
    for found in _NESTING.finditer(text):
        first = text[found.start()]
        depth += (first in "[{") - (first in "]}")
        if depth > MAX_DEPTH:
            where = _place(text, found.start())
            return Violation("JS-1", NESTING, f"deeper nesting {where}")
    return None


# --- telling what is wrong ----------------------------------------------------------------------------------

# What Python's reader says, by how it begins, and how we say it.
_SYNTAX = (
    ("Expecting property name", "no key in double quotes"),
    ("Expecting ':'", "no colon after a key"),
    ("Expecting ','", "no comma or end"),
    ("Expecting value", "no JSON value"),
    ("Illegal trailing comma", "a comma too many"),
    ("Unterminated string", "a string that does not end"),
    ("Invalid control character", "an unescaped control character in a string"),
    ("Invalid \\", "an escape that JSON does not know"),
)


def _syntax_flaw(text: str, error: json.JSONDecodeError) -> Violation:
    words = next((ours for theirs, ours in _SYNTAX if error.msg.startswith(theirs)), error.msg)
    if not text:
        return Violation("JS-1", ONE_OBJECT, "an empty line")
    if _after_space(text, 0) == len(text):
        return Violation("JS-1", ONE_OBJECT, f"white space only: {excerpt(text)}")
    if error.msg.startswith("Expecting value") and error.pos == _after_space(text, 0):
        words = "text that is not JSON"
    return Violation("JS-1", ONE_OBJECT, f"{words} {_place(text, error.pos)}")


def _rest_flaw(text: str, end: int) -> Violation:
    words = "a second object" if text[end] == "{" else "more text after the object"
    return Violation("JS-1", ONE_OBJECT, f"{words} {_place(text, end)}")


def _place(text: str, at: int) -> str:
    """Where in the line (in bytes, from 0), and the line; of a long one also the text around that place."""
    offset = len(text[:at].encode("utf-8"))
    start, end = max(0, at - 30), at + 30
    here = f"at byte {offset:,}"
    if len(text) <= LONGEST_QUOTE:
        return f"{here} of {excerpt(text)}"
    cut = f"{'…' if start else ''}{_visible(text[start:end])}{'…' if end < len(text) else ''}"
    return f"{here}, near «{cut}», of {excerpt(text)}"


def _hex(line: bytes, at: int, size: int) -> str:
    shown = line[at : at + min(size, 8)].hex(" ")
    return f"{shown} (hex) at byte {at:,} of {excerpt(line)}"


def _visible(line: bytes | str) -> str:
    text = line.decode("utf-8", "backslashreplace") if isinstance(line, bytes) else line
    return "".join(c if c.isprintable() else _ESCAPED.get(c) or _coded(ord(c)) for c in text)


_ESCAPED = {"\t": "\\t", "\r": "\\r", "\n": "\\n"}


def _coded(point: int) -> str:
    return f"\\x{point:02x}" if point < 0x80 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
