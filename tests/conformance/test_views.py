"""Views of transcripts: each finding gets that of its own case, as far as the room goes; a game may have none."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from pdcheck.conformance import views
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.checks import all_cases
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.kit import Plan
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.report import Report, compile_report
from pdcheck.conformance.transcript import Event, Line, Ruled, Sent, Transcript
from pdcheck.referee.catalogue import Level
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.scenario import scenario_value
from pdcheck.scenarios.view import Told

PACK = load_pack("valtapeli")
CASES = all_cases(PACK, "quick", 0)[:2]
BROKEN = Violation("VA-5", "a free cell", "a taken one")


def transcript(case: Case, move: str) -> str:
    """Of a case in which the candidate claims one cell, and is stopped at the next."""
    seats = [
        {"name": name, "kind": kind, "command": None, "sha256": None}
        for name, kind in (("candidate", "candidate"), ("opponent", "house"))
    ]
    header = {
        "pdcheck": "0.1.0",
        "game": PACK.name,
        "rules": "published",
        "seed": None,
        "seats": seats,
        "case": case.as_json(),
        "setup": {"scenario": scenario_value(case.scenario)},
        "limits": {},
        "environment": {},
        "machine": {},
    }
    events: list[Event] = [
        Sent(0.0, 0, b"1\n", 0.0, 0.0),
        Line(0.1, 0, "name", b"Bot", 0.0, 0.0),
        Ruled(0.2, Ruling(0, "move", move)),
        Ruled(0.3, Ruling(0, "stopped", "", violation=BROKEN)),
    ]
    return json.dumps(Transcript(header, 0.0, events).as_json())


def report(pack: GamePack = PACK) -> Report:
    """A report with a finding in each of two cases."""
    plan = Plan(pack, Bot(("./bot",), ".", {}, None), CASES, "published", "quick")
    found = [
        Finding(name, Level.MUST, "m", "e", "a", case=case.id, times=1)
        for name, case in zip(("VA-4", "VA-5"), CASES, strict=True)
    ]
    results = [
        CaseResult(case.id, transcript=transcript(case, move))
        for case, move in zip(CASES, ("1 2", "3 4"), strict=True)
    ]
    return compile_report(plan, results, found, {}, 1.0)


def found_in(made: Report) -> dict[str, Finding]:
    return {row.requirement.id: finding for row in made.rows for finding in row.findings}


BY_ID = {case.id: case for case in CASES}


def test_each_finding_shows_its_own_case() -> None:
    made = report()
    assert views.show(made, BY_ID) == ""
    found = found_in(made)
    captions = {
        name: [step["caption"] for step in finding.views[0]["steps"]] for name, finding in found.items()
    }
    assert captions == {
        "VA-4": ["1. candidate: 1 2", "candidate is stopped"],
        "VA-5": ["1. candidate: 3 4", "candidate is stopped"],
    }
    shown = {row["id"]: row["findings"] for row in made.as_json()["requirements"] if row["findings"]}
    assert shown["VA-5"][0]["views"] == list(found["VA-5"].views)


def test_views_take_no_more_room_than_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST", 10)
    made = report()
    views.show(made, BY_ID)
    assert [finding.views for finding in found_in(made).values()] == [(), ()]
    assert "views" not in json.dumps(made.as_json())


def test_a_view_that_is_there_stays() -> None:
    made = report()
    for row in made.rows:
        row.findings[:] = [replace(finding, views=({"rows": [], "steps": []},)) for finding in row.findings]
    views.show(made, BY_ID)
    assert all(not finding.views[0]["steps"] for finding in found_in(made).values())


def test_a_game_without_a_viewer_has_reports_without_views() -> None:
    pack = replace(PACK, viewer=None)
    made = report(pack)
    views.show(made, BY_ID)
    views.show_match(made, Transcript.from_json(transcript(CASES[0], "1 2")), 0)
    assert "views" not in json.dumps(made.as_json())


def test_a_viewer_that_fails_costs_no_more_than_the_views() -> None:
    def broken(*_: object) -> None:
        raise ValueError("no such card")

    made = report(replace(PACK, viewer=broken))
    told = views.show(made, BY_ID)
    assert told == "note: what happened cannot be shown step by step (ValueError: no such card)"
    assert len(found_in(made)) == 2


def test_a_viewer_gets_messages_and_rulings_in_their_order() -> None:
    log = Transcript.from_json(transcript(CASES[0], "1 2"))
    assert views.moments(log) == [
        Told(0, b"1\n"),
        Ruling(0, "move", "1 2"),
        Ruling(0, "stopped", "", violation=BROKEN),
    ]
    view = views.view_of(log, PACK, 0, "one run")
    assert view is not None
    assert view["title"] == "one run"
