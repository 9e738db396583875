"""Prime Daihinmin: what a bot was given in a case, as features that can explain a breakdown.

Law: pure; read from the messages alone. One row of `FEATURES` a feature, the most telling first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pdcheck.referee.prime_daihinmin.rules import DRAW_CARDS
from pdcheck.scenarios.pack import Feature, Span

FEATURES: tuple[Feature, ...] = (
    Feature("short_draw", "PD-2.6", "a pass draws fewer than 5 cards"),
    Feature("error_entries", "PD-2.13", "the record has an ERROR"),
    Feature("belphegor_entries", "PD-2.13", "the record has a BELPHEGOR"),
    Feature("mersenne_entries", "PD-2.13", "the record has a MERSENNE"),
    Feature("passed_entries", "PD-2.13", "the record has a PASSED"),
    Feature("whole_time", "PD-2.10", "`time` is a whole number without a point"),
    Feature("other_time", "PD-2.10", "`time` is not 10"),
    Feature("uid", "PD-2.10", "its seat is {at} or higher"),
    Feature("seats", "PD-2.10", "there are {at} seats or more"),
    Feature("seats", "PD-2.10", "there are only {at} seats", low=True),
    Feature("other_seats", "PD-2.10", "there are not 4 seats"),
    Feature("name_length", "PD-2.10", "a name has {at} characters or more"),
    Feature("name_signs", "PD-2.10", "a name has other characters than letters"),
    Feature("own_cut", "PD-2.14", "it is asked again right after its own cut"),
    Feature("leads_again", "PD-2.14", "all others have passed, and it leads again"),
    Feature("field_shrank", "PD-2.14", "the field is smaller than when it last saw it"),
    Feature("after_draw", "PD-2.9", "it is asked to play after it drew cards"),
    Feature("number_digits", "PD-2.12", "a number on the field has {at} digits or more"),
    Feature("hand_cards", "PD-2.11", "its hand has {at} cards or more"),
    Feature("hand_cards", "PD-2.11", "its hand has only {at} cards", low=True),
    Feature("missing_digits", "PD-2.11", "its hand lacks a digit"),
    Feature("zeros", "IO-1", "its hand has {at} zeros or more"),
    Feature("turns", "IO-1", "it is asked to play {at} times or more"),
)
STATUSES = ("ERROR", "BELPHEGOR", "MERSENNE", "PASSED")
CUTS = ("MERSENNE", "BELPHEGOR")
USUAL_SEATS = 4


def features(messages: Sequence[bytes], _gone: bool = False) -> Mapping[str, Span]:
    """Feature → its span over the messages, which may be several lines each, or half a line; only what they show."""
    spans: dict[str, Span] = {}
    for name, value in _values(messages):
        span = spans.get(name, Span(value, value))
        spans[name] = Span(min(span.least, value), max(span.greatest, value))
    return spans


class _Record:
    """What the record tells. It only grows in a match, so of the next message's only what is new is read."""

    KEY = b'"record": '

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._raw = b"[]"
        self.statuses: set[str] = set()
        self.last: Sequence[Any] = ("", "", 0, [])
        self.played: Sequence[Any] = ("", "", 0, [])
        """The last entry of a number laid on the field."""

    def message(self, line: bytes) -> Any:
        """The message of a line, JSON as the contest writes it or any other; its record is taken in here.

        Raises ValueError and the like for what is no message.
        """
        at = line.rfind(self.KEY)
        if at < 0 or not line.endswith(b"]}"):
            return self._whole(line)
        raw = line[at + len(self.KEY) : -1]
        known = self._raw[:-1]
        if not raw.startswith(known):
            return self._whole(line)
        try:
            message = json.loads(line[:at] + b'"record": []}')
            entries = json.loads(b"[" + raw[len(known) :].lstrip(b", "))
        except ValueError:  # other keys follow
            return self._whole(line)
        self._enter(entries)
        self._raw = raw
        return message

    def _whole(self, line: bytes) -> Any:
        message = json.loads(line)
        if isinstance(message, dict) and "record" in message:
            self._forget()
            self._enter(message["record"])
        return message

    def _enter(self, entries: Sequence[Any]) -> None:
        for entry in entries:
            self.statuses.add(entry[1].partition(":")[0])
            if entry[3] and entry[1] != "PASSED":
                self.played = entry
            self.last = entry


def _values(messages: Sequence[bytes]) -> Iterator[tuple[str, float]]:
    before: dict[str, Any] = {}
    record = _Record()
    drew = False
    turns = 0
    for line in _lines(messages):
        try:
            message = record.message(line)
            action = message.get("action")
            values = list(_of_message(action, message, before, drew, record))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue  # half a line, or a scenario's own message between the game's: it has no features
        yield from values
        if action == "play":
            turns += 1
            yield "turns", turns
        before = message if action == "play" else before
        drew = drew or action == "pass"


def _lines(messages: Sequence[bytes]) -> Iterator[bytes]:
    """The lines of messages that may be several each, or half a one."""
    half = b""
    for message in messages:
        *lines, rest = message.split(b"\n")
        for line in lines:
            yield half + line
            half = b""
        half += rest
    yield half


def _of_message(
    action: object, message: Mapping[str, Any], before: Mapping[str, Any], drew: bool, record: _Record
) -> Iterator[tuple[str, float]]:
    if action == "init":
        yield from _of_init(message)
    elif action == "play":
        yield from _of_play(message, before, drew, record)
    elif action == "pass":
        yield "short_draw", len(message["draw"]) < DRAW_CARDS


def _of_init(message: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    names = message["names"]
    yield "uid", message["uid"]
    yield "seats", len(names)
    yield "other_seats", len(names) != USUAL_SEATS
    yield "name_length", max(map(len, names))
    yield "name_signs", not all(name.isalpha() for name in names)
    yield "whole_time", isinstance(message["time"], int)
    yield "other_time", message["time"] != 10
    yield from _of_hand(message["hand"])


def _of_hand(hand: Sequence[int]) -> Iterator[tuple[str, float]]:
    yield "hand_cards", len(hand)
    yield "missing_digits", len(set(hand)) < 10
    yield "zeros", hand.count(0)


def _of_play(
    message: Mapping[str, Any], before: Mapping[str, Any], drew: bool, record: _Record
) -> Iterator[tuple[str, float]]:
    numbers, name = message["numbers"], message["name"]
    yield from _of_hand(message["hand"])
    yield "number_digits", max(map(len, numbers), default=0)
    for status in STATUSES:
        yield f"{status.lower()}_entries", status in record.statuses
    yield "after_draw", drew
    yield "own_cut", record.last[0] == name and record.last[1] in CUTS
    own_number_stands = record.played[0] == name and record.played[1] == "OK"
    yield "leads_again", own_number_stands and not numbers
    yield "field_shrank", bool(before) and len(numbers) < len(before["numbers"])
