"""Prime Daihinmin as people at the table see it: a `SeatView`.

Law: pure; hands, field and stock are the referee's. A person sees their own hand and of the others the sizes only;
which numbers are legal is the referee's answer, under the rules of the match.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from pdcheck.referee.game import Game, Over
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.plays import legal
from pdcheck.referee.prime_daihinmin.rules import LEAD_CARDS, field_count, judge
from pdcheck.referee.prime_daihinmin.table import Entry, Seat
from pdcheck.referee.violations import Ruling, Violation, elide
from pdcheck.scenarios.prime_daihinmin.players import digits_reply
from pdcheck.scenarios.seatview import Complaint, Due, Hint, Line, Look, Span, broken

HINTS: Final = 12
HINT_DIGITS: Final = 100
"""Of long numbers fewer are shown: the first in full, as it has to be typed, and more while they are shorter in all."""
HINT_TRIES: Final = 2000
"""Candidates put to the primality test for one hint: under a second at 160 digits."""
_PASS: Final = ("p", "pass")
"""Not an empty line: nobody passes by an Enter too many."""
_ENDS: Final = {
    "winner": "{winner} has gone out",
    "stock": "The stock is used up",
    "survivor": "One seat is left",
}


class TableView:
    """A `SeatView` of one match."""

    how = "digits, as `103`, or `p` to pass"
    secret = True
    grid = None

    def __init__(self, game: Game) -> None:
        """Raises TypeError for another game's match."""
        if not isinstance(game, PrimeDaihinmin):
            raise TypeError(f"a {type(game).__name__} is no match of Prime Daihinmin")
        self._game = game
        self._table = game.table

    def pointed(self, cell: object) -> str:
        """Never asked for: there is no grid. Raises NotImplementedError."""
        raise NotImplementedError

    def hear(self, seat: int, message: bytes) -> Due:
        """Notices are acknowledged for the person."""
        del seat
        # The record, which comes last, is not needed, and the action comes first.
        asks = message.startswith(b'{"action": "play"')
        return Due(b"" if asks else b"\n", asks)

    def read(self, seat: int, text: str) -> bytes | Complaint:
        """Digits, with spaces or without; a `p` passes."""
        digits = "".join(text.split())
        if digits.lower() in _PASS:
            return digits_reply("")
        if not (digits.isascii() and digits.isdigit()):
            typed = json.dumps(elide(text, 40), ensure_ascii=False) if digits else "an empty line"
            return Complaint(broken(Violation("PD-2.4", self.how, typed)))
        verdict = judge(
            self._table.seats[seat].hand, self._table.field, list(map(int, digits)), self._game.rules
        )
        if verdict.violation is None:
            return digits_reply(digits)
        return Complaint(broken(verdict.violation))

    def hint(self, seat: int) -> Hint:
        """The smallest legal numbers, as `pdcheck legal` finds them."""
        found, complete = legal(
            self._table.seats[seat].hand, self._table.field, HINTS, self._game.rules, HINT_TRIES
        )
        if not found:
            return Hint(
                ("Only passing is legal." if complete else "No legal number found so far; passing is legal.",)
            )
        which = "Legal" if complete else "Legal, the smallest of them"
        shown = [number for at, number in enumerate(found) if not at or len(number) * (at + 1) <= HINT_DIGITS]
        return Hint((f"{which}: {'  '.join(shown)}",))

    def turn(self) -> int | None:
        """See `SeatView`."""
        table = self._table
        return None if table.end or table.current is None else table.current.index

    def draw(self, look: Look) -> list[Line]:
        """Seats, field, the person's hand, and as much of the record as there is room for."""
        table = self._table
        lines: list[Line] = [self._seat(seat) for seat in table.seats]
        lines += [(), (Span("stock  "), Span(str(len(table.stock)), "bold"), Span(" cards"))]
        lines += [self._field(look.width), *self._hand(look), ()]
        room = look.height - len(lines)
        entries = table.record[-room:] if room > 0 else []
        return [*lines, *(self._entry(entry, look.width) for entry in entries)][: look.height]

    def _seat(self, seat: Seat) -> Line:
        mark, style = (">", "bold") if self.turn() == seat.index else (" ", "")
        state = "" if seat.status == "OK" else f"  {elide(seat.status, 40)}"
        return (Span(f"{mark}{seat.name:<16} {seat.size:>4} cards{state}", style),)

    def _field(self, width: int) -> Line:
        field = self._table.field
        if not field:
            return (Span(f"field  empty: lead with 1 to {LEAD_CARDS} cards"),)
        count = field_count(field)
        rest = f"  ({count} card{'s' * (count > 1)} to play)"
        lying = elide(", ".join(field), max(20, (width - 35) // 2))
        return (Span("field  "), Span(lying, "bold"), Span(rest))

    def _hand(self, look: Look) -> Iterator[Line]:
        if look.seat is None:
            return
        hand = self._table.seats[look.seat].hand
        # Ten counts, in two lines where one is too narrow for them.
        held = [f"{card}:{many}" for card, many in enumerate(hand) if many]
        at_once = len(held) if look.width >= 8 + 6 * len(held) else 5
        for at in range(0, max(1, len(held)), max(1, at_once)):
            label = "       " if at else "hand   "
            yield Span(label), Span("  ".join(f"{one:<4}" for one in held[at : at + at_once]), "bold")

    def _entry(self, entry: Entry, width: int) -> Line:
        field = elide(", ".join(entry.field), max(12, (width - 50) // 2)) or "-"
        return (
            Span(f" {entry.name[:16]:<16} {elide(entry.status, 14):<10} {entry.cards:>4}  {field}", "dim"),
        )

    def told(self, ruling: Ruling) -> str:
        """See `SeatView`."""
        seat = self._table.seats[ruling.seat]
        violation = ruling.violation
        if violation is not None and ruling.outcome != "quit":
            did = "is out for" if ruling.outcome == "out" else "broke"
            return f"{seat.name} {did} {broken(violation)}"
        if ruling.outcome == "pass":
            return f"{seat.name} passes and draws {len(ruling.what)}: {seat.size} cards"
        if ruling.outcome in ("ok", "mersenne", "belphegor"):
            cut = "" if ruling.outcome == "ok" else f" ({ruling.outcome.capitalize()}: the field is cleared)"
            return f"{seat.name} plays {elide(ruling.what, 40)}{cut}: {seat.size} cards"
        return ""

    def result(self, over: Over) -> list[str]:
        """The ranking."""
        end = _ENDS.get(over.reason, over.reason).format(winner=over.facts.get("winner"))
        rows = sorted(over.places, key=lambda place: place.place)
        return [f"{end}.", *(f"{row.place}. {row.name}  {row.score} cards  {row.status}" for row in rows)]
