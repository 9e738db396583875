"""How the cost of the next message grows with the record: with its size only, as copying it does.

Law: a message after one new entry, with n entries behind it, against a plain copy of its bytes; and the
cost of an entry when the whole record is encoded once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from pdcheck.referee.prime_daihinmin.codec import Encoder
from pdcheck.referee.prime_daihinmin.table import Entry, Seat, counts

from benchmarks.measure import Options, Result, Row, Side, in_turns, median

SIZES = (100, 1_000, 10_000)
NAMES = ("Opponent", "Candidate")
SEATS = tuple(Seat(index, name, counts("0123456789" * 20)) for index, name in enumerate(NAMES))
MESSAGE_WITHIN = 3.0
"""A message is joined from its parts once; three copies leave room for the allocator's moods."""
ENTRY_WITHIN = 2.0
"""Encoding an entry costs the same whatever stands before it; a quadratic record would give 100."""


def entry(number: int) -> Entry:
    """A record entry like those of a match: four kinds of fields."""
    field = ("10007", "20011", "4000000007")[: number % 4]
    return Entry(NAMES[number % 2], "OK", 199 - number % 150, field)


class NextMessage:
    """Seconds of one more `play` message after one new entry, with `entries` behind it."""

    def __init__(self, entries: int, repeat: int = 20) -> None:
        self.entries = entries
        self.repeat = repeat
        self.record = [entry(number) for number in range(entries)]
        self.encoder = Encoder(NAMES, 10.0, self.record)
        self.message = self._next()

    def __call__(self) -> float:
        del self.record[self.entries :]
        self.encoder = Encoder(NAMES, 10.0, self.record)
        self._next()
        spent = 0.0
        for number in range(self.repeat):
            self.record.append(entry(number))
            began = time.perf_counter()
            self.message = self._next()
            spent += time.perf_counter() - began
        return spent / self.repeat

    def _next(self) -> bytes:
        return self.encoder.play(SEATS[0], (), SEATS)

    def copy(self) -> float:
        """Seconds of a plain copy of that message."""
        data = bytearray(self.message)
        return _timed(lambda: b"".join((data, b"\n")), self.repeat)

    def first(self) -> float:
        """Seconds an entry of encoding the whole record once."""
        encoder = Encoder(NAMES, 10.0, self.record)
        return _timed(lambda: encoder.play(SEATS[0], (), SEATS), 1) / len(self.record)

    def anew(self) -> float:
        """Seconds of the whole record through `json.dumps`: the price of keeping nothing, each turn."""
        return _timed(lambda: json.dumps(self.record).encode(), 1)


def run(options: Options) -> Result:
    """What grows from the shortest record to the longest: a message by its copy, an entry not at all."""
    result = Result()
    found: dict[int, list[float]] = {}
    fastest: list[list[float]] = []
    result.lines.append("   entries  message bytes  next message  plain copy  an entry  json.dumps of all")
    for entries in SIZES:
        case = NextMessage(entries)
        sides: tuple[Side, ...] = (case, case.copy, case.first, case.anew)
        taken = in_turns(sides, options.rounds(20))
        fastest.append([min(side) for side in taken])
        ours, copied, each, anew = found[entries] = [median(side) * 1e6 for side in taken]
        result.lines.append(
            f"   {entries:7,}  {len(case.message):13,}  {ours:9.1f} µs  {copied:7.1f} µs  {each:5.2f} µs"
            f"  {anew:14.0f} µs"
        )
    least, most = found[SIZES[0]], found[SIZES[-1]]
    span = f"{SIZES[0]:,} to {SIZES[-1]:,} entries"
    result.rows.append(
        Row(
            "record: growth of a message / of its copy",
            (most[0] - least[0]) / (most[1] - least[1]),
            (fastest[-1][0] - fastest[0][0]) / (fastest[-1][1] - fastest[0][1]),
            at_most=MESSAGE_WITHIN,
            text=f"{span}: {most[0] - least[0]:.0f} µs more a message, {most[1] - least[1]:.0f} a copy",
        )
    )
    result.rows.append(
        Row(
            "record: cost of an entry, longest / shortest",
            most[2] / least[2],
            fastest[-1][2] / fastest[0][2],
            at_most=ENTRY_WITHIN,
            text=f"{span}: {least[2]:.2f} µs and {most[2]:.2f} µs an entry, encoded once",
        )
    )
    return result


def _timed(work: Callable[[], object], times: int) -> float:
    began = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - began) / times
