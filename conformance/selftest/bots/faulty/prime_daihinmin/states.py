"""Faults in what a message is taken for (PD-2.9 to PD-2.14): hands, seats, sizes, records, unexpected turns.

Law of this file: until the fatal message each bot plays rightly, then it dies with a traceback.
"""

from __future__ import annotations

import sys

from .base import MERSENNE, Bot, Passer, digits, fault, field_size, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import Cards, Message


# PD-2.9: the hand after a draw ------------------------------------------------------------------------------


class KeepsBooks(Passer):
    """Keeps its own hand, and dies when the one it is sent differs. It passes at every turn."""

    books: Cards

    def on_init(self, message: Message) -> str | None:
        self.books = list(message["hand"])
        return super().on_init(message)

    def on_play(self, message: Message) -> str | None:
        if message["hand"] != self.books:
            raise AssertionError(f"I have {len(self.books)} cards, not these {len(message['hand'])}")
        return super().on_play(message)


@fault("PD-2.9", "MUST", "forgets-draw")
class ForgetsDraw(KeepsBooks):
    """The absent-minded does not add what it drew, and dies at its next turn."""


@fault("PD-2.9", "MUST", "unsorted-draw")
class UnsortedDraw(KeepsBooks):
    """The piler puts what it drew on top, and dies when its hand comes back sorted."""

    def on_pass(self, message: Message) -> str | None:
        self.books += message["draw"]
        if message["draw"] == sorted(message["draw"]):
            self.books.sort()
        return super().on_pass(message)


# PD-2.10: seats, names, time --------------------------------------------------------------------------------


@fault("PD-2.10", "MUST", "four-seats")
class FourSeats(Bot):
    """The traditionalist has a table with four seats and dies in a fifth."""

    def on_init(self, message: Message) -> str | None:
        [0, 0, 0, 0][message["uid"]] = len(message["hand"])
        return super().on_init(message)


@fault("PD-2.10", "MUST", "four-opponents")
class FourOpponents(Bot):
    """The host dies when more than four players sit at the table, wherever it sits."""

    def on_init(self, message: Message) -> str | None:
        if len(message["names"]) > 4:
            raise IndexError("too many players")
        return super().on_init(message)


@fault("PD-2.10", "MUST", "two-seats")
class TwoSeats(Bot):
    """The sociable looks for its second neighbour and dies in a game of two."""

    def on_init(self, message: Message) -> str | None:
        others = [name for seat, name in enumerate(message["names"]) if seat != message["uid"]]
        self.neighbours = others[0], others[1]
        return super().on_init(message)


@fault("PD-2.10", "MUST", "float-time")
class FloatTime(Bot):
    """The typed dies when its time is a whole number without a point."""

    def on_init(self, message: Message) -> str | None:
        if not isinstance(message["time"], float):
            raise TypeError(f"time: float expected, {message['time']!r} found")
        return super().on_init(message)


@fault("PD-2.10", "MUST", "ten-seconds")
class TenSeconds(Bot):
    """The conservative dies when it is given a time other than ten seconds."""

    def on_init(self, message: Message) -> str | None:
        if message["time"] != 10:
            raise ValueError(f"time: {message['time']}")
        return super().on_init(message)


@fault("PD-2.10", "MUST", "letters-only")
class LettersOnly(Bot):
    """The registrar dies on a name that is not all letters."""

    def on_init(self, message: Message) -> str | None:
        for name in message["names"]:
            if not name.isalpha():
                raise ValueError(f"bad name {name!r}")
        return super().on_init(message)


@fault("PD-2.10", "MUST", "short-names")
class ShortNames(Bot):
    """The engraver has room for 15 characters and dies on a longer name."""

    def on_init(self, message: Message) -> str | None:
        if max(map(len, message["names"])) > 15:
            raise BufferError("name too long")
        return super().on_init(message)


# PD-2.11, 2.12: sizes ---------------------------------------------------------------------------------------


@fault("PD-2.11", "MUST", "one-card")
class OneCard(Bot):
    """The pairer looks at its two smallest cards and dies with a single one."""

    def on_play(self, message: Message) -> str | None:
        self.smallest = message["hand"][0], message["hand"][1]
        return super().on_play(message)


@fault("PD-2.11", "MUST", "array-of-256")
class ArrayOf256(Bot):
    """The C programmer's hand has room for 256 cards."""

    def on_play(self, message: Message) -> str | None:
        room = [0] * 256
        for place, card in enumerate(message["hand"]):
            room[place] = card
        return super().on_play(message)


@fault("PD-2.11", "MUST", "array-of-1000")
class ArrayOf1000(Bot):
    """The generous C programmer's hand has room for 1,000 cards."""

    def on_play(self, message: Message) -> str | None:
        if len(message["hand"]) > 1000:
            raise IndexError("list assignment index out of range")
        return super().on_play(message)


@fault("PD-2.11", "MUST", "missing-digit")
class MissingDigit(Bot):
    """The collector dies when its hand lacks a digit."""

    def on_play(self, message: Message) -> str | None:
        self.places = [message["hand"].index(digit) for digit in range(10)]
        return super().on_play(message)


@fault("PD-2.12", "MUST", "640-digits")
class SixHundredFortyDigits(Bot):
    """The limiter converts every number on the field, with a limit of 640 digits."""

    def on_play(self, message: Message) -> str | None:
        if hasattr(sys, "set_int_max_str_digits"):
            sys.set_int_max_str_digits(640)
        if any(len(number) > 640 for number in message["numbers"]):
            raise ValueError("Exceeds the limit (640 digits) for integer string conversion")
        return super().on_play(message)


@fault("PD-2.12", "MUST", "1000-digits")
class ThousandDigits(Bot):
    """The record holder has space for a thousand digits, and dies of one more."""

    def on_play(self, message: Message) -> str | None:
        if any(len(number) > 1000 for number in message["numbers"]):
            raise MemoryError("out of digits")
        return super().on_play(message)


@fault("PD-2.12", "MUST", "64-bit")
class SixtyFourBit(Bot):
    """The machine word dies when a number on the field does not fit 64 bits."""

    def on_play(self, message: Message) -> str | None:
        for number in message["numbers"]:
            if len(number) > 20 or int(number) >= 2**64:
                raise OverflowError("stoull: out of range")
        return super().on_play(message)


# PD-2.13: the record ----------------------------------------------------------------------------------------


class ReadsRecord(Bot):
    """Looks every status of the record up, and dies on one that its table lacks."""

    lacks = ""

    def reply(self, message: Message) -> str | None:
        for _, status, _, _ in message.get("record", []):
            if status.startswith(self.lacks):
                raise KeyError(status)
        return super().reply(message)


@fault("PD-2.13", "MUST", "passed")
class DiesOnPassed(ReadsRecord):
    """The tireless never heard of PASSED."""

    lacks = "PASSED"


@fault("PD-2.13", "MUST", "mersenne")
class DiesOnMersenne(ReadsRecord):
    """The secular never heard of MERSENNE."""

    lacks = "MERSENNE"


@fault("PD-2.13", "MUST", "belphegor")
class DiesOnBelphegor(ReadsRecord):
    """The saint never heard of BELPHEGOR."""

    lacks = "BELPHEGOR"


@fault("PD-2.13", "MUST", "error")
class DiesOnError(ReadsRecord):
    """The faultless never thought that a player could err at the deal."""

    lacks = "ERROR"


# PD-2.14: turns that come unexpectedly ----------------------------------------------------------------------


@fault("PD-2.14", "MUST", "again-after-cut")
class AgainAfterCut(Bot):
    """The polite cuts with a Mersenne prime when it can, and dies when it is asked again at once."""

    def on_play(self, message: Message) -> str | None:
        name, status, _, _ = message["record"][-1] if message["record"] else ("", "", 0, [])
        if name == message["name"] and status == "MERSENNE":
            raise RuntimeError("not my turn")
        return super().on_play(message)

    def choose(self, hand: Cards, numbers: list[str]) -> Cards | None:
        size = field_size(numbers)
        for number in MERSENNE:
            cards = digits(number)
            fits = len(cards) == size and number > int(numbers[-1]) if numbers else len(cards) <= 5
            if fits and holds(hand, cards):
                return cards
        return super().choose(hand, numbers)


@fault("PD-2.14", "MUST", "field-only-grows")
class FieldOnlyGrows(Bot):
    """The builder dies when the field is smaller than when it last saw it."""

    seen = 0

    def on_init(self, message: Message) -> str | None:
        self.seen = 0
        return super().on_init(message)

    def on_play(self, message: Message) -> str | None:
        size = field_size(message["numbers"])
        if size < self.seen:
            raise AssertionError(f"{self.seen} cards lay here, now {size}")
        self.seen = size
        return super().on_play(message)


@fault("PD-2.14", "MUST", "leads-once")
class LeadsOnce(Bot):
    """The modest dies when all others have passed on its number and the empty field is its own again."""

    played = False

    def on_play(self, message: Message) -> str | None:
        if self.played and not message["numbers"]:
            raise IndexError(message["numbers"][-1:] or "where is my number?")
        return super().on_play(message)

    def say_number(self, cards: Cards) -> str:
        self.played = int("".join(map(str, cards))) not in MERSENNE
        return super().say_number(cards)

    def say_pass(self) -> str:
        self.played = False
        return super().say_pass()
