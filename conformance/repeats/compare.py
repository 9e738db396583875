"""Where two runs of one match part, and which names a bot gave.

Law: pure. The others in a match are the kit's and play the same way in every run: up to the first move of the
candidate that differs everything else is the same, so that move is its own doing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from pdcheck.conformance.repeats.talk import Talk, moves
from pdcheck.scenarios.pack import Said

GAP = "     "
"""Between two boards."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first move that differs: its `number` among the candidate's own (from 1), its `place` in the match (from 1),
    the moves `before` it, and what was played in either run."""

    number: int
    place: int
    before: tuple[Said, ...]
    first: Said
    other: Said


def difference(first: Talk, other: Talk, named: str) -> Difference | None:
    """Where the candidate's moves part; None where they do not, or where either run does not count.

    Raises ValueError when somebody else's move is the first that differs: the kit's own players are to blame then.
    """
    if first.stopped or other.stopped or first.seat != other.seat:
        return None
    before: list[Said] = []
    for one, two in zip_longest(moves(first.said, named), moves(other.said, named)):
        if one is None or two is None:  # one was cut shorter: nothing was seen to differ
            return None
        if one != two:
            if one.seat != first.seat:
                raise ValueError(f"seat {one.seat}, a house player, plays {one.what!r} and then {two.what!r}")
            number = 1 + sum(word.seat == first.seat for word in before)
            return Difference(number, len(before) + 1, tuple(before), one, two)
        before.append(one)
    return None


def side_by_side(
    found: Difference, draw: Callable[[Sequence[Said]], Sequence[str]], titles: tuple[str, str]
) -> str:
    """Both positions with the move that differs, drawn beside each other under their titles."""
    left, right = (
        [title, *draw((*found.before, move))]
        for title, move in zip(titles, (found.first, found.other), strict=True)
    )
    width = max(map(len, left))
    rows = zip_longest(left, right, fillvalue="")
    return "\n".join(f"{one:{width}}{GAP}{two}".rstrip() for one, two in rows)


@dataclass(frozen=True, slots=True)
class Naming:
    """A name with the seats it was given in, how often, and the first case it was given in."""

    name: str
    seats: tuple[int, ...]
    times: int
    case: str


def namings(talks: Iterable[tuple[str, Talk]]) -> list[Naming]:
    """The names of all cases, as (case, talk); the most frequent first."""
    times: Counter[str] = Counter()
    seats: dict[str, set[int]] = {}
    cases: dict[str, str] = {}
    for case, talk in talks:
        if talk.name:
            times[talk.name] += 1
            seats.setdefault(talk.name, set()).add(talk.seat)
            cases.setdefault(talk.name, case)
    return [
        Naming(name, tuple(sorted(seats[name])), count, cases[name]) for name, count in times.most_common()
    ]
