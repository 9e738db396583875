"""`pdcheck play` without a terminal: plain lines, exit statuses, transcripts and usage errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck import schemas
from pdcheck.conformance.transcript import Transcript
from pdcheck.scenarios.valtapeli import pack as valtapeli

ALL = [f"{row} {column}\n" for row in range(1, 17) for column in range(1, 17)]


def outcomes(file: Path, seat: int) -> list[str]:
    log = json.loads(file.read_text())
    schemas.validator("transcript").validate(log)
    Transcript.from_json(file.read_bytes())
    rulings = [event for event in log["events"] if event["kind"] == "ruling" and event["seat"] == seat]
    return [ruling["outcome"] for ruling in rulings]


def test_a_whole_match_through_a_pipe(gear: ModuleType, tmp_path: Path) -> None:
    # The other takes the last free cells: half of the board is the person's, row by row.
    done = gear.kit(
        "play",
        "valtapeli",
        "human",
        "house:mirror",
        "--transcript",
        "t.json",
        cwd=tmp_path,
        stdin="".join(ALL[:128]),
    )
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "255: human 8 16 [16,384]" in done.stdout
    assert done.stdout.endswith("human scores 16,384 against mirror: 128²\n")
    assert outcomes(tmp_path / "t.json", 0) == ["name", *["move"] * 128]
    log = json.loads((tmp_path / "t.json").read_text())
    assert [(seat["name"], seat["kind"]) for seat in log["seats"]] == [
        ("human", "opponent"),
        ("mirror", "house"),
    ]


def test_wrong_input_is_asked_again_and_the_end_of_it_is_told(gear: ModuleType, tmp_path: Path) -> None:
    typed = "0 0\nx\nh\n?\n1 1\n1 1\nu\n2 2\n"
    done = gear.kit(
        "play", "valtapeli", "human", "house:mirror", "--transcript", "t.json", cwd=tmp_path, stdin=typed
    )
    assert done.returncode == 130
    assert done.stderr == (
        "pdcheck: the match was not played to its end: the input ended; what was played is in t.json\n"
    )
    for part in ("VA-4: «0 0»", "VA-4: «x»", "greedy would play ", "To move,", "VA-5: 1 1", "taken back"):
        assert part in done.stdout
    assert outcomes(tmp_path / "t.json", 0) == ["name", "move"]


def test_a_bot_is_stopped_and_the_match_goes_on(
    gear: ModuleType, script: Callable[..., Path], tmp_path: Path, pdcheck: Callable[..., Any]
) -> None:
    bot = script("dies", "input(); print('Dies', flush=True); input()")
    done = gear.kit(
        "play",
        "valtapeli",
        "human",
        bot,
        "--transcript",
        "t.json",
        cwd=tmp_path,
        stdin="".join(reversed(ALL)),
    )
    assert done.returncode == 0, done.stderr
    assert "! dies is stopped for IO-1" in done.stdout
    assert done.stdout.endswith("dies was stopped\n")
    assert outcomes(tmp_path / "t.json", 1).count("replaced") == 128
    judged = pdcheck("judge", "t.json")
    assert judged.status == 1, "the transcript is one of a match; of its seats only the bot's is judged"
    assert "dies" in judged.out


@pytest.mark.full
def test_prime_daihinmin_to_its_end(gear: ModuleType, tmp_path: Path) -> None:
    words = ("play", "prime-daihinmin", "house:steady", "human", "house:cutter", "--seed", "4")
    typed = "12\nh\n" + "p\n" * 2000
    done = gear.kit(*words, "--transcript", "t.json", cwd=tmp_path, stdin=typed)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "human passes and draws 5" in done.stdout
    assert set(outcomes(tmp_path / "t.json", 1)) == {"init", "pass", "quit"}


def test_the_same_seed_deals_the_same_hand(pdcheck: Callable[..., Any]) -> None:
    words = ("play", "prime-daihinmin", "human", "house:steady", "--seed")
    one, again, other = (pdcheck(*words, seed) for seed in ("7", "7", "8"))
    assert one.status == 130
    assert one.out == again.out != other.out
    assert "hand   0:" in one.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess", "human", "human"], "no game 'chess' is installed"),
        (["valtapeli"], "0 seats; valtapeli takes 2: each is human, house:NAME or a command"),
        (["valtapeli", "human"], "1 seat; valtapeli takes 2"),
        (["prime-daihinmin", "human"], "1 seat; prime-daihinmin takes 2 to 8"),
        (["valtapeli", "human", "house:nobody"], "no house player 'nobody'"),
        (["valtapeli", "human", "./none"], "./none: no such program"),
        (["valtapeli", "human", "x '"], "the bot's command"),
        (["valtapeli", "human", "human", "--rules", "other"], "--rules other: valtapeli has published"),
        (["valtapeli", "human", "human", "--transcript", "no/where"], "--transcript no/where"),
        (["valtapeli", "human", "human", "--transcript", "-"], "--transcript -: stdout holds the board"),
        (["valtapeli", "human", "human", "--time", "inf"], "--time inf"),
    ],
)
def test_usage_errors_are_one_line(pdcheck: Callable[..., Any], words: list[str], told: str) -> None:
    said = pdcheck("play", *words)
    assert said.status == 2
    assert told in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_game_without_a_board_for_people(
    pdcheck: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(valtapeli, "PACK", replace(valtapeli.PACK, seatview=None))
    said = pdcheck("play", "valtapeli", "human", "human")
    assert (said.status, said.out) == (2, "")
    assert said.err == ("pdcheck: valtapeli has no board for people: see `pdcheck match --game valtapeli`\n")


def test_names_at_the_board(pdcheck: Callable[..., Any], script: Callable[..., Path], tmp_path: Path) -> None:
    script("one.py", "import signal; signal.pause()")
    words = ["python3 one.py", "./one.py", "human", "human", "house:chaos", "house:chaos"]
    said = pdcheck("play", "prime-daihinmin", *words, "--time", "0.2", "--transcript", "t.json")
    assert said.status == 130
    log = json.loads((tmp_path / "t.json").read_text())
    assert [seat["name"] for seat in log["seats"]] == ["one", "one2", "human1", "human2", "chaos", "chaos2"]
    assert outcomes(tmp_path / "t.json", 0) == ["out"]
