"""The plain face: whole lines in and out, for pipes, files and terminals that know no escape codes.

Law: not one escape code. The state is written whenever a person is asked, what happens in between a line each. The
end of the input is the end of the match, after what was typed before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TextIO

from pdcheck.conformance.play.desk import Left
from pdcheck.scenarios.seatview import Hint, Look, SeatView, plain

WIDTH: Final = 79
TALLEST: Final = 24
LONGEST: Final = 1 << 16
"""Bytes of a line without an end that are kept: more than any move takes."""


class Lines:
    """The `Face` of two streams."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._typed = bytearray()
        self._ended = False
        self._prompt = ""
        """What was last written, while a person is asked."""
        self._view: SeatView | None = None
        self._names: Sequence[str] = ()

    @property
    def away(self) -> float:
        """Nothing is known of pauses here."""
        return 0.0

    def open(self, view: SeatView, names: Sequence[str]) -> None:
        """A match begins; once it is another one, the last move was taken back."""
        self._prompt = ""
        if self._view is not None:
            self._write(["The last move is taken back."])
        self._view, self._names = view, names

    def turn(self, seat: int, *, hidden: bool) -> None:
        """The state, then the prompt."""
        name = self._names[seat]
        self._draw(None if hidden else seat)
        self._prompt = f"{name}, press Enter to see your hand: " if hidden else f"{name}> "
        self._ask()

    def waits(self) -> None:
        """Nothing is printed for it."""

    def done(self) -> None:
        """See `Face`."""
        self._prompt = ""

    def told(self, text: str, *, grave: bool) -> None:
        """One line."""
        self._write(["", f"! {text}"] if grave and self._prompt else [f"! {text}" if grave else text])
        self._ask()

    def say(self, lines: Sequence[str], hint: Hint | None = None) -> None:
        """The lines, and the prompt again."""
        self._write(lines)
        self._ask()

    def feed(self, data: bytes) -> None:
        """See `Face`; b"" is the end."""
        self._ended = self._ended or not data
        self._typed += data
        if len(self._typed) > LONGEST and b"\n" not in self._typed:
            del self._typed[LONGEST:]

    def line(self) -> str | None:
        """The next line; one without its LF counts when the input has ended."""
        typed = self._typed
        end = typed.find(b"\n")
        if end < 0 and not (self._ended and typed):
            if self._ended:
                raise EOFError
            return None
        line = bytes(typed if end < 0 else typed[:end])
        del typed[: len(line) + 1]
        return line.decode("utf-8", "replace")

    def over(self, result: Sequence[str]) -> None:
        """The final state, and how it ended."""
        self._draw(None)
        self._write(result)

    def close(self) -> None:
        """Nothing was changed."""

    def _draw(self, seat: int | None) -> None:
        assert self._view is not None
        self._write(map(plain, self._view.draw(Look(WIDTH, TALLEST, seat))))

    def _ask(self) -> None:
        self._put(self._prompt)

    def _write(self, lines: Iterable[str]) -> None:
        self._put("".join(f"{line}\n" for line in lines))

    def _put(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except OSError:
            raise Left("nobody reads what is shown") from None
