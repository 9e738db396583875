"""Valtapeli as people at the board see it: a `SeatView`.

Law: pure; the board is the referee's. Each region of player 1, which are the ones that count, has a letter and a colour
of its own, and keeps them while it grows: of regions that are joined the largest keeps its letter. Player 2's cells are
all `#`. Nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from pdcheck.referee.game import Game, Over
from pdcheck.referee.valtapeli.board import CELLS, FIRST, FREE, NEIGHBOURS, SIZE, Board, cell_at
from pdcheck.referee.valtapeli.codec import TURN_NUMBER, move_line, read_move, shown
from pdcheck.referee.valtapeli.flow import Valtapeli
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.seatview import Cell, Complaint, Due, Hint, Line, Look, Span, broken, width_of
from pdcheck.scenarios.valtapeli.characters import greedy

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
MANY: Final = "+"
"""The sign of all regions for which no letter is left: which is which shows by what touches."""
OTHER: Final = "#"
COLOURS: Final = (39, 208, 77, 213, 226, 51, 160, 141, 118, 220, 33, 199)
"""Backgrounds of the regions in the order of their letters, of the 256 that terminals know."""
_FREE_STYLE, _OTHER_STYLE = "dim", "white on grey37"

WIDE, SLIM = 3, 2
"""Columns of a cell."""
PANEL: Final = 26
_BOARD_LINES: Final = SIZE + 1


class Letters:
    """The letters of player 1's cells, as they are claimed: `of` has each cell's."""

    def __init__(self, moves: Sequence[int] = ()) -> None:
        """After these moves, cells in order, player 1's first."""
        self.of: dict[int, str] = {}
        self._regions: dict[str, set[int]] = {}
        self._told = 0
        self.follow(moves)

    def follow(self, moves: Sequence[int]) -> None:
        """Take what has been claimed since; `moves` are all moves so far."""
        for cell in moves[self._told + self._told % 2 :: 2]:
            self._claim(cell)
        self._told = len(moves)

    def _claim(self, cell: int) -> None:
        signs = {self.of[near] for near in NEIGHBOURS[cell] if near in self.of}
        near = signs - {MANY}
        if not near:
            free = next((letter for letter in LETTERS if letter not in self._regions), MANY)
            kept = MANY if signs else free
        else:
            kept = max(near, key=lambda sign: (len(self._regions[sign]), -LETTERS.index(sign)))
        joined = {cell}.union(*(self._regions.pop(sign) for sign in near))
        if near and MANY in signs:
            joined |= self._unlettered(cell)
        if kept != MANY:
            self._regions[kept] = joined
        self.of.update(dict.fromkeys(joined, kept))

    def _unlettered(self, cell: int) -> set[int]:
        """The cells without a letter of their own that this one joins."""
        found: set[int] = set()
        edge = [cell]
        while edge:
            for near in NEIGHBOURS[edge.pop()]:
                if near not in found and self.of.get(near) == MANY:
                    found.add(near)
                    edge.append(near)
        return found


def _style(sign: str) -> str:
    if sign == MANY:
        return "black on white"
    return f"black on color({COLOURS[LETTERS.index(sign) % len(COLOURS)]})"


class BoardView:
    """A `SeatView` of one match."""

    how = "row and column, as `5 12`"
    secret = False
    grid = Cell(SIZE, SIZE)

    def __init__(self, game: Game) -> None:
        """Raises TypeError for another game's match."""
        if not isinstance(game, Valtapeli):
            raise TypeError(f"a {type(game).__name__} is no match of Valtapeli")
        self._game = game
        self._board = game.board
        self._letters = Letters()

    def pointed(self, cell: Cell) -> str:
        """See `SeatView`."""
        return f"{cell.row + 1} {cell.column + 1}"

    def hear(self, seat: int, message: bytes) -> Due:
        """The name is answered for the person, who in seat 1 is then at once in turn."""
        number, _ = TURN_NUMBER.read(message.rstrip(b"\n"))
        if number is not None:
            return Due(self._name(seat) + b"\n", number == FIRST)
        return Due(b"", not self._board.full)

    def _name(self, seat: int) -> bytes:
        """VA-1 asks for 3 to 9 letters and digits, which a seat's name need not be."""
        kept = "".join(sign for sign in self._game.names[seat] if sign.isascii() and sign.isalnum())
        return f"{kept:0<3}"[:9].encode("ascii")

    def read(self, seat: int, text: str) -> bytes | Complaint:
        """A row and a column; a comma between them is taken, too."""
        del seat
        cell, flaws = read_move(" ".join(text.replace(",", " ").split()).encode("utf-8", "replace"))
        if cell is None:
            return Complaint(broken(flaws[0]))
        owner = self._board.owners[cell]
        if owner != FREE:
            whose = f"{shown(cell)}, which {self._game.names[owner - FIRST]} has claimed"
            return Complaint(broken(Violation("VA-5", "a free cell", whose)))
        return move_line(cell)

    def hint(self, seat: int) -> Hint:
        """What the house player `greedy` would take, and what that changes."""
        del seat
        board = self._board
        cell = greedy(board)
        gain = board.gain(cell, FIRST)
        what = "player 1 gains" if board.turn == FIRST else "keeps from player 1"
        free = CELLS - len(board.moves)
        many = f"any of the {free} free cells can" if free > 1 else "only this cell can"
        lines = (f"greedy would play {shown(cell)} ({what} {gain}); {many} be claimed",)
        return Hint(lines, Cell(*divmod(cell, SIZE)))

    def turn(self) -> int | None:
        """See `SeatView`."""
        return None if self._board.full else self._board.turn - FIRST

    def draw(self, look: Look) -> list[Line]:
        """The board with what it is worth beside it, or below it where the terminal is narrow."""
        self._letters.follow(self._board.moves)
        for cell_width, panel in ((WIDE, PANEL), (SLIM, PANEL), (SLIM, 0)):
            board_width = 3 + cell_width * SIZE
            beside = panel > 0
            if look.width >= board_width + panel and look.height >= _BOARD_LINES:
                board = list(self._rows(look, cell_width))
                if not beside:
                    return [*board, *self._below(look.height - len(board))]
                # The panel is as long as the board: more regions than that are counted together.
                return _side_by_side(board, self._panel(_BOARD_LINES), board_width)
        needed = f"{3 + SLIM * SIZE} columns, {_BOARD_LINES} lines"
        return [_text(f"Too small: {needed} needed"), *self._below(look.height - 1)]

    def _rows(self, look: Look, width: int) -> Iterator[Line]:
        # Two columns have room for one digit: the last.
        numbers = "".join(f"{column:>{width - 1}}"[1 - width :] + " " for column in range(1, SIZE + 1))
        yield (Span(f"   {numbers}", "dim"),)
        for row in range(1, SIZE + 1):
            cells = [self._cell(cell_at(row, column), look, width) for column in range(1, SIZE + 1)]
            yield (Span(f"{row:>2} ", "dim"), *cells)

    def _cell(self, cell: int, look: Look, width: int) -> Span:
        owner = self._board.owners[cell]
        sign = "." if owner == FREE else self._letters.of.get(cell, OTHER)
        style = _FREE_STYLE if owner == FREE else _style(sign) if owner == FIRST else _OTHER_STYLE
        here = Cell(*divmod(cell, SIZE))
        # What the person points at matters more than a hint, and that more than the last move.
        for there, left, right, extra in (
            (look.pointer, ">", "<", "reverse bold not dim"),
            (look.hint, "?", "?", "bold underline not dim"),
            (self._last(), "[", "]", "bold underline"),
        ):
            if here == there:
                text = f"{left}{sign}{right}" if width == WIDE else f"{sign}{right}"
                return Span(text, f"{style} {extra}")
        return Span(f"{sign:^{width}}" if width == WIDE else f"{sign} ", style)

    def _last(self) -> Cell | None:
        moves = self._board.moves
        return Cell(*divmod(moves[-1], SIZE)) if moves else None

    def _panel(self, height: int) -> list[Line]:
        board = self._board
        lines = [_text(f"move {min(len(board.moves) + 1, CELLS)} of {CELLS}")]
        lines += [self._seat(seat) for seat in range(2)]
        lines += [_text(self._last_words()), (Span(f"score {board.score():,}", "bold"),)]
        rows = list(self._regions())
        room = height - len(lines) - 1
        lines += [_text(f"{len(rows)} region{'s' * (len(rows) != 1)} of player 1"), *rows[:room]]
        if len(rows) > room:
            rest = len(rows) - room + 1
            lines[-1] = _text(f"and {rest} more")
        return lines

    def _seat(self, seat: int) -> Line:
        game = self._game
        said = self._calls_itself(seat)
        name = game.names[seat]
        calls = f" ({said})" if said else ""
        state = " stopped" if seat in game.stopped else ""
        mark = ">" if self.turn() == seat else " "
        sign = f" {OTHER}" if seat else ""
        return (Span(f"{mark}{seat + 1}{sign} {name}{calls}{state}"[:PANEL], "bold" if mark == ">" else ""),)

    def _calls_itself(self, seat: int) -> str:
        """The name a bot has said, where it is not that of its seat: `first-free` says FirstFree."""
        said = self._game.said.get(seat, "")
        name = "".join(filter(str.isalnum, self._game.names[seat]))
        return "" if said.casefold() == name.casefold() else said

    def _last_words(self) -> str:
        moves = self._board.moves
        if not moves:
            return "no move yet"
        seat = (len(moves) - 1) % 2
        return f"last: {self._game.names[seat][:12]} {shown(moves[-1])}"

    def _regions(self) -> Iterator[Line]:
        """Player 1's regions, the largest first: letter, size, worth."""
        board = self._board
        signs, labels = self._letters.of, board.labels()
        first = {labels[cell]: cell for cell in reversed(board.moves[::2])}
        for cell in sorted(first.values(), key=lambda cell: (-board.region_size(cell), cell)):
            size = board.region_size(cell)
            yield (Span(f" {signs[cell]} ", _style(signs[cell])), Span(f" {size:>3} {size * size:>7,}"))

    def _below(self, height: int) -> list[Line]:
        """The same in a line or two."""
        board = self._board
        turn = self.turn()
        whose = "the board is full" if turn is None else f"{self._game.names[turn]} to move"
        return [_text(f"{whose}, score {board.score():,}"), _text(self._last_words())][: max(0, height)]

    def told(self, ruling: Ruling) -> str:
        """See `SeatView`."""
        name = self._game.names[ruling.seat]
        violation = ruling.violation
        if violation is not None:
            if ruling.outcome == "stopped":
                return f"{name} is stopped for {broken(violation)}. It is given the first free cells now"
            return f"{name} broke {broken(violation)}"
        if ruling.outcome in ("move", "replaced"):
            # The board may be further on already: what followed at once is told together.
            moves = self._board.moves
            number = moves.index(_cell(ruling.what)) + 1
            by = f"{name} (stopped)" if ruling.outcome == "replaced" else name
            return f"{number}: {by} {ruling.what} [{Board(moves[:number]).score():,}]"
        said = self._calls_itself(ruling.seat)
        return f"{name} says its name: {said}" if said and ruling.outcome == "name" else ""

    def result(self, over: Over) -> list[str]:
        """The regions and the score, which is player 1's alone."""
        sizes = self._board.regions()
        first, second = self._game.names
        worth = " + ".join(f"{size}²" for size in sizes[:6])
        more = f" + {len(sizes) - 6} more" if len(sizes) > 6 else ""
        stopped = [f"{place.name} was stopped" for place in over.places if place.status != "OK"]
        sum_of = f": {worth}{more}" if worth else ""
        return [f"{first} scores {self._board.score():,} against {second}{sum_of}", *stopped]


def _side_by_side(board: Sequence[Line], panel: Sequence[Line], width: int) -> list[Line]:
    def padded(line: Line) -> Line:
        return (*line, Span(" " * (width + 2 - width_of(line))))

    return [(*padded(left), *right) for left, right in zip_longest(board, panel, fillvalue=())]


def _cell(what: str) -> int:
    row, column = map(int, what.split())
    return cell_at(row, column)


def _text(text: str) -> Line:
    return (Span(text),)
