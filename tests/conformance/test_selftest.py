"""The matrix: good bots give no finding, each faulty bot is caught under its own requirement and no other MUST."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.cli import main
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.selftest import coverage, matrix
from pdcheck.conformance.selftest.ordeal import Ordeal
from pdcheck.conformance.selftest.programs import BuildError, Faulty, Program, Workshop

PACK = load_pack("prime-daihinmin")
FAULTY = {faulty.name: faulty for faulty in matrix.faulty_bots(PACK)}
COVERED = [faulty for faulty in FAULTY.values() if faulty.requirement not in PACK.not_covered]
QUICK = [
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
]
"""A few of each kind, for every run of the tests; all of them are tried in the full ones."""
SUBTLE = (
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
)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Where this process's bots are built."""
    return Workshop(tmp_path_factory.mktemp("bots"))


def good_names() -> list[str]:
    return [good.name for good in matrix.good_bots(PACK)]


def need(program: Program, needs: Callable[[str], str]) -> None:
    """Ask for every tool of a program."""
    for tool in (*program.tools, *program.headers):
        needs(tool)


@pytest.mark.parametrize("name", good_names())
def test_good_bots_give_no_finding(name: str, needs: Callable[[str], str], workshop: Workshop) -> None:
    good = next(good for good in matrix.good_bots(PACK) if good.name == name)
    need(good.program, needs)
    report = matrix.check(PACK, workshop.bot(good), matrix.all_cases(PACK.name, "quick"), "quick")
    assert [(row.requirement.id, row.findings) for row in report.rows if row.findings] == []
    assert report.troubles == []
    assert report.verdict == "conforms"
    assert {row.requirement.id for row in report.rows if row.status == "not-run"} == set(PACK.not_covered)


@pytest.mark.parametrize("name", QUICK)
def test_faulty_bots_are_caught_for_their_own_reason(name: str) -> None:
    cell = matrix.judge_faulty(PACK, FAULTY[name])
    assert cell.caught, cell


@pytest.mark.full
@pytest.mark.parametrize("name", [f.name for f in COVERED if f.name not in QUICK])
def test_every_faulty_bot_is_caught_for_its_own_reason(
    name: str, needs: Callable[[str], str], workshop: Workshop
) -> None:
    need(FAULTY[name].program, needs)
    cell = matrix.judge_faulty(PACK, FAULTY[name], workshop=workshop)
    assert cell.caught, cell


def test_every_covered_must_and_should_has_a_bot_that_breaks_it() -> None:
    broken = {faulty.requirement for faulty in FAULTY.values()}
    broken |= {requirement for hostile in matrix.hostile_bots(PACK) for requirement in hostile.requirements}
    wanted = {r.id for r in PACK.catalogue() if str(r.level) in ("MUST", "SHOULD")} - set(PACK.not_covered)
    assert wanted <= broken


def test_there_are_enough_of_them_in_several_languages() -> None:
    assert len(COVERED) >= 150
    assert set(SUBTLE) <= set(FAULTY)
    languages = [faulty.program.language for faulty in COVERED]
    assert {language for language in languages if languages.count(language) >= 5} >= {
        "Python",
        "C",
        "C++",
        "Java",
        "JavaScript",
    }


def test_names_say_what_is_broken_and_every_fault_is_told_once() -> None:
    assert len(FAULTY) == len(matrix.faulty_bots(PACK))
    for faulty in FAULTY.values():
        assert faulty.name.startswith(faulty.requirement.lower() + "-")
        assert faulty.level in matrix.STATUSES
        assert faulty.summary.endswith(".")
        assert faulty.program.source.is_file()


def test_a_fault_of_another_language_is_in_its_source() -> None:
    for faulty in FAULTY.values():
        if faulty.program.language != "Python":
            assert f'"{faulty.name}"' in faulty.program.source.read_text("utf-8").replace("'", '"')


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
        "io-1-stillborn", "PD-3.4", "MUST", "Under a false name.", FAULTY["io-1-stillborn"].program
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
def test_the_page_of_requirements_is_what_the_kit_makes_of_it() -> None:
    page = Path(__file__).parents[2] / "docs" / "requirements.md"
    assert page.read_text("utf-8") == coverage.markdown(PACK), (
        "run: pdcheck requirements --markdown > docs/requirements.md"
    )


def test_every_requirement_has_its_row() -> None:
    rows = coverage.coverage(PACK)
    assert [row.requirement.id for row in rows] == [entry.id for entry in PACK.catalogue()]
    for row in rows:
        if str(row.requirement.level) in ("MUST", "SHOULD") and not row.why_not:
            assert row.checks, row.requirement.id
            assert row.faulty or row.hostile, row.requirement.id


def test_a_faulty_bot_in_python_can_be_had_by_name() -> None:
    bot = matrix.faulty_bot(PACK, "io-2-banner")
    assert bot.command[-1] == "io-2-banner"
    assert os.path.isfile(bot.command[-2])
    assert read_bot(bot.command).command == bot.command
