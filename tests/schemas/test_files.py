"""The files of the kit (scenarios, transcripts, reports): what is none."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pdcheck.schemas import explain, load

GAME = "prime_daihinmin"
ENDINGS = [
    "quit",
    "eof",
    "eof-before-init",
    "eof-at-init",
    "eof-in-line",
    "eof-in-turn",
    "term",
    "term-in-turn",
]


def at(value: Any, path: tuple[str | int, ...], put: Any) -> Any:
    """A copy of `value` with `put` at `path`."""
    made = copy.deepcopy(value)
    here = made
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = put
    return made


class TestScenario:
    @pytest.mark.parametrize(
        ("path", "put"),
        [
            (("name",), "Two Words"),
            (("name",), "trailing-"),
            (("about",), "PD"),
            (("about",), "pd-2.4"),
            (("why",), ""),
            (("rules",), "v0.12"),
            (("seats",), 9),
            (("seats",), 1),
            (("seat",), 8),
            (("names",), "AB"),
            (("hand",), 2357),
            (("hand",), "23A"),
            (("hand",), ""),
            (("hand",), {"10": 1}),
            (("hand",), {"1": -1}),
            (("hand",), {}),
            (("field",), "5"),
            (("field",), ["five"]),
            (("others",), []),
            (("others", "hands"), {"8": "1"}),
            (("others", "out"), [1, 1]),
            (("others", "players"), {"0": 1}),
            (("others", "stock"), 123),
            (("turns",), -1),
            (("time",), 0),
            (("style",), {"key_order": "sorted"}),
            (("style",), {"spaces": "some"}),
            (("style",), {"space": "none"}),
            (("style",), {"escapes": "yes"}),
            (("deliver",), {"pieces": 0}),
            (("deliver",), {"apart": True}),
            (("deliver",), {"cut": "anywhere"}),
            (("deliver",), {"gap": 0}),
            (("style",), {"unknown_keys": "wide"}),
            (("style",), {"unknown_keys": 1}),
            (("interject",), "hello"),
            (("ending",), "kill"),
            (("expect",), {"legal": [2]}),
            (("expect",), {"legal": ["x"]}),
            (("expect",), {"tempting": ["341"]}),
            (("expect",), {"tempting": [{"play": "341", "breaks": "prime"}]}),
            (("fields",), []),
        ],
    )
    def test_what_is_no_scenario(self, path: tuple[str | int, ...], put: object) -> None:
        good = load(f"{GAME}/scenario")["examples"][0]
        found = explain(f"{GAME}/scenario", at(good, ("scenarios", 1, *path), put))
        where = "scenarios[1]" if path == ("fields",) else f"scenarios[1].{'.'.join(map(str, path))}"
        assert found
        assert all(complaint.path.startswith(where) for complaint in found)

    @pytest.mark.parametrize("ending", ENDINGS)
    def test_each_ending(self, ending: str) -> None:
        good = load("scenario")["examples"][0]
        assert explain("scenario", at(good, ("scenarios", 0, "ending"), ending)) == []

    def test_another_game_writes_hands_its_own_way(self) -> None:
        other = {
            "name": "a",
            "about": "DF-1",
            "why": "w",
            "hand": "AKQJT9",
            "field": ["TT"],
            "others": {"jokers": 2},
        }
        file = {"schema": 1, "game": "prime-daifugo", "scenarios": [other]}
        assert explain("scenario", file) == []
        assert explain(f"{GAME}/scenario", file)

    def test_no_scenario_at_all(self) -> None:
        assert explain("scenario", {"schema": 1, "game": "prime-daihinmin", "scenarios": []})


class TestTranscript:
    @pytest.mark.parametrize(
        "event",
        [
            {"t": 1, "seat": 0, "kind": "line"},
            {"t": 1, "seat": 0, "kind": "line", "text": "", "base64": ""},
            {"t": 1, "seat": 0, "kind": "line", "base64": "*"},
            {"t": 1, "seat": 0, "kind": "sent", "text": ""},
            {"t": 1, "seat": 0, "kind": "out"},
            {"t": 1, "seat": 0, "kind": "stderr", "text": 1},
            {"t": 1, "seat": 0, "kind": "exit"},
            {"t": 1, "seat": 0, "kind": "exit", "status": None},
            {"t": 1, "seat": 0, "kind": "ruling", "outcome": "legal"},
            {"t": 1, "seat": 0, "kind": "cpu", "cpu": -1},
            {"t": 1, "seat": None, "kind": "note"},
            {"t": 1, "seat": None, "kind": "over", "reason": "x"},
            {"t": 1, "seat": None, "kind": "probe"},
            {"t": "1", "seat": None, "kind": "eof"},
            {"t": 1, "seat": -1, "kind": "eof"},
            {"seat": 1, "kind": "eof"},
            {"t": 1, "kind": "eof"},
            {"t": 1, "seat": 0},
        ],
    )
    def test_what_is_no_event(self, event: dict[str, object]) -> None:
        good = load("transcript")["examples"][0]
        found = explain("transcript", {**good, "events": [event]})
        assert found
        assert all(complaint.path.startswith("events[0]") for complaint in found)

    def test_every_kind_of_event_is_in_the_example(self) -> None:
        document = load("transcript")
        kinds = document["$defs"]["event"]["properties"]["kind"]["enum"]
        assert {event["kind"] for event in document["examples"][0]["events"]} == set(kinds)

    def test_room_for_later_samples(self) -> None:
        good = load("transcript")["examples"][0]
        more = {**good, "control": {}, "events": [{"t": 1, "seat": 0, "kind": "cpu", "cpu": 0, "threads": 7}]}
        assert explain("transcript", more) == []

    def test_seats(self) -> None:
        good = load("transcript")["examples"][0]
        puts: list[dict[str, object]] = [
            {"kind": "judge"},
            {"command": []},
            {"command": "./bot"},
            {"sha256": "abc"},
        ]
        for put in puts:
            assert explain("transcript", at(good, ("seats", 0), {**good["seats"][0], **put}))


class TestReport:
    @pytest.mark.parametrize(
        ("path", "put"),
        [
            (("verdict",), "pass"),
            (("suite",), "prime-daihinmin"),
            (("profile",), "slow"),
            (("bot", "command"), "./mybot"),
            (("bot", "sha256"), "ABC"),
            (("elapsed_s",), -1),
            (("requirements", 0, "status"), "failed"),
            (("requirements", 0, "level"), "RULE"),
            (("requirements", 0, "cases"), 1.0),
            (("requirements", 0, "findings", 0, "message"), None),
            (("requirements", 0, "findings", 0, "level"), "WARN"),
            (("requirements", 0, "findings", 0, "flaky"), {"runs": 3}),
            (("requirements", 0, "findings", 0, "flaky", "failed"), 0),
            (("requirements", 0, "findings", 0, "shrunk"), 310),
            (("timing", "turns"), None),
            (("timing", "wall_p50_ms"), "fast"),
            (("machine", "limits", "memory"), "on"),
            (("machine", "limits", "cpu"), True),
        ],
    )
    def test_what_is_no_report(self, path: tuple[str | int, ...], put: object) -> None:
        good = load("report")["examples"][0]
        assert explain("report", at(good, path, put))

    @pytest.mark.parametrize(
        "key", ["actual", "expected", "cause", "fix", "flaky", "shrunk", "scenario", "replay"]
    )
    def test_a_finding_may_leave_it_null(self, key: str) -> None:
        good = load("report")["examples"][0]
        assert explain("report", at(good, ("requirements", 0, "findings", 0, key), None)) == []

    @pytest.mark.parametrize(
        "path",
        [(), ("bot",), ("requirements", 0), ("requirements", 0, "findings", 0), ("timing",), ("machine",)],
    )
    def test_further_keys_are_taken(self, path: tuple[str | int, ...]) -> None:
        good = load("report")["examples"][0]
        assert explain("report", at(good, (*path, "more"), {"any": 1})) == []
