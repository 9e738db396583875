"""A bot as its contest starts it: a child process on three pipes, read with pexpect.

Law: no shell, no terminal, no preexec_fn; its own session and process group; nothing inherited but what is passed.
Nothing here blocks: stdout and stderr are read when the poll says so, input that the bot does not take is kept and
written as it drains, and the pid is watched beside stdout, because a grandchild can hold a dead bot's pipe open.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import platform
import resource
import select
import signal
import subprocess
import termios
import time
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pdcheck.conformance.transports import Arrival, StartError, Watch, proc
from pdcheck.conformance.transports.meter import Meter, clock_of
from pdcheck.conformance.transports.warden import warden
from pexpect import EOF
from pexpect.fdpexpect import fdspawn
from pexpect.spawnbase import SpawnBase

READ_SIZE = 1 << 16
STDERR_LIMIT = 1 << 20
"""IO-13: so much of stderr is kept; more is read, so that it never blocks the bot, and dropped."""


running: set[int] = set()
"""Every bot process that this process has started and not yet reaped."""

_READ_CALL = {"x86_64": b"0", "aarch64": b"63"}.get(platform.machine())
"""The number of read(2) as /proc/PID/syscall shows it."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How a bot is started: `command` (argv), its whole environment, its folder (None: the kit's own), and the
    descriptors `passed` to it besides its three pipes."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str | None = None
    passed: tuple[int, ...] = ()


_NOT_A_PROGRAM = (
    errno.ENOENT,
    errno.EACCES,
    errno.EPERM,
    errno.ENOEXEC,
    errno.ENOTDIR,
    errno.ELOOP,
    errno.EISDIR,
)
"""What says that there is no such program; any other failure to start one is the machine's."""

if TYPE_CHECKING:
    _FdSpawn = fdspawn[bytes]
else:
    _FdSpawn = fdspawn


class _Pipe(_FdSpawn):
    """pexpect on a pipe. The runner's own poll has said that there is something to read."""

    def read_ready(self) -> bytes:
        """What is there; raises EOF at its end, BlockingIOError when nothing is there after all.

        fdspawn's own read polls once more, which costs as much as the read.
        """
        return SpawnBase.read_nonblocking(self, READ_SIZE)


class ProcessTransport:
    """The `Transport` of a bot process. `pid` is 0 before `start`; `status` None while it runs.

    `child` is the process that was started and is waited for: the bot's own, or what keeps it in walls.
    `with_children`, set before `start`: its CPU time is that of all it starts, too.
    """

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.pid = self.child = 0
        self.status: int | None = None
        self.usage_cpu = 0.0
        self.peak_kib = 0
        self.with_children = False
        self.stderr_dropped = 0
        self._stderr_kept = 0
        self._pending = bytearray()
        self._ending = False
        self._stopped = False
        self._cpu_clock = 0
        self._meter: Meter | None = None
        self._starved = 0.0
        self._cpu = 0.0
        self._stdin = self._stdout = self._stderr = self._pidfd = -1

    def start(self, watch: Watch) -> None:
        """Start the process and watch its descriptors. Raises StartError."""
        process = self._open()
        self._process = process
        self.child = process.pid
        running.add(self.child)
        warden().began(self.child)
        self._watch = watch
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in self._files)
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)
        self._spawn = _Pipe(self._stdout, maxread=READ_SIZE, encoding=None, timeout=0, use_poll=True)
        self.pid = self._bot()
        self._cpu_clock = clock_of(self.pid)
        self._meter = self._new_meter() if self.with_children else None
        watch(self._stdout, select.POLLIN)
        watch(self._stderr, select.POLLIN)
        with contextlib.suppress(AttributeError, OSError):
            self._pidfd = os.pidfd_open(self.child)
            watch(self._pidfd, select.POLLIN)

    def _bot(self) -> int:
        """The process that is the bot, now that `child` was started."""
        return self.child

    def _new_meter(self) -> Meter:
        return Meter(self.pid)

    def _open(self) -> subprocess.Popen[bytes]:
        """Start the process and leave this side of its three streams in `_files`."""
        process = self._popen(subprocess.PIPE, subprocess.PIPE, subprocess.PIPE)
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._files = (process.stdin, process.stdout, process.stderr)
        return process

    def _popen(self, stdin: int, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
        command = list(self.launch.command)
        try:
            return subprocess.Popen(
                command,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=dict(self.launch.environment),
                cwd=self.launch.folder,
                start_new_session=True,
                bufsize=0,
                pass_fds=self.launch.passed,
                **self._credentials(),
            )
        except OSError as error:
            if error.errno not in _NOT_A_PROGRAM:
                raise
            raise StartError(f"cannot start {command[0]!r}: {error.strerror or error}") from None

    def _credentials(self) -> Mapping[str, Any]:
        """The user that it is started as, as `Popen` is told; nothing: the kit's own."""
        return {}

    def send(self, data: bytes) -> None:
        """Write what the pipe takes now; the rest goes out as the bot reads."""
        if self._stdin < 0:
            return
        if not self._pending:
            try:
                done = os.write(self._stdin, data)
            except BlockingIOError:
                done = 0
            except OSError:
                self._drop_input()
                return
            if done == len(data):
                return
            data = data[done:]
            self._watch(self._stdin, select.POLLOUT)
        self._pending += data

    def end_input(self) -> None:
        """Close the bot's input, after what is still to be written."""
        self._ending = True
        if not self._pending:
            self._drop_input()

    @property
    def unread(self) -> int:
        """Bytes sent that are still on this side because the bot's pipe is full."""
        return len(self._pending)

    def ready(self, fd: int, mask: int) -> Arrival | None:
        """One piece of what came over `fd`."""
        if fd == self._stdout:
            return self._read_stdout()
        if fd == self._stderr:
            return self._read_stderr()
        if fd == self._stdin:
            self._flush()
            return None
        if fd == self._pidfd:
            return self._reap()
        return None

    @property
    def no_pidfd(self) -> bool:
        """Whether its end has to be looked for, because this system has no pidfd."""
        return self._pidfd < 0 and self.status is None

    def rest(self) -> Iterator[Arrival]:
        """What an ended process left in its pipes; never waits for a grandchild that holds them open."""
        while self._stderr >= 0 and (arrival := self._read_stderr()):
            yield arrival
        while self._stdout >= 0 and (arrival := self._read_stdout()) and arrival.data:
            yield arrival

    def deafen(self) -> None:
        """Read no more of its stdout: a flood then blocks on its own pipe."""
        if self._stdout >= 0:
            self._watch(self._stdout, 0)
            self._stdout = -1

    def prompt(self) -> Arrival | None:
        """Where there is no pidfd, a look at the process; else nothing."""
        if self._pidfd < 0 and self.status is None and self.pid:
            return self._reap()
        return None

    def cpu(self) -> float:
        """CPU seconds of the bot's own process, all threads, or with all its children; its last known value once it
        has ended."""
        if self._cpu_clock and self.status is None:
            try:  # noqa: SIM105  # twice an exchange: contextlib.suppress would cost as much as the call
                self._cpu = time.clock_gettime(self._cpu_clock)
            except OSError:
                pass
            if self._meter:
                self._cpu = max(self._cpu, self._meter.read())
        return self._cpu

    def waiting(self) -> bool:
        """Whether it seems to wait for input rather than to think or sleep: `deaf`, or, where several threads hide
        what it does, at least all asleep."""
        if self.deaf():
            return True
        # All of them: the first one of a Java bot only waits for the one that plays.
        states = proc.states(self.pid)
        return states is None or (len(states) > 1 and set(states) <= {b"S", b"Z"})

    def asleep(self) -> bool:
        """Whether its first thread waits for something; true where /proc does not tell."""
        try:
            return proc.state(f"/proc/{self.pid}/stat") in (b"S", b"Z")
        except OSError:
            return True

    def deaf(self) -> bool:
        """Whether it cannot answer any more unless it is sent something: a single thread, blocked in reading its
        stdin, with nothing left to read there. False where the system does not tell."""
        if self._pending or self._stdin < 0 or _READ_CALL is None:
            return False
        try:
            with open(f"/proc/{self.pid}/syscall", "rb") as file:
                call = file.read().split()
            alone = len(os.listdir(f"/proc/{self.pid}/task")) == 1
            with open(f"/proc/{self.pid}/task/{self.pid}/children", "rb") as file:
                alone = alone and not file.read()
        except OSError:
            return False
        return alone and call[:2] == [_READ_CALL, b"0x0"] and self.in_pipe() == 0

    def in_pipe(self) -> int | None:
        """Bytes sent that the bot has not read yet, beside `unread`; None where the system does not tell."""
        waiting = array("i", [0])
        try:
            fcntl.ioctl(self._stdin, termios.FIONREAD, waiting)
        except (OSError, ValueError):
            return None
        return waiting[0]

    def streams(self) -> tuple[str, str, str]:
        """What its stdin, stdout and stderr are called under /proc/PID/fd ("" for one that is closed)."""
        stdin, stdout, stderr = (proc.name(fd) for fd in (self._stdin, self._stdout, self._stderr))
        return stdin, stdout, stderr

    def untaken(self) -> int:
        """Bytes it was sent and has not read; 0 where the system does not tell."""
        return len(self._pending) + (self.in_pipe() or 0)

    def starved(self) -> float:
        """Seconds it was ready to run and got no core: the machine's doing. 0.0 where the system does not tell.

        With its children, what those waited that have ended is forgotten, but never taken back.
        """
        pids = {self.pid, *(self._meter.pids if self._meter else ())}
        self._starved = max(self._starved if self._meter else 0.0, sum(map(proc.starved, pids)))
        return self._starved

    def signal(self, number: int) -> None:
        """Send a signal to the bot's whole group."""
        if self.status is None and self.pid:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def group_alive(self) -> bool:
        """Whether any process of the bot's group is there and running (a zombie that nobody has reaped is not)."""
        try:
            os.killpg(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return self.status is None or proc.running_in(self.pid)

    def stop(self) -> None:
        """Kill the group, reap the bot, close every descriptor."""
        if self._stopped or not self.child:
            return
        self._stopped = True
        self._drop_input()
        # Once it was reaped and its group is empty, its number may already be another's.
        if self.status is None or self.group_alive():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.child, signal.SIGKILL)
        if self.status is None:
            self._wait(0)
        warden().ended(self.child)
        for pipe in self._files[1:]:
            if not pipe.closed:
                self._watch(pipe.fileno(), 0)
                pipe.close()
        self._close_pidfd()

    def _read_stdout(self) -> Arrival | None:
        try:
            data = self._spawn.read_ready()
        except BlockingIOError:
            return None
        except (EOF, OSError):
            self._watch(self._stdout, 0)
            self._stdout = -1
            return Arrival("out", b"")
        return Arrival("out", data)

    def _read_stderr(self) -> Arrival | None:
        try:
            data: bytes = os.read(self._stderr, READ_SIZE)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self._watch(self._stderr, 0)
            self._stderr = -1
            return None
        kept = data[: max(0, STDERR_LIMIT - self._stderr_kept)]
        self._stderr_kept += len(kept)
        self.stderr_dropped += len(data) - len(kept)
        return Arrival("err", kept) if kept else None

    def _flush(self) -> None:
        try:
            done = os.write(self._stdin, self._pending)
        except BlockingIOError:
            return
        except OSError:
            self._drop_input()
            return
        del self._pending[:done]
        if not self._pending:
            self._watch(self._stdin, 0)
            if self._ending:
                self._drop_input()

    def _reap(self) -> Arrival | None:
        if self.status is None and not self._wait(os.WNOHANG):
            return None
        self._close_pidfd()
        assert self.status is not None
        return Arrival("exit", status=self.status)

    def _wait(self, flags: int) -> bool:
        self.cpu()
        pid, status, usage = os.wait4(self.child, flags)
        if not pid:
            return False
        running.discard(self.child)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self.status, usage = self._outcome(self._process.returncode, usage)
        used = usage.ru_utime + usage.ru_stime
        self.usage_cpu = self._meter.ended(used) if self._meter else used
        self._cpu = max(self._cpu, self.usage_cpu)
        self.peak_kib = usage.ru_maxrss
        return True

    def _outcome(self, status: int, usage: resource.struct_rusage) -> tuple[int, resource.struct_rusage]:
        """The bot's exit status and what it has used, from those of `child`, which has ended."""
        return status, usage

    def _drop_input(self) -> None:
        if self._stdin < 0:
            return
        if self._pending:
            self._watch(self._stdin, 0)
            self._pending.clear()
        self._files[0].close()
        self._stdin = -1

    def _close_pidfd(self) -> None:
        if self._pidfd >= 0:
            self._watch(self._pidfd, 0)
            os.close(self._pidfd)
            self._pidfd = -1
