"""The time a bot needs to start: counted where the contest counts it, and given where PD-5.3 asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pdcheck.conformance import kit
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.case import run_case
from pdcheck.conformance.checks import all_cases
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.judge import judge
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.terms import Terms
from pdcheck.scenarios.prime_daihinmin.pack import SHORT_TIME

Script = Callable[..., Path]
PACK = load_pack("prime-daihinmin")
CASES = all_cases(PACK, "quick", 0)
MATCH = next(case for case in CASES if case.whole)
SLOW = 0.7
PASSES = """
import json, sys, time
time.sleep(#start)
for line in sys.stdin:
    try: action = json.loads(line)["action"]
    except ValueError: break
    print('{"action": "pass"}' if action == "play" else "", flush=True)
    if action == "quit": break
"""


def played(script: Script, start: float, seconds: float | None = None) -> CaseResult:
    """A whole match of a bot that takes so long to start, with this budget."""
    bot = read_bot([str(script("bot", PASSES.replace("#start", str(start))))])
    log, stage = run_case(MATCH, Terms(bot, PACK, "published", seconds))
    return judge(MATCH, log, stage, PACK)


def test_the_start_is_part_of_the_first_answer_and_of_the_matchs_budget(script: Script) -> None:
    result = played(script, SLOW, 30.0)
    assert result.start_up >= SLOW
    assert result.turns[0] >= SLOW * 0.9, "all bots are started before the first message, so nearly all of it"
    assert result.used_share >= SLOW * 0.9 / 30


def test_a_bot_that_starts_longer_than_its_budget_is_out_of_time(script: Script) -> None:
    result = played(script, 4 * SLOW, SLOW)
    assert {f.requirement for f in result.findings} | set(result.inconclusive) == {"PD-5.1"}


def run_of(start_up: float) -> kit._Run:
    plan = kit.Plan(PACK, read_bot(["true"]), CASES, "published", "quick")
    run = kit._Run(plan, lambda _: None, float("inf"))
    run.results.append(CaseResult(CASES[0].id, start_up=start_up))
    kit._give_time_to_start(run)
    return run


@pytest.mark.parametrize(
    ("start_up", "wanted"), [(0.0, 3.0), (0.2, 3.0), (1.0, 3.0), (1.2, 4.0), (5.0, 15.0)]
)
def test_the_time_told_is_three_times_the_start_up_or_three_seconds(start_up: float, wanted: float) -> None:
    run = run_of(start_up)
    assert SHORT_TIME == 3.0
    told = [case for case in run.plan.cases if case.requirement == "PD-5.3"]
    assert told
    assert {case.scenario.time for case in told} == {wanted}
    assert all(run.cases[case.id] is case for case in told)


def test_nothing_else_about_the_cases_changes() -> None:
    run = run_of(5.0)
    assert [case.id for case in run.plan.cases] == [case.id for case in CASES]
    for before, after in zip(CASES, run.plan.cases, strict=True):
        if before.requirement != "PD-5.3":
            assert after == before
        else:
            scenario = replace(after.scenario, time=before.scenario.time)
            assert replace(after, scenario=scenario) == before
