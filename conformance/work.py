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
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from pdcheck.conformance import attack, control, languages, second
from pdcheck.conformance.case import Case, run_case
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.judge import judge
from pdcheck.conformance.repeats.settle import shows_alone
from pdcheck.conformance.repeats.talk import talk_of
from pdcheck.conformance.story import Story
from pdcheck.conformance.terms import Terms
from pdcheck.conformance.transcript import Probe, Transcript
from pdcheck.conformance.transports import StartError, warden
from pdcheck.conformance.workers import Harm, Life, Workers
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import Stage

PR_SET_PDEATHSIG = 1


_terms: Terms | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One case to be run in a worker; in a `hurry` the bot's end is neither waited for nor judged, and a `brief` one
    does not wait out the guard of a bot that is known to hang."""

    case: Case
    hurry: bool = False
    brief: bool = False
    needs: Mapping[str, str] = field(default_factory=dict)
    """Environment variables that the bot was seen not to work without (IO-12)."""

    def __call__(self) -> CaseResult:
        """Run and judge it."""
        assert _terms is not None
        bot = replace(_terms.bot, environment={**_terms.bot.environment, **self.needs})
        case = self.case
        if self.hurry or self.brief:
            case = replace(case, hurry=case.hurry or self.hurry, brief=case.brief or self.brief)
        return work(replace(_terms, bot=bot) if self.needs else _terms, case)


def work(terms: Terms, case: Case) -> CaseResult:
    """Run and judge one case, with second looks where it breaks down; the kit's own exceptions become its `trouble`."""
    pack = terms.pack
    logs: list[Transcript] = []
    try:
        result, log, stage = _judged(terms, case, logs)
        look: second.Run = lambda other: _looked(terms, other)  # noqa: E731
        seen = [
            *second.bears_the_clock(case, Story.read(log.of(stage.seat)), look),
            *second.looks(case, result, pack, terms.time or pack.time, look),
        ]
        if seen:
            log.events += (Probe(log.events[-1].at, stage.seat, what, values) for what, values in seen)
            talk, result = result.talk, judge(case, log, stage, pack)
            result.talk = talk
    except StartError as error:
        return CaseResult(case.id, trouble=str(error), no_start=True)
    except Exception:
        return CaseResult(case.id, trouble=traceback.format_exc(), transcript=_as_far_as_it_went(logs))
    if not shows_alone(case, pack) or any(finding.level is not Level.INFO for finding in result.findings):
        result.transcript = json.dumps(log.as_json())
    return result


def _judged(terms: Terms, case: Case, logs: list[Transcript]) -> tuple[CaseResult, Transcript, Stage]:
    """Run a case and judge it."""
    pack, bot = terms.pack, terms.bot
    log, stage = run_case(case, terms, logs)
    language = languages.guess(bot.command, bot.folder)
    if language and log.events:
        log.events.append(Probe(log.events[-1].at, stage.seat, "language", {"name": language}))
    result = judge(case, log, stage, pack)
    if pack.repeats:
        talk = talk_of(log, stage.seat, pack.repeats.named, language)
        result.talk = talk if case.repeats else talk.bare
    return result, log, stage


def _looked(terms: Terms, case: Case) -> tuple[CaseResult, Story]:
    """Run a case as a second look."""
    result, log, stage = _judged(terms, case, [])
    return result, Story.read(log.of(stage.seat))


def _as_far_as_it_went(logs: Sequence[Transcript]) -> str:
    """The last transcript of a case in which the kit failed, for the report of that; what failed may be in it."""
    with contextlib.suppress(Exception):
        return json.dumps(logs[-1].as_json())
    return ""


@contextlib.contextmanager
def executor(jobs: int, terms: Terms) -> Iterator[Executor]:
    """Workers for a run. On leaving, nothing is left of them."""
    global _terms
    _terms = terms
    if sys.platform != "linux":  # fork is unsafe there; a bot that kills its worker ends the run
        with _elsewhere(jobs, terms) as pool:
            yield pool
        return

    # fork: the workers have the cases' modules loaded, and start in milliseconds. One of them with one job, too: what
    # a bot does to the process that runs it must not be done to the kit.
    kit = os.getpid()
    workers = Workers(
        jobs,
        Life(lambda: _begin(terms, kit), _hurt, _end),
        lambda job, *harm: attack.result_of(job.case, terms.pack, *harm),
    )
    try:
        yield workers
        workers.shutdown()
    except BaseException:
        workers.shutdown(wait=False, cancel_futures=True)
        raise


@contextlib.contextmanager
def _elsewhere(jobs: int, terms: Terms) -> Iterator[Executor]:
    if jobs == 1:
        with control.beside():
            yield _Here()
        return
    with ended_pool(jobs, "spawn", _begin, terms, os.getpid()) as pool:
        yield pool


@contextlib.contextmanager
def ended_pool(jobs: int, method: str, begin: Callable[..., None], *given: Any) -> Iterator[Executor]:
    """Processes, started by `method`, that each call `begin(*given)` first; on an interrupt they end at once."""
    context = multiprocessing.get_context(method)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=begin, initargs=given)
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


class Needing(Executor):
    """The executor of a bot that does not work without some environment variables: its jobs get them, but for the
    case in which that was found out."""

    def __init__(self, pool: Executor, found: CaseResult) -> None:
        self._pool = pool
        self._found = found

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand the job on."""
        if isinstance(fn, Job) and fn.case.id != self._found.case:
            fn = replace(fn, needs=self._found.needs)
        return self._pool.submit(fn, *args, **kwargs)


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


def _begin(terms: Terms, kit: int) -> None:
    """In a new worker: leave Ctrl-C to the kit, and end when the kit does, however that came."""
    global _terms
    _terms = terms
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    control.begin()
    die_with(kit)


def _hurt() -> Harm | None:
    """What befell this worker's helpers."""
    for signal_ in warden.blows():
        return Harm(signal_, helper="the process that ends bots for a killed kit")
    if number := control.blow():
        return Harm(number, helper="the control process")
    return None


def _end() -> None:
    """In a worker that has nothing more to do."""
    control.end()
    warden.end()


def die_with(kit: int) -> None:
    """End this process when its parent, the `kit`, does, however that comes."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != kit:
            os._exit(1)
