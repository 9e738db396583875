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


@fault("VA-3", "MUST", "moves-at-once-as-second")
class MovesAtOnceAsSecond(Bot):
    """The pushing takes every turn number for 1."""

    def say_name(self) -> None:
        super().say_name()
        if self.seat == 2:
            self.move()


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


@fault("VA-4", "MUST", "column-17")
class Column17(Bot):
    """The fence builder counts the posts, and writes 17 for the last column."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {17 if column == SIZE else column}"


@fault("VA-4", "MUST", "negative")
class Negative(Bot):
    """The pole dweller counts columns from the right, below 0."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {column - 17}"


@fault("VA-4", "MUST", "comma")
class Comma(Bot):
    """The lister puts a comma between row and column."""

    def spell(self, row: int, column: int) -> str:
        return f"{row},{column}"


@fault("VA-4", "MUST", "comma-and-space")
class CommaAndSpace(Bot):
    """The typographer puts a comma and a space between row and column."""

    def spell(self, row: int, column: int) -> str:
        return f"{row}, {column}"


@fault("VA-4", "MUST", "tuple")
class Tuple(Bot):
    """The snake prints its tuple as it is."""

    def spell(self, row: int, column: int) -> str:
        return str((row, column))


@fault("VA-4", "MUST", "one-number")
class OneNumber(Bot):
    """The linear writes the number of the cell."""

    def spell(self, row: int, column: int) -> str:
        return str((row - 1) * SIZE + column)


@fault("VA-4", "MUST", "three-numbers")
class ThreeNumbers(Bot):
    """The counter adds the number of its move."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {column} {self.made}"


@fault("VA-4", "MUST", "chess")
class Chess(Bot):
    """The chess player writes a letter for the column."""

    def spell(self, row: int, column: int) -> str:
        return f"{'abcdefghijklmnop'[column - 1]}{row}"


@fault("VA-4", "MUST", "hexadecimal")
class Hexadecimal(Bot):
    """The engineer writes 10 and more in hexadecimal: right for nine rows and columns."""

    def spell(self, row: int, column: int) -> str:
        return f"{row:x} {column:x}"


@fault("VA-4", "MUST", "0x")
class ZeroX(Bot):
    """The low-level programmer writes hexadecimal numbers so that one can see it."""

    def spell(self, row: int, column: int) -> str:
        return f"{row:#x} {column:#x}"


@fault("VA-4", "MUST", "full-width")
class FullWidth(Bot):
    """The wide writes full-width digits."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {column}".translate({ord(digit): 0xFF10 + int(digit) for digit in "0123456789"})


@fault("VA-4", "MUST", "decimal-point")
class DecimalPoint(Bot):
    """The divider has rows with a decimal point."""

    def spell(self, row: int, column: int) -> str:
        return f"{float(row)} {column}"


@fault("VA-4", "MUST", "word-before")
class WordBefore(Bot):
    """The commander writes a word before its move."""

    def spell(self, row: int, column: int) -> str:
        return f"move {row} {column}"


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


@fault("VA-12", "SHOULD", "plus-sign")
class PlusSign(Bot):
    """The positive writes a sign before the row."""

    def spell(self, row: int, column: int) -> str:
        return f"+{row} {column}"


@fault("VA-12", "SHOULD", "leading-zero")
class LeadingZero(Bot):
    """The tabulator writes both numbers with two digits."""

    def spell(self, row: int, column: int) -> str:
        return f"{row:02} {column:02}"


@fault("VA-12", "SHOULD", "two-spaces")
class TwoSpaces(Bot):
    """The generous leaves two spaces between."""

    def spell(self, row: int, column: int) -> str:
        return f"{row}  {column}"


@fault("VA-12", "SHOULD", "tab")
class Tab(Bot):
    """The columnist puts a tab between."""

    def spell(self, row: int, column: int) -> str:
        return f"{row}\t{column}"


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
