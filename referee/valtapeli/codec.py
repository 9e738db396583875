"""Valtapeli: lines to meaning and back, and what is wrong with a line.

Law: never raises, whatever the bytes; a line that is no usable answer has no value and one MUST flaw (IO-6, VA-1,
VA-4), which comes first; one that is understood has its value, and SHOULD flaws alone (VA-12 for its spelling, IO-15
for a CR). Whether a cell is free is not asked here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pdcheck.referee.strictjson import encoding_flaw, excerpt, without_cr
from pdcheck.referee.valtapeli.board import SIZE, cell_at, coordinates
from pdcheck.referee.valtapeli.grammar import Grammar
from pdcheck.referee.violations import Violation

TURN_NUMBER = Grammar("valtapeli/turn_number")
NAME = Grammar("valtapeli/name")
MOVE = Grammar("valtapeli/move")

A_NAME = "one line with its name: 3 to 9 characters out of a–z, A–Z, 0–9"
A_MOVE = f"a row and a column, two decimal integers 1 to {SIZE}, as `1 16`"

Flaws = tuple[Violation, ...]


class NameLine(NamedTuple):
    """A name, None where the line holds none, and the flaws."""

    name: str | None
    flaws: Flaws


class MoveLine(NamedTuple):
    """A cell (0 to 255), None where the line holds none, and the flaws."""

    cell: int | None
    flaws: Flaws


def turn_line(number: int) -> bytes:
    """The first line to a bot: its turn number, 1 or 2."""
    return TURN_NUMBER.write(number)


def move_line(cell: int) -> bytes:
    """The line of a move, with its LF."""
    return MOVE.write(list(coordinates(cell)))


def shown(cell: int) -> str:
    """A cell as its move is written: `1 16`."""
    return move_line(cell)[:-1].decode("ascii")


def read_name(line: bytes) -> NameLine:
    """Read the answer to the turn number: a line without its LF (VA-1, VA-12, IO-6, IO-15)."""
    value, flaws = _read(NAME, line, "VA-1", A_NAME, _wrong_name)
    return NameLine(value, flaws)


def read_move(line: bytes) -> MoveLine:
    """Read a move: a line without its LF (VA-4, VA-12, IO-6, IO-15)."""
    value, flaws = _read(MOVE, line, "VA-4", A_MOVE, _wrong_move)
    if value is None:
        return MoveLine(None, flaws)
    row, column = value
    if not (1 <= row <= SIZE and 1 <= column <= SIZE):
        outside = f"{excerpt(line)}: {_outside(row, column)}"
        return MoveLine(None, (Violation("VA-4", A_MOVE, outside),))
    return MoveLine(cell_at(row, column), flaws)


def looks_like_a_move(line: bytes) -> bool:
    """Whether a line is meant as a move, in the bounds or not."""
    return MOVE.read(without_cr(line)[0]).value is not None


def _read(grammar: Grammar, line: bytes, requirement: str, wanted: str, wrong: Any) -> tuple[Any, Flaws]:
    """The value, or None with the MUST flaw first."""
    bare, ending = without_cr(line)
    if unreadable := encoding_flaw(bare):
        return None, (unreadable, *ending)
    value, plain = grammar.read(bare)
    if value is None:
        return None, (Violation(requirement, wanted, wrong(bare)), *ending)
    if plain:
        return value, ending
    spelled = grammar.write(value)[:-1].decode("ascii")
    return value, (Violation("VA-12", f"the line as `{spelled}`", f"written as {excerpt(bare)}"), *ending)


def _wrong_name(line: bytes) -> str:
    if not line.strip():
        return "an empty line" if not line else "a line of white space"
    name = line.decode("utf-8", "replace").strip()
    if name.isascii() and name.isalnum():
        return f"{excerpt(line)}, of {len(name)} characters"
    if looks_like_a_move(line):
        return f"{excerpt(line)}, which is a move"
    other = "".join(dict.fromkeys(sign for sign in name if not (sign.isascii() and sign.isalnum())))
    return f"{excerpt(line)}, with {excerpt(other[:20])} in it"


def _wrong_move(line: bytes) -> str:
    if not line.strip():
        return "an empty line" if not line else "a line of white space"
    words = line.split()
    hint = "" if len(words) == 2 else f" ({len(words)} part{'s' * (len(words) != 1)})"
    return f"{excerpt(line)}{hint}"


def _outside(row: int, column: int) -> str:
    parts = [f"{name} {part}" for name, part in (("row", row), ("column", column)) if not 1 <= part <= SIZE]
    return f"no {' and no '.join(parts)} on the board"
