"""A case: one scenario put before the bot in one setting, in a process of its own.

Law: a case is data, the same whatever ran before it; running it gives a transcript. The kit's own exception in a case
is that case's `trouble`, never a finding against the bot.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pdcheck.conformance.bot import Bot
from pdcheck.conformance.machine import machine
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Ruled, Transcript
from pdcheck.conformance.transports import Transport
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.conformance.version import __version__
from pdcheck.referee.match import Match
from pdcheck.scenarios.pack import GamePack, Stage
from pdcheck.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Setting:
    """What is different around the bot's process, from the way its contest starts it."""

    name: str = "plain"
    changes: Mapping[str, str | None] = field(default_factory=dict)
    """Environment variables set, or (None) taken away."""
    elsewhere: bool = False
    """It runs in an empty folder."""
    listen: bool = False
    """The kit listens until the bot has come to rest before it sends the first message (IO-2)."""
    beside: bool = False
    """A second copy of the bot is at the same point of the same scenario (IO-14)."""


PLAIN = Setting()


@dataclass(frozen=True, slots=True)
class Case:
    """`about` is the requirement in question, `section` the part of the suite that stops together."""

    id: str
    section: str
    scenario: Scenario
    setting: Setting = PLAIN
    alone: bool = False
    """Whether it judges time, so that nothing else of the kit may run beside it."""
    whole: bool = False
    """Whether it is a whole match, whose time counts (PD-5.1)."""
    about: str = ""
    hurry: bool = False
    """The bot is not told to quit and not waited for: how it ends was seen often enough."""

    @property
    def requirement(self) -> str:
        """The requirement that the case is about."""
        return self.about or self.scenario.about


def run_case(
    case: Case, bot: Bot, pack: GamePack, rules: str, time: float | None, scratch: str | None = None
) -> tuple[Transcript, Stage]:
    """Play the case with a fresh process (two with `beside`); all of them are gone when this returns.

    `scratch` is where the bot's fresh folders are made. Raises StartError when the bot cannot be started,
    ScenarioError when the scenario cannot be.
    """
    with ExitStack() as stack:
        if case.setting.beside:
            # The first copy is not told to quit: it must be there while the second one plays.
            staying = replace(case, scenario=replace(case.scenario, ending="eof"))
            first, first_stage = _enter(stack, staying, bot, pack, rules, time, scratch)
            first.play()
            first.rest(first_stage.seat)
            stays = first.alive(first_stage.seat)
            runner, stage = _enter(stack, case, bot, pack, rules, time, scratch)
            runner.play()
            if stays and not first.alive(stage.seat):
                runner.note(
                    stage.seat, "first-copy-ended", "the first copy ended while the second one played"
                )
        else:
            runner, stage = _enter(stack, case, bot, pack, rules, time, scratch)
            if case.setting.listen:
                runner.rest(stage.seat)
            runner.play()
        runner.part(stage.seat, _ending(case, runner.log, stage.seat))
    return runner.log, stage


def _enter(
    stack: ExitStack,
    case: Case,
    bot: Bot,
    pack: GamePack,
    rules: str,
    time: float | None,
    scratch: str | None,
) -> tuple[Runner, Stage]:
    if scratch:  # a bot can delete what it finds above its HOME
        os.makedirs(scratch, exist_ok=True)
    home = stack.enter_context(
        tempfile.TemporaryDirectory(prefix="home-", dir=scratch, ignore_cleanup_errors=True)
    )
    folder = None
    if case.setting.elsewhere:
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="cwd-", dir=scratch, ignore_cleanup_errors=True)
        )
    scenario = case.scenario
    if case.hurry and scenario.ending == "quit" and scenario.interject is None:
        scenario = replace(scenario, ending="eof")
    stage = pack.stage(scenario, rules, time)
    launch = bot.launch(home, changes=case.setting.changes, folder=folder)
    candidate = ProcessTransport(launch)
    transports: list[Transport] = [
        candidate if seat == stage.seat else MemoryTransport(stage.players[seat])
        for seat in range(len(stage.game.names))
    ]
    log = Transcript(_header(case, bot, pack, rules, stage))
    pieces = case.scenario.deliver.pieces

    def split(seat: int, data: bytes) -> list[bytes]:
        return _cut(data, pieces) if seat == stage.seat else [data]

    runner = Runner(Match(stage.game), transports, log, split=split if pieces > 1 else None, impatient=True)
    return stack.enter_context(runner), stage


def _header(case: Case, bot: Bot, pack: GamePack, rules: str, stage: Stage) -> dict[str, Any]:
    seats = [
        {"name": name, "kind": "candidate", "command": list(bot.command), "sha256": bot.sha256}
        if seat == stage.seat
        else {"name": name, "kind": "house", "command": None, "sha256": None}
        for seat, name in enumerate(stage.game.names)
    ]
    scenario = asdict(case.scenario)
    return {
        "pdcheck": __version__,
        "game": pack.name,
        "rules": case.scenario.rules or rules,
        "seed": None,
        "case": case.id,
        "setting": case.setting.name,
        "seats": seats,
        "setup": {"scenario": scenario},
        "environment": dict(bot.environment),
        "limits": {"time": stage.game.time},
        "machine": machine(),
    }


def _cut(data: bytes, pieces: int) -> list[bytes]:
    size = max(1, math.ceil(len(data) / pieces))
    return [data[at : at + size] for at in range(0, len(data), size)]


def _ending(case: Case, log: Transcript, seat: int) -> str:
    """How the process is brought to its end: as the scenario says, or by the end of its input once it is out."""
    if any(isinstance(e, Ruled) and e.ruling.seat == seat and e.ruling.violation for e in log.events):
        return "eof"
    if case.hurry and case.scenario.ending == "quit":
        return "hurry"
    return {"quit": "quit", "term": "term"}.get(case.scenario.ending, "eof")
