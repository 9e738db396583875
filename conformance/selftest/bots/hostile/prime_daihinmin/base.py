"""The table of hostile bots, and the passing player that several of them are for a while.

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
PASS = b'{"action": "pass"}\n'


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


def messages() -> Iterator[str]:
    """The action of each message, as it comes."""
    rest = b""
    while chunk := os.read(0, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield action(line)


def action(line: bytes) -> str:
    """The action of a message, however it is spelled."""
    for part in line.split(b'"action"')[1:]:
        value = part.lstrip(b" \t:").split(b'"')
        if part.lstrip(b" \t")[:1] == b":" and value[1:2] and value[1] in (b"init", b"play", b"pass", b"quit"):
            return value[1].decode()
    return "other"


def write(data: bytes, to: int = 1) -> None:
    while data:
        data = data[os.write(to, data) :]


def serve(*, upon: str = "", do: Callable[[], None] | None = None) -> None:
    """Pass at every turn, to the end; before the first answer to `upon`, `do` something."""
    for action in messages():
        if do and action == upon:
            do()
            do = None
        write(PASS if action == "play" else b"\n")
        if action == "quit":
            return


def sleep() -> None:
    """Until a signal ends it."""
    while True:
        signal.pause()


def child(work: Callable[[], None], *, session: bool = False, keep: tuple[int, ...] = ()) -> int:
    """A child process that does this work and ends; of the three streams it keeps only those named."""
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.alarm(LIFE)
        if session:
            os.setsid()
        for descriptor in {0, 1, 2} - set(keep):
            os.close(descriptor)
        work()
    finally:
        os._exit(0)


def orphan(work: Callable[[], None], *, keep: tuple[int, ...] = ()) -> None:
    """A grandchild in a session of its own, whose parent is gone."""
    os.waitpid(child(lambda: void(child(work, session=True, keep=keep)), keep=(0, 1, 2)), 0)


def void(_: object) -> None:
    """Several things are done for their effect."""


def usage() -> int:
    print("usage: python3 prime_daihinmin/__main__.py (NAME | --list)", file=sys.stderr)
    return 2
