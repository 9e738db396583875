"""Prime Daihinmin: a match that is decided, to the letter of the control program.

Law: pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from pdcheck.referee.game import Over
from pdcheck.scenarios.summary import Summary, Used

END_WORDS = {"stock": "No stock", "survivor": "Only one survivor"}


def summary(over: Over, used: Sequence[Used]) -> Summary:
    """How it ended; then the ranking, from the least score on, and the stock."""
    won = over.reason == "winner"
    aside = f"Winner: {over.facts['winner']}" if won else END_WORDS.get(over.reason, over.reason)
    rows = sorted(
        (place.score, place.name, place.status, used[place.seat].left, place.place) for place in over.places
    )
    told = [f"{place} : {name} {score} {status} {left:.3f}" for score, name, status, left, place in rows]
    return Summary([aside], [*told, f"stock: {over.facts['stock']}"])
