"""One case in a worker: what is handed to an executor, and the executor itself.

Law: anything that is a `concurrent.futures.Executor` will do. A worker that outlives its kit would be a leak, so it
dies with it; it leaves interrupts to the kit. What fails in here is the case's trouble, told with its traceback.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from pdcheck.conformance.bot import Bot
from pdcheck.conformance.case import Case, run_case
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.judge import judge
from pdcheck.conformance.transports import StartError
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import GamePack

PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Work:
    """What all cases of a run share."""

    bot: Bot
    pack: GamePack
    rules: str
    time: float | None
    scratch: str | None = None


_work: Work | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One case to be run in a worker; in a `hurry` the bot's end is neither waited for nor judged."""

    case: Case
    hurry: bool = False

    def __call__(self) -> CaseResult:
        """Run and judge it."""
        assert _work is not None
        return work(_work, replace(self.case, hurry=True) if self.hurry else self.case)


def work(shared: Work, case: Case) -> CaseResult:
    """Run and judge one case; the kit's own exceptions become its `trouble`."""
    pack = shared.pack
    try:
        log, stage = run_case(case, shared.bot, pack, shared.rules, shared.time, shared.scratch)
        result = judge(case, log, stage, pack)
    except StartError as error:
        return CaseResult(case.id, trouble=str(error), no_start=True)
    except Exception:
        return CaseResult(case.id, trouble=traceback.format_exc())
    if any(finding.level is not Level.INFO for finding in result.findings):
        result.transcript = json.dumps(log.as_json())
    return result


@contextlib.contextmanager
def executor(jobs: int, shared: Work) -> Iterator[Executor]:
    """Workers for a run; with one job the cases run in this process. On leaving, nothing is left of them."""
    global _work
    _work = shared
    if jobs == 1:
        yield _Here()
        return
    # fork: the workers have the cases' modules loaded, and start in milliseconds. Spawned where fork is unsafe.
    method = "fork" if sys.platform == "linux" else "spawn"
    context = multiprocessing.get_context(method)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(shared, os.getpid()))
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        workers = list((getattr(pool, "_processes", None) or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()
        raise


class _Here(Executor):
    """The executor of one job: the case runs when it is submitted."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run it now."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _begin(shared: Work, kit: int) -> None:
    """In a new worker: leave Ctrl-C to the kit, and end when the kit does, however that came."""
    global _work
    _work = shared
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != kit:
            os._exit(1)
