"""`pdcheck match`, `judge` and `replay` for Valtapeli: what is shown, and a stopped bot that is gone before the end."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Make = Callable[..., Path]
Pdcheck = Callable[..., Any]
GAME = ("--game", "valtapeli")
TAKEN = "def fault():\n    if made == 5: taken.clear()\n"


def test_the_board_the_regions_the_score_and_both_kinds_of_time_are_shown(pdcheck: Pdcheck) -> None:
    said = pdcheck("match", *GAME, "Ann", "house:first-free", "Bob", "house:corner")
    assert said.status == 0
    lines = said.out.splitlines()
    assert lines[0].split() == [str(column) for column in range(1, 17)]
    assert lines[1].split()[:2] == ["1", "#"]
    assert sum(line.count("#") for line in lines[1:17]) == 128
    assert lines[17] == "# Ann (player 1)   . Bob (player 2)"
    assert lines[18].startswith("regions: ")
    assert lines[19].startswith("score: Ann ")
    assert lines[20].startswith("time: Ann 0.000 s of CPU, ")
    assert lines[21].startswith("time: Bob 0.000 s of CPU, ")
    assert "stock" not in said.out + said.err


def test_a_line_a_move_is_shown_when_asked_for(pdcheck: Pdcheck) -> None:
    said = pdcheck("match", *GAME, "-s", "Ann", "house:first-free", "Bob", "house:first-free")
    moves = [line for line in said.err.splitlines() if line.partition(":")[0].isdigit()]
    assert (len(moves), moves[0], moves[-1]) == (256, "1: Ann 1 1 [1]", "256: Bob 16 16 [2048]")


def test_a_stopped_bot_has_its_moves_made_and_its_end_noted(
    pdcheck: Pdcheck, make: Make, tmp_path: Path
) -> None:
    said = pdcheck("match", *GAME, "--transcript", "m.json", "Ann", make(TAKEN), "Bob", "house:corner")
    assert said.status == 0
    assert "Ann: VA-5" in said.err
    assert "stopped: Ann" in said.err
    events = json.loads((tmp_path / "m.json").read_text())["events"]
    ended = next(at for at, event in enumerate(events) if event["kind"] == "over")
    [gone] = [event for event in events if event["kind"] == "exit"]
    assert gone["status"] == 0
    assert sum(e["kind"] == "note" and e["text"] == "eof" for e in events) == 1
    assert sum(e["kind"] == "ruling" and e["outcome"] == "replaced" for e in events[:ended]) == 123


@pytest.mark.usefixtures("token")
def test_one_that_will_not_go_is_gone_while_the_match_goes_on(
    gear: ModuleType, token: str, script: Callable[..., Path], make: Make, tmp_path: Path
) -> None:
    # The other side goes on only when the stopped one is gone: were it left there, this match would not end.
    stubborn = f"""
import os, sys, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open("pid", "w").write(str(os.getpid()))
sys.stdin.readline()
print("Stubborn", flush=True)
print("0 0", flush=True)
while True: pass  # {token}
"""
    waits = """
def fault():
    while made == 1 and os.path.exists("/proc/" + open("pid").read()): time.sleep(0.01)
"""
    first = script("stubborn", stubborn)
    done = gear.kit("match", *GAME, "--transcript", "m.json", "A", first, "B", make(waits), cwd=tmp_path)
    assert done.returncode == 0
    assert "stopped: A" in done.stderr
    assert "stopped: B" not in done.stderr
    assert not gear.alive(int((tmp_path / "pid").read_text()))
    events = json.loads((tmp_path / "m.json").read_text())["events"]
    statuses = {event["seat"]: event["status"] for event in events if event["kind"] == "exit"}
    assert statuses == {0: -9, 1: 0}
    over = next(event["t"] for event in events if event["kind"] == "over")
    assert next(e["t"] for e in events if e["kind"] == "exit" and e["seat"] == 0) < over


def test_a_match_is_judged_and_played_again(pdcheck: Pdcheck, make: Make, tmp_path: Path) -> None:
    bot = make(TAKEN)
    pdcheck("match", *GAME, "--transcript", "m.json", "Ann", "house:settler", "Bob", bot)
    judged = pdcheck("judge", "m.json")
    assert (judged.status, judged.out.splitlines()[0].split()[0]) == (1, "VA-5")
    replayed = pdcheck("replay", "m.json")
    assert (replayed.status, replayed.out.splitlines()[0].split()[0]) == (1, "VA-5")
    os.replace(make(""), bot)
    mended = pdcheck("replay", "m.json")
    assert (mended.status, "conforms" in mended.out) == (0, True)


def test_the_catalogue_and_the_rules_answer_for_it(pdcheck: Pdcheck) -> None:
    assert pdcheck("explain", "va-5").out.startswith("VA-5 (MUST) claims a free cell")
    assert "VA-12" in pdcheck("requirements", *GAME).out
    legal = json.loads(pdcheck("legal", "valtapeli", "--state", '{"moves": ["1 1"]}', "--play", '"1 1"').out)
    assert (legal["legal"], legal["breaks"]) == (False, "VA-5")
