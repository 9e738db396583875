"""A bot started so that its system calls are told to the kit.

Law: a `ProcessTransport` in every other respect. Both further descriptors are in the runner's poll like the pipes, so
a bot waits for its calls no longer than for an answer, and there is no thread that could hang.
"""

from __future__ import annotations

import array
import os
import select
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pdcheck.conformance.transports import Arrival, Watch
from pdcheck.conformance.transports.process import Launch, ProcessTransport
from pdcheck.conformance.watch import calls
from pdcheck.conformance.watch.observer import Call, Observer

LAUNCHER = str(Path(__file__).with_name("launcher.py"))


class ObservedTransport(ProcessTransport):
    """`told(call)` gets every call; `refused` says why there are none, "" while there may be. `python` is what runs
    the launcher; `more` is for what it is mixed with."""

    python = sys.executable

    def __init__(self, launch: Launch, machine: calls.Machine, *more: Any) -> None:
        super().__init__(launch, *more)
        self.told: Callable[[Call], None] = lambda _: None
        self.refused = ""
        self.listens = False
        self._machine = machine
        self._observer: Observer | None = None
        self._channel: socket.socket | None = None

    def start(self, watch: Watch) -> None:
        """Start the launcher, which becomes the bot."""
        self._watch = watch
        launch = self.launch
        ours, theirs = socket.socketpair()
        self._channel = ours
        locale = "keep" if "LC_CTYPE" in launch.environment else "drop"
        code = calls.program(self._machine).hex()
        first = (self.python, "-I", "-S", LAUNCHER, str(theirs.fileno()), str(self._machine.seccomp))
        command = (*first, code, locale, *launch.command)
        with theirs:
            self.launch = replace(launch, command=command, passed=(theirs.fileno(),))
            super().start(watch)
        ours.setblocking(False)
        watch(ours.fileno(), select.POLLIN)

    def ready(self, fd: int, mask: int) -> Arrival | None:
        """One piece of what came over `fd`."""
        if self._channel is not None and fd == self._channel.fileno():
            self._connected()
            return None
        if self._observer is not None and fd == self._observer.descriptor:
            self.let_go_on(mask)
            return None
        return super().ready(fd, mask)

    def let_go_on(self, mask: int = select.POLLIN) -> None:
        """Answer the calls that wait now."""
        if self._observer is None:
            return
        for call in self._observer.answer():
            self.told(call)
        if mask & (select.POLLHUP | select.POLLERR) and not mask & select.POLLIN:
            self._end_observer()

    def asleep(self) -> bool:
        """While the launcher is still at work nothing can be said of the bot."""
        return self._channel is None and super().asleep()

    @property
    def listening(self) -> int:
        """The descriptor that the calls come over; -1 where there is none (yet)."""
        return self._observer.descriptor if self._observer is not None else -1

    def stop(self) -> None:
        """Kill the group first: while it lives its calls want answers."""
        super().stop()
        self._end_observer()
        self._end_channel()

    def _connected(self) -> None:
        assert self._channel is not None
        passed = array.array("i", [0])
        try:
            said, ancillary, _, _ = self._channel.recvmsg(64, socket.CMSG_SPACE(passed.itemsize))
        except BlockingIOError:
            return
        except OSError:
            said, ancillary = b"", []
        self._end_channel()
        for _, _, data in ancillary:
            passed.frombytes(data[: passed.itemsize])
            self._observer = Observer(passed[-1], self._machine)
            self._watch(self._observer.descriptor, select.POLLIN)
            self.listens = True
        if self._observer is None:
            self.refused = os.strerror(int(said)) if said.isdigit() else "it ended before it could be watched"

    def _end_channel(self) -> None:
        if self._channel is not None:
            self._watch(self._channel.fileno(), 0)
            self._channel.close()
            self._channel = None

    def _end_observer(self) -> None:
        if self._observer is not None:
            self._watch(self._observer.descriptor, 0)
            self._observer.close()
            self._observer = None
