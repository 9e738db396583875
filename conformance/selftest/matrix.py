"""The matrix: every faulty bot through the kit, each to be caught under its own requirement and no other MUST.

Law: a faulty bot is named after what it breaks; whatever else the kit says of it is a fault of the kit.
"""

from __future__ import annotations

import os
import runpy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.report import Report
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import GamePack

BOTS = files("pdcheck.conformance.selftest") / "bots"


@dataclass(frozen=True, slots=True)
class Faulty:
    """A faulty bot: its name, what it breaks, at which level, and who it is."""

    name: str
    requirement: str
    level: str
    summary: str


@dataclass(frozen=True, slots=True)
class Cell:
    """What the kit said of one faulty bot: the statuses of requirements that are not `pass` or `not-run`."""

    faulty: Faulty
    statuses: Mapping[str, str]
    report: Report

    @property
    def caught(self) -> bool:
        """Whether its own requirement is found broken, at its own level at least as told."""
        wanted = {"MUST": ("fail",), "SHOULD": ("fail", "warn"), "INFO": ("fail", "warn", "info")}
        return self.statuses.get(self.faulty.requirement) in wanted[self.faulty.level]

    @property
    def others(self) -> list[str]:
        """Other requirements found broken as a MUST."""
        return [r for r, status in self.statuses.items() if status == "fail" and r != self.faulty.requirement]


def faulty_folder(pack: GamePack) -> Path:
    """The folder of the game's faulty bots, which is a program: `python3 FOLDER FAULT`."""
    with as_file(BOTS / "faulty" / pack.name.replace("-", "_")) as folder:
        return folder


def faulty_bots(pack: GamePack) -> list[Faulty]:
    """The game's faulty bots, in the order of what they break."""
    faults = runpy.run_path(str(faulty_folder(pack) / "table.py"))["FAULTS"]
    return [Faulty(name, f.requirement, f.level, f.summary) for name, f in faults.items()]


def faulty_bot(pack: GamePack, name: str, python: str) -> Bot:
    """The command of one faulty bot."""
    return read_bot([python, "-S", str(faulty_folder(pack)), name], folder=os.curdir)


def run_matrix(
    pack: GamePack, names: Iterator[Faulty], python: str, *, profile: str = "quick", jobs: int = 1
) -> Iterator[Cell]:
    """Each faulty bot through the kit."""
    cases = checks.all_cases(pack, profile, 0)
    for faulty in names:
        bot = faulty_bot(pack, faulty.name, python)
        report = kit.check(kit.Plan(pack, bot, cases, pack.default_rules, profile, jobs=jobs))
        told = {
            row.requirement.id: row.status for row in report.rows if row.status not in ("pass", "not-run")
        }
        yield Cell(faulty, told, report)


def levels() -> tuple[str, ...]:
    """The levels a faulty bot can have."""
    return tuple(map(str, (Level.MUST, Level.SHOULD, Level.INFO)))
