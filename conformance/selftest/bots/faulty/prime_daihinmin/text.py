"""JSON for bots that start in milliseconds: the standard library's own scanner without the package around it.

Law of this file: `loads` and `dumps` do what those of `json` do, for the values of this protocol.
"""

from __future__ import annotations

from _json import encode_basestring_ascii, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLANKS = " \t\n\r"


class _Settings:
    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float
    memo: dict[str, str] = {}  # noqa: RUF012


_scan = make_scanner(_Settings())


def loads(text: str) -> Any:
    """The value of a JSON text; ValueError when it is none."""
    start = len(text) - len(text.lstrip(BLANKS))
    try:
        value, end = _scan(text, start)
    except StopIteration:
        raise ValueError("no JSON value") from None
    if text[end:].strip(BLANKS):
        raise ValueError(f"more than one JSON value, at {end}")
    return value


def dumps(value: Any) -> str:
    """The value as JSON, spaced as `json.dumps` spaces it."""
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{dumps(key)}: {dumps(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(dumps, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "NaN" if value != value else str(value)
