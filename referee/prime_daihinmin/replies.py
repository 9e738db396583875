"""What a bot answered in Prime Daihinmin: bytes of one line in, a reply and its flaws out.

Law: never raises, whatever the bytes; at most one MUST flaw, the first in the order IO-6, JS-1, PD-2.3,
PD-2.4, and it comes first; a reply with SHOULD flaws alone is usable, and is returned as what it means.
Whether a number may be played is not asked here.

The canonical answers, nearly all of them, are read by two regular expressions; anything else goes the strict
way, which reads those alike and says what is wrong with the rest.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, TypeAlias

from pdcheck.referee.strictjson import elided, encoding_flaw, excerpt, kind, read_object, without_cr
from pdcheck.referee.violations import Violation


@dataclass(frozen=True, slots=True)
class Number:
    """The digits put on the field, most significant first: at least one, each 0 to 9 (PD-2.4)."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """No number this turn."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """An object whose action is neither "number" nor "pass": v0.11a takes it for a free turn.

    `action` is the string sent, lone surrogates escaped; of an action that is no string, its JSON, elided.
    """

    action: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """No reply can be made of the line."""


Reply: TypeAlias = Number | Pass | Unknown | Malformed
Flaws: TypeAlias = tuple[Violation, ...]


def read_play_reply(line: bytes) -> tuple[Reply, Flaws]:
    """Read the answer to `play`: a line without its LF (PD-2.3 to 2.5, JS-1, JS-5, IO-6, IO-15)."""
    if number := _NUMBER(line):
        tight = number[1].translate(None, b" \t")
        cards = tight[::2]
        # Every second byte a comma and the others digits: only card,card,… is so without its spaces.
        if len(tight) & 1 and cards.isdigit() and tight.count(b",") == len(tight) >> 1:
            return Number(tuple(cards.translate(_TO_DIGIT))), ()
    elif _PASS(line):
        return PASS, ()
    return read_strictly(line)


def read_blank(line: bytes, requirement: str) -> Flaws:
    """What is wrong with the answer to `init`, `pass` or `quit`, which is to be an empty line. Never raises.

    Anything on the line is a flaw under `requirement` (PD-2.2, PD-2.7, PD-2.8); a CR at its end is IO-15.
    Bytes that are no text (IO-6) come first; a byte order mark and nothing else is IO-6 alone.
    """
    if not line:
        return ()
    line, ending = without_cr(line)
    unreadable = encoding_flaw(line)
    found: Flaws = (unreadable,) if unreadable else ()
    if line.removeprefix(_BYTE_ORDER_MARK):
        what = "white space only" if line.isspace() else "text"
        found += (Violation(requirement, "an empty line", f"{what} on the line: {excerpt(line)}"),)
    return found + ending


def read_strictly(line: bytes) -> tuple[Reply, Flaws]:
    """The same as read_play_reply without its short cuts: what tests hold the short cuts against."""
    bare, ending = without_cr(line)
    if not bare:
        return MALFORMED, (Violation("PD-2.3", AN_ANSWER, "an empty line"), *ending)
    value, flaws = read_object(line)
    if value is None:
        return MALFORMED, flaws
    reply, found = _reply(value, bare)
    must = tuple(flaw for flaw in found if flaw.requirement in _MUST)
    should = tuple(flaw for flaw in found if flaw.requirement not in _MUST)
    return reply, must + flaws + should


# --- the short cuts -----------------------------------------------------------------------------------------

# What bots in fact write: "action" first, spaces anywhere. Possessive, so that no line makes them search.
# A CR is left to the strict way: at the end of a line it is IO-15.
_SPACES = rb"[ \t]*+"
_NUMBER = re.compile(
    rb'_\{_"action"_:_"number"_,_"cards"_:_\[([0-9, \t]++)\]_\}_'.replace(b"_", _SPACES)
).fullmatch
_PASS = re.compile(rb'_\{_"action"_:_"pass"_\}_'.replace(b"_", _SPACES)).fullmatch
_TO_DIGIT = bytes.maketrans(b"0123456789", bytes(range(10)))

# --- the strict way -----------------------------------------------------------------------------------------

PASS = Pass()
MALFORMED = Malformed()
AN_ANSWER = 'one JSON object whose "action" is "number" or "pass"'
CARDS = '"cards": a non-empty array of integers 0 to 9, one a card, as [1, 0, 3]'
_MUST = frozenset({"PD-2.3", "PD-2.4"})
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_QUOTE = 80  # bytes of a value that a flaw shows


def _reply(value: dict[str, Any], line: bytes) -> tuple[Reply, Flaws]:
    if "action" not in value:
        return MALFORMED, (Violation("PD-2.3", AN_ANSWER, f'no "action": {excerpt(line)}'),)
    action = value["action"]
    if action == "number":
        return _number(value, line)
    if action == "pass":
        return PASS, _further(value, {"action"}, "PD-2.5", '{"action": "pass"} and nothing else')
    return _unknown(action)


def _unknown(action: object) -> tuple[Reply, Flaws]:
    if not isinstance(action, str):
        return Unknown(_shown(action)), (Violation("PD-2.3", AN_ANSWER, f'"action" is {_named(action)}'),)
    meant = action.strip().lower()
    hint = f': write "{meant}", to the letter' if meant in ("number", "pass") else ""
    flaw = Violation("PD-2.3", AN_ANSWER, f"the action {_shown(action)}{hint}")
    return Unknown(action.encode("utf-8", "backslashreplace").decode("utf-8")), (flaw,)


def _number(value: dict[str, Any], line: bytes) -> tuple[Reply, Flaws]:
    further = _further(value, {"action", "cards"}, "JS-5", 'no keys but "action" and "cards"')
    if "cards" not in value:
        return MALFORMED, (Violation("PD-2.4", CARDS, f'no "cards": {excerpt(line)}'), *further)
    cards = value["cards"]
    if wrong := _wrong_cards(cards):
        return MALFORMED, (Violation("PD-2.4", CARDS, wrong), *further)
    return Number(tuple(cards)), further


def _wrong_cards(cards: object) -> str | None:
    """What keeps this from being cards, if anything does: the first such card. -0 is 0: a card."""
    if not isinstance(cards, list):
        return f'"cards" is {_named(cards)}'
    if not cards:
        return '"cards" is an empty array'
    for at, card in enumerate(cards):
        if type(card) is not int:
            return f"cards[{at}] is {_named(card)}{_of(cards)}"
        if not 0 <= card <= 9:
            return f"cards[{at}] is {_shown(card)}, which is no single digit{_of(cards)}"
    return None


def _further(value: dict[str, Any], known: set[str], requirement: str, expected: str) -> Flaws:
    keys = [key for key in value if key not in known]
    if not keys:
        return ()
    shown = ", ".join(_shown(key) for key in keys[:5]) + (
        f" and {len(keys) - 5:,} more" if len(keys) > 5 else ""
    )
    return (Violation(requirement, expected, f"also the key{'s' * (len(keys) > 1)} {shown}"),)


def _of(cards: list[Any]) -> str:
    return f", of {_shown(cards)}"


def _named(value: object) -> str:
    """A value with its kind: the string "5", the boolean true; null is only null."""
    return "null" if value is None else f"{kind(value)}, {_shown(value)}"


def _shown(value: object) -> str:
    """A value as JSON, elided, and never with half a surrogate pair in it: reports are written as UTF-8."""
    if isinstance(value, list) and len(value) > _QUOTE:
        value = [*value[:_QUOTE], "…"]
    return elided(json.dumps(value, ensure_ascii=False, default=lambda huge: f"{huge.start}…"), _QUOTE)
