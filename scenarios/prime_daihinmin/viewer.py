"""Prime Daihinmin: a match or a case step by step, as rows of cards.

Law: pure. What a seat was told is shown as it was told; between its turns the referee's words carry the field on. A
message that is spelled strangely on purpose, or is none, is a step without cards.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pdcheck.referee.violations import Ruling, elide
from pdcheck.scenarios.view import Chip, Moment, Told, View, ViewMaker, counted

SHOWN_NUMBERS = 8
"""The last numbers of the field that are shown."""
CUTS = ("mersenne", "belphegor")
PLAYS = ("ok", *CUTS)
LONG = 24
"""Digits of a number in a caption."""
SAID: Mapping[str, str] = {
    "init": "{name} has taken its cards",
    "ok": "{name} plays {what}",
    "mersenne": "{name} plays {what}, a Mersenne prime, and leads again",
    "belphegor": "{name} plays {what}, Belphegor's prime, and leads again",
    "pass": "{name} passes and draws {what}",
    "free turn": "{name} does something else ({what}), which changes nothing",
    "out": "{name} is out{tried}",
    "quit": "{name} is told to quit",
    "unasked": "{name} writes what nobody asked for",
}
WRONG_ONLY = ("init", "quit")
"""Outcomes that are worth a step only where something is wrong with them."""


def view(moments: Sequence[Moment], names: Sequence[str], seat: int) -> View | None:
    """What happened, with the hand of each seat whose messages are known; of the others, how many cards they hold."""
    told = {moment.seat for moment in moments if isinstance(moment, Told)} or {seat}
    rows = {"field": "Field", "play": "Played"}
    rows |= {f"hand{known}": f"Hand of {names[known]}" for known in sorted(told)}
    teller = _Teller(ViewMaker(rows | {"sizes": "Cards held"}), names)
    for moment in moments:
        if isinstance(moment, Told):
            teller.told(moment)
        elif moment.outcome in SAID:
            teller.ruled(moment)
    return teller.made.view()


Rows = dict[str, list[Chip | str]]


class _Teller:
    """Turns what happened into steps."""

    def __init__(self, made: ViewMaker, names: Sequence[str]) -> None:
        self.made = made
        self.names = names
        self.field: list[str] = []
        self.leads: int | None = None
        """The seat that played last: when it plays next, it is on an empty field."""
        self.hands: dict[int, list[str]] = {}
        self.sizes: dict[int, int] = {}
        """How many cards each seat holds, as far as that is known."""

    def told(self, moment: Told) -> None:
        """One step for each message in it."""
        for line in moment.data.splitlines():
            message = _message(line)
            if tell := _MESSAGES.get(str(message.get("action"))):
                tell(self, moment.seat, message)

    def dealt(self, seat: int, message: Mapping[str, Any]) -> None:
        """`init`: its hand."""
        self._take_hand(seat, message.get("hand"))
        caption = f"{self.names[seat]} is dealt {len(self.hands.get(seat, ()))} cards"
        self.made.step(caption, rows=self._held(seat))

    def asked(self, seat: int, message: Mapping[str, Any]) -> None:
        """`play`: hand, field and the sizes of all hands, as they really are."""
        self._take_hand(seat, message.get("hand"))
        numbers = message.get("numbers")
        if isinstance(numbers, list):
            self.field = [str(number) for number in numbers]
        led = "" if self.field else ", on an empty field"
        self.sizes.update(_sizes(message.get("hands"), len(self.names)))
        rows: Rows = {"field": self._numbers(), "play": []}
        self.made.step(f"{self.names[seat]} is to play{led}", rows=rows | self._held(seat))

    def drew(self, seat: int, message: Mapping[str, Any]) -> None:
        """`pass`: the cards it draws."""
        drawn = _digits(message.get("draw"))
        self._take_hand(seat, [*self.hands.get(seat, ()), *drawn])
        self.made.step(f"{self.names[seat]} draws {' '.join(drawn)}", rows=self._held(seat))

    def ruled(self, ruling: Ruling) -> None:
        """The referee's word on an action."""
        seat, outcome, what = ruling.seat, ruling.outcome, ruling.what
        if outcome in WRONG_ONLY and not (ruling.violation or ruling.flaws):
            return
        rows: Rows = {"play": []}
        if outcome in PLAYS:
            self.field = [what] if self.leads == seat else [*self.field, what]
            self.leads = seat
            self._give(seat, what)
            rows = {"field": self._numbers("a"), "play": [Chip(elide(what, LONG), "a")]}
        elif outcome == "pass" and seat in self.sizes and seat not in self.hands:
            self.sizes[seat] += len(what)
        elif outcome == "out" and what:
            rows["play"] = [Chip(elide(what, LONG), "!")]
        tried = f" for {elide(what, LONG)}" if what else ""
        drawn = " ".join(what) if outcome == "pass" else elide(what, LONG)
        caption = SAID[outcome].format(name=self.names[seat], what=drawn or "nothing", tried=tried)
        self.made.step(caption, ruling=ruling, rows=rows | self._held(seat))

    def _take_hand(self, seat: int, cards: Any) -> None:
        if isinstance(cards, list):
            self.hands[seat] = sorted(_digits(cards))
            self.sizes[seat] = len(cards)

    def _give(self, seat: int, digits: str) -> None:
        if seat in self.sizes:
            self.sizes[seat] -= len(digits)
        for digit in digits if seat in self.hands else "":
            if digit in self.hands[seat]:
                self.hands[seat].remove(digit)

    def _held(self, seat: int) -> Rows:
        """Its hand, where that is known, and how many cards everybody holds."""
        sizes: list[Chip | str] = [
            f"{elide(self.names[known], LONG)}: {size}" for known, size in sorted(self.sizes.items())
        ]
        if seat not in self.hands:
            return {"sizes": sizes}
        hand: list[Chip | str] = [f"{card}×{count}" for card, count in counted(self.hands[seat])]
        return {f"hand{seat}": hand or ["no cards"], "sizes": sizes}

    def _numbers(self, last: str = "") -> list[Chip | str]:
        """The field, its last number in this tone."""
        shown: list[Chip | str] = [elide(number, LONG) for number in self.field[-SHOWN_NUMBERS:]]
        if len(self.field) > SHOWN_NUMBERS:
            shown.insert(0, f"{len(self.field) - SHOWN_NUMBERS} before")
        return [*shown[:-1], Chip(str(shown[-1]), last)] if shown else []


_MESSAGES = {"init": _Teller.dealt, "play": _Teller.asked, "pass": _Teller.drew}


def _message(line: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _digits(cards: Any) -> list[str]:
    return [str(card) for card in cards] if isinstance(cards, list) else []


def _sizes(hands: Any, seats: int) -> dict[int, int]:
    """The sizes in `hands`, which has a name and a number for each seat, in seat order."""
    if not isinstance(hands, list) or len(hands) != seats:
        return {}
    pairs = [pair for pair in hands if isinstance(pair, list) and len(pair) == 2 and type(pair[1]) is int]
    return {seat: pair[1] for seat, pair in enumerate(pairs)} if len(pairs) == seats else {}
