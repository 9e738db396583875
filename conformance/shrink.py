"""Failures made small: of each finding shown in a case the kit made up, the simplest case that still gives it.

Law: what fails never changes: a simpler case counts only when it gives a finding of the same signature (requirement
and breakdown). The game says what is simpler (`GamePack.simpler`); here its proposals are played, within a number of
trials, so that the same seed gives the same result, and within a time. Scripted cases are small already; what is flaky
or rests on time would shrink to chance.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pdcheck.conformance.again import Key, key_of
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.story import Story
from pdcheck.conformance.transcript import Transcript
from pdcheck.referee.catalogue import Level
from pdcheck.referee.violations import elide
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.scenario import Scenario, ScenarioError, dump_scenario

SECONDS = {"quick": 15.0, "standard": 30.0, "thorough": 60.0}
"""What shrinking all findings of a run may take, by profile; one finding may take a third of it."""
TRIALS = 200
"""Cases played for one finding; the time is there for slow bots."""
MADE_UP = ("generated", "matches")
"""Sections whose cases nobody wrote by hand."""
LONGEST_WHY = 200

Play = Callable[[Case], CaseResult]


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The simplest case found for a finding, and what came of it. `origin` is the case it was made of."""

    origin: str
    case: Case
    finding: Finding
    result: CaseResult
    words: str

    def shown(self, finding: Finding) -> Finding:
        """The finding as it is in this case."""
        mine = self.finding
        return replace(
            finding,
            expected=mine.expected,
            actual=mine.actual,
            sent=mine.sent,
            size=mine.size,
            shrunk=self.words,
        )

    def told(self, finding: Finding, pack: GamePack) -> Case:
        """The case under a name of its own, about what the finding says."""
        case = told_by(self.case, finding, pack)
        name = f"{case.scenario.name}-{finding.requirement.lower().replace('.', '-')}"
        scenario = replace(case.scenario, name=name, why=elide(finding.message, LONGEST_WHY))
        return replace(case, id=f"shrunk/{name}", section="shrunk", scenario=scenario)


def told_by(case: Case, finding: Finding, pack: GamePack) -> Case:
    """The case, made to be about what the finding says. A run compares its cases to find the requirement behind a
    breakdown; one case by itself must say it, or its replay would show another finding."""
    scenario = case.scenario
    if not finding.breakdown or (case.requirement == finding.requirement and scenario.blame):
        return case
    if finding.requirement in pack.robust:
        return replace(case, about="", scenario=replace(scenario, about=finding.requirement, blame=True))
    if scenario.blame and case.requirement in pack.robust:
        return replace(case, scenario=replace(scenario, blame=False))
    return case


def shrink_all(
    findings: Iterable[Finding],
    cases: Mapping[str, Case],
    pack: GamePack,
    play: Play,
    *,
    rules: str,
    seconds: float,
    found: dict[Key, Shrunk],
) -> None:
    """Shrink what can be, the gravest first, into `found`, by fault; an interrupt leaves there what is done.

    `play` runs and judges one case. `seconds` are for all of them.
    """
    until = time.monotonic() + seconds
    for finding in sorted(findings, key=lambda f: (f.level is not Level.MUST, f.requirement)):
        case = cases.get(finding.case)
        if case is None or pack.simpler is None or not _worth_it(finding, case):
            continue
        if time.monotonic() >= until:
            return
        shrinker = _Shrinker(finding, pack, play, rules, min(until, time.monotonic() + seconds / 3))
        shrunk = shrinker.shrink(told_by(case, finding, pack))
        if shrunk is not None:
            found[key_of(finding)] = shrunk


def show_shrunk(
    findings: Iterable[Finding], found: Mapping[Key, Shrunk], pack: GamePack
) -> tuple[list[Finding], dict[tuple[str, ...], tuple[Case, str]]]:
    """The findings, each as it is in its simplest case; and these cases with their transcripts, by signature."""
    shown, cases = [], {}
    for finding in findings:
        shrunk = found.get(key_of(finding))
        if shrunk and shrunk.origin == finding.case:
            finding = shrunk.shown(finding)
            cases[finding.signature] = shrunk.told(finding, pack), shrunk.result.transcript
        shown.append(finding)
    return shown, cases


def _worth_it(finding: Finding, case: Case) -> bool:
    surely = not finding.timed and not finding.runs and finding.level is not Level.INFO
    return surely and case.section in MADE_UP


class _Shrinker:
    """One finding on its way to its simplest case."""

    def __init__(self, finding: Finding, pack: GamePack, play: Play, rules: str, until: float) -> None:
        self.finding = finding
        self.pack = pack
        self.play = play
        self.rules = rules
        self.until = until
        self.trials = 0
        self.seen: set[str] = set()

    def shrink(self, case: Case) -> Shrunk | None:
        """The simplest case; None when the failure does not come again, or nothing simpler gives it."""
        # How the bot ends was seen often; without waiting for that a trial takes a fraction of the time.
        first = self._try(replace(case, hurry=True)) or self._try(replace(case, hurry=False))
        if first is None:
            return None
        best = first
        while (better := self._round(best)) is not best:
            best = better
        if best is first:
            return None
        words = f"from {first.size} to {best.size}"
        return Shrunk(self.finding.case, best.case, best.finding, best.result, words)

    def _round(self, best: _Sight) -> _Sight:
        """One pass of the game's proposals; the same sight when none was taken."""
        assert self.pack.simpler is not None
        proposals = self.pack.simpler(best.case.scenario, best.messages)
        taken: Sequence[bytes] | None = None
        began = False
        while not self._over():
            try:
                scenario = proposals.send(taken) if began else next(proposals)
            except StopIteration:
                break
            began = True
            sight = self._propose(best.case, scenario)
            taken = None if sight is None else sight.messages
            best = sight or best
        proposals.close()
        return best

    def _over(self) -> bool:
        return self.trials >= TRIALS or time.monotonic() >= self.until

    def _propose(self, case: Case, scenario: Scenario) -> _Sight | None:
        text = dump_scenario(scenario)
        if text in self.seen:
            return None
        self.seen.add(text)
        try:
            self.pack.stage(scenario, self.rules, None)
        except ScenarioError:
            return None
        return self._try(replace(case, scenario=scenario, whole=case.whole and not scenario.turns))

    def _try(self, case: Case) -> _Sight | None:
        """Play it; None unless it gives the finding."""
        self.trials += 1
        result = self.play(case)
        for finding in result.findings:
            if finding.signature == self.finding.signature and result.transcript:
                return _Sight(case, finding, result, tuple(_messages(result.transcript)))
        return None


@dataclass(frozen=True, slots=True)
class _Sight:
    """A case that gives the finding, and what the bot was sent in it until then."""

    case: Case
    finding: Finding
    result: CaseResult
    messages: tuple[bytes, ...]

    @property
    def size(self) -> str:
        """What the bot has to be sent before it fails."""
        count = len(self.messages)
        return f"{sum(map(len, self.messages)):,} bytes in {count} message{'s' if count != 1 else ''}"


def _messages(transcript: str) -> Iterator[bytes]:
    log = Transcript.from_json(transcript)
    seat = next(seat for seat, row in enumerate(log.header["seats"]) if row["kind"] == "candidate")
    story = Story.read(log.of(seat))
    for sent in story.sent:
        if not story.lapsed_at or sent.at <= story.lapsed_at:
            yield sent.data
