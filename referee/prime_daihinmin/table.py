"""Prime Daihinmin: the table, its cards, seats and turns (PD-4).

Law: no messages and no time. Every change is one of `play`, `pass_` and `put_out` (a free turn changes nothing);
`next_turn` says whose turn it is and clears the field. One status machine serves every rule set: where every seat
but one has passed since that one's play and its turn comes, it leads an empty field.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pdcheck.referee.game import Place
from pdcheck.referee.prime_daihinmin.rules import DRAW_CARDS, PUBLISHED, RuleSet, Verdict, judge
from pdcheck.referee.violations import Violation

DECK = (301, *[300] * 9)
"""PD-4: 3,001 cards."""
HAND_CARDS = 199
SEATS = range(2, 9)
CARD_OF = bytes.maketrans(b"0123456789", bytes(range(10)))
CUTS = ("MERSENNE", "BELPHEGOR")
IN_PLAY = ("OK", *CUTS)


class Entry(NamedTuple):
    """One record entry: who, with which status, how many cards were left, and the field after the action."""

    name: str
    status: str
    cards: int
    field: tuple[str, ...]


class Move(NamedTuple):
    """An action taken before the first message: `digits` played, or "" for a pass."""

    seat: int
    digits: str


@dataclass(frozen=True, slots=True)
class Setup:
    """A deal, and what has happened since: all that a match starts from.

    `hands`: ten counts a seat; `stock`: digits, drawn from the end; `time`: seconds a seat (sent as it is, so 10 and
    10.0 differ on the wire); `out`: seats that failed at the deal; `before`: actions of other seats since the deal.
    """

    names: tuple[str, ...]
    hands: tuple[tuple[int, ...], ...]
    stock: str
    time: float = 10.0
    out: tuple[int, ...] = ()
    before: tuple[Move, ...] = ()


def deal(names: Sequence[str], seed: int, *, time: float = 10.0, hand_cards: int = HAND_CARDS) -> Setup:
    """A full deck shuffled by `seed` and dealt, `hand_cards` to each seat, in seat order.

    Raises ValueError when the names are not 2 to 8 different ones.
    """
    if len(names) not in SEATS:
        raise ValueError(f"{len(names)} seats: a match has {SEATS.start} to {SEATS.stop - 1}")
    if len(set(names)) != len(names):
        raise ValueError(f"two seats have the same name: {', '.join(names)}")
    deck = list(range(10)) * 300 + [0]
    random.Random(seed).shuffle(deck)
    hands = [counts(deck[i * hand_cards : (i + 1) * hand_cards]) for i in range(len(names))]
    return Setup(tuple(names), tuple(hands), "".join(map(str, deck[len(names) * hand_cards :])), time)


def counts(cards: Iterable[int] | str) -> tuple[int, ...]:
    """Ten counts of the digits given as integers or as a string."""
    tally = [0] * 10
    for card in cards:
        tally[int(card)] += 1
    return tuple(tally)


class Seat:
    """One seat at the table. `status`: OK, PASSED, MERSENNE, BELPHEGOR, or ERROR: and why it is out."""

    __slots__ = ("hand", "index", "name", "out", "size", "status")

    def __init__(self, index: int, name: str, hand: Sequence[int]) -> None:
        self.index = index
        self.name = name
        self.hand = list(hand)
        self.size = sum(hand)
        self.status = "OK"
        self.out = False


class Table:
    """A match in progress. `end` is "" while it goes on, then "winner", "stock" or "survivor"."""

    def __init__(self, setup: Setup, rules: RuleSet = PUBLISHED) -> None:
        self.rules = rules
        self.seats = [Seat(i, n, h) for i, (n, h) in enumerate(zip(setup.names, setup.hands, strict=True))]
        self.stock = list(setup.stock.encode().translate(CARD_OF))
        self.cards = len(self.stock) + sum(seat.size for seat in self.seats)
        self.field: list[str] = []
        self.record: list[Entry] = []
        self.current: Seat | None = None
        self.end = ""

    def open(self, setup: Setup) -> None:
        """Write the deal's entries and take the actions before the first message.

        Raises ValueError naming the action when one of them is not legal or not that seat's turn.
        """
        for seat in self.seats:
            self._enter(seat)
        for number, move in enumerate(setup.before, 1):
            turn = self.next_turn()
            if turn != move.seat:
                raise ValueError(
                    f"action {number} before the start: it is seat {turn}'s turn, not {move.seat}'s"
                )
            if not move.digits:
                self.pass_(move.seat, self.draw())
                continue
            verdict = self.play(move.seat, [int(digit) for digit in move.digits])
            if verdict.violation:
                raise ValueError(f"action {number} before the start: {verdict.violation}")

    def next_turn(self) -> int | None:
        """Whose turn it is, or None when the match has ended."""
        if self.end:
            return None
        if sum(not seat.out for seat in self.seats) <= 1:
            self._finish("survivor")
            return None
        current = self.current
        if current is not None and current.status in CUTS:
            self._clear()
            return current.index
        following = self._following(current)
        if following.status in IN_PLAY and sum(seat.status in IN_PLAY for seat in self.seats) == 1:
            self._clear()
        self.current = following
        return following.index

    def play(self, index: int, cards: Sequence[int]) -> Verdict:
        """Seat `index` plays `cards`; an illegal play changes nothing here (the caller puts the seat out)."""
        seat = self.seats[index]
        verdict = judge(seat.hand, self.field, cards, self.rules)
        if verdict.violation is not None:
            return verdict
        for card in cards:
            seat.hand[card] -= 1
        seat.size -= len(cards)
        seat.status = verdict.status
        self.field.append(verdict.number)
        lost = not seat.size and verdict.status == "BELPHEGOR" and self.rules.belphegor_win_lost
        if not lost:
            self._enter(seat)
        if not seat.size:
            self._finish("winner")
        return verdict

    def draw(self) -> list[int]:
        """Take up to five cards off the stock, in the order drawn."""
        taken = self.stock[: -DRAW_CARDS - 1 : -1]
        del self.stock[len(self.stock) - len(taken) :]
        return taken

    def pass_(self, index: int, drawn: Sequence[int]) -> None:
        """Seat `index` passes with the cards it drew; the match ends when that emptied the stock."""
        seat = self.seats[index]
        for card in drawn:
            seat.hand[card] += 1
        seat.size += len(drawn)
        seat.status = "PASSED"
        self._enter(seat)
        self.close_stock()

    def close_stock(self) -> None:
        """End the match when the stock is empty after a draw."""
        if not self.stock and not self.end:
            self._finish("stock")

    def put_out(self, index: int, why: str, played: Sequence[int] = ()) -> None:
        """Seat `index` is out; `played` are the cards of its refused play (rows 8 and 11)."""
        seat = self.seats[index]
        seat.out = True
        seat.status = f"ERROR:{why}"
        if self.rules.refused_cards_gone and all(seat.hand[card] for card in played):
            for card in played:
                if not seat.hand[card]:
                    break
                seat.hand[card] -= 1
                seat.size -= 1

    def places(self) -> tuple[Place, ...]:
        """The ranking in seat order: fewest cards first, ties share the worst place of the tied group."""
        scores = [self._score(seat) for seat in self.seats]
        return tuple(
            Place(seat.index, seat.name, sum(other <= score for other in scores), score, seat.status)
            for seat, score in zip(self.seats, scores, strict=True)
        )

    def _score(self, seat: Seat) -> int:
        # Row 4: the control program counts only OK, PASSED and MERSENNE as still in.
        lost = seat.out or (seat.status == "BELPHEGOR" and self.rules.belphegor_win_lost)
        return self.cards if lost else seat.size

    def _following(self, current: Seat | None) -> Seat:
        start = -1 if current is None else current.index
        order = self.seats[start + 1 :] + self.seats[: start + 1]
        return next(seat for seat in order if not seat.out)

    def _clear(self) -> None:
        self.field = []
        self._settle_passes()

    def _settle_passes(self) -> None:
        for seat in self.seats:
            if seat.status == "PASSED":
                seat.status = "OK"

    def _enter(self, seat: Seat) -> None:
        self.record.append(Entry(seat.name, seat.status, seat.size, tuple(self.field)))

    def _finish(self, reason: str) -> None:
        self.end = reason
        self._settle_passes()


def violation_words(violation: Violation) -> str:
    """Our own words for an ERROR status: ASCII, one line, short (the record carries them to the other bots)."""
    words = " ".join(f"{violation.requirement} {violation.actual}".split())
    return words.encode("ascii", "replace").decode()[:80]
