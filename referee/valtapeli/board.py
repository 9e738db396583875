"""Valtapeli: the board, whose cells are whose, and what the regions are worth.

Law: pure state of one board; a cell is an index 0 to 255, row by row, and is claimed once. Regions are kept by
union-find as cells are claimed, so the score of a full board costs nothing more than the moves did; `score_of` counts
a board that is only given, by its labels. Which seat is in turn, and what a bot may write, is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

SIZE: Final = 16
CELLS: Final = SIZE * SIZE
FREE, FIRST, SECOND = range(3)
"""What a cell can be: free, or claimed by the player of that turn number."""
SHOWN: Final = ".12"


def cell_at(row: int, column: int) -> int:
    """The index of a cell by row and column, both 1 to 16. Raises ValueError outside the board."""
    if not (1 <= row <= SIZE and 1 <= column <= SIZE):
        raise ValueError(f"no cell {row} {column}: rows and columns are 1 to {SIZE}")
    return (row - 1) * SIZE + column - 1


def coordinates(cell: int) -> tuple[int, int]:
    """Row and column of a cell, both counted from 1."""
    return cell // SIZE + 1, cell % SIZE + 1


def _beside(cell: int) -> tuple[int, ...]:
    row, column = coordinates(cell)
    near = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return tuple(cell_at(r, c) for r, c in near if 1 <= r <= SIZE and 1 <= c <= SIZE)


NEIGHBOURS: Final = tuple(_beside(cell) for cell in range(CELLS))
"""The cells that share a side with each cell: 2 in a corner, 3 at an edge, else 4."""


class Taken(ValueError):
    """A cell that is not free was claimed; the message says whose it is."""


class Board:
    """One board. `owners` has FREE, FIRST or SECOND a cell; `moves` the claimed cells in order. Both are read only."""

    __slots__ = ("_parent", "_size", "_squares", "moves", "owners")

    def __init__(self, moves: Iterable[int] = ()) -> None:
        """The empty board, then these cells claimed in turn by 1, 2, 1, … Raises Taken."""
        self.owners = bytearray(CELLS)
        self.moves: list[int] = []
        self._parent = list(range(CELLS))
        self._size = [1] * CELLS
        self._squares = [0, 0, 0]
        for cell in moves:
            self.claim(cell)

    @property
    def full(self) -> bool:
        """Whether no cell is free."""
        return len(self.moves) == CELLS

    @property
    def turn(self) -> int:
        """The turn number of the player to move: FIRST or SECOND."""
        return FIRST + len(self.moves) % 2

    @property
    def first_free(self) -> int:
        """The first free cell, row by row. Raises ValueError on a full board."""
        return self.owners.index(FREE)

    def is_free(self, cell: int) -> bool:
        """Whether the cell can be claimed."""
        return self.owners[cell] == FREE

    def free(self) -> list[int]:
        """All free cells, row by row."""
        return [cell for cell, owner in enumerate(self.owners) if owner == FREE]

    def claim(self, cell: int) -> None:
        """The player in turn takes this cell. Raises Taken."""
        owners, owner = self.owners, self.turn
        if owners[cell] != FREE:
            row, column = coordinates(cell)
            raise Taken(f"{row} {column} is already claimed by player {owners[cell]}")
        owners[cell] = owner
        self.moves.append(cell)
        self._squares[owner] += 1
        for near in NEIGHBOURS[cell]:
            if owners[near] == owner:
                self._join(cell, near, owner)

    def region_size(self, cell: int) -> int:
        """The size of the region that a claimed cell belongs to."""
        return self._size[self._root(cell)]

    def joined(self, cell: int, owner: int) -> tuple[int, ...]:
        """The sizes of the regions of `owner` that touch this free cell, each once."""
        owners, parent = self.owners, self._parent
        roots: tuple[int, ...] = ()
        for near in NEIGHBOURS[cell]:
            if owners[near] == owner:
                while parent[near] != near:
                    near = parent[near]
                if near not in roots:
                    roots += (near,)
        return tuple([self._size[root] for root in roots]) if roots else ()

    def gain(self, cell: int, owner: int = FIRST) -> int:
        """By how much the squares of `owner`'s regions grow when it claims this free cell."""
        sizes = self.joined(cell, owner)
        if not sizes:
            return 1
        return int((1 + sum(sizes)) ** 2 - sum([size * size for size in sizes]))

    def score(self, owner: int = FIRST) -> int:
        """The sum of A² over the owner's regions; in a match only FIRST gets its own."""
        return self._squares[owner]

    def regions(self, owner: int = FIRST) -> tuple[int, ...]:
        """The sizes of the owner's regions, the largest first."""
        found = [self._size[cell] for cell in self._roots() if self.owners[cell] == owner]
        return tuple(sorted(found, reverse=True))

    def labels(self) -> list[int]:
        """For each cell the number of its region (from 1, as met row by row), 0 where it is free."""
        number: dict[int, int] = {}
        return [
            number.setdefault(self._root(cell), len(number) + 1) if owner else 0
            for cell, owner in enumerate(self.owners)
        ]

    def rows(self) -> tuple[str, ...]:
        """The board as 16 strings of `.`, `1` and `2`."""
        return rows_of(self.owners)

    def _roots(self) -> list[int]:
        return [cell for cell in self.moves if self._parent[cell] == cell]

    def _root(self, cell: int) -> int:
        parent = self._parent
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    def _join(self, one: int, other: int, owner: int) -> None:
        one, other = self._root(one), self._root(other)
        if one == other:
            return
        size = self._size
        if size[one] < size[other]:
            one, other = other, one
        self._parent[other] = one
        # (a + b)² is a² + b² and 2ab more.
        self._squares[owner] += 2 * size[one] * size[other]
        size[one] += size[other]


def rows_of(owners: Sequence[int]) -> tuple[str, ...]:
    """Any 256 owners as 16 strings of `.`, `1` and `2`."""
    shown = "".join([SHOWN[owner] for owner in owners])
    return tuple(shown[at : at + SIZE] for at in range(0, CELLS, SIZE))


def owners_of(rows: Sequence[str]) -> bytearray:
    """The owners that 16 such strings show. Raises ValueError."""
    shown = "".join(rows)
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows) or set(shown) - set(SHOWN):
        raise ValueError(f"a board is {SIZE} strings of {SIZE} signs out of {SHOWN!r}")
    return bytearray([SHOWN.index(sign) for sign in shown])


def regions_of(owners: Sequence[int], owner: int = FIRST) -> tuple[int, ...]:
    """The sizes of the owner's regions on any board, the largest first, by one pass that labels cells."""
    label = [0] * CELLS
    parent: list[int] = []
    sizes: list[int] = []
    for cell in range(CELLS):
        if owners[cell] != owner:
            continue
        left = label[cell - 1] if cell % SIZE and owners[cell - 1] == owner else -1
        above = label[cell - SIZE] if cell >= SIZE and owners[cell - SIZE] == owner else -1
        while left >= 0 and parent[left] != left:
            left = parent[left]
        while above >= 0 and parent[above] != above:
            above = parent[above]
        here = left if left >= 0 else above
        if here < 0:
            here = len(parent)
            parent.append(here)
            sizes.append(0)
        elif above >= 0 and above != here:
            parent[above] = here
            sizes[here] += sizes[above]
        label[cell] = here
        sizes[here] += 1
    return tuple(sorted([s for at, s in enumerate(sizes) if parent[at] == at], reverse=True))


def score_of(owners: Sequence[int], owner: int = FIRST) -> int:
    """The sum of A² over the owner's regions on any board."""
    return sum([size * size for size in regions_of(owners, owner)])
