"""The command line as scripts see it: what is printed where, in how many lines, with which exit status."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from pdcheck import schemas
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.version import __version__
from pdcheck.scenarios.scenario import read_scenarios

Script = Callable[..., Path]
GAME = "prime-daihinmin"

PASSES = """
import json, os, sys
for line in sys.stdin:
    try: action = json.loads(line)["action"]
    except ValueError: break
    print('{"action": "pass"}' if action == "play" else "", flush=True)
    if action == "quit": break
"""
KNOWN = "import sys\nif sys.argv[1:] not in ([], ['--help', '-q', '--jobs']): sys.exit(9)\n"
OVERPLAYS = PASSES.replace('{"action": "pass"}', '{"action": "number", "cards": [9, 9, 9, 9, 9, 9]}')


class Said(NamedTuple):
    """What the fixture `pdcheck` gives: exit status, stdout, stderr."""

    status: int
    out: str
    err: str


Pdcheck = Callable[..., Said]


# --- what needs no bot --------------------------------------------------------------------------------------


def test_version(pdcheck: Pdcheck, gear: ModuleType) -> None:
    done = gear.kit("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"pdcheck {__version__}\n", "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_every_command(gear: ModuleType, arguments: list[str]) -> None:
    done = gear.kit(*arguments)
    assert done.returncode == 0
    assert done.stderr == ""
    for command in ("check", "replay", "match", "explain", "requirements", "games", "legal"):
        assert re.search(rf"^  {command} ", done.stdout, re.M), command


@pytest.mark.parametrize("command", ["check", "replay", "match", "explain", "requirements", "games", "legal"])
def test_every_command_has_help(gear: ModuleType, command: str) -> None:
    done = gear.kit(command, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Usage: ")


def test_games(pdcheck: Pdcheck) -> None:
    status, out, err = pdcheck("games")
    assert (status, err) == (0, "")
    pack = load_pack(GAME)
    for word in (
        GAME,
        pack.suite,
        "published (default)",
        "v0.11a",
        *(f"house:{name}" for name in pack.players),
    ):
        assert word in out


def test_requirements_lists_the_whole_catalogue_once(pdcheck: Pdcheck) -> None:
    status, out, err = pdcheck("requirements")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == [
        entry.id for entry in load_pack(GAME).catalogue()
    ]


def test_every_requirement_is_explained(pdcheck: Pdcheck) -> None:
    for entry in load_pack(GAME).catalogue():
        status, out, err = pdcheck("explain", entry.id.lower())
        assert (status, err) == (0, "")
        assert out.startswith(f"{entry.id} ({entry.level}) {entry.title}\n")
        for part in ("good", "bad", "fix", "source"):
            assert re.search(rf"^ +{part}  \S", out, re.M), (entry.id, part)


def test_list_names_the_cases_and_runs_nothing(pdcheck: Pdcheck) -> None:
    status, out, err = pdcheck("--list", "--profile", "quick", "--only", "PD-3.8", "/no/such/bot")
    assert (status, err) == (0, "")
    rows = [line.split("  ", 2) for line in out.splitlines()]
    assert {requirement for _, requirement, _ in rows} >= {"PD-3.8"}
    assert all(name.startswith("basic/") or requirement == "PD-3.8" for name, requirement, _ in rows)
    assert len({name for name, _, _ in rows}) == len(rows)
    assert pdcheck("--list", "--profile", "quick", "--only", "PD-3.8").out == out


@pytest.mark.parametrize(
    ("game", "requirement", "case"),
    [
        ("prime-daihinmin", "PD-5.2", "matches/match-0001"),
        ("prime-daihinmin", "PD-6.2", "conduct/watched"),
        ("prime-daihinmin", "PD-6.3", "matches/match-0001"),
        ("valtapeli", "VA-8", "matches/match-0001"),
    ],
)
def test_what_has_no_case_of_its_own_is_looked_for_where_it_shows(
    pdcheck: Pdcheck, game: str, requirement: str, case: str
) -> None:
    status, out, _ = pdcheck("--game", game, "--list", "--profile", "quick", "--only", requirement)
    assert status == 0
    assert case in [line.split()[0] for line in out.splitlines()]


# --- usage errors -------------------------------------------------------------------------------------------

USAGE = [
    ("--bogus ./bot", "--bogus"),
    ("--game nope ./bot", "no game 'nope'"),
    ("--rules nope ./bot", "--rules nope"),
    ("--only XX-1 ./bot", "XX-1"),
    ("--only PD-3.99 ./bot", "PD-3.99"),
    ("--list --only XX-1", "XX-1"),
    ("--waive FOO=bar ./bot", "FOO"),
    ("--waive PD-2.8 ./bot", "reason"),
    ("--waive PD-2.8= ./bot", "reason"),
    ("--json none/x.json ./bot", "--json none/x.json"),
    ("--json . ./bot", "--json ."),
    ("--artifacts ./bot ./bot", "--artifacts"),
    ("check", "no bot given"),
    ("check --profile quick", "no bot given"),
    ("--profile big ./bot", "--profile"),
    ("--jobs 0 ./bot", "--jobs"),
    ("--jobs two ./bot", "--jobs"),
    ("--seed x ./bot", "--seed"),
    ("--time 0 ./bot", "--time"),
    ("--time nan ./bot", "--time"),
    ("--time inf ./bot", "--time"),
    ("--max-time -1 ./bot", "--max-time"),
    ("--max-time nan ./bot", "--max-time"),
    ("--env =x ./bot", "--env"),
    ("--env NOT_SET_ANYWHERE ./bot", "NOT_SET_ANYWHERE"),
    ("--cwd none ./bot", "none"),
    ("--build false ./bot", "--build"),
    ("--build ./none ./bot", "--build"),
    ("./none", "./none"),
    ("none", "none"),
    ("folder", "folder"),
    ("explain", "REQUIREMENT"),
    ("explain XX-1", "XX-1"),
    ("explain --game nope IO-1", "nope"),
    ("requirements --game nope", "nope"),
    ("games now", "now"),
    ("legal", "GAME"),
    (f"legal {GAME}", "--state"),
    ("legal nope --state {}", "nope"),
    ("replay", "FILE"),
    ("replay none.yaml ./bot", "none.yaml"),
    ("replay bot ./bot", "bot"),
    ("replay folder ./bot", "folder"),
    ("match", "players"),
    ("match A", "A"),
    ("match A house:steady", "1 player;"),
    ("match A house:steady B", "B"),
    ("match A house:steady A house:steady", "A"),
    ("match " + " ".join(f"P{n} house:passer" for n in range(9)), "9 players"),
    ("match A house:nobody B house:steady", "nobody"),
    ("match A ./none B house:steady", "./none"),
    ("match -t 0 A house:steady B house:steady", "0"),
    ("match -t nan A house:steady B house:steady", "nan"),
    ("match -t x A house:steady B house:steady", "x"),
    ("match --rules nope A house:steady B house:steady", "nope"),
    ("match --transcript none/x A house:steady B house:steady", "none/x"),
]


@pytest.mark.parametrize(("line", "names"), USAGE, ids=[line for line, _ in USAGE])
def test_a_usage_error_is_one_line_and_status_2(
    pdcheck: Pdcheck, script: Script, tmp_path: Path, line: str, names: str
) -> None:
    script("bot", "raise SystemExit('it was started')")
    (tmp_path / "folder").mkdir()
    status, out, err = pdcheck(*shlex.split(line))
    assert status == 2
    assert out == ""
    assert re.fullmatch(r"pdcheck: [^\n]+\n", err), err
    assert names in err


# --- a run --------------------------------------------------------------------------------------------------


def test_check_is_the_default_and_all_after_the_bot_is_the_bots(pdcheck: Pdcheck, script: Script) -> None:
    script("bot", KNOWN + PASSES)
    short = ["--profile", "quick", "--only", "PD-2.1", "--jobs", "1"]
    own = ["--help", "-q", "--jobs"]
    for words in ([*short, "./bot", *own], ["check", *short, "./bot", *own]):
        status, out, err = pdcheck(*words)
        assert (status, err) == (0, ""), out
        assert "./bot --help -q --jobs conforms" in out
    status, out, _ = pdcheck(*short, "./bot", "--other")
    assert status == 1
    assert "--other does not conform" in out


def _check(pdcheck: Pdcheck, bot: Path, *options: str) -> Said:
    return pdcheck("--jobs", "1", "--profile", "quick", "--only", "PD-3.2", *options, bot)


def test_a_passing_run(pdcheck: Pdcheck, script: Script, tmp_path: Path) -> None:
    bot = script("bot", PASSES)
    status, out, err = _check(pdcheck, bot)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert re.fullmatch(r"\./bot conforms: \d+ pass, \d+ not-run", lines[-2])
    assert re.search(r"profile quick, seed 0: \d+ cases in \d+\.\d s", lines[-1])
    assert list(tmp_path.iterdir()) == [bot], "nothing is kept where nothing failed"
    assert "PD-3.2" not in out
    verbose = _check(pdcheck, bot, "-v").out
    listed = re.findall(r"^([A-Z]+-[\d.]+) +(?:MUST|SHOULD|INFO) ", verbose, re.M)
    rows = [entry.id for entry in load_pack(GAME).catalogue() if entry.level != "RULE"]
    assert listed == rows


def test_a_failing_run_tells_keeps_and_can_be_played_again(
    pdcheck: Pdcheck, script: Script, tmp_path: Path, gear: ModuleType
) -> None:
    bot = script("bot", OVERPLAYS)
    status, out, _ = _check(pdcheck, bot, "--json", "report.json")
    assert status == 1
    report = json.loads(Path("report.json").read_text("utf-8"))
    assert schemas.explain("report", report) == []
    assert report["verdict"] == "fails"
    failed = {row["id"]: row for row in report["requirements"] if row["status"] == "fail"}
    assert "PD-3.2" in failed
    assert (tmp_path / ".pdcheck" / ".gitignore").read_text() == "*\n"
    for row in failed.values():
        (finding, *_) = row["findings"]
        assert {"sent", "expected", "actual", "fix", "cause"} <= finding.keys()
        scenario = Path(finding["scenario"])
        assert len(read_scenarios(scenario.read_text("utf-8"), scenario.name)) == 1
        assert json.loads(scenario.with_suffix(".json").read_text("utf-8"))["events"]
        assert finding["replay"] in out
        words = shlex.split(finding["replay"])
        assert words[:2] == ["pdcheck", "replay"]
        again = gear.kit("replay", "--json", "-", *words[2:], cwd=tmp_path)
        assert again.returncode == 1, again.stderr
        repeated = json.loads(again.stdout)
        statuses = {entry["id"]: entry["status"] for entry in repeated["requirements"]}
        assert statuses[row["id"]] == "fail"
        assert [entry["id"] for entry in repeated["requirements"] if entry["status"] == "fail"] == [row["id"]]


def test_a_git_folder_never_sees_what_is_kept(
    pdcheck: Pdcheck, script: Script, tmp_path: Path, needs: Callable[[str], str]
) -> None:
    git = needs("git")
    subprocess.run([git, "init", "-q", "."], cwd=tmp_path, check=True)
    assert _check(pdcheck, script("bot", OVERPLAYS), "--artifacts", "kept/here").status == 1
    assert list((tmp_path / "kept/here").glob("*.yaml"))
    told = subprocess.run(
        [git, "status", "--porcelain", "-uall"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert told.stdout == "?? bot\n"


def test_json_on_stdout_is_json_alone(gear: ModuleType, script: Script, tmp_path: Path) -> None:
    bot = script("bot", OVERPLAYS)
    done = gear.kit("--json", "-", "--only", "PD-3.2", "--profile", "quick", bot, cwd=tmp_path)
    assert done.returncode == 1
    assert schemas.explain("report", json.loads(done.stdout)) == []
    assert "does not conform" in done.stderr
    done = gear.kit("-q", "--json", "-", "--only", "PD-3.2", "--profile", "quick", bot, cwd=tmp_path)
    assert json.loads(done.stdout)["verdict"] == "fails"


def test_quiet_says_the_verdict_only(pdcheck: Pdcheck, script: Script) -> None:
    status, out, err = _check(pdcheck, script("bot", OVERPLAYS), "-q")
    assert (status, err) == (1, "")
    assert "does not conform" in out
    assert "expected" not in out
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize("options", [[], ["--no-color"]])
def test_piped_the_report_is_plain(
    gear: ModuleType, script: Script, tmp_path: Path, options: list[str]
) -> None:
    bot = script("bot", OVERPLAYS)
    env = {"TERM": "xterm-256color"}
    done = gear.kit("-v", *options, "--only", "PD-3.2", "--profile", "quick", bot, cwd=tmp_path, env=env)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr
    assert "PD-3.2" in done.stdout


@pytest.mark.parametrize(("options", "coloured"), [([], True), (["--no-color"], False)])
def test_colour_on_a_terminal_only(
    gear: ModuleType, script: Script, tmp_path: Path, options: list[str], coloured: bool
) -> None:
    import pexpect

    bot = script("bot", OVERPLAYS)
    words = [*gear.KIT[1:], *options, "--only", "PD-3.2", "--profile", "quick", str(bot)]
    env = {**os.environ, "TERM": "xterm-256color"}
    env.pop("NO_COLOR", None)
    child = pexpect.spawn(
        gear.KIT[0], words, cwd=str(tmp_path), env=env, timeout=gear.AT_MOST, encoding="utf-8"
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.before is not None
    report = child.before[child.before.index("PD-3.2   MUST   ") :]
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", report)
    assert "does not conform" in " ".join(plain.split())
    assert bool(re.search(r"\x1b\[[0-9;]*3[0-9]m", report)) is coloured
    assert child.exitstatus == 1


def test_strict_and_waive(pdcheck: Pdcheck, script: Script) -> None:
    bot = script("bot", PASSES.replace('else ""', 'else " " if action == "init" else ""'))
    run = ("--jobs", "1", "--profile", "quick", "--only", "PD-2.2", "--json", "r.json")

    def status_of() -> str:
        rows = json.loads(Path("r.json").read_text())["requirements"]
        return next(str(row["status"]) for row in rows if row["id"] == "PD-2.2")

    assert pdcheck(*run, bot).status == 0
    assert status_of() == "warn"
    assert pdcheck(*run, "--strict", bot).status == 1
    assert status_of() == "fail"
    said = pdcheck(*run, "--strict", "--waive", "PD-2.2=we know", bot)
    assert said.status == 0
    assert status_of() == "waived"
    assert "we know" in said.out


def test_build_runs_first_in_the_bots_folder(pdcheck: Pdcheck, script: Script, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    script("sub/source", PASSES, mode=0o644)
    script("sub/make.sh", "cp source bot && chmod +x bot\n", shebang="#!/bin/sh")
    status, out, _ = pdcheck(
        "--cwd",
        "sub",
        "--build",
        "./make.sh",
        "--only",
        "PD-2.1",
        "--jobs",
        "1",
        "--profile",
        "quick",
        "./bot",
    )
    assert status == 0, out


def test_a_note_on_how_it_was_started_goes_to_stderr(
    pdcheck: Pdcheck, script: Script, monkeypatch: pytest.MonkeyPatch, gear: ModuleType
) -> None:
    folder = Path(gear.PYTHON[0]).parent
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    bot = script("bot.py", PASSES, shebang="", mode=0o644)
    status, out, err = _check(pdcheck, bot)
    assert status == 0, out
    assert err == f"note: {bot} has no run bit; started with python3\n"
    assert _check(pdcheck, bot, "-q").err == ""


def test_what_starts_and_dies_is_a_finding(pdcheck: Pdcheck, script: Script) -> None:
    status, out, _ = _check(pdcheck, script("bot", "raise ValueError('oh my')"))
    assert status == 1
    assert "IO-1 MUST" in out
    assert "ValueError: oh my" in out


# --- readers that leave -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["requirements"],
        ["games"],
        ["explain", "IO-1"],
        ["--list"],
        ["legal", GAME, "--state", '{"hand": "2357"}'],
        ["match", "A", "house:passer", "B", "house:passer"],
        ["-v", "--only", "PD-3.2", "--profile", "quick", "./bot"],
    ],
    ids=lambda words: words[0],
)
def test_a_reader_that_leaves_is_no_trouble(
    gear: ModuleType, script: Script, tmp_path: Path, words: list[str]
) -> None:
    script("bot", PASSES)
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*gear.KIT, *words], cwd=tmp_path, stdout=write, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(write)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert "BrokenPipe" not in done.stderr
    assert done.returncode not in (2, 3), done.stderr


def test_head_takes_what_it_wants(gear: ModuleType, tmp_path: Path) -> None:
    line = f"{shlex.join(gear.KIT)} requirements | head -n 1"
    done = subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("IO-1 ")
    assert done.stderr == ""
