"""What a transcript says about a bot: transcripts made by hand, judged without a bot, a process or a clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.judge import STDERR_QUIET, judge
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.setting import Setting
from pdcheck.conformance.transcript import (
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
)
from pdcheck.referee.catalogue import Level
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.pack import Span, Stage
from pdcheck.scenarios.scenario import Scenario

PACK = load_pack("prime-daihinmin")
LIMIT = 10.0
MESSAGES = {
    "init": '{"action": "init", "uid": 0, "names": ["A", "B"], "hand": [2, 3], "time": 10.0}\n',
    "play": (
        '{"action": "play", "name": "A", "hand": [2, 3], "numbers": [], "hands": [["A", 2], ["B", 2]], '
        '"record": [["A", "OK", 2, []], ["B", "OK", 2, []]]}\n'
    ),
    "pass": '{"action": "pass", "draw": [1, 2, 3, 4, 5]}\n',
    "quit": '{"action": "quit"}\n',
}
LATE = Violation("PD-5.1", "10 s for all answers", "nothing in time")
DIED = Violation("IO-1", "a bot that runs", "its stdout was closed")
SHAPELESS = Violation("JS-1", "one JSON object", "hello")
ILLEGAL = Violation("PD-3.1", "cards of the hand", "9")


@dataclass
class Told:
    """A transcript in the making; every event is a tenth of a second after the one before."""

    events: list[Event] = field(default_factory=list)
    at: float = 100.0

    def _add(self, make: Any, *parts: Any) -> Told:
        self.at += 0.1
        self.events.append(make(self.at, *parts))
        return self

    def sent(self, kind: str, data: bytes | None = None) -> Told:
        message = MESSAGES[kind].encode() if data is None else data
        return self._add(Sent, 0, message, self.at, 0.0)

    def out(self, data: bytes) -> Told:
        return self._add(Out, 0, data, len(data), data.count(b"\n"))

    def line(self, kind: str, data: bytes = b"", cost: float = 0.01) -> Told:
        return self._add(Line, 0, kind, data, cost, 0.0)

    def asked(self, kind: str, answer: bytes = b"", cost: float = 0.01) -> Told:
        return self.sent(kind).out(answer + b"\n").line(kind, answer, cost)

    def ruled(self, outcome: str, violation: Violation | None = None, *flaws: Violation) -> Told:
        return self._add(Ruled, Ruling(0, outcome, violation=violation, flaws=flaws))

    def said(self, text: bytes) -> Told:
        return self._add(Stderr, 0, text)

    def ended(self, status: int, cpu: float = 0.25) -> Told:
        return self._add(Exit, 0, status, cpu, 1000)

    def note(self, what: str, text: str = "") -> Told:
        return self._add(Note, 0, what, text)


def scenario(about: str = "PD-2.3", **more: Any) -> Scenario:
    return Scenario(game=PACK.name, name="made", about=about, why="Made by hand.", **more)


def case(about: str = "PD-2.3", *, whole: bool = False, setting: Setting | None = None, **more: Any) -> Case:
    return Case("x/made", "x", scenario(about, **more), setting or Setting(), whole=whole)


def judged(told: Told, of: Case | None = None, *, heavy: bool = False) -> CaseResult:
    game: Any = SimpleNamespace(time=LIMIT, names=("A", "B"), by_cpu=False, guard=None)
    log = Transcript({}, 100.0, told.events)
    return judge(of or case(), log, Stage(game, 0, {}, heavy), PACK)


def only(result: CaseResult) -> Finding:
    (finding,) = result.findings
    return finding


def began() -> Told:
    return Told().asked("init").asked("play", b'{"action": "pass"}').ruled("pass")


def clean() -> Told:
    return began().asked("pass").asked("quit").ruled("quit").note("quit").note("starved", "0.0").ended(0)


# --- nothing is wrong ---------------------------------------------------------------------------------------


def test_a_clean_case_gives_nothing_but_its_numbers() -> None:
    result = judged(clean())
    assert result.findings == []
    assert result.turns == [0.01] * 4
    assert result.cpu == 0.25
    assert result.seconds == pytest.approx(clean().at - 100.0)
    assert not result.slow_end
    assert result.inconclusive == ()


def test_another_seat_is_not_the_bots() -> None:
    told = clean()
    told.events += [
        Exit(101.0, 1, -9, 0.0, 0),
        Ruled(101.0, Ruling(1, "out", violation=DIED)),
        Note(101.0, 1, "stays"),
        Stderr(101.0, 1, b"x" * STDERR_QUIET),
    ]
    assert judged(told).findings == []


# --- it died ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "words", "breakdown"),
    [
        (3, "the bot ended (exit status 3)", "died 3 ValueError"),
        (-11, "the bot ended (killed by signal 11)", "died -11 ValueError"),
        (None, "the bot ended (it closed its stdout)", "died alive ValueError"),
    ],
)
def test_a_death_is_told_with_its_status_and_its_last_words(
    status: int | None, words: str, breakdown: str
) -> None:
    told = Told().asked("init").sent("play").said(b"Traceback\n  line 7\nValueError: oh 7\n")
    told = told.ended(status) if status is not None else told
    finding = only(judged(told.ruled("out", DIED)))
    assert (finding.requirement, finding.level, finding.actual) == ("IO-1", Level.MUST, words)
    assert finding.breakdown == breakdown
    first, _, rest = (finding.cause or "").partition("\n")
    assert first.startswith("closed: " if status is None else "crashed: ")
    assert rest == "its stderr ends with:\nTraceback\n  line 7\nValueError: oh 7"
    assert '"action": "play"' in finding.sent
    assert not finding.timed


def test_numbers_in_last_words_do_not_make_two_faults_of_one() -> None:
    def breakdown(words: bytes) -> str:
        return only(judged(Told().sent("init").said(words).ended(1).ruled("out", DIED))).breakdown

    assert breakdown(b"Error at 0x7f12: no") == breakdown(b"Error at 0x8f99: yes")
    assert breakdown(b"KeyError: 'a'") != breakdown(b"ValueError: 'a'")


def test_a_death_without_a_word_says_so() -> None:
    told = Told().sent("init").ended(1).ruled("out", DIED)
    assert only(judged(told)).cause == "crashed: exit status 1\nnothing on its stderr"


def test_a_sigkill_may_have_been_the_machines() -> None:
    def timed(status: int) -> bool:
        return only(judged(Told().sent("init").ended(status).ruled("out", DIED))).timed

    assert timed(-9)
    assert not timed(-6)


def test_only_the_end_of_stderr_is_kept() -> None:
    told = Told().sent("init").said(b"".join(b"%d\n" % n for n in range(500))).ended(1).ruled("out", DIED)
    assert (only(judged(told)).cause or "").splitlines()[2:] == list(map(str, range(468, 500)))


@pytest.mark.parametrize(
    ("about", "blame", "requirement"),
    [("JS-3", True, "JS-3"), ("JS-3", False, "IO-1"), ("PD-3.1", True, "IO-1"), ("PD-2.12", True, "PD-2.12")],
)
def test_a_breakdown_where_a_bot_must_be_able_to_take_something_breaks_that(
    about: str, blame: bool, requirement: str
) -> None:
    told = Told().sent("init").ended(1).ruled("out", DIED)
    finding = only(judged(told, case(about, blame=blame)))
    assert finding.requirement == requirement
    assert finding.dedicated is (requirement == about)


# --- it said nothing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "requirement"),
    [("init", "PD-2.1"), ("play", "PD-2.3"), ("pass", "PD-2.6"), ("quit", "PD-2.8")],
)
@pytest.mark.parametrize("deaf", [False, True])
def test_silence_breaks_what_asks_for_that_answer(kind: str, requirement: str, deaf: bool) -> None:
    told = Told().asked("init") if kind != "init" else Told()
    told = told.sent(kind).note("awaited", kind).note("deaf" if deaf else "waits")
    finding = only(judged(told.ruled("out", LATE).note("eof").ended(0)))
    assert (finding.requirement, finding.breakdown) == (requirement, f"silent: {kind}")
    assert f"instead of answering `{kind}`" in (finding.cause or "")
    assert finding.timed is not deaf, "a bot that waits for more input does so on any machine"


def test_an_answer_that_comes_with_the_end_of_input_was_not_flushed() -> None:
    told = (
        Told()
        .sent("init")
        .note("awaited", "init")
        .note("waits")
        .ruled("out", LATE)
        .note("eof")
        .out(b"\n")
        .ended(0)
    )
    finding = only(judged(told))
    assert (finding.requirement, finding.breakdown) == ("IO-4", "silent: unflushed")
    assert "only when its input was closed" in (finding.cause or "")


@pytest.mark.parametrize("end", ["stays", "starved"], ids=["stays", "answers-later"])
def test_a_bot_that_is_busy_ran_out_of_time(end: str) -> None:
    told = Told().asked("init").sent("play").ruled("out", LATE).note("eof").out(b"{}\n").note(end, "0")
    result = judged(told)
    assert (only(result).requirement, only(result).breakdown) == ("PD-5.1", "")
    assert only(result).timed


def test_an_answer_without_a_line_feed() -> None:
    violation = Violation("IO-3", "one line ended by LF", '{"action": "pass"}')
    finding = only(judged(Told().asked("init").sent("play").out(b"{}").ruled("out", violation)))
    assert (finding.requirement, finding.breakdown) == ("IO-3", "silent: no LF")


# --- it lost step -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "requirement"),
    [
        (b"hello\n\n", "IO-2"),
        (b"\nthinking\n", "IO-5"),
        (b"hello\nthere\n", "IO-5"),
        (b"\n\n", "IO-3"),
        (b'{"action": "pass"}\n\n', "IO-3"),
    ],
)
def test_lines_too_many_are_told_by_what_they_are(lines: bytes, requirement: str) -> None:
    finding = only(judged(Told().sent("init").out(lines).line("init").ruled("out", SHAPELESS)))
    assert (finding.requirement, finding.breakdown) == (requirement, f"lost step {requirement}")
    assert "1 more line(s) than messages" in (finding.cause or "")
    text = next((line.decode() for line in lines.split(b"\n") if line[:1] not in (b"", b"{")), None)
    assert finding.actual == (f"a line of text: {text}" if text else SHAPELESS.actual)


def test_a_wrong_answer_in_step_is_itself() -> None:
    told = Told().asked("init").asked("play", b"hello").ruled("out", SHAPELESS)
    finding = only(judged(told))
    assert (finding.requirement, finding.breakdown) == ("JS-1", "shape JS-1")


def test_lines_are_counted_of_the_whole_output_not_of_what_was_kept() -> None:
    told = Told().sent("init").out(b"\n").line("init")
    told.events.append(Out(told.at, 0, b"\n" * 10, 4096, 5000))
    assert only(judged(told.ruled("out", SHAPELESS))).requirement == "IO-3"


def test_acknowledgements_out_of_step_say_nothing_more() -> None:
    odd = Violation("PD-2.2", "an empty line", "hello")
    other = Violation("IO-6", "LF", "CR LF")
    told = Told().sent("init").out(b"hello\n\n").line("init", b"hello").ruled("init", None, odd, other)
    lost = judged(told.ruled("out", SHAPELESS))
    assert {finding.requirement for finding in lost.findings} == {"IO-2", "IO-6"}
    told = Told().asked("init", b"hello").ruled("init", None, odd).asked("play").ruled("out", ILLEGAL)
    in_step = judged(told)
    assert {finding.requirement for finding in in_step.findings} == {"PD-2.2", "PD-3.1"}


def test_a_rule_broken_is_no_breakdown() -> None:
    finding = only(judged(began().ruled("out", ILLEGAL), case("JS-3")))
    assert (finding.requirement, finding.breakdown, finding.dedicated) == ("PD-3.1", "", False)
    assert only(judged(began().ruled("out", ILLEGAL), case("PD-3.1"))).dedicated


# --- it was late --------------------------------------------------------------------------------------------


def late(cost: float, starved: float) -> Told:
    told = Told().asked("init").asked("play", b'{"action": "pass"}', cost).ruled("out", LATE)
    return told.note("eof").note("starved", f"{starved:.6f}").ended(0)


@pytest.mark.parametrize(
    ("cost", "starved", "blamed"), [(10.5, 0.0, True), (10.5, 2.4, True), (10.5, 2.6, False)]
)
def test_time_without_a_core_is_the_machines(cost: float, starved: float, blamed: bool) -> None:
    result = judged(late(cost, starved), case("PD-5.1", whole=True))
    assert [finding.requirement for finding in result.findings] == ["PD-5.1"] * blamed
    assert result.inconclusive == (() if blamed else ("PD-5.1",))
    assert all(finding.timed for finding in result.findings)


@pytest.mark.parametrize(("starved", "blamed"), [(1.9, True), (2.1, False)])
def test_a_bot_that_never_answered_may_have_waited_for_a_core_too(starved: float, blamed: bool) -> None:
    told = Told().asked("init").sent("play").ruled("out", LATE)
    told = told.note("eof").note("starved", f"{starved:.6f}").note("stays")
    result = judged(told, case("PD-5.3", whole=True))
    assert [finding.requirement for finding in result.findings] == ["PD-5.3"] * blamed
    assert result.inconclusive == (() if blamed else ("PD-5.3",))


def test_silence_after_an_answer_in_time_is_told_with_the_time_that_was_waited() -> None:
    told = Told().sent("init").sent("play").out(b"\n").line("init", b"", 0.2).note("awaited", "play")
    finding = only(judged(told.ruled("out", LATE).note("eof").note("starved", "0").ended(0)))
    assert finding.actual == "nothing in time (10.00 s by the clock, 0.25 s of CPU)"
    assert "this answer" not in (finding.cause or "")


def test_a_late_line_is_told_though_the_bot_is_told_to_quit_after_it() -> None:
    """As in a match among others, where nobody stops when one is out."""
    told = Told().asked("init").asked("play", b'{"action": "pass"}', 10.5)
    told.events[-1] = told.events[-1]._replace(cpu=9.0)  # type: ignore[call-arg]
    finding = only(judged(told.ruled("out", LATE).asked("quit", cost=0.0).ruled("quit").ended(0)))
    assert (finding.cause or "").startswith("computing too long: this answer took 10.50 s, 9.00 s of it")


def test_a_late_line_is_late_however_slowly_the_kit_took_it_down() -> None:
    told = Told().asked("init").asked("play", b'{"action": "pass"}', 10.5)
    told.at += 5.0  # the kit itself got no core between the line and the referee's word
    result = judged(told.ruled("out", LATE).note("eof").note("starved", "0").ended(0))
    assert (only(result).requirement, only(result).breakdown) == ("PD-5.1", "")


@pytest.mark.parametrize(
    ("about", "whole", "heavy", "requirement", "level"),
    [
        ("PD-2.11", False, False, "PD-5.1", Level.MUST),
        ("PD-2.11", False, True, "PD-5.1", Level.INFO),
        ("PD-5.1", True, True, "PD-5.1", Level.MUST),
        ("PD-5.3", True, False, "PD-5.3", Level.SHOULD),
    ],
)
def test_where_an_overrun_counts(
    about: str, whole: bool, heavy: bool, requirement: str, level: Level
) -> None:
    finding = only(judged(late(10.5, 0.0), case(about, whole=whole), heavy=heavy))
    assert (finding.requirement, finding.level, finding.timed) == (requirement, level, True)


@pytest.mark.parametrize(("cost", "starved", "warned"), [(7.9, 0, False), (8.5, 0, True), (8.5, 1.0, False)])
def test_the_margin_of_a_whole_match(cost: float, starved: float, warned: bool) -> None:
    told = Told().asked("init").asked("play", b'{"action": "pass"}', cost).ruled("pass")
    told = told.note("quit").note("starved", f"{starved:.6f}").ended(0)
    result = judged(told, case("PD-5.1", whole=True))
    assert [(f.requirement, f.level) for f in result.findings] == [("PD-5.2", Level.SHOULD)] * warned
    assert result.used_share == pytest.approx((cost + 0.01 - starved) / LIMIT)
    assert judged(told, case("PD-5.1")).used_share == 0, "outside whole matches no time is judged"


# --- long lines, long words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "level"), [(1 << 18, Level.MUST), (1 << 20, Level.SHOULD)])
def test_a_long_line_is_a_must_up_to_256_kib(size: int, level: Level) -> None:
    message = MESSAGES["play"].encode().replace(b"{", b"{" + b" " * (size - len(MESSAGES["play"])), 1)
    told = Told().asked("init").sent("play", message).ended(1).ruled("out", DIED)
    finding = only(judged(told, case("IO-7")))
    assert (finding.requirement, finding.level) == ("IO-7", level)
    assert finding.size == len(message)
    assert len(finding.sent) < 2_000


def test_much_on_stderr() -> None:
    assert judged(clean().said(b"x" * STDERR_QUIET)).findings == []
    assert only(judged(clean().note("stderr-dropped", "7 bytes"))).requirement == "IO-13"


def test_what_a_bot_says_cannot_drive_a_terminal() -> None:
    finding = only(judged(Told().sent("init").said(b"\x1b[2Joh\n\x07\n").ended(1).ruled("out", DIED)))
    assert (finding.cause or "").splitlines()[2:] == ["\\x1b[2Joh", "\\x07"]


def test_a_first_copy_that_ends_is_disturbed() -> None:
    told = clean().note("first-copy-ended", "it ended while the second one played")
    assert only(judged(told, case("IO-14"))).requirement == "IO-14"


# --- how it ends --------------------------------------------------------------------------------------------

ENDINGS = {
    "quit-stays": (["quit", "stays"], None, "IO-9", True),
    "quit-status": (["quit"], 3, "IO-9", False),
    "quit-signal": (["quit"], -6, "IO-9", False),
    "eof-stays": (["eof", "stays"], None, "IO-10", True),
    "eof-signal": (["eof"], -6, "IO-10", False),
    "eof-status": (["eof"], 1, "IO-10 INFO", False),
    "term-stays": (["term", "stays"], None, "IO-11", True),
    "survivors": (["quit", "survivors"], 0, "IO-11", True),
    "quit": (["quit"], 0, "", False),
    "eof": (["eof"], 0, "", False),
    "term": (["term"], -15, "", False),
    "hurry": (["hurry"], None, "", False),
}


@pytest.mark.parametrize(("notes", "status", "wanted", "timed"), ENDINGS.values(), ids=ENDINGS)
def test_the_end(notes: list[str], status: int | None, wanted: str, timed: bool) -> None:
    told = began()
    for what in notes:
        told.note(what)
    result = judged(told.ended(status) if status is not None else told)
    if not wanted:
        assert result.findings == []
        return
    finding = only(result)
    requirement, _, level = wanted.partition(" ")
    assert finding.requirement == requirement
    assert finding.level == (level or PACK.catalogue()[requirement].level)
    assert finding.timed is timed
    assert not finding.broke_down
    assert result.slow_end is ("survivors" in notes or notes == ["quit", "stays"])


@pytest.mark.parametrize(("what", "calm"), [("stays", True), ("survivors", False)])
def test_whether_a_survivor_got_a_core_nobody_saw(what: str, calm: bool) -> None:
    told = began().note("term")._add(Probe, 0, "control", {"stalled": 0.0})
    finding = only(judged(told.note(what)))
    assert (finding.requirement, finding.timed, finding.calm) == ("IO-11", True, calm)


def test_an_end_in_the_middle_of_a_line_is_told_as_that() -> None:
    told = began().sent("play", b'{"action": "pl').note("eof").ended(1)
    assert only(judged(told)).actual == "exit status 1, when its input ended in the middle of a line"


def test_a_flood_at_the_end_is_counted() -> None:
    result = judged(began().note("eof").out(b"x" * 5000).note("stays"))
    assert "5000 bytes written meanwhile" in only(result).actual


def test_the_end_of_a_bot_that_is_out_is_not_judged() -> None:
    told = began().ruled("out", ILLEGAL).note("eof").note("stays")
    assert only(judged(told)).requirement == "PD-3.1"


# --- what was put to the test -------------------------------------------------------------------------------


def test_a_case_covers_what_it_is_about_and_what_was_answered() -> None:
    covered = set(judged(clean(), case("PD-2.12")).covered)
    assert {"PD-2.12", "IO-3", "JS-1", "PD-2.1", "PD-2.2", "PD-2.3", "PD-2.6", "PD-2.7", "PD-2.8"} <= covered
    assert {"IO-9", "IO-11"} <= covered
    assert not {"PD-3.1", "IO-10", "IO-2", "PD-5.1"} & covered
    assert judged(Told().sent("init").ended(1).ruled("out", DIED), case("PD-2.12")).covered == ("PD-2.12",)


@pytest.mark.parametrize(
    ("how", "ends"),
    [("quit", {"IO-9", "IO-11"}), ("eof", {"IO-10"}), ("term", {"IO-11"}), ("hurry", set()), ("", set())],
)
def test_an_end_covers_its_own_requirement(how: str, ends: set[str]) -> None:
    covered = set(judged(began().note(how).ended(0)).covered)
    assert covered & {"IO-9", "IO-10", "IO-11"} == ends


def test_a_legal_play_covers_the_rules_and_a_whole_match_its_time() -> None:
    told = Told().asked("init").asked("play", b'{"action": "number", "cards": [2]}').ruled("ok").note("quit")
    assert {"PD-3.1", "PD-3.6"} <= set(judged(told).covered)
    assert {"PD-5.1", "PD-5.2"} <= set(judged(told, case("PD-5.1", whole=True)).covered)
    assert "IO-2" in judged(told, case(setting=Setting("listens", listen=True))).covered


def test_features_are_those_of_what_it_was_given_before_it_broke_down() -> None:
    told = Told().asked("init").sent("play").ruled("out", DIED)
    before = judged(told).features
    after = judged(told.sent("pass", b'{"action": "pass", "draw": [1]}\n')).features
    assert before == after
    assert before["seats"] == Span(2, 2)
    assert before["hand_cards"] == Span(2, 2)
