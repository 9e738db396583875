"""Worker processes that a bot can stop or kill, and an executor that notices.

Law: a worker runs one task at a time. One that is stopped is woken, one that is killed is replaced; either way its
task is run a second time, because anybody may have done that once. When it happens again, `harmed` says what the
task's result is: twice in a row, with the same bot, is that bot's doing. All of it runs in the thread that waits for
a result, so nothing forks beside a thread; `Future.result` and `wait_for_any` are therefore the only ways to wait.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future
from concurrent.futures import wait as futures_wait
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

LOOK = 0.2
"""Seconds between two looks at what the workers are doing, while none of them has finished."""
ENDS_WITHIN = 10.0
"""Seconds a worker has to end when it is told to."""
TRIES = 2


class Harm(NamedTuple):
    """What befell a worker: `signal` stopped (SIGSTOP) or ended it (0: it ended otherwise); `memory`: the machine was
    out of it meanwhile, and may have killed it for that."""

    signal: int
    memory: bool = False


Harmed = Callable[[Any, Sequence[Harm], Any], Any]
"""`harmed(task, harms, result)`: the result of a task whose worker came to harm each time; `result` is what the last
run gave, None where it gave nothing."""


@dataclass(eq=False)
class _Task:
    call: tuple[Any, tuple[Any, ...], dict[str, Any]]
    future: Future[Any]
    harms: list[Harm] = field(default_factory=list)


class _Worker:
    """One process; `task` is what it is at."""

    def __init__(self, begin: Callable[[], None]) -> None:
        context = multiprocessing.get_context("fork")
        self.line, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, begin))
        self.process.start()
        other.close()
        self.task: _Task | None = None
        self.stopped = False
        self.killed_before = 0

    def give(self, task: _Task) -> None:
        self.task, self.stopped, self.killed_before = task, False, memory_kills()
        with contextlib.suppress(
            BrokenPipeError, ConnectionResetError
        ):  # killed while idle: seen at the next look
            self.line.send(task.call)

    def look(self) -> None:
        """Wake it if it was stopped."""
        if _state(self.process.pid) == "T":
            self.stopped = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid or 0, signal.SIGCONT)

    def end(self, *, now: bool) -> None:
        """Have it end, at once or when it is idle; reap it."""
        if now:
            self.process.terminate()
            self.look()
        else:
            with contextlib.suppress(OSError):
                self.line.send(None)
        self.process.join(ENDS_WITHIN)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.line.close()
        self.process.close()


class Workers(Executor):
    """`count` workers, forked at once, each of which calls `begin` first. A context manager, as every executor."""

    def __init__(self, count: int, begin: Callable[[], None], harmed: Harmed) -> None:
        self._begin = begin
        self._harmed = harmed
        self._todo: deque[_Task] = deque()
        self._workers = [_Worker(begin) for _ in range(count)]

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
        for worker in self._workers:
            worker.end(now=not wait)
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
        """One worker has a result, or has ended."""
        task = worker.task
        assert task is not None
        try:
            failed, result = worker.line.recv()
        except (EOFError, OSError):
            self._replace(worker)
            return
        worker.task = None
        if worker.stopped:
            self._harm(task, Harm(signal.SIGSTOP), None if failed else result)
        elif failed:
            task.future.set_exception(result)
        else:
            task.future.set_result(result)

    def _replace(self, worker: _Worker) -> None:
        worker.process.join(ENDS_WITHIN)
        harm = Harm(-min(worker.process.exitcode or 0, 0), memory_kills() != worker.killed_before)
        task = worker.task
        worker.end(now=True)
        self._workers[self._workers.index(worker)] = _Worker(self._begin)
        assert task is not None
        self._harm(task, harm, None)

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


def _serve(line: Connection, begin: Callable[[], None]) -> None:
    """A worker's life, in a session of its own: what a bot sends its parent's group reaches the worker alone."""
    os.setsid()
    begin()
    while True:
        try:
            call = line.recv()
        except EOFError:
            return
        if call is None:
            return
        fn, args, kwargs = call
        try:
            answer = (False, fn(*args, **kwargs))
        except Exception as error:
            answer = (True, error)
        line.send(answer)


def memory_kills() -> int:
    """How many processes Linux has killed for want of memory since it started; 0 where it does not tell."""
    with contextlib.suppress(OSError, StopIteration), open("/proc/vmstat", "rb") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(b"oom_kill "))
    return 0


def _state(pid: int | None) -> str:
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()[0].decode()
    return ""
