"""From the findings of all cases to the faults of a bot: each told once, under the requirement at its root.

Law: pure. Breakdowns that look alike are one fault, and what its cases share names the requirement (see `causes`);
findings about the same requirement are one, shown in the case that is easiest to read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pdcheck.conformance import causes, conduct, languages
from pdcheck.conformance.again import Flaky, Key, key_of
from pdcheck.conformance.diagnosis import A_LINE_AHEAD, HANG, LOST_STEP, NO_LF
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.referee.catalogue import Catalogue, Level
from pdcheck.referee.violations import elide
from pdcheck.scenarios.pack import GamePack

GOES_ON = "IO-1"
OWN_HABIT = ("IO-2", "IO-5", "IO-6")
"""What a bot writes of its own accord, whatever it is given: its messages are not the cause."""


def reconcile(
    results: Iterable[CaseResult],
    pack: GamePack,
    flaky: Mapping[Key, Flaky] | None = None,
    evidence: Iterable[CaseResult] = (),
) -> list[Finding]:
    """All findings, each fault once.

    Breakdowns that look alike are one fault. What its cases share, and no other case has, names the requirement
    (see `causes`); without such a thing the requirement whose own cases it broke most often does, else the general one.
    A `flaky` one is always under the general one: its few cases share something by accident. `evidence`: failing
    cases that are not told, but which what the failing cases share must hold for, too (see `shrink`).
    """
    results = list(results)
    catalogue = pack.catalogue()
    flaky = flaky or {}
    ahead = _ahead(results, pack)
    roots = {**_roots(results, pack, list(evidence)), **_general(results, flaky), **ahead}
    merged: dict[tuple[str, ...], Finding] = {}
    for result in results:
        for finding in result.findings:
            root = roots.get(A_LINE_AHEAD if ahead and finding.ahead else finding.breakdown)
            # Whether its line or the kit's came first is the machine's: a hasty bot is not flaky for that.
            rate = None if ahead and finding.requirement == pack.hasty else flaky.get(key_of(finding))
            finding = _rooted(finding, root, catalogue) if root else finding
            if rate and rate.case == result.case:
                finding = replace(finding, runs=rate.runs, failed=rate.failed)
            have = merged.get(finding.signature)
            merged[finding.signature] = _merged(have, finding) if have else finding
    asked = sum(not result.trouble for result in results)
    told = [_told_as_flaky(finding, asked) if finding.runs else finding for finding in merged.values()]
    told = _end_told_once(told, pack)
    return conduct.told_elsewhere(told, pack.conduct) if pack.conduct else told


def _end_told_once(told: list[Finding], pack: GamePack) -> list[Finding]:
    """Without what IO-10 says of an end (INFO), where matches end with the input, and the end is told of already."""
    if not pack.end.closes or all(finding.requirement != pack.end.requirement for finding in told):
        return told
    return [f for f in told if f.requirement != "IO-10" or f.level is not Level.INFO]


def _ahead(results: Sequence[CaseResult], pack: GamePack) -> Mapping[str, causes.Cause]:
    """Why a bot is a line ahead that answers before it is asked: what it seems to write too much is the next answer."""
    hasty = any(f.requirement == pack.hasty and not f.breakdown for r in results for f in r.findings)
    return {A_LINE_AHEAD: causes.Cause(pack.hasty, "it answers before it is asked")} if hasty else {}


def _general(results: Sequence[CaseResult], flaky: Mapping[Key, Flaky]) -> Mapping[str, causes.Cause]:
    """Flaky breakdown → the general requirement."""
    return {
        finding.breakdown: causes.Cause(finding.general, "")
        for result in results
        for finding in result.findings
        if finding.general and key_of(finding) in flaky
    }


def _told_as_flaky(finding: Finding, cases: int) -> Finding:
    told = (
        f"it does not always show: in {finding.failed} of {finding.runs} runs of this case, and in {finding.times} "
        f"of {cases} cases. Look for chance, time, memory that was never set, or threads"
    )
    return replace(finding, cause="\n".join(filter(None, (told, finding.cause))))


def _merged(one: Finding, other: Finding) -> Finding:
    """Two sights of one fault: the graver level, and of the two the one easier to read is shown: in a case about the
    requirement, after the shortest message."""
    level = max(one.level, other.level, key=_weight)
    shown = min(
        (one, other), key=lambda f: (-_weight(f.level), not f.runs, not f.dedicated, not f.examined, f.size)
    )
    return replace(shown, times=one.times + other.times, level=level)


def _rooted(finding: Finding, root: causes.Cause, catalogue: Catalogue) -> Finding:
    """The finding under the requirement at its root."""
    known = catalogue[root.requirement]
    cause = "\n".join(filter(None, (root.words, finding.cause)))
    if root.requirement == finding.requirement:
        return replace(finding, cause=cause or None)
    level = known.level if finding.level is not Level.INFO else Level.INFO
    message = f"{known.title}: {elide(finding.actual, 160)}"
    return replace(
        finding,
        requirement=root.requirement,
        level=level,
        message=message,
        fix=languages.fix(known.fix, root.requirement, finding.language),
        cause=cause or None,
        dedicated=False,
    )


def _weight(level: Level) -> int:
    return (Level.INFO, Level.SHOULD, Level.MUST).index(level)


def _roots(
    results: Sequence[CaseResult], pack: GamePack, evidence: Sequence[CaseResult]
) -> Mapping[str, causes.Cause]:
    """Breakdown → what it comes down to."""
    whole = (*causes.GENERAL, *pack.feature_table, *causes.LAST)
    going_on = tuple(feature for feature in whole if feature.requirement != pack.end.requirement)
    """To know when to go is what a bot lacks that goes, and not one that crashes or hangs."""
    broken = {r.case: {f.breakdown for f in r.findings if f.breakdown} for r in results if not r.trouble}
    features = {r.case: r.features for r in results if r.features}
    # A case in which nothing was played shows little: it is no counter-example.
    played = {result.case for result in results if len(result.turns) > 1}
    passing = [features[case] for case, breakdowns in broken.items() if not breakdowns and case in played]
    roots = {}
    for breakdown in sorted(set().union(*broken.values())):
        if breakdown.endswith(OWN_HABIT):
            # Where it shows in ordinary cases, too, no other case's subject is the reason.
            if cause := _shown_in_ordinary(breakdown, results):
                roots[breakdown] = cause
            continue
        failing = [
            features[case] for case, all_of in broken.items() if breakdown in all_of and case in features
        ]
        failing += [r.features for r in evidence if any(f.breakdown == breakdown for f in r.findings)]
        if breakdown.endswith((*pack.answers.own, NO_LF)):
            cause = causes.explain(failing, passing, causes.GENERAL) or _as_written(breakdown, results)
        else:
            stays = breakdown.startswith(("died ", "silent", HANG)) and not breakdown.startswith("died 0 ")
            cause = causes.explain(failing, passing, going_on if stays else whole) or _most_dedicated(
                breakdown, results, pack
            )
            if cause and breakdown.startswith(LOST_STEP) and cause.requirement == pack.endures:
                cause = _as_written(breakdown, results)  # a line too many is no matter of what the others do
        if cause:
            roots[breakdown] = cause
    return roots


def _shown_in_ordinary(breakdown: str, results: Sequence[CaseResult]) -> causes.Cause | None:
    """The general requirement, where a case that is not about what it broke shows it."""
    for result in results:
        for finding in result.findings:
            if finding.breakdown == breakdown and not finding.dedicated:
                return causes.Cause(finding.requirement, "")
    return None


def _shown_in_basic(breakdown: str, results: Sequence[CaseResult], pack: GamePack) -> bool:
    """Whether a bot breaks down so in a first, ordinary exchange already."""
    basic = [result for result in results if result.case.rpartition("/")[2] in pack.basic]
    return any(finding.breakdown == breakdown for result in basic for finding in result.findings)


def _as_written(breakdown: str, results: Sequence[CaseResult]) -> causes.Cause | None:
    """The requirement about how a line is written, whatever the cases are about."""
    found = (f for result in results for f in result.findings if f.breakdown == breakdown and f.general)
    return next((causes.Cause(finding.general, "") for finding in found), None)


def _most_dedicated(breakdown: str, results: Sequence[CaseResult], pack: GamePack) -> causes.Cause | None:
    """Where it shows in ordinary cases, too: the general requirement. Else the one whose own cases it breaks most."""
    if ordinary := _shown_in_ordinary(breakdown, results):
        late = ordinary.requirement == GOES_ON and not _shown_in_basic(breakdown, results, pack)
        return causes.Cause(pack.endures, "") if late and pack.endures else ordinary
    mine: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for result in results:
        asked.update(result.covered)
        mine.update(finding.requirement for finding in result.findings if finding.breakdown == breakdown)
    if not mine:
        return None
    best = max(
        mine, key=lambda requirement: (mine[requirement] / max(1, asked[requirement]), mine[requirement])
    )
    return causes.Cause(best, "")
