"""What all the cases in which a bot broke down share, and no other case has.

Law: pure. Each case is described by a few features of what the bot was given (numbers; a yes is 1). A feature
explains a breakdown when it separates the failing cases from all the others without one exception; the first such
feature in the tables' order names the requirement, and its words tell the contestant where to look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pdcheck.conformance.case import Case
from pdcheck.scenarios.pack import Feature, Span

Spans = Mapping[str, Span]
"""Feature → the least and the greatest value among the messages of a case."""

FEW = 0.1
"""The share of the passing cases that may have a feature that still explains a breakdown."""
PERHAPS = 0.5
"""The value of a feature beside others that may as well be the reason: it explains nothing by itself."""
BYTE_BY_BYTE = 1000
"""Pieces that are more than a short message has bytes."""
GENERAL: tuple[Feature, ...] = (
    Feature("second_copy", "IO-14", "a second copy of the bot runs beside it"),
    Feature("other_surroundings", "IO-12", "the folder, HOME or the locale are other than usual"),
    Feature("torn_character", "IO-8", "a message is cut inside a UTF-8 character"),
    Feature("torn_escape", "IO-8", "a message is cut inside a \\u escape"),
    Feature("late_lf", "IO-8", "the LF of a message comes a while after the rest"),
    Feature("line_and_half", "IO-8", "a line and half of the next arrive together"),
    Feature("three_at_once", "IO-8", "three lines arrive together"),
    Feature("single_bytes", "IO-8", "a message arrives byte by byte"),
    Feature("pieces", "IO-8", "a message arrives in pieces"),
    Feature("two_at_once", "IO-8", "two lines arrive together"),
    Feature("unknown_action", "JS-6", "a message has an unknown action"),
    Feature("unknown_keys", "JS-3", "a message has keys that the protocol does not know"),
    Feature("spelling", "JS-2", "keys or spaces come in another order or width"),
    Feature("split_character", "JS-4", "a character of a name is written as two \\u escapes"),
    Feature("two_spellings", "JS-4", "a name is spelled in one way at init and in another later"),
    Feature("names_spelled", "JS-4", "a name is written with \\u escapes or raw UTF-8"),
)
LAST: tuple[Feature, ...] = (Feature("line_bytes", "IO-7", "a line has {at} bytes or more"),)
"""Asked last: most other features make lines longer, too."""


class Cause(NamedTuple):
    """The requirement that a breakdown comes down to, and what its cases share, in words."""

    requirement: str
    words: str


def of_case(case: Case, messages: Sequence[bytes]) -> dict[str, Span]:
    """The features that do not depend on the game."""
    scenario, setting = case.scenario, case.setting
    style, deliver = scenario.style, scenario.deliver
    interject = scenario.interject is not None
    flags = {
        "second_copy": setting.beside,
        "other_surroundings": bool(setting.changes) or setting.elsewhere or setting.unwritable,
        "torn_character": deliver.cut == "in-character",
        "torn_escape": deliver.cut == "in-escape",
        "late_lf": deliver.cut == "before-lf",
        "line_and_half": deliver.together and deliver.pieces > 1,
        "three_at_once": deliver.together and interject,
        "single_bytes": deliver.pieces >= BYTE_BY_BYTE,
        "pieces": deliver.pieces > 1 or deliver.cut is not None,
        "two_at_once": deliver.together or interject,
        "unknown_action": interject,
        "unknown_keys": bool(style.unknown_keys),
        "spelling": bool(style.key_order or style.spaces),
        "split_character": style.escapes and any(ord(c) > 0xFFFF for name in scenario.names for c in name),
        "two_spellings": style.mixed,
        "names_spelled": style.escapes or style.raw_utf8,
    }
    spans = {name: Span(float(yes), float(yes)) for name, yes in flags.items()}
    if flags["other_surroundings"] and (setting.late or setting.clock or setting.crowded or setting.fixed):
        spans["other_surroundings"] = Span(PERHAPS, PERHAPS)
    sizes = [len(message) for message in messages] or [0]
    return spans | {"line_bytes": Span(min(sizes), max(sizes))}


def explain(failing: Sequence[Spans], passing: Sequence[Spans], table: Sequence[Feature]) -> Cause | None:
    """The feature behind a breakdown; None when there is none, or nothing passed to compare with."""
    if not failing or not passing:
        return None
    # What one case alone has in common with itself proves little: there no exception is allowed.
    for most in (0, int(len(passing) * FEW) if len(failing) > 1 else 0):
        for feature in table:
            at, others = _separates(feature, failing, passing)
            if at is not None and others <= most < len(passing):
                words = feature.words.format(at=f"{at:.0f}" if at == int(at) else f"{at:g}")
                also = f"only {others} of {len(passing)}" if others else f"none of {len(passing)}"
                told = (
                    f"it happens where {words} ({len(failing)} cases), and {also} other cases are like that"
                )
                return Cause(feature.requirement, told)
    return None


def _separates(
    feature: Feature, failing: Sequence[Spans], passing: Sequence[Spans]
) -> tuple[float | None, int]:
    """The value from which on (or down to which) all failing cases are, and how many passing ones are, too.

    A case may lack a feature altogether (no message that could show it came): a failing one then rules it out.
    """
    name = feature.name
    if not all(name in spans for spans in failing):
        return None, 0
    others = [spans[name] for spans in passing if name in spans]
    if feature.low:
        at = max(spans[name].least for spans in failing)
        return at, sum(span.least <= at for span in others)
    values = [spans[name].greatest for spans in failing]
    at = min(values) if max(values) != PERHAPS else 0.0
    return (at, sum(span.greatest >= at for span in others)) if at else (None, 0)
