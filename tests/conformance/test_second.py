"""Second looks: which there are, by what came of the first one. No bot and no process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pdcheck.conformance import second
from pdcheck.conformance.case import Case
from pdcheck.conformance.diagnosis import UNFLUSHED
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.story import Story
from pdcheck.referee.catalogue import Level

PACK = load_pack("prime-daihinmin")
BASIC = [scenario for scenario in PACK.scenarios() if scenario.name in PACK.basic]
LIMIT = 10.0


def case(number: int = 0, section: str = "basic") -> Case:
    return Case("it", section, BASIC[number])


def broke(breakdown: str = "", *, timed: bool = False, level: Level = Level.MUST) -> CaseResult:
    return CaseResult("it", [Finding("IO-1", level, "", "", "", breakdown=breakdown, timed=timed)])


GOOD = CaseResult("it")


def looked(first: CaseResult, of: Case, works: str = "") -> tuple[list[str], list[Case], Mapping[str, Any]]:
    """The names of the looks, the cases they ran, and all their values; the bot `works` in the one named."""
    ran: list[Case] = []

    def run(other: Case) -> tuple[CaseResult, Story]:
        ran.append(other)
        setting = other.setting
        where = "terminal" if setting.terminal else "term" if "TERM" in setting.changes else "again"
        return GOOD if where == works else first, Story()

    seen = list(second.looks(of, first, PACK, LIMIT, run))
    return [name for name, _ in seen], ran, dict(seen)


@pytest.mark.parametrize(
    ("breakdown", "timed", "works", "names"),
    [
        ("died 1 KeyError", False, "", ["again", "term", "terminal"]),
        ("died 1 KeyError", False, "term", ["again", "term"]),
        ("died 1 KeyError", False, "again", ["again"]),
        ("died -9 ", True, "again", ["again"]),
        ("silent: init", False, "terminal", ["again", "term", "terminal"]),
        ("silent: init", True, "", ["terminal"]),
        (UNFLUSHED, False, "terminal", ["terminal"]),
        (UNFLUSHED, False, "", ["terminal", "together", "more"]),
        ("", True, "", ["terminal"]),
        ("lost step IO-2", False, "", []),
        ("", False, "", []),
    ],
)
def test_what_is_looked_at_again(breakdown: str, timed: bool, works: str, names: list[str]) -> None:
    assert looked(broke(breakdown, timed=timed), case(), works)[0] == names


def test_only_ordinary_cases_are_and_no_look_is_looked_at_itself() -> None:
    died = broke("died 1 ")
    assert looked(died, case(section="generated"))[0] == []
    _, ran, _ = looked(died, case())
    assert [looked(died, other)[0] for other in ran if other.setting.terminal] == [[]]
    assert looked(broke("died 1 ", level=Level.INFO), case())[0] == []


def test_a_busy_bot_gets_more_time_and_only_once() -> None:
    slow = broke(timed=True)
    (name,), (ran,), values = looked(slow, case(0), "terminal")
    assert (name, ran.setting.terminal, ran.setting.patience) == ("terminal", True, second.PATIENCE)
    assert values["terminal"]["works"]
    assert values["terminal"]["patience"] == second.PATIENCE
    assert looked(slow, case(1))[0] == []


def test_one_that_may_only_be_slow_is_waited_for_briefly() -> None:
    _, (ran,), values = looked(broke("silent: init", timed=True), case())
    assert LIMIT * (1 + ran.setting.patience) == pytest.approx(second.BRIEF)
    assert "patience" not in values["terminal"]


def test_a_look_that_cannot_be_had_says_so() -> None:
    def run(_: Case) -> tuple[CaseResult, Story]:
        raise OSError("out of pty devices")

    seen = dict(second.looks(case(), broke(UNFLUSHED), PACK, LIMIT, run))
    assert seen["terminal"] == {"lacks": "out of pty devices"}
