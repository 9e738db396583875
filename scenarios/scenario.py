"""A scenario: one scripted situation to put before a bot, and its file form.

Law: no game is known here. What all games share is checked (and told with file, line, column and path);
what a hand, a field or a play means is the game's, so those stay as written until the game's module reads
them. The form is `schemas/scenario.json`; this reader accepts exactly what that schema does, without its
cost, and checks what a schema cannot say: no name twice, a seat that exists, one name a seat.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pdcheck.scenarios import values
from pdcheck.scenarios.document import Document, DocumentError, Path, flow, parse, visible

SCHEMA = 1
SEATS = range(2, 9)
ENDINGS = (
    "quit",
    "eof",
    "eof-before-init",
    "eof-at-init",
    "eof-in-line",
    "eof-in-turn",
    "term",
    "term-in-turn",
)
UNKNOWN_KEYS = ("deep", "long", "odd")
CUTS = ("before-lf", "in-character", "in-escape")
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
    unknown_keys: bool | str = False
    """True: a few usual ones; deep, long or odd: of that kind."""
    escapes: bool = False
    raw_utf8: bool = False
    mixed: bool = False
    """`escapes` and `raw_utf8` hold after init only, which is written as the contest does it."""


@dataclass(frozen=True, slots=True)
class Deliver:
    """How messages reach the bot, where it is not one write each (IO-8)."""

    pieces: int = 1
    """Each message is cut into so many writes."""
    together: bool = False
    """Messages that may follow one another at once go out in one write."""
    cut: str | None = None
    """One more cut in each message: before its LF, or inside its first and last UTF-8 character or \\u escape."""
    gap: float | None = None
    """Seconds between two writes; None: a few milliseconds."""


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


def _cards(value: Any, path: Path) -> Cards:
    if isinstance(value, str) and value:
        return value
    if not isinstance(value, dict) or not value:
        raise values.Wrong(path, "cards: a string in quotes, or how many of each kind", value)
    for kind, count in value.items():
        if type(count) is not int or count < 0:
            raise values.Wrong((*path, kind), "how many cards: an integer from 0", count)
    return value


_some_text = values.text(r"(?s).+", "a string in quotes, not empty")
_requirement = values.text(r"[A-Z]{2,4}-[0-9]+(\.[0-9]+)?", "a requirement's ID, such as PD-3.1")
_name = values.text(r"[a-z0-9]+(-[a-z0-9]+)*", "lower case words joined by hyphens")
_plays = values.list_of(_some_text, "a list of strings")

_FIELDS: dict[str, values.Reader] = {
    "name": _name,
    "about": _requirement,
    "why": _some_text,
    "blame": values.boolean,
    "rules": _some_text,
    "seats": values.integer(SEATS.start, SEATS.stop - 1, f"{SEATS.start} to {SEATS.stop - 1} seats"),
    "seat": values.integer(0, SEATS.stop - 2, f"a seat, 0 to {SEATS.stop - 2}"),
    "names": values.list_of(_some_text, "2 to 8 names, one a seat", SEATS.start, SEATS.stop - 1),
    "hand": _cards,
    "field": _plays,
    "others": values.mapping,
    "turns": values.integer(0, None, "an integer from 0"),
    "time": values.seconds,
    "style": values.record(
        Style,
        {
            "key_order": values.one_of("reversed", "shuffled"),
            "spaces": values.one_of("none", "wide"),
            "unknown_keys": values.flag_or(*UNKNOWN_KEYS),
            "escapes": values.boolean,
            "raw_utf8": values.boolean,
            "mixed": values.boolean,
        },
    ),
    "deliver": values.record(
        Deliver,
        {
            "pieces": values.integer(1, None, "an integer from 1"),
            "together": values.boolean,
            "cut": values.one_of(*CUTS),
            "gap": values.seconds,
        },
    ),
    "interject": values.mapping,
    "ending": values.one_of(*ENDINGS),
    "expect": values.record(
        Expect,
        {
            "legal": _plays,
            "tempting": values.list_of(
                values.record(Tempting, {"play": _some_text, "breaks": _requirement}, ("play", "breaks")),
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
    except values.Wrong as wrong:
        raise _told(wrong, document, where) from None


def _read_file(value: Any) -> list[Scenario]:
    if not isinstance(value, dict):
        raise values.Wrong((), "a mapping with the keys schema, game and scenarios", value)
    file = values.record(
        dict,
        {
            "schema": values.integer(SCHEMA, SCHEMA, f"{SCHEMA}, the version of this form"),
            "game": _name,
            "scenarios": lambda part, path: (part, path),
        },
        ("schema", "game", "scenarios"),
    )(value, ())
    read = values.list_of(_scenario(file["game"]), "scenarios, at least one", 1)
    scenarios: list[Scenario] = list(read(*file["scenarios"]))
    first: dict[str, int] = {}
    for at, scenario in enumerate(scenarios):
        if scenario.name in first:
            named = f"a name of its own (scenarios[{first[scenario.name]}] has this one)"
            raise values.Wrong(("scenarios", at, "name"), named, scenario.name)
        first[scenario.name] = at
    return scenarios


def _scenario(game: str) -> values.Reader:
    record = values.record(lambda **kept: Scenario(game=game, **kept), _FIELDS, ("name", "about", "why"))

    def read(value: Any, path: Path) -> Scenario:
        scenario: Scenario = record(value, path)
        seats = scenario.seats if scenario.seats is not None else len(scenario.names) or SEATS.stop - 1
        if scenario.names and len(scenario.names) != seats:
            raise values.Wrong((*path, "names"), f"{seats} names, one a seat", list(scenario.names))
        if scenario.seat is not None and scenario.seat >= seats:
            raise values.Wrong((*path, "seat"), f"a seat below {seats}, counted from 0", scenario.seat)
        return scenario

    return read


def _told(wrong: values.Wrong, document: Document, where: str) -> ScenarioError:
    place = document.place(wrong.path)
    shown = _shown(wrong.value)
    what = f"{_joined(wrong.path, '') or 'the file'}: expected {wrong.expected}, got {shown}"
    return ScenarioError(visible(f"{where}:{place.line}:{place.column}: {what}"))


def _joined(path: Path, lead: str) -> str:
    """`scenarios[2].hand`, after `lead`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f"{'.' if text else lead}{step}"
    return text


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


def scenario_value(scenario: Scenario) -> dict[str, Any]:
    """The scenario in plain values (those of a file, and `game`), as JSON can hold it; see `scenario_of`."""
    written = {key: _plain(value) for key, value in _written(scenario, counted=False)}
    return {"game": scenario.game, **written}


def scenario_of(value: Any, where: str) -> Scenario:
    """What `scenario_value` was made of. `where` names it in messages.

    Raises ScenarioError for anything wrong, in one line: `WHERE.PATH: expected …, got …`.
    """
    try:
        fields = dict(values.mapping(value, ()))
        game = _name(fields.pop("game", None), ("game",))
        scenario: Scenario = _scenario(game)(fields, ())
    except values.Wrong as wrong:
        path = where + _joined(wrong.path, ".")
        raise ScenarioError(
            visible(f"{path}: expected {wrong.expected}, got {_shown(wrong.value)}")
        ) from None
    return scenario


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


_BARE = ("about", "ending")  # words that mean themselves without quotes; a name may be `12` or `null`


def _written(scenario: Scenario, *, counted: bool = True) -> Iterable[tuple[str, Any]]:
    for name in _FIELDS:
        value = getattr(scenario, name)
        if value == _DEFAULTS[name]:
            continue
        if isinstance(value, Style | Deliver | Expect):
            value = _changed(value)
        elif name == "hand" and counted:
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
