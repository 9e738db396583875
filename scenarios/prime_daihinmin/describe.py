"""Prime Daihinmin: a message in a line that a person can read.

Law: pure, for reports only. The keys stay; a hand is told as counts, numbers in full unless they are long, `hands` as
sizes, the record by its length and its last entry. What is no message of this game is quoted as it is. Whatever the
bytes are, the line is a line: printable, and of at most `LONGEST` characters or so.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from pdcheck.referee.violations import elide, quoted

SHORT_HAND = 20
LONG = 60
LONGEST = 1200


def describe(message: bytes) -> str:
    """One message (or the last of several lines)."""
    line = message.rstrip(b"\n").rpartition(b"\n")[2]
    try:
        value = json.loads(line)
        parts = [f"{json.dumps(key)}: {_SHOWN.get(key, _plain)(part)}" for key, part in value.items()]
    except (ValueError, AttributeError, TypeError, LookupError, RecursionError):
        return quoted(line, 240)
    text = "{" + ", ".join(parts) + "}"
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return elide(text, LONGEST)


def _plain(value: Any) -> str:
    return elide(json.dumps(value, ensure_ascii=False), LONG)


def _hand(cards: Sequence[int]) -> str:
    if len(cards) <= SHORT_HAND:
        return json.dumps(cards)
    counts = " ".join(f"{card}×{count}" for card, count in sorted(Counter(cards).items()))
    return f"[{len(cards)} cards: {counts}]"


def _numbers(numbers: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{elide(number, LONG)}"' for number in numbers) + "]"


def _hands(hands: Sequence[tuple[str, int]]) -> str:
    return "[" + ", ".join(f'["{elide(name, 12)}", {size}]' for name, size in hands) + "]"


def _record(record: Sequence[Sequence[Any]]) -> str:
    if not record:
        return "[]"
    name, status, cards, field = record[-1]
    last = f'["{elide(name, 12)}", "{elide(status, 30)}", {cards}, {_numbers(field)}]'
    return f"[… {len(record)} entries, the last {last}]"


_SHOWN: dict[str, Callable[[Any], str]] = {
    "hand": _hand,
    "numbers": _numbers,
    "hands": _hands,
    "record": _record,
}
