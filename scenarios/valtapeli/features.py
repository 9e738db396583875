"""Valtapeli: what a bot was given in a case, as features that can explain a breakdown, and its lines: told to people,
and told apart from other text.

Law: pure; read from the lines alone. One row of `FEATURES` a feature, the most telling first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pdcheck.referee.valtapeli.board import CELLS, SIZE, coordinates
from pdcheck.referee.valtapeli.codec import looks_like_a_move, read_move, read_name
from pdcheck.referee.violations import quoted
from pdcheck.scenarios.pack import Feature, Span

FEATURES: tuple[Feature, ...] = (
    Feature("last_due", "VA-6", "its last move is due"),
    Feature("as_second", "VA-3", "it is player 2"),
    Feature("as_first", "VA-3", "it is player 1"),
    Feature("corner_told", "VA-4", "it is told a corner"),
    Feature("edge_told", "VA-4", "it is told row or column 16"),
    Feature("two_digits", "VA-4", "it is told a row or a column of two digits"),
    Feature("moves_told", "VA-10", "it is told {at} moves or more"),
)


def features(messages: Sequence[bytes], gone: bool = False) -> Mapping[str, Span]:
    """Feature → its span over the lines, which may come several in a message, or half a line. `gone`: the player went
    when it had answered them all; its next move was due then, whether or not it was told the other's before it."""
    spans: dict[str, Span] = {}
    for name, value in _values(b"".join(messages).split(b"\n")[:-1], gone):
        span = spans.get(name, Span(value, value))
        spans[name] = Span(min(span.least, value), max(span.greatest, value))
    return spans


def _values(lines: Sequence[bytes], gone: bool) -> Iterator[tuple[str, float]]:
    if not lines:
        return
    yield "as_first", lines[0] == b"1"
    yield "as_second", lines[0] == b"2"
    for told, line in enumerate(lines[1:], 1):
        cell = read_move(line).cell
        if cell is None:
            continue
        row, column = coordinates(cell)
        yield "moves_told", told
        yield "two_digits", row > 9 or column > 9
        yield "edge_told", SIZE in (row, column)
        yield "corner_told", {row, column} <= {1, SIZE}
        yield "last_due", told + gone >= CELLS // 2 - (lines[0] == b"1")


def lines_due(messages: Sequence[bytes]) -> int:
    """How many lines are due from a player that was sent these: player 1 answers its turn number with two, and what it
    is told of the last move of all with none."""
    lines = b"".join(messages).split(b"\n")[:-1]
    return min(len(lines) + (lines[:1] == [b"1"]), 1 + CELLS // 2) if lines else 0


def meant(line: bytes, number: int) -> bool:
    """Whether a line is meant as the answer it would be: the first one (0) as a name, the others as moves; a number
    alone is half of one, on a line of its own."""
    if number == 0:
        return read_name(line).name is not None
    return looks_like_a_move(line) or line.strip().isdigit()


def describe(message: bytes) -> str:
    """A message in a line that a person can read: the last of its lines, with what it is."""
    line = message.removesuffix(b"\n").rpartition(b"\n")[2]
    if line in (b"1", b"2"):
        return f"{line.decode()} (its turn number)"
    return f"{quoted(line)} (the other's move)" if read_move(line).cell is not None else quoted(line)
