"""A closer look, with runs that are made up: what is played, and when that ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future

import pytest
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.repeats.closer import MORE, SPARE, Closer
from pdcheck.conformance.repeats.conditions import ALL, CONDITIONS, HELD, PLAIN, VARIED, under
from pdcheck.conformance.repeats.settle import settle
from pdcheck.conformance.repeats.talk import Talk
from pdcheck.scenarios.pack import Said

PACK = load_pack("valtapeli")
assert PACK.repeats
FIRST = Case("repeats/repeat-1/plain", "repeats", PACK.repeats.matches(0, 1, 40)[0], repeats=PLAIN)
Play = Callable[[str, int], str]
"""What a bot moves under a condition in so many runs before."""


class Bot:
    """A made-up bot: `move(condition, run)` is its only move; every case it was asked for is kept."""

    def __init__(self, move: Play) -> None:
        self.move = move
        self.cases: list[Case] = []

    def play(self, case: Case) -> CaseResult:
        talk = Talk(
            0, (Said(0, "move", self.move(case.repeats, len(self.cases))),), name="Bot", names=("us", "them")
        )
        self.cases.append(case)
        return CaseResult(case.id, talk=talk)

    def submit(self, case: Case) -> Future[CaseResult]:
        future: Future[CaseResult] = Future()
        future.set_result(self.play(case))
        return future

    def settled(self, *conditions: str, missing: frozenset[str] = frozenset(), seconds: float = 60.0) -> str:
        """Play these conditions, settle; the case and the start of the cause of the finding, "" without one."""
        cases = [under(FIRST, condition) for condition in conditions]
        results = [self.play(case) for case in cases]
        self.cases.clear()
        closer = Closer(self.submit, 2, time.monotonic() + seconds, missing)
        settled = settle(results, {case.id: case for case in cases}, PACK, {}, closer)
        known = {case.id for case in (*cases, *settled.more)}
        found = [finding for result in settled.results for finding in result.findings]
        assert len(found) < 2
        assert all(finding.case in known for finding in found), "a finding without its case"
        return f"{found[0].case}: {found[0].cause}" if found else ""

    def played(self) -> list[str]:
        return [case.repeats for case in self.cases]


def test_a_bot_that_plays_the_same_way_is_not_looked_at_closer() -> None:
    bot = Bot(lambda *_: "1 1")
    assert bot.settled("plain", "again", "together") == ""
    assert bot.cases == []


@pytest.mark.parametrize("row", VARIED, ids=lambda row: row.name)
def test_each_change_is_found_when_all_of_them_showed_something(row: object) -> None:
    name = row.name  # type: ignore[attr-defined]
    bot = Bot(lambda condition, _: "2 2" if condition in (name, ALL.name) else "1 1")
    told = bot.settled("plain", "again", "together")
    assert told.startswith(f"repeats/repeat-1/{name}: {CONDITIONS[name].cause}")
    assert bot.played().count(name) == 1 + MORE
    assert set(bot.played()) == {"again", *(other.name for other in VARIED)}


def test_what_only_all_of_them_do_is_played_again_together() -> None:
    bot = Bot(lambda condition, _: "2 2" if condition == ALL.name else "1 1")
    told = bot.settled("plain", "again", *(row.name for row in VARIED), "together")
    assert told.startswith(f"repeats/repeat-1/together: {ALL.cause}")
    assert bot.played() == ["again"] * MORE + [ALL.name] * MORE


def test_what_differs_by_itself_is_tried_with_each_thing_held() -> None:
    bot = Bot(
        lambda condition, run: {"held-hash": "3 3", "other-hash": "4 4"}.get(condition, f"1 {run % 16 + 1}")
    )
    told = bot.settled("plain", "again")
    assert told.startswith(f"repeats/repeat-1/again: {CONDITIONS['held-hash'].cause}")
    assert {row.name for row in HELD} <= set(bot.played())


def test_what_was_held_in_vain_is_told() -> None:
    told = Bot(lambda _, run: f"1 {run % 16 + 1}").settled(
        "plain", "again", missing=frozenset(["held-clock"])
    )
    assert told.startswith(f"repeats/repeat-1/again: {CONDITIONS['again'].cause}")
    assert "\nand with PYTHONHASHSEED held, with addresses held: most likely it is none of these" in told
    found = Bot(lambda name, run: {"held-hash": "3 3", "other-hash": "4 4"}.get(name, f"1 {run % 16 + 1}"))
    assert "none of these" not in found.settled("plain", "again")


def test_the_game_has_the_words_for_what_is_ordered() -> None:
    assert PACK.repeats
    rows = [row for row in CONDITIONS.values() if row.about]
    assert {row.name for row in rows} == {"addresses", "held-addresses", "held-hash"}
    assert {row.about for row in rows} == set(PACK.repeats.hints)
    assert not [row.name for row in CONDITIONS.values() if "cell" in row.cause + row.remedy]


def test_what_cannot_be_held_here_is_not_tried() -> None:
    bot = Bot(lambda _, run: f"1 {run % 16 + 1}")
    missing = frozenset(row.name for row in HELD)
    assert bot.settled("plain", "again", missing=missing).startswith(
        f"repeats/repeat-1/again: {CONDITIONS['again'].cause}"
    )
    assert bot.played() == ["again"] * MORE


def test_when_the_time_is_over_what_is_known_is_told() -> None:
    bot = Bot(lambda condition, _: "2 2" if condition == "folder" else "1 1")
    told = bot.settled("plain", "again", "folder", seconds=-1.0)
    assert told.startswith(f"repeats/repeat-1/folder: {CONDITIONS['folder'].cause}")
    assert bot.cases == []


class Later(Future[CaseResult]):
    """Is played when it is asked for its result."""

    def __init__(self, bot: Bot, case: Case, at_work: list[str]) -> None:
        super().__init__()
        self.bot, self.case, self.at_work = bot, case, at_work
        at_work.append(case.id)

    def result(self, timeout: float | None = None) -> CaseResult:
        del timeout
        self.at_work.remove(self.case.id)
        return self.bot.play(self.case)


def by_window(window: int, move: Play) -> tuple[list[str], int, str]:
    """What is played, how many at once at most, and what is told."""
    bot, at_work, most = Bot(move), list[str](), [0]

    def submit(case: Case) -> Future[CaseResult]:
        future = Later(bot, case, at_work)
        most[0] = max(most[0], len(at_work))
        if case.alone:
            assert len(at_work) == 1, "it shares a core with a busy process: nothing may run beside it"
        return future

    cases = [under(FIRST, condition) for condition in ("plain", "again", "together")]
    results = [bot.play(case) for case in cases]
    bot.cases.clear()
    closer = Closer(submit, window, time.monotonic() + 60, frozenset())
    settled = settle(results, {case.id: case for case in cases}, PACK, {}, closer)
    told = next(finding for result in settled.results for finding in result.findings)
    assert not at_work
    return bot.played(), most[0], f"{told.case}: {told.cause}"


@pytest.mark.parametrize("differs", ["load", "folder", "again"])
def test_one_at_a_time_plays_and_tells_the_same_as_several(differs: str) -> None:
    def move(condition: str, run: int) -> str:
        if differs == "again":
            return f"1 {run % 16 + 1}"
        return "2 2" if condition in (differs, ALL.name) else "1 1"

    one, several = by_window(1, move), by_window(4, move)
    assert (one[0], one[2]) == (several[0], several[2])
    assert (one[1], several[1]) == (1, 4)


def test_the_match_is_cut_to_the_moves_that_differ() -> None:
    bot = Bot(lambda condition, _: "2 2" if condition == "folder" else "1 1")
    bot.settled("plain", "again", "folder")
    assert {case.scenario.turns for case in bot.cases} == {1 + SPARE}
    assert {case.scenario.ending for case in bot.cases} == {"eof"}
    assert len({case.id for case in bot.cases}) == len(bot.cases)


def test_an_interrupt_ends_the_look_and_what_is_known_is_told() -> None:
    def move(condition: str, run: int) -> str:
        if condition == "clock":
            raise KeyboardInterrupt
        return "2 2" if condition in ("together", "late") else "1 1"

    bot = Bot(move)
    cases = [under(FIRST, condition) for condition in ("plain", "again", "together")]
    results = [bot.play(case) for case in cases]
    closer = Closer(bot.submit, 1, time.monotonic() + 60, frozenset())
    settled = settle(results, {case.id: case for case in cases}, PACK, {}, closer)
    assert closer.interrupted
    (finding,) = [finding for result in settled.results for finding in result.findings]
    assert finding.case == "repeats/repeat-1/late"


def test_a_run_the_kit_failed_in_is_no_evidence() -> None:
    bot = Bot(lambda condition, _: "2 2" if condition == "again" else "1 1")
    results = [bot.play(FIRST), CaseResult("repeats/repeat-1/again", trouble="Traceback", talk=Talk(0, ()))]
    cases = {FIRST.id: FIRST, "repeats/repeat-1/again": under(FIRST, "again")}
    settled = settle(results, cases, PACK, {}, Closer(bot.submit, 1, 0.0, frozenset()))
    assert settled.account.runs == 0
    assert not any(result.findings for result in settled.results)
    assert PACK.repeats
    assert not any(PACK.repeats.same in result.covered for result in settled.results)
