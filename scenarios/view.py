"""A view: a match or a case step by step, as plain data that any report can draw and that knows no game.

Law: pure, and JSON-able. A view is what `schemas/view.json` says: perhaps a grid of cells, perhaps rows of chips
(cards, names, sizes), and steps, each of which holds only what it changes. A game makes its views with `ViewMaker`,
from what a seat was told and what the referee said; whoever draws one starts from nothing and takes the steps in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from pdcheck.referee.violations import Ruling, elide
from pdcheck.scenarios.document import visible

STEPS = 600
"""Steps of a view at most; of a longer story the last ones are kept."""
CHIPS = 24
"""Chips in a row at most."""
LONGEST = 160
"""Characters of a caption at most; a note may have twice as many, a chip a quarter."""
TONES = "abcdefghijkl"
"""Tones that tell things apart; `s` is a pale one, `x` a grey one, `!` the one of what is wrong, none the ground."""

_CELL = re.compile(r"(\d+)=([a-lsx!]?)([0-9A-Z]*)")

View = dict[str, Any]


class Told(NamedTuple):
    """A message that was written to a seat."""

    seat: int
    data: bytes


Moment = Told | Ruling
"""One thing that happened, as a viewer takes it: a message to a seat, or the referee's word on what a seat did."""

Viewer = Callable[[Sequence[Moment], Sequence[str], int], View | None]
"""`viewer(moments, names, seat)`: the view of what happened; `names` are those of all seats, `seat` is the one that it
is about. None where there is nothing to see."""


class Cell(NamedTuple):
    """What a cell of the grid shows: its tone, and a label of a few digits or capitals."""

    tone: str = ""
    label: str = ""


class Chip(NamedTuple):
    """One piece of a row."""

    text: str
    tone: str = ""


@dataclass
class ViewMaker:
    """Makes a view, step by step. `rows`: key → label, in their order; `legend`: tone → what it means.

    `grid` is (rows, columns), or None where there is no board.
    """

    rows: Mapping[str, str]
    grid: tuple[int, int] | None = None
    legend: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    _steps: list[dict[str, Any]] = field(default_factory=list)
    _shown: dict[str, list[str]] = field(default_factory=dict)

    def step(
        self,
        caption: str,
        *,
        ruling: Ruling | None = None,
        cells: Mapping[int, Cell] | None = None,
        at: int | None = None,
        bad: int | None = None,
        rows: Mapping[str, Sequence[Chip | str]] | None = None,
    ) -> None:
        """One more step. `cells` and `rows`: what may have changed; `at`: the cell of the action, `bad`: one that it
        should not have been. Of the ruling it tells which requirements broke, and how."""
        made: dict[str, Any] = {"caption": _told(caption)}
        if ruling is not None:
            made |= _broken(ruling)
        if cells:
            made["cells"] = _written(cells)
        made |= {key: cell for key, cell in (("at", at), ("bad", bad)) if cell is not None}
        if changed := self._changed(rows or {}):
            made["rows"] = changed
        self._steps.append(made)

    def view(self) -> View | None:
        """The view, None where nothing happened."""
        if not self._steps:
            return None
        left_out = max(0, len(self._steps) - STEPS)
        made: View = {"title": _told(self.title)} if self.title else {}
        if self.grid:
            made["grid"] = list(self.grid)
        if self.legend:
            made["legend"] = [f"{tone}:{_told(text)}" for tone, text in self.legend.items()]
        made["rows"] = [[key, _told(label)] for key, label in self.rows.items()]
        if left_out:
            made["left_out"] = left_out
        made["steps"] = [_merged(self._steps[: left_out + 1]), *self._steps[left_out + 1 :]]
        return made

    def _changed(self, rows: Mapping[str, Sequence[Chip | str]]) -> dict[str, list[str]]:
        changed = {}
        for key, chips in rows.items():
            if key not in self.rows:
                raise KeyError(f"no row {key!r}; there are: {', '.join(self.rows)}")
            told = [_chip(chip) for chip in chips[:CHIPS]]
            told += [f":+{len(chips) - CHIPS}"] if len(chips) > CHIPS else []
            if self._shown.get(key, []) != told:
                self._shown[key] = changed[key] = told
        return changed


@dataclass
class Picture:
    """How a view stands after some of its steps: `cells` by index, `rows` by key, and the last step itself."""

    cells: dict[int, Cell] = field(default_factory=dict)
    rows: dict[str, list[Chip]] = field(default_factory=dict)
    step: Mapping[str, Any] = field(default_factory=dict)

    def take(self, step: Mapping[str, Any]) -> None:
        """One more step."""
        for index, cell in cells_of(step):
            self.cells[index] = cell
        for key, chips in step.get("rows", {}).items():
            self.rows[key] = [chip_of(text) for text in chips]
        self.step = step


def picture(view: View, at: int) -> Picture:
    """The picture after step `at`, counted from 0."""
    made = Picture()
    for step in view["steps"][: at + 1]:
        made.take(step)
    return made


def telling(view: View, requirement: str = "") -> int:
    """The step to look at first, counted from 0: the last that broke the requirement, or any, or the last of all."""
    steps = view["steps"]
    for wanted in ({requirement}, None):
        for at in range(len(steps) - 1, -1, -1):
            breaks = set(steps[at].get("breaks", ()))
            if breaks and (wanted is None or wanted & breaks):
                return at
    return len(steps) - 1


def cells_of(step: Mapping[str, Any]) -> Iterator[tuple[int, Cell]]:
    """The cells that a step changes, with their indices."""
    for text in step.get("cells", "").split():
        if found := _CELL.fullmatch(text):
            yield int(found[1]), Cell(found[2], found[3])


def chip_of(text: str) -> Chip:
    """A chip as it is written in a view: its tone, a colon, its text."""
    tone, _, shown = text.partition(":")
    return Chip(shown, tone)


def misfit(view: View) -> tuple[str, str, str] | None:
    """What the schema cannot say of a view that is valid by it: where, what is expected, what is there; or None."""
    size = view["grid"][0] * view["grid"][1] if "grid" in view else 0
    keys = {key for key, _ in view["rows"]}
    for at, step in enumerate(view["steps"]):
        for key in ("at", "bad"):
            if step.get(key, -1) >= size:
                return f"steps[{at}].{key}", f"a cell below {size}", str(step[key])
        for index, _ in cells_of(step):
            if index >= size:
                return f"steps[{at}].cells", f"cells below {size}", str(index)
        if strange := sorted(set(step.get("rows", ())) - keys):
            return f"steps[{at}].rows", f"keys of the view's rows ({', '.join(sorted(keys))})", strange[0]
    return None


def counted(values: Sequence[Any]) -> list[tuple[Any, int]]:
    """Equal neighbours as one, with how many they are."""
    starts = [at for at, value in enumerate(values) if not at or values[at - 1] != value]
    return [(values[start], end - start) for start, end in pairwise([*starts, len(values)])]


def _written(cells: Mapping[int, Cell]) -> str:
    return " ".join(f"{index}={cell.tone}{cell.label}" for index, cell in sorted(cells.items()))


def _chip(chip: Chip | str) -> str:
    text, tone = (chip, "") if isinstance(chip, str) else chip
    return f"{tone}:{_told(text, LONGEST // 4)}"


def _told(text: str, longest: int = LONGEST) -> str:
    """The text on one line, which can be written anywhere: names and moves are a bot's."""
    return visible(elide(text, longest))


def _broken(ruling: Ruling) -> dict[str, Any]:
    """Which requirements an action broke, in whose words, and whether its seat was put out for it."""
    found = (*((ruling.violation,) if ruling.violation else ()), *ruling.flaws)
    if not found:
        return {}
    told = "; ".join(f"{v.requirement}: expected {v.expected}, got {v.actual}" for v in found)
    mark = "wrong" if ruling.violation else "flaw"
    return {"mark": mark, "breaks": [v.requirement for v in found], "note": _told(told, 2 * LONGEST)}


def _merged(steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The last of these steps, holding all that the ones before it had changed."""
    if len(steps) == 1:
        return steps[0]
    made, cells, rows = dict(steps[-1]), dict[int, Cell](), dict[str, list[str]]()
    for step in steps:
        cells.update(cells_of(step))
        rows |= step.get("rows", {})
    if cells:
        made["cells"] = _written(cells)
    return made | ({"rows": rows} if rows else {})
