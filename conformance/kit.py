"""A whole run, on one page.

Law: the cases are fixed before the first bot starts; their results count in that order, whatever the number of jobs.
A section stops after equal failures, and nobody waits for the same thing again and again (see `stopping`); a bot that
breaks down in every basic case is asked nothing more. What rests on time is tried again alone (see `confirm`); what is
found otherwise is tried again, too, to tell the flaky (see `again`). The kit's own failures are its own.
"""

from __future__ import annotations

import math
import os
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from pdcheck.conformance.again import Again, Flaky, Key
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.candidate import OPEN, Enclosure
from pdcheck.conformance.case import Case
from pdcheck.conformance.checks import BASIC
from pdcheck.conformance.confirm import Confirm
from pdcheck.conformance.files import temporary
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.reconcile import reconcile
from pdcheck.conformance.repeats.closer import Closer
from pdcheck.conformance.repeats.conditions import untried
from pdcheck.conformance.repeats.settle import NOTHING, SECTION, settle
from pdcheck.conformance.repeats.telling import Account
from pdcheck.conformance.report import Report, compile_report
from pdcheck.conformance.scratch import scratch
from pdcheck.conformance.shrink import Shrunk, show_shrunk, shrink_all
from pdcheck.conformance.stopping import LAG, Stopping
from pdcheck.conformance.terms import Terms
from pdcheck.conformance.transports import StartError
from pdcheck.conformance.work import Job, Needing, executor
from pdcheck.conformance.workers import wait_for_any
from pdcheck.scenarios.pack import GamePack

STARTS = 3
"""PD-5.3: how often a bot could start in the time it is told, at least."""
TRANSCRIPTS = 1 << 26
"""Characters of transcripts that a run keeps; a bot that floods makes long ones, and the first show all there is."""
JOBS_A_CORE = 4
"""Bots on turn at once for each core, at most: with more of them nobody's time could be judged."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to check and how. `time`: the match budget in seconds (None: the game's); `max_time`: of the whole run."""

    pack: GamePack
    bot: Bot
    cases: Sequence[Case]
    rules: str
    profile: str
    """"" where none applies, nor a seed: a judged transcript."""
    seed: int = 0
    jobs: int = 1
    only: Sequence[str] = ()
    time: float | None = None
    max_time: float | None = None
    cpu_factor: float = 1.0
    """This machine is so many times as fast as the contest's: CPU seconds are charged so many times."""
    sandbox: str = "watch"
    """How the bot is looked at from outside: one of `watch.SANDBOXES`."""
    enclosure: Enclosure = OPEN
    """What the bot runs behind."""
    scratch: str | None = None
    """An existing folder for what the run leaves lying about, which somebody else takes away; None: one of its own."""
    strict: bool = False
    waived: Mapping[str, str] = field(default_factory=dict)
    shrink: float = 0.0
    """Seconds for making failures small; 0: they are shown as they were found."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is: cases done of all, and the section of the case that finished last."""

    done: int
    total: int
    section: str


Watch = Callable[[Progress], None]


@dataclass
class _Run:
    """A run in progress."""

    plan: Plan
    watch: Watch
    until: float
    done: int = 0
    results: list[CaseResult] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    """Section → why the rest of it was not run."""
    stopping: Stopping = field(default_factory=Stopping)
    interrupted: bool = False
    confirm: Confirm = field(default_factory=Confirm)
    kept: int = 0
    """Bytes of transcripts kept."""
    window: int = 1
    """Cases handed out at once, where they do not judge time."""
    flaky: dict[Key, Flaky] = field(default_factory=dict)
    shrunk: dict[Key, Shrunk] = field(default_factory=dict)
    """By the fault whose case was made small."""
    untried: dict[str, str] = field(default_factory=dict)
    """Conditions of repetition that cannot be made here → why."""
    account: Account | None = None
    """What repetition found, where it was asked for."""
    pool: Executor = field(init=False)

    def __post_init__(self) -> None:
        self.number()

    def number(self) -> None:
        """Know the plan's cases by their names, and the order they are played in."""
        self.cases = {case.id: case for case in self.plan.cases}
        self.numbers = {case.id: at for at, case in enumerate(sorted(self.plan.cases, key=_turn))}


def check(plan: Plan, watch: Watch = lambda _: None) -> Report:
    """Run the plan. An interrupt ends it early: what is known is still reported. Raises StartError when the bot
    cannot be started at all."""
    started = time.monotonic()
    until = started + plan.max_time if plan.max_time is not None else float("inf")
    run = _Run(replace(plan, jobs=min(at_most(plan.jobs), max(1, len(plan.cases)))), watch, until)
    with _room(plan.scratch) as folder:
        try:
            _leave_out_untried(run, folder)
            terms = Terms(plan.bot, plan.pack, plan.rules, plan.time, folder, plan.cpu_factor, plan.enclosure)
            with executor(run.plan.jobs, terms) as run.pool:
                _play_all(run)
                if "*" not in run.skipped or not any(result.trouble for result in run.results):
                    _confirm(run)
                if "*" not in run.skipped:
                    _find_flaky(run)
                    _shrink(run)
                _compare(run)
        except KeyboardInterrupt:
            run.interrupted = True
            run.skipped.setdefault("*", "interrupted")
    if run.account is None and run.interrupted:
        _compare(run, closer_look=False)
    _drop_unconfirmed(run)
    # A cause that does not hold in the simplest case is none.
    evidence = [shrunk.result for shrunk in run.shrunk.values()]
    findings = reconcile(run.results, plan.pack, run.flaky, evidence)
    shown, cases = show_shrunk(findings, run.shrunk, plan.pack)
    report = compile_report(
        run.plan, run.results, shown, run.skipped, time.monotonic() - started, interrupted=run.interrupted
    )
    report.shrunk = cases
    report.repeats = run.account
    return report


@contextmanager
def _room(given: str | None) -> Iterator[str]:
    with scratch() if given is None else temporary("run-", given) as folder:
        yield folder


def _leave_out_untried(run: _Run, folder: str) -> None:
    """Without the cases whose condition cannot be made on this machine."""
    bot = run.plan.bot
    run.untried = untried(run.plan.cases, folder, bot.command[0], bot.folder)
    if run.untried:
        cases = [case for case in run.plan.cases if case.repeats not in run.untried]
        run.plan = replace(run.plan, cases=cases)
        run.number()


def _compare(run: _Run, *, closer_look: bool = True) -> None:
    """Compare the runs of the matches that were repeated, and the names that the bot gave (see `repeats`)."""
    if run.plan.pack.repeats is None:
        return
    until = run.until if closer_look else -math.inf
    closer = Closer(
        lambda case: run.pool.submit(Job(case, brief=run.stopping.hangs)),
        min(run.window, run.plan.jobs),
        until,
        frozenset(run.untried),
    )
    try:
        settled = settle(run.results, run.cases, run.plan.pack, run.untried, closer)
    except Exception:  # the kit's own players did not play the same way, or a game that plugs in failed
        run.results[0] = replace(run.results[0], trouble=traceback.format_exc())
        return
    run.results, run.account = settled.results, settled.account
    run.plan = replace(run.plan, cases=[*run.plan.cases, *settled.more])
    if not run.account.runs and any(case.repeats for case in run.plan.cases):
        run.skipped.setdefault(SECTION, NOTHING)
    if closer.interrupted:
        raise KeyboardInterrupt


def _play_all(run: _Run) -> None:
    basic = [case for case in run.plan.cases if case.section == BASIC]
    # One case first: a bot that does not start, or never answers, is found out at the price of one.
    _play(run, basic[:1], window=1)
    if run.results and run.results[0].no_start:
        raise StartError(run.results[0].trouble)
    _give_time_to_start(run)
    others = [case for case in run.plan.cases if case.section != BASIC]
    if run.results and run.results[0].needs:
        run.pool = Needing(run.pool, run.results[0])
    if run.results and _broke_down(run.results[0]):
        _play(run, basic[1:], window=1)
    else:
        _play(run, basic[1:], window=min(LAG, 2 * run.plan.jobs))
    if basic and all(map(_broke_down, run.results)) and run.results:
        root = run.results[0].findings[0]
        if run.plan.enclosure.limits:  # what a wall denied may be why, and is told all the same
            _play(run, [case for case in others if case.setting.watched == "calls"], window=1)
        run.skipped["*"] = f"the bot breaks down in every ordinary exchange ({root.requirement})"
        return
    _play(run, [case for case in others if case.setting.beside], window=1)
    # A bot that does not stand a second copy of itself would break down in any case that runs beside another.
    alone = any(
        run.cases[r.case].setting.beside and any(f.dedicated for f in r.findings) for r in run.results
    )
    run.window = 1 if alone else min(LAG, 2 * run.plan.jobs)
    rest = [case for case in others if not case.setting.beside]
    _play(run, [case for case in rest if not case.alone], window=run.window)
    _play(run, [case for case in rest if case.alone], window=1)


def _turn(case: Case) -> int:
    """When a case is played: ordinary ones first, those with a second copy beside, all others, and what wants the
    machine for itself."""
    if case.section == BASIC:
        return 0
    return 1 if case.setting.beside else 3 if case.alone else 2


def _give_time_to_start(run: _Run) -> None:
    """PD-5.3 is tried with three times the bot's own start-up, where the time that the scenario names is less: a bot
    that needs it all to start could not heed it."""
    told = run.plan.pack.told_time
    least = math.ceil(2 * STARTS * run.results[0].start_up) / 2 if run.results else 0.0
    stretched = [
        replace(case, scenario=replace(case.scenario, time=least))
        if case.requirement == told and case.scenario.time is not None and case.scenario.time < least
        else case
        for case in run.plan.cases
    ]
    run.plan = replace(run.plan, cases=stretched)
    run.cases = {case.id: case for case in stretched}


def _broke_down(result: CaseResult) -> bool:
    return any(finding.broke_down for finding in result.findings)


def _play(run: _Run, cases: Sequence[Case], window: int) -> None:
    """Play cases with up to `window` of them at work, and take their results in order: a slow one does not keep the
    next ones waiting, as far as `LAG` allows."""
    waiting: deque[tuple[int, Case, Future[CaseResult]]] = deque()
    todo: Iterator[Case] = iter(cases)
    left = True
    while left or waiting:
        while left and _at_work(waiting) < window and len(waiting) < (LAG if window > 1 else 1):
            case = next(todo, None)
            if case is None:
                left = False
            elif _goes_on(run, case):
                number = run.numbers[case.id]
                job = Job(case, run.stopping.hurry(number), run.stopping.brief(number))
                waiting.append((number, case, run.pool.submit(job)))
        if left and window > 1 and waiting and len(waiting) < LAG and not waiting[0][2].done():
            wait_for_any([future for *_, future in waiting if not future.done()])
        elif waiting:
            number, case, future = waiting.popleft()
            try:
                result = future.result()
            except BrokenExecutor as error:
                # A worker was killed from outside; what is known is still reported.
                result = CaseResult(case.id, trouble=f"a worker of the kit was lost: {error}")
                run.skipped.setdefault("*", "a worker of the kit was lost")
                waiting.clear()
            _count(run, number, case, result)


def _at_work(waiting: Iterable[tuple[int, Case, Future[CaseResult]]]) -> int:
    return sum(not future.done() for *_, future in waiting)


def _goes_on(run: _Run, case: Case) -> bool:
    if case.section in run.skipped or "*" in run.skipped:
        return False
    if time.monotonic() > run.until:
        run.skipped.setdefault(case.section, f"--max-time {run.plan.max_time:g} was over")
        return False
    return True


def _count(run: _Run, number: int, case: Case, result: CaseResult) -> None:
    run.done += 1
    run.watch(Progress(run.done, len(run.plan.cases), case.section))
    # Cases already handed out when the section stopped do not count: with one job they would not have run.
    if case.section in run.skipped:
        return
    run.kept += len(result.transcript)
    if run.kept > TRANSCRIPTS:
        result.transcript = ""
    run.results.append(result)
    why = run.stopping.count(number, case, result)
    if why and case.section != BASIC:
        run.skipped[case.section] = why


def _confirm(run: _Run) -> None:
    """Try once more, alone, what rests on time, until it is seen a second time."""
    run.confirm.try_all(
        run.results,
        lambda name, brief: run.pool.submit(Job(run.cases[name], brief=brief)).result(),
        run.until,
    )


def _drop_unconfirmed(run: _Run) -> None:
    """Without what rests on time and was not seen a second time (see `confirm`)."""
    run.confirm.drop(run.results, run.flaky)


def _find_flaky(run: _Run) -> None:
    """Try again what was found, to see whether it shows every time."""
    again = Again(run.pool, run.cases, run.window, run.until, run.stopping.slow)
    run.flaky.update(again.try_all(run.results))


def _shrink(run: _Run) -> None:
    """Make the cases of what is going to be told small."""
    plan = run.plan
    if not plan.shrink:
        return
    _drop_unconfirmed(run)
    shrink_all(
        reconcile(run.results, plan.pack, run.flaky),
        run.cases,
        plan.pack,
        lambda case: run.pool.submit(Job(case)).result(),
        rules=plan.rules,
        seconds=min(plan.shrink, run.until - time.monotonic()),
        found=run.shrunk,
    )


def at_most(jobs: int) -> int:
    """So many jobs as were asked for, as far as that is of any use."""
    return min(jobs, JOBS_A_CORE * default_jobs())


def default_jobs() -> int:
    """Cores this process may use: never more bots on turn than that."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
