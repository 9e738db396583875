"""Baselines: known findings pass, new and gone ones fail, and the file is one for people."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck import schemas
from pdcheck.conformance.baseline import (
    Baseline,
    Known,
    apply,
    baseline_of,
    compare,
    dump_baseline,
    kind_of,
    read_baseline,
)
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.checks import all_cases
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.kit import Plan
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.report import Report, compile_report
from pdcheck.conformance.usage import UsageError

PACK = load_pack("prime-daihinmin")
BOT = Bot(("./bot",), ".", {}, None)
PLAN = Plan(PACK, BOT, all_cases(PACK, "quick", 0), "published", "quick")
CASES = {case.requirement: case.id for case in reversed(PLAN.cases)}
FILE = "known.toml"

PASSES = """
import json, os, sys
for line in sys.stdin:
    try: action = json.loads(line)["action"]
    except ValueError: break
    print('{"action": "pass"}' if action == "play" else "#init" if action == "init" else "", flush=True)
    if action == "quit": #quit
"""
CLEAN = PASSES.replace("#init", "").replace("#quit", "break")
TOLERATED = PASSES.replace("#init", "hello").replace("#quit", "break")
"""It greets at init (PD-2.2)."""
WORSE = PASSES.replace("#init", "hello").replace("#quit", "sys.exit(3)")
"""And ends with status 3 (IO-9)."""
ONLY = ("--profile", "quick", "--only", "PD-2.2,IO-9", "--jobs", "2", "-q")


class Said(NamedTuple):
    """What the fixture `pdcheck` gives."""

    status: int
    out: str
    err: str


Pdcheck = Callable[..., Said]
Script = Callable[..., Path]


def finding(requirement: str, **more: Any) -> Finding:
    level = PACK.catalogue()[requirement].level
    case = more.pop("case", CASES.get(requirement, "basic/leads"))
    return Finding(requirement, level, f"{requirement} is broken", "this", "that", case=case, **more)


def report(*findings: Finding, plan: Plan = PLAN, ran: bool = True) -> Report:
    """A report of a run in which every case was run (or none but the basic ones) and these things were found."""
    broken = {found.requirement for found in findings}
    results = [
        CaseResult(case.id, covered=(case.requirement,))
        for case in plan.cases
        if ran or case.section == "basic"
    ]
    for result in results:
        result.findings = [
            found for found in findings if found.case == result.case and found.requirement in broken
        ]
    return compile_report(plan, results, findings, {}, 1.0)


def status(made: Report, requirement: str) -> tuple[str, str | None]:
    return next((row.status, row.reason) for row in made.rows if row.requirement.id == requirement)


def valid(made: Report) -> Report:
    assert schemas.explain("report", json.loads(json.dumps(made.as_json()))) == []
    return made


# --- what passes and what fails -----------------------------------------------------------------------------


@pytest.mark.parametrize("requirement", ["PD-2.2", "PD-3.1"])
def test_what_is_known_is_waived(requirement: str) -> None:
    known = baseline_of(report(finding(requirement)), FILE)
    made = report(finding(requirement))
    apply(made, known)
    assert status(valid(made), requirement) == ("waived", f"known: it is in {FILE}")
    assert (made.verdict, made.exit_status) == ("conforms", 0)


def test_strict_lets_what_is_known_pass_too() -> None:
    strict = replace(PLAN, strict=True)
    made = report(finding("PD-2.2"), plan=strict)
    assert made.verdict == "fails"
    apply(made, baseline_of(report(finding("PD-2.2")), FILE))
    assert made.verdict == "conforms"


@pytest.mark.parametrize("requirement", ["PD-2.2", "PD-3.1"])
def test_what_is_new_fails_whatever_its_level(requirement: str) -> None:
    made = report(finding("IO-9"), finding(requirement))
    apply(made, baseline_of(report(finding("IO-9")), FILE))
    assert status(valid(made), requirement) == ("fail", f"new: not in {FILE}")
    assert status(made, "IO-9")[0] == "waived"
    assert made.exit_status == 1


def test_what_is_waived_by_hand_is_not_new_and_not_written() -> None:
    plan = replace(PLAN, waived={"PD-2.2": "we know"})
    made = report(finding("PD-2.2"), plan=plan)
    apply(made, baseline_of(report(), FILE))
    assert status(made, "PD-2.2") == ("waived", "we know")
    assert made.exit_status == 0
    assert baseline_of(report(finding("PD-2.2"), plan=plan), FILE).findings == ()


def test_what_is_gone_fails_and_says_which_line_to_remove() -> None:
    known = baseline_of(report(finding("PD-2.2"), finding("IO-9")), FILE)
    made = report(finding("IO-9"))
    apply(made, known)
    text = dump_baseline(known).splitlines()
    line = next(number for number, words in enumerate(text, 1) if "PD-2.2" in words)
    assert status(valid(made), "PD-2.2") == (
        "pass",
        f"no longer broken as it was: remove line {line} of {FILE}",
    )
    assert made.exit_status == 1
    assert [entry["line"] for entry in made.as_json()["baseline"]["gone"]] == [line]


def test_another_kind_of_the_same_requirement_is_new_and_the_old_one_gone() -> None:
    known = baseline_of(report(finding("IO-1", breakdown="died 1 ValueError")), FILE)
    made = report(finding("IO-1", breakdown="died -11 "))
    apply(made, known)
    assert made.baseline is not None
    assert [entry.kind for entry in made.baseline.new] == ["died -11"]
    assert [entry.kind for entry in made.baseline.gone] == ["died 1 ValueError"]


def test_info_is_neither_known_nor_new() -> None:
    made = report(finding("IO-13"))
    apply(made, baseline_of(made, FILE))
    assert made.baseline is not None
    assert made.baseline.known == ()
    assert status(made, "IO-13")[0] == "info"


# --- what was not tried -------------------------------------------------------------------------------------


def test_what_was_not_run_is_not_gone() -> None:
    known = baseline_of(report(finding("PD-2.2")), FILE)
    made = report(ran=False)
    apply(made, known)
    assert made.baseline is not None
    assert made.exit_status != 1
    assert [why for _, why in made.baseline.untried] == [f"its case {CASES['PD-2.2']} was not run"]


@pytest.mark.parametrize(("name", "value"), [("suite", "prime-daihinmin/9"), ("rules", "v0.11a")])
def test_nothing_is_gone_where_the_run_is_of_another_kind(name: str, value: str) -> None:
    known = replace(baseline_of(report(finding("PD-2.2")), FILE), **{name: value})  # type: ignore[arg-type]
    compared = compare(report(), known)
    assert compared.gone == ()
    assert value in compared.untried[0][1]


@pytest.mark.parametrize(("name", "value"), [("profile", "standard"), ("seed", 7)])
def test_generated_cases_are_others_with_another_profile_or_seed(name: str, value: Any) -> None:
    generated = next(case.id for case in PLAN.cases if case.section == "generated")
    known = baseline_of(report(finding("PD-3.5", case=generated), finding("PD-2.2")), FILE)
    assert len(compare(report(), known).gone) == 2
    compared = compare(report(), replace(known, **{name: value}))
    assert [entry.requirement for entry in compared.gone] == ["PD-2.2"]
    assert "generated" in compared.untried[0][1]


def test_what_could_not_be_told_is_not_gone() -> None:
    known = baseline_of(report(finding("IO-9")), FILE)
    results = [CaseResult(case.id, covered=(case.requirement,)) for case in PLAN.cases]
    results[0].inconclusive = ("IO-9",)
    made = compile_report(PLAN, results, [], {}, 1.0)
    compared = compare(made, known)
    assert (compared.gone, compared.fails) == ((), False)
    assert "inconclusive" in compared.untried[0][1]


def test_writing_anew_keeps_what_was_not_tried() -> None:
    before = baseline_of(report(finding("PD-2.2"), finding("IO-9")), FILE)
    after = baseline_of(report(finding("PD-2.3", case="basic/leads"), ran=False), FILE, before)
    assert [entry.requirement for entry in after.findings] == ["IO-9", "PD-2.2", "PD-2.3"]


# --- the file -----------------------------------------------------------------------------------------------


def test_the_kind_holds_no_path() -> None:
    assert kind_of(finding("IO-1", breakdown="died 127 /house/me/bot")) == "died 127 bot"
    assert kind_of(finding("PD-2.2")) == "broken"


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(st.lists(st.tuples(st.sampled_from(["IO-9", "PD-2.10", "PD-2.9"]), TEXTS, TEXTS, TEXTS), max_size=5))
def test_what_is_written_reads_back(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    entries = tuple(Known(requirement, "SHOULD", kind, case, text) for requirement, kind, case, text in rows)
    made = Baseline("x", PACK.suite, PACK.name, "published", "quick", 0, entries)
    text = dump_baseline(made)
    assert schemas.explain("baseline", tomllib.loads(text)) == []
    file = tmp_path_factory.mktemp("b") / "x.toml"
    file.write_text(text, "utf-8")
    read = read_baseline(str(file), PACK)
    assert dump_baseline(read) == text
    lines = text.splitlines()
    for known in read.findings:
        assert not known.line or f'"{known.requirement}"' in lines[known.line - 1]


GOOD = dump_baseline(
    Baseline(
        "x", PACK.suite, PACK.name, "published", "quick", 0, (Known("IO-9", "SHOULD", "broken", "c", "m"),)
    )
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file: expected"),
        ("[[", "not TOML"),
        ('{"a": 1}', "not TOML"),
        (GOOD.replace("schema = 1", "schema = 2"), "schema: expected 1"),
        (GOOD.replace('"SHOULD"', '"should"'), ":10: findings[0].level: expected"),
        (GOOD.replace('kind = "broken", ', ""), ":10: findings[0]: expected the key"),
        (GOOD.replace("IO-9", "IO-99"), ":10: there is no requirement IO-99"),
        (GOOD.replace('game = "prime-daihinmin"', 'game = "valtapeli"'), "of the game valtapeli"),
        ("\xff", "not UTF-8"),
    ],
)
def test_a_bad_file_is_told_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError) as caught:
        read_baseline(str(file), PACK)
    message = str(caught.value)
    assert message.startswith(f"--baseline {file}")
    assert told in message
    assert "\n" not in message


# --- the command --------------------------------------------------------------------------------------------


def test_a_tolerated_should_keeps_the_run_green_until_it_is_mended(pdcheck: Pdcheck, script: Script) -> None:
    bot = script("bot", TOLERATED)
    made = pdcheck(*ONLY, "--write-baseline", bot)
    assert made.status == 0
    text = Path("pdcheck-baseline.toml").read_text("utf-8")
    assert text.count("requirement = ") == text.count('"PD-2.2"') == 1

    again = pdcheck(*ONLY, "--strict", "--baseline", "pdcheck-baseline.toml", "--json", "r.json", bot)
    assert again.status == 0
    report = json.loads(Path("r.json").read_text("utf-8"))
    assert schemas.explain("report", report) == []
    assert report["verdict"] == "conforms"

    script("bot", WORSE)
    worse = pdcheck(*ONLY, "--baseline", "pdcheck-baseline.toml", bot)
    assert worse.status == 1
    assert "new  IO-9 SHOULD" in worse.out

    script("bot", CLEAN)
    mended = pdcheck(*ONLY, "--baseline", "pdcheck-baseline.toml", bot)
    assert mended.status == 1
    assert "remove line 10 of pdcheck-baseline.toml" in mended.out

    pdcheck(*ONLY, "--write-baseline", bot)
    assert "findings = []" in Path("pdcheck-baseline.toml").read_text("utf-8")
    assert pdcheck(*ONLY, "--baseline", "pdcheck-baseline.toml", bot).status == 0


def test_what_is_no_baseline_is_not_overwritten(pdcheck: Pdcheck, script: Script, tmp_path: Path) -> None:
    bot = script("bot", "raise SystemExit(9)")
    precious = tmp_path / "precious.toml"
    precious.write_text("[project]\nname = 'mine'\n", "utf-8")
    for options in ([], ["--write-baseline"]):
        said = pdcheck(*ONLY, "--baseline", precious, *options, bot)
        assert said.status == 2
        assert said.err.count("\n") == 1
    assert "not overwritten" in said.err
    assert precious.read_text("utf-8").startswith("[project]")
    assert pdcheck(*ONLY, "--baseline", "no/such.toml", "--write-baseline", bot).status == 2
    assert "--write-baseline makes it" in pdcheck(*ONLY, "--baseline", "nothing.toml", bot).err


def test_a_baseline_that_cannot_be_written_changes_no_verdict(
    pdcheck: Pdcheck, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = script("bot", TOLERATED)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    said = pdcheck(*ONLY, "--write-baseline", bot)
    assert said.status == 0
    assert "No space left on device; it is not written" in said.err
    assert [file.name for file in Path().iterdir() if "baseline" in file.name] == []
