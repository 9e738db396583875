"""Workers that are stopped or killed: noticed, woken or replaced, their task run again, and told when it was twice."""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest
from pdcheck.conformance import attack, checks, control, helpers, kit, work
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.transports import warden
from pdcheck.conformance.workers import Harm, Life, Workers, _Worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")

PACK = load_pack("prime-daihinmin")


def void(_: object) -> None:
    """Several things are done for their effect."""


HELPED = Life(lambda: void(control.begin()), work._hurt, work._end)
CASE = checks.all_cases(PACK, "quick", 0)[0]


def harmed(task: Any, harms: Sequence[Harm], result: Any) -> Any:
    """What the tests' executors say of a task whose worker came to harm twice."""
    return ("harmed", [harm.signal for harm in harms], result)


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers(2, Life(), harmed) as pool:
        yield pool


def shoot(number: int) -> str:
    """As a bot would do it to the process that runs it."""
    os.kill(os.getpid(), number)
    return "went on"


def shoot_once(number: int, mark: Path) -> str:
    """The same, but only if nobody has yet."""
    if mark.exists():
        return "unharmed"
    mark.touch()
    return shoot(number)


def fail() -> None:
    """A task that the kit itself fails in."""
    raise LookupError("not here")


def test_tasks_are_called_with_what_they_were_given(workers: Workers) -> None:
    futures = [workers.submit(pow, number, 2) for number in range(20)]
    assert [future.result() for future in futures] == [number**2 for number in range(20)]


def test_they_run_in_other_processes_and_in_sessions_of_their_own(workers: Workers) -> None:
    pids = {workers.submit(os.getpid).result() for _ in range(4)}
    assert os.getpid() not in pids
    sessions = {workers.submit(os.getsid, 0).result() for _ in range(4)}
    assert sessions <= pids | {workers.submit(os.getpid).result()}
    assert os.getsid(0) not in sessions


def test_what_a_task_raises_is_raised(workers: Workers) -> None:
    with pytest.raises(LookupError, match="not here"):
        workers.submit(fail).result()
    assert workers.submit(abs, -3).result() == 3


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_one_harm_is_anybodys(workers: Workers, number: int, tmp_path: Path) -> None:
    future = workers.submit(shoot_once, number, tmp_path / "mark")
    assert future.result() == "unharmed"
    assert workers.submit(abs, -3).result() == 3


@pytest.mark.parametrize(
    ("number", "result"),
    [(signal.SIGKILL, None), (signal.SIGTERM, None), (signal.SIGSTOP, "went on")],
)
def test_two_harms_in_a_row_are_told(workers: Workers, number: int, result: str | None) -> None:
    others = [workers.submit(abs, -number) for number in range(5)]
    assert workers.submit(shoot, number).result() == ("harmed", [number, number], result)
    assert [other.result() for other in others] == list(range(5))


def test_one_that_is_stopped_in_the_middle_of_its_result_is_woken() -> None:
    with Workers(1, Life(), harmed) as pool:
        future = pool.submit(bytes, 5 << 20)
        (worker,) = pool._workers
        assert select.select([worker.line], [], [], 60)[0]  # far less than all of it has room in between
        os.kill(worker.process.pid or 0, signal.SIGSTOP)
        assert future.result(timeout=60) == bytes(5 << 20)


def test_one_that_is_killed_while_it_has_nothing_to_do_is_replaced() -> None:
    with Workers(1, Life(), harmed) as pool:
        pid = pool.submit(os.getpid).result()
        os.kill(pid, signal.SIGKILL)
        pool._workers[0].process.join()
        assert pool.submit(abs, -3).result() == 3


def test_a_result_that_is_late_is_a_timeout(workers: Workers) -> None:
    future = workers.submit(signal.pause)
    with pytest.raises(TimeoutError):
        future.result(timeout=0)
    workers.shutdown(wait=False)


def test_nothing_is_left_of_stopped_workers() -> None:
    pool = Workers(1, Life(), harmed)
    pid = pool.submit(os.getpid).result()
    os.kill(pid, signal.SIGSTOP)
    pool.shutdown(wait=False)
    assert not Path(f"/proc/{pid}").exists()


def test_all_workers_are_told_to_end_before_one_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Workers(8, Life(), harmed)
    pids = [worker.process.pid or 0 for worker in pool._workers]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    order: list[str] = []
    tell, bury = _Worker.tell_to_end, _Worker.bury

    def telling(worker: _Worker, *, now: bool) -> None:
        order.append("tell")
        tell(worker, now=now)

    def burying(worker: _Worker) -> None:
        order.append("bury")
        bury(worker)

    monkeypatch.setattr(_Worker, "tell_to_end", telling)
    monkeypatch.setattr(_Worker, "bury", burying)
    pool.shutdown(wait=False)
    assert order == ["tell"] * 8 + ["bury"] * 8
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


@pytest.mark.parametrize("jobs", [1, 100_000])
def test_there_are_no_more_workers_than_are_of_use(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def noted(jobs: int, _: object) -> NoReturn:
        asked.append(jobs)
        raise KeyboardInterrupt

    monkeypatch.setattr(kit, "executor", noted)
    bot = read_bot([sys.executable])
    for cases in ([CASE], [CASE] * 10_000):
        kit.check(kit.Plan(PACK, bot, cases, PACK.default_rules, "quick", jobs=jobs))
    assert asked == [1, min(jobs, kit.JOBS_A_CORE * kit.default_jobs())]


def lower(once: Path | None = None) -> str:
    """As a bot would do it with prlimit to the process that runs it: too few files to start anything."""
    if once is not None and once.exists():
        return "unharmed"
    if once is not None:
        once.touch()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE, (8, hard))
    return "went on"


def test_a_worker_whose_limits_were_lowered_is_replaced(workers: Workers, tmp_path: Path) -> None:
    limit = workers.submit(resource.getrlimit, resource.RLIMIT_NOFILE).result()
    assert workers.submit(lower, tmp_path / "mark").result() == "unharmed"
    assert workers.submit(lower).result() == ("harmed", [0, 0], "went on")
    limits = [workers.submit(resource.getrlimit, resource.RLIMIT_NOFILE).result() for _ in range(4)]
    assert limits == [limit] * 4


def helper_of(what: str) -> int:
    """The process that ends bots, or the control."""
    if what == "warden":
        return warden.warden().pid
    made = control.begin()
    assert made is not None
    return made.pid


def shoot_helper(what: str, numbers: Sequence[int], once: Path | None = None) -> int:
    """As a bot would do it to a helper of the process that runs it; the helper's pid."""
    pid = helper_of(what)
    if once is None or not once.exists():
        for number in numbers:
            os.kill(pid, number)
            if number != signal.SIGCONT:
                os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    if once is not None:
        once.touch()
    return pid


def _stopped(pid: int) -> bool:
    os.kill(pid, signal.SIGSTOP)
    return helpers.look(pid)[0] == "T"


@pytest.fixture
def helped() -> Iterator[Workers]:
    """A worker with helpers, as a run has them."""
    with Workers(1, HELPED, harmed) as pool:
        yield pool


@pytest.mark.parametrize("what", ["warden", "control"])
@pytest.mark.parametrize(
    "numbers", [[signal.SIGKILL], [signal.SIGSTOP], [signal.SIGSTOP, signal.SIGCONT]], ids=str
)
def test_a_helpers_harm_is_its_workers(
    helped: Workers, what: str, numbers: Sequence[int], tmp_path: Path, gear: ModuleType
) -> None:
    before = helped.submit(helper_of, what).result()
    after = helped.submit(shoot_helper, what, numbers, tmp_path / "mark").result()
    assert before != after
    assert helped.submit(helper_of, what).result() == after
    assert not gear.alive(before)
    _, signals, last = helped.submit(shoot_helper, what, numbers).result()
    assert signals == [numbers[0]] * 2
    assert not gear.alive(last)
    assert helped.submit(abs, -3).result() == 3


@pytest.mark.parametrize("what", ["warden", "control"])
@pytest.mark.parametrize("wait", [True, False])
def test_nothing_is_left_of_stopped_helpers(gear: ModuleType, what: str, wait: bool) -> None:
    """Of a worker that ends in order, and of one that is ended."""
    pool = Workers(1, HELPED, harmed)
    pids = [pool.submit(helper_of, one).result() for one in (what, "warden", "control")]
    gear.until(lambda: _stopped(pids[0]), "it is stopped")
    pool.shutdown(wait=wait)
    assert not any(map(gear.alive, pids))


@pytest.mark.parametrize("what", ["warden", "control"])
def test_nothing_is_left_of_a_killed_workers_stopped_helpers(
    helped: Workers, gear: ModuleType, what: str
) -> None:
    pid = helped.submit(helper_of, what).result()
    gear.until(lambda: _stopped(pid), "it is stopped")
    helped.submit(shoot, signal.SIGKILL).result()
    assert not gear.alive(pid)


@pytest.mark.parametrize(
    ("harms", "finding", "trouble"),
    [
        (
            [Harm(signal.SIGSTOP), Harm(signal.SIGSTOP)],
            "was stopped (SIGSTOP) and the process that ran the bot was stopped (SIGSTOP)",
            "",
        ),
        (
            [Harm(signal.SIGKILL), Harm(signal.SIGTERM)],
            "was killed (SIGKILL) and the process that ran the bot was killed (SIGTERM)",
            "",
        ),
        ([Harm(signal.SIGKILL, memory=True), Harm(signal.SIGKILL)], "", "was killed (SIGKILL)"),
        ([Harm(0), Harm(signal.SIGKILL)], "", "ended by itself"),
        (
            [Harm(signal.SIGSTOP, helper="the control"), Harm(0, limit="RLIMIT_AS")],
            "the control was stopped (SIGSTOP) and the process that ran the bot was given a lower limit (RLIMIT_AS)",
            "",
        ),
    ],
)
def test_two_harms_are_the_bots_unless_the_machine_may_have_done_it(
    harms: list[Harm], finding: str, trouble: str
) -> None:
    result = attack.result_of(CASE, PACK, harms, None)
    assert [f.requirement for f in result.findings] == (["IO-16"] if finding else [])
    assert all(finding in f.actual for f in result.findings)
    assert trouble in result.trouble
    assert bool(result.trouble) is not bool(finding)


def test_what_the_kit_failed_in_by_it_is_the_bots() -> None:
    before = CaseResult(CASE.id, covered=("IO-1",), trouble="OSError: too many open files")
    result = attack.result_of(CASE, PACK, [Harm(0, limit="RLIMIT_NOFILE")] * 2, before)
    assert not result.trouble
    assert result.covered == ()
    assert [finding.requirement for finding in result.findings] == ["IO-16"]


def test_what_else_was_found_is_kept() -> None:
    before = CaseResult(CASE.id, covered=("IO-1",))
    harms = [Harm(signal.SIGSTOP), Harm(signal.SIGSTOP)]
    assert attack.result_of(CASE, PACK, harms, before).covered == ("IO-1",)
