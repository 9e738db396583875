"""The correct bot that every faulty bot is made from, and the table that they enter themselves in.

Law of this file: `Bot` breaks no requirement of the specification page; each of its methods is a place where
one fault can be put. It takes the first free cell, row by row, so that what it does next is known in advance.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as in `typing`, which costs milliseconds of every bot's start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

SIZE = 16
CELLS = SIZE * SIZE
MOVES = CELLS // 2
FREE, OWN, OTHER = range(3)


class Fault:
    """One row of the table. `bot()` makes the player; `summary` is the first line of its docstring; `cause`, for a
    bot that does not answer, the word that says why ("" for the others)."""

    __slots__ = ("bot", "cause", "level", "requirement", "summary")

    def __init__(self, requirement: str, level: str, summary: str, bot: type[Bot], cause: str = "") -> None:
        self.cause = cause
        self.requirement = requirement
        self.level = level
        self.summary = summary
        self.bot = bot


FAULTS: dict[str, Fault] = {}


def fault(requirement: str, level: str, word: str, cause: str = "") -> Callable[[type[Bot]], type[Bot]]:
    """Enter a bot in the table as e.g. `va-5-own-cell`: the requirement it breaks, then its own word."""

    def enter(bot: type[Bot]) -> type[Bot]:
        name = f"{requirement.lower()}-{word}"
        if name in FAULTS or level not in ("MUST", "SHOULD", "INFO"):
            raise ValueError(f"{name} ({level}) cannot be entered")
        FAULTS[name] = Fault(requirement, level, (bot.__doc__ or "").strip().splitlines()[0], bot, cause)
        return bot

    return enter


def import_section(section: str) -> Any:
    """Import one module of this package, under whatever name the package was itself imported."""
    return __import__(f"{__package__}.{section}", fromlist=["*"])


def coordinates(cell: int) -> tuple[int, int]:
    """Row and column, from 1, of a cell 0 to 255."""
    return cell // SIZE + 1, cell % SIZE + 1


def cell_at(row: int, column: int) -> int:
    return (row - 1) * SIZE + column - 1


def beside(cell: int) -> Iterator[int]:
    """The cells that share a side with this one: above, left, right, below."""
    row, column = divmod(cell, SIZE)
    if row:
        yield cell - SIZE
    if column:
        yield cell - 1
    if column < SIZE - 1:
        yield cell + 1
    if row < SIZE - 1:
        yield cell + SIZE


class Bot:
    """Plays by the book: its name, then 128 moves into free cells, one line each, and quiet otherwise."""

    name = "Faulty"

    def __init__(self) -> None:
        self.seat = 0  # its turn number, 1 or 2
        self.made = 0  # moves of its own
        self.board = bytearray(CELLS)  # FREE, OWN or OTHER a cell
        self.last = -1  # the cell that the other took last
        self.input = self.lines()

    # From bytes to answers ------------------------------------------------------------------------------

    def run(self) -> int:
        """Play until its last move is made or the input ends; returns the exit status."""
        self.start()
        line = next(self.input, None)
        if line is None:
            return self.at_eof()
        self.seat = int(line)
        self.say_name()
        while self.made < MOVES:
            if self.made or self.seat == 2:
                line = next(self.input, None)
                if line is None:
                    return self.at_eof()
                self.told(line)
            self.move()
        return self.at_end()

    def start(self) -> None:
        """Before the turn number."""

    def lines(self) -> Iterator[bytes]:
        """Whole lines without their LF, however they arrive; a last line without LF is not a line."""
        rest = b""
        while chunk := self.read():
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole

    def read(self) -> bytes:
        return os.read(0, 65536)

    def answer(self, text: str) -> None:
        self.write(text.encode() + b"\n")

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(1, data) :]

    def at_eof(self) -> int:
        """When the input ends before the match does."""
        return 0

    def at_end(self) -> int:
        """When its last move is made."""
        return 0

    # One move -------------------------------------------------------------------------------------------

    def say_name(self) -> None:
        self.answer(self.name)

    def told(self, line: bytes) -> None:
        """The other's move."""
        row, column = line.split()
        self.last = cell_at(int(row), int(column))
        self.mark_other(self.last)

    def mark_other(self, cell: int) -> None:
        self.board[cell] = OTHER

    def mark_own(self, cell: int) -> None:
        self.board[cell] = OWN

    def move(self) -> None:
        cell = self.choose()
        self.mark_own(cell)
        self.made += 1
        self.say_move(cell)

    def say_move(self, cell: int) -> None:
        self.answer(self.spell(*coordinates(cell)))

    def spell(self, row: int, column: int) -> str:
        """A move as it is written."""
        return f"{row} {column}"

    def choose(self) -> int:
        """A free cell."""
        return self.board.index(FREE)

    @property
    def moves(self) -> int:
        """Moves on the board."""
        return CELLS - self.board.count(FREE)


class Grower(Bot):
    """The correct bot, but it sits down beside the cell that the other took last, where one is free."""

    def choose(self) -> int:
        if self.last >= 0:
            for cell in beside(self.last):
                if self.board[cell] == FREE:
                    return cell
        return super().choose()


class Tempted(Bot):
    """The correct bot, but a cell that tempts it goes before a free one."""

    def choose(self) -> int:
        cell = self.tempt()
        return super().choose() if cell is None else cell

    def tempt(self) -> int | None:
        """The taken cell, if the board makes it possible."""
        raise NotImplementedError

    def taken(self) -> int | None:
        """A cell that the other holds: the first of them."""
        cell = self.board.find(OTHER)
        return None if cell < 0 else cell


class Odd(Bot):
    """The correct bot, but the columns are tried from a side that `aside()` names: 0 the left, 1 the right.

    With it a choice can change between runs while every move stays legal.
    """

    def aside(self) -> int:
        raise NotImplementedError

    def choose(self) -> int:
        cell = super().choose()
        end = cell - cell % SIZE + SIZE
        return self.board.rindex(FREE, cell, end) if self.aside() else cell


def die_by(signal_number: int) -> None:
    """Die by this signal without a core file."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal_number)


def complain(text: str) -> None:
    """Say something on stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
