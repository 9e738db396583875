"""What the tests of the kit share: bots made on the spot, a poll loop for one transport, a look at all processes.

A helper of the tests beside it. Nothing here waits by sleeping and hoping: `until` looks for a condition, and fails
loudly when it has not come within a time that no working kit needs.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pdcheck.conformance.transports import Arrival
from pdcheck.conformance.transports.process import Launch, ProcessTransport

AT_MOST = 60.0
"""Seconds within which anything here has long happened, also on a loaded machine."""
PYTHON = (sys.executable, "-I", "-S", "-c")
KIT = (sys.executable, "-m", "pdcheck.conformance")
HAS_PROC = Path("/proc/self/environ").exists()

IGNORES_EVERYTHING = """
import os, signal, sys
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
"""


def python(code: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs this code, with little start-up."""
    return (*PYTHON, code, *arguments)


def until(condition: Callable[[], Any], what: str, seconds: float = AT_MOST) -> Any:
    """The condition's value once it is true; fails when that takes too long."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"still not so: {what}")
        select.select([], [], [], 0.01)


def bearers(token: str) -> dict[int, str]:
    """Processes with the token in their command line or environment: pid → command line. Zombies have neither."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            line = (entry / "cmdline").read_bytes()
            if token.encode() in line + b"\0" + (entry / "environ").read_bytes():
                found[int(entry.name)] = line.replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it has ended since, or is not ours
            continue
    return found


def alive(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in ("Z", "X")


def kit(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
) -> subprocess.CompletedProcess[str]:
    """The command `pdcheck` with its arguments, to its end."""
    return subprocess.run(
        [*KIT, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=10 * AT_MOST,
        check=False,
    )


class Pump:
    """One `ProcessTransport` with a poll loop of its own: `out`, `err`, `ended` (stdout closed), `status`."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        env = {"PATH": os.environ["PATH"]} if environment is None else environment
        self.transport = ProcessTransport(Launch(tuple(command), env, str(folder) if folder else None))
        self.out = bytearray()
        self.err = bytearray()
        self.largest = 0
        self.ended = False
        self.status: int | None = None
        self.watched: dict[int, int] = {}
        self._poll = select.poll()

    def __enter__(self) -> Pump:
        self.transport.start(self.watch)
        return self

    def __exit__(self, *_: object) -> None:
        self.transport.stop()

    def watch(self, fd: int, mask: int) -> None:
        """What the runner would give the transport."""
        if mask:
            self.watched[fd] = mask
            self._poll.register(fd, mask)
        elif self.watched.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def turn(self, milliseconds: int = 50) -> None:
        """One look at everything that is watched."""
        for fd, mask in self._poll.poll(milliseconds):
            if fd in self.watched:
                self.take(self.transport.ready(fd, mask))
        self.take(self.transport.prompt())

    def take(self, arrival: Arrival | None) -> None:
        """Keep what came."""
        if arrival is None:
            return
        if arrival.channel == "out":
            self.out += arrival.data
            self.largest = max(self.largest, len(arrival.data))
            self.ended = self.ended or not arrival.data
        elif arrival.channel == "err":
            self.err += arrival.data
        elif arrival.channel == "exit":
            self.status = arrival.status

    def until(self, condition: Callable[[], Any], what: str) -> None:
        """Go on until the condition holds."""
        end = time.monotonic() + AT_MOST
        while not condition():
            assert time.monotonic() < end, f"still not so: {what}"
            self.turn()
