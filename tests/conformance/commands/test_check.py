"""`pdcheck check`: where its files go, and what it refuses before any bot starts."""

from __future__ import annotations

import ast
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance.selftest import matrix

Script = Callable[..., Path]
Pdcheck = Callable[..., Any]
GOOD = Path(matrix.__file__).parent / "bots" / "good" / "prime_daihinmin" / "steady.py"
QUICK = ("check", "--profile", "quick", "--only", "PD-3.5", "--shrink-time", "0", "--jobs", "1")
OVERPLAYS = """
import json, os, sys
{first}
for line in sys.stdin:
    message = json.loads(line)
    if message["action"] == "play":
        nine = '{{"action": "number", "cards": [9]}}'
        print(nine if message["numbers"] and 9 in message["hand"] else '{{"action": "pass"}}', flush=True)
    else:
        print(flush=True)
        if message["action"] == "quit":
            break
"""


def test_a_test_on_stdout_is_all_that_is_there(pdcheck: Pdcheck, script: Script) -> None:
    bot = script("bot", OVERPLAYS.format(first=""))
    said = pdcheck(*QUICK, "--pytest-file", "-", bot)
    assert said.status == 1
    assert "\ndef test_pd_3_" in said.out
    ast.parse(said.out)
    assert "does not conform" in said.err
    assert not Path("-").exists()


def test_without_a_failure_stdout_is_empty(pdcheck: Pdcheck) -> None:
    said = pdcheck(*QUICK, "--max-time", "0", "--pytest-file", "-", GOOD)
    assert (said.status, said.out) == (4, "")
    assert "--pytest-file -: nothing failed, so no test is written\n" in said.err
    assert "inconclusive: no case was run (--max-time 0 was over)" in said.err
    assert "calmer" not in said.err


def test_two_files_do_not_fit_on_stdout(pdcheck: Pdcheck) -> None:
    said = pdcheck("--json", "-", "--pytest-file", "-", GOOD)
    assert said == (2, "", "pdcheck: --json - and --pytest-file -: stdout holds one of them\n")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("''", """--build "''": expected a command, got an empty word"""),
        ("", "--build '': expected a command, got an empty word"),
        ("'", "--build ': No closing quotation"),
        ("./none x", "--build ./none x: No such file or directory"),
        ("false", "--build false: exit status 1"),
    ],
)
def test_what_builds_nothing(pdcheck: Pdcheck, command: str, told: str) -> None:
    assert pdcheck("--build", command, GOOD) == (2, "", f"pdcheck: {told}\n")


def test_what_a_bot_needs_is_in_what_shows_its_other_faults_again(pdcheck: Pdcheck, script: Script) -> None:
    bot = script("bot", OVERPLAYS.format(first='os.environ["TERM"]'))
    said = pdcheck(*QUICK, "--json", "report.json", "--pytest-file", "test_bot.py", bot)
    assert said.status == 1, said.err
    report = json.loads(Path("report.json").read_text("utf-8"))
    replays = {row["id"]: row["findings"][0]["replay"] for row in report["requirements"] if row["findings"]}
    assert "--env" not in replays["IO-12"], "without the variable, it shows"
    other = next(requirement for requirement in replays if requirement.startswith("PD-3."))
    words = shlex.split(replays[other])
    assert "--env=TERM=xterm-256color" in words
    again = pdcheck("replay", "--json", "again.json", *words[2:])
    assert again.status == 1
    rows = json.loads(Path("again.json").read_text("utf-8"))["requirements"]
    assert [row["id"] for row in rows if row["status"] == "fail"] == [other]
