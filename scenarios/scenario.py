"""A scenario: one scripted situation to put before a bot, and its file form.

Law: no game is known here. What all games share is checked (and told with file, line, column and path);
what a hand, a field or a play means is the game's, so those stay as written until the game's module reads
them. The form is `schemas/scenario.json`; this reader accepts exactly what that schema does, without its
cost, and checks what a schema cannot say: no name twice, a seat that exists, one name a seat.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pdcheck.scenarios.document import Document, DocumentError, Path, flow, parse, visible

SCHEMA = 1
SEATS = range(2, 9)
ENDINGS = ("quit", "eof", "eof-at-init", "eof-in-line", "term")
LONGEST_SHOWN = 60
COUNTED_FROM = 41  # a hand of so many cards is written as counts, {"0": 26, "1": 2}

Cards = str | Mapping[str, int]
"""Cards as a file gives them: run together, or how many of each kind."""


class ScenarioError(ValueError):
    """A scenario, or its file, is wrong. The message is one line that says where and what was expected."""


class Tempting(NamedTuple):
    """A play that looks right and is not, and the requirement it breaks."""

    play: str
    breaks: str


@dataclass(frozen=True, slots=True)
class Style:
    """How messages are written, where it is not as the contest does it (JS-2 to JS-4)."""

    key_order: str | None = None
    """reversed or shuffled."""
    spaces: str | None = None
    """none or wide."""
    unknown_keys: bool = False
    escapes: bool = False
    raw_utf8: bool = False


@dataclass(frozen=True, slots=True)
class Deliver:
    """How messages reach the bot, where it is not one write each (IO-8)."""

    pieces: int = 1
    """Each message is cut into so many writes."""
    together: bool = False
    """Messages that may follow one another at once go out in one write."""


@dataclass(frozen=True, slots=True)
class Expect:
    """What the referee says here: for the kit's own tests. `legal` is None where nothing is claimed."""

    legal: tuple[str, ...] | None = None
    tempting: tuple[Tempting, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One situation; `schemas/scenario.json` describes the fields. None and empty: the game's default."""

    game: str
    name: str
    about: str
    """The requirement that a bot which fails here most likely breaks."""
    why: str
    blame: bool = True
    """Whether dying, hanging or a malformed answer here breaks `about` (else the general requirement)."""
    rules: str | None = None
    seats: int | None = None
    seat: int | None = None
    names: tuple[str, ...] = ()
    hand: Cards | None = None
    field: tuple[str, ...] = ()
    others: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    turns: int = 1
    """The candidate's turns; 0: to the end of the match."""
    time: float | None = None
    style: Style = Style()
    deliver: Deliver = Deliver()
    interject: Mapping[str, Any] | None = None
    ending: str = "quit"
    expect: Expect = Expect()


class _Wrong(Exception):
    """A value that the form does not allow; becomes a ScenarioError where the document is at hand."""

    def __init__(self, path: Path, expected: str, value: object) -> None:
        super().__init__(expected)
        self.path, self.expected, self.value = path, expected, value


_Reader = Callable[[Any, Path], Any]
"""Gives the value to keep, or raises _Wrong."""


def _text(pattern: str, words: str) -> _Reader:
    match = re.compile(pattern).fullmatch

    def read(value: Any, path: Path) -> str:
        if not isinstance(value, str) or not match(value):
            raise _Wrong(path, words, value)
        return value

    return read


def _integer(least: int, most: int | None, words: str) -> _Reader:
    def read(value: Any, path: Path) -> int:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise _Wrong(path, words, value)
        return value

    return read


def _one_of(*choices: str) -> _Reader:
    def read(value: Any, path: Path) -> str:
        if not isinstance(value, str) or value not in choices:
            raise _Wrong(path, f"one of {', '.join(choices)}", value)
        return value

    return read


def _list(item: _Reader, words: str, least: int = 0, most: int | None = None) -> _Reader:
    def read(value: Any, path: Path) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) < least or (most is not None and len(value) > most):
            raise _Wrong(path, words, value)
        return tuple([item(part, (*path, at)) for at, part in enumerate(value)])

    return read


def _boolean(value: Any, path: Path) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(path, "true or false", value)
    return value


def _mapping(value: Any, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong(path, "a mapping", value)
    return value


def _seconds(value: Any, path: Path) -> float:
    if type(value) not in (int, float) or value <= 0:
        raise _Wrong(path, "seconds: a number above 0", value)
    number: float = value
    return number


def _cards(value: Any, path: Path) -> Cards:
    if isinstance(value, str) and value:
        return value
    if not isinstance(value, dict) or not value:
        raise _Wrong(path, "cards: a string in quotes, or how many of each kind", value)
    for kind, count in value.items():
        if type(count) is not int or count < 0:
            raise _Wrong((*path, kind), "how many cards: an integer from 0", count)
    return value


def _record(made: Callable[..., Any], readers: Mapping[str, _Reader], needed: Iterable[str] = ()) -> _Reader:
    def read(value: Any, path: Path) -> Any:
        mapping = _mapping(value, path)
        kept = {}
        for key, part in mapping.items():
            reader = readers.get(key)
            if reader is None:
                raise _Wrong((*path, key), f"no keys but {', '.join(readers)}", key)
            kept[key] = reader(part, (*path, key))
        for key in needed:
            if key not in mapping:
                raise _Wrong(path, f"the key {key}", mapping)
        return made(**kept)

    return read


_some_text = _text(r"(?s).+", "a string in quotes, not empty")
_requirement = _text(r"[A-Z]{2,4}-[0-9]+(\.[0-9]+)?", "a requirement's ID, such as PD-3.1")
_name = _text(r"[a-z0-9]+(-[a-z0-9]+)*", "lower case words joined by hyphens")
_plays = _list(_some_text, "a list of strings")

_FIELDS: dict[str, _Reader] = {
    "name": _name,
    "about": _requirement,
    "why": _some_text,
    "blame": _boolean,
    "rules": _some_text,
    "seats": _integer(SEATS.start, SEATS.stop - 1, f"{SEATS.start} to {SEATS.stop - 1} seats"),
    "seat": _integer(0, SEATS.stop - 2, f"a seat, 0 to {SEATS.stop - 2}"),
    "names": _list(_some_text, "2 to 8 names, one a seat", SEATS.start, SEATS.stop - 1),
    "hand": _cards,
    "field": _plays,
    "others": _mapping,
    "turns": _integer(0, None, "an integer from 0"),
    "time": _seconds,
    "style": _record(
        Style,
        {
            "key_order": _one_of("reversed", "shuffled"),
            "spaces": _one_of("none", "wide"),
            "unknown_keys": _boolean,
            "escapes": _boolean,
            "raw_utf8": _boolean,
        },
    ),
    "deliver": _record(Deliver, {"pieces": _integer(1, None, "an integer from 1"), "together": _boolean}),
    "interject": _mapping,
    "ending": _one_of(*ENDINGS),
    "expect": _record(
        Expect,
        {
            "legal": _plays,
            "tempting": _list(
                _record(Tempting, {"play": _some_text, "breaks": _requirement}, ("play", "breaks")),
                "a list of plays, each with the requirement it breaks",
            ),
        },
    ),
}


def read_scenarios(text: str, where: str) -> list[Scenario]:
    """The scenarios of one file, in its order. `where` names the file in messages.

    Raises ScenarioError for anything wrong, in one line: `FILE:LINE:COLUMN: PATH: expected …, got …`.
    """
    try:
        document = parse(text)
    except DocumentError as error:
        place = f"{error.place.line}:{error.place.column}: " if error.place else " "
        raise ScenarioError(visible(f"{where}:{place}{error}")) from None
    try:
        return _read_file(document.value)
    except _Wrong as wrong:
        raise _told(wrong, document, where) from None


def _read_file(value: Any) -> list[Scenario]:
    if not isinstance(value, dict):
        raise _Wrong((), "a mapping with the keys schema, game and scenarios", value)
    file = _record(
        dict,
        {
            "schema": _integer(SCHEMA, SCHEMA, f"{SCHEMA}, the version of this form"),
            "game": _name,
            "scenarios": lambda part, path: (part, path),
        },
        ("schema", "game", "scenarios"),
    )(value, ())
    read = _list(_scenario(file["game"]), "scenarios, at least one", 1)
    scenarios: list[Scenario] = list(read(*file["scenarios"]))
    first: dict[str, int] = {}
    for at, scenario in enumerate(scenarios):
        if scenario.name in first:
            named = f"a name of its own (scenarios[{first[scenario.name]}] has this one)"
            raise _Wrong(("scenarios", at, "name"), named, scenario.name)
        first[scenario.name] = at
    return scenarios


def _scenario(game: str) -> _Reader:
    record = _record(lambda **values: Scenario(game=game, **values), _FIELDS, ("name", "about", "why"))

    def read(value: Any, path: Path) -> Scenario:
        scenario: Scenario = record(value, path)
        seats = scenario.seats if scenario.seats is not None else len(scenario.names) or SEATS.stop - 1
        if scenario.names and len(scenario.names) != seats:
            raise _Wrong((*path, "names"), f"{seats} names, one a seat", list(scenario.names))
        if scenario.seat is not None and scenario.seat >= seats:
            raise _Wrong((*path, "seat"), f"a seat below {seats}, counted from 0", scenario.seat)
        return scenario

    return read


def _told(wrong: _Wrong, document: Document, where: str) -> ScenarioError:
    place = document.place(wrong.path)
    path = ""
    for step in wrong.path:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    shown = _shown(wrong.value)
    what = f"{path or 'the file'}: expected {wrong.expected}, got {shown}"
    return ScenarioError(visible(f"{where}:{place.line}:{place.column}: {what}"))


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return f"a mapping of {', '.join(map(str, value))}"[:LONGEST_SHOWN] if value else "an empty mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if value is None:
        return "nothing"
    text = flow(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}… ({len(text)} characters)"


def load_scenarios(files: Iterable[Any]) -> list[Scenario]:
    """The scenarios of all `.yaml` files among `files` (paths, packaged resources), by name: 2.9 before 2.10.

    Raises ScenarioError as `read_scenarios` does, for a name in two files, and for a file that is not UTF-8.
    """
    scenarios: list[Scenario] = []
    owner: dict[str, str] = {}
    for file in sorted((f for f in files if f.name.endswith(".yaml")), key=lambda f: _by_number(f.name)):
        try:
            text = file.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise ScenarioError(f"{file.name}: not UTF-8 at byte {error.start}") from None
        for scenario in read_scenarios(text, file.name):
            if scenario.name in owner:
                raise ScenarioError(
                    f"{file.name}: the name {scenario.name} is also in {owner[scenario.name]}"
                )
            owner[scenario.name] = file.name
            scenarios.append(scenario)
    return scenarios


def _by_number(name: str) -> tuple[Any, ...]:
    return tuple((1, int(part)) if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name) if part)


def dump_scenario(scenario: Scenario) -> str:
    """A whole file that holds this scenario alone; `read_scenarios` gives it back equal.

    Fields at their defaults are left out; the same scenario always gives the same text.
    """
    lines = [f"schema: {SCHEMA}", f"game: {scenario.game}", "scenarios:"]
    lead = "  - "
    for key, value in _written(scenario):
        lines.append(f"{lead}{key}: {value if key in _BARE else flow(value)}")
        lead = "    "
    return "\n".join(lines) + "\n"


_BARE = ("about", "ending")  # words that mean themselves without quotes; a name may be `12` or `null`


def _written(scenario: Scenario) -> Iterable[tuple[str, Any]]:
    for name in _FIELDS:
        value = getattr(scenario, name)
        if value == _DEFAULTS[name]:
            continue
        if isinstance(value, Style | Deliver | Expect):
            value = _changed(value)
        elif name == "hand":
            value = _counted(value)
        yield name, dict(value) if isinstance(value, Mapping) else value


_DEFAULTS: dict[str, Any] = {
    f.name: f.default_factory() if callable(f.default_factory) else f.default
    for f in dataclasses.fields(Scenario)
}


def _changed(part: Style | Deliver | Expect) -> dict[str, Any]:
    plain = type(part)()
    changed = {f.name: getattr(part, f.name) for f in dataclasses.fields(part)}
    if isinstance(part, Expect) and part.tempting:
        changed["tempting"] = [tempting._asdict() for tempting in part.tempting]
    return {name: value for name, value in changed.items() if value != getattr(plain, name)}


def _counted(hand: Cards) -> Cards:
    """As written, but a long run that says no more than its counts do is written as counts."""
    if isinstance(hand, str) and len(hand) >= COUNTED_FROM and hand == "".join(sorted(hand)):
        return {card: hand.count(card) for card in sorted(set(hand))}
    return hand
