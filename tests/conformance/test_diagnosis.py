"""Why a bot said nothing: transcripts made by hand, with looks as `probes` makes them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pdcheck.conformance.diagnosis import Diagnosis, diagnose
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.story import Story
from pdcheck.conformance.transcript import Event, Exit, Line, Note, Out, Probe, Ruled, Sent, Stderr
from pdcheck.referee.violations import Ruling, Violation

PACK = load_pack("prime-daihinmin")
LATE = Violation("PD-5.1", "an answer to `init` within 10 s", "no line in time")
DIED = Violation("IO-1", "the bot stays alive", "its output ended")
MESSAGE = b'{"action": "init"}\n'
READS = {"state": "S", "call": "read", "fd": "stdin"}
FUTEX = {"state": "S", "call": "futex"}
SLEEPS = {"state": "S", "call": "clock_nanosleep"}
RUNS = {"state": "R"}
TERM = {"works": True, "set": {"TERM": "xterm"}}


def look(*threads: dict[str, Any], **values: Any) -> dict[str, Any]:
    """A look at one process with these threads."""
    usual = {
        "cpu": 0.1,
        "system": 0.0,
        "looked": 0.05,
        "ran": 0.0,
        "unread": {"pipe": 0, "kit": 0},
        "lacks": {},
    }
    return {"processes": [{"name": "bot", "exe": "bot", "threads": list(threads)}], **usual, **values}


def silent(
    seen: dict[str, Any] | None = None,
    *,
    said: bytes = b"",
    note: str = "",
    later: bytes = b"",
    **second: dict[str, Any],
) -> Diagnosis:
    """`init` was sent, nothing came; then the input was closed, and `later` came."""
    events: list[Event] = [Sent(1.0, 0, MESSAGE, 1.0, 0.0)]
    events += [Stderr(2.0, 0, said)] if said else []
    events += [Note(10.9, 0, "awaited", "init")]
    events += [Probe(11.0, 0, "silence", seen)] if seen else []
    events += [Note(11.1, 0, note)] if note else []
    events += [Ruled(11.1, Ruling(0, "out", violation=LATE)), Note(11.2, 0, "eof")]
    events += [Out(11.3, 0, later, len(later), later.count(b"\n"))] if later else []
    events += [Probe(12.0, 0, what, values) for what, values in second.items()]
    return diagnose(LATE, Story.read(events), PACK)


SPINNING = look(RUNS, cpu=10.0, ran=0.05)
TOLD = {
    "spins": (silent(SPINNING), "PD-5.1", "spinning: it used 10.0 s of CPU in the 10.0 s since"),
    "spins-in-system": (silent(look(RUNS, cpu=10.0, system=4.0)), "PD-5.1", "spinning: .* in the system"),
    "spins-with-more-time": (
        silent(SPINNING, terminal={"works": False, "patience": 0.5}),
        "PD-5.1",
        "spinning: .*given more time it did not answer either",
    ),
    "computes": (
        silent(SPINNING, terminal={"works": True, "patience": 0.5, "seconds": 12.3}),
        "PD-5.1",
        "computing too long: .*after 12.3 s",
    ),
    "computes-and-answers": (silent(SPINNING, later=b"\n"), "PD-5.1", "computing too long: .*0.2 s too late"),
    "sleeps": (silent(look(SLEEPS)), "PD-5.1", "sleeping: "),
    "sleeps-by-wchan": (silent(look({"state": "S", "wchan": "hrtimer_nanosleep"})), "PD-5.1", "sleeping: "),
    "reads-by-wchan": (silent(look({"state": "S", "wchan": "pipe_read"})), "PD-5.1", "still reading: "),
    "sleeps-after-a-stop": (
        silent(look({"state": "S", "call": "restart_syscall", "wchan": "hrtimer_nanosleep"})),
        "PD-5.1",
        "sleeping: ",
    ),
    "stopped": (silent(look({"state": "T", "call": "-1"})), "PD-5.1", "stopped: "),
    "locked": (silent(look(FUTEX)), "PD-5.1", r"dead-locked: .*lock of its own \(futex\)"),
    "locked-stderr": (
        silent(look({"state": "S", "call": "write", "fd": "stderr"})),
        "PD-5.1",
        "dead-locked: blocked writing to its stderr",
    ),
    "locked-pipe": (
        silent(look({"state": "S", "call": "read", "fd": "pipe"})),
        "PD-5.1",
        "dead-locked: blocked reading from a pipe that is not its input",
    ),
    "child": (
        silent(look({"state": "S", "call": "wait4"})),
        "PD-5.1",
        "dead-locked: .*a process that it started",
    ),
    "events": (silent(look({"state": "S", "call": "poll"})), "PD-5.1", "still reading: "),
    "unknown": (silent(look({"state": "D"}, lacks={"syscall": "denied"})), "PD-5.1", "waiting: .*syscall"),
    "no-look": (silent(), "PD-5.1", "it was still busy"),
    "reads": (silent(look(READS), note="deaf"), "PD-2.1", "still reading: .*it has read the whole message"),
    "reads-in-a-thread": (silent(look(FUTEX, READS)), "PD-2.1", "still reading: "),
    "reads-by-events": (
        silent(look({"state": "S", "call": "epoll_wait", "watches": ["stdin"]}, FUTEX)),
        "PD-2.1",
        "still reading: ",
    ),
    "a-thread-reads-another-sleeps": (silent(look(SLEEPS, READS)), "PD-5.1", "sleeping: "),
    "reads-and-runs": (silent(look(RUNS, READS, ran=0.05)), "PD-5.1", "spinning: "),
    "reads-slowly": (
        silent(look(FUTEX, unread={"pipe": 7, "kit": 0}), note="waits"),
        "PD-2.1",
        "dead-locked: ",
    ),
    "unread": (
        silent(look(READS, unread={"pipe": 7, "kit": 1}), note="waits"),
        "PD-2.1",
        "still reading: .*8 of the message's 19 bytes",
    ),
    "late": (
        silent(look(READS), note="overdue", later=b"\n"),
        "PD-5.1",
        "late: it answered when its time was just over; its answer came 0.2 s too late",
    ),
    "late-asleep": (silent(look(SLEEPS), note="overdue", later=b"\n"), "PD-5.1", "sleeping: .*too late"),
    "unflushed": (
        silent(look(READS), note="deaf", later=b"\n"),
        "IO-4",
        "missing flush: .*when its input was closed",
    ),
    "unflushed-terminal": (
        silent(look(READS), note="deaf", later=b"\n", terminal={"works": True}),
        "IO-4",
        "missing flush: .*under a terminal it comes at once",
    ),
    "only-under-a-terminal": (
        silent(look(READS), note="deaf", terminal={"works": True}),
        "IO-4",
        "missing flush: under a terminal it answers",
    ),
    "own-buffer": (
        silent(look(READS), note="deaf", later=b"\n", terminal={"works": False}, together={"lines": 2}),
        "IO-4",
        "missing flush: .*a buffer of the bot's own",
    ),
    "reads-to-end": (
        silent(look(READS), note="deaf", later=b"\n", terminal={"works": False}, together={"lines": 1}),
        "PD-2.1",
        "still reading: .*to the end of its input",
    ),
    "stderr": (silent(look(READS), note="deaf", said=b"\n"), "PD-2.1", "answered on stderr: "),
    "stderr-object": (
        silent(look(READS), note="deaf", said=b'hm\n{"action": "pass"}\n'),
        "PD-2.1",
        'answered on stderr: .*{"action": "pass"}',
    ),
    "stderr-log": (silent(look(READS), note="deaf", said=b"{not json}\n"), "PD-2.1", "still reading: "),
    "needs-term": (silent(look(READS), note="deaf", term=TERM), "IO-12", "needs TERM: with TERM=xterm"),
}


@pytest.mark.parametrize(("found", "requirement", "cause"), TOLD.values(), ids=TOLD)
def test_the_first_line_names_the_cause(found: Diagnosis, requirement: str, cause: str) -> None:
    assert found.requirement == requirement
    first = (found.cause or "").splitlines()[0]
    assert re.match(cause, first), first


@pytest.mark.parametrize(
    ("seen", "requirement"),
    [
        (look({"state": "S", "call": "poll"}), "IO-8"),
        (look({"state": "S", "call": "poll"}, unread={"pipe": 9, "kit": 0}), "PD-5.1"),
        (look(SLEEPS), "PD-5.1"),
        (look({"state": "S", "call": "poll"}, ran=0.05), "PD-5.1"),
    ],
    ids=["polls", "has-not-read-it", "sleeps", "is-busy"],
)
def test_what_came_with_the_message_before_lies_in_its_own_buffer(
    seen: dict[str, Any], requirement: str
) -> None:
    """The message was sent before the last answer, and read."""
    for at, wanted in ((1.5, requirement), (0.5, "PD-5.1")):
        events: list[Event] = [Sent(at - 0.1, 0, MESSAGE, 0.4, 0.0), Sent(1.0, 0, MESSAGE, 1.0, 0.0)]
        events += [Line(at, 0, "init", b"", 0.1, 0.1), Note(10.9, 0, "awaited", "play")]
        events += [Probe(11.0, 0, "silence", seen), Ruled(11.1, Ruling(0, "out", violation=LATE))]
        events.sort(key=lambda event: event.at)
        assert diagnose(LATE, Story.read(events), PACK).requirement == wanted


def test_an_object_over_several_lines_is_told_as_that() -> None:
    lines, broken = b'\n{\n  "action": "pass"\n}\n', Violation("JS-1", "one JSON object", "{")
    events: list[Event] = [Sent(1.0, 0, MESSAGE, 1.0, 0.0), Sent(1.5, 0, MESSAGE, 1.5, 0.0)]
    events += [Out(2.0, 0, lines, len(lines), 4), Ruled(2.1, Ruling(0, "out", violation=broken))]
    found = diagnose(broken, Story.read(events), PACK)
    assert (found.requirement, found.breakdown) == ("IO-3", "lost step IO-3")
    assert found.actual == "an object over 3 lines, the first of them: {"
    assert (found.cause or "").startswith("pretty-printed JSON: 2 more")


def died(**second: dict[str, Any]) -> Diagnosis:
    events: list[Event] = [Sent(1.0, 0, MESSAGE, 1.0, 0.0), Stderr(1.1, 0, b"KeyError: 'TERM'\n")]
    events += [Exit(1.2, 0, 1, 0.1, 1), Ruled(1.3, Ruling(0, "out", violation=DIED))]
    events += [Probe(2.0, 0, what, values) for what, values in second.items()]
    return diagnose(DIED, Story.read(events), PACK)


def test_a_death_that_a_terminal_prevents_is_one_of_surroundings() -> None:
    plain = died(again={"works": False}, term={"works": False, "set": {}}, terminal={"works": False})
    assert (plain.requirement, plain.needs, plain.terminal_only) == ("IO-1", {}, False)
    term = died(again={"works": False}, term=TERM)
    assert (term.requirement, term.needs, term.terminal_only) == ("IO-12", TERM["set"], False)
    terminal = died(again={"works": False}, term={"works": False, "set": {}}, terminal={"works": True})
    assert (terminal.requirement, terminal.needs, terminal.terminal_only) == ("IO-12", {}, True)
    assert "KeyError: 'TERM'" in (terminal.cause or ""), "how it died is told all the same"
    assert plain.breakdown == term.breakdown == terminal.breakdown


@pytest.mark.parametrize(("cpu", "word"), [(10.4, "computing too long"), (0.2, "waiting")])
def test_a_late_answer_tells_what_it_was_spent_on(cpu: float, word: str) -> None:
    events: list[Event] = [Sent(1.0, 0, MESSAGE, 1.0, 0.1), Line(11.5, 0, "init", b"", 10.5, 0.1 + cpu)]
    events += [Ruled(11.5, Ruling(0, "out", violation=LATE))]
    found = diagnose(LATE, Story.read(events), PACK)
    assert found.requirement == "PD-5.1"
    assert (found.cause or "").startswith(f"{word}: this answer took 10.50 s, {cpu:.2f} s of it on the CPU")


@pytest.mark.parametrize(("cpu", "word"), [(0.5, "waiting"), (8.0, "computing too long")])
def test_time_that_many_answers_took_is_not_put_down_to_the_last_one(cpu: float, word: str) -> None:
    events: list[Event] = []
    for at in range(100):
        events += [Sent(float(at), 0, MESSAGE, at + 0.0, 0.0), Line(at + 0.1, 0, "init", b"", 0.1, 0.0)]
    events += [Sent(100.0, 0, MESSAGE, 100.0, 0.0), Note(100.1, 0, "awaited", "init")]
    events += [
        Probe(100.1, 0, "silence", look(SLEEPS, cpu=cpu)),
        Ruled(100.1, Ruling(0, "out", violation=LATE)),
    ]
    found = diagnose(LATE, Story.read(events), PACK)
    assert found.requirement == "PD-5.1"
    assert (found.cause or "").startswith(
        f"{word}: the 100 answers before took 10.0 s together ({cpu:.1f} s of CPU"
    )
