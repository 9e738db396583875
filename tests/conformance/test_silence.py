"""Bots that do not answer, through the kit: the finding's first line says why."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.diagnosis import KEPT
from pdcheck.conformance.findings import Finding
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.report import Report
from pdcheck.conformance.selftest import matrix

PACK = load_pack("prime-daihinmin")
FAULTY = {faulty.name: faulty for faulty in matrix.faulty_bots(PACK)}
SILENT = [name for name, faulty in FAULTY.items() if faulty.cause]
BASIC = [case for case in matrix.all_cases(PACK.name, "quick") if case.section == checks.BASIC]
TIME = 1.5
"""Seconds a match; the bots in the matrix, which are all of them, get more."""
QUICK = ["io-1-silence-no-interpreter", "io-4-never-flushes", "pd-2.1-silence-reads-to-end"]


def checked(name: str, cases: int = 1) -> Report:
    """The report on a bot, from so many ordinary cases."""
    bot = matrix.faulty_bot(PACK, name)
    return kit.check(kit.Plan(PACK, bot, BASIC[:cases], PACK.default_rules, "quick", time=TIME))


def found(report: Report, requirement: str) -> Finding:
    (row,) = (row for row in report.rows if row.requirement.id == requirement)
    assert report.troubles == []
    return row.findings[0]


@pytest.mark.parametrize("name", [*QUICK, pytest.param("pd-5.1-silence-locks", marks=pytest.mark.full)])
def test_the_cause_of_a_silence_is_named(name: str) -> None:
    finding = found(checked(name), FAULTY[name].requirement)
    assert (finding.cause or "").startswith(f"{FAULTY[name].cause or 'missing flush'}: ")


def test_advice_ends_with_the_idiom_of_the_bots_language() -> None:
    finding = found(checked("io-4-never-flushes"), "IO-4")
    assert "under a terminal it comes at once" in (finding.cause or "")
    assert (finding.fix or "").splitlines()[-1].startswith("in Python: print(answer, flush=True)")


def test_a_bot_that_needs_term_gets_it_for_the_rest_of_the_run() -> None:
    report = checked("io-12-needs-term", cases=len(BASIC))
    finding = found(report, "IO-12")
    assert (finding.cause or "").startswith("needs TERM: ")
    assert [row.requirement.id for row in report.rows if row.status == "fail"] == []
    assert report.cases == len(BASIC)
    assert any(row.requirement.id == "PD-2.3" and row.status == "pass" for row in report.rows)


def test_a_bot_that_works_only_under_a_terminal_breaks_a_must() -> None:
    finding = found(checked("io-12-needs-terminal"), "IO-12")
    assert str(finding.level) == "MUST"
    assert (finding.cause or "").startswith("needs a terminal: ")


KEEPS_THE_SECOND = """
import select, sys, time
while True:
    select.select([sys.stdin], [], [])
    time.sleep(0.1)  # both messages are there when it reads
    line = sys.stdin.readline()
    if not line:
        break
    print('{"action": "pass"}' if '"play"' in line[:20] else "", flush=True)
    if '"quit"' in line:
        break
"""


def test_a_silence_after_an_answer_in_time_is_told_as_one(
    script: Callable[..., Path], tmp_path: Path
) -> None:
    """Of two messages sent together this bot keeps the second in its buffer until more comes."""
    cases = [
        case
        for case in matrix.all_cases(PACK.name, "quick")
        if case.id.endswith("unknown-action-before-a-pass")
    ]
    bot = Bot((str(script("bot", KEEPS_THE_SECOND)),), str(tmp_path), {"PATH": os.environ["PATH"]}, None)
    report = kit.check(kit.Plan(PACK, bot, cases, PACK.default_rules, "quick", time=TIME))
    assert report.troubles == []
    (finding,) = [finding for row in report.rows for finding in row.findings]
    assert (finding.requirement, finding.breakdown, finding.actual) == ("IO-8", KEPT, "no line in time")
    assert "this answer took" not in (finding.cause or "")


ALWAYS_SLOW = """
import sys, time
for line in iter(sys.stdin.readline, ""):
    time.sleep(0.03)
    print('{"action": "pass"}' if '"play"' in line[:20] else "", flush=True)
    if '"quit"' in line[:20]:
        break
"""


def test_a_bot_that_answers_while_it_is_looked_at_has_flushed(
    script: Callable[..., Path], tmp_path: Path
) -> None:
    """The look at a bot whose time is over takes longer than each of its answers."""
    cases = [case for case in matrix.all_cases(PACK.name, "quick") if case.whole]
    bot = Bot((str(script("bot", ALWAYS_SLOW)),), str(tmp_path), {"PATH": os.environ["PATH"]}, None)
    report = kit.check(kit.Plan(PACK, bot, cases, PACK.default_rules, "quick", time=0.5))
    assert report.troubles == []
    statuses = {row.requirement.id: row.status for row in report.rows}
    assert statuses["PD-5.1"] in ("fail", "inconclusive")
    assert statuses["IO-4"] not in ("fail", "inconclusive")


MISSES_A_PLAY_ONCE = """
import os, sys
for line in iter(sys.stdin.readline, ""):
    if '"quit"' in line[:20]:
        break
    if '"play"' in line[:20] and not os.path.exists("missed"):
        open("missed", "w").close()
        continue
    print('{"action": "pass"}' if '"play"' in line[:20] else "", flush=True)
"""


def test_a_message_missed_by_chance_is_not_put_down_to_what_it_came_together_with(
    script: Callable[..., Path], tmp_path: Path
) -> None:
    cases = [case for case in matrix.all_cases(PACK.name, "quick") if case.id == "io-8/together-in-one-write"]
    bot = Bot((str(script("bot", MISSES_A_PLAY_ONCE)),), str(tmp_path), {"PATH": os.environ["PATH"]}, None)
    report = kit.check(kit.Plan(PACK, bot, cases, PACK.default_rules, "quick"))
    assert report.troubles == []
    (finding,) = [finding for row in report.rows for finding in row.findings]
    assert (finding.requirement, finding.failed) == ("PD-2.3", 1)
    assert finding.runs > 1


def test_each_cause_has_a_bot() -> None:
    causes = {FAULTY[name].cause for name in SILENT}
    wanted = {
        "missing flush",
        "still reading",
        "dead-locked",
        "spinning",
        "sleeping",
        "computing too long",
        "stopped",
    }
    wanted |= {"crashed", "answered on stderr", "wrong interpreter", "missing library", "missing module"}
    assert causes == wanted
