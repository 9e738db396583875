"""Valtapeli: a match step by step, on its board.

Law: pure. The board of every step is what the referee's words make of it. A region of the starter has a tone of its
own as soon as it has two cells, and its size is written in its first cell; the other seat's cells score nothing and
are grey.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pdcheck.referee.valtapeli.board import CELLS, FIRST, NEIGHBOURS, SIZE, Board
from pdcheck.referee.valtapeli.codec import read_move
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.view import TONES, Cell, Chip, Moment, View, ViewMaker

OTHER, SINGLE = "x", "s"
LARGEST = 8
"""So many regions are told by their size beside the board."""
CLAIMS = ("move", "replaced")
"""Outcomes of rulings that claim a cell."""
SAID: Mapping[str, str] = {
    "name": "{name} says its name: {what}",
    "stopped": "{name} is stopped{tried}",
    "move": "{number}. {name}: {what}",
    "replaced": "{number}. {name}, stopped, gets the first free cell: {what}",
}


def view(moments: Sequence[Moment], names: Sequence[str], seat: int) -> View | None:
    """The match as the referee told it; the seat in question is marked in the row of who is to move."""
    del seat  # both seats see the whole board
    made = ViewMaker(
        {"turn": "To move", "score": f"Score of {names[0]}", "regions": "Largest regions"},
        grid=(SIZE, SIZE),
        legend={
            SINGLE: f"{names[0]}, who starts: single cells",
            TONES[0]: f"{names[0]}: regions, each in a colour of its own, with its size",
            OTHER: f"{names[1]}: cells that score nothing",
        },
    )
    painter = _Painter()
    for moment in moments:
        if isinstance(moment, Ruling) and moment.outcome in (*SAID, "unasked"):
            _step(made, painter, moment, names)
    return made.view()


def board_view(
    moves: Sequence[int],
    names: Sequence[str] = ("first", "second"),
    *,
    title: str = "",
    bad: int | None = None,
) -> View | None:
    """The view of a match of which only the cells in their order are known; `bad`: the number of a move to point at,
    counted from 0."""
    rulings = [
        Ruling(at % 2, "move", f"{cell // SIZE + 1} {cell % SIZE + 1}") for at, cell in enumerate(moves)
    ]
    made = view(rulings, names, 0)
    if made is None:
        return None
    if bad is not None:
        made["steps"][bad] |= {"mark": "wrong", "bad": moves[bad]}
    return made | ({"title": title} if title else {})


def _step(made: ViewMaker, painter: _Painter, ruling: Ruling, names: Sequence[str]) -> None:
    board = painter.board
    cell = read_move(ruling.what.encode("utf-8", "replace")).cell
    name = names[ruling.seat]
    if ruling.outcome in CLAIMS and cell is not None and board.is_free(cell):
        cells = painter.claim(cell)
        made.step(
            _caption(ruling, name, len(board.moves)),
            ruling=ruling,
            cells=cells,
            at=cell,
            rows=painter.rows(names),
        )
        return
    last = board.moves[-1] if board.moves else None
    caption = _caption(ruling, name, len(board.moves))
    bad = cell if ruling.outcome == "stopped" else None
    made.step(caption, ruling=ruling, at=last, bad=bad, rows=painter.rows(names))


def _caption(ruling: Ruling, name: str, number: int) -> str:
    tried = f" at its move {ruling.what}" if ruling.what else ""
    words = SAID.get(ruling.outcome, "{name} writes what nobody asked for")
    return words.format(name=name, what=ruling.what, number=number, tried=tried)


class _Painter:
    """A board, and the tones of its regions, each kept under the first of its cells."""

    def __init__(self) -> None:
        self.board = Board()
        self._tones: dict[int, str] = {}
        """First cell of each of the starter's regions → its tone."""
        self._cells: list[Cell] = [Cell()] * CELLS

    def claim(self, cell: int) -> dict[int, Cell]:
        """The player in turn takes the cell; what changed on the board."""
        owner = self.board.turn
        self.board.claim(cell)
        if owner != FIRST:
            return self._put({cell: Cell(OTHER)})
        region = sorted(self._region(cell))
        joined = {first: self._tones.pop(first) for first in region if first in self._tones}
        tone = self._tone(cell, region, joined)
        self._tones[region[0]] = tone
        size = str(len(region))
        return self._put({member: Cell(tone, size if member == region[0] else "") for member in region})

    def rows(self, names: Sequence[str]) -> dict[str, list[Chip | str]]:
        """What stands beside the board."""
        board = self.board
        regions = sorted(((board.region_size(first), -first) for first in self._tones), reverse=True)
        shown: list[Chip | str] = [
            Chip(f"{size}² = {size * size}", self._tones[-at]) for size, at in regions[:LARGEST]
        ]
        if len(regions) > LARGEST:
            shown.append(f"and {len(regions) - LARGEST} more")
        turn: list[Chip | str] = ["nobody: it is full" if board.full else names[board.turn - FIRST]]
        return {"turn": turn, "score": [str(board.score())], "regions": shown}

    def _tone(self, cell: int, region: Sequence[int], joined: Mapping[int, str]) -> str:
        """That of the largest region it joined; a new one has the tone that is used least, and least near it."""
        if len(region) == 1:
            return SINGLE
        own = [tone for tone in joined.values() if tone != SINGLE]
        if own:
            counts = {tone: sum(self._cells[member].tone == tone for member in region) for tone in own}
            return max(own, key=lambda tone: (counts[tone], -TONES.index(tone)))
        used = list(self._tones.values())
        near = {
            self._cells[other].tone
            for member in region
            for side in NEIGHBOURS[member]
            for other in NEIGHBOURS[side]
        }
        return min(TONES, key=lambda tone: (used.count(tone), tone in near, tone))

    def _region(self, cell: int) -> Iterator[int]:
        """The cells of its region."""
        seen, todo = {cell}, [cell]
        while todo:
            here = todo.pop()
            yield here
            more = [
                near for near in NEIGHBOURS[here] if near not in seen and self.board.owners[near] == FIRST
            ]
            seen.update(more)
            todo += more

    def _put(self, cells: Mapping[int, Cell]) -> dict[int, Cell]:
        changed = {at: cell for at, cell in cells.items() if self._cells[at] != cell}
        for at, cell in changed.items():
            self._cells[at] = cell
        return changed
