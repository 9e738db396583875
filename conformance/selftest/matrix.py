"""The matrix: every bot of the kit's own through the kit, and whether the kit was right about it.

Law: a faulty bot is named after what it breaks: it has to be caught under that requirement, and no other MUST. A good
bot gives no finding. A hostile one is found broken where it may be, and the kit outlives it. Bots are judged beside
one another, each by a kit with one job; those that are about time follow the others, one at a time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.report import Report
from pdcheck.conformance.scratch import scratch
from pdcheck.conformance.selftest import ordeal as ordeals
from pdcheck.conformance.selftest.ordeal import Ordeal
from pdcheck.conformance.selftest.programs import (
    BuildError,
    Faulty,
    Good,
    Hostile,
    Workshop,
    faulty_bots,
    good_bots,
    hostile_bots,
)
from pdcheck.conformance.work import die_with, ended_pool
from pdcheck.scenarios.pack import GamePack

__all__ = [
    "Cell",
    "Entry",
    "bots_of",
    "check",
    "faulty_bot",
    "faulty_bots",
    "good_bots",
    "hostile_bots",
    "run",
]

STATUSES = {"MUST": "fail", "SHOULD": "warn", "INFO": "info"}

Own = Good | Faulty | Hostile


@dataclass(frozen=True, slots=True)
class Cell:
    """What the kit said of one faulty bot: the statuses of requirements that are not `pass` or `not-run`."""

    faulty: Faulty
    statuses: Mapping[str, str] = field(default_factory=dict)
    cause: str = ""
    """The word with which the cause of its own requirement's finding begins, where there is one."""
    troubles: int = 0
    """In how many cases the kit itself failed."""
    words: tuple[str, ...] = ()
    """What was received, for each requirement: who looks for the reason of a miss may never see it again."""

    @property
    def caught(self) -> bool:
        """Whether its own requirement is found broken at its own level (and for its cause, where it has one), no
        other as a MUST, and the kit did not fail."""
        own = self.statuses.get(self.faulty.requirement) == STATUSES[self.faulty.level]
        return own and not self.others and not self.troubles and self.faulty.cause in ("", self.cause)

    @property
    def others(self) -> list[str]:
        """Other requirements found broken as a MUST."""
        return [r for r, status in self.statuses.items() if status == "fail" and r != self.faulty.requirement]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the matrix. `right` is None for a bot that was not run; `reported` says what was found, or why not.

    `seen` is there for a hostile bot that was run.
    """

    kind: str
    name: str
    expected: str
    reported: str
    right: bool | None
    seconds: float = 0.0
    seen: Ordeal | None = None
    failed: bool = False
    """Whether the kit itself failed, so that it says nothing of the bot."""


def run(
    pack: GamePack, bots: Sequence[Own], *, profile: str = "quick", jobs: int = 1, out: Path | None = None
) -> Iterator[Entry]:
    """Judge the bots, `jobs` at once; their lines as they come. Raises nothing for a bot: what the kit itself fails in
    is a line that is not right."""
    with scratch() as folder:
        workshop = Workshop(out or Path(folder))
        ready: list[Own] = []
        for bot in bots:
            unfit = _unfit(pack, bot, workshop)
            if unfit:
                yield unfit
            else:
                ready.append(bot)
        all_cases(pack.name, profile)  # made once, before the workers fork
        beside = [bot for bot in ready if not _alone(bot)]
        yield from _judged(pack, beside, profile, jobs, workshop)
        yield from _judged(pack, [bot for bot in ready if _alone(bot)], profile, 1, workshop)


def bots_of(pack: GamePack, only: str = "") -> list[Own]:
    """Every bot, or those whose name or requirement begins with one of the prefixes (commas between)."""
    prefixes = tuple(part.strip().lower() for part in only.split(",") if part.strip())
    everybody: list[Own] = [*good_bots(pack), *faulty_bots(pack), *hostile_bots(pack)]
    return [bot for bot in everybody if not prefixes or bot.name.lower().startswith(prefixes)]


def judge_faulty(
    pack: GamePack, faulty: Faulty, *, profile: str = "quick", jobs: int = 1, workshop: Workshop | None = None
) -> Cell:
    """One faulty bot through the kit. Raises BuildError where it cannot be built."""
    with contextlib.ExitStack() as stack:
        if workshop is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pdcheck-selftest-"))
            workshop = Workshop(Path(folder))
        time = ordeals.HANG_TIME if faulty.cause else faulty.time
        cases = _cases(pack, profile, faulty)
        report = check(pack, workshop.bot(faulty), cases, profile, jobs, time)
    told = {row.requirement.id: row.status for row in report.rows if row.status not in ("pass", "not-run")}
    causes = (
        f.cause for row in report.rows if row.requirement.id == faulty.requirement for f in row.findings
    )
    cause = (next(causes, None) or "").partition(":")[0]
    return Cell(faulty, told, cause, len(report.troubles), _words(report))


def _words(report: Report) -> tuple[str, ...]:
    """The first finding of each requirement, in short."""
    first = (row.findings[0] for row in report.rows if row.findings)
    return tuple(f"{finding.requirement} in {finding.case}: {finding.actual}" for finding in first)


def faulty_bot(pack: GamePack, name: str) -> Bot:
    """The command of one faulty bot written in Python."""
    faulty = next(faulty for faulty in faulty_bots(pack) if faulty.name == name)
    return Workshop(Path()).bot(faulty)


def check(
    pack: GamePack,
    bot: Bot,
    cases: Sequence[Case],
    profile: str,
    jobs: int = 1,
    time: float | None = None,
) -> Report:
    """A bot through these cases."""
    return kit.check(kit.Plan(pack, bot, cases, pack.default_rules, profile, jobs=jobs, time=time))


@cache
def all_cases(game: str, profile: str) -> Sequence[Case]:
    """Every case of a profile with seed 0; made once a process."""
    from pdcheck.conformance.packs import load_pack

    return tuple(checks.all_cases(load_pack(game), profile, 0))


def _cases(pack: GamePack, profile: str, faulty: Faulty) -> Sequence[Case]:
    cases = all_cases(pack.name, profile)
    if faulty.cause:  # it shows in the first exchange
        return [case for case in cases if case.section == checks.BASIC]
    if not faulty.matches_only:
        return cases
    return [case for case in cases if case.section == checks.BASIC or case.whole]


def _alone(bot: Own) -> bool:
    return isinstance(bot, Faulty) and bot.alone


def _unfit(pack: GamePack, bot: Own, workshop: Workshop) -> Entry | None:
    """The line of a bot that cannot be run; None when it can."""
    expected = _expected(bot)
    if isinstance(bot, Faulty) and bot.requirement in pack.not_covered:
        return Entry(_kind(bot), bot.name, expected, f"not run: {pack.not_covered[bot.requirement]}", None)
    lacks = bot.program.lacks()
    if lacks:
        return Entry(_kind(bot), bot.name, expected, f"not run: needs {', '.join(lacks)}", None)
    if isinstance(bot, Hostile) and sys.platform != "linux":
        return Entry(_kind(bot), bot.name, expected, "not run: what it leaves is seen on Linux only", None)
    try:
        workshop.make(bot.program)
    except BuildError as error:
        if bot.program.headers:
            told = f"not run: needs {', '.join(bot.program.headers)}"
            return Entry(_kind(bot), bot.name, expected, told, None)
        return Entry(_kind(bot), bot.name, expected, str(error), False)
    return None


def _judged(
    pack: GamePack, bots: Sequence[Own], profile: str, jobs: int, workshop: Workshop
) -> Iterator[Entry]:
    method = "fork" if sys.platform == "linux" else "spawn"
    with ended_pool(jobs, method, _begin, os.getpid()) as pool:
        waiting = {pool.submit(_line, pack.name, bot, profile, workshop): bot for bot in bots}
        for future in as_completed(waiting):
            error = future.exception()
            if error is None:
                yield future.result()
            else:
                bot = waiting[future]
                yield Entry(
                    _kind(bot), bot.name, _expected(bot), f"the kit failed: {error!r}", False, failed=True
                )


def _begin(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with(parent)


def _line(game: str, bot: Own, profile: str, workshop: Workshop) -> Entry:
    """Judge one bot, in a process of the pool."""
    from pdcheck.conformance.packs import load_pack

    pack = load_pack(game)
    started = time.monotonic()
    if isinstance(bot, Hostile):
        seen = ordeals.ordeal(workshop.bot(bot), game, profile=profile)
        wrong = seen.misses(bot.requirements)
        reported = ", ".join(seen.broken) or seen.verdict or "nothing"
        told = "; ".join([reported, *wrong])
        return Entry("hostile", bot.name, _expected(bot), told, not wrong, seen.seconds, seen)
    if isinstance(bot, Faulty):
        cell = judge_faulty(pack, bot, profile=profile, workshop=workshop)
        told = ", ".join(f"{requirement} {status}" for requirement, status in cell.statuses.items())
        if cell.cause != bot.cause and bot.cause:
            told += f" ({cell.cause or 'no cause'})"
        right, troubles, words = cell.caught, cell.troubles, cell.words
    else:
        report = check(pack, workshop.bot(bot), all_cases(game, profile), profile)
        found = [row.requirement.id for row in report.rows if row.findings]
        right, troubles = report.verdict == "conforms" and not found, len(report.troubles)
        told, words = ", ".join(found) or report.verdict, _words(report)
    told = told or "nothing"
    if troubles:
        told += f"; the kit failed in {troubles} case{'s' * (troubles > 1)}"
    if not right:
        told = "; ".join((told, *words))
    seconds = time.monotonic() - started
    return Entry(_kind(bot), bot.name, _expected(bot), told, right, seconds, failed=bool(troubles))


def _kind(bot: Own) -> str:
    return type(bot).__name__.lower()


def _expected(bot: Own) -> str:
    if isinstance(bot, Faulty):
        return f"{bot.requirement} {STATUSES[bot.level]}"
    return " or ".join(bot.requirements) if isinstance(bot, Hostile) else "conforms"
