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


def together(at: float, first: float) -> list[Event]:
    """Two messages were sent together, and the first was answered after so many seconds."""
    sent = [Sent(at, 0, b"{}\n", at, 1.0), Sent(at, 0, b"{}\n", at, 1.0)]
    return [*sent, Line(at + first, 0, "init", b"", first, 1.0 + first)]


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


def test_what_the_bot_used_on_the_cpu_in_its_turns_is_never_the_machine_s() -> None:
    told = blame.account(story(answer(100, 8.0, 7.0), starved(6.0), control(3.0, 6.0)), LIMIT)
    assert (told.wall, told.cpu, told.own) == (8.0, 7.0, 7.0)
    assert told.words == "8.00 s by the clock, 7.00 s of CPU, 1.00 s lost to the machine"


def test_cpu_time_beyond_the_clock_s_is_that_of_its_other_threads() -> None:
    told = blame.account(story(answer(100, 2.0, 6.0), answer(110, 4.0, 0.5), starved(9.0)), LIMIT)
    assert (told.cpu, told.own) == (6.5, 2.5)


def test_the_cpu_time_of_two_answers_to_messages_sent_together_is_counted_once() -> None:
    told = blame.account(story(together(100, 2.0), Line(103.0, 0, "play", b"", 1.0, 4.0)), LIMIT)
    assert (told.wall, told.cpu) == (3.0, 3.0)


def test_what_is_not_charged_is_not_told() -> None:
    quit_: list[Event] = [Sent(105.0, 0, b"{}\n", 105.0, 1.5), Line(106.0, 0, "quit", b"", 0.0, 2.5)]
    told = blame.account(story(answer(100, 2.0, 0.5), quit_), LIMIT)
    assert (told.wall, told.cpu) == (2.0, 0.5)


def test_the_cpu_time_between_two_lines_holds_that_of_others_turns() -> None:
    turn: list[Event] = [Line(100.0, 0, "move", b"", 1.0, 1.0), Sent(104.0, 0, b"{}\n", 104.0, 3.5)]
    turn += [Line(105.0, 0, "move", b"", 3.0, 4.0)]
    told = story(turn)
    assert blame.cpu_since_line(told, told.lines[1]) == 3.0
    assert blame.turn_of(told, told.lines[1]).cpu == 0.5
    assert blame.cpu_since_line(told, told.lines[0]) == 1.0


@pytest.mark.parametrize(("back", "doubtful"), [(credit.AT_MOST, True), (1.0, False)])
def test_a_hang_is_doubtful_whatever_cpu_time_other_turns_took(back: float, doubtful: bool) -> None:
    events = [*answer(0, 70.0, 65.0), Sent(80.0, 0, b"{}\n", 80.0, 66.0), Note(145.0, 0, "awaited", "move")]
    told = story(events, Ruled(150.0, Ruling(0, "out", violation=LATE)), control(15.0), given(back))
    assert blame.doubtful_hang(told, 60.0) is doubtful


def test_what_was_given_back_was_on_the_clock_and_is_charged_once() -> None:
    told = blame.account(story(answer(100, 2.0), given(3.0), control(3.0)), LIMIT)
    assert (told.charged, told.wall, told.own) == (2.0, 5.0, 2.0)


def test_an_answer_that_never_came_has_cost_the_whole_limit() -> None:
    told = blame.account(lapsed(control(), Exit(111.0, 0, -9, 7.0, 1000)), LIMIT)
    assert (told.wall, told.cpu) == (LIMIT, 6.0)


def test_after_an_answer_in_time_one_that_never_came_has_cost_the_whole_limit() -> None:
    """Of two messages sent together the second is left in the bot's buffer: the line before is not the late one."""
    events: list[Event] = [*together(100, 0.25), Note(109.9, 0, "awaited", "play")]
    events += [Probe(109.9, 0, "silence", {"cpu": 1.75}), Note(110.0, 0, "waits")]
    told = story(events, Ruled(110.0, Ruling(0, "out", violation=LATE)), Exit(112.0, 0, 0, 3.0, 1000))
    assert told.late is None
    assert (told.awaited, "waits" in told.notes) == ("play", True)
    account = blame.account(told, LIMIT)
    assert (account.wall, account.cpu) == (LIMIT, 0.75), "its end has used more, but not in its turn"


def test_a_line_that_came_after_a_look_was_not_waited_for_in_vain() -> None:
    """Where CPU time is charged the kit looks in between."""
    looked: list[Event] = [
        Sent(100.0, 0, b"{}\n", 100.0, 1.0),
        Note(101.0, 0, "awaited", "init"),
        Note(101.0, 0, "waits"),
    ]
    looked += [Line(102.0, 0, "init", b"", 1.0, 1.5), Sent(103.0, 0, b"{}\n", 103.0, 1.5)]
    told = story(looked, Note(110.0, 0, "awaited", "play"), Ruled(110.0, Ruling(0, "out", violation=LATE)))
    assert (told.awaited, "waits" in told.notes) == ("play", False)


def test_of_a_time_that_was_over_the_machine_s_part_is_what_was_given_back_by_then() -> None:
    """It may have taken more since, while the bot was parted with: the figures told are to add up."""
    told = blame.account(lapsed(given(7.0), control(3.0, 3.0), starved(9.0)), LIMIT)
    assert told.words == "17.00 s by the clock, 0.00 s of CPU, 7.00 s lost to the machine"
    assert told.own == LIMIT


def over_by_cpu(cpu: float) -> Story:
    """All was given back that may be, and then its time was over; `cpu` of it was its own CPU time."""
    look: list[Event] = [Note(120.0, 0, "awaited", "play"), Probe(120.0, 0, "silence", {"cpu": 1.0 + cpu})]
    sent = Sent(100.0, 0, b"{}\n", 100.0, 1.0)
    out = Ruled(120.0, Ruling(0, "out", violation=LATE))
    return story(sent, look, out, control(15.0), given(credit.AT_MOST))


@pytest.mark.parametrize(("cpu", "doubtful"), [(9.9, True), (10.1, False)])
def test_a_budget_that_its_cpu_time_alone_uses_up_is_not_doubtful(cpu: float, doubtful: bool) -> None:
    assert blame.doubtful(over_by_cpu(cpu), LIMIT) is doubtful


def test_nor_is_it_without_a_control() -> None:
    told = story(answer(100, 10.5, 9.0), Ruled(110.5, Ruling(0, "out", violation=LATE)), starved(5.0))
    assert told.late
    assert not blame.doubtful(told, LIMIT)


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
