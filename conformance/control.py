"""A control process beside the bots: it does the least that a bot does, and shows when the machine stalled.

Law: one tiny process a kit process, in the kit's own process group, so that what stops the kit (Ctrl-Z, a paused
container, a paused virtual machine, a used-up quota) stops it as well. It sleeps, wakes and computes a little, and
writes every overshoot, with its monotonic time, into memory shared with the kit. When the kit's end of its pipe closes,
however the kit died, it ends. Time in which a suspended computer sleeps is not on Linux's monotonic clock at all.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from pdcheck.conformance import helpers

PERIOD = 0.02
"""Seconds it sleeps: 50 rounds a second of less than 100 µs are under 1 % of a core."""
GRAIN = 0.01
"""An overshoot of less (seconds) is an ordinary delay of the scheduler, no stall."""
SPIN = 100
"""Turns of its loop in each round: what it costs a bot to read a line and answer it."""
KEPT = 4096
"""Stalls kept; an older one is overwritten."""
READY_WITHIN = 10.0
SHOWN = 64
"""Stalls told one by one in a transcript: the longest."""

_HEAD = struct.Struct("=dQ")
"""The last round's time, and how many stalls there were so far."""
_STALL = struct.Struct("=dd")
_SIZE = _HEAD.size + KEPT * _STALL.size

_SCRIPT = """
import mmap, select, signal, struct, sys, time
fd, size, kept, spin = map(int, sys.argv[1:5])
period, grain = map(float, sys.argv[5:])
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
shared = mmap.mmap(fd, size)
head, stall = struct.Struct("=dQ"), struct.Struct("=dd")
poll = select.poll()
poll.register(0, select.POLLIN)
count = 0
last = time.monotonic()
head.pack_into(shared, 0, last, count)
while not poll.poll(period * 1000):
    for _ in range(spin):
        pass
    now = time.monotonic()
    if now - last - period > grain:
        stall.pack_into(shared, head.size + count % kept * stall.size, last + period, now)
        count += 1
    last = now
    head.pack_into(shared, 0, last, count)
"""


class Stall(NamedTuple):
    """From when to when the machine did not run what was ready to run; seconds of the monotonic clock."""

    since: float
    until: float


class Control:
    """One control process. Raises OSError or RuntimeError when it cannot be started."""

    def __init__(self) -> None:
        with tempfile.TemporaryFile() as file:
            file.truncate(_SIZE)
            self._shared = mmap.mmap(file.fileno(), _SIZE)
            numbers = (file.fileno(), _SIZE, KEPT, SPIN, PERIOD, GRAIN)
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _SCRIPT, *map(str, numbers)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[file.fileno()],
                bufsize=0,
            )
        helpers.enter(self.pid)

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def ready(self) -> bool:
        """Whether it has begun to look, and still does."""
        return bool(self._head()[0]) and self._process.poll() is None

    def wait(self) -> None:
        """Until it has begun to look. Raises RuntimeError when it does not."""
        until = time.monotonic() + READY_WITHIN
        while not self.ready():
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the control process does not start")
            time.sleep(PERIOD / 5)

    def stalls(self, since: float, until: float) -> list[Stall]:
        """The stalls between two times, cut to them, in order; one that goes on now is among them."""
        last, count = self._head()
        kept = min(count, KEPT)
        found = []
        for number in range(count - 1, count - kept - 1, -1):
            began, ended = _STALL.unpack_from(self._shared, _HEAD.size + number % KEPT * _STALL.size)
            if ended <= since:
                break
            if began < until:
                found.append(Stall(max(began, since), min(ended, until)))
        found.reverse()
        now = min(until, time.monotonic())
        began = max(since, last + PERIOD)
        if last and now - began > GRAIN:
            found.append(Stall(began, now))
        return found

    def stalled(self, since: float, until: float) -> float:
        """Seconds of the stalls between two times."""
        return sum(stall.until - stall.since for stall in self.stalls(since, until))

    def blow(self) -> int:
        """The signal that ended it, or stopped it since this was last asked; 0: none."""
        return helpers.blow(self._process)

    def close(self) -> None:
        """End it, stopped or not."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.kill()
        self._process.wait()
        self._shared.close()

    def _head(self) -> tuple[float, int]:
        last, count = _HEAD.unpack_from(self._shared, 0)
        return last, count


_controls: dict[int, Control] = {}


def begin() -> Control | None:
    """Start this process's control (a forked worker gets its own); it looks a moment later. None where none can be
    had."""
    pid = os.getpid()
    if pid not in _controls:
        _controls.clear()
        try:
            made = Control()
        except OSError:
            return None
        _controls[pid] = made
    return _controls[pid]


def current() -> Control | None:
    """This process's control while it looks; None where there is none: then nobody can say that the machine stalled."""
    control = _controls.get(os.getpid())
    return control if control is not None and control.ready() else None


def blow() -> int:
    """The signal that ended or stopped this process's control, 0: none, or there is none."""
    control = _controls.get(os.getpid())
    return control.blow() if control is not None else 0


def end() -> None:
    """End this process's control."""
    control = _controls.pop(os.getpid(), None)
    if control is not None:
        control.close()


@contextlib.contextmanager
def beside() -> Iterator[Control | None]:
    """A control for as long as this lasts; one that was there before stays."""
    had = os.getpid() in _controls
    try:
        yield begin()
    finally:
        if not had:
            end()


def starved() -> float:
    """Seconds that this thread of the kit was ready to run and got no core; 0.0 where the system does not tell."""
    try:
        with open("/proc/thread-self/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
