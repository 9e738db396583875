"""A transcript: everything that passed between the kit and its players, as it happened.

Law: only appended to; what is judged later is judged from this and nothing else. Times are seconds of the
monotonic clock, written relative to the start, to the nanosecond: what came first stays first. Bytes stay bytes
until the transcript is written as JSON; `Transcript.from_json` gives back what was written, or says what is wrong.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pdcheck.referee.game import Over
from pdcheck.referee.violations import Ruling

SCHEMA = 1
LONGEST = 1 << 28
"""Bytes of a transcript that are read: more than any match leaves."""
GONE_WITHIN = 2.0
"""IO-9, IO-10: seconds a bot has to end by itself; one that does not is noted as `stays`."""
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
        from pdcheck.conformance.transcript_reader import read

        return cls(*read(text, where))

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
