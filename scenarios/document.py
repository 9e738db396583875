"""YAML text to plain values, with the place of each.

Law: only what JSON could say, written more pleasantly: mappings with string keys, lists, strings, numbers,
booleans and null. Aliases, tags, a key twice and a second document are refused, so that a file is never more
than it looks like and reading it takes time and memory in its own length. Plain words are read as YAML 1.2
reads them: `yes` is a string; `012` is refused, as it may be meant as cards or as a number.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

DEEPEST = 32
LONGEST_INTEGER = 4_000  # digits; Python itself refuses longer ones, and says so unclearly

Path = tuple[str | int, ...]
"""Keys and indices from the root to a value."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?\Z")
_NUMBER_LIKE = re.compile(r"[-+]?[0-9][0-9_]*\Z")
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


class Place(NamedTuple):
    """A place in a text: both counted from 1, as editors do."""

    line: int
    column: int


class DocumentError(ValueError):
    """The text is not a document of this kind. `place` is None where the reader could not say."""

    def __init__(self, message: str, place: Place | None) -> None:
        super().__init__(message)
        self.place = place


class Document:
    """One parsed text: its value, and where in the text each part began."""

    def __init__(self, value: Any, places: dict[tuple[int, str | int], Place]) -> None:
        self.value = value
        self._places = places  # (id of the container, key or index): its containers live as long as `value`

    def place(self, path: Path) -> Place:
        """Where the value at `path` begins; if there is none, where the nearest container does."""
        here, found = self.value, Place(1, 1)
        for step in path:
            place = self._places.get((id(here), step))
            if place is None:
                break
            found, here = place, here[step]
        return found


class _Builder:
    """Puts values into containers as the parser's events come by."""

    def __init__(self) -> None:
        self.root: Any = None
        self.places: dict[tuple[int, str | int], Place] = {}
        self._open: list[dict[str, Any] | list[Any]] = []
        self._keys: list[str | None] = []

    def scalar(self, event: Any) -> None:
        if self._wants_key():
            self._key(event)
        else:
            self._put(event.value if event.style else _plain(event), event)

    def start(self, event: Any, container: dict[str, Any] | list[Any]) -> None:
        if self._wants_key():
            raise _wrong(event, "a key is a word, not a mapping or a list")
        if len(self._open) >= DEEPEST:
            raise _wrong(event, f"nested more than {DEEPEST} deep")
        self._put(container, event)
        self._open.append(container)
        self._keys.append(None)

    def end(self) -> None:
        self._open.pop()
        self._keys.pop()

    def _wants_key(self) -> bool:
        return bool(self._open) and type(self._open[-1]) is dict and self._keys[-1] is None

    def _key(self, event: Any) -> None:
        key = event.value
        if not event.style and not isinstance(_plain(event), str):
            raise _wrong(event, f'keys are strings: write "{key}" in quotes')
        if key in self._open[-1]:
            raise _wrong(event, f"the key {key!r} is there twice")
        self._keys[-1] = key

    def _put(self, value: Any, event: Any) -> None:
        if not self._open:
            self.root = value
            return
        container = self._open[-1]
        mark = event.start_mark
        if isinstance(container, list):
            self.places[id(container), len(container)] = Place(mark.line + 1, mark.column + 1)
            container.append(value)
            return
        key = self._keys[-1]
        assert key is not None
        self.places[id(container), key] = Place(mark.line + 1, mark.column + 1)
        container[key] = value
        self._keys[-1] = None


def parse(text: str) -> Document:
    """The document that the text holds; an empty text holds null.

    Raises DocumentError with one line of words, and the place where there is one.
    """
    import yaml  # here and not above: a match needs no scenario file, and this is half of its imports

    try:
        return _build(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        words = "not YAML: " + " ".join(str(problem).split())
        raise DocumentError(words, Place(mark.line + 1, mark.column + 1) if mark else None) from None
    except UnicodeError:
        raise DocumentError("not YAML: it holds a lone surrogate, which no file can", None) from None


def _build(text: str, loader: Any) -> Document:
    import yaml

    builder = _Builder()
    documents = 0
    event: Any
    for event in yaml.parse(text, Loader=loader):
        kind = type(event)
        if kind is yaml.AliasEvent:
            raise _wrong(event, f"an alias (*{event.anchor}): write it out")
        if kind is yaml.DocumentStartEvent:
            documents += 1
            if documents > 1:
                raise _wrong(event, "a second document (---): a file holds one")
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            builder.end()
        elif getattr(event, "tag", None) is not None:
            raise _wrong(event, f"a tag ({event.tag}): values are plain")
        elif kind is yaml.ScalarEvent:
            builder.scalar(event)
        elif kind is yaml.MappingStartEvent:
            builder.start(event, {})
        elif kind is yaml.SequenceStartEvent:
            builder.start(event, [])
    return Document(builder.root, builder.places)


def _plain(event: Any) -> Any:
    """What an unquoted word means."""
    text: str = event.value
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if not (first.isdigit() or first in "-+."):
        return text
    if _INTEGER.match(text):
        if len(text) > LONGEST_INTEGER:
            raise _wrong(event, f"an integer of {len(text)} digits; a run of cards wants quotes")
        return int(text)
    if _FLOAT.match(text):
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise _wrong(event, f"{text} is too large for a number")
        return value
    if _NUMBER_LIKE.match(text):
        raise _wrong(event, f"{text[:40]} is no number as JSON writes it; a run of cards wants quotes")
    return text


def _wrong(event: Any, message: str) -> DocumentError:
    mark = event.start_mark
    return DocumentError(message, Place(mark.line + 1, mark.column + 1))


def flow(value: Any) -> str:
    """A value on one line, as YAML that `parse` reads back. Strings are quoted.

    Takes what `parse` gives (tuples as lists). Raises TypeError or ValueError for anything else.
    """
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError(f"{value} cannot be written")
        return repr(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)}: {flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    raise TypeError(f"{type(value).__name__} cannot be written")


_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(text: str) -> str:
    """A string in double quotes; what a terminal or an editor would not show is escaped."""
    return '"' + "".join(_SHORT.get(c) or (c if c.isprintable() else _escape(c)) for c in text) + '"'


def visible(text: str) -> str:
    """The text on one line, with what a terminal would not show escaped."""
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
