"""One command in walls, to its end or to the first limit that it reaches: a build, a trial.

Law: everything is bounded: seconds, bytes of output, bytes in a folder. Nothing of it is left when it returns.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pdcheck.conformance.sandbox import WallsError
from pdcheck.conformance.sandbox.host import PATH
from pdcheck.conformance.sandbox.transport import WalledTransport
from pdcheck.conformance.sandbox.walls import MIB, Walls
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.transports import Arrival, orphans
from pdcheck.conformance.transports.process import Launch

HOW = ("exit", "signal", "memory", "timeout", "output", "grown")
"""Ways to end: by itself, by a signal, for want of memory; or stopped for one of the limits."""
LOOK = 0.05
"""Seconds between looks at a folder that may grow."""
RESERVE = 256 * MIB
"""What stays free on the disk of such a folder: what is written to a file without a name is seen there alone."""
PLAIN = {"PATH": PATH, "LANG": "C.UTF-8"}


class Ran(NamedTuple):
    """What came of it: `status` (negative: the signal), None when it was stopped; `how_ended` one of `HOW`."""

    status: int | None
    stdout: bytes
    stderr: bytes
    how_ended: str
    seconds: float = 0.0
    cpu: float = 0.0
    starved: float = 0.0
    """Seconds in which it was ready to run and got no core."""


def run_inside(
    command: Sequence[str],
    walls: Walls,
    workshop: Workshop,
    *,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    timeout: float = 60.0,
    most_output: int = MIB,
    grows: Mapping[str, int] | None = None,
) -> Ran:
    """Run it to its end. `grows`: folders of the host that it may write to, and how many bytes may be in each; they
    are looked at now and then. Raises WallsError, and StartError when there is no such program inside."""
    given = PLAIN if environment is None else environment
    transport = WalledTransport(Launch(tuple(command), given), walls, workshop)
    orphans.adopt()
    try:
        run = _Run(transport, most_output)
        transport.start(run.watch)
        try:
            return run.to_end(stdin, timeout, grows or {})
        finally:
            transport.stop()
    finally:
        orphans.release()


class _Run:
    """The poll loop of one command."""

    def __init__(self, transport: WalledTransport, most_output: int) -> None:
        self._transport = transport
        self._most = most_output
        self._poll = select.poll()
        self._watched: set[int] = set()
        self._out, self._err = bytearray(), bytearray()
        self._began = time.monotonic()

    def watch(self, fd: int, mask: int) -> None:
        """What the transport wants to be told of."""
        if mask:
            self._poll.register(fd, mask)
            self._watched.add(fd)
        elif fd in self._watched:
            self._poll.unregister(fd)
            self._watched.discard(fd)

    def to_end(self, stdin: bytes, timeout: float, grows: Mapping[str, int]) -> Ran:
        """Until it ends or has to be stopped."""
        bot, until = self._transport, self._began + timeout
        bot.send(stdin)
        bot.end_input()
        look = self._began + LOOK
        while bot.status is None:
            now = time.monotonic()
            if now >= until:
                return self._ran("timeout")
            if grows and now >= look:
                _check_disk(grows)
                if any(size(folder, most) > most for folder, most in grows.items()):
                    return self._ran("grown")
                look = now + LOOK
            self._step(min(until, look) - now if grows else until - now)
            if len(self._out) > self._most:
                return self._ran("output")
        self._take(bot.rest())
        _check_disk(grows)
        if any(size(folder, most) > most for folder, most in grows.items()):
            return self._ran("grown")
        return self._ran(self._ended() if len(self._out) <= self._most else "output")

    def _step(self, seconds: float) -> None:
        for fd, mask in self._poll.poll(max(1, int(seconds * 1000))):
            if fd in self._watched:
                self._take([self._transport.ready(fd, mask)])
        self._take([self._transport.prompt()])

    def _take(self, arrivals: Iterable[Arrival | None]) -> None:
        for arrival in arrivals:
            if arrival is not None and arrival.channel in ("out", "err"):
                kept = self._out if arrival.channel == "out" else self._err
                kept += arrival.data
                if len(self._out) > self._most:
                    return

    def _ended(self) -> str:
        status = self._transport.status
        if self._transport.memory_kills:
            return "memory"
        return "signal" if status is not None and status < 0 else "exit"

    def _ran(self, how: str) -> Ran:
        bot = self._transport
        status = bot.status
        seconds = time.monotonic() - self._began
        out = bytes(self._out[: self._most])
        return Ran(status, out, bytes(self._err), how, seconds, bot.cpu(), bot.starved())


def _check_disk(folders: Iterable[str]) -> None:
    """Raises WallsError where a disk is nearly full: whatever fails for that is nobody's fault inside."""
    for folder in folders:
        disk = os.statvfs(folder)
        if disk.f_bavail * disk.f_frsize < RESERVE:
            raise WallsError(f"less than {RESERVE // MIB} MiB are free where a build writes")


def size(folder: str, most: int) -> int:
    """Bytes that lie in a folder, as the file system counts them; no further than to more than `most`, which one that
    is nested too deep to be looked through has as well."""
    found = 0
    for entry in _entries(folder):
        if entry is None:
            return most + 1
        with contextlib.suppress(OSError):
            found += max(512, entry.stat(follow_symlinks=False).st_blocks * 512)
        if found > most:
            break
    return found


def _entries(folder: str) -> Iterator[os.DirEntry[str] | None]:
    """All that lies in it; None for what has too long a path."""
    todo = [folder]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    yield entry
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                yield None
