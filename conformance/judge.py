"""From a transcript to findings.

Law: a pure function of the case and its transcript. A breakdown (the bot died, fell silent, lost step with the
messages) has one root: where the scenario is about something a bot must be able to take, that is what broke;
otherwise the general requirement is. `reconcile` then lets one fault count once over all cases.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass

from pdcheck.conformance import blame, causes, conduct, languages
from pdcheck.conformance.case import Case
from pdcheck.conformance.diagnosis import HANG, KEPT, diagnose
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.story import Story
from pdcheck.conformance.transcript import GONE_WITHIN, Event, Transcript
from pdcheck.referee.catalogue import Level
from pdcheck.referee.game import Game
from pdcheck.referee.violations import Violation, elide
from pdcheck.scenarios.pack import Conduct, GamePack, Stage

STDERR_QUIET = 1 << 20
FLOOD = 4096
"""IO-10: so many bytes after the end of input are no late answer, nor a last word."""
SPIN = 0.4
"""IO-10: CPU seconds from the last answer to the bot's end that no runtime needs to wind down."""
MARGIN = 0.8
"""PD-5.2: "warns when over 80 % is used or under 1 s is left"."""
MUST_LINE = 1 << 18
"""IO-7: a line of up to 256 KiB is a MUST, a longer one a SHOULD."""
ALWAYS = ("IO-1", "IO-3", "IO-4", "IO-5", "IO-6", "IO-13", "IO-15", "IO-16")
"""What every case with an answer in it puts to the test, in every game."""


def judge(case: Case, log: Transcript, stage: Stage, pack: GamePack) -> CaseResult:
    """All that the case says about the bot."""
    story = Story.read(log.of(stage.seat))
    result = CaseResult(case.id)
    result.turns = story.waited if stage.game.by_cpu else [line.cost for line in story.lines]
    result.start_up = max(0.0, story.lines[0].at - log.start) if story.lines else 0.0
    ended = story.exit.cpu if story.exit else 0.0
    result.cpu = blame.cpu_of(story) if stage.game.by_cpu else ended
    result.slow_end = story.slow_end
    result.seconds = log.events[-1].at - log.start if log.events else 0.0
    writer = _Writer(case, story, pack, result)
    if pack.conduct:
        _judge_conduct(case, log.of(stage.seat), pack.conduct, writer)
    if case.setting.watched == "calls":
        # What else is wrong with it shows in the other cases; here, being watched so closely could be the reason.
        result.turns = []
        return result
    violation = story.violation
    out_of_step = False
    if violation is not None:
        out_of_step = _judge_violation(case, violation, story, stage, pack, writer)
    for at, ruling in zip(story.ruled_at, story.rulings, strict=True):
        for flaw in ruling.flaws:
            # Once answers no longer match their messages, an acknowledgement that is none says nothing more.
            if not (out_of_step and flaw.requirement in pack.acknowledgements):
                writer.add(flaw.requirement, flaw.expected, flaw.actual, cause=flaw.note or None, at=at)
    if violation is None and not case.setting.clock:
        _judge_ending(case, story, writer)
    if violation is None and not case.setting.meddles:
        _judge_time(case, story, stage, writer, _cpu_factor(log))
    if "survivors" in story.notes:
        # How long a process takes to go is the machine's, too; and whether this one got a core, nobody has seen.
        wanted = "no process of the bot is left when it has ended"
        writer.add("IO-11", wanted, story.notes["survivors"].text, timed=True, at_end=True, calm=False)
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
    # What holds for all runs together is not put to the test by any one of them (see `repeats`).
    together = {pack.repeats.same, pack.repeats.name} if pack.repeats else set[str]()
    result.covered = tuple(sorted({*_covered(case, story, pack, writer), *result.covered} - together))
    given = [sent.data for sent in story.sent if not story.lapsed_at or sent.at <= story.lapsed_at]
    gone = violation is not None and not story.owes(pack.answers.due)
    result.features = {**causes.of_case(case, given), **pack.features(given, gone)}
    return result


def _judge_violation(
    case: Case, violation: Violation, story: Story, stage: Stage, pack: GamePack, writer: _Writer
) -> bool:
    """Write the finding of what put the bot out; true when it broke down rather than broke a rule."""
    borne = not case.setting.clock or story.look("usual-clock").get("works", False)
    if not borne or (case.setting.meddles and violation.requirement == pack.match_time):
        # No bot is asked to bear a library between itself and the system, nor to be as quick in a crowd.
        return True
    found = diagnose(violation, story, pack)
    requirement, breakdown, cause = found.requirement, found.breakdown, found.cause
    # The contest gives pipes: a bot that needs more than them cannot play there at all.
    level = Level.MUST if found.terminal_only else None
    general = (found.general or requirement) if breakdown else ""
    writer.result.needs = found.needs
    dedicated = requirement == case.requirement
    if breakdown not in ("", KEPT) and case.scenario.blame and case.requirement in pack.robust:
        requirement, dedicated = case.requirement, True
    out_of_time = timed = requirement == pack.match_time
    if out_of_time:
        if case.requirement in pack.timing:
            requirement = case.requirement
        elif stage.heavy and not case.whole:
            level = Level.INFO
    if requirement == "IO-7" and max((len(sent.data) for sent in story.sent), default=0) > MUST_LINE + 4096:
        level = Level.SHOULD
    on_cpu = out_of_time and not breakdown and stage.game.by_cpu
    # What a SIGKILL that the kit did not send ended may have been the machine's, out of memory: tried again alone.
    killed = breakdown.startswith(f"died {-signal.SIGKILL} ")
    timed = timed or killed or (breakdown.startswith(("silent", HANG)) and "deaf" not in story.notes)
    if timed and not killed and _doubtful(story, stage.game, on_cpu=on_cpu, brief=case.brief):
        writer.result.inconclusive = (*writer.result.inconclusive, requirement)
        return False
    actual = found.actual or violation.actual
    if on_cpu:
        actual = f"{actual} ({blame.clock_words(story)})"
    elif timed and not breakdown:
        actual = f"{actual} ({blame.account(story, stage.game.time).words})"
    if breakdown.startswith("died"):
        actual = f"the bot ended ({story.death or 'it closed its stdout'})"
    note = f"{cause or ''}\n{violation.note}".strip() or None
    writer.add(
        requirement,
        found.expected or violation.expected,
        actual,
        level=level,
        cause=note,
        breakdown=breakdown,
        timed=timed,
        sure=on_cpu and case.alone,
        ahead=requirement in pack.answers.mistaken and story.surplus(pack.answers.due) > 0,
        dedicated=dedicated,
        general=general,
        idiom=found.idiom,
        fix=found.fix,
    )
    return bool(breakdown)


def _cpu_factor(log: Transcript) -> float:
    """How many times CPU seconds are charged in it."""
    return float(log.header.get("limits", {}).get("cpu_factor", 1.0))


def _doubtful(story: Story, game: Game, *, on_cpu: bool, brief: bool) -> bool:
    """Whether the machine may have taken the time that was over: CPU time (`on_cpu`) is the bot's own in any case."""
    if on_cpu:
        return False
    if game.guard is None:
        return blame.doubtful(story, game.time)
    return blame.doubtful_hang(story, min(game.guard.turn, game.guard.brief) if brief else game.guard.turn)


def _judge_conduct(case: Case, events: Sequence[Event], wanted: Conduct, writer: _Writer) -> None:
    """PD-6: what was seen of the bot from outside."""
    for broken in conduct.findings(events, wanted, whole=case.whole):
        writer.add(
            broken.requirement,
            broken.expected,
            broken.actual,
            cause=broken.cause,
            timed=broken.timed,
            answers=False,
        )
    writer.result.covered = tuple(conduct.covered(events, wanted))
    writer.result.inconclusive = tuple(conduct.uncertain(events, wanted))


def _judge_ending(case: Case, story: Story, writer: _Writer) -> None:
    if _at_work(case, story, writer.pack):
        return
    for how, judged in (("quit", _after_quit), ("eof", _after_eof), ("term", _after_term)):
        if how in story.notes:
            judged(story, writer)


def _at_work(case: Case, story: Story, pack: GamePack) -> bool:
    """Whether it may have been at work on an answer when its input ended: to notice that meanwhile is only asked of it
    where it is the subject."""
    return "eof" in story.notes and case.requirement != "IO-10" and story.owes(pack.answers.due)


def _after_quit(story: Story, writer: _Writer) -> None:
    end = writer.pack.end
    if "stays" in story.notes:
        writer.stays(end.requirement, end.wanted, f"still running 2 s after {end.after}")
    elif story.exit and story.exit.status:
        writer.add(end.requirement, end.wanted, f"{story.death}", cause=story.stderr_tail or None)


def _after_eof(story: Story, writer: _Writer) -> None:
    wanted = "the bot ends within 2 s when its input ends, not by a signal"
    flood = sum(out.size for out in story.outs if out.at > story.notes["eof"].at)
    spun = story.cpu_after_last_answer(writer.pack.answers.due)
    halved = bool(story.sent) and not story.sent[-1].data.endswith(b"\n")
    death = story.death + (", when its input ended in the middle of a line" if halved else "")
    if "stays" in story.notes:
        used = float(story.look("end").get("cpu", 0.0))
        what = "still running 2 s later" + (f", {flood} bytes written meanwhile" if flood else "")
        what += f", after {used:.1f} s of CPU time" if used > SPIN else ""
        if flood > FLOOD or used > SPIN:  # a loaded machine makes neither
            writer.add("IO-10", wanted, what)
        else:
            writer.stays("IO-10", wanted, what)
    elif story.exit and story.exit.status < 0:
        writer.add("IO-10", wanted, death, cause=story.stderr_tail or None)
    elif flood > FLOOD:
        writer.add(
            "IO-10", f"{wanted}, without flooding", f"{flood} bytes written after the end of its input"
        )
    elif spun > SPIN:
        # CPU time: what a loaded machine cannot make longer.
        writer.add("IO-10", f"{wanted}, without spinning", f"it ended, after {spun:.1f} s of CPU time")
    elif story.exit and story.exit.status:
        writer.add("IO-10", "exit status 0", death, level=Level.INFO, cause=story.stderr_tail or None)


def _after_term(story: Story, writer: _Writer) -> None:
    if "stays" in story.notes:
        writer.stays("IO-11", "the bot ends on SIGTERM", "still running 2 s after SIGTERM")


def _judge_time(case: Case, story: Story, stage: Stage, writer: _Writer, cpu_factor: float) -> None:
    """PD-5.2, in whole matches. The time a bot waited for a core is the machine's, not the bot's.

    Of CPU time what was used up to the bot's end counts, beyond that of its answers.
    """
    limit, result, pack, by_cpu = stage.game.time, writer.result, writer.pack, stage.game.by_cpu
    if by_cpu:
        spent, words = blame.cpu_of(story) * cpu_factor, blame.clock_words(story)
        if spent > limit:
            wanted = f"at most {limit:g} s used from its start to its end"
            told = f"{spent:.2f} s used ({words})"
            writer.add(pack.match_time, wanted, told, timed=True, sure=case.alone, at_end=True)
    else:
        account = blame.account(story, limit)
        spent, words = account.own, account.words
    if not case.whole:
        return
    result.used_share = spent / limit
    too_near = spent > MARGIN * limit or limit - spent < min(1.0, (1 - MARGIN) * limit)
    told_already = by_cpu and spent > limit
    if pack.margin and case.requirement == pack.match_time and too_near and not told_already:
        wanted = f"at most {MARGIN:.0%} of {limit:g} s used, 1 s left"
        level = Level.INFO if pack.margin == pack.match_time else None
        told = f"{spent:.2f} s used in a match ({words})"
        writer.add(pack.margin, wanted, told, level=level, timed=True, sure=by_cpu)


def _covered(case: Case, story: Story, pack: GamePack, writer: _Writer) -> tuple[str, ...]:
    broken = {finding.requirement for finding in writer.result.findings}
    covered = {case.requirement} if story.violation is None or case.requirement in broken else set[str]()
    if story.lines:
        covered.update((*ALWAYS, *pack.answers.always))
    for line in story.lines:
        covered.update(pack.answered.get(line.kind, ()))
    for ruling in story.rulings:
        covered.update(pack.answered.get(ruling.outcome, ()))
    if story.violation is None and not _at_work(case, story, pack):
        ends = {"quit": (pack.end.requirement, "IO-11"), "eof": ("IO-10",), "term": ("IO-11",)}
        covered.update(ends.get(_ended(story), ()))
    if case.setting.listen:
        covered.add("IO-2")
    if case.whole and pack.match_time:
        covered.update(filter(None, (pack.match_time, pack.margin)))
    return tuple(sorted(covered))


def _ended(story: Story) -> str:
    """How the bot was brought to its end; "" in a transcript that does not tell (`pdcheck match`)."""
    return next((how for how in ("quit", "term", "hurry", "eof") if how in story.notes), "")


@dataclass
class _Writer:
    """Adds findings to a result, with what is the same for all of a case."""

    case: Case
    story: Story
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
        sure: bool = False,
        ahead: bool = False,
        at_end: bool = False,
        calm: bool = True,
        dedicated: bool = False,
        general: str = "",
        idiom: str = "",
        fix: str = "",
        at: float = 0.0,
        answers: bool = True,
    ) -> None:
        """`at`: when the referee said so; `answers`: whether it is about the answer to a message at all; `sure`: it
        rests on time, and the machine can have had no part in it; `calm`: whether the story can tell that."""
        known = self.pack.catalogue()[requirement]
        sent = self.story.sent_before(at) if answers else b""
        self.result.findings.append(
            Finding(
                requirement=requirement,
                level=level or known.level,
                message=f"{known.title}: {elide(actual, 160)}",
                expected=expected,
                actual=actual,
                sent=self.pack.describe(sent) if sent else "nothing yet" if answers else "",
                size=len(sent),
                cause=cause,
                fix=languages.fix(fix or known.fix, requirement, self.story.language, idiom),
                case=self.case.id,
                breakdown=breakdown,
                timed=timed,
                ahead=ahead,
                at_end=at_end,
                dedicated=dedicated or requirement == self.case.requirement,
                calm=sure or (timed and calm and not breakdown.startswith("died") and blame.calm(self.story)),
                general=general,
                examined=bool(breakdown or timed) and bool({"term", "terminal"} & set(self.story.probes)),
                language=self.story.language,
            )
        )

    def stays(self, requirement: str, expected: str, actual: str) -> None:
        """It did not go in time."""
        if blame.doubtful_end(self.story, GONE_WITHIN):
            self.result.inconclusive = (*self.result.inconclusive, requirement)
        else:
            self.add(requirement, expected, actual, timed=True, at_end=True)
