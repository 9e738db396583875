"""The full-screen face: state, what happened, and one line to type on; arrow keys point at a cell.

Law: only lines that have changed are written, and none once the terminal was given back. An Enter on an empty line
means the cell pointed at only when it was pointed at in this turn: nobody moves by a key too many. The last column
stays empty, so that nothing ever wraps.
"""

from __future__ import annotations

import termios
from collections import deque
from collections.abc import Sequence
from typing import Final, TextIO

from pdcheck.conformance.play import keys
from pdcheck.conformance.play.desk import Left
from pdcheck.conformance.play.terminal import Terminal
from pdcheck.scenarios.seatview import Cell, Hint, Line, Look, SeatView, Span
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

HISTORY: Final = 40
KNOWN: Final = 500
TALLEST: Final = 24
"""Lines of the final state."""
MESSAGE_LINES: Final = ((24, 3), (10, 1), (0, 0))
"""Lines for what happened, at least, in a terminal of so many lines or more."""
LONGEST: Final = 4096
_GRAVE, _DIM = "bold red", "dim"


class Screen:
    """The `Face` of a terminal; `fd` is its keyboard."""

    def __init__(self, fd: int, out: TextIO, *, no_color: bool = False) -> None:
        self._terminal = Terminal(fd, out, self._anew)
        self._console = Console(file=out, no_color=no_color or None, highlight=False, markup=False)
        self._keys = keys.Keys()
        self._typed: deque[str] = deque()
        self._text = ""
        self._pointer = Cell(0, 0)
        self._pointing = self._pointed = False
        self._hint: Cell | None = None
        self._asked: int | None = None
        self._waited: int | None = None
        """Whom the screen says is waited for."""
        self._hidden = False
        self._gone = False
        self._messages: deque[Span] = deque(maxlen=HISTORY)
        self._said: deque[Span] = deque(maxlen=HISTORY)
        """Answers to the person in turn, which are not for the next one's eyes."""
        self._shown: list[Line] = []
        self._known: dict[tuple[Line, int], str] = {}
        self._drawing = self._again = self._stale = False
        self._view: SeatView | None = None
        self._names: Sequence[str] = ()

    @property
    def away(self) -> float:
        """See `Face`."""
        return self._terminal.away

    def open(self, view: SeatView, names: Sequence[str]) -> None:
        """Take the terminal over, or begin anew on it."""
        if self._view is not None:
            self._messages.clear()
            self._said.clear()
            self._messages.append(Span("The last move is taken back."))
        elif view.grid:
            self._pointer = Cell(view.grid.row // 2, view.grid.column // 2)
        self._view, self._names = view, names
        self._asked = None
        try:
            self._terminal.enter()
        except (OSError, termios.error):
            raise _gone() from None
        self._draw()

    def turn(self, seat: int, *, hidden: bool) -> None:
        """See `Face`."""
        self._asked, self._hidden = seat, hidden
        self._text, self._pointing, self._hint = "", False, None
        self._said.clear()
        self._draw()

    def waits(self) -> None:
        """See `Face`; drawn where the screen says something else."""
        assert self._view is not None
        if self._asked is None and self._terminal.taken and self._view.turn() != self._waited:
            self._draw()

    def done(self) -> None:
        """See `Face`."""
        self._asked = self._hint = None

    def told(self, text: str, *, grave: bool) -> None:
        """See `Face`."""
        if not self._terminal.taken:  # the match is over, and the shell may be at work
            self._write(f"{text}\n")
            return
        self._messages.append(Span(text, _GRAVE if grave else _DIM))
        self._draw()

    def say(self, lines: Sequence[str], hint: Hint | None = None) -> None:
        """See `Face`."""
        self._said += [Span(line) for line in lines]
        if hint is not None:
            self._hint = hint.cell
        self._draw()

    def feed(self, data: bytes) -> None:
        """See `Face`; b"" is the end of the terminal."""
        if data:
            self._typed += self._keys.feed(data)
        else:  # nobody will finish what is half typed
            self._gone, self._text = True, ""

    def line(self) -> str | None:
        """Take keys up to the next Enter; what comes after it stays for the next turn."""
        changed = bool(self._typed)
        while self._typed:
            key = self._typed.popleft()
            if key == keys.ENTER:
                text, self._text = self._text, ""
                return self._entered(text)
            if key == keys.END and not self._text:
                raise EOFError
            self._press(key)
        if self._gone:
            raise EOFError
        if changed:
            self._draw()
        return None

    def over(self, result: Sequence[str]) -> None:
        """The final state stays where the shell goes on."""
        self._asked = None
        self.close()
        assert self._view is not None
        width = self._terminal.size.columns
        for line in self._view.draw(Look(width - 1, TALLEST)):
            self._write(self._rendered(line, width) + "\n")
        for text in result:
            self._write(self._rendered((Span(text, "bold"),), max(width, cell_len(text) + 2)) + "\n")

    def close(self) -> None:
        """See `Face`."""
        self._terminal.leave()

    def _entered(self, text: str) -> str:
        if not text and self._pointing and self._view is not None:
            return self._view.pointed(self._pointer)
        return text

    def _press(self, key: str) -> None:
        grid = self._view.grid if self._view else None
        if key in keys.STEPS:
            if grid and self._asked is not None:
                down, right = keys.STEPS[key]
                # The very first key shows where the pointer is; an edge leads to the other side.
                if self._pointed:
                    row, column = self._pointer
                    self._pointer = Cell((row + down) % grid.row, (column + right) % grid.column)
                self._pointing = self._pointed = True
                self._text = ""
        elif key == keys.BACKSPACE:
            self._text = self._text[:-1]
        elif key == keys.CLEAR:
            self._text = ""
        elif key == keys.REDRAW:
            self._stale = True
        elif len(key) == 1 and len(self._text) < LONGEST:
            self._text += key

    def _anew(self) -> None:
        """All of it once more: the terminal has another size, or was used by others."""
        self._stale = True
        self._draw()

    def _draw(self) -> None:
        if not self._terminal.taken:
            return
        # A change of the size interrupts anything, also a drawing.
        self._again = True
        if self._drawing:
            return
        self._drawing = True
        try:
            while self._again:
                self._again = False
                self._update()
        finally:
            self._drawing = False

    def _update(self) -> None:
        width, height = self._terminal.size
        if self._stale:
            self._shown, self._stale = [], False
        lines = self._lines(width, height)
        out = [] if self._shown else ["\x1b[2J"]
        for row, line in enumerate(lines):
            if row >= len(self._shown) or self._shown[row] != line:
                out.append(f"\x1b[{row + 1};1H{self._rendered(line, width)}\x1b[0m\x1b[K")
        column = min(width, sum(cell_len(span.text) for span in lines[-1]) + 1)
        out.append(f"\x1b[{len(lines)};{column}H")
        self._shown = lines
        self._write("".join(out))

    def _write(self, text: str) -> None:
        try:
            self._terminal.write(text)
        except OSError:
            raise _gone() from None

    def _lines(self, width: int, height: int) -> list[Line]:
        """The whole screen: state, messages, keys, and the line typed."""
        assert self._view is not None
        foot = self._foot(width)
        kept = next(kept for least, kept in MESSAGE_LINES if height >= least)
        room = max(1, height - len(foot) - kept)
        seat = None if self._hidden else self._asked
        pointer = self._pointer if self._pointed and self._asked is not None else None
        body = self._view.draw(Look(width - 1, room, seat, pointer, self._hint))[:room]
        between = max(0, height - len(foot) - len(body))
        messages = self._wrapped(width - 1)[-between:] if between else []
        blank: list[Line] = [()] * (between - len(messages))
        return [*body, *messages, *blank, *foot][-height:]

    def _wrapped(self, width: int) -> list[Line]:
        return [
            (Span(part, span.style),)
            for span in (*self._messages, *self._said)
            for part in self._parts(span.text, max(10, width))
        ]

    def _parts(self, text: str, width: int) -> list[str]:
        if cell_len(text) <= width:
            return [text]
        return [part.plain.rstrip() for part in Text(text).wrap(self._console, width)]

    def _foot(self, width: int) -> list[Line]:
        assert self._view is not None
        if self._asked is None:
            turn = self._waited = self._view.turn()
            waits = "" if turn is None else f"waiting for {self._names[turn]} "
            return [(), (Span(f"{waits}(Ctrl-C stops the match) ", _DIM),)]
        name = self._names[self._asked]
        if self._hidden:
            return [(), (Span(f"{name}, press Enter to see your hand: ", "bold"),)]
        ways = "arrows+Enter, or " if self._view.grid else ""
        known = f"? help, h hint, u undo, q quit; {ways}{self._view.how}"
        prompt = f"{name}> "
        text = _end_of(self._text, max(1, width - 1 - cell_len(prompt)))
        return [(Span(known, _DIM),), (Span(prompt, "bold"), Span(text))]

    def _rendered(self, line: Line, width: int) -> str:
        # Messages move up a line at a time: most lines have been shown before.
        known = self._known.get((line, width))
        if known is None:
            if len(self._known) > KNOWN:
                self._known.clear()
            known = self._known[line, width] = self._render(line, width)
        return known

    def _render(self, line: Line, width: int) -> str:
        text = Text.assemble(*((span.text, span.style) for span in line), end="")
        text.truncate(max(1, width - 1))
        with self._console.capture() as captured:
            self._console.print(text, end="", no_wrap=True, overflow="ignore", crop=False, soft_wrap=True)
        return captured.get()


def _end_of(text: str, columns: int) -> str:
    """As much as there are columns for: what no longer fits is scrolled off at its beginning."""
    text = text[-columns:]
    while cell_len(text) > columns:
        text = text[1:]
    return text


def _gone() -> Left:
    return Left("the terminal is gone")
