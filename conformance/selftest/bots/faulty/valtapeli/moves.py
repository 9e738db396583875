"""Faults in when a bot moves and how it writes it (VA-3, VA-4, VA-12).

Law of this file: the cell it means is always free; the moment or the spelling is wrong.
"""

from __future__ import annotations

from .base import FREE, SIZE, Bot, fault

# VA-3: who begins -------------------------------------------------------------------------------------------


@fault("VA-3", "MUST", "waits-as-first")
class WaitsAsFirst(Bot):
    """The shy waits for the other's move in seat 1, too."""

    def move(self) -> None:
        if not self.made and self.seat == 1:
            next(self.input, None)
        super().move()


@fault("VA-3", "MUST", "moves-soon-as-second")
class MovesSoonAsSecond(Bot):
    """The restless waits for a fifth of a second in seat 2, then begins itself."""

    several = False

    def read(self) -> bytes:
        data = super().read()
        self.several = data.count(b"\n") > 1
        return data

    def say_name(self) -> None:
        from select import select

        super().say_name()
        if self.seat == 2 and not self.several and not select([0], [], [], 0.2)[0]:
            self.move()


# VA-4: two integers -----------------------------------------------------------------------------------------


@fault("VA-4", "MUST", "counts-from-0")
class CountsFrom0(Bot):
    """The computer scientist counts rows and columns from 0."""

    def spell(self, row: int, column: int) -> str:
        return f"{row - 1} {column - 1}"


@fault("VA-4", "MUST", "row-0-late")
class Row0Late(Bot):
    """The wrapper writes row 16 as the remainder that it is: 0."""

    def spell(self, row: int, column: int) -> str:
        return f"{row % 16} {column}"

    def choose(self) -> int:
        return self.board.rindex(FREE)  # where row 16 is


@fault("VA-4", "MUST", "comma")
class Comma(Bot):
    """The lister puts a comma between row and column."""

    def spell(self, row: int, column: int) -> str:
        return f"{row},{column}"


@fault("VA-4", "MUST", "hexadecimal")
class Hexadecimal(Bot):
    """The engineer writes 10 and more in hexadecimal: right for nine rows and columns."""

    def spell(self, row: int, column: int) -> str:
        return f"{row:x} {column:x}"


@fault("VA-4", "MUST", "full-width")
class FullWidth(Bot):
    """The wide writes full-width digits."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {column}".translate({ord(digit): 0xFF10 + int(digit) for digit in "0123456789"})


@fault("VA-4", "MUST", "passes-late")
class PassesLate(Bot):
    """The resigned writes that it passes when few cells are left."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {column}" if self.board.count(FREE) > 8 else "pass"


@fault("VA-4", "MUST", "empty-line")
class EmptyLine(Bot):
    """The speechless writes an empty line in place of its third move."""

    def spell(self, row: int, column: int) -> str:
        return "" if self.made == 3 else f"{row} {column}"


@fault("VA-4", "MUST", "minus-1-on-the-last-row")
class Minus1OnTheLastRow(Bot):
    """The searcher looks no further than row 15, and writes what it found there when all is full: -1."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {column}" if row < SIZE else "-1 -1"


# VA-12: spelling --------------------------------------------------------------------------------------------


@fault("VA-12", "SHOULD", "trailing-space")
class TrailingSpace(Bot):
    """The joiner ends each number with a space, the last one as well."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {column} "


@fault("VA-12", "SHOULD", "indents-late")
class IndentsLate(Bot):
    """The aligner writes the row in two columns, which shows in rows above 10 only."""

    def spell(self, row: int, column: int) -> str:
        return f"{row:2} {column}"

    def choose(self) -> int:
        return self.board.rindex(FREE)  # begins with row 16, so that it shows late


@fault("VA-12", "SHOULD", "name-with-spaces")
class NameWithSpaces(Bot):
    """The padder fills its name up to nine characters with spaces."""

    name = "Padder   "


@fault("VA-12", "SHOULD", "name-indented")
class NameIndented(Bot):
    """The shifted begins the line of its name with a space."""

    name = " Shifted"
