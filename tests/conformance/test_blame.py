"""Whose time it was, from transcripts made by hand."""

from __future__ import annotations

from typing import Any

import pytest
from pdcheck.conformance import blame, credit
from pdcheck.conformance.blame import CALM, MARGIN
from pdcheck.conformance.story import Story
from pdcheck.conformance.transcript import Event, Exit, Line, Note, Probe, Ruled, Sent
from pdcheck.referee.violations import Ruling, Violation

LIMIT = 10.0
LATE = Violation("PD-5.1", "10 s for all answers", "nothing in time")


def control(stalled: float = 0.0, kit_starved: float = 0.0) -> Event:
    return Probe(200.0, 0, "control", {"stalled": stalled, "stalls": [], "kit_starved": kit_starved})


def starved(seconds: float) -> Event:
    return Note(199.0, 0, "starved", f"{seconds:.6f}")


def given(seconds: float, what: str = "given-back") -> Event:
    return Probe(150.0, 0, what, {"seconds": seconds})


def answer(at: float, cost: float, cpu: float = 0.0) -> list[Event]:
    return [Sent(at, 0, b"{}\n", at, 1.0), Line(at + cost, 0, "play", b"", cost, 1.0 + cpu)]


def story(*events: Event | list[Event]) -> Story:
    flat: list[Event] = []
    for event in events:
        flat += event if isinstance(event, list) else [event]
    return Story.read(flat)


def lapsed(*more: Any) -> Story:
    return story(Sent(100.0, 0, b"{}\n", 100.0, 1.0), Ruled(110.0, Ruling(0, "out", violation=LATE)), *more)


def test_clock_cpu_and_the_machine_s_part_are_told() -> None:
    told = blame.account(
        story(answer(100, 2.0, 0.5), answer(105, 1.0, 0.25), control(0.5, 0.25), starved(0.25)), LIMIT
    )
    assert (told.wall, told.cpu, told.machine, told.own) == (3.0, 0.75, 1.0, 2.0)
    assert told.words == "3.00 s by the clock, 0.75 s of CPU, 1.00 s lost to the machine"
    calm = blame.account(story(answer(100, 2.0, 0.5), control()), LIMIT)
    assert calm.words == "2.00 s by the clock, 0.50 s of CPU"


def test_what_was_given_back_was_on_the_clock_and_is_charged_once() -> None:
    told = blame.account(story(answer(100, 2.0), given(3.0), control(3.0)), LIMIT)
    assert (told.charged, told.wall, told.own) == (2.0, 5.0, 2.0)


def test_an_answer_that_never_came_has_cost_the_whole_limit() -> None:
    told = blame.account(lapsed(control(), Exit(111.0, 0, -9, 7.0, 1000)), LIMIT)
    assert (told.wall, told.cpu) == (LIMIT, 6.0)


@pytest.mark.parametrize(
    ("events", "doubtful"),
    [
        ([control()], False),
        ([control(0.5), starved(1.0), given(1.5)], False),
        ([control(12.0), given(credit.AT_MOST)], True),
        ([control(12.0), given(credit.AT_MOST - credit.GRAIN)], True),
        ([control(12.0), given(credit.AT_MOST / 2)], False),
    ],
    ids=["calm", "given-back", "all-given", "nearly-all-given", "half-given"],
)
def test_with_a_control_only_what_could_not_be_given_back_is_doubtful(
    events: list[Event], doubtful: bool
) -> None:
    assert blame.doubtful(lapsed(*events), LIMIT) is doubtful


@pytest.mark.parametrize(
    ("share", "doubtful"), [(0.0, False), (1 - MARGIN - 0.01, False), (1 - MARGIN + 0.01, True)]
)
def test_without_one_a_bot_that_waited_long_for_a_core_is_doubtful(share: float, doubtful: bool) -> None:
    assert blame.doubtful(lapsed(starved(share * LIMIT)), LIMIT) is doubtful


def test_an_end_is_doubtful_when_all_of_its_time_was_given_back() -> None:
    assert not blame.doubtful_end(story(control()), 2.0)
    assert not blame.doubtful_end(story(given(1.0, "end-given-back")), 2.0)
    assert blame.doubtful_end(story(given(2.0, "end-given-back")), 2.0)


@pytest.mark.parametrize(
    ("events", "calm"),
    [
        ([control()], True),
        ([], False),
        ([starved(0.0)], False),
        ([control(CALM + 0.01)], False),
        ([control(kit_starved=CALM + 0.01)], False),
        ([control(), starved(CALM + 0.01)], False),
        ([control(), given(CALM + 0.01, "end-given-back")], False),
        ([control(CALM / 4), starved(CALM / 4)], True),
    ],
)
def test_calm_is_what_a_control_saw(events: list[Event], calm: bool) -> None:
    assert blame.calm(story(*events)) is calm
