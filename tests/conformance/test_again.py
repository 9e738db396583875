"""What is tried again, how often, and what comes of it: with runs made by hand, without a bot."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any

import pytest
from pdcheck.conformance import again
from pdcheck.conformance.again import RATE_RUNS, TRIES, Again, Flaky, key_of
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.setting import Setting
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.scenario import Scenario

DEATH = Finding("IO-1", Level.MUST, "it died", "a bot that runs", "it ended", breakdown="died 1 ValueError")
ILLEGAL = Finding("PD-3.1", Level.MUST, "not held", "cards of the hand", "9")


class Runs(Executor):
    """Runs cases by asking `shows(case, number of the run)`; `most` of them were out at once."""

    def __init__(self, shows: Callable[[str, int], Sequence[Finding] | None]) -> None:
        self.shows = shows
        self.ran: Counter[str] = Counter()
        self.hurried = 0
        self.future: type[Future[Any]] = Future

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        name = fn.case.id
        found = self.shows(name, self.ran[name])
        self.ran[name] += 1
        self.hurried += fn.hurry
        future = self.future()
        result = CaseResult(
            name, findings=list(found or ()), trouble="" if found is not None else "Traceback"
        )
        future.set_result(result)
        return future


def seen(name: str, *findings: Finding, turns: int = 3, seconds: float = 0.01) -> CaseResult:
    return CaseResult(name, findings=list(findings), turns=[0.01] * turns, seconds=seconds)


def tried(
    runs: Runs, *results: CaseResult, hurry: bool = False, until: float = float("inf"), **case: Any
) -> dict[again.Key, Flaky]:
    scenario = Scenario(game="any", name="made", about="IO-1", why="Made by hand.")
    cases = {result.case: Case(result.case, "x", scenario, **case) for result in results}
    return dict(Again(runs, cases, 4, until, hurry).try_all(results))


def test_what_shows_every_time_costs_a_few_runs_and_is_no_flaky_one() -> None:
    runs = Runs(lambda *_: [DEATH])
    assert tried(runs, seen("a", DEATH), seen("b"), seen("c", DEATH)) == {}
    assert runs.ran.total() == TRIES
    assert runs.ran["b"] == 0


def test_nothing_found_costs_nothing() -> None:
    runs = Runs(lambda *_: [])
    information = replace(ILLEGAL, level=Level.INFO)
    timed = replace(DEATH, timed=True)
    assert tried(runs, seen("a"), seen("b", information), seen("c", timed)) == {}
    assert not runs.ran


def test_the_failing_cases_with_the_fewest_answers_are_tried() -> None:
    runs = Runs(lambda *_: [DEATH])
    tried(runs, *(seen(f"{n}", DEATH, turns=n) for n in (9, 2, 5, 1, 7)))
    assert set(runs.ran) == {"1", "2", "5"}


def test_one_that_does_not_show_again_is_told_with_its_rate() -> None:
    runs = Runs(lambda _, number: [DEATH] if number == 4 else [])
    flaky = tried(runs, seen("a", DEATH), seen("b"))
    assert flaky == {key_of(DEATH): Flaky("a", RATE_RUNS, 2)}
    assert runs.ran == {"a": RATE_RUNS - 1}


def test_the_rate_is_of_one_case_where_it_showed_again() -> None:
    runs = Runs(lambda name, number: [ILLEGAL] if (name, number) == ("b", 0) else [])
    flaky = tried(runs, seen("a", ILLEGAL, turns=1), seen("b", ILLEGAL, turns=2))
    assert flaky == {key_of(ILLEGAL): Flaky("b", RATE_RUNS, 2)}
    assert runs.ran == {"a": 2, "b": RATE_RUNS - 1}


def test_what_shows_in_every_run_of_one_case_is_certain() -> None:
    runs = Runs(lambda name, _: [ILLEGAL] if name == "b" else [])
    assert tried(runs, seen("a", ILLEGAL, turns=1), seen("b", ILLEGAL, turns=2)) == {}
    assert runs.ran["b"] == RATE_RUNS - 1


def test_another_fault_in_a_second_run_is_not_this_one() -> None:
    other = replace(DEATH, breakdown="died 2 KeyError")
    runs = Runs(lambda *_: [other])
    assert tried(runs, seen("a", DEATH))[key_of(DEATH)].failed == 1


def test_a_breakdown_is_one_fault_whatever_it_is_told_under() -> None:
    runs = Runs(lambda *_: [replace(DEATH, requirement="JS-3")])
    assert tried(runs, seen("a", DEATH)) == {}


def test_the_kits_own_failure_is_no_run() -> None:
    runs = Runs(lambda _, number: None if number == 0 else [DEATH])
    assert tried(runs, seen("a", DEATH)) == {}


def test_the_kits_own_failure_does_not_put_a_run_down_to_another_case() -> None:
    shows = {("a", 0): None, ("b", 0): [ILLEGAL]}
    runs = Runs(lambda name, number: shows.get((name, number), []))
    flaky = tried(runs, seen("a", ILLEGAL, turns=1), seen("b", ILLEGAL, turns=2))
    assert flaky[key_of(ILLEGAL)] == Flaky("b", RATE_RUNS, 2), "its first sight, and one more"


def test_a_long_case_is_run_once_more() -> None:
    runs = Runs(lambda *_: [DEATH])
    assert tried(runs, seen("a", DEATH, seconds=60.0)) == {}
    assert runs.ran == {"a": 1}
    runs = Runs(lambda *_: [])
    assert tried(runs, seen("a", DEATH, seconds=60.0)) == {key_of(DEATH): Flaky("a", again.RATE_LEAST, 1)}


def test_a_run_that_is_out_of_time_tries_nothing() -> None:
    runs = Runs(lambda *_: [])
    assert tried(runs, seen("a", DEATH), until=time.monotonic()) == {}
    assert not runs.ran


@pytest.mark.parametrize(("finding", "hurried"), [(DEATH, TRIES), (ILLEGAL, 0)])
def test_only_a_breakdown_is_tried_in_a_hurry(finding: Finding, hurried: int) -> None:
    """How a bot ends is not seen in a hurry: what is found there would not show again."""
    runs = Runs(lambda *_: [finding])
    tried(runs, seen("a", finding), hurry=True)
    assert runs.hurried == hurried


@pytest.mark.parametrize(
    "case", [{"alone": True}, {"setting": Setting("s", beside=True)}], ids=["alone", "beside"]
)
def test_what_wants_the_machine_for_itself_runs_alone(case: dict[str, Any]) -> None:
    runs = Runs(lambda *_: [DEATH])
    scenario = Scenario(game="any", name="made", about="IO-1", why="Made by hand.")
    cases = {"a": Case("a", "x", scenario, **case), "b": Case("b", "x", scenario)}
    made = Again(runs, cases, 4, float("inf"), False)
    assert (made._window("a"), made._window("b")) == (1, 4)


def test_nothing_is_run_beside_what_runs_alone() -> None:
    runs = Runs(lambda *_: [DEATH])
    at_once: list[int] = []

    class Counted(Future[Any]):
        def result(self, timeout: float | None = None) -> Any:
            at_once.append(runs.ran.total())
            return super().result(timeout)

    scenario = Scenario(game="any", name="made", about="IO-1", why="Made by hand.")
    cases = {"a": Case("a", "x", scenario, alone=True), "b": Case("b", "x", scenario)}
    runs.future = Counted
    Again(runs, cases, 4, float("inf"), False)._run(key_of(DEATH), ["a", "b", "b"])
    assert at_once == [1, 2, 3], "each had ended when the next one was handed out"
