"""`pdcheck replay`, `judge` and `--pytest-file`: a failure is seen again, with the bot and without."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from pdcheck.conformance.commands import common
from pdcheck.conformance.selftest import matrix
from pdcheck.scenarios.scenario import read_scenarios

Script = Callable[..., Path]
Pdcheck = Callable[..., Any]
GOOD = Path(matrix.__file__).parent / "bots" / "good" / "prime_daihinmin" / "steady.py"

BOT = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["action"] == "play":
        {fault}
        print('{{"action": "pass"}}', flush=True)
    else:
        print(flush=True)
        if message["action"] == "quit":
            break
"""
ZEROS = BOT.format(fault='assert message["hand"].count(0) < 26, "so many zeros"')
HOMELESS = BOT.format(fault='os.environ["HOME"]')
OVERPLAYS = BOT.format(fault="""print('{"action": "number", "cards": [9]}', flush=True); continue""")
PASSES = BOT.format(fault="pass")


class Run(NamedTuple):
    folder: Path
    report: dict[str, Any]
    finding: dict[str, Any]
    out: str


def findings(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (row["id"], finding["message"], finding["actual"])
        for row in report["requirements"]
        for finding in row["findings"]
    ]


@pytest.fixture(scope="module")
def zeros(gear: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that finds a fault in generated states only, shrinks it and writes a test."""
    folder = tmp_path_factory.mktemp("repository")
    bot = folder / "bot.py"
    bot.write_text(f"#!{sys.executable} -S\n{ZEROS}", "utf-8")
    bot.chmod(0o755)
    options = ["--profile", "quick", "--only", "PD-2.3", "--shrink-time", "300"]
    done = gear.kit(*options, "--pytest-file", "test_bot.py", "--json", "report.json", "./bot.py", cwd=folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "test_bot.py: a test of IO-1" in done.stderr
    report = json.loads((folder / "report.json").read_text("utf-8"))
    ((finding),) = [f for row in report["requirements"] for f in row["findings"]]
    return Run(folder, report, finding, done.stdout)


def test_a_generated_failure_is_shrunk_to_what_it_needs(zeros: Run) -> None:
    file = zeros.folder / zeros.finding["scenario"]
    (scenario,) = read_scenarios(file.read_text("utf-8"), "x")
    assert (scenario.hand, scenario.field, scenario.seats, dict(scenario.others)) == ("0" * 26, (), 2, {})
    assert zeros.finding["message"] in scenario.why
    before, after = zeros.finding["shrunk"].removeprefix("from ").split(" to ")
    assert int(after.split()[0].replace(",", "")) < int(before.split()[0].replace(",", ""))
    assert f"shrunk  {zeros.finding['shrunk']}" in zeros.out
    assert zeros.finding["replay"] in zeros.out
    assert f"# {zeros.report['requirements'][0]['id']}" in file.read_text("utf-8")


@pytest.mark.parametrize("form", ["yaml", "json", "no bot"])
def test_its_replay_shows_the_same_finding(zeros: Run, gear: ModuleType, form: str) -> None:
    words = shlex.split(zeros.finding["replay"])
    assert words[:2] == ["pdcheck", "replay"]
    if form != "yaml":
        words[-2] = str(Path(words[-2]).with_suffix(".json"))
    if form == "no bot":
        words.pop()
    again = gear.kit("replay", "--json", "-", "--artifacts", f"again-{form}", *words[2:], cwd=zeros.folder)
    assert again.returncode == 1, again.stderr
    assert findings(json.loads(again.stdout)) == findings(zeros.report)


def test_its_transcript_is_judged_the_same_elsewhere(zeros: Run, gear: ModuleType, tmp_path: Path) -> None:
    file = (zeros.folder / zeros.finding["scenario"]).with_suffix(".json")
    shutil.copy(file, tmp_path / "sent.json")
    judged = gear.kit("judge", "--json", "-", "sent.json", cwd=tmp_path)
    assert judged.returncode == 1, judged.stderr
    report = json.loads(judged.stdout)
    assert findings(report) == findings(zeros.report)
    assert (report["profile"], report["seed"]) == (None, None)
    assert "a transcript: 1 case" in judged.stderr


@pytest.mark.full
def test_the_test_file_is_red_with_the_bot_and_green_with_a_good_one(zeros: Run, tmp_path: Path) -> None:
    text = (zeros.folder / "test_bot.py").read_text("utf-8")
    assert str(zeros.folder) not in text
    for bot, status in ((zeros.folder / "bot.py", 1), (GOOD, 0)):
        folder = tmp_path / str(status)
        folder.mkdir()
        shutil.copy(bot, folder / "bot.py")
        (folder / "test_bot.py").write_text(text, "utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_bot.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout
        assert ("IO-1 MUST" in done.stdout) == bool(status)


def test_the_test_file_passes_a_linter(zeros: Run) -> None:
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent))
    if ruff is None:
        pytest.skip("needs ruff")
    for words in (["check", "--isolated"], ["format", "--check", "--isolated"]):
        done = subprocess.run(
            [ruff, *words, "test_bot.py"], cwd=zeros.folder, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stdout


def test_without_a_failure_no_test_is_written(pdcheck: Pdcheck, script: Script, tmp_path: Path) -> None:
    options = ["--profile", "quick", "--only", "PD-2.1", "--jobs", "1"]
    said = pdcheck(*options, "--pytest-file", "test_bot.py", script("bot", PASSES))
    assert said.status == 0
    assert said.err.strip().endswith("test_bot.py: nothing failed, so no test is written")
    assert not (tmp_path / "test_bot.py").exists()


def test_a_failure_in_another_setting_is_played_again_in_it(
    pdcheck: Pdcheck, script: Script, tmp_path: Path
) -> None:
    options = ["--profile", "quick", "--only", "IO-12", "--jobs", "1", "--json", "report.json", "--strict"]
    said = pdcheck(*options, "--pytest-file", "test_bot.py", script("bot", HOMELESS))
    assert said.status == 1, said.out
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    (row,) = [row for row in report["requirements"] if row["status"] == "fail"]
    (finding,) = row["findings"]
    assert row["id"] == "IO-12"
    assert '"HOME": None' in (tmp_path / "test_bot.py").read_text("utf-8")
    words = shlex.split(finding["replay"])[2:]
    assert words[0].endswith(".json")
    for file in (words[0], str(Path(words[0]).with_suffix(".yaml"))):
        again = pdcheck(
            "replay", "--strict", "--artifacts", "again", "--json", "again.json", file, *words[1:]
        )
        assert again.status == 1, again.out
        assert findings(json.loads((tmp_path / "again.json").read_text("utf-8"))) == findings(report)


# Matches --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def match(gear: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The transcript of a match of two bots, the first of which plays a card that is no prime."""
    folder = tmp_path_factory.mktemp("match")
    bot = folder / "bot.py"
    bot.write_text(f"#!{sys.executable} -S\n{OVERPLAYS}", "utf-8")
    bot.chmod(0o755)
    seats = ["bad", str(bot), "good", str(GOOD), "house", "house:steady"]
    done = gear.kit("match", "--seed", "4", "--transcript", "match.json", *seats, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "match.json"


def test_every_bot_of_a_match_is_judged(match: Path, pdcheck: Pdcheck) -> None:
    said = pdcheck("judge", match)
    assert said.status == 1
    assert said.out.count(" a transcript: 1 case") == 2
    assert "bot.py does not conform" in said.out
    assert f"{GOOD} conforms" in said.out
    alone = {
        seat: pdcheck("judge", "-q", "--seat", seat, "--json", "-", match)
        for seat in ("bad", "0", "good", "1")
    }
    assert {seat: one.status for seat, one in alone.items()} == {"bad": 1, "0": 1, "good": 0, "1": 0}
    failed = [row["id"] for row in json.loads(alone["bad"].out)["requirements"] if row["status"] == "fail"]
    assert failed == ["PD-3.5"]


def test_a_seat_of_a_match_is_played_again(match: Path, pdcheck: Pdcheck) -> None:
    said = pdcheck("replay", "--seat", "bad", "--json", "report.json", match, match.parent / "bot.py")
    assert said.status == 1, said.out
    report = json.loads(Path("report.json").read_text("utf-8"))
    assert [row["id"] for row in report["requirements"] if row["status"] == "fail"] == ["PD-3.5"]


def test_what_has_to_be_chosen_in_a_match(match: Path, pdcheck: Pdcheck) -> None:
    for words, told in (
        (
            ["judge", "--json", "-", match],
            "--json holds one report, and 2 bots played; choose with --seat: 0 (bad), 1 (good)",
        ),
        (["judge", "--seat", "house", match], "--seat house: the bots are in 0 (bad), 1 (good)"),
        (["replay", match, "bot"], "a match of 2 bots; name one with --seat: 0 (bad), 1 (good)"),
    ):
        said = pdcheck(*words)
        assert (said.status, said.out) == (2, "")
        assert said.err == f"pdcheck: {match}: {told}\n"


# What cannot be judged ------------------------------------------------------------------------------------------


def broken(match: Path, **changes: Any) -> str:
    return json.dumps(json.loads(match.read_text("utf-8")) | changes)


@pytest.mark.parametrize("command", ["judge", "replay"])
def test_what_is_no_transcript(command: str, match: Path, pdcheck: Pdcheck, tmp_path: Path) -> None:
    nobody = {"t": 0, "seat": 9, "kind": "note", "text": "x"}
    texts = {
        "": "x.json:1:1: expected a transcript, got no JSON",
        match.read_text("utf-8")[:5000]: "(it may have been cut short)",
        '{"schema": 1, "game": "prime-daihinmin", "scenarios": []}': "got other JSON",
        '{"a": 1}': "x.json: the file: expected a transcript of pdcheck, got other JSON",
        broken(match, schema=2): "x.json: schema: expected 1",
        broken(match, game="go"): "x.json: game: ",
        broken(match, rules="v9"): "x.json: rules: expected one of published",
        broken(match, events=[nobody]): "x.json: events[0].seat: expected a seat below 3",
    }
    for text, told in texts.items():
        Path("x.json").write_text(text, "utf-8")
        said = pdcheck(command, "x.json")
        assert (said.status, said.out) == (2, ""), said
        assert told in said.err
        assert said.err.count("\n") == 1


def test_a_file_that_is_none_or_too_large(
    pdcheck: Pdcheck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common, "LONGEST", 1 << 20)
    monkeypatch.setattr(common, "LONGEST_TEXT", 1 << 20)
    Path("large").write_bytes(bytes((1 << 20) + 1))
    assert pdcheck("replay", "large", "./bot").err == "pdcheck: large: more than 1 MiB\n"
    assert pdcheck("judge", "none.json").err == "pdcheck: none.json: No such file or directory\n"
    assert pdcheck("judge", tmp_path).err == f"pdcheck: {tmp_path}: Is a directory\n"
    assert pdcheck("judge", "large").err == "pdcheck: large: expected a transcript, got more than 1 MiB\n"


def test_events_that_do_not_fit_together(match: Path, pdcheck: Pdcheck) -> None:
    events = json.loads(match.read_text("utf-8"))["events"]
    starved = {"t": 900.0, "seat": 1, "kind": "note", "text": "starved", "detail": "not seconds"}
    Path("x.json").write_text(broken(match, events=[*events, starved]), "utf-8")
    said = pdcheck("judge", "--seat", "1", "x.json")
    assert said.status == 2
    assert said.err.startswith("pdcheck: x.json: its events do not fit together (ValueError: ")
