"""From all results of a run to what repetition says of the bot.

Law: results come in and go out, in their order. A requirement about all runs together is put to the test by the runs
that were compared, and by no case alone; whatever could not be compared leaves it open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.repeats.closer import Closer
from pdcheck.conformance.repeats.compare import namings
from pdcheck.conformance.repeats.conditions import AGAIN, PLAIN, under
from pdcheck.conformance.repeats.telling import Account, finding_of, naming_finding
from pdcheck.conformance.repeats.verdict import Repeated, Run, cause_of
from pdcheck.scenarios.pack import GamePack, Repeats

SECTION = "repeats"
NOTHING = "the bot was stopped in every match that was to be repeated, or none was played"


@dataclass
class Settled:
    """The results with what repetition adds to them; the account; further cases that findings are shown in."""

    results: list[CaseResult]
    account: Account
    more: list[Case] = field(default_factory=list)


def settle(
    results: Sequence[CaseResult],
    cases: Mapping[str, Case],
    pack: GamePack,
    untried: Mapping[str, str],
    closer: Closer,
) -> Settled:
    """Compare all runs. `untried`: the conditions that cannot be made here, with reasons."""
    wanted = pack.repeats
    assert wanted is not None
    matches = repeated(results, cases, wanted)
    talks = [(result.case, result.talk) for result in results if result.talk and not result.trouble]
    talks.sort(key=lambda talk: cases[talk[0]].requirement != wanted.name)
    names = namings(talks)
    seats = {seat for name in names for seat in name.seats}
    settled = Settled(list(results), Account(list(matches.values()), untried))
    worst = max(matches.values(), key=lambda match: match.differences, default=None)
    if worst is not None and worst.differences:
        _tell_difference(settled, worst, cases, pack, closer)
    if len(names) > 1:
        language = next(talk.language for case, talk in talks if case == names[1].case)
        _add(settled, naming_finding(names, pack, language))
    compared = {run.case for match in matches.values() for run in match.others}
    for at, result in enumerate(settled.results):
        covered = {wanted.same} if result.case in compared else set[str]()
        if result.talk and result.talk.name and (len(seats) > 1 or len(names) > 1):
            covered.add(wanted.name)
        if covered:
            settled.results[at] = replace(result, covered=tuple(sorted({*result.covered, *covered})))
    return settled


def repeated(
    results: Iterable[CaseResult], cases: Mapping[str, Case], wanted: Repeats
) -> dict[str, Repeated]:
    """The matches that were repeated, by name, with their runs in order."""
    matches: dict[str, Repeated] = {}
    for result in results:
        case = cases[result.case]
        if case.repeats and result.talk is not None and not result.trouble:
            name = case.scenario.name
            match = matches.setdefault(name, Repeated(name, wanted.named))
            match.runs.append(Run(case.id, case.repeats, result.talk))
    return matches


def shows_alone(case: Case, pack: GamePack) -> bool:
    """Whether what the case is about shows in it alone, with nothing to compare it with."""
    return not case.repeats and (pack.repeats is None or case.requirement != pack.repeats.name)


def with_twins(case: Case, pack: GamePack) -> list[Case]:
    """The case with what it has to be compared with, for one that is played again by itself."""
    wanted = pack.repeats
    if wanted is None:
        return [case]
    if case.repeats:
        plain = under(replace(case, id=f"{case.id}/{case.repeats}"), PLAIN)
        return [plain, replace(case, repeats=AGAIN) if case.repeats == PLAIN else case]
    if case.requirement == wanted.same:  # a scenario by itself does not say under which condition it differed
        return [under(case, PLAIN), under(case, AGAIN)]
    if case.requirement == wanted.name:
        others = [
            Case(f"{case.section}/{scenario.name}", case.section, scenario, about=wanted.name)
            for scenario in wanted.matches(0, 2, 1)
        ]
        return [case, *others]
    return [case]


def _tell_difference(
    settled: Settled, match: Repeated, cases: Mapping[str, Case], pack: GamePack, closer: Closer
) -> None:
    """Look closer at the match that differs most, and add its finding to the case that shows it."""
    before = {run.case for run in match.runs}
    closer.look(match, next(cases[run.case] for run in match.runs))
    cause = cause_of(match)
    assert cause is not None
    shown = match.show(cause)
    if shown.case not in before:
        case, result = closer.played[shown.case]
        settled.more.append(case)
        settled.results.append(result)
    _add(settled, finding_of(match, cause, shown, pack, settled.account.differing))


def _add(settled: Settled, finding: Finding) -> None:
    for at, result in enumerate(settled.results):
        if result.case == finding.case:
            settled.results[at] = replace(result, findings=[*result.findings, finding])
            return
    raise KeyError(f"no case {finding.case}")
