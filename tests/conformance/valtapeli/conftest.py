"""Bots for Valtapeli, made on the spot out of a good one, and one case of a check at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pdcheck.conformance import control
from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.checks import all_cases
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.terms import Terms
from pdcheck.conformance.work import work
from pdcheck.scenarios.pack import GamePack

GOOD = """
import os, sys, time
taken, made = set(), 0
def say(text):
    sys.stdout.write(text + "\\n")
    sys.stdout.flush()
def fault():
    '''Before each move.'''
def answer(cell):
    say(f"{cell // 16 + 1} {cell % 16 + 1}")
def move():
    global made
    fault()
    made += 1
    cell = next(cell for cell in range(256) if cell not in taken)
    taken.add(cell)
    answer(cell)
def hear():
    line = sys.stdin.readline()
    if not line.endswith("\\n"):
        sys.exit()
    row, column = map(int, line.split())
    taken.add(row * 16 + column - 17)
def play(number):
    for _ in range(128):
        if number == 1: move()
        hear()
        if number == 2: move()
def name():
    say("Tester")
def end():
    '''After the last line.'''
#FAULT
number = int(sys.stdin.readline() or sys.exit())
name()
play(number)
end()
"""
BURN = """
def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until: pass
"""

Make = Callable[[str], Path]
Check = Callable[..., CaseResult]


@pytest.fixture
def make(script: Callable[..., Path]) -> Make:
    """`make(fault)`: a good bot with some of its functions replaced."""

    def made(fault: str = "") -> Path:
        return script("bot", GOOD.replace("#FAULT", BURN + fault))

    return made


@pytest.fixture(scope="session")
def pack() -> GamePack:
    """The game."""
    return load_pack("valtapeli")


@pytest.fixture(scope="session")
def cases(pack: GamePack) -> dict[str, Case]:
    """The cases of a quick check, by their IDs."""
    return {case.id: case for case in all_cases(pack, "quick", 0)}


@pytest.fixture
def check(make: Make, cases: dict[str, Case], pack: GamePack, tmp_path: Path) -> Check:
    """`check(fault, case, time=None)`: run one case, or the one of this ID, with such a bot and judge it."""

    def run(
        fault: str, case: str | Case = "basic/plays-on", time: float | None = None, of: GamePack = pack
    ) -> CaseResult:
        bot: Bot = read_bot([str(make(fault))])
        terms = Terms(bot, of, of.default_rules, time, str(tmp_path / "scratch"))
        with control.beside() as machine:  # it may be busy with other tests
            if machine:
                machine.wait()
            result = work(terms, case if isinstance(case, Case) else cases[case])
        assert not result.trouble
        return result

    return run
