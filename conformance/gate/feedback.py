"""The short word for the submitter, in English, Japanese or Finnish.

Law: pure; all texts are in `feedback.toml`, and what is not there raises. Whatever comes from the submission or the
machine passes through the scrubber. Never more than `MOST_LINES` lines: the full report is the organiser's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from pdcheck.conformance.gate.refusal import Detail, Refused, Unfit
from pdcheck.conformance.gate.scrub import Scrubber, elided, trimmed

Lang = Literal["en", "ja", "fi"]
Decision = Literal["admitted", "refused", "inconclusive", "error"]

LANGUAGES: tuple[Lang, ...] = ("en", "ja", "fi")
MOST_LINES = 30
WIDTH = 160
_COMPILER_LINES = 14
_LEVELS: tuple[tuple[str, str, int], ...] = (
    ("MUST", "must", 6),
    ("SHOULD", "should", 3),
    ("INFO", "info", 3),
)
"""Level of a requirement → the heading's word, and how many of its findings are told."""
_NUMBER_GAPS: Mapping[Lang, str] = {"en": ",", "ja": ",", "fi": "\u00a0"}


class Told(NamedTuple):
    """One finding as it is told: how often it was met, and what it says (in English, as the report does)."""

    requirement: str
    level: str
    message: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a submission."""

    name: str
    decision: Decision
    refused: Unfit | None = None
    """Why it was not judged at all."""
    output: str | bytes = ""
    """What the compiler wrote, where it failed."""
    findings: Sequence[Told] = ()
    command: str = ""
    """How the submitter can see it himself."""


@cache
def _texts() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    text = files("pdcheck.conformance.gate").joinpath("feedback.toml").read_text("utf-8")
    data: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(text)
    return data


def feedback(outcome: Outcome, lang: Lang, scrub: Scrubber) -> str:
    """The text, ended with a line feed. Raises KeyError for a language, level or code that has no text."""
    lines = [_word(outcome.decision, lang, name=_line(outcome.name, scrub))]
    if outcome.refused is not None:
        lines += _refusal(outcome.refused, lang, scrub)
    if outcome.output and (shown := trimmed(scrub(outcome.output), lines=_COMPILER_LINES, width=WIDTH - 4)):
        lines += ["", _word("compiler", lang), *(f"  | {line}" for line in shown)]
    if outcome.decision in ("admitted", "refused"):
        lines += _findings(outcome.findings, lang, scrub, MOST_LINES - len(lines) - 2)
        if outcome.command and outcome.decision == "refused":
            lines += ["", _word("try", lang, command=_line(outcome.command, scrub))]
    return "\n".join(lines[:MOST_LINES]) + "\n"


def refusal(refused: Unfit, lang: Lang) -> str:
    """Why a submission is not taken, in one sentence."""
    row = _texts()["refusal"][refused.code]
    return row[lang].format(**{name: _shown(value, lang) for name, value in refused.details.items()})


def topic(requirement: str, lang: Lang) -> str:
    """What a requirement is about, in a few words; "" for one of another game than those built in."""
    topics = _texts()["topic"]
    return next(
        (topics[key][lang] for key in (requirement, requirement.partition(".")[0]) if key in topics), ""
    )


def _refusal(refused: Unfit, lang: Lang, scrub: Scrubber) -> list[str]:
    clean = {
        name: scrub(value) if isinstance(value, str) else value for name, value in refused.details.items()
    }
    why = "  " + elided(refusal(Unfit(refused.code, **clean), lang), WIDTH)
    if not isinstance(refused, Refused):
        return [why]
    return [f"{refused.requirement}: {topic(refused.requirement, lang)}", why]


def _findings(findings: Sequence[Told], lang: Lang, scrub: Scrubber, room: int) -> list[str]:
    if unknown := {one.level for one in findings} - {level for level, _, _ in _LEVELS}:
        raise KeyError(f"no level {min(unknown)!r}")
    lines: list[str] = []
    for level, heading, most in _LEVELS:
        here = [one for one in findings if one.level == level]
        told = here[: max(0, min(most, (room - len(lines) - 3) // 2))]
        if not told:
            continue
        lines += ["", _word(heading, lang)]
        for one in told:
            lines += _finding(one, lang, scrub)
        if len(here) > len(told):
            lines.append("  " + _word("more", lang, count=len(here) - len(told)))
    return lines


def _finding(one: Told, lang: Lang, scrub: Scrubber) -> list[str]:
    often = " " + _word("times", lang, count=one.times) if one.times > 1 else ""
    about = topic(one.requirement, lang)
    return [
        elided(f"  {one.requirement}{': ' if about else ''}{about}{often}", WIDTH),
        "    " + elided(_line(one.message, scrub), WIDTH - 4),
    ]


def _word(key: str, lang: Lang, **details: Detail) -> str:
    return _texts()["words"][key][lang].format(
        **{name: _shown(value, lang) for name, value in details.items()}
    )


def _shown(value: Detail, lang: Lang) -> str:
    return value if isinstance(value, str) else f"{value:,}".replace(",", _NUMBER_GAPS[lang])


def _line(text: str, scrub: Scrubber) -> str:
    """The first line that says something."""
    return elided(next((line for line in scrub(text).split("\n") if line.strip()), ""), WIDTH)
