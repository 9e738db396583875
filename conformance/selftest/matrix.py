"""The matrix: every faulty bot through the kit, each to be caught under its own requirement and no other MUST.

Law: a faulty bot is named after what it breaks; whatever else the kit says of it is a fault of the kit. Good bots
give no finding at all.
"""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.report import Report
from pdcheck.scenarios.pack import GamePack

PACKAGE = "pdcheck.conformance.selftest.bots"
STATUSES = {"MUST": "fail", "SHOULD": "warn", "INFO": "info"}
TIME = "PD-5"
"""Bots with a fault in their use of time take all of it in every state: they meet matches only."""


@dataclass(frozen=True, slots=True)
class Faulty:
    """A faulty bot: its name, what it breaks, at which level, and who it is."""

    name: str
    requirement: str
    level: str
    summary: str


@dataclass(frozen=True, slots=True)
class Good:
    """A good bot: how to build it ({source}, {out} in its words; empty: nothing to build), how to run it."""

    name: str
    source: Path
    tools: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]

    def built(self, out: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The commands that build it into the folder `out` and run it."""
        fill = {"source": str(self.source), "out": str(out)}
        build, run = (tuple(word.format(**fill) for word in words) for words in (self.build, self.run))
        return build, run


@dataclass(frozen=True, slots=True)
class Cell:
    """What the kit said of one faulty bot: the statuses of requirements that are not `pass` or `not-run`."""

    faulty: Faulty
    statuses: Mapping[str, str] = field(default_factory=dict)

    @property
    def caught(self) -> bool:
        """Whether its own requirement is found broken at its own level, and no other as a MUST."""
        own = self.statuses.get(self.faulty.requirement) == STATUSES[self.faulty.level]
        return own and not self.others

    @property
    def others(self) -> list[str]:
        """Other requirements found broken as a MUST."""
        return [r for r, status in self.statuses.items() if status == "fail" and r != self.faulty.requirement]


def good_bots(pack: GamePack) -> list[Good]:
    """The game's good bots."""
    folder = _folder("good", pack)
    rows = tomllib.loads((folder / "bots.toml").read_text("utf-8"))["bot"]
    return [
        Good(
            row["name"],
            folder / row["source"],
            (*row["tools"], *row["headers"]),
            tuple(row["build"]),
            tuple(row["run"]),
        )
        for row in rows
    ]


def faulty_bots(pack: GamePack) -> list[Faulty]:
    """The game's faulty bots, in the order of what they break."""
    module = importlib.import_module(f"{PACKAGE}.faulty.{_module(pack)}.catalogue")
    return [Faulty(name, f.requirement, f.level, f.summary) for name, f in module.FAULTS.items()]


def faulty_bot(pack: GamePack, name: str, python: str = sys.executable) -> Bot:
    """The command of one faulty bot."""
    return read_bot([python, "-B", "-S", str(_folder("faulty", pack)), name])


def judge_faulty(pack: GamePack, faulty: Faulty, *, profile: str = "quick", jobs: int = 1) -> Cell:
    """One faulty bot through the kit."""
    report = check(pack, faulty_bot(pack, faulty.name), _cases(pack, profile, faulty), profile, jobs)
    told = {row.requirement.id: row.status for row in report.rows if row.status not in ("pass", "not-run")}
    return Cell(faulty, told)


def check(pack: GamePack, bot: Bot, cases: Sequence[Case], profile: str, jobs: int = 1) -> Report:
    """A bot through these cases."""
    return kit.check(kit.Plan(pack, bot, cases, pack.default_rules, profile, jobs=jobs))


def _cases(pack: GamePack, profile: str, faulty: Faulty) -> Sequence[Case]:
    cases = all_cases(pack.name, profile)
    if not faulty.requirement.startswith(TIME):
        return cases
    return [case for case in cases if case.section == checks.BASIC or case.whole]


@cache
def all_cases(game: str, profile: str) -> Sequence[Case]:
    """Every case of a profile with seed 0; made once a process."""
    from pdcheck.conformance.packs import load_pack

    return tuple(checks.all_cases(load_pack(game), profile, 0))


def _folder(kind: str, pack: GamePack) -> Path:
    return Path(str(files("pdcheck.conformance.selftest"))) / "bots" / kind / _module(pack)


def _module(pack: GamePack) -> str:
    return pack.name.replace("-", "_")
