"""Faults against the rules of play (PD-3.1 to PD-3.6).

Law of this file: a play breaks one clause and keeps all others, so that only one ID can be reported: a wrong
count is a held prime larger than the last number, a composite has the right count, and so on. Each bot takes
its temptation whenever hand and field make it possible, and else plays by the book.
"""

from __future__ import annotations

from math import isqrt

from .base import (
    LEADS,
    MERSENNE,
    SMALL_PRIMES,
    Bot,
    Tempted,
    counts_and_floor,
    digits,
    fault,
    find,
    holds,
    is_prime,
    is_strong_probable_prime,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .base import Cards

BELPHEGOR = digits(10**30 + 666 * 10**14 + 1)

# Every composite below 10^5 that passes Fermat's test to base 2.
# fmt: off
PSEUDOPRIMES = (
    341, 561, 645, 1105, 1387, 1729, 1905, 2047, 2465, 2701, 2821, 3277, 4033, 4369, 4371, 4681, 5461,
    6601, 7957, 8321, 8481, 8911, 10261, 10585, 11305, 12801, 13741, 13747, 13981, 14491, 15709, 15841,
    16705, 18705, 18721, 19951, 23001, 23377, 25761, 29341, 30121, 30889, 31417, 31609, 31621, 33153,
    34945, 35333, 39865, 41041, 41665, 42799, 46657, 49141, 49981, 52633, 55245, 57421, 60701, 60787,
    62745, 63973, 65077, 65281, 68101, 72885, 74665, 75361, 80581, 83333, 83665, 85489, 87249, 88357,
    88561, 90751, 91001, 93961,
)
# fmt: on


# PD-3.1: held cards -----------------------------------------------------------------------------------------


def borrow(numbers: list[str], wanted: Callable[[Cards], bool]) -> Cards | None:
    """A prime of the right count, larger than the last number, from a full deck, with `wanted` cards."""
    counts, floor = counts_and_floor(numbers)
    deck = [digit for digit in range(10) for _ in range(max(counts, default=0))]
    return find(deck, counts, floor, lambda number: is_prime(number) and wanted(digits(number)))


@fault("PD-3.1", "MUST", "card-not-held")
class CardNotHeld(Tempted):
    """The cheat plays a digit that it does not hold at all."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return borrow(numbers, lambda cards: not set(cards) <= set(hand))


@fault("PD-3.1", "MUST", "card-twice")
class CardTwice(Tempted):
    """The duplicator plays digits that it holds, but one of them more often than it has it."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return borrow(numbers, lambda cards: set(cards) <= set(hand) and not holds(hand, cards))


@fault("PD-3.1", "MUST", "belphegor-25-zeros")
class Belphegor25Zeros(Bot):
    """The poor devil plays Belphegor's prime with only 20 to 25 of its 26 zeros in hand."""

    def choose(self, hand: Cards, numbers: list[str]) -> Cards | None:
        if 20 <= hand.count(0) < 26 and hand.count(1) >= 2 and hand.count(6) >= 3:
            return BELPHEGOR
        return super().choose(hand, numbers)


# PD-3.2: the lead -------------------------------------------------------------------------------------------


@fault("PD-3.2", "MUST", "six-cards")
class SixCards(Tempted):
    """The impatient leads with a prime of six cards."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return None if numbers else find(hand, (6,), 0, is_prime)


@fault("PD-3.2", "MUST", "most-cards")
class MostCards(Tempted):
    """The glutton leads with a prime of as many cards as it can, up to 20 and not under six."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return None if numbers else find(hand, range(min(20, len(hand)), 5, -1), 0, is_prime)


@fault("PD-3.2", "MUST", "long-mersenne")
class LongMersenne(Tempted):
    """The sharp-cut leads with 131071, 524287 or 2147483647: Mersenne primes, but of more than five cards."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        if numbers:
            return None
        return next((cards for cards in map(digits, MERSENNE[5:]) if holds(hand, cards)), None)


# PD-3.3: the count ------------------------------------------------------------------------------------------


def miscount(hand: Cards, numbers: list[str], size: int, count: int) -> Cards | None:
    """A held prime of `count` cards, larger than the last number, where `size` cards would be right."""
    if not numbers or count == size:
        return None
    return find(hand, (count,), int(numbers[-1]), is_prime)


@fault("PD-3.3", "MUST", "counts-last-number")
class CountsLastNumber(Tempted):
    """The short-sighted counts the cards of the last number only."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return miscount(hand, numbers, size, len(numbers[-1]) if numbers else 0)


@fault("PD-3.3", "MUST", "counts-numbers")
class CountsNumbers(Tempted):
    """The librarian counts numbers in place of cards."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return miscount(hand, numbers, size, len(numbers))


@fault("PD-3.3", "MUST", "doubles-at-once")
class DoublesAtOnce(Tempted):
    """The hasty doubles the last number's count, already at the second play."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return miscount(hand, numbers, size, 2 * len(numbers[-1]) if numbers else 0)


@fault("PD-3.3", "MUST", "five-at-most")
class FiveAtMost(Tempted):
    """The rule reader remembers "one to five cards" and never plays more, whatever lies on the field."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return miscount(hand, numbers, size, min(size, 5))


@fault("PD-3.3", "MUST", "mersenne-any-count")
class MersenneAnyCount(Tempted):
    """The cutter thinks that a larger Mersenne prime may be played whatever the count, as Belphegor's may."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        for number in MERSENNE:
            cards = digits(number)
            if numbers and len(cards) != size and number > int(numbers[-1]) and holds(hand, cards):
                return cards
        return None


# PD-3.4: larger (only the second number on a field can have the right count and not be larger) --------------


@fault("PD-3.4", "MUST", "equal")
class Equal(Tempted):
    """The mirror plays the very number that lies on the field."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return digits(int(numbers[0])) if len(numbers) == 1 and holds(hand, digits(int(numbers[0]))) else None


@fault("PD-3.4", "MUST", "smaller")
class Smaller(Tempted):
    """The limbo dancer goes below the last number."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        if len(numbers) != 1:
            return None
        return find(hand, (size,), 0, lambda number: number < int(numbers[0]) and is_prime(number))


@fault("PD-3.4", "MUST", "smaller-mersenne")
class SmallerMersenne(Tempted):
    """The trump player thinks that a Mersenne prime beats any number of its length."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        for number in MERSENNE:
            cards = digits(number)
            if len(numbers) == 1 and len(cards) == size and number < int(numbers[0]) and holds(hand, cards):
                return cards
        return None


# PD-3.5: a prime --------------------------------------------------------------------------------------------


class WeakTest(Tempted):
    """Plays a composite that its own test takes for a prime."""

    most = 3000  # candidates

    def seems_prime(self, number: int) -> bool:
        raise NotImplementedError

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        counts, floor = counts_and_floor(numbers)
        return find(hand, counts, floor, self.errs, self.most)

    def errs(self, number: int) -> bool:
        return self.seems_prime(number) and not is_prime(number)


class WeakBases(WeakTest):
    """Plays a pseudoprime: one of the table, or above 10^5 one of the form p(2p - 1)."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        counts, floor = counts_and_floor(numbers)
        for number in PSEUDOPRIMES if size <= 5 else self.products(size, floor):
            if len(str(number)) in counts and number > floor and holds(hand, digits(number)):
                if self.errs(number):
                    return digits(number)
        return None

    def products(self, size: int, floor: int) -> list[int]:
        lowest = isqrt(max(floor, 10 ** (size - 1)) // 2) | 1
        pairs = ((p, 2 * p - 1) for p in range(lowest, lowest + 2 * self.most, 2))
        return [p * q for p, q in pairs if pow(2, p - 1, p) == 1 and is_prime(q) and is_prime(p)]


@fault("PD-3.5", "MUST", "fermat-2")
class Fermat2(WeakBases):
    """The classicist trusts Fermat's little theorem to base 2, and plays 341 with pleasure."""

    def seems_prime(self, number: int) -> bool:
        return pow(2, number - 1, number) == 1


@fault("PD-3.5", "MUST", "fermat-2-3-5")
class Fermat235(WeakBases):
    """The careful classicist tries the bases 2, 3 and 5, and falls for a Carmichael number."""

    def seems_prime(self, number: int) -> bool:
        return all(pow(base, number - 1, number) == 1 for base in (2, 3, 5))


@fault("PD-3.5", "MUST", "strong-2")
class Strong2(WeakBases):
    """The modern trusts one Miller-Rabin round to base 2, and plays 2047 with pleasure."""

    def seems_prime(self, number: int) -> bool:
        return is_strong_probable_prime(number, 2)


@fault("PD-3.5", "MUST", "small-factors")
class SmallFactors(WeakTest):
    """The divider tries the primes below 50 and calls the rest prime."""

    def seems_prime(self, number: int) -> bool:
        return number > 1 and all(number % prime for prime in SMALL_PRIMES)


@fault("PD-3.5", "MUST", "one")
class One(Tempted):
    """The ancient holds 1 to be a prime and leads with it."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        return [1] if not numbers and 1 in hand else None


@fault("PD-3.5", "MUST", "odd")
class Odd(WeakTest):
    """The layman takes odd numbers for primes: 9, 15, 21."""

    def seems_prime(self, number: int) -> bool:
        return number > 1 and number % 2 == 1


@fault("PD-3.5", "MUST", "even")
class Even(WeakTest):
    """The contrarian takes even numbers for primes, starting with 4."""

    def seems_prime(self, number: int) -> bool:
        return number % 2 == 0


@fault("PD-3.5", "MUST", "2047-is-mersenne")
class EveryMersenne(Tempted):
    """The collector takes 2^11 - 1 = 2047 = 23 · 89 for a Mersenne prime, because 11 is a prime."""

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        counts, floor = counts_and_floor(numbers)
        return [2, 0, 4, 7] if 4 in counts and floor < 2047 and holds(hand, [2, 0, 4, 7]) else None


@fault("PD-3.5", "MUST", "64-bit")
class SixtyFourBit(WeakTest):
    """The unsigned tests a number modulo 2^64, which shows from 20 digits on."""

    def seems_prime(self, number: int) -> bool:
        return number >= 2**64 and is_prime(number % 2**64)


@fault("PD-3.5", "MUST", "32-bit")
class ThirtyTwoBit(WeakTest):
    """The overflower tests only the lowest 32 bits of a number."""

    def seems_prime(self, number: int) -> bool:
        return is_prime(number % 2**32)


# PD-3.6: no leading zero ------------------------------------------------------------------------------------


@fault("PD-3.6", "MUST", "leading-zero")
class LeadingZero(Tempted):
    """The padder fills up with a leading zero to reach the count.

    On a field of one number the value could not be larger, so there it plays by the book.
    """

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        if 0 not in hand:
            return None
        rest = list(hand)
        rest.remove(0)
        counts, floor = ((size - 1,), int(numbers[-1])) if numbers else (LEADS[1:], 0)
        cards = find(rest, counts, floor, is_prime)
        return cards and [0, *cards]
