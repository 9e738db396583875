"""Faults in how a bot speaks and listens in lines (IO-2 to IO-6, IO-8, IO-15).

Law of this file: each name and each move is right; only the bytes, the lines or the moment are wrong.
"""

from __future__ import annotations

import sys
import time

from .base import Bot, fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


# IO-2: nothing before the first message ---------------------------------------------------------------------


@fault("IO-2", "MUST", "banner")
class Banner(Bot):
    """The herald announces itself before it is asked anything."""

    def start(self) -> None:
        self.write(b"Conqueror of boards, version 2\n")


# IO-3: exactly one line -------------------------------------------------------------------------------------


@fault("IO-3", "MUST", "twice")
class Twice(Bot):
    """The stutterer writes every move twice."""

    def say_move(self, cell: int) -> None:
        super().say_move(cell)
        super().say_move(cell)


@fault("IO-3", "MUST", "late-second-line")
class LateSecondLine(Bot):
    """The doubter sends the same move again a moment later."""

    def say_move(self, cell: int) -> None:
        super().say_move(cell)
        time.sleep(0.02)
        super().say_move(cell)


@fault("IO-3", "MUST", "two-moves-late")
class TwoMovesLate(Bot):
    """The greedy takes two cells at once when it has made fifty moves."""

    def move(self) -> None:
        super().move()
        if self.made == 50:
            super().move()


# IO-4: flushes ----------------------------------------------------------------------------------------------


@fault("IO-4", "MUST", "flushes-name-only")
class FlushesNameOnly(Bot):
    """The economist flushes its name but not its moves."""

    def write(self, data: bytes) -> None:
        sys.stdout.write(data.decode())
        if not self.made:
            sys.stdout.flush()


@fault("IO-4", "MUST", "own-buffer", "missing flush")
class OwnBuffer(Bot):
    """The saver keeps its answers in a buffer of its own until it ends, on a terminal as well."""

    kept = b""

    def write(self, data: bytes) -> None:
        self.kept += data

    def at_eof(self) -> int:
        super().write(self.kept)
        return 0


# IO-5: nothing but answers ----------------------------------------------------------------------------------


@fault("IO-5", "MUST", "debug-line")
class DebugLine(Bot):
    """The debugger prints what it thinks of before each move."""

    def say_move(self, cell: int) -> None:
        self.write(f"DEBUG: {self.moves} cells taken\n".encode())
        super().say_move(cell)


@fault("IO-5", "MUST", "prompt")
class Prompt(Bot):
    """The clerk asks for the other's move with a prompt."""

    def say_move(self, cell: int) -> None:
        super().say_move(cell)
        self.write(b"> ")


# IO-6: UTF-8 ------------------------------------------------------------------------------------------------


@fault("IO-6", "MUST", "bom")
class ByteOrderMark(Bot):
    """The notepad user starts its name with a byte order mark."""

    def say_name(self) -> None:
        self.answer("\ufeff" + self.name)


@fault("IO-6", "MUST", "latin-1-name")
class Latin1Name(Bot):
    """The westerner has a name that it writes in Latin-1."""

    def say_name(self) -> None:
        self.write("Häkä\n".encode("latin-1"))


@fault("IO-6", "MUST", "nul")
class Nul(Bot):
    """The C programmer sends the end of its string along with a move."""

    def spell(self, row: int, column: int) -> str:
        return f"{row} {column}\0"


# IO-8: by line, not by chunk --------------------------------------------------------------------------------


@fault("IO-8", "MUST", "drops-the-rest")
class DropsTheRest(Bot):
    """The single-minded takes the first of two lines that arrive together and forgets the other."""

    def lines(self) -> Iterator[bytes]:
        rest = b""
        while chunk := self.read():
            rest += chunk
            if b"\n" in rest:
                yield rest.partition(b"\n")[0]
                rest = b""


# IO-15: LF --------------------------------------------------------------------------------------------------


@fault("IO-15", "SHOULD", "crlf")
class CrLf(Bot):
    """The teletype returns its carriage."""

    def answer(self, text: str) -> None:
        super().answer(text + "\r")


@fault("IO-15", "SHOULD", "crlf-name")
class CrLfName(Bot):
    """The copyist has its name from a file of another system, line end and all."""

    name = "Copyist\r"
