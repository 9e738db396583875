"""A case: one scenario put before the bot in one setting, in a process of its own.

Law: a case is data, the same whatever ran before it; running it gives a transcript. The kit's own exception in a case
is that case's `trouble`, never a finding against the bot.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from pdcheck.conformance.bot import Bot
from pdcheck.conformance.delivery import PIECE_GAP, late_lines, splitter
from pdcheck.conformance.machine import machine
from pdcheck.conformance.repeats import clock, surroundings
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Ruled, Transcript
from pdcheck.conformance.transports import Transport
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.conformance.transports.terminal import TerminalTransport
from pdcheck.conformance.version import __version__
from pdcheck.conformance.watch import calls
from pdcheck.conformance.watch.transport import ObservedTransport
from pdcheck.conformance.watch.watcher import LIMIT_KIB, Watcher
from pdcheck.referee.match import Match
from pdcheck.scenarios.pack import GamePack, Stage
from pdcheck.scenarios.scenario import Scenario, scenario_value


@dataclass(frozen=True, slots=True)
class Setting:
    """What is different around the bot's process, from the way its contest starts it."""

    name: str = "plain"
    changes: Mapping[str, str | None] = field(default_factory=dict)
    """Environment variables set, or (None) taken away."""
    elsewhere: bool = False
    """It runs in an empty folder."""
    unwritable: bool = False
    """That folder cannot be written to, by root neither."""
    listen: bool = False
    """The kit listens until the bot has come to rest before it sends the first message (IO-2)."""
    beside: bool = False
    """A second copy of the bot is at the same point of the same scenario (IO-14)."""
    terminal: bool = False
    """Its streams are terminals, not pipes."""
    patience: float = 0.0
    """How much longer than its time, as a share of it, the kit waits for an answer; the bot is not told."""
    watched: str = ""
    """Whether its process is looked at from outside now and then (`looks`), its system calls, too (`calls`), or
    neither ("") (PD-6)."""
    idles: tuple[int, ...] = ()
    """Before which of its messages (from 1) the kit does nothing for a while first (PD-6.2)."""
    late: float = 0.0
    """Seconds by which some of its messages come late (see `delivery.late_lines`)."""
    clock: str = ""
    """The clock it is told: one of `repeats.clock`'s, or its own ("")."""
    fixed: bool = False
    """Its memory is laid out without chance."""
    crowded: bool = False
    """It shares a core with a process that computes all the time."""

    @property
    def meddles(self) -> bool:
        """Whether what it costs the bot, or that it breaks down, may be the setting's own doing."""
        return bool(self.clock) or self.crowded


PLAIN = Setting()
NO_FILE_CAN_BE_MADE = "/proc"
"""A folder in which even root cannot make a file, where there is one."""


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
    brief: bool = False
    """The bot is given up as soon as its game's guard allows where it hangs: it is known to."""
    repeats: str = ""
    """Under which of `repeats.conditions` it plays a match that others play, too; "" where none is repeated."""

    @property
    def requirement(self) -> str:
        """The requirement that the case is about."""
        return self.about or self.scenario.about

    def as_json(self) -> dict[str, Any]:
        """What a transcript's header holds of it beside the scenario; see `header.case_of`."""
        given = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("scenario", "setting")}
        return {**given, "setting": asdict(self.setting)}


def run_case(
    case: Case,
    bot: Bot,
    pack: GamePack,
    rules: str,
    time: float | None,
    scratch: str | None = None,
    logs: list[Transcript] | None = None,
    cpu_factor: float = 1.0,
) -> tuple[Transcript, Stage]:
    """Play the case with a fresh process (two with `beside`); all of them are gone when this returns.

    `scratch` is where the bot's fresh folders are made; `logs` takes each transcript as soon as it is begun, so that
    one is there when the kit itself fails; CPU seconds are charged `cpu_factor` times. Raises StartError when the bot
    cannot be started, ScenarioError when the scenario cannot be.
    """
    logs = [] if logs is None else logs
    with ExitStack() as stack:
        if case.setting.beside:
            # The first copy is not told to quit: it must be there while the second one plays.
            staying = replace(case, scenario=replace(case.scenario, ending="eof"))
            first, first_stage = _enter(stack, staying, bot, pack, rules, time, scratch, cpu_factor)
            logs.append(first.log)
            first.play()
            first.rest(first_stage.seat)
            stays = first.alive(first_stage.seat)
            runner, stage = _enter(stack, case, bot, pack, rules, time, scratch, cpu_factor)
            logs.append(runner.log)
            runner.play()
            if stays and not first.alive(stage.seat):
                runner.note(
                    stage.seat, "first-copy-ended", "the first copy ended while the second one played"
                )
        else:
            runner, stage = _enter(stack, case, bot, pack, rules, time, scratch, cpu_factor)
            logs.append(runner.log)
            if case.setting.listen or case.scenario.ending == "eof-before-init":
                runner.rest(stage.seat)
            runner.play()
        runner.part(stage.seat, _ending(case, runner.log, stage.seat), closes=pack.end.closes)
        runner.tell_of_machine(stage.seat)
    return runner.log, stage


def _enter(
    stack: ExitStack,
    case: Case,
    bot: Bot,
    pack: GamePack,
    rules: str,
    time: float | None,
    scratch: str | None,
    cpu_factor: float,
) -> tuple[Runner, Stage]:
    if scratch:  # a bot can delete what it finds above its HOME
        os.makedirs(scratch, exist_ok=True)
    home = stack.enter_context(
        tempfile.TemporaryDirectory(prefix="home-", dir=scratch, ignore_cleanup_errors=True)
    )
    folder = None
    if case.setting.unwritable and os.path.isdir(NO_FILE_CAN_BE_MADE):
        folder = NO_FILE_CAN_BE_MADE
    elif case.setting.elsewhere or case.setting.unwritable:
        folder = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="cwd-", dir=scratch, ignore_cleanup_errors=True)
        )
        if case.setting.unwritable:
            os.chmod(folder, 0o500)
    scenario = case.scenario
    if case.hurry and scenario.ending == "quit" and scenario.interject is None:
        scenario = replace(scenario, ending="eof")
    stage = pack.stage(scenario, rules, time)
    told = clock.variables(case.setting.clock, scratch)
    launch = bot.launch(home, changes={**case.setting.changes, **told}, folder=folder)
    observed = calls.machine() if case.setting.watched == "calls" else None
    if case.setting.terminal:
        candidate: ProcessTransport = TerminalTransport(launch)
    else:
        candidate = ProcessTransport(launch) if observed is None else ObservedTransport(launch, observed)
    transports: list[Transport] = [
        candidate if seat == stage.seat else MemoryTransport(stage.players[seat])
        for seat in range(len(stage.game.names))
    ]
    log = Transcript(_header(case, bot, pack, rules, stage, cpu_factor), told=frozenset([stage.seat]))
    deliver = scenario.deliver
    split, gap = splitter(deliver, stage.seat), deliver.gap or PIECE_GAP
    if case.setting.late:
        split, gap = late_lines(stage.seat), case.setting.late
    eye = _watcher(candidate, stage.seat, log, case.setting, pack) if case.setting.watched else None
    patience = case.setting.patience * stage.game.time
    match = Match(stage.game, cpu_factor=cpu_factor, patience=patience, brief=case.brief)
    runner = Runner(match, transports, log, split=split, gap=gap, impatient=True, eye=eye)
    with surroundings.around(stack, fixed=case.setting.fixed, crowded=case.setting.crowded):
        return stack.enter_context(runner), stage


def _watcher(bot: ProcessTransport, seat: int, log: Transcript, setting: Setting, pack: GamePack) -> Watcher:
    most = pack.conduct.most_memory if pack.conduct else LIMIT_KIB * 1024
    return Watcher(bot, seat, log, setting.idles, most // 1024)


def _header(
    case: Case, bot: Bot, pack: GamePack, rules: str, stage: Stage, cpu_factor: float
) -> dict[str, Any]:
    seats = [
        {"name": name, "kind": "candidate", "command": list(bot.command), "sha256": bot.sha256}
        if seat == stage.seat
        else {"name": name, "kind": "house", "command": None, "sha256": None}
        for seat, name in enumerate(stage.game.names)
    ]
    return {
        "pdcheck": __version__,
        "game": pack.name,
        "rules": case.scenario.rules or rules,
        "seed": None,
        "case": case.as_json(),
        "seats": seats,
        "setup": {"scenario": scenario_value(case.scenario)},
        "environment": dict(bot.environment),
        "limits": {"time": stage.game.time, "cpu_factor": cpu_factor},
        "machine": machine("watch" if case.setting.watched else "none"),
    }


def _ending(case: Case, log: Transcript, seat: int) -> str:
    """How the process is brought to its end: as the scenario says, or by the end of its input once it is out."""
    if any(isinstance(e, Ruled) and e.ruling.seat == seat and e.ruling.violation for e in log.events):
        return "eof"
    if case.hurry and case.scenario.ending == "quit":
        return "hurry"
    return {"quit": "quit", "term": "term", "term-in-turn": "term"}.get(case.scenario.ending, "eof")
