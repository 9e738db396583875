"""From a transcript to findings.

Law: a pure function of the case and its transcript. A breakdown (the bot died, fell silent, lost step with the
messages) has one root: where the scenario is about something a bot must be able to take, that is what broke;
otherwise the general requirement is. `reconcile` then lets one fault count once over all cases.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable
from dataclasses import dataclass, field

from pdcheck.conformance import causes
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.transcript import Event, Exit, Line, Note, Out, Ruled, Sent, Stderr, Transcript
from pdcheck.referee.catalogue import Level
from pdcheck.referee.violations import Ruling, Violation, elide, quoted
from pdcheck.scenarios.pack import GamePack, Stage

STDERR_LINES = 32
STDERR_QUIET = 1 << 20
MARGIN = 0.8
"""PD-5.2: "warns when over 80 % is used or under 1 s is left"."""
MUST_LINE = 1 << 18
"""IO-7: a line of up to 256 KiB is a MUST, a longer one a SHOULD."""
ALWAYS = ("IO-1", "IO-3", "IO-4", "IO-5", "IO-6", "IO-13", "IO-15", "JS-1", "JS-5")
"""What every case with an answer in it puts to the test."""
SHAPE = frozenset({"IO-2", "IO-3", "IO-5", "IO-6", "JS-1", "PD-2.3", "PD-2.4"})


@dataclass
class _Story:
    """One seat's part of a transcript, sorted out."""

    sent: list[Sent] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    outs: list[Out] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    notes: dict[str, Note] = field(default_factory=dict)
    stderr: bytes = b""
    exit: Exit | None = None
    lapsed_at: float = 0.0
    late: bool = False
    """Whether the line that was waited for came after all, only too late: the referee's word comes right after it."""

    @classmethod
    def read(cls, events: Iterable[Event]) -> _Story:
        story = cls()
        before: Event | None = None
        for event in events:
            match event:
                case Sent():
                    story.sent.append(event)
                case Line():
                    story.lines.append(event)
                case Out():
                    story.outs.append(event)
                case Stderr():
                    story.stderr += event.data
                case Exit():
                    story.exit = event
                case Note():
                    story.notes[event.what] = event
                case Ruled(at, ruling):
                    story.rulings.append(ruling)
                    if ruling.violation and not story.lapsed_at:
                        story.lapsed_at = at
                        story.late = isinstance(before, Line) and before.cost > 0
            before = event
        return story

    @property
    def violation(self) -> Violation | None:
        return next((ruling.violation for ruling in self.rulings if ruling.violation), None)

    @property
    def last_sent(self) -> bytes:
        """The message that the violation answers, or the last one."""
        until = self.lapsed_at or float("inf")
        before = [sent.data for sent in self.sent if sent.at <= until]
        return before[-1] if before else b""

    @property
    def surplus(self) -> int:
        """Lines it wrote beyond one for each message it got."""
        return sum(out.lines for out in self.outs) - sum(sent.data.count(b"\n") for sent in self.sent)

    @property
    def starved(self) -> float:
        """Seconds the bot was ready to run and got no core."""
        return float(self.notes["starved"].text) if "starved" in self.notes else 0.0

    @property
    def slow_end(self) -> bool:
        """Whether the kit had to wait for the bot at its end: it stayed, left processes, or did not answer `quit`."""
        if "survivors" in self.notes or ("quit" in self.notes and "stays" in self.notes):
            return True
        last = self.rulings[-1] if self.rulings else None
        flaws = last.flaws if last and last.outcome == "quit" else ()
        return any("in time" in flaw.actual for flaw in flaws)

    @property
    def prompts(self) -> bool:
        """Whether what stands before the object of its last line is what it writes after an answer, too: a prompt."""
        raw = b"".join(out.data for out in self.outs)
        *lines, rest = raw.split(b"\n")
        before = lines[-1].partition(b"{")[0].strip() if lines else b""
        return bool(before) and rest.strip() == before

    @property
    def stderr_tail(self) -> str:
        lines = self.stderr.decode("utf-8", "replace").strip().splitlines()
        # A bot's bytes never reach a terminal as they are: they could drive it.
        return "\n".join(quoted(line.encode()) for line in lines[-STDERR_LINES:] if line)

    @property
    def death(self) -> str:
        """How it ended, in words; "" when it was still running."""
        if self.exit is None:
            return ""
        status = self.exit.status
        return f"killed by signal {-status}" if status < 0 else f"exit status {status}"


def judge(case: Case, log: Transcript, stage: Stage, pack: GamePack) -> CaseResult:
    """All that the case says about the bot."""
    story = _Story.read(log.of(stage.seat))
    result = CaseResult(case.id)
    result.turns = [line.cost for line in story.lines]
    result.cpu = story.exit.cpu if story.exit else 0.0
    result.slow_end = story.slow_end
    result.seconds = log.events[-1].at - log.start if log.events else 0.0
    writer = _Writer(case, story, pack, result)
    violation = story.violation
    out_of_step = False
    if violation is not None:
        out_of_step = _judge_violation(case, violation, story, stage, pack, writer)
    for ruling in story.rulings:
        for flaw in ruling.flaws:
            # Once answers no longer match their messages, an acknowledgement that is none says nothing more.
            if not (out_of_step and flaw.requirement in pack.acknowledgements):
                writer.add(flaw.requirement, flaw.expected, flaw.actual, cause=flaw.note or None)
    if violation is None:
        _judge_ending(story, writer)
        _judge_time(case, story, stage, pack, writer)
    if "survivors" in story.notes:
        writer.add("IO-11", "no process of the bot is left when it has ended", story.notes["survivors"].text)
    if "first-copy-ended" in story.notes:
        writer.add(
            "IO-14",
            "a second copy of the bot does not disturb the first",
            story.notes["first-copy-ended"].text,
        )
    if "stderr-dropped" in story.notes:
        writer.add(
            "IO-13", f"less than {STDERR_QUIET} bytes on stderr", "more than that; the rest was dropped"
        )
    result.covered = _covered(case, story, pack, writer)
    given = [sent.data for sent in story.sent if not story.lapsed_at or sent.at <= story.lapsed_at]
    result.features = {**causes.of_case(case, given), **pack.features(given)}
    return result


def _judge_violation(
    case: Case, violation: Violation, story: _Story, stage: Stage, pack: GamePack, writer: _Writer
) -> bool:
    """Write the finding of what put the bot out; true when it broke down rather than broke a rule."""
    requirement, breakdown, cause = _root(violation, story, pack)
    level = None
    timed = False
    dedicated = requirement == case.requirement
    if breakdown and case.scenario.blame and case.requirement in pack.robust:
        requirement, dedicated = case.requirement, True
    if requirement == pack.match_time:
        timed = True
        if case.requirement.rpartition(".")[0] == pack.match_time.rpartition(".")[0]:
            requirement = case.requirement
        elif stage.heavy and not case.whole:
            level = Level.INFO
        if _machine_took_it(story, stage):
            writer.result.inconclusive = (requirement,)
            return False
    if requirement == "IO-7" and max((len(sent.data) for sent in story.sent), default=0) > MUST_LINE + 4096:
        level = Level.SHOULD
    # What a SIGKILL that the kit did not send ended may have been the machine's, out of memory: tried again alone.
    killed = breakdown.startswith(f"died {-signal.SIGKILL} ")
    timed = timed or killed or (breakdown.startswith("silent") and "deaf" not in story.notes)
    actual = violation.actual
    if breakdown.startswith("died"):
        actual = f"the bot ended ({story.death or 'it closed its stdout'})"
        tail = story.stderr_tail
        cause = f"its stderr ends with:\n{tail}" if tail else "nothing on its stderr"
    note = f"{cause or ''}\n{violation.note}".strip() or None
    writer.add(
        requirement,
        violation.expected,
        actual,
        level=level,
        cause=note,
        breakdown=breakdown,
        timed=timed,
        dedicated=dedicated,
    )
    return bool(breakdown)


def _root(violation: Violation, story: _Story, pack: GamePack) -> tuple[str, str, str | None]:
    """The requirement at the root of a violation; how the bot broke down ("" for a legal question); the cause."""
    broken = violation.requirement
    if broken == "IO-1":
        last = story.stderr_tail.rpartition("\n")[2].partition(":")[0]
        status = story.exit.status if story.exit else "alive"
        return "IO-1", f"died {status} {re.sub('0x[0-9a-f]+|[0-9]+', 'N', last)}", None
    if broken == pack.match_time and not story.late:
        return _silent(story, pack)
    if broken == "IO-3" and story.surplus <= 0 and "LF" in violation.expected:
        return "IO-3", "silent: no LF", "the answer was written without a line feed at its end"
    if broken in SHAPE:
        if story.surplus > 0:
            broken = _surplus_root(story)
            cause = (
                f"{story.surplus} more line(s) than messages: later answers no longer match their messages"
            )
            return broken, f"lost step {broken}", cause
        if broken == "JS-1" and story.prompts:
            return "IO-5", "shape IO-5", "a prompt stands before its answers, without a line end of its own"
        return broken, f"shape {broken}", None
    return broken, "", None


def _machine_took_it(story: _Story, stage: Stage) -> bool:
    """Whether the time that ran out would have been enough, had the bot never waited for a core."""
    limit = stage.game.time
    spent = sum(line.cost for line in story.lines) if story.late else limit
    return spent - story.starved < limit * MARGIN


def _silent(story: _Story, pack: GamePack) -> tuple[str, str, str | None]:
    """A bot that wrote nothing in time: what it did when its input was closed tells why."""
    if not ({"waits", "deaf"} & set(story.notes)):
        return pack.match_time, "", "it was still busy when its time was over"
    after = [out for out in story.outs if out.at > story.lapsed_at and out.data]
    kind = _awaited(story)
    if after:
        shown = quoted(after[0].data.split(b"\n")[0])
        return "IO-4", "silent: unflushed", f"the answer came only when its input was closed: {shown}"
    requirement = pack.silence.get(kind, pack.match_time)
    return requirement, f"silent: {kind}", f"it waited for more input instead of answering `{kind}`"


def _awaited(story: _Story) -> str:
    """The kind of message left unanswered: the one after the last line, by how many messages went out."""
    match = re.match(
        rb'\s*\{.*?"action"\s*:\s*"([a-z]+)"', story.sent[-1].data[:4096] if story.sent else b"", re.S
    )
    return match[1].decode() if match else "message"


def _surplus_root(story: _Story) -> str:
    """What the surplus lines are: text before the first message's answer (IO-2), other text (IO-5), or answers
    and blank lines too many (IO-3)."""
    lines = b"".join(out.data for out in story.outs).split(b"\n")[:-1]
    text = [at for at, line in enumerate(lines) if line.strip() and line.lstrip()[:1] != b"{"]
    if not text:
        return "IO-3"
    return "IO-2" if text == [0] else "IO-5"


def _judge_ending(story: _Story, writer: _Writer) -> None:
    for how, judged in (("quit", _after_quit), ("eof", _after_eof), ("term", _after_term)):
        if how in story.notes:
            judged(story, writer)


def _after_quit(story: _Story, writer: _Writer) -> None:
    wanted = "the bot ends within 2 s of `quit`, with exit status 0"
    if "stays" in story.notes:
        writer.add("IO-9", wanted, "still running 2 s after `quit`", timed=True)
    elif story.exit and story.exit.status:
        writer.add("IO-9", wanted, f"{story.death}", cause=story.stderr_tail or None)


def _after_eof(story: _Story, writer: _Writer) -> None:
    wanted = "the bot ends within 2 s when its input ends, not by a signal"
    if "stays" in story.notes:
        flood = sum(out.size for out in story.outs if out.at > story.notes["eof"].at)
        what = "still running 2 s later" + (f", {flood} bytes written meanwhile" if flood else "")
        writer.add("IO-10", wanted, what, timed=True)
    elif story.exit and story.exit.status < 0:
        writer.add("IO-10", wanted, story.death, cause=story.stderr_tail or None)
    elif story.exit and story.exit.status:
        writer.add("IO-10", "exit status 0", story.death, level=Level.INFO, cause=story.stderr_tail or None)


def _after_term(story: _Story, writer: _Writer) -> None:
    if "stays" in story.notes:
        writer.add("IO-11", "the bot ends on SIGTERM", "still running 2 s after SIGTERM", timed=True)


def _judge_time(case: Case, story: _Story, stage: Stage, pack: GamePack, writer: _Writer) -> None:
    """PD-5.2, in whole matches. The time a bot waited for a core is the machine's, not the bot's."""
    if not case.whole:
        return
    limit, result = stage.game.time, writer.result
    spent = max(0.0, sum(result.turns) - story.starved)
    result.used_share = spent / limit
    too_near = spent > MARGIN * limit or limit - spent < min(1.0, (1 - MARGIN) * limit)
    if pack.margin and case.requirement == pack.match_time and too_near:
        wanted = f"at most {MARGIN:.0%} of {limit:g} s used, 1 s left"
        writer.add(pack.margin, wanted, f"{spent:.2f} s used in a match", timed=True)


def _covered(case: Case, story: _Story, pack: GamePack, writer: _Writer) -> tuple[str, ...]:
    broken = {finding.requirement for finding in writer.result.findings}
    covered = {case.requirement} if story.violation is None or case.requirement in broken else set[str]()
    if story.lines:
        covered.update(ALWAYS)
    for line in story.lines:
        covered.update(pack.answered.get(line.kind, ()))
    for ruling in story.rulings:
        covered.update(pack.answered.get(ruling.outcome, ()))
    if story.violation is None:
        ends = {"quit": ("IO-9", "IO-11"), "eof": ("IO-10",), "term": ("IO-11",), "hurry": ()}
        covered.update(ends[_ended(story)])
    if case.setting.listen:
        covered.add("IO-2")
    if case.whole and pack.match_time:
        covered.update((pack.match_time, pack.margin))
    return tuple(sorted(covered))


def _ended(story: _Story) -> str:
    return next((how for how in ("quit", "term", "hurry") if how in story.notes), "eof")


@dataclass
class _Writer:
    """Adds findings to a result, with what is the same for all of a case."""

    case: Case
    story: _Story
    pack: GamePack
    result: CaseResult

    def add(
        self,
        requirement: str,
        expected: str,
        actual: str,
        *,
        level: Level | None = None,
        cause: str | None = None,
        breakdown: str = "",
        timed: bool = False,
        dedicated: bool = False,
    ) -> None:
        known = self.pack.catalogue()[requirement]
        sent = self.story.last_sent
        self.result.findings.append(
            Finding(
                requirement=requirement,
                level=level or known.level,
                message=f"{known.title}: {elide(actual, 160)}",
                expected=expected,
                actual=actual,
                sent=self.pack.describe(sent) if sent else "nothing yet",
                size=len(sent),
                cause=cause,
                fix=known.fix,
                case=self.case.id,
                breakdown=breakdown,
                timed=timed,
                dedicated=dedicated or requirement == self.case.requirement,
            )
        )
