"""Prime Daihinmin: which plays exist (PD-3).

Law: pure, in increasing order, and lazy: nothing is looked for that is not asked for. A number made of many
cards can hide among astronomically many arrangements, so every search is given `Tries`, a number of
candidates it may put to the primality test; when they are gone the search stops and `Tries.gone` says so.
"None found" is a proof only while it is false.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gmpy2 import mpz  # type: ignore[import-untyped]
from pdcheck.referee.prime_daihinmin.rules import (
    BELPHEGOR_DIGITS,
    LEAD_CARDS,
    PUBLISHED,
    Counts,
    RuleSet,
    field_count,
    missing_cards,
)
from pdcheck.referee.primes import primality

TRIES: Final = 20_000
"""Candidates tried unless the caller says otherwise: some seconds at 160 digits, well under one at 40."""

_LAST: Final = (1, 3, 7, 9)
"""What a prime of more than one digit may end with."""
_BELPHEGOR_ZEROS: Final = BELPHEGOR_DIGITS.count("0")


class Tries:
    """How many candidates may still be tested, shared by all searches that are given this object."""

    __slots__ = ("gone", "left")

    def __init__(self, left: int = TRIES) -> None:
        self.left = left
        self.gone = False
        """Whether a search was stopped for want of tries."""

    def take(self) -> bool:
        """Use one; false (and `gone`) when there is none."""
        if self.left <= 0:
            self.gone = True
            return False
        self.left -= 1
        return True


class Legal(NamedTuple):
    """Legal plays, smallest first, as digit strings; `complete` when these are proven to be all of them."""

    plays: list[str]
    complete: bool


def legal(
    hand: Counts, field: Sequence[str], limit: int, rules: RuleSet = PUBLISHED, tries: int = TRIES
) -> Legal:
    """The `limit` smallest legal plays (passing, which is always legal, is none of them)."""
    effort = Tries(tries)
    found: list[str] = []
    for play in plays(hand, field, rules, effort):
        if len(found) == limit:
            return Legal(found, False)
        found.append(play)
    return Legal(found, not effort.gone)


def smallest(hand: Counts, count: int, above: str = "", tries: Tries | None = None) -> str | None:
    """The smallest prime made of exactly `count` cards of `hand`, without a leading 0, larger than `above`
    (digits; "" for none). None when there is none, or none among the candidates tried (then `tries.gone`)."""
    return next(primes_of(hand, count, above, tries=tries), None)


def plays(
    hand: Counts, field: Sequence[str], rules: RuleSet = PUBLISHED, tries: Tries | None = None
) -> Iterator[str]:
    """All legal plays as digit strings, by the number they make, then by their leading zeros (where `rules`
    take them). The Belphegor prime stands where its size puts it, also where the field wants another
    count."""
    effort = tries or Tries()
    numbers = _led(hand, rules, effort) if not field else _laid(hand, field, rules, effort)
    return heapq.merge(numbers, _belphegors(hand, rules), key=_by_number)


def _by_number(digits: str) -> tuple[int, str, int]:
    number = digits.lstrip("0")
    return len(number), number, len(digits)


def _belphegors(hand: Counts, rules: RuleSet) -> Iterator[str]:
    if missing_cards(hand, BELPHEGOR_DIGITS):
        return
    for zeros in range(hand[0] - _BELPHEGOR_ZEROS + 1 if rules.long_belphegor else 1):
        yield "0" * zeros + BELPHEGOR_DIGITS


def _led(hand: Counts, rules: RuleSet, tries: Tries) -> Iterator[str]:
    for length in range(1, LEAD_CARDS + 1):
        for number in primes_of(hand, length, tries=tries):
            spare = hand[0] - number.count("0") if rules.leading_zeros else 0
            for zeros in range(min(spare, LEAD_CARDS - length) + 1):
                yield "0" * zeros + number


def _laid(hand: Counts, field: Sequence[str], rules: RuleSet, tries: Tries) -> Iterator[str]:
    count, last = field_count(field), field[-1]
    spare = min(hand[0], count - 1) if rules.leading_zeros else 0
    for zeros in range(spare, -1, -1):
        rest = (hand[0] - zeros, *hand[1:])
        above = primes_of(rest, count - zeros, last, inclusive=rules.equal_numbers, tries=tries)
        for number in above:
            if number != BELPHEGOR_DIGITS:
                yield "0" * zeros + number


def primes_of(
    hand: Counts, count: int, above: str = "", *, inclusive: bool = False, tries: Tries | None = None
) -> Iterator[str]:
    """The primes made of exactly `count` cards of `hand`, increasing, without a leading 0, larger than
    `above` (not smaller, when `inclusive`). Ends early when `tries` are gone."""
    effort = tries or Tries()
    for digits in candidates(hand, count, above, inclusive=inclusive):
        # A lead's primality is read off a table: only longer numbers are worth counting.
        if count > LEAD_CARDS and not effort.take():
            return
        if primality(mpz(digits)).prime:
            yield digits


def candidates(hand: Counts, count: int, above: str = "", *, inclusive: bool = False) -> Iterator[str]:
    """What `primes_of` puts to the test: arrangements of `count` cards in increasing order, less those that
    no one would test (an even or 5 at the end, a digit sum divisible by 3, only the digits 0 and 7)."""
    floor = above.lstrip("0")
    if count < 1 or count > sum(hand) or len(floor) > count:
        return
    floor = floor if len(floor) == count else ""
    if count == 1:
        least = int(floor or 0) + (not inclusive)
        yield from (str(card) for card in (2, 3, 5, 7) if hand[card] and card >= least)
        return
    if not any(hand[card] for card in (1, 2, 3, 4, 5, 6, 8, 9)):
        return
    if not floor:
        yield from _openings("", range(1, 10), list(hand), count)
        return
    if inclusive and not missing_cards(hand, floor):
        yield floor
    # Larger than the floor: the same up to some place, a larger digit there, anything after it. The later the
    # place, the smaller the number.
    pool, shared = _shared(hand, floor)
    for place in range(min(shared, count - 1), -1, -1):
        yield from _openings(floor[:place], range(int(floor[place]) + 1, 10), pool, count)
        if place:
            pool[int(floor[place - 1])] += 1


def _shared(hand: Counts, floor: str) -> tuple[list[int], int]:
    """How many of the floor's first digits the hand holds (at most all but the last), and the hand without
    them."""
    pool = list(hand)
    for place, digit in enumerate(floor[:-1]):
        if not pool[int(digit)]:
            return pool, place
        pool[int(digit)] -= 1
    return pool, len(floor) - 1


def _openings(prefix: str, firsts: range, pool: list[int], count: int) -> Iterator[str]:
    """All candidates that begin with `prefix` and one of `firsts`; `pool` is the hand without the prefix."""
    rest = count - len(prefix) - 1
    residue = sum(map(int, prefix))
    for first in firsts:
        if not pool[first]:
            continue
        start = f"{prefix}{first}"
        total = (residue + first) % 3
        if not rest:
            if first in _LAST and total:
                yield start
            continue
        pool[first] -= 1
        for tail in _tails(pool.copy(), rest, total):
            yield start + tail
        pool[first] += 1


def _tails(pool: list[int], length: int, residue: int) -> Iterator[str]:
    """All ways to go on with `length` cards of `pool`, increasing; `residue` is the digit sum so far modulo
    3.

    A walk down the tree of digits without recursion (1,280 digits would be too deep for it). No step is taken
    that `_can_end` rules out, so that every step leads to a candidate.
    """
    size = sum(pool)
    if size < length or not _can_end(pool, size, length, residue):
        return
    taken: list[str] = []
    card = 0
    while True:
        while card < 10:
            if pool[card]:
                pool[card] -= 1
                size -= 1
                left = length - len(taken) - 1
                total = (residue + card) % 3
                if _can_end(pool, size, left, total) if left else card in _LAST and total:
                    break
                pool[card] += 1
                size += 1
            card += 1
        else:
            if not taken:
                return
            card = int(taken.pop())
            pool[card] += 1
            size += 1
            residue = (residue - card) % 3
            card += 1
            continue
        if left:
            taken.append(str(card))
            residue = total
            card = 0
            continue
        yield "".join(taken) + str(card)
        pool[card] += 1
        size += 1
        card += 1


def _can_end(pool: Sequence[int], size: int, left: int, residue: int) -> bool:
    """Whether `left` ≥ 1 more of the `size` cards of `pool` can end on 1, 3, 7 or 9 with a digit sum that 3
    does not divide. Exact: the sum is forced only where all cards or only cards of one residue are left to
    take."""
    for last in _LAST:
        if not pool[last]:
            continue
        between = left - 1
        total = residue + last
        if between == size - 1:
            total += sum(card * many for card, many in enumerate(pool)) - last
        elif between:
            kinds = {card % 3 for card in range(10) if pool[card] > (card == last)}
            if len(kinds) > 1:
                return True
            total += between * kinds.pop()
        if total % 3:
            return True
    return False
