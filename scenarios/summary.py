"""What `pdcheck match` prints of a match that is decided: the values it is made of, and the plainest way to tell it.

Law: pure. A game tells its own in its pack; nothing here is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pdcheck.referee.game import Over


class Used(NamedTuple):
    """One seat's time in a match, in seconds: what is left of its budget, its CPU time, and for how long it was waited
    for."""

    left: float
    cpu: float
    waited: float


class Summary(NamedTuple):
    """Lines for stderr, then lines for stdout."""

    aside: Sequence[str] = ()
    told: Sequence[str] = ()


def places(over: Over, used: Sequence[Used]) -> Summary:
    """A line a seat: its place, name, score, status and the time it had left."""
    rows = sorted(
        (place.place, place.name, place.score, place.status, used[place.seat].left) for place in over.places
    )
    told = [f"{place} : {name} {score} {status} {left:.3f}" for place, name, score, status, left in rows]
    return Summary(told=told)


def nothing_more(names: Sequence[str], used: Sequence[Used]) -> Summary:
    """For a game whose bots' time says nothing more once they have gone."""
    del names, used
    return Summary()
