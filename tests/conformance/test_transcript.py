"""Transcripts written and read back: nothing that is judged changes, and what is none is told in one line."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck import schemas
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.case import run_case
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.header import case_of, retold, setting_of, sights
from pdcheck.conformance.judge import judge
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.selftest import matrix
from pdcheck.conformance.terms import Terms
from pdcheck.conformance.transcript import (
    NOBODY,
    Ended,
    Event,
    Exit,
    Line,
    Note,
    Out,
    Probe,
    Ruled,
    Sent,
    Stderr,
    Transcript,
    TranscriptError,
)
from pdcheck.referee.game import Over, Place
from pdcheck.referee.violations import Ruling, Violation

PACK = load_pack("prime-daihinmin")
CASES = {case.id: case for case in matrix.all_cases(PACK.name, "quick")}
NAMES = ("A", "B")
GOOD = Path(matrix.__file__).parent / "bots" / "good" / "prime_daihinmin" / "steady.py"


def header() -> dict[str, Any]:
    return {
        "pdcheck": "0",
        "game": PACK.name,
        "rules": PACK.default_rules,
        "seed": 1,
        "case": None,
        "seats": [{"name": n, "kind": "candidate", "command": [n], "sha256": None} for n in NAMES],
        "setup": {},
        "environment": {},
        "limits": {"time": 10.0},
        "machine": {},
    }


# Nothing is lost ------------------------------------------------------------------------------------------------

times = st.integers(0, 10**12).map(lambda n: round(n / 1e9, 9))
seats = st.integers(0, 1)
violations = st.builds(
    Violation,
    st.sampled_from(["PD-3.1", "IO-1"]),
    st.text(max_size=9),
    st.text(max_size=9),
    st.text(max_size=9),
)
rulings = st.builds(
    Ruling,
    seats,
    st.text(max_size=5),
    st.text(max_size=5),
    st.none() | violations,
    st.lists(violations, max_size=2).map(tuple),
    st.text(max_size=5),
    st.just(""),
)
values: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=3), part, max_size=3),
    max_leaves=5,
)
overs = st.builds(
    lambda reason, rows: Over(
        reason,
        tuple(Place(seat, NAMES[seat], *row) for seat, row in enumerate(rows)),
        {"stock": 3, "winner": None},
    ),
    st.text(max_size=5),
    st.lists(st.tuples(st.integers(1, 8), st.integers(0, 3001), st.text(max_size=5)), min_size=2, max_size=2),
)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(Sent, times, seats, st.binary(max_size=20), times, times),
    st.builds(Line, times, seats, st.text(max_size=5), st.binary(max_size=20), times, times),
    st.builds(Out, times, seats, st.binary(max_size=20), st.integers(0, 99), st.integers(0, 9)),
    st.builds(Stderr, times, seats, st.binary(max_size=20)),
    st.builds(Ruled, times, rulings),
    st.builds(Exit, times, seats, st.integers(-64, 255), times, st.integers(0, 2**40)),
    st.builds(Note, times, seats | st.just(NOBODY), st.text(max_size=5), st.text(max_size=9)),
    st.builds(
        Probe,
        times,
        seats | st.just(NOBODY),
        st.text(min_size=1, max_size=5),
        st.dictionaries(st.text(max_size=3), values, max_size=3),
    ),
    st.builds(Ended, times, overs),
)


@given(st.lists(events, max_size=6))
def test_any_events_come_back(written: list[Event]) -> None:
    value = Transcript(header(), 0.0, written).as_json()
    assert schemas.explain("transcript", value) == []
    read = Transcript.from_json(json.dumps(value))
    assert (read.header, read.start, read.events) == (header(), 0.0, written)


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=9), st.floats(0, 1e6))
def test_what_came_first_stays_first(steps: list[int], start: float) -> None:
    stamps = [start + sum(steps[: at + 1]) * 1e-6 for at in range(len(steps))]
    written = [Note(at, 0, "x") for at in stamps]
    read = Transcript.from_json(json.dumps(Transcript(header(), start, list(written)).as_json()))
    again = [event.at for event in read.events]
    order = [(a < b, a == b) for a, b in itertools.pairwise(stamps)]
    assert [(a < b, a == b) for a, b in itertools.pairwise(again)] == order


def test_every_case_comes_back_from_its_header() -> None:
    for case in CASES.values():
        value = json.loads(json.dumps(retold(Transcript(header()), case).header))
        assert case_of(value, PACK, "x") == case


# Real runs are judged the same ----------------------------------------------------------------------------------

RUNS = [
    ("good", "basic/leads"),
    ("good", "conduct/no-home"),
    ("good", "conduct/two-side-by-side"),
    ("good", "matches/match-0002"),
    ("pd-2.11-array-of-256", "generated/gen-0006"),
    ("io-4-never-flushes", "basic/leads"),
    ("io-5-debug-line", "basic/leads"),
    ("pd-2.9-forgets-draw", "matches/match-0003"),
    ("pd-3.1-belphegor-25-zeros", "basic/follows"),
]


def same(result: CaseResult) -> dict[str, Any]:
    """What must be equal; seconds only to the nanosecond."""
    found = {f.name: getattr(result, f.name) for f in dataclasses.fields(result)}
    seconds = {name: value for name, value in found.items() if isinstance(value, float)}
    return {**found, **{name: pytest.approx(seconds[name], abs=1e-8) for name in seconds}} | {
        "turns": pytest.approx(result.turns, abs=1e-8)
    }


@pytest.mark.parametrize(("name", "case"), RUNS)
def test_a_real_run_is_judged_the_same_from_its_file(name: str, case: str) -> None:
    known = {bot.name for bot in matrix.faulty_bots(PACK)}
    assert name in {*known, "good"}
    bot = read_bot([str(GOOD)]) if name == "good" else matrix.faulty_bot(PACK, name)
    played = CASES[case]
    log, stage = run_case(played, Terms(bot, PACK, PACK.default_rules))
    there = judge(played, log, stage, PACK)
    text = json.dumps(log.as_json())
    assert schemas.explain("transcript", json.loads(text)) == []
    read = Transcript.from_json(text)
    (sight,) = sights(read, PACK, "x")
    assert sight.case == played
    assert sight.stage.seat == stage.seat
    assert sight.bot.command == bot.command
    here = judge(sight.case, read, sight.stage, PACK)
    assert same(here) == {f.name: getattr(there, f.name) for f in dataclasses.fields(there)}


# What is none ---------------------------------------------------------------------------------------------------


def text(**changes: Any) -> str:
    value = Transcript(header(), 0.0, [Note(0.5, 0, "quit")]).as_json()
    return json.dumps({key: part for key, part in {**value, **changes}.items() if part != "gone"})


def event(**parts: Any) -> str:
    return text(events=[{"t": 1, "seat": 0, "kind": "note", "text": "x"}, {"t": 1.5, "seat": 0, **parts}])


NONE: list[tuple[str | bytes, str]] = [
    ("", "x:1:1: expected a transcript, got no JSON: Expecting value (it may have been cut short)"),
    (text()[:-9], "(it may have been cut short)"),
    (text()[:200], "(it may have been cut short)"),
    (b"\xff\xfe", "x: expected a transcript, in JSON, got no UTF-8 at byte 0"),
    ("[" * 100_000, "x: expected a transcript, got JSON that is nested too deep"),
    ("[1, 2]", "x: the file: expected a transcript of pdcheck, got other JSON"),
    ('{"a": NaN}', "NaN is no number"),
    ('{"a": ' + "9" * 5000 + "}", "x: expected a transcript, got a number of thousands of digits"),
    (text(schema=2), "x: schema: expected 1, the version of this format, got 2"),
    (text(schema="gone"), "x: schema: expected 1, the version of this format, got null"),
    (text(events={}), "x: events: expected"),
    (text(events="gone"), "x: events: expected an array, got null"),
    (text(seats=[]), "x: seats: expected"),
    (text(seats=[{"name": "A"}]), "x: seats[0]: expected"),
    (text(game=5), "x: game: expected"),
    (text(case={"id": "a"}), "x: case: expected"),
    (text(environment={"A": 1}), "x: environment.A: expected"),
    (text(events=[1]), "x: events[0]: expected"),
    (event(kind="shout"), "x: events[1].kind: expected"),
    (event(kind="note"), "x: events[1]: expected"),
    (event(kind="note", text=3), "x: events[1].text: expected"),
    (event(kind="out"), "x: events[1]: expected"),
    (event(kind="out", base64="!"), "x: events[1].base64: expected"),
    (event(kind="out", base64="abc"), "x: events[1].base64: expected base64"),
    (event(kind="out", text="a", size="1"), "x: events[1].size: expected"),
    (event(kind="exit", status=1.5), "x: events[1].status: expected"),
    (event(kind="sent", text="a", done=True), "x: events[1].done: expected"),
    (event(kind="ruling", outcome="out", requirement="PD-3.1", expected=None, actual="a", test=None), "events[1]"),
    (event(kind="probe", what="a", values=[]), "x: events[1].values: expected"),
    (event(kind="note", text="x", seat=2), "x: events[1].seat: expected a seat below 2, counted from 0, got 2"),
    (event(kind="out", text="x", seat=None), "x: events[1].seat: expected a seat below 2, counted from 0, got null"),
    (event(kind="note", text="x", t="1"), "x: events[1].t: expected"),
    (event(kind="note", text="x", t=10**400), "x: events[1].t: expected a "),
    (event(kind="line", awaited="play", text="", cost=10**400), "x: events[1].cost: expected a "),
    (event(kind="note", text="x", t=0.5).replace("0.5", "1e999"), "x: events[1].t: expected a "),
]  # fmt: skip


@pytest.mark.parametrize(("given_text", "told"), NONE)
def test_what_is_no_transcript_is_told_in_one_line(given_text: str | bytes, told: str) -> None:
    with pytest.raises(TranscriptError) as error:
        Transcript.from_json(given_text, "x")
    message = str(error.value)
    assert message.startswith("x:")
    assert told in message
    assert message.isprintable()
    assert len(message) < 600


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda h: h.update(rules="v9"), "x: rules: expected one of published"),
        (lambda h: h.update(seed=None), "x: seed: expected"),
        (lambda h: [row.update(kind="house") for row in h["seats"]], "x: seats: expected a candidate"),
        (lambda h: h["limits"].update(time="ten"), "x: limits.time: expected seconds"),
        (lambda h: h["limits"].update(time=0), "x: limits.time: expected seconds"),
        (lambda h: h["limits"].update(time=10**400), "x: limits.time: expected seconds"),
        (lambda h: h["limits"].update(time=float("inf")), "x: limits.time: expected seconds"),
        (lambda h: h["seats"].pop(), "x: seats: 1 of them"),
        (lambda h: h["seats"][1].update(name="A"), "x: two seats have the same name"),
    ],
)
def test_a_match_that_cannot_be_judged(change: Callable[[dict[str, Any]], Any], told: str) -> None:
    log = Transcript(header())
    change(log.header)
    with pytest.raises(TranscriptError) as error:
        sights(log, PACK, "x")
    assert str(error.value).startswith(told)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda h: h["setup"].clear(), "x: setup.scenario: expected a mapping, got nothing"),
        (lambda h: h["setup"]["scenario"].pop("why"), "x: setup.scenario: expected the key why"),
        (
            lambda h: h["setup"]["scenario"].update(turns=-1),
            "x: setup.scenario.turns: expected an integer from 0",
        ),
        (
            lambda h: h["setup"]["scenario"].update(game="go"),
            "x: setup.scenario.game: expected prime-daihinmin",
        ),
        (lambda h: h["setup"]["scenario"].update(hand="12x"), "x: setup: scenario leads: hand"),
        (lambda h: h["case"].update(about="PD-99"), "x: case: there is no requirement PD-99"),
        (
            lambda h: h["case"]["setting"].update(beside="no"),
            "x: case.setting.beside: expected bool, got 'no'",
        ),
        (lambda h: h["seats"].reverse(), "x: seats: expected those of the scenario, got others"),
    ],
)
def test_a_case_that_cannot_be_judged(change: Callable[[dict[str, Any]], Any], told: str) -> None:
    log = retold(Transcript(header()), CASES["basic/leads"])
    stage = PACK.stage(CASES["basic/leads"].scenario, PACK.default_rules, None)
    rows = [
        {
            "name": name,
            "kind": "candidate" if seat == stage.seat else "house",
            "command": None,
            "sha256": None,
        }
        for seat, name in enumerate(stage.game.names)
    ]
    log.header.update(json.loads(json.dumps({**log.header, "seats": rows})))
    assert len(sights(log, PACK, "x")) == 1
    change(log.header)
    with pytest.raises((TranscriptError, ValueError)) as error:
        sights(log, PACK, "x")
    assert str(error.value).startswith(told)


def test_an_unknown_requirement_in_a_ruling() -> None:
    log = Transcript(header(), 0.0, [Ruled(1.0, Ruling(0, "out", "", Violation("PD-99", "a", "b")))])
    with pytest.raises(TranscriptError, match=r"^x: events\[0\]: there is no requirement PD-99$"):
        sights(log, PACK, "x")


def test_a_setting_of_a_later_version_is_read_as_far_as_it_is_known() -> None:
    setting = setting_of({"name": "new", "elsewhere": True, "moon": "full"}, "x")
    assert (setting.name, setting.elsewhere) == ("new", True)


def test_a_case_told_otherwise_is_in_the_header() -> None:
    case = CASES["generated/gen-0001"]
    other = dataclasses.replace(case, id="x/y", scenario=dataclasses.replace(case.scenario, about="PD-2.11"))
    log = Transcript(header(), 0.0, [Note(1.0, 0, "quit")])
    told = retold(log, other)
    assert case_of(json.loads(json.dumps(told.header)), PACK, "x") == other
    assert told.events == log.events
    assert log.header == header()


def test_the_schemas_example_is_read() -> None:
    (example,) = schemas.load("transcript")["examples"]
    read = Transcript.from_json(json.dumps(example), str(Path("x")))
    kinds = {event["kind"] for event in example["events"]} - {"eof", "cpu"}
    assert len(read.events) == sum(event["kind"] in kinds for event in example["events"])
