"""Rulings on recorded plays of 80 digits: the kit against the control program's primality test.

Law: the kit's side is its whole ruling on the bytes of a reply; the control program's is its own test with
as little around it as can be (the reply parsed, the cards taken from the hand, the number made).
"""

from __future__ import annotations

import json
import random
import time

import gmpy2  # type: ignore[import-untyped]
from pdcheck.referee.prime_daihinmin.replies import Number, read_play_reply
from pdcheck.referee.prime_daihinmin.rules import judge
from pdcheck.referee.prime_daihinmin.table import counts

from benchmarks import control
from benchmarks.measure import Options, Result, Row, in_turns, shown
from benchmarks.whole_match import NO_CONTROL

DIGITS = 80
PLAYS = 20
KIT_TIMES = 20
"""The kit rules on them so often a round: samples of about the same length on both sides."""
FIELD = ["10007", "20011", "3000000019", "20000000000000000011", "1" + "0" * 38 + "3"]
HAND = (60,) * 10


def recorded(plays: int = PLAYS, digits: int = DIGITS) -> list[bytes]:
    """Replies with primes, the same in every run."""
    rng = random.Random(digits)
    low, high = 10 ** (digits - 1), 9 * 10 ** (digits - 1)
    primes = [str(gmpy2.next_prime(rng.randrange(low, high))) for _ in range(plays)]
    return [
        json.dumps({"action": "number", "cards": [int(digit) for digit in prime]}).encode()
        for prime in primes
    ]


def run(options: Options) -> Result:
    """One row: the control program's seconds a play by the kit's."""
    if options.control is None:
        return Result(skipped=NO_CONTROL)
    is_prime = control.load(options.control).PrimeDaihinmin.is_prime
    replies = recorded()
    full = [card for card, many in enumerate(HAND) for _ in range(many)]
    assert sum(map(len, FIELD)) == DIGITS
    assert counts(full) == HAND

    def kit() -> float:
        began = time.perf_counter()
        for line in KIT_TIMES * replies:
            reply, _ = read_play_reply(line)
            assert isinstance(reply, Number)
            assert judge(HAND, FIELD, reply.cards).violation is None
        return (time.perf_counter() - began) / len(replies) / KIT_TIMES

    def program() -> float:
        hands = [full.copy() for _ in replies]
        began = time.perf_counter()
        for line, hand in zip(replies, hands, strict=True):
            played = json.loads(line.decode())["cards"]
            for card in played:
                hand.remove(card)
            assert is_prime(None, int("".join(map(str, played))))
        return (time.perf_counter() - began) / len(replies)

    ours, theirs = in_turns((kit, program), options.rounds(16))
    row = Row.of(
        f"ruling at {DIGITS} digits: control program / kit",
        theirs,
        ours,
        at_least=40.0,
        text=f"{shown(theirs)} and {shown(ours)} a play, {PLAYS} recorded primes",
    )
    return Result([row])
