"""The requirement catalogue: what a bot is held to, as data.

Law: a requirement is written down once, in TOML, and everything that speaks of it (checks, rulings, reports,
`pdcheck explain`) asks here by ID. An unknown ID, key or level raises; nothing is skipped in silence.

A file holds `[[requirement]]` tables with the keys of `Requirement`. In `title`, `text`, `source` and `fix`
line breaks are only layout and become spaces; `good` and `bad` keep their lines.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from itertools import pairwise
from typing import Final


class Level(StrEnum):
    """How much a requirement weighs."""

    MUST = "MUST"  # else the bot loses, is disqualified, or is not sure to run
    SHOULD = "SHOULD"  # tolerated by the control program, but against the announcement, or fragile
    INFO = "INFO"  # worth telling
    RULE = "RULE"  # the referee's own duty: no bot can break it, no report on a bot lists it


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement, written for the contestant who has just failed it.

    `id` such as "PD-3.1"; `text` whole sentences; `source` the section that asks for it; `good` and `bad` a
    concrete exchange each; `fix` what usually mends it; `where` "gate" when only an upload can show it.
    """

    id: str
    level: Level
    title: str
    text: str
    source: str
    good: str
    bad: str
    fix: str
    where: str | None = None


class UnknownRequirement(KeyError):
    """An ID or prefix that is not in the catalogue; the message names the nearest ones that are."""

    def __str__(self) -> str:
        return str(self.args[0])


TITLE_LENGTH: Final = 60
_ID: Final = re.compile(r"[A-Z]{2,4}-[1-9][0-9]*(\.[1-9][0-9]*)?")
_FOLDED: Final = ("title", "text", "source", "fix")
_VERBATIM: Final = ("good", "bad")
_REQUIRED: Final = ("id", "level", *_FOLDED, *_VERBATIM)
_PLACES: Final = ("gate",)
_KEYS: Final = (*_REQUIRED, "where")


class Catalogue:
    """Requirements by ID, in natural order.

    Families (IO, JS, PD) come as first met, then it goes by number: PD-2.2 before PD-2.10.
    """

    def __init__(self, requirements: Iterable[Requirement]) -> None:
        """Raises ValueError when two requirements have one ID."""
        given = list(requirements)
        families = list(dict.fromkeys(_family(one.id) for one in given))
        given.sort(key=lambda one: (families.index(_family(one.id)), _numbers(one.id)))
        self._by_id = {one.id: one for one in given}
        if len(self._by_id) < len(given):
            twice = next(a.id for a, b in pairwise(given) if a.id == b.id)
            raise ValueError(f"{twice}: this ID is given twice; each requirement has its own")

    def __iter__(self) -> Iterator[Requirement]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, requirement_id: object) -> bool:
        """Whether this ID (a string) is here."""
        return requirement_id in self._by_id

    def __getitem__(self, requirement_id: str) -> Requirement:
        """The requirement. Raises UnknownRequirement, a KeyError."""
        try:
            return self._by_id[requirement_id]
        except KeyError:
            raise UnknownRequirement(self._unknown("requirement", requirement_id, self._by_id)) from None

    def __add__(self, other: Catalogue) -> Catalogue:
        """Both together. Raises ValueError when an ID is in both."""
        return Catalogue([*self, *other])

    def level_of(self, requirement_id: str) -> Level:
        """Raises UnknownRequirement."""
        return self[requirement_id].level

    def select(self, prefixes: Iterable[str]) -> tuple[Requirement, ...]:
        """The requirements named by IDs ("PD-3.1") and prefixes ("PD-3", "PD"), each once, in natural order.

        A prefix ends where a number does: "PD-3.1" is not a prefix of "PD-3.10". Raises UnknownRequirement
        for one that selects nothing.
        """
        wanted = set(prefixes)
        known = {prefix for one in self._by_id for prefix in _prefixes(one)}
        for prefix in sorted(wanted - known):
            raise UnknownRequirement(self._unknown("requirement or prefix", prefix, known))
        return tuple(one for one in self if wanted & set(_prefixes(one.id)))

    @staticmethod
    def _unknown(what: str, name: str, known: Iterable[str]) -> str:
        near = difflib.get_close_matches(name.upper(), list(known), n=3, cutoff=0.5)
        return f"no {what} {name!r}" + (f"; did you mean {', '.join(near)}?" if near else "")


def read_catalogue(*texts: str, names: Sequence[str] = ()) -> Catalogue:
    """The catalogue written in these TOML texts. `names` are what messages call them (default "text 1", …).

    Raises ValueError at the first fault: bad TOML, an unknown or missing key, an empty or too long value, a
    level or ID of the wrong shape, an ID given twice. The message names the text, the entry and what was
    expected.
    """
    found: dict[str, Requirement] = {}
    for number, text in enumerate(texts):
        name = names[number] if number < len(names) else f"text {number + 1}"
        for one in _read_file(text, name):
            if one.id in found:
                raise ValueError(f"{name}: {one.id}: this ID is given twice; each requirement has its own")
            found[one.id] = one
    return Catalogue(found.values())


def packaged(package: str, *names: str) -> Catalogue:
    """The catalogue in these files of an installed package, such as ("pdcheck.referee", "io.toml").

    The only function here that reads anything. Raises ValueError as `read_catalogue`, FileNotFoundError and
    ModuleNotFoundError for what is not installed.
    """
    folder = resources.files(package)
    texts = [folder.joinpath(name).read_text(encoding="utf-8") for name in names]
    return read_catalogue(*texts, names=names)


def _read_file(text: str, name: str) -> Iterator[Requirement]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}: not valid TOML: {error}") from None
    if unknown := sorted(data.keys() - {"requirement"}):
        raise ValueError(f"{name}: unknown key {unknown[0]!r}; a catalogue holds [[requirement]] tables only")
    entries = data.get("requirement", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f"{name}: 'requirement' must be an array of tables, written [[requirement]]")
    for number, entry in enumerate(entries, start=1):
        given = " ".join(str(entry.get("id", "no id")).split())
        yield _read_entry(entry, f"{name}: entry {number} ({given})")


def _read_entry(entry: dict[str, object], where: str) -> Requirement:
    """`where` names the file and the entry for messages."""
    if unknown := [key for key in entry if key not in _KEYS]:
        raise ValueError(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(_KEYS)}")
    if missing := [key for key in _REQUIRED if key not in entry]:
        raise ValueError(f"{where}: key {missing[0]!r} is missing; required are {', '.join(_REQUIRED)}")
    values: dict[str, str] = {}
    for key, value in entry.items():
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"{where}: {key!r} must be a string that is not empty, got {value!r}")
        values[key] = " ".join(value.split()) if key in _FOLDED else value.strip()
    if not _ID.fullmatch(values["id"]):
        raise ValueError(f"{where}: an id looks like IO-3 or PD-2.10, got {values['id']!r}")
    if values["level"] not in Level.__members__:
        raise ValueError(f"{where}: level must be one of {', '.join(Level)}, got {values['level']!r}")
    if len(values["title"]) > TITLE_LENGTH:
        raise ValueError(
            f"{where}: a title has at most {TITLE_LENGTH} characters, this one {len(values['title'])}"
        )
    if "where" in values and values["where"] not in _PLACES:
        raise ValueError(f"{where}: 'where' must be one of {', '.join(_PLACES)}, got {values['where']!r}")
    return Requirement(
        id=values["id"],
        level=Level(values["level"]),
        title=values["title"],
        text=values["text"],
        source=values["source"],
        good=values["good"],
        bad=values["bad"],
        fix=values["fix"],
        where=values.get("where"),
    )


def _family(requirement_id: str) -> str:
    """ "PD" of "PD-3.10"."""
    return requirement_id.partition("-")[0]


def _numbers(requirement_id: str) -> tuple[int, ...]:
    """(3, 10) of "PD-3.10"."""
    return tuple(map(int, requirement_id.partition("-")[2].split(".")))


def _prefixes(requirement_id: str) -> tuple[str, ...]:
    """("PD", "PD-3", "PD-3.10") of "PD-3.10"."""
    section, dot, _ = requirement_id.partition(".")
    return (_family(requirement_id), section, requirement_id) if dot else (_family(section), section)
