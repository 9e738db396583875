"""What a source includes, imports or uses, and what of that no list of the contest names.

Law: pure; told to help people who check, never refused, so it reads lines and not grammar. What is listed or belongs to
the language itself is in `imports.toml`; a language without a table is not looked at.
"""

from __future__ import annotations

import fnmatch
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

MOST = 200
"""Imports that are told of one source."""
_LONGEST_LINE = 500
"""What imports stands at a line's beginning; nothing is looked for in a line of packed data."""


class Import(NamedTuple):
    """One thing that a source asks for, and the line it is on."""

    name: str
    line: int


class _Row(NamedTuple):
    patterns: tuple[re.Pattern[str], ...]
    separator: str
    """Between several names after one word, as in `import a, b`."""
    cut: str
    """What parts a package's name from those of its parts; a name that begins with it is the submission's own."""
    own: tuple[str, ...]
    """What belongs to the language, as patterns."""
    listed: tuple[str, ...]
    """What contests list."""
    same_as: str


@cache
def _table() -> Mapping[str, _Row]:
    text = files("pdcheck.conformance.gate").joinpath("imports.toml").read_text("utf-8")
    rows: dict[str, _Row] = {}
    for language, row in tomllib.loads(text).items():
        row = {"separator": "", "cut": "", "own": [], "listed": [], "same_as": "", "patterns": [], **row}
        patterns = tuple(re.compile(pattern) for pattern in row.pop("patterns"))
        own, listed = tuple(row.pop("own")), tuple(row.pop("listed"))
        rows[language] = _Row(patterns=patterns, own=own, listed=listed, **row)
    return rows


def imports(language: str, source: bytes) -> Sequence[Import]:
    """What the source asks for, in its order, each name once; nothing for a language without a table."""
    row = _row(language)
    if row is None:
        return ()
    found: dict[str, int] = {}
    for number, line in enumerate(source.decode("utf-8", "replace").splitlines(), start=1):
        if len(line) > _LONGEST_LINE:
            continue
        for name in _names(line, row):
            if len(found) < MOST:
                found.setdefault(name, number)
    return [Import(name, line) for name, line in found.items()]


def unlisted(language: str, source: bytes, others: Sequence[str] = ()) -> Sequence[Import]:
    """What of that is neither the language's own, nor listed, nor one of the submission's `others` files."""
    row = _row(language)
    if row is None:
        return ()
    own = (*row.own, *(sys.stdlib_module_names if language == "python" else ()))
    beside = {other.rpartition(".")[0] or other for other in others} | set(others)
    return [
        one
        for one in imports(language, source)
        if one.name not in beside and not any(fnmatch.fnmatchcase(one.name, p) for p in (*own, *row.listed))
    ]


def _row(language: str) -> _Row | None:
    row = _table().get(language)
    return _table()[row.same_as] if row is not None and row.same_as else row


def _names(line: str, row: _Row) -> Sequence[str]:
    found: list[str] = []
    for pattern in row.patterns:
        for match in pattern.finditer(line):
            text = next(group for group in match.groups() if group is not None)
            parts = [part.split() for part in (text.split(row.separator) if row.separator else [text])]
            names = [words[0] for words in parts if words]  # `import numpy as np`
            found += [name.split(row.cut)[0] for name in names] if row.cut else names
    return [name for name in found if name]
