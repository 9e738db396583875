"""`--cpu-factor`: on a machine so many times as fast as the contest's, CPU seconds are charged so many times."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Line, Sent, Transcript
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import Launch, ProcessTransport
from pdcheck.referee.match import Match

PACK = load_pack("prime-daihinmin")
CPU = 0.05
BOT = f"""
import sys, time
for line in sys.stdin:
    if '"play"' in line:
        until = time.process_time() + {CPU}
        while sys.argv[1] == "computes" and time.process_time() < until: pass
        print('{{"action": "pass"}}', flush=True)
    else:
        print(flush=True)
"""


def first_play(gear: ModuleType, how: str, factor: float) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and cost of a bot's first play."""
    bot = ProcessTransport(Launch(gear.python(BOT, how), {"PATH": os.environ["PATH"]}))
    log = Transcript()
    match = Match(PACK.match(["A", "B"], 1, 1e6, "published", False), cpu_factor=factor)
    with Runner(match, [bot, MemoryTransport(PACK.player("steady", 0))], log) as runner:
        runner._handle(match.begin())
        while not any(isinstance(event, Line) and event.kind == "play" for event in log.of(0)):
            runner.step(None)
    asked = next(e for e in log.of(0) if isinstance(e, Sent) and b'"play"' in e.data[:20])
    line = next(e for e in log.of(0) if isinstance(e, Line) and e.kind == "play")
    return line.at - asked.at, line.cpu - asked.cpu, line.cost


@pytest.mark.parametrize("how", ["computes", "waits"])
@pytest.mark.parametrize("factor", [0.5, 1.0, 4.0])
def test_the_cpu_seconds_of_an_answer_are_charged_by_the_factor(
    gear: ModuleType, how: str, factor: float
) -> None:
    wall, cpu, cost = first_play(gear, how, factor)
    assert cost == pytest.approx(wall + (factor - 1) * cpu, abs=1e-6)
    assert (cpu >= CPU) is (how == "computes")


@pytest.mark.parametrize("factor", ["nan", "inf", "0", "-1", "fast"])
def test_what_is_no_factor_is_a_usage_error(
    pdcheck: Callable[..., Any], script: Callable[..., Path], factor: str
) -> None:
    said = pdcheck("--cpu-factor", factor, script("bot", BOT), "waits")
    assert said.status == 2
    assert "--cpu-factor" in said.err
    assert len(said.err.splitlines()) == 1
