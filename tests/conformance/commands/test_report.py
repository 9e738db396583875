"""`pdcheck report` and `--html`: the page of a run is the page of its JSON report, and what is no report is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pdcheck.schemas import explain, load

Pdcheck = Callable[..., Any]
STUBBORN = """
import sys
number = sys.stdin.readline().strip()
print("Stubborn", flush=True)
if number == "2":
    sys.stdin.readline()
while True:
    print("1 2", flush=True)
    if not sys.stdin.readline():
        break
"""
"""It claims the same cell again and again."""
EXAMPLE: dict[str, Any] = load("report")["examples"][0]
OPTIONS = ("--profile", "quick", "--only", "VA-5", "--shrink-time", "0", "-q")


@pytest.fixture
def bot(script: Callable[..., Path]) -> Path:
    return script("bot", STUBBORN)


def test_the_page_of_a_run_is_that_of_its_json_report(pdcheck: Pdcheck, bot: Path) -> None:
    done = pdcheck("--game", "valtapeli", *OPTIONS, "--json", "r.json", "--html", "r.html", bot)
    assert done.status == 1
    report = json.loads(Path("r.json").read_text("utf-8"))
    assert explain("report", report) == []
    (row,) = [row for row in report["requirements"] if row["id"] == "VA-5"]
    (view,) = row["findings"][0]["views"]
    broken = [step for step in view["steps"] if step.get("mark") == "wrong"]
    assert [step["breaks"] for step in broken] == [["VA-5"]]
    assert broken[0]["bad"] == 1
    again = pdcheck("report", "r.json", "--html", "again.html")
    assert again == (0, "", "")
    page = Path("r.html").read_text("utf-8")
    assert Path("again.html").read_text("utf-8") == page
    assert page.startswith("<!doctype html>")
    assert "<figure" in page
    assert "is stopped at its move 1 2" in page


def test_a_judged_transcript_has_its_match_in_the_page(pdcheck: Pdcheck, bot: Path) -> None:
    pdcheck("--game", "valtapeli", *OPTIONS, bot)
    kept = next(path for path in sorted(Path(".pdcheck").glob("*.json")))
    done = pdcheck("judge", "--json", "r.json", "--html", "-", kept)
    assert done.status == 1
    assert "VA-5" in done.err, "with the page on stdout, the report for people goes to stderr"
    (view,) = json.loads(Path("r.json").read_text("utf-8"))["views"]
    assert done.out.count("<figure") == 1
    assert view["steps"][-1]["caption"] in done.out


@pytest.mark.parametrize(
    ("game", "player", "last"),
    [("valtapeli", "house:greedy", "256. B: "), ("prime-daihinmin", "house:passer", " draws ")],
    ids=["board", "cards"],
)
def test_a_match_has_a_page_of_its_own(pdcheck: Pdcheck, game: str, player: str, last: str) -> None:
    words = ("--game", game, "--seed", "1", "--html", "m.html", "--transcript", "m.json")
    assert pdcheck("match", *words, "A", player, "B", player).status == 0
    page = Path("m.html").read_text("utf-8")
    assert page.count("<figure") == 1
    assert last in page[page.index('class="caption"') :][:80]
    for over in (
        event for event in json.loads(Path("m.json").read_text("utf-8"))["events"] if event["kind"] == "over"
    ):
        assert all(f"<td>{score}</td>" in page for score in over["scores"])


def test_the_page_of_a_match_does_not_share_stdout_with_the_ranking(pdcheck: Pdcheck) -> None:
    done = pdcheck("match", "--html", "-", "A", "house:steady", "B", "house:steady")
    assert done == (2, "", "pdcheck: --html -: stdout holds the ranking\n")


def test_stdout_holds_one_file(pdcheck: Pdcheck, bot: Path) -> None:
    done = pdcheck("--json", "-", "--html", "-", bot)
    assert done == (2, "", "pdcheck: --json - and --html -: stdout holds one of them\n")
    done = pdcheck("judge", "--json", "-", "--html", "-", "x.json")
    assert done == (2, "", "pdcheck: --json - and --html -: stdout holds one of them\n")


def test_the_page_can_go_to_stdout(pdcheck: Pdcheck) -> None:
    Path("r.json").write_text(json.dumps(EXAMPLE), "utf-8")
    done = pdcheck("report", "r.json", "--html", "-")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("<!doctype html>")


def test_the_page_is_utf_8_in_any_locale(tmp_path: Path) -> None:
    report = json.loads(json.dumps(EXAMPLE))
    report["bot"]["command"] = ["./möttönen"]
    (tmp_path / "r.json").write_text(json.dumps(report), "utf-8")
    with (tmp_path / "r.html").open("wb") as page:
        done = subprocess.run(
            [sys.executable, "-m", "pdcheck.conformance", "report", "r.json", "--html", "-"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": "latin-1"},
            stdout=page,
            check=False,
        )
    assert done.returncode == 0
    assert "./möttönen" in (tmp_path / "r.html").read_text("utf-8")


def test_what_is_nested_deep_is_cut(pdcheck: Pdcheck) -> None:
    report = json.loads(json.dumps(EXAMPLE))
    deep: Any = 1
    for _ in range(700):
        deep = {"in": deep}
    report["machine"]["deep"] = deep
    Path("r.json").write_text(json.dumps(report), "utf-8")
    assert pdcheck("report", "r.json", "--html", "r.html") == (0, "", "")
    assert "…" in Path("r.html").read_text("utf-8")


def test_a_page_that_cannot_be_drawn_costs_nothing_but_itself(
    pdcheck: Pdcheck, bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> str:
        raise KeyError("tone")

    monkeypatch.setattr("pdcheck.conformance.reports.html.render", broken)
    monkeypatch.setattr("pdcheck.conformance.reports.html.render_match", broken)
    done = pdcheck("--game", "valtapeli", *OPTIONS, "--html", "r.html", bot)
    assert done.status == 1
    assert "does not conform" in done.out
    told = "pdcheck: --html r.html: it cannot be drawn (KeyError: 'tone'); the page is not written\n"
    assert told in done.err
    played = pdcheck(
        "match", "--game", "valtapeli", "--html", "r.html", "A", "house:greedy", "B", "house:mirror"
    )
    assert played.status == 0
    assert told in played.err


def broken(change: Callable[[dict[str, Any]], Any]) -> str:
    report = json.loads(json.dumps(EXAMPLE))
    change(report)
    return json.dumps(report)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "r.json:1:1: expected a report, got no JSON: Expecting value (it may have been cut short)"),
        (json.dumps(EXAMPLE)[:300], "r.json:1:298: expected a report, got no JSON: Unterminated string"),
        ("\ufeff{}", "r.json:1:1: expected a report, got a byte order mark (BOM)"),
        ("[]", "r.json: the file: expected a report of pdcheck, got other JSON"),
        ("[" * 99_999, "r.json: expected a report, got JSON that is nested too deep"),
        ('{"verdict": NaN}', "r.json: expected a report, got no JSON: NaN is no number"),
        (
            '{"events": [], "seats": []}',
            "r.json: the file: expected a report, got a transcript (`pdcheck judge` reads it)",
        ),
        (
            broken(lambda r: r["timing"].update(cpu_total_s=10**400)),
            "r.json: timing.cpu_total_s: expected a number up to 1e+15, got 100000",
        ),
        (broken(lambda r: r.update(elapsed_s=1e300)), "r.json: elapsed_s: expected a number up to 1e+15"),
        (broken(lambda r: r.update(schema=2)), "r.json: schema: expected 1"),
        (broken(lambda r: r.pop("timing")), "r.json: the file: expected the key 'timing', got missing"),
        (broken(lambda r: r.update(verdict="fine\u202e\x1b")), "r.json: verdict: expected one of"),
        (
            broken(lambda r: r["requirements"][0].update(status="bad")),
            "r.json: requirements[0].status: expected one of",
        ),
        (
            broken(
                lambda r: r.update(views=[{"grid": [2, 2], "rows": [], "steps": [{"caption": "x", "at": 4}]}])
            ),
            "r.json: views[0].steps[0].at: expected a cell below 4, got 4",
        ),
        (
            broken(lambda r: r.update(views=[{"rows": [], "steps": [{"caption": "x", "cells": "0=Q;"}]}])),
            "r.json: views[0].steps[0].cells: expected a string of the form",
        ),
    ],
)
def test_what_is_no_report_is_told_in_one_line(pdcheck: Pdcheck, text: str, told: str) -> None:
    Path("r.json").write_text(text, "utf-8")
    done = pdcheck("report", "r.json", "--html", "out.html")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"pdcheck: {told}")
    assert done.err.count("\n") == 1
    assert done.err[:-1].isprintable()
    assert not Path("out.html").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["r.json"], "r.json: nothing to make of it: --html FILE is missing"),
        (["none.json", "--html", "x.html"], "none.json: No such file or directory"),
        (["r.json", "--html", "none/x.html"], "--html none/x.html: No such file or directory"),
        (["r.json", "--html", "."], "--html .: Is a directory"),
        pytest.param(
            ["r.json", "--html", "/dev/full"],
            "--html /dev/full: No space left on device",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full"),
        ),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(pdcheck: Pdcheck, words: list[str], told: str) -> None:
    Path("r.json").write_text(json.dumps(EXAMPLE), "utf-8")
    assert pdcheck("report", *words) == (2, "", f"pdcheck: {told}\n")
