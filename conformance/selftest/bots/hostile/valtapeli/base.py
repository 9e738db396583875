"""The table of hostile bots, and the correct player that several of them are for a while.

Law of this file: whoever is entered here sets its own limits before anything else (`limit`), so that no bot can
harm the machine, whoever starts it.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIFE = 120  # seconds
MEMORY = 600 << 20  # bytes of address space
SIDE, MOVES = 16, 128


class Row:
    """One hostile bot: what it may be found to break (any one will do), who it is, and what it does."""

    __slots__ = ("play", "requirements", "summary")

    def __init__(self, requirements: tuple[str, ...], summary: str, play: Callable[[], None]) -> None:
        self.requirements = requirements
        self.summary = summary
        self.play = play


HOSTILE: dict[str, Row] = {}


def hostile(name: str, *requirements: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Enter a bot in the table under its name."""

    def enter(play: Callable[[], None]) -> Callable[[], None]:
        if name in HOSTILE:
            raise ValueError(f"there are two bots {name!r}")
        HOSTILE[name] = Row(requirements, (play.__doc__ or "").strip().splitlines()[0], play)
        return play

    return enter


def limit() -> None:
    """No core file, little memory, and an end by SIGALRM after two minutes."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LIFE)


def lines() -> Iterator[bytes]:
    """Whole lines of its input, as they come."""
    rest = b""
    while chunk := os.read(0, 65536):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def serve(*, at: int = -1, do: Callable[[], None] | None = None) -> None:
    """Take the first free cell at every turn, to the end; before move `at` of its own (from 0), `do` something."""
    taken = bytearray(SIDE * SIDE)
    source = lines()
    number = next(source, b"")
    if number:
        write(b"Hostile\n")
    for made in range(MOVES if number else 0):
        if made or number == b"2":
            line = next(source, None)
            if line is None:
                return
            row, column = map(int, line.split())
            taken[(row - 1) * SIDE + column - 1] = 1
        if do and made == at:
            do()
        cell = taken.index(0)
        taken[cell] = 1
        write(b"%d %d\n" % (cell // SIDE + 1, cell % SIDE + 1))


def sleep() -> None:
    """Until a signal ends it."""
    while True:
        signal.pause()


def usage() -> int:
    print("usage: python3 valtapeli/__main__.py (NAME | --list)", file=sys.stderr)
    return 2
