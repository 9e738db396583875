"""Prime Daihinmin: messages to bytes.

Law: ASCII, separators ", " and ": ", keys in the announced order, one LF at the end (PD-2). The record is encoded
once and appended to: a message costs time linear in the new entries, never in all of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from pdcheck.referee.prime_daihinmin.table import Entry, Seat

QUIT = b'{"action": "quit"}\n'


def text(value: object) -> bytes:
    """JSON as the control program writes it (Python's json.dumps with its defaults)."""
    return json.dumps(value).encode("ascii")


def cards(hand: Sequence[int]) -> bytes:
    """A hand of ten counts as its sorted cards: b"0, 0, 7"."""
    return b"".join([_CARD[card] * count for card, count in enumerate(hand)])[:-2]


_CARD = tuple(b"%d, " % card for card in range(10))


class Encoder:
    """Writes the messages of one match; `record` is the table's own growing list."""

    def __init__(self, names: Sequence[str], time: float, record: Sequence[Entry]) -> None:
        self._names = text(list(names))
        self._name = {name: text(name) for name in names}
        self._time = text(time)
        self._record = record
        self._entries = bytearray()
        self._encoded = 0
        self._field: tuple[str, ...] = ()
        self._field_text = b""

    def init(self, seat: Seat) -> bytes:
        """The `init` message of one seat."""
        return b'{"action": "init", "uid": %d, "names": %b, "hand": [%b], "time": %b}\n' % (
            seat.index,
            self._names,
            cards(seat.hand),
            self._time,
        )

    def play(self, seat: Seat, field: Sequence[str], seats: Sequence[Seat]) -> bytes:
        """The `play` message: it is this seat's turn."""
        names = self._name
        hands = b", ".join([b"[%b, %d]" % (names[s.name], s.size) for s in seats])
        return b"".join(
            (
                b'{"action": "play", "name": ',
                self._name[seat.name],
                b', "hand": [',
                cards(seat.hand),
                b'], "numbers": [',
                self._numbers(tuple(field)),
                b'], "hands": [',
                hands,
                b'], "record": [',
                self._whole_record(),
                b"]}\n",
            )
        )

    def pass_(self, seat: Seat, drawn: Sequence[int]) -> bytes:
        """The `pass` notice: the cards drawn, in that order, and the record without this pass."""
        return b"".join(
            (
                b'{"action": "pass", "name": ',
                self._name[seat.name],
                b', "draw": [',
                b", ".join([b"%d" % card for card in drawn]),
                b'], "record": [',
                self._whole_record(),
                b"]}\n",
            )
        )

    def _numbers(self, field: tuple[str, ...]) -> bytes:
        # Consecutive entries mostly share or extend one field, so its text is kept.
        if field is not self._field and field != self._field:
            self._field = field
            self._field_text = ", ".join([f'"{number}"' for number in field]).encode()
        return self._field_text

    def _whole_record(self) -> bytearray:
        record = self._record
        if self._encoded < len(record):
            new = b", ".join([self._entry(entry) for entry in record[self._encoded :]])
            if self._encoded:
                self._entries += b", "
            self._entries += new
            self._encoded = len(record)
        return self._entries

    def _entry(self, entry: Entry) -> bytes:
        status = _STATUS.get(entry.status) or text(entry.status)
        return b"[%b, %b, %d, [%b]]" % (
            self._name[entry.name],
            status,
            entry.cards,
            self._numbers(entry.field),
        )


_STATUS = {status: text(status) for status in ("OK", "PASSED", "MERSENNE", "BELPHEGOR")}
