"""Worker processes that a bot can stop or kill, and an executor that notices.

Law: a worker runs one task at a time. One that is stopped is woken, one that is killed is replaced, and so is one whose
helpers were stopped or killed, or whose limits were lowered; either way its task is run a second time, because anybody
may have done that once. When it happens again, `harmed` says what the task's result is: twice in a row, with the same
bot, is that bot's doing. All of it runs in the thread that waits for a result, so nothing forks beside a thread;
`Future.result` and `wait_for_any` are therefore the only ways to wait.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future
from concurrent.futures import wait as futures_wait
from dataclasses import dataclass, field
from mmap import mmap
from multiprocessing.connection import wait
from typing import Any, NamedTuple

from pdcheck.conformance import helpers, oom

LOOK = 0.2
"""Seconds between two looks at what the workers are doing, while none of them has finished."""
ENDS_WITHIN = 10.0
"""Seconds the workers have to end when they are told to, all of them together."""
TRIES = 2
_LENGTH = struct.Struct("!Q")
_PIECE = 1 << 20


class Harm(NamedTuple):
    """What befell a worker, or its `helper` (what it is called): `signal` stopped (SIGSTOP) or ended it (0: it ended
    otherwise); `memory`: the machine was out of it meanwhile, and may have killed it for that. `limit`: neither, but
    this limit of the worker's was lowered."""

    signal: int
    memory: bool = False
    helper: str = ""
    limit: str = ""


Harmed = Callable[[Any, Sequence[Harm], Any], Any]
"""`harmed(task, harms, result)`: the result of a task whose worker came to harm each time; `result` is what the last
run gave, None where it gave nothing."""
Look = Callable[[], Harm | None]


def _nothing() -> None:
    """What a worker does that has no helpers."""


class Life(NamedTuple):
    """What a worker does beside its tasks: `begin` first, `hurt` after each one (what befell its helpers meanwhile),
    `end` last."""

    begin: Callable[[], None] = _nothing
    hurt: Look = _nothing
    end: Callable[[], None] = _nothing


class _Line:
    """One end of a line between the kit and a worker: pickled values, each after its length."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._heard = bytearray()
        self.fileno = end.fileno
        self.close = end.close

    def send(self, value: Any) -> None:
        """Raises OSError when nobody listens any more."""
        data = pickle.dumps(value)
        self._end.sendall(_LENGTH.pack(len(data)) + data)

    def hear(self) -> bool:
        """Read what there is of the next value, waiting only where there is nothing; whether that is all of it. Raises
        EOFError at the end, OSError when the line is broken."""
        data = self._end.recv(_PIECE)
        if not data:
            raise EOFError
        self._heard += data
        return len(self._heard) >= self._size()

    def value(self) -> Any:
        """The value that was heard to its end."""
        data = bytes(self._heard[_LENGTH.size : self._size()])
        del self._heard[: self._size()]
        return pickle.loads(data)

    def _size(self) -> int:
        """Bytes of the value and of its length, as far as that one is known."""
        if len(self._heard) < _LENGTH.size:
            return _LENGTH.size + 1
        return _LENGTH.size + int(_LENGTH.unpack_from(self._heard)[0])


@dataclass(eq=False)
class _Task:
    call: tuple[Any, tuple[Any, ...], dict[str, Any]]
    future: Future[Any]
    harms: list[Harm] = field(default_factory=list)


class _Worker:
    """One process; `task` is what it is at."""

    def __init__(self, life: Life) -> None:
        context = multiprocessing.get_context("fork")
        ours, theirs = socket.socketpair()
        self.line, other = _Line(ours), _Line(theirs)
        self.helpers = helpers.new_table()
        # A daemon is ended at the kit's exit, also when an interrupt came before it was anybody's to end.
        self.process = context.Process(target=_serve, args=(other, life, self.helpers), daemon=True)
        self.process.start()
        other.close()
        self.task: _Task | None = None
        self.stopped = False
        self.killed_before = 0

    def give(self, task: _Task) -> None:
        self.task, self.stopped, self.killed_before = task, False, oom.kills()
        with contextlib.suppress(
            BrokenPipeError, ConnectionResetError
        ):  # killed while idle: seen at the next look
            self.line.send(task.call)

    def look(self) -> None:
        """Wake it if it was stopped."""
        if helpers.look(self.process.pid)[0] == "T":
            self.stopped = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid or 0, signal.SIGCONT)

    def tell_to_end(self, *, now: bool) -> None:
        """Have it end, at once or when it is idle."""
        if now:
            self.process.terminate()
        else:
            with contextlib.suppress(OSError):
                self.line.send(None)

    def bury(self) -> None:
        """Reap it; kill it if it is still there."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.line.close()
        self.process.close()


def _end(workers: Sequence[_Worker], *, now: bool) -> None:
    """Have the workers end, and their helpers; nothing is left of them."""
    for worker in workers:
        worker.tell_to_end(now=now)
    until = time.monotonic() + ENDS_WITHIN
    while left := [worker for worker in workers if worker.process.is_alive()]:
        for worker in left:
            worker.look()
        if time.monotonic() > until:
            break
        wait([worker.process.sentinel for worker in left], LOOK)
    for worker in workers:
        worker.bury()
    helpers.end_entered(worker.helpers for worker in workers)
    for worker in workers:
        worker.helpers.close()


class Workers(Executor):
    """`count` workers, forked at once, each with this `life`. A context manager, as every executor."""

    def __init__(self, count: int, life: Life, harmed: Harmed) -> None:
        self._life = life
        self._harmed = harmed
        self._todo: deque[_Task] = deque()
        self._workers = [_Worker(life) for _ in range(count)]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call it; the arguments and what it returns are pickled."""
        future = _Future(self)
        self._todo.append(_Task((fn, args, kwargs), future))
        self._hand_out()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers: when they are done with all tasks, or (not `wait`) at once."""
        while wait and not cancel_futures and (self._todo or self._busy()):
            self.pump()
        _end(self._workers, now=not wait)
        self._workers.clear()

    def pump(self) -> None:
        """Wait a moment for the workers, and deal with what has come of it."""
        self._hand_out()
        busy = self._busy()
        lines: dict[Any, _Worker] = {worker.line: worker for worker in busy}
        ends: dict[Any, _Worker] = {worker.process.sentinel: worker for worker in busy}
        ready = wait([*lines, *ends], LOOK)
        if not ready:
            for worker in busy:
                worker.look()
        for one in {lines.get(one) or ends[one] for one in ready}:
            self._take(one)

    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.task]

    def _hand_out(self) -> None:
        for worker in self._workers:
            if self._todo and worker.task is None:
                worker.give(self._todo.popleft())

    def _take(self, worker: _Worker) -> None:
        """One worker has a result, or a piece of one, or has ended."""
        task = worker.task
        assert task is not None
        try:
            # Never to the end at once: it may be stopped in the middle of it, and only `pump` wakes it.
            if not worker.line.hear():
                return
        except (EOFError, OSError):
            self._lost(worker, task)
            return
        failed, result, hurt = worker.line.value()
        worker.task = None
        if hurt:
            out_of_memory = oom.kills() != worker.killed_before
            self._replace(worker, now=False)
            self._harm(task, hurt._replace(memory=out_of_memory), None if failed else result)
        elif worker.stopped:
            self._harm(task, Harm(signal.SIGSTOP), None if failed else result)
        elif failed:
            task.future.set_exception(result)
        else:
            task.future.set_result(result)

    def _lost(self, worker: _Worker, task: _Task) -> None:
        """It has ended in the middle of its task."""
        worker.process.join(ENDS_WITHIN)
        harm = Harm(-min(worker.process.exitcode or 0, 0), oom.kills() != worker.killed_before)
        self._replace(worker, now=True)
        self._harm(task, harm, None)

    def _replace(self, worker: _Worker, *, now: bool) -> None:
        _end([worker], now=now)
        self._workers[self._workers.index(worker)] = _Worker(self._life)

    def _harm(self, task: _Task, harm: Harm, result: Any) -> None:
        task.harms.append(harm)
        if len(task.harms) < TRIES:
            self._todo.appendleft(task)
        else:
            task.future.set_result(self._harmed(task.call[0], task.harms, result))


class _Future(Future[Any]):
    """Waiting for it is what makes the workers go on."""

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        self._of = workers

    def pump(self) -> None:
        """Let the workers go on for a moment."""
        self._of.pump()

    def result(self, timeout: float | None = None) -> Any:
        """The result; raises TimeoutError when it is not there in time, and what the task raised."""
        until = None if timeout is None else time.monotonic() + timeout
        while not self.done():
            if until is not None and time.monotonic() > until:
                raise TimeoutError
            self._of.pump()
        return super().result(0)


def wait_for_any(futures: Sequence[Future[Any]]) -> None:
    """Wait until one of them is done, or a moment has passed. They may be another executor's."""
    for future in futures:
        if isinstance(future, _Future):
            future.pump()
            return
    futures_wait(futures, return_when=FIRST_COMPLETED)


def _serve(line: _Line, life: Life, table: mmap) -> None:
    """A worker's life, in a session of its own: what a bot sends its parent's group reaches the worker alone."""
    os.setsid()
    helpers.enter_in(table)
    life.begin()
    limits = helpers.limits()
    while call := _next(line):
        fn, args, kwargs = call
        answer: tuple[bool, Any]
        try:
            answer = (False, fn(*args, **kwargs))
        except Exception as error:
            answer = (True, error)
        lowered = helpers.lowered(limits)
        line.send((*answer, Harm(0, limit=lowered) if lowered else life.hurt()))
    life.end()


def _next(line: _Line) -> Any:
    """The next task; None for none, also when the kit is gone."""
    try:
        while not line.hear():
            pass
    except (EOFError, OSError):
        return None
    return line.value()
