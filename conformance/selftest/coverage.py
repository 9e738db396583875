"""Requirement × check × fault: by what each requirement is put to the test, and which of the kit's own bots break it.

Law: computed from the catalogue, the cases and the bots, never written by hand; `markdown` is a game's page in `docs`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pdcheck.conformance import checks
from pdcheck.conformance.judge import ALWAYS
from pdcheck.conformance.selftest.programs import faulty_bots, hostile_bots
from pdcheck.referee.catalogue import Level, Requirement
from pdcheck.scenarios.pack import GamePack


@dataclass(frozen=True, slots=True)
class Coverage:
    """One requirement: the checks in words, the names of the bots that break it, or why nothing covers it."""

    requirement: Requirement
    checks: Sequence[str]
    faulty: Sequence[str]
    hostile: Sequence[str]
    why_not: str = ""


def coverage(pack: GamePack) -> list[Coverage]:
    """Every requirement of the game, in the catalogue's order."""
    cases = checks.all_cases(pack, "quick", 0)
    dedicated: dict[str, list[str]] = {}
    for case in cases:
        kind = (
            "whole matches" if case.whole else "generated states" if case.section == "generated" else case.id
        )
        told = dedicated.setdefault(case.requirement, [])
        if kind not in told:
            told.append(kind)
    watched = [case.id for case in cases if case.setting.watched]
    answers = {one: kind for kind, ids in pack.answered.items() for one in ids}
    faulty, hostile = faulty_bots(pack), hostile_bots(pack)
    found = []
    for entry in pack.catalogue():
        told = list(dedicated.get(entry.id, ()))
        if entry.id in (*ALWAYS, *pack.answers.always):
            told.append("every answer")
        elif entry.id in answers:
            told.append(f"every {answers[entry.id]}" if answers[entry.id] in pack.silence else "every play")
        if entry.id in _of_conduct(pack):
            told += (name for name in watched if name not in told)
        if entry.id in (pack.match_time, pack.margin) and "whole matches" not in told:
            told.append("whole matches")
        found.append(
            Coverage(
                entry,
                told,
                [bot.name for bot in faulty if bot.requirement == entry.id],
                [bot.name for bot in hostile if bot.requirements[0] == entry.id],
                pack.not_covered.get(entry.id, ""),
            )
        )
    return found


def _of_conduct(pack: GamePack) -> tuple[str, ...]:
    """The requirements that are judged from looks at the bot's process."""
    conduct = pack.conduct
    asked = (conduct.processes, conduct.idle, conduct.memory, conduct.files) if conduct else ()
    return tuple(filter(None, asked))


def plain(pack: GamePack) -> str:
    """For a terminal: a paragraph a requirement."""
    lines = []
    for row in coverage(pack):
        entry = row.requirement
        lines.append(f"{entry.id:8} {entry.level:7} {entry.title}")
        for word, names in (("checks", row.checks), ("faulty", row.faulty), ("hostile", row.hostile)):
            if names:
                lines.append(f"         {word:8}{', '.join(names)}")
        if row.why_not:
            lines.append(f"         {row.why_not}")
    return "\n".join(lines)


def markdown(pack: GamePack) -> str:
    """The page `docs/requirements.md`, or `docs/requirements-<game>.md`."""
    rows = coverage(pack)
    bots = faulty_bots(pack)
    languages = Counter(bot.program.language for bot in bots)
    counted = ", ".join(f"{count} in {language}" for language, count in languages.most_common())
    lines = [
        f"# {pack.title}: requirements, checks, faulty bots",
        "",
        f"Made by `pdcheck requirements --game {pack.name} --markdown`; a test holds this file to it. "
        "`pdcheck explain ID` tells a requirement in full.",
        "",
        f"The kit's own faulty bots ({len(bots)}: {counted}) each break one requirement and no other MUST; the "
        f"{len(hostile_bots(pack))} hostile ones, in italics, attack the kit. `pdcheck selftest` runs them all.",
        "",
        "| requirement | level | what it asks | checks | bots that break it |",
        "| --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        entry = row.requirement
        told = _shortened(row.checks) or row.why_not or _NOT_A_BOT.get(entry.level, "")
        names = [*(f"`{name}`" for name in row.faulty), *(f"*{name}*" for name in row.hostile)]
        cells = (entry.id, str(entry.level), entry.title, told, ", ".join(names))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


_NOT_A_BOT = {Level.RULE: "the referee's own duty"}


def _shortened(names: Sequence[str]) -> str:
    """Cases of one section under its name once: `io-7/` a, b, c."""
    sections: dict[str, list[str]] = {}
    for name in names:
        section, _, case = name.rpartition("/")
        sections.setdefault(section, []).append(case)
    return "; ".join(
        f"{section}: {', '.join(cases)}" if section else ", ".join(cases)
        for section, cases in sections.items()
    )
