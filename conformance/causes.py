"""What all the cases in which a bot broke down share, and no other case has.

Law: pure. Each case is described by a few features of what the bot was given (numbers; a yes is 1). A feature
explains a breakdown when it separates the failing cases from all the others without one exception; the first such
feature in the tables' order names the requirement, and its words tell the contestant where to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pdcheck.conformance.case import Case
from pdcheck.scenarios.pack import Feature, Span
from pdcheck.scenarios.scenario import Style

Spans = Mapping[str, Span]
"""Feature → the least and the greatest value among the messages of a case."""

PLAIN_STYLE = Style()
GENERAL: tuple[Feature, ...] = (
    Feature("second_copy", "IO-14", "a second copy of the bot runs beside it"),
    Feature("other_surroundings", "IO-12", "the folder, HOME or the locale are other than usual"),
    Feature("pieces", "IO-8", "a message arrives in pieces"),
    Feature("two_at_once", "IO-8", "two lines arrive together"),
    Feature("unknown_action", "JS-6", "a message has an unknown action"),
    Feature("unknown_keys", "JS-3", "a message has keys that the protocol does not know"),
    Feature("spelling", "JS-2", "keys or spaces come in another order or width"),
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
    style = scenario.style
    interject = scenario.interject is not None
    flags = {
        "second_copy": setting.beside,
        "other_surroundings": bool(setting.changes) or setting.elsewhere,
        "pieces": scenario.deliver.pieces > 1,
        "two_at_once": scenario.deliver.together or interject,
        "unknown_action": interject,
        "unknown_keys": style.unknown_keys,
        "spelling": bool(style.key_order or style.spaces),
        "names_spelled": style.escapes or style.raw_utf8,
    }
    spans = {name: Span(float(yes), float(yes)) for name, yes in flags.items()}
    sizes = [len(message) for message in messages] or [0]
    return spans | {"line_bytes": Span(min(sizes), max(sizes))}


def explain(failing: Sequence[Spans], passing: Sequence[Spans], table: Iterable[Feature]) -> Cause | None:
    """The first feature that separates the cases; None when none does, or nothing passed to compare with."""
    if not failing or not passing:
        return None
    for feature in table:
        at = _separates(feature, failing, passing)
        if at is not None:
            words = feature.words.format(at=f"{at:g}" if at < 1e6 else f"{at:.0f}")
            return Cause(
                feature.requirement,
                f"it happens wherever {words} ({len(failing)} cases tried), and in none of {len(passing)} others",
            )
    return None


def _separates(feature: Feature, failing: Sequence[Spans], passing: Sequence[Spans]) -> float | None:
    """The value from which on (or down to which) the bot fails, or None."""
    if feature.low:
        worst = max(spans[feature.name].least for spans in failing)
        return worst if worst < min(spans[feature.name].least for spans in passing) else None
    worst = min(spans[feature.name].greatest for spans in failing)
    return worst if worst > max(spans[feature.name].greatest for spans in passing) else None
