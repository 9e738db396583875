"""A line and the JSON value it stands for, by the grammar that the value's schema carries.

Law: no game is known here, and nothing raises whatever the bytes. A schema's `line` holds three texts: `strict`, the
expression of a line as it should be; `lenient`, of what is still understood; `form`, what the value is written by.
Groups are the parts of the value: one is the value itself, several are an array. A strict line is one that `write`
gives back, and its value is one that the schema takes: tests hold the expressions to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from pdcheck import schemas


class Reading(NamedTuple):
    """What a line stands for: None where it cannot be told; `plain` when it is written as it should be."""

    value: Any
    plain: bool


class Grammar:
    """The grammar of one kind of line, named by its schema ("valtapeli/move"). Raises KeyError for an unknown one."""

    def __init__(self, schema: str) -> None:
        document = schemas.load(schema)
        line: dict[str, str] = document["line"]
        self.schema = schema
        self._strict = re.compile(_whole(line["strict"])).fullmatch
        self._lenient = re.compile(_whole(line["lenient"])).fullmatch
        self._form = line["form"]
        self._part: Callable[[bytes], Any] = _text if document["type"] == "string" else int

    def read(self, line: bytes) -> Reading:
        """The value of a line without its LF. What only the lenient form takes may be out of the schema's bounds."""
        found = self._strict(line)
        plain = found is not None
        found = found or self._lenient(line)
        if found is None:
            return Reading(None, False)
        parts = [self._part(part) for part in found.groups()]
        return Reading(parts[0] if len(parts) == 1 else parts, plain)

    def write(self, value: Any) -> bytes:
        """The line of a value, with its LF."""
        parts = value if isinstance(value, list) else [value]
        return self._form.format(*parts).encode("ascii") + b"\n"


def _whole(pattern: str) -> bytes:
    """The expression between a schema's ^ and $: in Python a final $ would also let a line feed through."""
    return pattern.removeprefix("^").removesuffix("$").encode("ascii")


def _text(part: bytes) -> str:
    return part.decode("ascii")
