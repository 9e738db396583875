"""Valtapeli: a match that is decided, with the board drawn, and the time its bots have used.

Law: pure; read from the referee's facts alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pdcheck.referee.game import Over
from pdcheck.referee.valtapeli.board import SIZE
from pdcheck.scenarios.summary import Summary, Used

SIGNS = {"1": "#", "2": ".", ".": " "}
"""How a cell is drawn: player 1's so that its regions stand out, player 2's as their ground."""


def summary(over: Over, used: Sequence[Used]) -> Summary:
    """The board, the regions of player 1 and its score; what a seat was stopped for was told before."""
    del used
    names = [place.name for place in over.places]
    stopped = [f"stopped: {place.name}" for place in over.places if place.status != "OK"]
    legend = f"{SIGNS['1']} {names[0]} (player 1)   {SIGNS['2']} {names[1]} (player 2)"
    return Summary(
        stopped,
        [
            *drawn(over.facts["board"]),
            legend,
            f"regions: {_regions(over.facts['regions'])}",
            f"score: {names[0]} {over.places[0].score}",
        ],
    )


def drawn(rows: Sequence[str]) -> list[str]:
    """16 rows of `1`, `2` and `.` as 17 lines, with the numbers of rows and columns."""
    head = "   " + "".join(f"{column:3}" for column in range(1, SIZE + 1))
    return [
        head,
        *(f"{at:3}" + "".join(f"  {SIGNS[sign]}" for sign in row) for at, row in enumerate(rows, 1)),
    ]


def _regions(sizes: Sequence[int]) -> str:
    """How many there are of each size, the largest first."""
    counted = Counter(sizes)
    parts = [f"{size}" if many == 1 else f"{many} of {size}" for size, many in sorted(counted.items())[::-1]]
    return f"{len(sizes)} ({', '.join(parts)})" if parts else "none"


def times(names: Sequence[str], used: Sequence[Used]) -> Summary:
    """Both kinds of time of each seat: of the CPU, to its very end, and by the clock while it was waited for."""
    rows = zip(names, used, strict=True)
    return Summary(
        told=[f"time: {name} {used.cpu:.3f} s of CPU, {used.waited:.3f} s waited for" for name, used in rows]
    )
