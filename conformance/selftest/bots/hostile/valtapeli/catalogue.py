"""The whole table of hostile bots: `HOSTILE`, name → `Row(requirements, summary, play)`.

Law of this file: a signal goes to the bot itself or to the process that started it.
"""

from __future__ import annotations

import os
import signal

from .base import HOSTILE, Row, hostile, serve, sleep, write

__all__ = ["HOSTILE", "Row"]


@hostile("kills-its-parent-at-the-end", "IO-16")
def kills_its_parent_at_the_end() -> None:
    """Kills the process that started it before its last move."""
    serve(at=127, do=lambda: os.kill(os.getppid(), signal.SIGKILL))


@hostile("stops-its-parent-in-mid-match", "IO-16")
def stops_its_parent_in_mid_match() -> None:
    """Stops the process that started it in the middle of a match, and plays on."""
    serve(at=1, do=lambda: os.kill(os.getppid(), signal.SIGSTOP))


@hostile("writes-all-moves", "IO-3", "VA-3", "VA-5", "IO-5")
def writes_all_moves() -> None:
    """Writes its name and every cell of the board at once, and waits what comes of it."""
    cells = [f"{row} {column}\n" for row in range(1, 17) for column in range(1, 17)]
    write(b"Hostile\n" + "".join(cells).encode())
    sleep()


@hostile("floods-with-moves", "IO-3", "VA-3", "VA-5", "IO-5", "VA-7")
def floods_with_moves() -> None:
    """Writes moves as fast as it can, and reads nothing."""
    write(b"Hostile\n")
    while True:
        write(b"1 1\n" * 4096)


@hostile("never-ends-its-line", "IO-3", "VA-4", "VA-7", "IO-5")
def never_ends_its_line() -> None:
    """Writes a move of endless length: zeros before its row."""

    def flood() -> None:
        while True:
            write(b"0" * 65536)

    serve(at=1, do=flood)


@hostile("stays-and-spins-at-the-end", "VA-6", "IO-9", "IO-11")
def stays_and_spins_at_the_end() -> None:
    """Heeds no signal that can be ignored, makes all its moves, and spins."""
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGALRM}:
        signal.signal(number, signal.SIG_IGN)
    serve()
    while True:
        pass
