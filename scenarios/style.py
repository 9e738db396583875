"""Other spellings of the same JSON message (JS-2 to JS-4).

Law: pure; the meaning of a message never changes, only how it is written. What the control program itself would
write is never touched here: a message without a style goes out as the codec made it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from pdcheck.scenarios.scenario import Style

SPACES = {None: (", ", ": "), "none": (",", ":"), "wide": (" ,  ", "  :   ")}
UNKNOWN_KEYS: dict[str, Any] = {
    "comment": 'an "unknown" key, with {braces} and [brackets]',
    "version": 2,
    "extra": {"nested": [1, 2, {"cards": [9, 9]}], "action": "none"},
}


def _nested(levels: int) -> Any:
    """Objects and arrays in turn, so many deep, with words of the protocol on each level."""
    value: Any = {"action": "quit", "hand": [], "numbers": ["4"]}
    for level in range(levels):
        value = [value, level] if level % 2 else {"hand": [9], "draw": value, "name": "}]"}
    return value


_KINDS: dict[bool | str, dict[str, Any]] = {
    False: {},
    True: UNKNOWN_KEYS,
    "deep": {"tree": _nested(40), "list": [[[[[[[[]]]]]]]]},
    "long": {"k" * 5_000: 1, "text": '["hand": ' * 700, "table": list(range(900))},
    "odd": {
        "": "an empty key",
        "hand\tcards": None,
        "true": [True, False, None, {}, [], ""],
        "numbers2": [-0.5, 1e300, -17, 0.1e-7, 12345678901234567890],
        'quote " and backslash \\': "\\ \b \f \n \r \t \u0000 \u001f / \u007f \u2665",
    },
}


def rewriter(style: Style) -> Callable[[bytes], bytes] | None:
    """The function that writes a message in this style; None when the style changes nothing."""
    if style == Style():
        return None

    def rewrite(message: bytes) -> bytes:
        value = _ordered(json.loads(message), style)
        separators = SPACES[style.spaces]
        usual = style.mixed and value.get("action") == "init"
        text = json.dumps(value, separators=separators, ensure_ascii=usual or not style.raw_utf8)
        if style.escapes and not usual:
            text = _escaped(text)
        if style.spaces == "wide":
            text = f"  {text} \t"
        return text.encode("utf-8") + b"\n"

    return rewrite


def _ordered(value: dict[str, Any], style: Style) -> dict[str, Any]:
    """The message's own keys in the style's order, unknown ones among them."""
    items = [*value.items()]
    for at, item in enumerate(_KINDS[style.unknown_keys].items()):
        items.insert(min(2 * at, len(items)), item)
    if style.key_order == "reversed":
        items.reverse()
    elif style.key_order == "shuffled":
        random.Random(len(items)).shuffle(items)
    return dict(items)


def _escaped(text: str) -> str:
    r"""The JSON text with every letter inside a value string as \uXXXX; keys and `action` values stay readable."""
    out: list[str] = []
    for at, part in enumerate(text.split('"')):
        inside = at % 2 == 1
        out.append("".join(map(_escape, part)) if inside and _is_name(part) else part)
    return '"'.join(out)


def _escape(character: str) -> str:
    """Past the BMP, JSON wants the two halves of a surrogate pair."""
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


_WORDS = frozenset(
    [
        "action",
        "uid",
        "names",
        "hand",
        "time",
        "name",
        "numbers",
        "hands",
        "record",
        "draw",
        "init",
        "play",
        "pass",
        "quit",
    ]
)
_WORDS |= frozenset(("OK", "PASSED", "MERSENNE", "BELPHEGOR"))


def _is_name(part: str) -> bool:
    return part.isalnum() and not part.isdigit() and part not in _WORDS
