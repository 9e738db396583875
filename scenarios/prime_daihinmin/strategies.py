"""Prime Daihinmin: states and matches that play can reach, drawn as structure.

Law: draw the structure, derive the rest. A state is a few small integers: ten counts for the hand, and for
each seat before the candidate what it did; numbers on the field are the next primes after drawn ones, so
every drawing is a state and none is thrown away. Every integer shrinks to the plainest choice, so a failing
state loses all that the failure does not need: a bot that fails with 26 zeros is shown 26 zeros on an empty
field.

In a contestant's own tests::

    from hypothesis import given
    from pdcheck.scenarios.prime_daihinmin.positions import seat_of, setup
    from pdcheck.scenarios.prime_daihinmin.strategies import states

    @given(states())
    def test_my_move_is_legal(state):
        hand = setup(state).hands[seat_of(state)]
        ...  # state.field are the numbers lying there

`generate` makes the same states from a seed alone: without hypothesis's engine, whose choices depend on its
version and on constants it finds in the code around it, so the same seed gives the same list anywhere.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import gmpy2  # type: ignore[import-untyped]
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS, LEAD_CARDS, field_count
from pdcheck.referee.prime_daihinmin.table import SEATS
from pdcheck.referee.primes import is_mersenne_prime
from pdcheck.scenarios.scenario import Scenario

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Pick = Callable[[int, int], int]
"""An integer of [least, most]; a shrinker makes it as small as it can."""

GAME: Final = "prime-daihinmin"
MOST_OF_A_CARD: Final = (4, 40, 150)
"""Hands are of one of these sizes: at most so many of each digit (up to 1,500 cards)."""
CUTS: Final = ("3", "7", "31", "127", "8191", BELPHEGOR_DIGITS)
PASSES, LAYS, CUTS_FIRST, IS_OUT = range(4)
_KINDS: Final = (PASSES, LAYS, LAYS, LAYS, LAYS, PASSES, CUTS_FIRST, IS_OUT)
"""What another seat did, as often as it should come; a seat after the candidate has at most been put out."""
OPPONENTS: Final = ("passer", "steady", "greedy", "cutter", "chaos")
"""House players that stay in to the end, the plainest first."""
MATCH_TURNS: Final = 200
_FRACTIONS: Final = 9_999


def states(name: str = "state") -> SearchStrategy[Scenario]:
    """A hypothesis strategy of situations at the candidate's first turn, as scenarios of one turn.

    `positions.setup` opens each of them. Needs hypothesis, which only this and `matches` import.
    """
    return _drawn(lambda pick: _state(pick, name))


def matches(
    opponents: Sequence[str] = OPPONENTS, *, turns: int = MATCH_TURNS, name: str = "match"
) -> SearchStrategy[Scenario]:
    """A hypothesis strategy of whole small matches: up to `turns` turns of the candidate in any seat.

    Every hand and the stock are drawn, so that they shrink (a seed does not); the others are house players
    out of `opponents`, the plainest first. A match ends by itself: its stock is small.
    """
    return _drawn(lambda pick: _match(pick, tuple(opponents), turns, name))


def generate(seed: int, count: int) -> list[Scenario]:
    """`count` states, named gen-0001 and so on; state n depends on `seed` and n alone."""
    return [_state(_picker(f"state/{seed}/{number}"), f"gen-{number:04}") for number in range(1, count + 1)]


def _picker(seed: str) -> Pick:
    chance = random.Random(seed)
    return lambda least, most: least + int(chance.random() * (most - least + 1))


def _drawn(make: Callable[[Pick], Scenario]) -> SearchStrategy[Scenario]:
    from hypothesis import strategies as st

    @st.composite
    def drawing(draw: Any) -> Scenario:
        return make(lambda least, most: draw(st.integers(least, most)))

    return drawing()


def _state(pick: Pick, name: str) -> Scenario:
    hand = _hand(pick, MOST_OF_A_CARD[pick(0, len(MOST_OF_A_CARD) - 1)])
    seat = pick(0, SEATS.stop - 2)
    seats = max(seat + 1 + pick(0, SEATS.stop - 2 - seat), SEATS.start)
    kinds = [_KINDS[pick(0, len(_KINDS) - 1)] for _ in range(seats)]
    others = [other for other in range(seats) if other != seat]
    if all(kinds[other] == IS_OUT for other in others):
        kinds[others[-1]] = PASSES  # somebody is left to play with
    out = [other for other in others if kinds[other] == IS_OUT]
    before, field = _earlier(pick, kinds[:seat])
    given: dict[str, Any] = {"before": before} if before else {}
    return Scenario(
        game=GAME,
        name=name,
        about="PD-2.3",
        why="A generated state.",
        blame=False,
        seats=seats,
        seat=seat,
        names=_names(pick(0, len(_NAMES)), seats),
        hand=hand,
        field=tuple(field),
        others=given | ({"out": out} if out else {}),
    )


def _earlier(pick: Pick, kinds: Sequence[int]) -> tuple[list[list[Any]], list[str]]:
    """What the seats before the candidate did, as `others.before` has it, and the field they left."""
    moves: list[list[Any]] = []
    field: list[str] = []
    for seat, kind in enumerate(kinds):
        if kind == IS_OUT:
            continue
        if kind == CUTS_FIRST:
            for _ in range(pick(1, 3)):
                # On a field only Belphegor cuts whatever its length; the next cut finds an empty one.
                moves.append([seat, BELPHEGOR_DIGITS if field else CUTS[pick(0, len(CUTS) - 1)]])
                field = []
        number = _lay(pick, field) if kind == LAYS or (kind == CUTS_FIRST and pick(0, 1)) else ""
        if number:
            field.append(number)
        moves.append([seat, number])
    return moves, field


def _lay(pick: Pick, field: Sequence[str]) -> str:
    """The first prime after a drawn point that may be played here and stays on the field; "" if none does."""
    count = field_count(field) or pick(1, LEAD_CARDS)
    least, most = 10 ** (count - 1), 10**count - 1
    if field and len(field[-1]) == count:
        least = int(field[-1]) + 1
    for start in (least + (most - least) * pick(0, _FRACTIONS) // _FRACTIONS, least):
        number = gmpy2.next_prime(start - 1)
        while is_mersenne_prime(number):
            number = gmpy2.next_prime(number)
        if number <= most:
            return str(number)
    return ""


def _hand(pick: Pick, most: int) -> dict[str, int]:
    """Ten counts, each digit missing one time in four or more; at least one card."""
    drawn = {str(card): pick(0, most) if pick(0, 3) else 0 for card in range(10)}
    return {card: count for card, count in drawn.items() if count} or {"1": 1}


_NAMES: Final = (
    lambda seat: f"{seat}.{'Long-name' * 4}"[:32],  # as long as the entry rules allow, a digit first
    lambda seat: "abcdefgh"[seat],
    lambda seat: f"x{'.-' * seat}",
)


def _names(style: int, seats: int) -> tuple[str, ...]:
    return tuple(_NAMES[style - 1](seat) for seat in range(seats)) if style else ()


def _match(pick: Pick, opponents: Sequence[str], turns: int, name: str) -> Scenario:
    most = (1, 3, 8)[pick(0, 2)]
    dealt: list[tuple[dict[str, int], str]] = []
    # One block of choices a seat, so that a shrinker can take a whole seat away.
    while len(dealt) < SEATS.start or (len(dealt) < SEATS.stop - 1 and pick(0, 3)):
        dealt.append((_hand(pick, most), opponents[pick(0, len(opponents) - 1)]))
    seat = pick(0, len(dealt) - 1)
    others = {str(other): part for other, part in enumerate(dealt) if other != seat}
    first = pick(0, 9)
    return Scenario(
        game=GAME,
        name=name,
        about="PD-2.3",
        why="A generated match.",
        blame=False,
        seats=len(dealt),
        seat=seat,
        hand=dealt[seat][0],
        others={
            "hands": {other: hand for other, (hand, _) in others.items()},
            "players": {other: player for other, (_, player) in others.items()},
            "before": [],
            "stock": "".join(str((first + 7 * at) % 10) for at in range(pick(1, 60))),
        },
        turns=turns,
    )
