"""Second looks at a bot that breaks down in an ordinary exchange: the same exchange once more, and then elsewhere.

Law: only ordinary (basic) cases are looked at again, and which looks there are depends on the case and on what came of
it, so that a run tells the same whatever the number of jobs. Each look is a probe in the case's own transcript; that a
bot fails there as well is no finding. A bot that does not break down the second time is not looked at any further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pdcheck.conformance.case import Case
from pdcheck.conformance.checks import BASIC
from pdcheck.conformance.diagnosis import UNFLUSHED
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.repeats import clock
from pdcheck.conformance.setting import Setting
from pdcheck.conformance.story import Story
from pdcheck.conformance.transports import StartError
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.scenario import ScenarioError

TERM: Mapping[str, str] = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
PATIENCE = 0.5
"""How much longer than its time a bot is waited for that was at work when it was over."""
BRIEF = 3.0
"""Seconds that a bot that may only be slow is waited for elsewhere."""
Run = Callable[[Case], tuple[CaseResult, Story]]
"""Run and judge a case, with no second look at it."""
Look = tuple[str, Mapping[str, Any]]
"""A probe to be: its name and its values."""


def bears_the_clock(case: Case, story: Story, run: Run) -> Iterator[Look]:
    """`usual-clock`: of a bot that broke down under another date, whether it `works` with the library that gives one,
    and nothing changed."""
    if case.setting.clock == clock.ANOTHER and story.violation:
        setting = Setting("usual-clock", clock=clock.USUAL)
        _, other = run(replace(case, setting=setting, hurry=True))
        yield "usual-clock", {"works": other.violation is None}


def looks(case: Case, result: CaseResult, pack: GamePack, limit: float, run: Run) -> Iterator[Look]:
    """What the second looks see: `again` (breaks down once more), `term` (works with TERM set), `terminal` (works
    when its streams are terminals), `together` (how it answers two messages that it gets at once), `more` (the same
    with messages of many kilobytes). Each has `works`, and `lacks` instead where it cannot be had here. `limit`: the
    time of a match in seconds."""
    broke = _breakdown(result)
    if case.section != BASIC or case.setting.terminal or broke is None:
        return
    if not broke.breakdown:
        # It was at work or asleep: to wait for that again costs all its time, so it is done once.
        if case.scenario.name == _first(pack):
            yield "terminal", _look(case, run, terminal=True, patience=PATIENCE)
        return
    # One that may only be slow is not waited for in vain for long: what comes under a terminal comes at once.
    patience = min(0.0, BRIEF / limit - 1) if broke.timed else 0.0
    if broke.breakdown != UNFLUSHED and (broke.breakdown.startswith("died") or not broke.timed):
        again = _look(case, run)
        yield "again", again
        if again.get("works", True):
            return
        term = _look(case, run, changes=TERM)
        yield "term", {**term, "set": dict(TERM)}
        if term.get("works"):
            return
    terminal = _look(case, run, terminal=True, changes=TERM, patience=patience)
    yield "terminal", terminal
    if broke.breakdown == UNFLUSHED and not terminal.get("works"):
        both = _both(case, pack, run, patience)
        yield "together", both
        if both.get("lines") != 1:
            yield "more", _both(case, pack, run, patience, unknown_keys="long")


def _breakdown(result: CaseResult) -> Finding | None:
    """The finding of a bot that died, said nothing or took all its time; None when it did none of that."""
    for finding in result.findings:
        if finding.broke_down and (not finding.breakdown or finding.breakdown.startswith(("died", "silent"))):
            return finding
    return None


def _both(
    case: Case, pack: GamePack, run: Run, patience: float, unknown_keys: bool | str = False
) -> dict[str, Any]:
    """The look at two messages at once: in this exchange, else in the first ordinary one where there can be two."""
    look: dict[str, Any] = {}
    for scenario in (case.scenario, *(s for s in pack.scenarios() if s.name in pack.basic)):
        other = _together(replace(case, scenario=scenario), unknown_keys)
        look = _look(other, run, patience=patience)
        if "lacks" not in look:
            break
    return look


def _together(case: Case, unknown_keys: bool | str = False) -> Case:
    """The same with its first two messages in one piece, made long by unknown keys if asked for."""
    scenario = case.scenario
    deliver = replace(scenario.deliver, together=True)
    style = replace(scenario.style, unknown_keys=unknown_keys)
    return replace(case, scenario=replace(scenario, deliver=deliver, style=style))


def _first(pack: GamePack) -> str:
    return next(scenario.name for scenario in pack.scenarios() if scenario.name in pack.basic)


def _look(
    case: Case,
    run: Run,
    *,
    terminal: bool = False,
    changes: Mapping[str, str] | None = None,
    patience: float = 0.0,
) -> dict[str, Any]:
    setting = replace(
        case.setting,
        terminal=terminal,
        changes={**case.setting.changes, **(changes or {})},
        patience=patience,
    )
    try:
        result, story = run(replace(case, setting=setting, hurry=True))
    except (StartError, OSError, ScenarioError) as error:  # no pseudo-terminal, or not two messages
        return {"lacks": str(error)}
    broke = next((finding for finding in result.findings if finding.level is Level.MUST), None)
    works = broke is None and not result.inconclusive and not result.trouble
    values: dict[str, Any] = {"works": works, "answers": len(result.turns)}
    values["seconds"] = round(max(result.turns, default=0.0), 3)
    values["lines"] = sum(out.lines for out in story.outs)
    if broke:
        values["how"] = broke.breakdown or broke.actual
    if patience > 0:
        values["patience"] = patience
    return values
