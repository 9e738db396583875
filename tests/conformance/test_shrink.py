"""Which findings are made small, and what a case is about once it stands alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.header import retold
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.selftest import matrix
from pdcheck.conformance.shrink import TRIALS, Shrunk, shrink_all, told_by
from pdcheck.conformance.transcript import Event, Ruled, Sent, Transcript
from pdcheck.referee.catalogue import Level
from pdcheck.referee.violations import Ruling, Violation

PACK = load_pack("prime-daihinmin")
CASES = {case.id: case for case in matrix.all_cases(PACK.name, "quick")}
FOUND = Finding("IO-1", Level.MUST, "m", "e", "a", case="generated/gen-0006", breakdown="died 1 X")


def shrunk(finding: Finding, play: Any, seconds: float = 600.0) -> dict[Any, Shrunk]:
    found: dict[Any, Shrunk] = {}
    shrink_all([finding], CASES, PACK, play, rules=PACK.default_rules, seconds=seconds, found=found)
    return found


def never(case: Case) -> CaseResult:
    raise AssertionError(f"{case.id} was played")


@pytest.mark.parametrize(
    "changes",
    [
        {"timed": True},
        {"runs": 20, "failed": 3},
        {"level": Level.INFO},
        {"case": "basic/leads"},
        {"case": "conduct/no-home"},
        {"case": "no/such-case"},
    ],
)
def test_what_is_not_worth_it_is_never_played(changes: dict[str, Any]) -> None:
    assert shrunk(replace(FOUND, **changes), never) == {}


def test_no_time_no_trial() -> None:
    assert shrunk(FOUND, never, seconds=0) == {}


class Fake:
    """A bot in words: which cases it fails in, and how."""

    def __init__(self, fails: Any) -> None:
        self.fails = fails
        self.played: list[Case] = []

    def __call__(self, case: Case) -> CaseResult:
        self.played.append(case)
        signature = self.fails(case)
        stage = PACK.stage(case.scenario, PACK.default_rules, None)
        rows = [
            {
                "name": name,
                "kind": "candidate" if seat == stage.seat else "house",
                "command": None,
                "sha256": None,
            }
            for seat, name in enumerate(stage.game.names)
        ]
        out = Ruling(stage.seat, "out", "", Violation("IO-1", "e", "a"))
        events: list[Event] = [Sent(0.1, stage.seat, b'{"action": "init"}\n', 0.1, 0.0), Ruled(0.2, out)]
        head = {"pdcheck": "0", "game": PACK.name, "rules": PACK.default_rules, "seed": None, "seats": rows}
        rest: dict[str, Any] = {"setup": {}, "environment": {}, "limits": {}, "machine": {}}
        log = retold(Transcript({**head, **rest}, 0.0, events), case)

        result = CaseResult(case.id, transcript=json.dumps(log.as_json()))
        if signature:
            requirement, breakdown = signature
            result.findings.append(replace(FOUND, requirement=requirement, breakdown=breakdown, case=case.id))
        return result


def test_what_fails_otherwise_does_not_count() -> None:
    origin = CASES[FOUND.case].scenario

    def fails(case: Case) -> tuple[str, str]:
        # Everything smaller breaks the same requirement in another way, or another one in the same way.
        if case.scenario == replace(origin, blame=False):
            return "IO-1", "died 1 X"
        return ("IO-1", "died 1 Y") if len(case.id) % 2 else ("IO-5", "died 1 X")

    bot = Fake(fails)
    assert shrunk(FOUND, bot) == {}
    assert 2 < len(bot.played) <= TRIALS


def test_what_does_not_come_again_is_left() -> None:
    bot = Fake(lambda _: None)
    assert shrunk(FOUND, bot) == {}
    assert [case.hurry for case in bot.played] == [True, False]


def test_the_number_of_trials_is_bounded() -> None:
    calls = 0

    def fails(_: Case) -> tuple[str, str] | None:
        nonlocal calls
        calls += 1
        return ("IO-1", "died 1 X") if calls % 7 == 1 else None

    bot = Fake(fails)
    (found,) = shrunk(FOUND, bot).values()
    assert len(bot.played) <= TRIALS
    assert found.origin == FOUND.case


def test_a_case_alone_is_about_what_was_found() -> None:
    case = CASES["generated/gen-0006"]
    other = told_by(case, replace(FOUND, requirement="PD-2.11"), PACK)
    assert (other.requirement, other.scenario.blame) == ("PD-2.11", True)
    assert told_by(case, FOUND, PACK) == case
    assert told_by(case, replace(FOUND, requirement="PD-3.5", breakdown=""), PACK) == case
    robust = next(c for c in CASES.values() if c.requirement == "PD-2.11")
    assert told_by(robust, replace(FOUND, requirement="PD-2.11"), PACK) == robust
    assert told_by(robust, FOUND, PACK).scenario.blame is False
