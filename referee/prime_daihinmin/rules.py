"""Prime Daihinmin: which plays are legal (PD-3), under each rule set.

Law: pure functions of hand, field and cards. One requirement is reported a play, the first broken in the order
3.1, (3.7), 3.6, 3.2/3.3, 3.4, 3.5. A rule set is a row of switches, one for each line of the list of differences
between the announcement and the control program; no code asks for a rule set by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from gmpy2 import mpz  # type: ignore[import-untyped]
from pdcheck.referee.primes import BELPHEGOR, is_mersenne_prime, primality
from pdcheck.referee.violations import Violation, elide

LEAD_CARDS = 5
"""PD-3.2: at most so many cards on an empty field."""
DRAW_CARDS = 5
"""PD-3.9: a pass draws so many cards."""
LONG_DIGITS = 320
BELPHEGOR_DIGITS = str(BELPHEGOR)

Counts = Sequence[int]
"""A hand: how many cards of each digit 0–9."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One reading of the rules; `True` and numbers past zero are the control program's deviations (rows 1–14)."""

    name: str
    leading_zeros: bool = False
    """Row 1: leading zeros are taken; the field is then as long as the integer without them."""
    equal_numbers: bool = False
    """Row 2: a number equal to the last is taken."""
    long_belphegor: bool = False
    """Row 3: the Belphegor prime is taken with any number of zeros before it."""
    belphegor_win_lost: bool = False
    """Row 4: going out with Belphegor scores like being out, and leaves no record entry."""
    free_turns: bool = False
    """Row 5: an action that is not known is a turn in which nothing happens."""
    notice_unheeded: bool = False
    """Row 6: running out of time (or dying) in the pass notice is seen at the next turn only."""
    grace: float = 0.0
    """Row 7: seconds past the budget within which an answer was still taken."""
    refused_cards_gone: bool = False
    """Rows 8 and 11: the cards of a refused play leave the hand all the same."""
    strips_more: bool = False
    """Row 13: form feeds and vertical tabs around an answer count as spaces."""
    keeps_extra_lines: bool = False
    """Row 14: a line too many answers the next message."""


PUBLISHED = RuleSet("published")
V0_11A = RuleSet(
    "v0.11a",
    leading_zeros=True,
    equal_numbers=True,
    long_belphegor=True,
    belphegor_win_lost=True,
    free_turns=True,
    notice_unheeded=True,
    grace=0.0004,
    refused_cards_gone=True,
    strips_more=True,
    keeps_extra_lines=True,
)
MENDED = replace(V0_11A, name="2020-02-02", belphegor_win_lost=False)
RULE_SETS = {rules.name: rules for rules in (PUBLISHED, V0_11A, MENDED)}
DEFAULT_RULES = PUBLISHED.name


class Verdict(NamedTuple):
    """What a play is: its status when legal (OK, MERSENNE, BELPHEGOR), else the violation; and the test used."""

    status: str
    number: str
    """The number as it lies on the field: its digits without leading zeros."""
    violation: Violation | None
    test: str


def field_count(field: Sequence[str]) -> int:
    """How many cards the next play needs: all digits on the field together (PD-3.3); 0 when it is empty."""
    return sum(map(len, field))


def judge(hand: Counts, field: Sequence[str], cards: Sequence[int], rules: RuleSet = PUBLISHED) -> Verdict:
    """Whether `cards` (digits in the order played) may be played from `hand` on `field` (numbers, oldest first)."""
    digits = "".join(map(str, cards))
    missing = missing_cards(hand, digits)
    if missing:
        return _refused("PD-3.1", "cards that are in the hand, each as often as it is there", missing)
    number = digits.lstrip("0") or "0"
    if number == BELPHEGOR_DIGITS and (len(digits) == len(number) or rules.long_belphegor):
        return Verdict("BELPHEGOR", number, None, "the Belphegor prime, 10^30 + 666·10^14 + 1")
    if digits[:1] == "0" and not rules.leading_zeros:
        return _refused("PD-3.6", "a leading digit other than 0", f"{elide(digits)}")
    return _judge_count(field, digits, number, rules) or _judge_prime(number)


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def missing_cards(hand: Counts, digits: str) -> str:
    """Words for the cards of `digits` that `hand` does not hold often enough; empty when it holds them all."""
    for card, digit in enumerate("0123456789"):
        wanted = digits.count(digit)
        if wanted > hand[card]:
            return f"{wanted} × the card {card} played, {hand[card]} in the hand"
    return ""


def _judge_count(field: Sequence[str], digits: str, number: str, rules: RuleSet) -> Verdict | None:
    count = field_count(field)
    if not field:
        if len(digits) > LEAD_CARDS:
            return _refused(
                "PD-3.2",
                f"1 to {LEAD_CARDS} cards on an empty field",
                f"{_cards(len(digits))}: {elide(digits)}",
            )
        return None
    if len(digits) != count:
        lying = f"{_cards(count)} on the field ({elide(', '.join(field))})"
        return _refused(
            "PD-3.3", f"exactly {_cards(count)}: {lying}", f"{_cards(len(digits))}: {elide(digits)}"
        )
    last = field[-1]
    order = (len(number), number), (len(last), last)
    if order[0] < order[1] or (order[0] == order[1] and not rules.equal_numbers):
        relation = "equal" if order[0] == order[1] else "smaller"
        return _refused(
            "PD-3.4", f"a number larger than {elide(last)}", f"{elide(number)}, which is {relation}"
        )
    return None


def _judge_prime(number: str) -> Verdict:
    # A long number is often asked about twice, by the player and by the referee, and costs up to 0.7 s each time.
    return _judge_long(number) if len(number) >= LONG_DIGITS else _judge_anew(number)


def _judge_anew(number: str) -> Verdict:
    value = mpz(number)
    prime, test = primality(value)
    if not prime:
        return _refused("PD-3.5", "a prime number", f"{elide(number)} is not prime ({test})", test)
    return Verdict("MERSENNE" if is_mersenne_prime(value) else "OK", number, None, test)


_judge_long = lru_cache(maxsize=64)(_judge_anew)


def _refused(requirement: str, expected: str, actual: str, test: str = "") -> Verdict:
    return Verdict("ERROR", "", Violation(requirement, expected, actual), test)


def other_reading(hand: Counts, field: Sequence[str], cards: Sequence[int], rules: RuleSet) -> str:
    """A note when a refused play is legal under another rule set, as the list of differences asks; else empty."""
    takers = [
        other.name
        for other in RULE_SETS.values()
        if other != rules and judge(hand, field, cards, other).violation is None
    ]
    return f"the rule set {' or '.join(takers)} would take this" if takers else ""
