"""Workers that are stopped or killed: noticed, woken or replaced, their task run again, and told when it was twice."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance import attack, checks
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.workers import Harm, Workers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")

PACK = load_pack("prime-daihinmin")
CASE = checks.all_cases(PACK, "quick", 0)[0]


def harmed(task: Any, harms: Sequence[Harm], result: Any) -> Any:
    """What the tests' executors say of a task whose worker came to harm twice."""
    return ("harmed", [harm.signal for harm in harms], result)


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers(2, lambda: None, harmed) as pool:
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


def test_one_that_is_killed_while_it_has_nothing_to_do_is_replaced() -> None:
    with Workers(1, lambda: None, harmed) as pool:
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
    pool = Workers(1, lambda: None, harmed)
    pid = pool.submit(os.getpid).result()
    os.kill(pid, signal.SIGSTOP)
    pool.shutdown(wait=False)
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize(
    ("harms", "finding", "trouble"),
    [
        ([Harm(signal.SIGSTOP), Harm(signal.SIGSTOP)], "was stopped (SIGSTOP) and was stopped (SIGSTOP)", ""),
        ([Harm(signal.SIGKILL), Harm(signal.SIGTERM)], "was killed (SIGKILL) and was killed (SIGTERM)", ""),
        ([Harm(signal.SIGKILL, memory=True), Harm(signal.SIGKILL)], "", "was killed (SIGKILL)"),
        ([Harm(0), Harm(signal.SIGKILL)], "", "ended by itself"),
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


def test_what_else_was_found_is_kept() -> None:
    before = CaseResult(CASE.id, covered=("IO-1",))
    harms = [Harm(signal.SIGSTOP), Harm(signal.SIGSTOP)]
    assert attack.result_of(CASE, PACK, harms, before).covered == ("IO-1",)
