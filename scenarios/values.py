"""Readers of values: each takes a plain value and its path, and gives the value to keep or raises `Wrong`.

Law: pure, and no form is known here; a form is a table of such readers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pdcheck.scenarios.document import Path


class Wrong(Exception):
    """A value that the form does not allow; becomes the form's own error where the document is at hand."""

    def __init__(self, path: Path, expected: str, value: object) -> None:
        super().__init__(expected)
        self.path, self.expected, self.value = path, expected, value


Reader = Callable[[Any, Path], Any]
"""Gives the value to keep, or raises Wrong."""


def text(pattern: str, words: str) -> Reader:
    """Text that matches the whole pattern; `words` say what is expected."""
    match = re.compile(pattern).fullmatch

    def read(value: Any, path: Path) -> str:
        if not isinstance(value, str) or not match(value):
            raise Wrong(path, words, value)
        return value

    return read


def integer(least: int, most: int | None, words: str) -> Reader:
    """An integer of [least, most]; a boolean or 1.0 is none."""

    def read(value: Any, path: Path) -> int:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise Wrong(path, words, value)
        return value

    return read


def one_of(*choices: str) -> Reader:
    """One of these words."""

    def read(value: Any, path: Path) -> str:
        if not isinstance(value, str) or value not in choices:
            raise Wrong(path, f"one of {', '.join(choices)}", value)
        return value

    return read


def list_of(item: Reader, words: str, least: int = 0, most: int | None = None) -> Reader:
    """A list of such items, kept as a tuple."""

    def read(value: Any, path: Path) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) < least or (most is not None and len(value) > most):
            raise Wrong(path, words, value)
        return tuple([item(part, (*path, at)) for at, part in enumerate(value)])

    return read


def flag_or(*words: str) -> Reader:
    """A boolean or one of these words."""

    def read(value: Any, path: Path) -> bool | str:
        if not isinstance(value, bool) and not (isinstance(value, str) and value in words):
            raise Wrong(path, f"true, false or one of {', '.join(words)}", value)
        return value

    return read


def boolean(value: Any, path: Path) -> bool:
    """A boolean."""
    if not isinstance(value, bool):
        raise Wrong(path, "true or false", value)
    return value


def mapping(value: Any, path: Path) -> dict[str, Any]:
    """A mapping, as it is."""
    if not isinstance(value, dict):
        raise Wrong(path, "a mapping", value)
    return value


def seconds(value: Any, path: Path) -> float:
    """A number above 0."""
    if type(value) not in (int, float) or value <= 0:
        raise Wrong(path, "seconds: a number above 0", value)
    number: float = value
    return number


def record(made: Callable[..., Any], readers: Mapping[str, Reader], needed: Iterable[str] = ()) -> Reader:
    """A mapping with these keys and no others, given to `made` by name."""

    def read(value: Any, path: Path) -> Any:
        given = mapping(value, path)
        kept = {}
        for key, part in given.items():
            reader = readers.get(key)
            if reader is None:
                raise Wrong((*path, key), f"no keys but {', '.join(readers)}", key)
            kept[key] = reader(part, (*path, key))
        for key in needed:
            if key not in given:
                raise Wrong(path, f"the key {key}", given)
        return made(**kept)

    return read
