"""A transcript: everything that passed between the kit and its players, as it happened.

Law: only appended to; what is judged later is judged from this and nothing else. Times are seconds of the
monotonic clock, written relative to the start, to the nanosecond: what came first stays first. Bytes stay bytes
until the transcript is written as JSON; `Transcript.from_json` gives back what was written, or says what is wrong.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pdcheck import schemas
from pdcheck.referee.game import Over, Place
from pdcheck.referee.violations import Ruling, Violation

SCHEMA = 1
LONGEST = 1 << 28
"""Bytes of a transcript that are read: more than any match leaves."""
NOBODY = -1
"""The seat of what concerns none, such as a probe of the machine; null in JSON."""


class TranscriptError(ValueError):
    """It is no transcript. The message is one line that says where and what was expected."""


class Sent(NamedTuple):
    """A message was written: `at` before the first byte, `done` when the write returned."""

    at: float
    seat: int
    data: bytes
    done: float
    cpu: float


class Line(NamedTuple):
    """An awaited line came; `cost` seconds were charged for it."""

    at: float
    seat: int
    kind: str
    data: bytes
    cost: float
    cpu: float


class Out(NamedTuple):
    """Bytes of a bot's stdout as they were read, asked for or not; of a long unasked piece only the head is kept.

    `size` and `lines` count the bytes and LFs of the whole piece.
    """

    at: float
    seat: int
    data: bytes
    size: int
    lines: int


class Stderr(NamedTuple):
    """Bytes of a bot's stderr."""

    at: float
    seat: int
    data: bytes


class Ruled(NamedTuple):
    """The referee's word."""

    at: float
    ruling: Ruling


class Exit(NamedTuple):
    """A bot's process ended: status, or minus the signal; its CPU seconds and peak resident KiB."""

    at: float
    seat: int
    status: int
    cpu: float
    peak_kib: int


class Note(NamedTuple):
    """Something the kit did or saw: `what` is one of a few words (`eof`, `quit`, `term`, `killed`, `survivors`, …)."""

    at: float
    seat: int
    what: str
    text: str = ""


class Probe(NamedTuple):
    """What the kit saw of a bot, or of the machine, from outside: `what` names the look (`silence`, `conduct`,
    `control`, …), `values` are plain JSON values, each look's own."""

    at: float
    seat: int
    what: str
    values: Mapping[str, Any]


class Ended(NamedTuple):
    """The match was decided."""

    at: float
    over: Over


Event = Sent | Line | Out | Stderr | Ruled | Exit | Note | Probe | Ended


@dataclass
class Transcript:
    """The events of one match or case, with what is needed to know what they were (`header`)."""

    header: dict[str, Any] = field(default_factory=dict)
    start: float = 0.0
    events: list[Event] = field(default_factory=list)
    told: frozenset[int] | None = None
    """The seats whose messages are kept; None: all. In a case those of house players, who are in this process, would
    be most of it, and follow from the rulings."""

    def of(self, seat: int) -> list[Event]:
        """The events of one seat, rulings on it among them."""
        return [event for event in self.events if _seat(event) == seat]

    def as_json(self) -> dict[str, Any]:
        """The JSON value of `schemas/transcript.json`."""
        return {"schema": SCHEMA, **self.header, "events": [self._event(event) for event in self.events]}

    @classmethod
    def from_json(cls, text: str | bytes, where: str = "transcript") -> Transcript:
        """The transcript that `as_json` gave, written as JSON; its clock starts at 0.

        `where` names it in messages. Raises TranscriptError, in one line, for anything that is none.
        """
        value = _parsed(text, where)
        events, header = value.pop("events", None), value
        if header.get("schema") != SCHEMA:
            raise _told(
                where,
                "schema",
                f"{SCHEMA}, the version of this format",
                json.dumps(header.get("schema"))[:60],
            )
        wrong = schemas.explain("transcript", {**header, "events": []})
        if not isinstance(events, list):
            wrong += schemas.explain("transcript", {**header, "events": events})
        if wrong:
            raise _told(where, *wrong[0])
        del header["schema"]
        names = [seat["name"] for seat in header["seats"]]
        read = [event for at, given in enumerate(events) if (event := _read(given, at, names, where))]
        return cls(header, 0.0, read)

    def _event(self, event: Event) -> dict[str, Any]:
        base = {"t": round(event.at - self.start, 9), "seat": _seat(event)}
        match event:
            case Sent():
                done = round(event.done - self.start, 9)
                return base | {"kind": "sent", **_text(event.data), "done": done, "cpu": event.cpu}
            case Line():
                costs = {"cost": round(event.cost, 9), "cpu": round(event.cpu, 9)}
                return base | {"kind": "line", "awaited": event.kind, **_text(event.data), **costs}
            case Out():
                return base | {"kind": "out", **_text(event.data), "size": event.size, "lines": event.lines}
            case Stderr():
                return base | {"kind": "stderr", **_text(event.data)}
            case Ruled():
                return base | {"kind": "ruling", **ruling_json(event.ruling)}
            case Exit():
                return base | {
                    "kind": "exit",
                    "status": event.status,
                    "cpu": round(event.cpu, 9),
                    "peak_kib": event.peak_kib,
                }
            case Note():
                return base | {"kind": "note", "text": event.what, "detail": event.text}
            case Probe():
                return base | {"kind": "probe", "what": event.what, "values": dict(event.values)}
            case Ended():
                over = event.over
                columns = {
                    "scores": [place.score for place in over.places],
                    "places": [place.place for place in over.places],
                    "statuses": [place.status for place in over.places],
                }
                return base | {"kind": "over", "reason": over.reason, **columns, "facts": over.facts}


def ruling_json(ruling: Ruling) -> dict[str, Any]:
    """A ruling as the transcript shows it."""
    violation = ruling.violation
    return {
        "outcome": ruling.outcome,
        "what": ruling.what,
        "requirement": violation.requirement if violation else None,
        "expected": violation.expected if violation else None,
        "actual": violation.actual if violation else None,
        "note": violation.note if violation else None,
        "test": ruling.test or None,
        "flaws": [flaw._asdict() for flaw in ruling.flaws],
    }


def _seat(event: Event) -> int | None:
    if isinstance(event, Ruled):
        return event.ruling.seat
    return None if isinstance(event, Ended) or event.seat == NOBODY else event.seat


def _text(data: bytes) -> dict[str, str]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


# Reading ----------------------------------------------------------------------------------------------------


def _parsed(text: str | bytes, where: str) -> dict[str, Any]:
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        value = json.loads(text, parse_constant=_refused)
    except UnicodeDecodeError as error:
        raise TranscriptError(
            f"{where}: expected a transcript, in JSON, got no UTF-8 at byte {error.start}"
        ) from None
    except RecursionError:
        raise TranscriptError(f"{where}: expected a transcript, got JSON that is nested too deep") from None
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        end = (
            " (it may have been cut short)"
            if error.pos >= len(error.doc.rstrip()) or "Unterminated" in error.msg
            else ""
        )
        raise TranscriptError(f"{place}: expected a transcript, got no JSON: {error.msg}{end}") from None
    except ValueError as error:  # an integer of thousands of digits, a number that JSON does not have
        raise TranscriptError(f"{where}: expected a transcript, got no JSON: {error}") from None
    if not isinstance(value, dict) or not {"events", "seats"} & value.keys():
        raise TranscriptError(f"{where}: the file: expected a transcript of pdcheck, got other JSON")
    return value


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is no number")


def _told(where: str, path: str, expected: str, actual: str) -> TranscriptError:
    line = f"{where}: {path or 'the file'}: expected {expected}, got {actual}"
    return TranscriptError(
        "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    )


class _Wrong(Exception):
    """A value that an event cannot have: its key, and what was expected."""


class _Given:
    """One event's values, each asked for by key and type."""

    def __init__(self, value: dict[str, Any], names: list[str]) -> None:
        self.value = value
        self.names = names

    def number(self, key: str, default: float | None = None) -> float:
        found = self.value.get(key)
        if found is None and default is not None:
            return default
        if not isinstance(found, int | float) or isinstance(found, bool):
            raise _Wrong(key, "a number", found)
        try:
            number = float(found)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise _Wrong(key, "a finite number", found)
        return number

    def integer(self, key: str, default: int | None = None) -> int:
        found = self.value.get(key)
        if found is None and default is not None:
            return default
        if type(found) is not int:
            raise _Wrong(key, "an integer", found)
        return found

    def text(self, key: str, default: str | None = None) -> str:
        found = self.value.get(key)
        if found is None and default is not None:
            return default
        if not isinstance(found, str):
            raise _Wrong(key, "a string", found)
        return found

    def mapping(self, key: str) -> dict[str, Any]:
        found = self.value.get(key, {})
        if not isinstance(found, dict):
            raise _Wrong(key, "an object", found)
        return found

    def items(self, key: str) -> list[Any]:
        found = self.value.get(key, [])
        if not isinstance(found, list):
            raise _Wrong(key, "an array", found)
        return found

    def data(self) -> bytes:
        if "text" in self.value:
            return self.text("text").encode("utf-8")
        return base64.b64decode(self.text("base64"), validate=True)

    def seat(self, *, none: bool = False) -> int:
        found = self.value.get("seat")
        if found is None and none:
            return NOBODY
        if type(found) is not int or not 0 <= found < len(self.names):
            raise _Wrong("seat", f"a seat below {len(self.names)}, counted from 0", found)
        return found


def _sent(at: float, given: _Given) -> Sent:
    return Sent(at, given.seat(), given.data(), given.number("done", at), given.number("cpu", 0.0))


def _line(at: float, given: _Given) -> Line:
    cost, cpu = given.number("cost", 0.0), given.number("cpu", 0.0)
    return Line(at, given.seat(), given.text("awaited", ""), given.data(), cost, cpu)


def _out(at: float, given: _Given) -> Out:
    data = given.data()
    size, lines = given.integer("size", len(data)), given.integer("lines", data.count(b"\n"))
    return Out(at, given.seat(), data, size, lines)


def _ruled(at: float, given: _Given) -> Ruled:
    violation = None
    if given.text("requirement", ""):
        violation = _violation(given)
    flaws = []
    for flaw in given.items("flaws"):
        if not isinstance(flaw, dict):
            raise _Wrong("flaws", "objects", flaw)
        flaws.append(_violation(_Given(flaw, given.names)))
    outcome, what, test = given.text("outcome"), given.text("what", ""), given.text("test", "")
    return Ruled(at, Ruling(given.seat(), outcome, what, violation, tuple(flaws), test))


def _violation(given: _Given) -> Violation:
    requirement, expected, actual = map(given.text, ("requirement", "expected", "actual"))
    return Violation(requirement, expected, actual, given.text("note", ""))


def _ended(at: float, given: _Given) -> Ended:
    scores, places, statuses = map(given.items, ("scores", "places", "statuses"))
    if not len(scores) == len(places) == len(statuses) == len(given.names):
        return Ended(at, Over(given.text("reason"), (), given.mapping("facts")))
    rows = zip(given.names, places, scores, statuses, strict=True)
    ranking = tuple(Place(seat, *row) for seat, row in enumerate(rows))
    return Ended(at, Over(given.text("reason"), ranking, given.mapping("facts")))


_READERS: dict[str, Callable[[float, _Given], Event | None]] = {
    "sent": _sent,
    "line": _line,
    "out": _out,
    "stderr": lambda at, given: Stderr(at, given.seat(), given.data()),
    "ruling": _ruled,
    "exit": lambda at, given: Exit(
        at, given.seat(), given.integer("status"), given.number("cpu", 0.0), given.integer("peak_kib", 0)
    ),
    "note": lambda at, given: Note(at, given.seat(none=True), given.text("text"), given.text("detail", "")),
    "probe": lambda at, given: Probe(at, given.seat(none=True), given.text("what"), given.mapping("values")),
    "over": _ended,
    # Kinds that nothing is judged by.
    "eof": lambda at, given: None,
    "cpu": lambda at, given: None,
}


def _read(value: Any, at: int, names: list[str], where: str) -> Event | None:
    """One event. The schema is asked for its words only where something is wrong: asked about each, it takes longer
    than the match did."""
    given = _Given(value, names) if isinstance(value, dict) else None
    reader = _READERS.get(str(value.get("kind"))) if given else None
    try:
        if given is None or reader is None or type(value.get("t")) not in (int, float):
            raise _Wrong("", "an event", value)
        return reader(given.number("t"), given)
    except (_Wrong, ValueError) as wrong:
        key, expected, found = wrong.args if isinstance(wrong, _Wrong) else ("base64", "base64", str(wrong))
        complaints = schemas.explain("transcript", {"events": [value]})
        for path, wanted, actual in complaints:
            if path.startswith("events[0]"):
                raise _told(where, path.replace("events[0]", f"events[{at}]", 1), wanted, actual) from None
        shown = json.dumps(found)[:60]
        raise _told(where, f"events[{at}]" + (f".{key}" if key else ""), expected, shown) from None
