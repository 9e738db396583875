"""Messages, signals and the end of input in unusual ways: what the bot is really given, and what is made of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.case import run_case
from pdcheck.conformance.checks import all_cases
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.judge import judge
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.story import Story
from pdcheck.conformance.terms import Terms
from pdcheck.conformance.transcript import Exit, Line, Sent, Transcript
from pdcheck.scenarios.exchange import OBJECTS

Script = Callable[..., Path]
PACK = load_pack("prime-daihinmin")
CASES = {case.id: case for case in all_cases(PACK, "quick", 0)}
PASSES = """
import json, os, sys, time
for line in sys.stdin:
    try: action = json.loads(line)["action"]
    except ValueError: break
    print('{"action": "pass"}' if action == "play" else "", flush=True)
    if action == "quit": break
#end
"""


def played(script: Script, case: str, end: str = "") -> tuple[CaseResult, Transcript, int]:
    bot = read_bot([str(script("bot", PASSES.replace("#end", end)))])
    log, stage = run_case(CASES[case], Terms(bot, PACK, "published"))
    return judge(CASES[case], log, stage, PACK), log, stage.seat


def sent_to(log: Transcript, seat: int) -> list[bytes]:
    return [event.data for event in log.of(seat) if isinstance(event, Sent)]


def test_before_init_nothing_is_sent(script: Script) -> None:
    result, log, seat = played(script, "io-10/eof-before-init")
    assert sent_to(log, seat) == []
    assert result.findings == []
    assert "IO-10" in result.covered


@pytest.mark.parametrize(
    ("case", "lines"), [("io-10/eof-in-a-turn", 1), ("io-10/eof-in-a-turn-after-a-pass", 3)]
)
def test_in_a_turn_the_input_ends_after_a_whole_message(script: Script, case: str, lines: int) -> None:
    result, log, seat = played(script, case)
    last = sent_to(log, seat)[-1]
    assert json.loads(last)["action"] == "play"
    assert sum(isinstance(event, Line) for event in log.of(seat)) == lines
    assert result.findings == []


def test_sigterm_in_a_turn_comes_after_the_message(script: Script) -> None:
    result, log, seat = played(script, "io-11/term-in-a-turn")
    assert json.loads(sent_to(log, seat)[-1])["action"] == "play"
    assert [event.status for event in log.of(seat) if isinstance(event, Exit)] == [-15]
    assert result.findings == []


def test_three_lines_go_out_in_one_write_and_each_is_answered(script: Script) -> None:
    result, log, seat = played(script, "io-8/three-lines-in-one-write")
    assert sent_to(log, seat)[0].count(b"\n") == 3
    kinds = [event.kind for event in log.of(seat) if isinstance(event, Line)]
    assert kinds[:2] == ["init", "unknown"]
    assert result.findings == []


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("sys.stdout.write('x' * 50_000)", "50000 bytes written after the end of its input"),
        ("while time.process_time() < 0.7: pass", "s of CPU time"),
    ],
)
def test_flooding_and_spinning_at_the_end_break_io_10_also_when_it_ends_in_time(
    script: Script, end: str, told: str
) -> None:
    result, *_ = played(script, "io-10/eof-after-a-turn", end)
    assert {found.requirement for found in result.findings} | set(result.inconclusive) == {"IO-10"}
    if not result.inconclusive:  # where it got no core for so long, it did not end in time either
        actual = result.findings[0].actual
        assert told in actual or actual.startswith("still running")


def test_cpu_time_after_the_last_answer() -> None:
    sent, line = Sent(1.0, 0, b"{}\n", 1.0, 0.1), Line(2.0, 0, "play", b"", 1.0, 0.25)
    story = Story(sent=[sent], lines=[line], exit=Exit(4.0, 0, 0, 1.0, 1))
    assert story.cpu_after_last_answer(OBJECTS.due) == 0.75
    asked = sent._replace(at=3.0)
    assert Story(sent=[sent, asked], lines=[line], exit=story.exit).cpu_after_last_answer(OBJECTS.due) == 0.0
    assert Story(sent=[sent], lines=[line]).cpu_after_last_answer(OBJECTS.due) == 0.0


def test_a_last_word_is_no_flood(script: Script) -> None:
    result, *_ = played(script, "io-10/eof-after-a-turn", "print('bye')")
    assert result.findings == []
