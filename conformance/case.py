"""A case: one scenario put before the bot in one setting, in a process of its own.

Law: a case is data, the same whatever ran before it; running it gives a transcript. The kit's own exception in a case
is that case's `trouble`, never a finding against the bot.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from pdcheck.conformance.candidate import launched
from pdcheck.conformance.delivery import PIECE_GAP, late_lines, splitter
from pdcheck.conformance.machine import machine
from pdcheck.conformance.repeats import surroundings
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.setting import PLAIN, Setting
from pdcheck.conformance.terms import Terms
from pdcheck.conformance.transcript import Ruled, Transcript
from pdcheck.conformance.transports import Transport
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.conformance.version import __version__
from pdcheck.conformance.watch.watcher import LIMIT_KIB, Watcher
from pdcheck.referee.match import Match
from pdcheck.scenarios.pack import GamePack, Stage
from pdcheck.scenarios.scenario import Scenario, scenario_value


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


def run_case(case: Case, terms: Terms, logs: list[Transcript] | None = None) -> tuple[Transcript, Stage]:
    """Play the case with a fresh process (two with `beside`); all of them are gone when this returns.

    `logs` takes each transcript as soon as it is begun, so that one is there when the kit itself fails. Raises
    StartError when the bot cannot be started, ScenarioError when the scenario cannot be.
    """
    logs = [] if logs is None else logs
    with ExitStack() as stack:
        if case.setting.beside:
            # The first copy is not told to quit: it must be there while the second one plays.
            staying = replace(case, scenario=replace(case.scenario, ending="eof"))
            first, first_stage = _enter(stack, staying, terms)
            logs.append(first.log)
            first.play()
            first.rest(first_stage.seat)
            stays = first.alive(first_stage.seat)
            runner, stage = _enter(stack, case, terms)
            logs.append(runner.log)
            runner.play()
            if stays and not first.alive(stage.seat):
                runner.note(
                    stage.seat, "first-copy-ended", "the first copy ended while the second one played"
                )
        else:
            runner, stage = _enter(stack, case, terms)
            logs.append(runner.log)
            if case.setting.listen or case.scenario.ending == "eof-before-init":
                runner.rest(stage.seat)
            runner.play()
        runner.part(stage.seat, _ending(case, runner.log, stage.seat), closes=terms.pack.end.closes)
        runner.tell_of_machine(stage.seat)
    return runner.log, stage


def _enter(stack: ExitStack, case: Case, terms: Terms) -> tuple[Runner, Stage]:
    scenario, setting, pack = case.scenario, case.setting, terms.pack
    if case.hurry and scenario.ending == "quit" and scenario.interject is None:
        scenario = replace(scenario, ending="eof")
    stage = pack.stage(scenario, terms.rules, terms.time)
    candidate = terms.enclosure.transport(launched(stack, terms.bot, setting, terms.scratch), setting)
    transports: list[Transport] = [
        candidate if seat == stage.seat else MemoryTransport(stage.players[seat])
        for seat in range(len(stage.game.names))
    ]
    log = Transcript(_header(case, terms, stage), told=frozenset([stage.seat]))
    split, gap = splitter(scenario.deliver, stage.seat), scenario.deliver.gap or PIECE_GAP
    if setting.late:
        split, gap = late_lines(stage.seat), setting.late
    eye = _watcher(candidate, stage.seat, log, setting, pack) if setting.watched else None
    match = Match(
        stage.game,
        cpu_factor=terms.cpu_factor,
        patience=setting.patience * stage.game.time,
        brief=case.brief,
    )
    runner = Runner(match, transports, log, split=split, gap=gap, impatient=True, eye=eye)
    with surroundings.around(stack, fixed=setting.fixed, crowded=setting.crowded):
        return stack.enter_context(runner), stage


def _watcher(bot: ProcessTransport, seat: int, log: Transcript, setting: Setting, pack: GamePack) -> Watcher:
    most = pack.conduct.most_memory if pack.conduct else LIMIT_KIB * 1024
    return Watcher(bot, seat, log, setting.idles, most // 1024)


def _header(case: Case, terms: Terms, stage: Stage) -> dict[str, Any]:
    bot = terms.bot
    seats = [
        {"name": name, "kind": "candidate", "command": list(bot.command), "sha256": bot.sha256}
        if seat == stage.seat
        else {"name": name, "kind": "house", "command": None, "sha256": None}
        for seat, name in enumerate(stage.game.names)
    ]
    return {
        "pdcheck": __version__,
        "game": terms.pack.name,
        "rules": case.scenario.rules or terms.rules,
        "seed": None,
        "case": case.as_json(),
        "seats": seats,
        "setup": {"scenario": scenario_value(case.scenario)},
        "environment": dict(bot.environment),
        "limits": {"time": stage.game.time, "cpu_factor": terms.cpu_factor},
        "machine": machine("watch" if case.setting.watched else "none"),
    }


def _ending(case: Case, log: Transcript, seat: int) -> str:
    """How the process is brought to its end: as the scenario says, or by the end of its input once it is out."""
    if any(isinstance(e, Ruled) and e.ruling.seat == seat and e.ruling.violation for e in log.events):
        return "eof"
    if case.hurry and case.scenario.ending == "quit":
        return "hurry"
    return {"quit": "quit", "term": "term", "term-in-turn": "term"}.get(case.scenario.ending, "eof")
