"""VA-7, the guard beside it and VA-8: CPU time is the bot's own; wall time that the machine took is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from pdcheck.conformance.credit import Credit
from pdcheck.conformance.diagnosis import diagnose
from pdcheck.conformance.findings import CaseResult
from pdcheck.conformance.judge import judge
from pdcheck.conformance.story import Story
from pdcheck.conformance.transcript import Event, Exit, Line, Note, Probe, Ruled, Sent, Transcript
from pdcheck.referee.catalogue import Level
from pdcheck.referee.valtapeli import flow
from pdcheck.referee.valtapeli.flow import Valtapeli
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.pack import GamePack, Stage

Check = Callable[..., CaseResult]
CaseOf = dict[str, object]
AT_THE_THIRD = "def fault():\n    if made == 2:\n        {}\n"
SLEEPS = AT_THE_THIRD.format("time.sleep(3600)")
SPINS = AT_THE_THIRD.format("burn(3600)")
WHOLE = "matches/match-0001"


def test_a_bot_that_sleeps_hangs_and_is_not_out_of_time(check: Check) -> None:
    [found] = check(SLEEPS, "va-5/its-first-cell-is-taken", time=0.4).findings
    assert (found.requirement, found.breakdown, found.timed) == ("IO-3", "hang", True)
    assert re.match(r"it hangs: no line, \d+\.\d s waited for it so far, 0\.\d+ s of CPU", found.actual)
    assert (found.cause or "").startswith("sleeping: ")


def test_one_that_only_reads_is_given_up_early_and_the_time_told_is_the_true_one(check: Check) -> None:
    result = check(AT_THE_THIRD.format("sys.stdin.read(); sys.exit()"), "va-5/its-first-cell-is-taken")
    [found] = result.findings
    assert (found.requirement, found.breakdown, found.timed) == ("IO-3", "silent: move", False)
    waited = float(found.actual.split("no line, ")[1].split(" s waited")[0])
    assert waited <= result.seconds + 0.05
    assert "within 60 s" in found.expected


@pytest.fixture
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guard is so far off that no busy machine meets it before a short CPU time is used up."""
    monkeypatch.setattr(flow, "GUARD", flow.GUARD._replace(turn=6e3, match=3e4))


@pytest.mark.parametrize(
    "fault", [SPINS, AT_THE_THIRD.format("os.fork() and os.wait(); burn(3600)")], ids=["itself", "in-a-child"]
)
@pytest.mark.usefixtures("_patient")
def test_one_that_works_is_out_of_cpu_time_whatever_the_case_is_about(check: Check, fault: str) -> None:
    [found] = check(fault, "va-5/its-first-cell-is-taken", time=0.3).findings
    assert (found.requirement, found.breakdown, found.level) == ("VA-7", "", Level.MUST)
    assert (
        found.timed
    )  # whether it has to be seen again is for the machine to say: this case is not judged alone
    assert "s by the clock)" in found.actual
    assert (found.cause or "").startswith("spinning: ")


@pytest.mark.usefixtures("_patient")
def test_what_is_used_after_the_last_answer_counts_to_its_end(check: Check) -> None:
    result = check("def end(): burn(0.6)", WHOLE, time=0.6)
    assert [(f.requirement, f.level) for f in result.findings] == [("VA-7", Level.MUST)]
    assert "at most 0.6 s used from its start to its end" in result.findings[0].expected
    assert result.cpu > 0.6


@pytest.mark.usefixtures("_patient")
def test_a_small_margin_is_only_told(check: Check) -> None:
    [found] = check("def fault():\n    if made == 1: burn(1.3)", WHOLE, time=1.6).findings
    assert (found.requirement, found.level) == ("VA-7", Level.INFO)
    assert found.expected == "at most 80% of 1.6 s used, 1 s left"


def test_memory_is_judged_of_all_its_processes(check: Check, pack: GamePack) -> None:
    conduct = replace_conduct(pack, 64 * 2**20)
    fill = AT_THE_THIRD.format(
        "import mmap; global kept; kept = mmap.mmap(-1, 2**26); kept.write(b'x' * 2**26)"
    )
    assert {f.requirement for f in check(fill, WHOLE, of=conduct).findings} == {"VA-8"}
    assert "VA-8" in check("", WHOLE, of=conduct).covered


def replace_conduct(pack: GamePack, most: int) -> GamePack:
    assert pack.conduct
    return replace(pack, conduct=pack.conduct._replace(most_memory=most))


# --- the machine's part ---------------------------------------------------------------------------------------


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What is given back, on a machine that has always taken half a second."""
    given: list[float] = []
    gives = Credit.give_back

    def give_back(credit: Credit, seat: int, now: float) -> float:
        given.append(gives(credit, seat, now))
        return given[-1]

    monkeypatch.setattr(Credit, "took", lambda self, seat: 0.5)
    monkeypatch.setattr(Credit, "give_back", give_back)
    return given


@pytest.mark.usefixtures("_patient")
def test_the_machine_gives_back_nothing_of_cpu_time(check: Check, given: list[float]) -> None:
    check(SPINS, "va-5/its-first-cell-is-taken", time=0.3)
    assert not any(given)


def test_the_machine_gives_back_of_a_guard(check: Check, given: list[float]) -> None:
    check(SLEEPS, "va-5/its-first-cell-is-taken", time=0.3)
    assert sum(given) == pytest.approx(0.5)


OUT = Violation("VA-7", "30 s", "30.1 s used")
HANGS = Violation("IO-3", "an answer within 60 s", "it hangs: no line")


def lapsed(violation: Violation, *more: Event) -> Transcript:
    return Transcript(
        {},
        100.0,
        [
            Sent(100.0, 0, b"1\n", 100.0, 0.0),
            Line(100.1, 0, "name", b"Tester", 0.1, 0.1),
            Ruled(100.1, Ruling(0, "name", "Tester")),
            Note(160.0, 0, "awaited", "opening"),
            Ruled(160.1, Ruling(0, "stopped", violation=violation)),
            Note(160.2, 0, "eof"),
            Exit(160.3, 0, -9, 31.0, 1000),
            *more,
        ],
    )


@pytest.mark.parametrize(
    ("asked", "told"),
    [(0.1, "31.00 s used on the CPU"), (30.1, "31.00 s used on the CPU, most of it before it was")],
)
def test_a_late_answer_is_charged_what_it_computed_in_the_others_turn_too(
    pack: GamePack, asked: float, told: str
) -> None:
    events: list[Event] = [
        Sent(100.0, 1, b"2\n", 100.0, 0.0),
        Line(100.1, 1, "name", b"Tester", 0.1, 0.1),
        Sent(140.0, 1, b"8 8\n", 140.0, asked),
        Line(172.0, 1, "move", b"9 9", 31.0, 31.1),
        Ruled(172.0, Ruling(1, "stopped", violation=OUT)),
    ]
    cause = diagnose(OUT, Story.read(events), pack).cause or ""
    assert cause.startswith("computing too long: 31.00 s were charged for this answer, ")
    assert told in cause
    assert ("before it was asked" in cause) == (asked > 1)


STALLED = [
    Probe(170.0, 0, "control", {"stalled": 12.0, "stalls": [], "kit_starved": 0.0}),
    Probe(170.0, 0, "given-back", {"seconds": 10.0}),
]


@pytest.mark.parametrize(
    ("violation", "machine", "found", "doubtful"),
    [
        (OUT, STALLED, ["VA-7"], ()),
        (OUT, [Note(170.0, 0, "starved", "29.0")], ["VA-7"], ()),
        (HANGS, STALLED, [], ("IO-3",)),
        (HANGS, [Note(170.0, 0, "starved", "29.0")], [], ("IO-3",)),
        (HANGS, [Note(170.0, 0, "starved", "1.0")], ["IO-3"], ()),
        (HANGS, STALLED[:1], ["IO-3"], ()),
    ],
    ids=["cpu-stalled", "cpu-starved", "hang-stalled", "hang-starved", "hang-calm", "hang-given-none"],
)
def test_a_stalled_machine_makes_a_hang_doubtful_and_cpu_time_never(
    pack: GamePack,
    cases: CaseOf,
    violation: Violation,
    machine: list[Event],
    found: list[str],
    doubtful: tuple[str, ...],
) -> None:
    case: object = cases["va-5/its-first-cell-is-taken"]
    stage = Stage(Valtapeli(), 0, {})
    result = judge(case, lapsed(violation, *machine), stage, pack)  # type: ignore[arg-type]
    assert [f.requirement for f in result.findings] == found
    assert result.inconclusive == doubtful
