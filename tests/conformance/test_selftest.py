"""The matrix of each game: good bots give no finding, each faulty bot is caught under its own requirement and no other
MUST."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.cli import main
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.repeats import clock
from pdcheck.conformance.selftest import coverage, matrix, programs
from pdcheck.conformance.selftest.ordeal import Ordeal
from pdcheck.conformance.selftest.programs import BuildError, Faulty, Good, Program, Workshop
from pdcheck.scenarios.pack import GamePack

GAMES = ("prime-daihinmin", "valtapeli")
PACKS = {game: load_pack(game) for game in GAMES}
FAULTY = {game: {faulty.name: faulty for faulty in matrix.faulty_bots(pack)} for game, pack in PACKS.items()}
GOOD = {game: {good.name: good for good in matrix.good_bots(pack)} for game, pack in PACKS.items()}
PACK = PACKS["prime-daihinmin"]
PAGES = {"prime-daihinmin": "requirements.md", "valtapeli": "requirements-valtapeli.md"}
LANGUAGES = {"Python", "C", "C++", "Java", "JavaScript"}
LEAST = {"prime-daihinmin": 150, "valtapeli": 120}
QUICK_GOOD = {"prime-daihinmin": ("steady", "tidy", "keeper"), "valtapeli": ("mason",)}
QUICK = {
    "prime-daihinmin": (
        "io-1-stillborn",
        "io-2-banner",
        "io-3-twice",
        "io-4-never-flushes",
        "io-5-debug-line",
        "io-6-bom",
        "js-1-two-objects",
        "pd-2.1-silent-init",
        "pd-2.4-strings",
        "pd-2.13-error",
        "pd-3.1-card-twice",
        "pd-3.3-counts-last-number",
        "pd-3.5-strong-2",
        "pd-3.6-leading-zero",
    ),
    "valtapeli": (
        "io-1-stillborn",
        "io-5-debug-line",
        "io-6-latin-1-name",
        "va-1-hyphen",
        "va-4-comma",
        "va-5-own-cell",
    ),
}
"""A few of each kind, for every run of the tests; all of them are tried in the full ones."""
SUBTLE = {
    "prime-daihinmin": (
        "io-1-dies-after-25-turns",
        "io-1-dies-with-26-zeros",
        "io-7-terminal-line",
        "io-7-buffer-65536",
        "io-8-pieces",
        "io-8-two-at-once",
        "pd-2.6-dies-when-short",
        "pd-2.9-forgets-draw",
        "pd-2.10-four-seats",
        "pd-2.12-1000-digits",
        "pd-2.12-64-bit",
        "pd-3.1-belphegor-25-zeros",
        "pd-3.2-long-mersenne",
        "pd-3.3-counts-last-number",
        "pd-3.3-mersenne-any-count",
        "pd-3.4-smaller-mersenne",
        "pd-3.5-2047-is-mersenne",
        "pd-3.5-64-bit",
        "pd-3.5-fermat-2",
        "pd-3.5-strong-2",
    ),
    "valtapeli": (
        "io-8-drops-the-rest",
        "va-2-by-letter-case",
        "va-2-by-pid",
        "va-3-moves-soon-as-second",
        "va-4-hexadecimal",
        "va-4-passes-late",
        "va-5-forgets-the-last-row",
        "va-5-mirrors",
        "va-5-swaps-row-and-column",
        "va-5-tires-after-100",
        "va-5-when-mirrored",
        "va-6-dies-at-end-of-input",
        "va-6-move-129",
        "va-7-in-a-child",
        "va-7-in-a-thread",
        "va-8-for-one-move",
        "va-8-in-a-child",
        "va-9-by-address",
        "va-9-by-order-of-a-set",
        "va-9-by-pace",
        "va-9-random",
        "va-9-searches-for-2-ms",
        "va-9-time-seeded",
        "va-10-last-cells-apart",
        "va-10-one-free-cell",
        "va-10-three-corners",
        "va-12-name-with-spaces",
    ),
}

STANDARD: Mapping[str, Iterable[str]] = {
    "prime-daihinmin": (),
    "valtapeli": ("va-10-one-free-cell",),
}
"""Those that are played through the standard profile, too."""


def named(
    table: Mapping[str, Iterable[str]], without: Mapping[str, Iterable[str]] | None = None
) -> list[Any]:
    """A parameter for each game and name of the table, but for those of the other one."""
    return [
        pytest.param(game, name, id=f"{game}-{name}")
        for game in GAMES
        for name in table[game]
        if name not in (without or {}).get(game, ())
    ]


def covered(game: str) -> list[Faulty]:
    """The faulty bots of what the kit has a check for."""
    return [f for f in FAULTY[game].values() if f.requirement not in PACKS[game].not_covered]


COVERED = {game: [faulty.name for faulty in covered(game)] for game in GAMES}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Where this process's bots are built."""
    return Workshop(tmp_path_factory.mktemp("bots"))


def need(program: Program, needs: Callable[[str], str]) -> None:
    """Ask for every tool of a program."""
    for tool in (*program.tools, *program.headers):
        if tool != programs.CLOCK:
            needs(tool)
        elif tool in program.lacks():
            needs("cc")


def check_good(pack: GamePack, good: Good, needs: Callable[[str], str], workshop: Workshop) -> None:
    need(good.program, needs)
    report = matrix.check(pack, workshop.bot(good), matrix.all_cases(pack.name, "quick"), "quick")
    assert [(row.requirement.id, row.findings) for row in report.rows if row.findings] == []
    assert report.troubles == []
    assert report.verdict == "conforms"
    assert {row.requirement.id for row in report.rows if row.status == "not-run"} == set(pack.not_covered)


@pytest.mark.parametrize(("game", "name"), named(QUICK_GOOD))
def test_good_bots_give_no_finding(
    game: str, name: str, needs: Callable[[str], str], workshop: Workshop
) -> None:
    check_good(PACKS[game], GOOD[game][name], needs, workshop)


@pytest.mark.full
@pytest.mark.parametrize(("game", "name"), named(GOOD, QUICK_GOOD))
def test_every_good_bot_gives_no_finding(
    game: str, name: str, needs: Callable[[str], str], workshop: Workshop
) -> None:
    check_good(PACKS[game], GOOD[game][name], needs, workshop)


@pytest.mark.parametrize(("game", "name"), named(QUICK))
def test_faulty_bots_are_caught_for_their_own_reason(game: str, name: str) -> None:
    cell = matrix.judge_faulty(PACKS[game], FAULTY[game][name])
    assert cell.caught, cell


@pytest.mark.full
@pytest.mark.parametrize(("game", "name"), named(COVERED, QUICK))
def test_every_faulty_bot_is_caught_for_its_own_reason(
    game: str, name: str, needs: Callable[[str], str], workshop: Workshop
) -> None:
    faulty = FAULTY[game][name]
    need(faulty.program, needs)
    cell = matrix.judge_faulty(PACKS[game], faulty, workshop=workshop)
    assert cell.caught, cell


@pytest.mark.full
@pytest.mark.parametrize(("game", "name"), named(STANDARD))
def test_more_cases_of_other_things_do_not_change_the_reason(game: str, name: str) -> None:
    """With hundreds of states that play a match to its end the few cases about that are easily outnumbered."""
    cell = matrix.judge_faulty(PACKS[game], FAULTY[game][name], profile="standard")
    assert cell.caught, cell


@pytest.mark.parametrize("game", GAMES)
def test_every_covered_must_and_should_has_a_bot_that_breaks_it(game: str) -> None:
    pack = PACKS[game]
    broken = {faulty.requirement for faulty in FAULTY[game].values()}
    broken |= {requirement for hostile in matrix.hostile_bots(pack) for requirement in hostile.requirements}
    wanted = {r.id for r in pack.catalogue() if str(r.level) in ("MUST", "SHOULD")} - set(pack.not_covered)
    assert wanted <= broken


@pytest.mark.parametrize("game", GAMES)
def test_there_are_enough_of_them_in_several_languages(game: str) -> None:
    assert len(COVERED[game]) >= LEAST[game]
    assert {*SUBTLE[game], *QUICK[game]} <= set(FAULTY[game])
    languages = [faulty.program.language for faulty in covered(game)]
    assert {language for language in languages if languages.count(language) >= 5} >= LANGUAGES
    assert {good.program.language for good in GOOD[game].values()} >= LANGUAGES


@pytest.mark.parametrize("game", GAMES)
def test_names_say_what_is_broken_and_every_fault_is_told_once(game: str) -> None:
    assert len(FAULTY[game]) == len(matrix.faulty_bots(PACKS[game]))
    for faulty in FAULTY[game].values():
        assert faulty.name.startswith(faulty.requirement.lower() + "-")
        assert faulty.level in matrix.STATUSES
        assert faulty.summary.endswith(".")
        assert faulty.program.source.is_file()


@pytest.mark.parametrize("game", GAMES)
def test_a_fault_of_another_language_is_in_its_source(game: str) -> None:
    for faulty in FAULTY[game].values():
        if faulty.program.language != "Python":
            assert f'"{faulty.name}"' in faulty.program.source.read_text("utf-8").replace("'", '"')


def test_a_catalogue_says_under_which_conditions_its_bots_are_judged() -> None:
    slow = FAULTY["prime-daihinmin"]["pd-5.1-oversleeps"]
    assert (slow.alone, slow.matches_only, slow.time) == (True, True, None)
    burning = FAULTY["valtapeli"]["va-7-in-a-child"]
    assert burning.alone
    assert burning.matches_only
    assert burning.time is not None
    assert burning.time < PACKS["valtapeli"].time
    usual = FAULTY["valtapeli"]["va-5-own-cell"]
    assert (usual.alone, usual.matches_only, usual.time) == (False, False, None)


def test_a_game_may_bring_no_bots() -> None:
    pack = replace(PACK, name="a-game-without-bots")
    assert matrix.bots_of(pack) == []


def test_only_takes_prefixes_of_names() -> None:
    assert {bot.name for bot in matrix.bots_of(PACK, "io-2, steady")} == {
        "io-2-banner",
        "io-2-prompt",
        "steady",
    }
    assert matrix.bots_of(PACK, "nothing-like-it") == []


def test_a_bot_whose_tools_are_missing_is_told_and_not_run(tmp_path: Path) -> None:
    program = Program("Cobol", tmp_path / "bot.cob", ("{out}/bot",), tools=("no-such-compiler",))
    (entry,) = matrix.run(PACK, [Faulty("io-3-cobol", "IO-3", "MUST", "It waits.", program)])
    assert (entry.right, entry.reported) == (None, "not run: needs no-such-compiler")


def test_a_bot_that_needs_another_date_is_not_run_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pack, faulty = PACKS["valtapeli"], FAULTY["valtapeli"]["va-9-by-day"]
    monkeypatch.setattr(shutil, "which", lambda tool: None)
    monkeypatch.setattr(clock, "faketime", lambda: "")
    (entry,) = matrix.run(pack, [faulty])
    assert (entry.right, entry.reported) == (None, "not run: needs a C compiler or libfaketime")
    assert FAULTY["valtapeli"]["va-9-random"].program.lacks() == []


def test_a_bot_that_does_not_build_is_a_miss(tmp_path: Path) -> None:
    program = Program(
        "Shell", tmp_path / "bot.sh", ("sh",), build=("sh", "-c", "echo no such luck >&2; exit 3")
    )
    faulty = Faulty("io-3-shell", "IO-3", "MUST", "It breaks.", program)
    (entry,) = matrix.run(PACK, [faulty])
    assert entry.right is False
    assert "no such luck" in entry.reported
    with pytest.raises(BuildError, match="no such luck"):
        Workshop(tmp_path).make(program)


def test_a_bot_that_breaks_something_else_is_a_miss(tmp_path: Path) -> None:
    wrong = Faulty(
        "io-1-stillborn", "PD-3.4", "MUST", "Under a false name.", FAULTY[PACK.name]["io-1-stillborn"].program
    )
    (entry,) = matrix.run(PACK, [wrong], out=tmp_path)
    assert entry.right is False
    assert re.fullmatch(r"IO-1 fail; IO-1 in \S+: the bot ended .*", entry.reported)
    assert entry.seconds > 0


def test_the_command_prints_a_line_a_bot_and_the_totals(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["selftest", "--quick", "--only", "io-1-stillborn,io-1-dies-on-play", "--jobs", "1"])
    *lines, totals = capsys.readouterr().out.splitlines()
    assert ended.value.code == 0
    assert {tuple(line.split()[:4]) for line in lines} == {
        ("right", "io-1-stillborn", "IO-1", "fail"),
        ("right", "io-1-dies-on-play", "IO-1", "fail"),
    }
    assert totals.startswith("faulty 2 of 2 right; ")


@pytest.mark.parametrize(
    ("entries", "status"),
    [
        ([("right", True, False)], 0),
        ([("away", None, False)], 0),
        ([("broke", False, True), ("right", True, False)], 3),
        ([("broke", False, True), ("wrong", False, False)], 1),
    ],
)
def test_a_failure_of_the_kit_is_no_miss(
    entries: list[tuple[str, bool | None, bool]],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = [
        matrix.Entry("faulty", name, "IO-1 fail", "x", right, failed=failed)
        for name, right, failed in entries
    ]
    monkeypatch.setattr(matrix, "run", lambda *_, **__: iter(made))
    with pytest.raises(SystemExit) as ended:
        main(["selftest", "--only", "io-1-stillborn"])
    assert ended.value.code == status
    assert ("FAILED  broke" in capsys.readouterr().out) == any(failed for *_, failed in entries)


def test_the_command_knows_no_bot_of_that_name(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["selftest", "--only", "nobody"])
    assert ended.value.code == 2
    assert "nobody" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"status": None, "verdict": ""}, ["the kit did not end"]),
        ({"status": 3, "verdict": "error"}, ["exit status 3, error"]),
        ({"broken": ("IO-2",)}, ["none of IO-1 is reported"]),
        ({"peak": 201}, ["201 MiB"]),
        ({"left": ("process 7",)}, ["left: process 7"]),
        ({"troubles": ("a", "b")}, ["a failure of the kit: a", "a failure of the kit: b"]),
        ({"escapes": True}, ["raw control characters in the output"]),
    ],
)
def test_an_ordeal_tells_what_was_wrong(change: dict[str, object], told: list[str]) -> None:
    given: dict[str, object] = {
        "status": 1,
        "verdict": "fails",
        "broken": ("IO-1",),
        "troubles": (),
        "seconds": 1.0,
        "peak": 40,
        "left": (),
        "escapes": False,
    }
    assert Ordeal(**(given | change)).misses(("IO-1",)) == told  # type: ignore[arg-type]


@pytest.mark.source
@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_requirements_is_what_the_kit_makes_of_it(game: str) -> None:
    page = Path(__file__).parents[2] / "docs" / PAGES[game]
    assert page.read_text("utf-8") == coverage.markdown(PACKS[game]), (
        f"run: pdcheck requirements --game {game} --markdown > docs/{page.name}"
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_requirement_has_its_row(game: str) -> None:
    rows = coverage.coverage(PACKS[game])
    assert [row.requirement.id for row in rows] == [entry.id for entry in PACKS[game].catalogue()]
    for row in rows:
        if str(row.requirement.level) in ("MUST", "SHOULD") and not row.why_not:
            assert row.checks, row.requirement.id
            assert row.faulty or row.hostile, row.requirement.id


def test_a_faulty_bot_in_python_can_be_had_by_name() -> None:
    bot = matrix.faulty_bot(PACK, "io-2-banner")
    assert bot.command[-1] == "io-2-banner"
    assert os.path.isfile(bot.command[-2])
    assert read_bot(bot.command).command == bot.command
