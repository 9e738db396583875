"""Valtapeli: the contest's ranking, from the scores of its matches.

Law: pure. Every pair plays both ways; `scores[a, b]` is what `a` got as starter against `b`. A point for each opponent
against whom one's score as starter is larger than the opponent's. Those with equal points are told apart by the points
that they got against one another; those still equal by their single scores as starters, sorted from the smallest up and
compared pairwise: the first larger one wins. Whoever is told apart from a group leaves it, and those who stay are
compared again among themselves. What is equal in all of that shares a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

Scores = Mapping[tuple[str, str], int]
"""(starter, second) → the starter's score; one for every ordered pair."""

POINTS: Final = "points"
AMONG: Final = "the results among the tied"
SINGLE: Final = "single match scores from the smallest up"
SHARED: Final = "nothing: they share the place"


class Standing(NamedTuple):
    """One line of the ranking. `by` says what told it apart from the line above it ("" for the first)."""

    place: int
    name: str
    points: int
    scores: tuple[int, ...]
    """Its scores as starter, from the smallest up."""
    by: str


def rank(scores: Scores) -> tuple[Standing, ...]:
    """The ranking, the best first; names that share a place are in the order of the alphabet.

    Raises ValueError when a pair is missing, a name plays itself, or a score is negative.
    """
    names = _checked(scores)
    standings: list[Standing] = []
    for at, (name, by) in enumerate(_ordered(names, scores, 0)):
        place = standings[-1].place if by == SHARED else at + 1
        standings.append(
            Standing(place, name, _points(name, names, scores), _singles(name, names, scores), by)
        )
    return tuple(standings)


def _checked(scores: Scores) -> list[str]:
    names = sorted({name for pair in scores for name in pair})
    for one in names:
        for other in names:
            if one != other and (one, other) not in scores:
                raise ValueError(
                    f"no match in which {one} starts against {other}: every pair plays both ways"
                )
    for (one, other), score in scores.items():
        if one == other:
            raise ValueError(f"{one} cannot play against itself")
        if score < 0:
            raise ValueError(f"{one} against {other}: a score of {score}")
    return names


def _points(name: str, among: Sequence[str], scores: Scores) -> int:
    return sum(scores[name, other] > scores[other, name] for other in among if other != name)


def _singles(name: str, among: Sequence[str], scores: Scores) -> tuple[int, ...]:
    return tuple(sorted(scores[name, other] for other in among if other != name))


def _ordered(group: Sequence[str], scores: Scores, first: int) -> Iterator[tuple[str, str]]:
    """The names of a group, the best first, each with what told it apart from the one before it."""
    for by, key in _CRITERIA[first:]:
        value = key(group, scores)
        parts = [list(part) for _, part in groupby(sorted(group, key=value, reverse=True), key=value)]
        if len(parts) > 1:
            for at, part in enumerate(parts):
                # Those who stay together are a smaller group, whose results among themselves may differ.
                for index, (name, inner) in enumerate(_ordered(sorted(part), scores, 1)):
                    yield name, (by if at else "") if index == 0 else inner
            return
    for index, name in enumerate(group):
        yield name, SHARED if index else ""


_Key = Callable[[Sequence[str], Scores], Callable[[str], Any]]


def _among(group: Sequence[str], scores: Scores) -> Callable[[str], Any]:
    return lambda name: _points(name, group, scores)


def _single(group: Sequence[str], scores: Scores) -> Callable[[str], Any]:
    del group
    everybody = sorted({name for pair in scores for name in pair})
    return lambda name: _singles(name, everybody, scores)


_CRITERIA: Final[tuple[tuple[str, _Key], ...]] = ((POINTS, _among), (AMONG, _among), (SINGLE, _single))
"""Points among all are the first group's points among themselves."""
