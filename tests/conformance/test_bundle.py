"""Reports of the kit's own failures: what is in them, what is not, and that making one never fails."""

from __future__ import annotations

import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from pdcheck import schemas
from pdcheck.conformance import bundle
from pdcheck.scenarios.scenario import read_scenarios

Script = Callable[..., Path]
SECRET = "hunter2-not-to-be-told"

PASSES = """
import json, sys
for line in sys.stdin:
    try: action = json.loads(line)["action"]
    except ValueError: break
    print('{"action": "pass"}' if action == "play" else "", flush=True)
    if action == "quit": break
"""

TELLS = """import json, os, sys
print(os.environ["KEY"], file=sys.stderr, flush=True)"""
PLUGIN = """
'''A game whose referee is broken: it is Prime Daihinmin, but it fails in one scenario, or before the first case.'''
import os
from dataclasses import replace
from pdcheck.scenarios.prime_daihinmin.pack import PACK as REAL

def stage(scenario, rules, time):
    made = REAL.stage(scenario, rules, time)
    if scenario.name == os.environ["BREAKS"]:
        course = made.game.course
        def broken():
            steps = course()
            yield next(steps)
            raise ZeroDivisionError("the referee is broken")
        made.game.course = broken
    return made

def scenarios():
    if os.environ["BREAKS"] == "everything":
        raise ZeroDivisionError("no scenarios today")
    return REAL.scenarios()

PACK = replace(REAL, name="broken-game", suite="broken-game/1", stage=stage, scenarios=scenarios,
               matches=lambda seed, count: REAL.matches(seed, count))
"""


class Ran(NamedTuple):
    """How the command ended, and the folder it ran in."""

    status: int
    out: str
    err: str
    folder: Path

    @property
    def bundles(self) -> list[Path]:
        return sorted((self.folder / ".pdcheck").glob("bug-report-*"))

    def parts(self) -> dict[str, str]:
        """What is in the one bundle, by its name there."""
        (file,) = self.bundles
        with tarfile.open(file) as archive:
            read = {member.name: archive.extractfile(member) for member in archive.getmembers()}
            return {name.partition("/")[2]: part.read().decode() for name, part in read.items() if part}


@pytest.fixture
def broken(tmp_path: Path, script: Script, gear: ModuleType) -> Callable[..., Ran]:
    """`broken(breaks, …)` checks a good bot in a game of a plug-in that fails: in a process of its own."""
    site = tmp_path / "site"
    info = site / "broken_game-1.dist-info"
    info.mkdir(parents=True)
    (site / "broken_game.py").write_text(PLUGIN, "utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1\n", "utf-8")
    (info / "entry_points.txt").write_text("[pdcheck.games]\nbroken-game = broken_game:PACK\n", "utf-8")
    home = tmp_path / "home-of-somebody"
    folder = home / "repository"
    folder.mkdir(parents=True)
    bot = script("bot", PASSES)

    def run(breaks: str, *options: str, extra: tuple[str, ...] = (), says: bool = False) -> Ran:
        if says:
            bot.write_text(bot.read_text("utf-8").replace("import json, sys", TELLS), "utf-8")
        env = {"PYTHONPATH": str(site), "BREAKS": breaks, "HOME": str(home), "A_TOKEN": SECRET}
        words = ("--game", "broken-game", "--profile", "quick", "--only", "PD-2.2", "--env", f"KEY={SECRET}")
        done = gear.kit(*words, *options, str(bot), *extra, cwd=folder, env=env)
        return Ran(done.returncode, done.stdout, done.stderr, folder)

    return run


def test_a_failure_in_a_case_is_reported_and_the_others_count(broken: Callable[..., Ran]) -> None:
    ran = broken("init-answer-is-empty", "--json", "report.json", "--jobs", "2")
    assert ran.status == 3
    report = json.loads((ran.folder / "report.json").read_text("utf-8"))
    assert schemas.explain("report", report) == []
    assert report["verdict"] == "error"
    assert [failure["case"] for failure in report["kit_failures"]] == ["pd-2/init-answer-is-empty"]
    assert {row["id"]: row["status"] for row in report["requirements"]}["PD-2.1"] == "pass"

    parts = ran.parts()
    about = json.loads(parts["about.json"])
    assert "ZeroDivisionError: the referee is broken" in about["failures"][0]["traceback"]
    assert about["packages"]["pexpect"]
    assert about["machine"]["system"]
    (scenario,) = read_scenarios(parts["cases/pd-2-init-answer-is-empty.yaml"], "x")
    assert scenario.name == "init-answer-is-empty"
    transcript = json.loads(parts["cases/pd-2-init-answer-is-empty.json"])
    assert [event["kind"] for event in transcript["events"]][:1] == ["sent"]
    assert json.loads(parts["report.json"])["verdict"] == "error"
    told = next(line for line in ran.out.splitlines() if "bug-report" in line)
    assert str(ran.bundles[0].relative_to(ran.folder)) in told
    assert "scenario and transcript of 1 case" in told


def test_it_holds_names_of_variables_and_no_value_and_no_home(broken: Callable[..., Ran]) -> None:
    ran = broken("init-answer-is-empty", f"--env=OTHER={SECRET}")
    parts = ran.parts()
    everything = "\n".join(parts.values())
    assert SECRET not in everything
    assert "home-of-somebody" not in everything
    about = json.loads(parts["about.json"])
    assert {"A_TOKEN", "HOME"} <= set(about["environment"])
    assert "KEY=(left out)" in about["command"]
    assert "--env=OTHER=(left out)" in about["command"]
    transcript = json.loads(parts["cases/pd-2-init-answer-is-empty.json"])
    assert transcript["environment"]["KEY"] == "(left out)"


def test_a_failure_of_the_whole_is_reported_too(broken: Callable[..., Ran]) -> None:
    ran = broken("everything")
    assert ran.status == 3
    about = json.loads(ran.parts()["about.json"])
    assert "no scenarios today" in about["failures"][0]["traceback"]
    assert "bug-report" in ran.err.splitlines()[-1]
    assert "says nothing about the bot" in ran.err
    assert (ran.folder / ".pdcheck" / ".gitignore").read_text("utf-8") == "*\n"


def test_a_folder_that_cannot_be_is_said_and_the_rest_goes_on(broken: Callable[..., Ran]) -> None:
    ran = broken("init-answer-is-empty", "--artifacts", "/proc/no/such")
    assert ran.status == 3
    assert "no bug report could be written in /proc/no/such" in ran.out


# --- the parts ----------------------------------------------------------------------------------------------


def test_the_home_folder_is_a_tilde_and_its_neighbours_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/house/me")
    text = "/house/me/x '/house/me' /house/me2/x /srv/house/me/x /house/me.old"
    assert bundle._tilde("/house/me")(text) == "~/x '~' /house/me2/x /srv/house/me/x /house/me.old"
    assert bundle._tilde("/")("/usr") == "/usr"
    assert bundle._tilde("")("/usr") == "/usr"


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tarfile.TarFile, "addfile", full)
    told = bundle.write_bundle(tmp_path, [bundle.Failure("oops")])
    assert told == f"no bug report could be written in {tmp_path}: No space left on device"
    assert [name for name in os.listdir(tmp_path) if "bug" in name] == []


@pytest.mark.parametrize("transcript", ["{", "[]", '{"seats": [{"command": 5}]}'])
def test_what_cannot_be_read_does_not_make_it_fail(tmp_path: Path, transcript: str) -> None:
    told = bundle.write_bundle(tmp_path, [bundle.Failure("oops", "a/b", "x: 1", transcript)])
    assert "bug report" in told or "bug-report" in told


def test_no_value_is_left_in_a_replay_line_or_in_a_command_that_was_seen(tmp_path: Path) -> None:
    replay = f"pdcheck replay --env=KEY={SECRET} .pdcheck/a.yaml ./bot TOKEN={SECRET}"
    report = {"requirements": [{"id": "IO-1", "findings": [{"replay": replay}, {"replay": None}]}]}
    seen = {"what": "processes", "values": {"processes": [{"command": ["env", f"TOKEN={SECRET}", "./bot"]}]}}
    failure = bundle.Failure("oops", "a/b", "x: 1", json.dumps({"events": [seen, {"kind": "note"}]}))
    told = bundle.write_bundle(tmp_path, [failure], report=report)
    (file,) = tmp_path.glob("bug-report-*")
    with tarfile.open(file) as archive:
        parts = [archive.extractfile(member) for member in archive.getmembers()]
        everything = "\n".join(part.read().decode() for part in parts if part)
    assert SECRET not in everything, told
    assert "--env=KEY=(left out)" in everything
    assert '["env", "(left out)"]' in everything
    assert "./bot '(left out)'" in everything


def test_words_without_values() -> None:
    words = [
        "pdcheck",
        "--env",
        "A_B=1",
        "--env=C=2=3",
        "--env",
        "PATH",
        "--waive",
        "PD-2.2=why",
        "--seed=1",
        "./b",
    ]
    assert bundle.words_without_values(words) == [
        "pdcheck",
        "--env",
        "A_B=(left out)",
        "--env=C=(left out)",
        "--env",
        "PATH",
        "--waive",
        "PD-2.2=why",
        "--seed=1",
        "./b",
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--seed 1 ./bot --token X", "--seed 1 ./bot (left out)"),
        ("check --env A=1 -q --json=r ./bot", "check --env A=(left out) -q --json=r ./bot"),
        ("check -- -bot x", "check -- -bot (left out)"),
        (
            "replay --time 3 a.yaml --env=B=2 ./bot x y",
            "replay --time 3 a.yaml --env=B=(left out) ./bot (left out)",
        ),
        ("replay a.json", "replay a.json"),
        ("judge --seat 1 a.json", "judge --seat 1 a.json"),
        ("match -t 60 --seed 1 A house:steady B ./bot", "match -t 60 --seed 1 A house:steady B ./bot"),
        ("", ""),
    ],
)
def test_what_follows_the_bot_is_left_out(words: str, told: str) -> None:
    assert " ".join(bundle.told_command(["pdcheck", *words.split()])) == f"pdcheck {told}".rstrip()


def test_a_command_in_one_word_is_its_program() -> None:
    for words in (["check", "./bot --token X"], ["match", "A", "./bot --token X", "B", "house:steady"]):
        told = bundle.told_command(["pdcheck", *words])
        assert "./bot" in told
        assert not any("token" in word or "X" in word for word in told)


def test_the_bots_own_arguments_and_what_env_gives_are_nowhere(broken: Callable[..., Ran]) -> None:
    ran = broken("init-answer-is-empty", extra=("--api-key", SECRET[::-1]), says=True)
    assert ran.status == 3
    everything = "\n".join(ran.parts().values())
    assert SECRET not in everything, "not even where the bot wrote it"
    assert "left out" in everything
    assert SECRET[::-1] not in everything
    assert "--api-key" not in everything
