"""What repetition found, in words: the finding of a bot that does not play the same way, that of one with two names,
and the account of all that was tried.

Law: pure. The first move that differs, the condition that changes it, how often that was seen, and both boards.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pdcheck.conformance.findings import Finding
from pdcheck.conformance.repeats.compare import Difference, Naming, side_by_side
from pdcheck.conformance.repeats.conditions import AGAIN, CONDITIONS, COUNTERS, HELD, PLAIN, Condition
from pdcheck.conformance.repeats.verdict import Repeated, Run, alone, in_vain, same
from pdcheck.referee.violations import Ruling, elide
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.view import View

SHOWN_NAMES = 4
STOPPED = "the bot does not play to the end so, and there is nothing to compare"


def finding_of(match: Repeated, cause: Condition, shown: Run, pack: GamePack, differing: int) -> Finding:
    """The finding that this match gives; `shown` is the run that is told of, `differing` in how many runs of all
    matches the moves differ."""
    wanted, found, first = pack.repeats, match.parts(shown), match.first
    assert wanted is not None
    assert found is not None
    assert first is not None
    known = pack.catalogue()[wanted.same]
    one, other = _move(found.first.what), _move(found.other.what)
    condition = CONDITIONS[shown.condition]
    titles = ("as it played first:", f"{condition.words or CONDITIONS[AGAIN].words}:")
    boards = side_by_side(found, wanted.draw, titles)
    return Finding(
        requirement=wanted.same,
        level=known.level,
        message=f"{known.title}: its move {found.number} is {one} in one run and {other} in another",
        expected=f"{one} at its move {found.number} (move {found.place} of the match), as in the first run",
        actual=f"{other} {condition.words}",
        sent=_sent(found),
        cause="\n".join((cause.cause, *_counts(match, cause, shown), "", boards)),
        fix=" ".join(filter(None, (cause.remedy, wanted.hints.get(cause.about)))) or known.fix,
        case=shown.case,
        times=differing,
        dedicated=True,
        language=shown.talk.language,
        views=_views(match, found, shown, pack),
    )


def naming_finding(names: Sequence[Naming], pack: GamePack, language: str) -> Finding:
    """The finding of a bot with several names, the most frequent first."""
    assert pack.repeats is not None
    known = pack.catalogue()[pack.repeats.name]
    usual, *others = names
    told = ", ".join(f"{elide(name.name, 40)} {_where(name)}" for name in others[:SHOWN_NAMES])
    more = f" and {len(others) - SHOWN_NAMES} other names" if len(others) > SHOWN_NAMES else ""
    return Finding(
        requirement=known.id,
        level=known.level,
        message=f"{known.title}: {usual.name} and {others[0].name}",
        expected=f"{usual.name}, as {_where(usual)}",
        actual=told + more,
        cause=_why_names(names),
        fix=known.fix,
        case=others[0].case,
        times=sum(name.times for name in others),
        dedicated=True,
        language=language,
    )


@dataclass(frozen=True, slots=True)
class Account:
    """What was repeated: the matches with their runs, and what could not be tried (condition → why)."""

    matches: Sequence[Repeated]
    untried: Mapping[str, str]

    @property
    def runs(self) -> int:
        """Runs that were compared with a first one."""
        return sum(len(match.others) for match in self.matches)

    @property
    def differing(self) -> int:
        """Those of them that differ."""
        return sum(match.differences for match in self.matches)

    @property
    def headline(self) -> str:
        """The account in a line."""
        if not self.runs:
            return "no match could be repeated to its end"
        compared = [match for match in self.matches if match.others]
        matches = f"{self.runs} repetitions of {len(compared)} match{'es' if len(compared) > 1 else ''}"
        if not self.differing:
            return f"the same moves in {matches}"
        return f"other moves in {self.differing} of {matches}"

    @property
    def left_out(self) -> list[tuple[str, str]]:
        """What could not be varied, and why; and what was, but the bot never came to the end so."""
        untried = [(CONDITIONS[name].varied, why) for name, why in self.untried.items()]
        return [*untried, *((varied, STOPPED) for varied in self._stopped)]

    @property
    def varied(self) -> str:
        """What was changed, in a line."""
        conditions = {run.condition for match in self.matches for run in match.others} - {PLAIN, AGAIN}
        varied = [row.varied for row in CONDITIONS.values() if row.name in conditions]
        return ", ".join((*varied, "and in every run the process id" if varied else "only the process id"))

    @property
    def _stopped(self) -> list[str]:
        ended = {run.condition for match in self.matches for run in match.counted}
        tried = {run.condition for match in self.matches for run in match.runs} - ended
        return [row.varied for row in CONDITIONS.values() if row.name in tried and row.varied]

    def table(self) -> list[tuple[str, ...]]:
        """A row a condition: what was varied, then for each match how the runs compare with the first."""
        heads = tuple(f"{match.name} (seat {match.first.talk.seat + 1})" if match.first else match.name
                      for match in self.matches)  # fmt: skip
        rows = [("changed", *heads)]
        for row in CONDITIONS.values():
            if row.name == PLAIN or row in COUNTERS:  # told with those that repeat it, or hold it
                continue
            cells = tuple(_cell(match, row) for match in self.matches)
            if any(cells):
                rows.append((row.varied, *cells))
        return rows

    def as_json(self) -> dict[str, Any]:
        """The account as `schemas/report.json` has it."""
        return {
            "summary": self.headline,
            "changed": self.varied,
            "runs": self.runs,
            "differing": self.differing,
            "table": [list(row) for row in self.table()],
            "untried": dict(self.left_out),
        }


def _cell(match: Repeated, row: Condition) -> str:
    """How the runs of one match under one condition compare with its first run; those under which something is held,
    with each other."""
    conditions = (PLAIN, AGAIN) if row.name == AGAIN else (row.name,)
    runs = [run for run in match.runs if run.condition in conditions and run is not match.first]
    counted = [run for run in runs if not run.talk.stopped]
    if not counted:
        return "stopped" if runs else ""
    if row in HELD:
        return "same each time" if same(match, [run.talk for run in counted]) else "differs"
    places = [found.number for run in counted if (found := match.parts(run))]
    if not places:
        return "same"
    often = f" ({len(places)} of {len(counted)} runs)" if len(counted) > 1 else ""
    return f"differs at its move {min(places)}{often}"


def _counts(match: Repeated, cause: Condition, shown: Run) -> list[str]:
    """How often what was seen, in lines."""
    plain, of_plain = match.differing(PLAIN, AGAIN)
    lines = (
        [f"with nothing changed its moves differed in {plain} of {of_plain} repetitions"] if of_plain else []
    )
    if plain:
        held = [row.varied for row in in_vain(match)] if cause.name == AGAIN else []
        told = f"and with {', with '.join(held)}: most likely it is none of these" if held else ""
        return [*lines, *filter(None, (told,))]
    seen, of = match.differing(cause.name)
    lines.append(f"{cause.words}, in {seen} of {of}")
    others = [row.words for row in alone(match) if row.name != cause.name]
    if others:
        lines.append(f"and {', '.join(others)}")
    if shown.condition != cause.name:
        lines.append(f"below: {CONDITIONS[shown.condition].words}")
    return lines


def _sent(found: Difference) -> str:
    if not found.before:
        return "nothing but its turn: it is the first move"
    count, last = len(found.before), found.before[-1].what
    return (
        f"the same {count} moves in both runs, the last one {last}" if count > 1 else f"{last} in both runs"
    )


def _move(what: str) -> str:
    return elide(what, 60) or "nothing"


def _views(match: Repeated, found: Difference, shown: Run, pack: GamePack) -> tuple[View, ...]:
    """Both runs up to the move that differs, step by step; none where the game's viewer fails."""
    with contextlib.suppress(Exception):  # it may be a plug-in's, and the finding stands without
        return tuple(_drawn(match, found, shown, pack))
    return ()


def _drawn(match: Repeated, found: Difference, shown: Run, pack: GamePack) -> Iterator[View]:
    first = match.first
    if pack.viewer is None or first is None:
        return
    for title, talk, move in (
        ("as it played first", first.talk, found.first),
        (CONDITIONS[shown.condition].words, shown.talk, found.other),
    ):
        rulings = [Ruling(said.seat, said.outcome, said.what) for said in (*found.before, move)]
        view = pack.viewer(rulings, talk.names, talk.seat)
        if view is not None:
            yield {**view, "title": title}


def _where(name: Naming) -> str:
    seats = " and ".join(str(seat + 1) for seat in name.seats)
    cases = f"{name.times} case{'s' if name.times > 1 else ''}"
    return f"in seat {seats} ({cases}, such as {name.case})"


def _why_names(names: Sequence[Naming]) -> str:
    """What the seats of the names say about the reason."""
    seats = [set(name.seats) for name in names]
    if len(names) == 2 and seats[0].isdisjoint(seats[1]):
        return "the name depends on the seat: it is made from the turn number, or each seat has a name of its own"
    if max(name.times for name in names) > sum(name.times for name in names) / 2:
        return "the name depends on what is around the bot: the environment, the folder, the program's file or the time"
    return "the name is another one in each run: it is made from the process id, the clock or a random number"
