"""A whole run: when it stops early, that the number of jobs changes nothing, and whose fault a fault is."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck import schemas
from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.report import Report
from pdcheck.conformance.selftest import matrix
from pdcheck.conformance.selftest.programs import Workshop
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import GamePack, Stage
from pdcheck.scenarios.scenario import Scenario

Script = Callable[..., Path]

PASSES = """
import json, os, sys
for line in sys.stdin:
    try: message = json.loads(line)
    except ValueError: break
    action = message["action"]
    answer = '{"action": "pass"}' if action == "play" else ""
    #more
    print(answer, flush=True)
    if action == "quit": break
"""
SIX = """if action == "play" and not message["numbers"]:
        answer = '{"action": "number", "cards": [9, 9, 9, 9, 9, 9]}'"""


def bot_of(script: Script, name: str, more: str = "") -> Path:
    return script(name, PASSES.replace("#more", more))


def plan(bot: Path, *, pack: GamePack | None = None, only: Sequence[str] = (), **more: Any) -> kit.Plan:
    """A plan of the scripted cases of some sections (all: `only` empty), the basic ones always first."""
    pack = pack or load_pack("prime-daihinmin")
    cases = [
        case
        for case in checks.all_cases(pack, "quick", 0)
        if case.section == checks.BASIC or (case.section in only if only else case.section != "matches")
    ]
    return kit.Plan(
        pack=pack, bot=read_bot([str(bot)]), cases=cases, rules="published", profile="quick", **more
    )


def rows(report: Report) -> dict[str, Any]:
    """The requirement rows by ID, as the contract has them."""
    return {row["id"]: row for row in report.as_json()["requirements"]}


def statuses(report: Report) -> Mapping[str, str]:
    return {name: row["status"] for name, row in rows(report).items()}


# --- stopping early -----------------------------------------------------------------------------------------


def test_a_section_stops_after_three_equal_failures(script: Script) -> None:
    ran: list[kit.Progress] = []
    report = kit.check(plan(bot_of(script, "bot", SIX), only=["PD-3", "JS-2"]), ran.append)
    assert report.verdict == "fails"
    assert report.exit_status == 1
    assert "PD-3" in report.skipped
    assert "stopped after 3 equal failures" in report.skipped["PD-3"]
    total = sum(case.section == "PD-3" for case in plan(bot_of(script, "bot"), only=["PD-3"]).cases)
    assert 3 <= sum(at.section == "PD-3" for at in ran) < total
    assert "JS-2" not in report.skipped or "3 equal" in report.skipped["JS-2"]


@pytest.mark.full
def test_a_silence_in_every_section_is_waited_for_a_few_times(script: Script) -> None:
    """Each one costs all the time of a match."""
    sleeps = "if message.get('numbers'): import time; time.sleep(3600)"
    wanted = plan(bot_of(script, "bot", sleeps), only=["PD-2", "PD-3"], time=1.0)
    report = kit.check(wanted)
    assert report.troubles == []
    assert list(report.skipped) == ["PD-2", "PD-3"]
    for why in report.skipped.values():
        assert why.startswith("stopped at once, after "), why


@pytest.mark.parametrize(
    ("body", "requirement"),
    [
        ("raise SystemExit(3)", "IO-1"),
        ("import sys\nfor line in sys.stdin: print('hello', flush=True)", "JS-1"),
        ("import sys\nfor line in sys.stdin: pass", "PD-2.1"),
    ],
    ids=["dies", "talks", "deaf"],
)
def test_a_bot_that_breaks_down_in_every_basic_case_is_asked_nothing_more(
    script: Script, body: str, requirement: str
) -> None:
    ran: list[kit.Progress] = []
    report = kit.check(plan(script("bot", body)), ran.append)
    assert {at.section for at in ran} == {checks.BASIC}
    assert report.verdict == "fails"
    assert [name for name, status in statuses(report).items() if status == "fail"] == [requirement]
    later = rows(report)["PD-3.8" if "PD-3.8" in rows(report) else "PD-2.14"]
    assert later["status"] == "not-run"
    assert "breaks down in every ordinary exchange" in later["reason"]


def test_a_run_out_of_its_time_leaves_the_rest_not_run(script: Script) -> None:
    report = kit.check(plan(bot_of(script, "bot"), max_time=0.0))
    assert report.cases == 0
    assert set(statuses(report).values()) == {"not-run"}
    assert report.exit_status == 4  # nothing at all was tried
    assert any("--max-time 0 was over" in (row["reason"] or "") for row in rows(report).values())


def test_a_case_knows_of_slow_ends_by_the_order_in_which_cases_are_played(script: Script) -> None:
    """Else one that is still at work could be counted or not, as it happens."""
    made = plan(script("bot", "pass"))
    numbers, cases = kit._Run(made, lambda _: None, 0.0).numbers, made.cases
    rest = [
        case for case in cases if case.section != checks.BASIC and not case.alone and not case.setting.beside
    ]
    first = numbers[rest[0].id]
    assert [numbers[case.id] for case in rest] == list(range(first, first + len(rest)))
    assert sorted(numbers.values()) == list(range(len(cases)))


# --- what rests on time -------------------------------------------------------------------------------------


class Second(Executor):
    """Gives the same result to every job."""

    def __init__(self, result: CaseResult) -> None:
        self._result = result

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(self._result)
        return future


LATE = Finding("PD-5.1", Level.MUST, "late", "in time", "late", timed=True, calm=True)


@pytest.mark.parametrize(
    ("second", "found", "inconclusive"),
    [
        ([LATE], ["PD-5.1"], ()),
        ([replace(LATE, calm=False)], [], ("PD-5.1",)),
        ([], [], ()),
    ],
    ids=["late", "late-on-a-busy-machine", "in-time"],
)
def test_what_could_not_be_told_is_told_by_the_second_run(
    script: Script, second: list[Finding], found: list[str], inconclusive: tuple[str, ...]
) -> None:
    made = plan(script("bot", "pass"))
    name = made.cases[0].id
    run = kit._Run(made, lambda _: None, float("inf"))
    run.pool = Second(CaseResult(name, findings=second, covered=("PD-5.1",), transcript="{}"))
    run.results = [CaseResult(name, inconclusive=("PD-5.1",))]
    kit._confirm(run)
    kit._drop_unconfirmed(run)
    (result,) = run.results
    assert [finding.requirement for finding in result.findings] == found
    assert result.inconclusive == inconclusive
    assert result.covered == ("PD-5.1",)
    assert bool(result.transcript) is bool(second)


def test_what_is_seen_again_is_the_same_thing(script: Script) -> None:
    """Of two that rest on time under one requirement neither confirms the other."""
    made = plan(script("bot", "pass"))
    name = made.cases[0].id
    stays = Finding(
        "IO-11", Level.MUST, "stays", "it ends on SIGTERM", "still there", timed=True, at_end=True
    )
    survivor = replace(stays, expected="no process is left")
    for second, kept in ((stays, [stays]), (survivor, [])):
        run = kit._Run(made, lambda _: None, float("inf"))
        run.pool = Second(CaseResult(name, findings=[second]))
        run.results = [CaseResult(name, findings=[stays])]
        kit._confirm(run)
        kit._drop_unconfirmed(run)
        assert run.results[0].findings == kept


# --- the same, whatever the number of jobs ------------------------------------------------------------------

FAULTS = {
    "none": "",
    "six": SIX,
    "second-turn": "if action == 'pass': answer = 'thanks'",
    "dies-on-long-lines": "if len(line) > 20000: sys.exit(4)",
    "by-seat": "if action == 'play' and message['name'] == 'B': answer = '{}'",
}


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=[] if fault in ("six", "by-seat") else pytest.mark.full) for fault in FAULTS],
)
def test_the_number_of_jobs_changes_nothing(
    gear: ModuleType, script: Script, tmp_path: Path, fault: str
) -> None:
    bot = bot_of(script, "bot", FAULTS[fault])
    found = []
    options = ("--profile", "quick", "--only", "IO-7,JS,PD-2,PD-3", "--json", "-")
    for jobs in (1, 2):
        done = gear.kit("--jobs", str(jobs), *options, bot, cwd=tmp_path)
        report = json.loads(done.stdout)
        assert schemas.explain("report", report) == []
        found.append((done.returncode, report["verdict"], report["cases"], report["requirements"]))
    assert found[0] == found[1]


def _shipped(name: str, out: Path) -> Bot:
    pack = load_pack("prime-daihinmin")
    if name in {faulty.name for faulty in matrix.faulty_bots(pack)}:
        return matrix.faulty_bot(pack, name)
    return Workshop(out).bot(next(good for good in matrix.good_bots(pack) if good.name == name))


@pytest.mark.full
@pytest.mark.parametrize("name", ["steady", "pd-2.14-again-after-cut", "pd-3.1-card-twice"])
def test_one_two_or_four_jobs_same_cases_same_order_same_verdict(name: str, tmp_path: Path) -> None:
    pack = load_pack("prime-daihinmin")
    wanted = (checks.BASIC, "PD-2", "PD-3", "JS-2")
    cases = [case for case in checks.all_cases(pack, "quick", 0) if case.section in wanted]
    bot, told = _shipped(name, tmp_path), []
    for jobs in (1, 2, 4):
        ran: list[kit.Progress] = []
        report = kit.check(kit.Plan(pack, bot, cases, "published", "quick", jobs=jobs), ran.append)
        assert report.troubles == []
        shown = [(row["id"], row["status"], row["cases"], row["findings"]) for row in rows(report).values()]
        told.append((report.verdict, report.cases, dict(report.skipped), _counted(ran), shown))
    assert told[0] == told[1] == told[2]
    assert told[0][0] == ("conforms" if name == "steady" else "fails")


def _counted(ran: Sequence[kit.Progress]) -> Sequence[str]:
    """The sections in the order of their results, each as long as it went on: with more jobs, a case or two of a
    section that stops had been handed out already."""
    return list(dict.fromkeys(at.section for at in ran))


def test_the_cases_depend_on_game_profile_and_seed_alone() -> None:
    pack = load_pack("prime-daihinmin")
    first, second = (checks.all_cases(pack, "quick", 3) for _ in range(2))
    assert first == second
    assert checks.all_cases(pack, "quick", 4) != first
    names = [case.id for case in first]
    assert len(set(names)) == len(names)
    with pytest.raises(KeyError):
        checks.all_cases(pack, "huge", 0)


# --- interrupts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("more", ["", SIX], ids=["good", "bad"])
def test_an_interrupted_run_still_reports(
    gear: ModuleType, script: Script, tmp_path: Path, token: str, jobs: str, more: str
) -> None:
    # It goes on well until its ninth start, and then sleeps: so the interrupt meets a run in its middle.
    count = (
        "    if action == 'init':\n"
        f"        open({str(tmp_path / 'starts')!r}, 'a').write('x')\n"
        f"        if os.path.getsize({str(tmp_path / 'starts')!r}) > 8:\n"
        f"            open({str(tmp_path / 'sleeps')!r}, 'w'); import time; time.sleep(1000)\n"
    )
    bot = bot_of(script, "bot", f"{more}\n{count}")
    run = subprocess.Popen(
        [
            *gear.KIT,
            "--jobs",
            jobs,
            "--profile",
            "quick",
            "--time",
            "1000",
            "--json",
            "report.json",
            str(bot),
            token,
        ],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        gear.until((tmp_path / "sleeps").exists, "the ninth bot sleeps")
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=gear.AT_MOST)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == (1 if more else 130), err
    assert "interrupted" in out
    assert "Traceback" not in err
    report = json.loads((tmp_path / "report.json").read_text())
    assert schemas.explain("report", report) == []
    assert 3 <= report["cases"] <= 8
    assert any(row["status"] == "pass" for row in report["requirements"])
    assert any(row["reason"] == "interrupted" for row in report["requirements"])
    gear.until(lambda: not gear.bearers(token), "no bot is left")


# --- whose fault --------------------------------------------------------------------------------------------


def _broken_at(pack: GamePack, *names: str) -> GamePack:
    """The game with a stage that raises in the scenarios of these names."""

    def stage(scenario: Scenario, rules: str, time: float | None) -> Stage:
        if scenario.name in names:
            raise ZeroDivisionError("the kit is broken here")
        return pack.stage(scenario, rules, time)

    return replace(pack, stage=stage)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_kits_own_failure_is_its_own(script: Script, jobs: int) -> None:
    pack = load_pack("prime-daihinmin")
    victim = next(s.name for s in pack.scenarios() if s.about.startswith("PD-3."))
    broken = _broken_at(pack, victim)
    report = kit.check(plan(bot_of(script, "bot"), pack=broken, only=["PD-3"], jobs=jobs))
    assert (report.verdict, report.exit_status) == ("error", 3)
    ((case, traceback),) = report.troubles
    assert case.endswith(f"/{victim}")
    assert "ZeroDivisionError: the kit is broken here" in traceback
    assert "fail" not in statuses(report).values()
    others = kit.check(plan(bot_of(script, "bot"), pack=pack, only=["PD-3"], jobs=jobs))
    assert report.cases == others.cases
    assert others.exit_status == 0


def test_a_proven_failure_counts_beside_the_kits_own(script: Script) -> None:
    pack = load_pack("prime-daihinmin")
    victim = next(s.name for s in pack.scenarios() if s.about.startswith("JS-2"))
    report = kit.check(plan(bot_of(script, "bot", SIX), pack=_broken_at(pack, victim), only=["JS-2", "PD-3"]))
    assert len(report.troubles) == 1
    assert (report.verdict, report.exit_status) == ("fails", 1)


def test_a_broken_basic_case_is_no_breakdown_of_the_bot(script: Script) -> None:
    pack = load_pack("prime-daihinmin")
    report = kit.check(plan(bot_of(script, "bot"), pack=_broken_at(pack, *pack.basic), only=["JS-2"]))
    assert len(report.troubles) == len(pack.basic)
    assert report.exit_status == 3
    assert rows(report)["JS-2"]["status"] == "pass"


def test_a_report_of_the_kits_own_failure_is_valid(script: Script) -> None:
    pack = load_pack("prime-daihinmin")
    report = kit.check(plan(bot_of(script, "bot"), pack=_broken_at(pack, *pack.basic), only=["JS-2"]))
    assert schemas.explain("report", report.as_json()) == []


# --- progress -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_counts_every_case_once(script: Script, jobs: int) -> None:
    seen: list[kit.Progress] = []
    made = plan(bot_of(script, "bot"), only=["JS-2", "JS-3"], jobs=jobs)
    kit.check(made, seen.append)
    assert [at.done for at in seen] == list(range(1, len(made.cases) + 1))
    assert {at.total for at in seen} == {len(made.cases)}
    assert all(isinstance(case, Case) for case in made.cases)
