"""Bots that do not play the same way in every run, and such as do: real processes, real runs of the kit."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.repeats import clock, surroundings
from pdcheck.conformance.repeats.conditions import CONDITIONS
from pdcheck.conformance.repeats.telling import STOPPED
from pdcheck.conformance.report import Report, Row
from pdcheck.conformance.reports import terminal

PACK = load_pack("valtapeli")
assert PACK.repeats
SAME, NAME = PACK.repeats.same, PACK.repeats.name
Script = Callable[..., Path]

BOT = """
import os, random, sys, threading, time
me = int(input())
print(NAME, flush=True)
free = [(row, column) for row in range(1, 17) for column in range(1, 17)]

def near(cell):
    return abs(2 * cell[0] - 17) + abs(2 * cell[1] - 17), cell

def first(count):
    return sorted(free, key=near)[:count]

CHOOSE

def move():
    cell = choose()
    free.remove(cell)
    print(*cell, flush=True)

made = 0
if me == 1:
    move()
    made = 1
while made < 128:
    line = sys.stdin.readline()
    if not line:
        break
    free.remove(tuple(map(int, line.split())))
    move()
    made += 1
"""
STEADY = "def choose(): return first(1)[0]"
RANDOM = "def choose(): return random.choice(first(3))"
FOLDER = "def choose(): return first(2)[len(free) > 1 and bool(os.listdir('.'))]"
BY_DATE = """
chance = random.Random(int(time.time()))
def choose(): return chance.choice(free)
"""
BY_CLOCK = """
def choose():
    until, best = time.monotonic() + 0.002, 0
    while time.monotonic() < until:
        best = (best * 31 + 7) % 9973
    few = first(5)
    return few[best % len(few)]
"""
ADDRESSES = """
class Node:
    def __init__(self, cell): self.cell = cell
def choose():
    return min([Node(cell) for cell in first(6)], key=lambda node: id(node) * 2654435761 % 1000003).cell
"""
HASH_ORDER = """
def choose():
    return tuple(map(int, next(iter({f"{row} {column}" for row, column in first(6)})).split()))
"""
THREADS = """
def choose():
    found = []
    def look(cell):
        for _ in range(3): time.sleep(0)
        found.append(cell)
    threads = [threading.Thread(target=look, args=(cell,)) for cell in first(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return found[0]
"""
FAULTS: Mapping[str, tuple[str, str]] = {
    "random": (RANDOM, "random numbers without a fixed seed"),
    "time-seeded": (BY_DATE, "clock decides|the date or the time of day decides"),
    "limited by the clock": (BY_CLOCK, "the clock decides: a search that stops by it"),
    "by addresses": (ADDRESSES, "addresses in memory decide"),
    "by hashes": (HASH_ORDER, "PYTHONHASHSEED"),
    "threads": (THREADS, "threads that race"),
}


@pytest.fixture
def bot(script: Script) -> Callable[..., Path]:
    """A bot that chooses its cells so, and calls itself so."""
    return lambda choose, name='"Wobbly"': script(
        "bot", BOT.replace("CHOOSE", choose).replace("NAME", name), shebang="#!/usr/bin/env -S python3 -S"
    )


def cases(turns: int, only: Sequence[str], profile: str = "standard") -> list[Case]:
    """The first basic case, and of the repeated matches the first one under some conditions, cut short."""
    found = [case for case in checks.all_cases(PACK, profile, 0) if case.section in (checks.BASIC, "repeats")]
    kept = [case for case in found if not case.repeats or case.repeats in only]
    kept = [case for case in kept if not case.repeats or case.scenario.name == "repeat-1"]
    return [
        _cut(case, turns) if case.repeats else case
        for case in kept
        if case.requirement != SAME or case.repeats
    ]


def _cut(case: Case, turns: int) -> Case:
    return replace(case, scenario=replace(case.scenario, turns=turns))


def run(bot: Path, chosen: Sequence[Case]) -> Report:
    return kit.check(
        kit.Plan(
            pack=PACK, bot=read_bot([str(bot)]), cases=chosen, rules="published", profile="quick", jobs=2
        )
    )


def row(report: Report, requirement: str) -> Row:
    return next(row for row in report.rows if row.requirement.id == requirement)


def test_a_bot_that_plays_the_same_way_each_time_conforms(bot: Callable[..., Path]) -> None:
    report = run(bot(STEADY), cases(4, ("plain", "again", "together")))
    assert [row(report, name).status for name in (SAME, NAME)] == ["pass", "pass"]
    assert row(report, SAME).cases == 2
    assert report.repeats
    assert report.repeats.headline == "the same moves in 2 repetitions of 1 match"
    assert report.verdict == "conforms"


def test_what_the_working_folder_decides_is_found_by_all_changes_together(
    bot: Callable[..., Path],
) -> None:
    """None of the single changes was in the plan: which of them it takes is found out."""
    report = run(bot(FOLDER), cases(3, ("plain", "again", "together")))
    found = row(report, SAME)
    assert found.status == "fail"
    (finding,) = found.findings
    assert finding.case == "repeats/repeat-1/folder"
    assert finding.actual == "8 8 when it is started in another folder"
    assert finding.expected == "8 9 at its move 1 (move 1 of the match), as in the first run"
    assert finding.cause
    assert finding.cause.startswith("the working folder decides")
    assert "with nothing changed its moves differed in 0 of 3 repetitions" in finding.cause
    assert finding.cause.splitlines()[-9].split("     ") == [
        "  8 . . . . . . . .>1 . . . . . . .",
        "  8 . . . . . . .>1 . . . . . . . .",
    ]
    assert not any(other.status == "fail" for other in report.rows if other is not found)
    page = io.StringIO()
    terminal.write(report, page, color=False)
    assert "repeated: other moves in 4 of" in page.getvalue()
    assert "\n  another working folder" in page.getvalue()
    assert finding.cause.splitlines()[-9] in page.getvalue(), "a board is not wrapped"
    assert "times as fast as the contest's" in page.getvalue()
    assert [view["title"] for view in finding.views] == [
        "as it played first",
        "when it is started in another folder",
    ]


BY_YEAR = """
def choose():
    if made == 1 and time.time() > {}:
        free.append((17, 17))
        return 17, 17
    return first(1)[0]
"""
PRELOAD = "import os\nif os.environ.get('LD_PRELOAD'): os.abort()\ndef choose(): return first(1)[0]"


@pytest.mark.skipif(sys.platform != "linux", reason="no other clock is given elsewhere")
@pytest.mark.parametrize("condition", ["clock", "together"])
def test_what_is_wrong_under_another_date_is_told(
    bot: Callable[..., Path], needs: Callable[[str], str], condition: str
) -> None:
    needs("cc")
    report = run(
        bot(BY_YEAR.format(int(time.time()) + 300 * 86_400)), cases(3, ("plain", "again", condition))
    )
    assert [row.requirement.id for row in report.rows if row.status == "fail"] == ["VA-4"]
    assert [finding.case for finding in row(report, "VA-4").findings] == [f"repeats/repeat-1/{condition}"]


@pytest.mark.skipif(sys.platform != "linux", reason="no other clock is given elsewhere")
def test_no_bot_has_to_bear_the_library_that_gives_another_date(
    bot: Callable[..., Path], needs: Callable[[str], str]
) -> None:
    needs("cc")
    report = run(bot(PRELOAD), cases(3, ("plain", "again", "clock")))
    assert [row.requirement.id for row in report.rows if row.findings] == []
    assert report.repeats
    assert report.repeats.left_out == [("another date and time", STOPPED)]
    assert report.repeats.varied == "only the process id"


def test_chance_shows_in_plain_repetition(bot: Callable[..., Path]) -> None:
    report = run(bot(RANDOM), cases(16, ("plain", "again")))
    (finding,) = row(report, SAME).findings
    assert finding.actual.endswith("when nothing is changed")
    assert finding.cause
    assert "random numbers without a fixed seed" in finding.cause


def test_a_name_of_each_seats_own_is_told_with_both(bot: Callable[..., Path]) -> None:
    report = run(bot(STEADY, 'f"Wobbly{me}"'), cases(2, ()))
    (finding,) = row(report, NAME).findings
    names = {
        word
        for word in (finding.expected + " " + finding.actual).replace(",", " ").split()
        if "Wobbly" in word
    }
    assert names == {"Wobbly1", "Wobbly2"}
    assert "in seat 1" in finding.expected + finding.actual
    assert "in seat 2" in finding.expected + finding.actual
    assert finding.cause
    assert "depends on the seat" in finding.cause
    assert row(report, SAME).status == "not-run"


def test_a_bot_that_is_stopped_in_each_match_is_not_judged_by_them(bot: Callable[..., Path]) -> None:
    late = "def choose(): return first(1)[0] if len(free) > 226 else (8, 8)"
    report = run(bot(late), cases(20, ("plain", "again")))
    assert row(report, SAME).status == "not-run"
    assert "stopped in every match" in (row(report, SAME).reason or "")


def test_a_condition_that_cannot_be_made_is_told_with_the_reason(
    bot: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = (clock.ANOTHER, clock.COUNTED, clock.COUNTED_OTHERWISE)
    monkeypatch.setattr(clock, "prepare", lambda _: dict.fromkeys(kinds, "no compiler here"))
    monkeypatch.setattr(surroundings, "refusal", lambda: "not allowed here")
    report = run(bot(STEADY), cases(2, ("plain", "clock", "addresses", "together")))
    assert report.repeats
    assert dict(report.repeats.left_out) == {
        CONDITIONS["clock"].varied: "no compiler here",
        CONDITIONS["addresses"].varied: "not allowed here",
        CONDITIONS["held-clock"].varied: "no compiler here",
        CONDITIONS["held-addresses"].varied: "not allowed here",
    }
    assert {case.repeats for case in report.plan.cases} >= {"plain", "together"}
    assert not {"clock", "addresses"} & {case.repeats for case in report.plan.cases}
    assert row(report, SAME).status == "pass"


def test_the_clock_s_library_is_compiled_once_and_before_the_first_bot_starts(
    bot: Callable[..., Path],
    script: Script,
    needs: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Inside a case it would be part of the bot's time."""
    real, book = needs("cc"), tmp_path / "book"
    tells = f"import os, sys\nprint('cc', file=open({str(book)!r}, 'a'))\n"
    compiler = f"{tells}os.execv({real!r}, [{real!r}, *sys.argv[1:]])\n"
    os.replace(script("made", compiler), tmp_path / "cc")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    writes = f"print('bot', file=open({str(book)!r}, 'a'))\n{STEADY}"
    report = run(bot(writes), cases(2, ("plain", "again", "clock", "together")))
    assert report.troubles == []
    assert report.repeats
    assert "clock" not in str(report.repeats.left_out)
    assert row(report, SAME).status == "pass"
    words = book.read_text().split()
    assert words[0] == "cc"
    assert set(words[1:]) == {"bot"}


@pytest.mark.full
def test_a_replay_plays_both_runs_again_and_shows_the_difference(
    bot: Callable[..., Path], pdcheck: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "book").touch()
    program = bot(FOLDER)
    first = pdcheck("--game", "valtapeli", "--only", SAME, "--profile", "quick", "--json", "r.json", program)
    assert first.status == 1
    rows = json.loads((tmp_path / "r.json").read_text())["requirements"]
    finding = next(row for row in rows if row["id"] == SAME)["findings"][0]
    words = finding["replay"].split()
    assert words[:2] == ["pdcheck", "replay"]
    again = pdcheck("replay", words[2], program)
    assert again.status == 1
    assert finding["message"] in again.out
    assert "2 cases in" in again.out
    scenario = Path(words[2]).with_suffix(".yaml")
    alone = scenario.rename(tmp_path / "elsewhere.yaml")
    by_itself = pdcheck("replay", alone, bot(RANDOM))
    assert by_itself.status == 1
    assert f"{SAME} " in by_itself.out
    mended = pdcheck("replay", words[2], bot(STEADY))
    assert mended.status == 0


@pytest.mark.full
@pytest.mark.parametrize("fault", FAULTS)
def test_each_cause_is_named(fault: str, bot: Callable[..., Path]) -> None:
    choose, cause = FAULTS[fault]
    chosen = [
        case for case in checks.all_cases(PACK, "standard", 0) if case.section in (checks.BASIC, "repeats")
    ]
    report = run(bot(choose), chosen)
    (finding,) = row(report, SAME).findings
    assert finding.cause
    assert any(part in finding.cause for part in cause.split("|")), finding.cause
    assert [row.requirement.id for row in report.rows if row.status == "fail"] == [SAME]
