"""`pdcheck play` on a real pseudo-terminal: whole matches, keys, undo, sizes, and how the terminal is left."""

from __future__ import annotations

import json
import os
import signal
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck import schemas

Sit = Callable[..., Any]
"""The fixture `sit`: gives a `Sitting` (`type`, `sees`, `until`, `ends`, `glass`)."""

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1bOD"
"""Terminals send either of two forms."""
COLOURS = {"38", "48", *map(str, range(30, 38)), *map(str, range(40, 48))}

PASSES = """
import os, sys, time
for line in sys.stdin:
    action = line.split('"')[3]
    {}
    print('{{"action": "pass"}}' if action == "play" else "", flush=True)
"""
WAITS = PASSES.format("while action == 'play' and not os.path.exists('FILE'): time.sleep(0.02)")
"""A bot that does not answer before there is a file."""
LATE = PASSES.format("") + "    if action == 'quit': break\ntime.sleep(0.3)\nprint('good game', flush=True)\n"
"""A bot that says something a little after its answer to `quit`."""


def rulings(file: Path, seat: int) -> list[str]:
    """The moves of a seat in a transcript, which has to be a valid one."""
    log = json.loads(file.read_text())
    schemas.validator("transcript").validate(log)
    return [
        event["what"]
        for event in log["events"]
        if event["kind"] == "ruling" and event["seat"] == seat and event["outcome"] == "move"
    ]


def cell(sitting: Any, row: int, column: int) -> str:
    """The three columns of a cell as they are on the screen."""
    at = 3 * column
    return str(sitting.glass.row(row).ljust(80)[at : at + 3])


def is_as_before(sitting: Any) -> bool:
    """Whether the terminal's modes are those from before."""
    return bool(termios.tcgetattr(sitting.child.child_fd) == sitting.mode)


# --- whole matches ------------------------------------------------------------------------------------------


def test_a_whole_match_by_coordinates(sit: Sit, last_cells: Path, tmp_path: Path) -> None:
    sitting = sit("valtapeli", "human", last_cells, "--transcript", "t.json")
    sitting.sees("human>")
    assert not is_as_before(sitting), "keys come one by one, without echo"
    sitting.type("1 1\r")
    sitting.sees("last: last-cells 16 16")
    assert cell(sitting, 1, 1) == " A "
    assert cell(sitting, 16, 16) == "[#]"
    assert "move 3 of 256" in sitting.glass.row(0)
    assert "2 # last-cells" in sitting.glass.row(2)
    mine = [f"{row} {column}" for row in range(1, 9) for column in range(1, 17)]
    sitting.type("".join(f"{move}\r" for move in mine[1:]))
    assert sitting.ends() == 0
    assert "human scores 16,384 against last-cells: 128²" in sitting.glass.usual
    assert not sitting.glass.alternate
    assert rulings(tmp_path / "t.json", 0) == mine
    assert len(rulings(tmp_path / "t.json", 1)) == 128


@pytest.mark.full
def test_the_second_seat_waits_for_a_bot_and_has_the_last_move(sit: Sit, last_cells: Path) -> None:
    sitting = sit("valtapeli", last_cells, "human")
    sitting.sees("last: last-cells 16 16")
    mine = [f"{row} {column}" for row in range(1, 9) for column in range(1, 17)]
    sitting.type("".join(f"{move}\r" for move in mine))
    assert sitting.ends() == 0
    assert "last-cells scores 16,384 against human" in sitting.glass.usual


@pytest.mark.full
def test_bots_alone_and_the_end_stays_to_be_seen(sit: Sit) -> None:
    sitting = sit("valtapeli", "house:greedy", "house:mirror")
    assert sitting.ends() == 0
    assert "move 256 of 256" in sitting.glass.usual
    assert "greedy scores" in sitting.glass.usual


# --- keys ---------------------------------------------------------------------------------------------------


def test_cursor_keys_point_and_enter_claims(sit: Sit) -> None:
    sitting = sit("valtapeli", "human", "house:mirror")
    sitting.sees("human>")
    sitting.type(UP)
    sitting.until(lambda _: cell(sitting, 9, 9) == ">.<", "the pointer shows in the middle")
    sitting.type(UP + RIGHT)
    sitting.until(lambda _: cell(sitting, 8, 10) == ">.<", "the pointer has moved")
    sitting.type(DOWN + LEFT + LEFT + "\r")
    sitting.sees("last: mirror 8 9")
    assert cell(sitting, 9, 8)[1] == "A"
    sitting.type("\r")
    sitting.sees("VA-4: an empty line")
    assert "move 3 of 256" in sitting.glass.row(0), "an Enter too many moves nothing"
    # Past an edge it comes in on the other side.
    sitting.type(UP * 9 + LEFT * 8 + "\r")
    sitting.until(lambda _: cell(sitting, 16, 16)[1] == "B", "the cell past both edges is claimed")


def test_typing_can_be_mended(sit: Sit) -> None:
    sitting = sit("valtapeli", "human", "house:first-free")
    sitting.type("77\x15" + "8 9x\x7f")
    sitting.until(lambda glass: glass.row(-1) == "human> 8 9", "what is typed is shown")
    sitting.type("\r")
    sitting.sees("1: human 8 9")


def test_wrong_moves_are_asked_again_with_their_rule(sit: Sit) -> None:
    sitting = sit("valtapeli", "human", "house:first-free")
    for typed, told in [
        ("0 3", "VA-4: «0 3»: no row 0 on the board"),
        ("five", "VA-4: «five» (1 part)"),
        ("1 17", "VA-4: «1 17»: no column 17 on the board"),
    ]:
        sitting.type(f"{typed}\r")
        sitting.sees(told)
    sitting.type("16 16\r")
    sitting.sees("2: first-free 1 1")
    sitting.type("1 1\r")
    sitting.sees("VA-5: 1 1, which first-free has claimed; expected a free cell")
    sitting.type("16 15\r")
    sitting.sees("4: first-free 1 2")


def test_hint_help_and_quit(sit: Sit) -> None:
    sitting = sit("valtapeli", "human", "house:first-free")
    sitting.type("8 8\r?\r")
    sitting.sees("To move, point with the arrow keys")
    sitting.type("h\r")
    sitting.sees("greedy would play 8 9 (player 1 gains 3); any of the 254 free cells")
    assert cell(sitting, 8, 9) == "?.?"
    sitting.type("q\r")
    assert sitting.ends() == 130
    assert is_as_before(sitting)
    assert "the match was not played to its end: quit" in sitting.glass.usual


# --- undo ---------------------------------------------------------------------------------------------------


def test_undo_takes_back_both_last_moves(sit: Sit, tmp_path: Path) -> None:
    sitting = sit("valtapeli", "human", "house:chaos", "--seed", "3", "--transcript", "t.json")
    sitting.sees("human>")
    sitting.type("8 8\r")
    sitting.sees("move 3 of 256")
    after_one = str(sitting.glass).split("\n")[:17]
    sitting.type("8 9\r")
    sitting.sees("move 5 of 256")
    sitting.type("u\r")
    sitting.sees("The last move is taken back.")
    sitting.sees("move 3 of 256")
    assert str(sitting.glass).split("\n")[:17] == after_one, "the other plays as it did before"
    sitting.type("u\ru\r")
    sitting.sees("There is nothing to take back.")
    sitting.type("9 9\rq\r")
    assert sitting.ends() == 130
    assert rulings(tmp_path / "t.json", 0) == ["9 9"]


@pytest.mark.full
def test_nothing_is_taken_back_from_a_program(sit: Sit, last_cells: Path) -> None:
    sitting = sit("valtapeli", "human", last_cells)
    sitting.type("1 1\ru\r")
    sitting.sees("Nothing can be taken back: last-cells is a program")
    assert "move 3 of 256" in sitting.glass.row(0)


@pytest.mark.full
def test_two_people_take_back_one_move_at_a_time(sit: Sit) -> None:
    sitting = sit("valtapeli", "human", "human")
    sitting.type("1 1\r")
    sitting.sees("human2>")
    sitting.type("2 2\r")
    sitting.sees("move 3 of 256")
    sitting.type("u\r")
    sitting.sees("move 2 of 256")
    sitting.sees("human2>")


# --- how it is left -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.full),
        pytest.param(signal.SIGHUP, marks=pytest.mark.full),
        "\x1c",
        pytest.param("\x03\x03\x1c", marks=pytest.mark.full),
    ],
)
def test_interrupted(
    sit: Sit, last_cells: Path, tmp_path: Path, gear: ModuleType, token: str, number: signal.Signals | str
) -> None:
    sitting = sit("valtapeli", "human", f"{last_cells} {token}", "--transcript", "t.json")
    sitting.type("1 1\r")
    sitting.sees("move 3 of 256")
    assert sitting.glass.alternate
    if isinstance(number, str):
        sitting.type(number)
    elif number == signal.SIGINT:
        sitting.type("\x03")
    else:
        os.kill(sitting.child.pid, number)
    assert sitting.ends() == 130
    assert is_as_before(sitting)
    assert not sitting.glass.alternate
    assert "interrupted; what was played is in t.json" in sitting.glass.usual
    assert rulings(tmp_path / "t.json", 0) == ["1 1"]


@pytest.mark.full
def test_a_pause_gives_the_terminal_to_the_shell_and_takes_it_again(
    glass: ModuleType, needs: Callable[[str], str], tmp_path: Path
) -> None:
    with glass.Shell(needs("bash"), cwd=tmp_path) as shell:
        usual = shell.modes()
        shell.type(f"{sys.executable} -m pdcheck.conformance play valtapeli human house:mirror\r")
        shell.sees("human>")
        shell.type("1 1\r")
        shell.sees("move 3 of 256")
        playing = shell.modes()
        assert playing != usual
        shell.type("\x1a")
        shell.until(lambda seen: "Stopped" in seen.usual, "the shell is back")
        assert not shell.glass.alternate
        shell.type("fg\r")
        shell.until(lambda seen: seen.alternate and "move 3 of 256" in str(seen), "it is drawn again")
        assert shell.modes() == playing
        shell.type("2 2\r")
        shell.sees("move 5 of 256")
        shell.type("q\r")
        shell.until(lambda seen: "not played to its end: quit" in seen.usual, "it has ended")
        shell.type("exit\r")
        shell.ends()


@pytest.mark.full
def test_in_the_background_the_terminal_is_the_shells(
    glass: ModuleType, needs: Callable[[str], str], tmp_path: Path
) -> None:
    with glass.Shell(needs("bash"), cwd=tmp_path) as shell:
        usual = shell.modes()
        shell.type(f"{sys.executable} -m pdcheck.conformance play valtapeli human house:mirror\r")
        shell.sees("human>")
        shell.type("\x1a")
        shell.until(lambda seen: "Stopped" in seen.usual, "the shell is back")
        # In the background it stops again, and takes nothing of what the shell does to the terminal meanwhile.
        waits = "until jobs | grep -q Stopped; do sleep 0.05; done"
        shell.type(f"stty -echo; bg; {waits}; echo still $((1 + 1)); stty echo; fg\r")
        shell.until(lambda seen: "still 2" in seen.usual, "it waits in the background")
        shell.until(lambda seen: seen.alternate and "human>" in str(seen), "it is drawn again")
        shell.type("q\r")
        shell.until(lambda seen: "not played to its end: quit" in seen.usual, "it has ended")
        assert shell.modes() == usual
        shell.type("exit\r")
        shell.ends()


@pytest.mark.full
def test_a_pause_is_not_the_bots_time(
    glass: ModuleType, needs: Callable[[str], str], script: Callable[..., Path], tmp_path: Path
) -> None:
    script("waits", WAITS.replace("FILE", str(tmp_path / "now")))
    with glass.Shell(needs("bash"), cwd=tmp_path) as shell:
        words = "play prime-daihinmin ./waits human --seed 5 --time 5"
        shell.type(f"{sys.executable} -m pdcheck.conformance {words}\r")
        shell.sees("waiting for waits")
        shell.type("\x1a")
        shell.until(lambda seen: "Stopped" in seen.usual, "the shell is back")
        shell.type("sleep 6; touch now; fg\r")
        shell.until(lambda seen: "waits passes" in str(seen) or "is out" in str(seen), "it has moved")
        assert "is out" not in str(shell.glass)
        shell.type("q\r")
        shell.until(lambda seen: "not played to its end: quit" in seen.usual, "it has ended")
        shell.type("exit\r")
        shell.ends()


@pytest.mark.full
def test_what_comes_after_the_end_is_not_drawn_over_the_shell(sit: Sit, script: Callable[..., Path]) -> None:
    sitting = sit("prime-daihinmin", script("late", LATE), "house:steady", "--seed", "5")
    assert sitting.ends() == 0
    assert not sitting.glass.alternate
    assert "late  2204 cards  OK" in sitting.glass.usual.rstrip().splitlines()[-1]


@pytest.mark.full
def test_the_kits_own_failure_gives_the_terminal_back(sit: Sit, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "from pdcheck.scenarios.valtapeli import characters\n"
        "def broken(board): raise RuntimeError('broken')\n"
        "characters.CHARACTERS['greedy'] = lambda _: broken\n"
    )
    path = f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    sitting = sit("valtapeli", "human", "house:greedy", env={"PYTHONPATH": path})
    sitting.type("1 1\r")
    assert sitting.ends() == 3
    assert is_as_before(sitting)
    assert not sitting.glass.alternate


@pytest.mark.full
def test_a_bot_that_breaks_a_rule_is_told_and_stopped(sit: Sit, script: Callable[..., Path]) -> None:
    bot = script("rude", "input(); print('Rude', flush=True); input(); print('99 99', flush=True); input()")
    sitting = sit("valtapeli", "human", bot)
    sitting.type("1 2\r")
    sitting.sees("rude is stopped for VA-4")
    sitting.until(lambda _: cell(sitting, 1, 1) == "[#]", "the first free cell is taken for it")
    sitting.type("5 5\r")
    sitting.sees("4: rude (stopped) 1 3")


# --- looks --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_without_colour_regions_are_told_by_letters(sit: Sit) -> None:
    coloured = sit("valtapeli", "human", "house:mirror")
    for sitting in (
        coloured,
        sit("valtapeli", "human", "house:mirror", "--no-color"),
        sit("valtapeli", "human", "house:mirror", env={"NO_COLOR": "1"}),
    ):
        sitting.type("1 1\r8 3\r8 4\r")
        sitting.sees("move 7 of 256")
        assert [cell(sitting, 1, 1), cell(sitting, 8, 3), cell(sitting, 8, 4)] == [" A ", " B ", " B "]
        assert bool(sitting.glass.codes & COLOURS) == (sitting is coloured)


@pytest.mark.parametrize(
    ("lines", "columns"),
    [
        pytest.param(24, 60, marks=pytest.mark.full),
        (24, 36),
        pytest.param(20, 36, marks=pytest.mark.full),
    ],
)
def test_a_narrow_terminal_still_has_the_board(sit: Sit, lines: int, columns: int) -> None:
    sitting = sit("valtapeli", "human", "house:mirror", size=(lines, columns))
    sitting.type("5 12\r")
    sitting.until(lambda glass: glass.row(12)[3 + 2 * 4 :][:2] == "#]", "the last move")
    assert sitting.glass.row(5)[3 + 2 * 11] == "A"
    sitting.until(lambda glass: glass.row(-1) == "human>", "the prompt")


@pytest.mark.full
def test_a_tiny_terminal_says_so_and_can_be_enlarged(sit: Sit) -> None:
    sitting = sit("valtapeli", "human", "house:mirror", size=(8, 30))
    sitting.type("5 12\r")
    sitting.sees("Too small: 35 columns")
    sitting.sees("human>")
    sitting.resize(24, 80)
    sitting.until(lambda _: cell(sitting, 5, 12) == " A ", "the board")
    sitting.until(lambda glass: glass.row(-1) == "human>", "the prompt in its new place")


@pytest.mark.full
def test_plain_lines_where_the_terminal_knows_no_codes(sit: Sit) -> None:
    sitting = sit("valtapeli", "human", "house:mirror", env={"TERM": "dumb"})
    sitting.type("5 12\nq\n")
    assert sitting.ends() == 130
    assert "2: mirror 12 5 [1]" in sitting.glass.usual
    assert not sitting.glass.codes


# --- cards --------------------------------------------------------------------------------------------------


def test_prime_daihinmin_hides_a_hand_from_the_other_person(sit: Sit) -> None:
    sitting = sit("prime-daihinmin", "human", "human", "--seed", "5")
    sitting.sees("human1, press Enter to see your hand")
    assert "hand  " not in str(sitting.glass)
    sitting.type("\r")
    sitting.sees("hand   0:")
    sitting.type("12\r")
    sitting.sees("PD-3.5: 12 is not prime (12 = 2 × 6)")
    sitting.type("h\r")
    sitting.sees("Legal, the smallest of them: 2  3  5  7  11")
    sitting.type("2\r")
    sitting.sees("human2, press Enter to see your hand")
    assert "hand  " not in str(sitting.glass)
    assert "Legal" not in str(sitting.glass), "one person's hints are not the other's"
    assert "human1            198 cards" in str(sitting.glass)
    sitting.type("\rp\r")
    sitting.sees("human2 passes and draws 5: 204 cards")


@pytest.mark.full
def test_prime_daihinmin_undo(sit: Sit) -> None:
    sitting = sit("prime-daihinmin", "human", "house:steady", "--seed", "5")
    sitting.type("2\r")
    sitting.sees("steady plays 3 (Mersenne: the field is cleared): 198 cards")
    sitting.type("u\r")
    sitting.sees("field  empty")
    sitting.sees("human             199 cards")
