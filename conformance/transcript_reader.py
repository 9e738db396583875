"""A transcript read back from JSON.

Law: what was written comes back, or it is a TranscriptError in one line: where, what was expected, what is there. The
schema is asked for its words only where something is wrong.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable
from typing import Any

from pdcheck import schemas
from pdcheck.conformance.transcript import (
    NOBODY,
    SCHEMA,
    Ended,
    Event,
    Exit,
    Line,
    Note,
    Out,
    Probe,
    Ruled,
    Sent,
    Stderr,
    TranscriptError,
)
from pdcheck.referee.game import Over, Place
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.document import visible

BOM = "\ufeff"


def read(text: str | bytes, where: str) -> tuple[dict[str, Any], float, list[Event]]:
    """Header, start and events of what `Transcript.as_json` gave, written as JSON; `where` names it in messages.

    Raises TranscriptError for anything that is none.
    """
    value = parsed(text, where)
    if not isinstance(value, dict) or not {"events", "seats"} & value.keys():
        raise TranscriptError(f"{where}: the file: expected a transcript of pdcheck, got other JSON")
    events, header = value.pop("events", None), value
    if header.get("schema") != SCHEMA:
        given = json.dumps(header.get("schema"))[:60]
        raise _told(where, "schema", f"{SCHEMA}, the version of this format", given)
    wrong = schemas.explain("transcript", {**header, "events": []})
    if not isinstance(events, list):
        wrong += schemas.explain("transcript", {**header, "events": events})
    if wrong:
        raise _told(where, *wrong[0])
    del header["schema"]
    names = [seat["name"] for seat in header["seats"]]
    return (
        header,
        0.0,
        [event for at, given in enumerate(events) if (event := _read(given, at, names, where))],
    )


def parsed(text: str | bytes, where: str, kind: str = "transcript") -> Any:
    """The JSON value in a file that should hold a `kind`. Raises TranscriptError."""
    bom = text[:3] == BOM.encode() if isinstance(text, bytes) else text[:1] == BOM
    if bom:
        told = "a byte order mark (BOM): save the file as UTF-8 without one"
        raise TranscriptError(f"{where}:1:1: expected a {kind}, got {told}")
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text, parse_constant=_refused)
    except UnicodeDecodeError as error:
        raise TranscriptError(
            f"{where}: expected a {kind}, in JSON, got no UTF-8 at byte {error.start}"
        ) from None
    except RecursionError:
        raise TranscriptError(f"{where}: expected a {kind}, got JSON that is nested too deep") from None
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        end = (
            " (it may have been cut short)"
            if error.pos >= len(error.doc.rstrip()) or "Unterminated" in error.msg
            else ""
        )
        raise TranscriptError(f"{place}: expected a {kind}, got no JSON: {error.msg}{end}") from None
    except _NoNumber as error:
        raise TranscriptError(f"{where}: expected a {kind}, got no JSON: {error}") from None
    except ValueError:
        raise TranscriptError(f"{where}: expected a {kind}, got a number of thousands of digits") from None


class _NoNumber(ValueError):
    """A number that JSON does not have."""


def _refused(constant: str) -> float:
    raise _NoNumber(f"{constant} is no number")


def _told(where: str, path: str, expected: str, actual: str) -> TranscriptError:
    line = f"{where}: {path or 'the file'}: expected {expected}, got {actual}"
    return TranscriptError(visible(line))


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
