"""A bot in walls: the same small Protocol as any other bot process.

Law: `pid` is the bot itself, as the host numbers it, so that whoever looks at a bot looks at it and not at what keeps
it; `child` is bubblewrap, which is started and waited for. `start` returns when the bot's own program runs; what goes
wrong before that is WallsError, never the bot's. When the bot has ended, nothing of it is left.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import subprocess
import time
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from pdcheck.conformance.sandbox import WallsError, bubblewrap, inside, limits
from pdcheck.conformance.sandbox.cgroup import Group
from pdcheck.conformance.sandbox.filter import descriptor
from pdcheck.conformance.sandbox.walls import Walls
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.transports import StartError, Watch
from pdcheck.conformance.transports.meter import Meter, clock_of
from pdcheck.conformance.transports.process import Launch, ProcessTransport

UP_WITHIN = 30.0
"""Seconds after which walls that are not up are given up."""
_LOOK = 0.0002
_LAST_WORD = 0.5
_HIDDEN_WITHIN = 1.0
"""A program that may not be read hides what it is; after so long it is taken to run."""
_NOT_RUN = "execvp"
SHOWN = 300


class WalledTransport(ProcessTransport):
    """A `ProcessTransport` inside `walls`. `memory_kills`: processes that the kernel ended for want of memory."""

    def __init__(self, launch: Launch, walls: Walls, workshop: Workshop) -> None:
        super().__init__(launch)
        self.walls = walls
        self.workshop = workshop
        self.memory_kills = 0
        self._told = b""
        self._status = self._gate = self._body = -1
        self._ends: list[int] = []
        self._keeper: inside.Keeper | None = None
        self._group: Group | None = None
        self._born_in_group = False
        self._overhead = 0.0

    def start(self, watch: Watch) -> None:
        """Put the walls up and start the bot in them. Raises StartError when there is no such program inside,
        WallsError when there are no walls."""
        try:
            super().start(watch)
        except BaseException:
            self.stop()
            raise
        finally:
            self._close_ends()

    def _popen(self, stdin: int, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
        program = bubblewrap.find()
        self._status, status = os.pipe()
        gate, self._gate = os.pipe()
        self._ends = [status, gate, descriptor(self.walls.leaves)]
        lines = bubblewrap.Lines(*self._ends)
        launch = self.launch
        command = bubblewrap.argv(self.walls, launch.command, launch.environment, lines, program)
        # Nothing of the bot's environment is bubblewrap's: it could be a library to load.
        self.launch = Launch(tuple(command), {}, "/", (*launch.passed, *self._ends))
        try:
            with self._new_group() as self._born_in_group:
                return super()._popen(stdin, stdout, stderr)
        except StartError as error:
            raise WallsError(str(error)) from None
        finally:
            self.launch = launch

    @contextlib.contextmanager
    def _new_group(self) -> Iterator[bool]:
        """Where memory is counted, what is started here belongs to a group of its own; whether it does."""
        cgroups, memory = self.workshop.cgroups, self.walls.limits.memory
        if cgroups is None or memory is None:
            yield False
            return
        try:
            self._group = cgroups.group(memory)
            with self._group.born_in() as done:
                yield done
        except OSError as error:
            raise WallsError(f"memory cgroup: {error.strerror}") from None

    def _credentials(self) -> Mapping[str, Any]:
        return self.workshop.user.credentials() if self.workshop.user else {}

    def _bot(self) -> int:
        self._close_ends()
        self._own_streams()
        until = time.monotonic() + UP_WITHIN
        keeper = self._keeper = inside.Keeper(self._await_keeper(until))
        try:
            limits.set_on(keeper.pid, self.workshop.fitted(self.walls.limits), self.workshop.user)
            if self._group and not self._born_in_group:
                self._group.add(keeper.pid)
            os.write(self._gate, b"+")
        except (OSError, WallsError):
            if inside.wait(self._status, _LAST_WORD):  # it has ended, and what it says tells more
                self._listen(until)
            raise
        pid = self._await_bot(keeper.pid, until)
        keeper.settle()
        with contextlib.suppress(OSError):
            self._overhead = keeper.own + time.clock_gettime(clock_of(self.child))
        return pid

    def _own_streams(self) -> None:
        """Let the bot's user open its streams by their names, too (`/dev/stdin`), as who started it could."""
        if self.workshop.user:
            for fd in (self._stdin, self._stdout, self._stderr):
                os.fchown(fd, self.workshop.user.number, self.workshop.user.number)

    def _await_keeper(self, until: float) -> int:
        while "child-pid" not in inside.documents(self._told):
            self._listen(until)
        return int(inside.documents(self._told)["child-pid"])

    def _await_bot(self, keeper: int, until: float) -> int:
        """The bot's process, once it runs its own program."""
        own, hidden = inside.program_of(self.child), time.monotonic() + _HIDDEN_WITHIN
        while True:
            pid = inside.child_of(keeper)
            if pid and self._body < 0:
                self._body = inside.pidfd(pid)
            program = inside.program_of(pid) if pid else ""
            if pid and program != own and (program or time.monotonic() > hidden):
                return pid
            if inside.wait(self._status, 0):
                self._listen(until)
            if "exit-code" in inside.documents(self._told):  # it ran, and has ended already
                return pid or self.child
            select.select([self._status], [], [], _LOOK)
            if time.monotonic() > until:
                raise WallsError(f"{bubblewrap.PROGRAM} did not start its program")

    def _listen(self, until: float) -> None:
        """One piece of what bubblewrap says; raises when it has ended and the program never ran."""
        if not inside.wait(self._status, max(0.0, until - time.monotonic())):
            raise WallsError(f"{bubblewrap.PROGRAM} did not answer")
        said = os.read(self._status, 4096)
        self._told += said
        if not said and "exit-code" not in inside.documents(self._told):
            self._refused()

    def _refused(self) -> NoReturn:
        """Raise what bubblewrap said last: whether there are no walls, or no such program in them."""
        inside.wait(self._stderr, 1.0)
        said = ""
        with contextlib.suppress(OSError):
            said = os.read(self._stderr, SHOWN).decode("utf-8", "replace").strip()
        last = said.splitlines()[-1] if said else f"{bubblewrap.PROGRAM} ended without a word"
        if _NOT_RUN in last:
            reason = last.rpartition(": ")[2]
            raise StartError(f"cannot start {self.launch.command[0]!r}: {reason}")
        raise WallsError(last)

    def _new_meter(self) -> Meter:
        return _Inner(self._keeper) if self._keeper else super()._new_meter()

    def _outcome(self, status: int, usage: resource.struct_rusage) -> tuple[int, resource.struct_rusage]:
        keeper = self._keeper
        if keeper is None:
            return status, usage
        used = keeper.end()
        overhead = keeper.own if used else self._overhead
        if self._group:
            self.memory_kills = self._group.kills()
        found = inside.status_of(status, self._body) if status >= 0 else status
        return found, _less(used or usage, overhead)

    def look(self) -> None:
        """Whether it has ended, for who has no poll."""
        if self.status is None and self.pid:
            self._reap()

    def stop(self) -> None:
        """End all that is inside, then what keeps it; free everything."""
        if self._keeper and self.status is None:
            self._keeper.end()
            if self._pidfd >= 0:
                inside.wait(self._pidfd, inside.GONE_WITHIN)
        super().stop()
        self._close_ends()
        for name in ("_status", "_gate", "_body"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)
        if self._keeper:
            self._keeper.close()
        if self._group and self.workshop.cgroups:
            self.workshop.cgroups.done(self._group)
            self._group = None

    def signal(self, number: int) -> None:
        """Send a signal to the bot's whole group. Its keeper is in it, and takes none but SIGKILL and SIGSTOP."""
        if self.status is None and self.pid:
            with contextlib.suppress(OSError):
                os.killpg(os.getpgid(self.pid), number)

    def group_alive(self) -> bool:
        """Whether any process of the bot's group runs: never when it has ended, for all inside ends with it."""
        return self.status is None

    def _close_ends(self) -> None:
        for end in self._ends:
            os.close(end)
        self._ends = []


class _Inner(Meter):
    """The CPU time of all that is inside but the keeper's own, whose children they are or become."""

    def __init__(self, keeper: inside.Keeper) -> None:
        super().__init__(keeper.pid)
        self._keeper = keeper

    @property
    def pids(self) -> list[int]:
        """The processes that were there when it was last read."""
        return [pid for pid in super().pids if pid != self._keeper.pid]

    def read(self) -> float:
        """Seconds so far."""
        return max(0.0, super().read() - self._keeper.own)

    def ended(self, used: float) -> float:
        """Seconds in all; what was `used` is without the keeper's own already."""
        return max(0.0, super().ended(used + self._keeper.own) - self._keeper.own)


def _less(usage: resource.struct_rusage, seconds: float) -> resource.struct_rusage:
    """The usage without what the walls took, which is nearly all the kernel's time."""
    system = usage.ru_stime - seconds
    values = list(usage)
    values[0], values[1] = max(0.0, usage.ru_utime + min(0.0, system)), max(0.0, system)
    return resource.struct_rusage(values)
