"""A second, naive reading of the rules: what the tests hold the board against."""

from __future__ import annotations

from collections.abc import Sequence


def regions(owners: Sequence[int], owner: int) -> list[int]:
    """Sizes of the owner's regions by flood fill, the largest first."""
    left = {(at // 16, at % 16) for at, who in enumerate(owners) if who == owner}
    sizes = []
    while left:
        flood = [left.pop()]
        for row, column in flood:
            for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if near in left:
                    left.remove(near)
                    flood.append(near)
        sizes.append(len(flood))
    return sorted(sizes, reverse=True)
