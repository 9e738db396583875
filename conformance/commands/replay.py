"""`pdcheck replay`: a recorded failure once more, with the same inputs.

Law: FILE is a scenario file or a transcript. What the scenario cannot hold (the setting, the rules and the time it was
played with) comes from the transcript, or from the one beside the scenario file. Of a match between bots one seat is
played again; the others do what they did then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pdcheck.conformance.case import Case
from pdcheck.conformance.commands.check import bot_of, run
from pdcheck.conformance.commands.common import (
    log_of,
    pack_of,
    rules_of,
    seat_of,
    seconds_of,
    sights_of,
    text_of,
)
from pdcheck.conformance.header import Sight, rematch
from pdcheck.conformance.repeats.settle import with_twins
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.scenario import Scenario, ScenarioError, read_scenarios

Options = Mapping[str, Any]


def run_replay(file: str, words: Sequence[str], options: Options) -> int:
    """Play the scenarios of a file, or the case of a transcript, again; the exit status."""
    if file.endswith(".json"):
        log = log_of(file)
        pack = pack_of(log.header["game"], file)
        sight = _seat(sights_of(log, pack, file), options["seat"], file)
        case = sight.case if log.header.get("case") else _rematch(log, pack, sight, file)
        cases = with_twins(
            replace(case, id=f"replay/{case.scenario.name}", section="replay", hurry=False, brief=False), pack
        )
        return _run(pack, cases, words, _as_recorded(options, log, cases, pack), sight, file)
    scenarios, pack = _scenarios(file, options)
    beside = _beside(file, pack)
    recorded = beside[1] if beside else None
    cases = [case for scenario in scenarios for case in with_twins(_case(scenario, recorded), pack)]
    given = _as_recorded(options, beside[0] if beside else None, cases, pack)
    return _run(pack, cases, words, given, recorded, file)


def _run(
    pack: GamePack,
    cases: Sequence[Case],
    words: Sequence[str],
    options: Options,
    recorded: Sight | None,
    file: str,
) -> int:
    if not words and recorded is None:
        raise UsageError(f"{file}: no bot given, and no transcript beside it names one")
    command = words or (recorded.bot.command if recorded else ())
    return run(pack, bot_of(command, options), cases, options, command)


def _scenarios(file: str, options: Options) -> tuple[list[Scenario], GamePack]:
    """The scenarios of the file, all of which can be played."""
    try:
        scenarios = read_scenarios(text_of(file), file)
    except ScenarioError as error:
        raise UsageError(str(error)) from None
    games = {scenario.game for scenario in scenarios}
    pack = pack_of(games.pop(), file)
    catalogue = pack.catalogue()
    for scenario in scenarios:
        if scenario.about not in catalogue:
            raise UsageError(f"{file}: scenario {scenario.name}: there is no requirement {scenario.about}")
        try:
            pack.stage(scenario, rules_of(pack, options["rules"]), options["time"])
        except ScenarioError as error:
            raise UsageError(f"{file}: {error}") from None
    return scenarios, pack


def _beside(file: str, pack: GamePack) -> tuple[Transcript, Sight] | None:
    """The transcript of the same name and its first seat, where there is one that can be read."""
    name = str(Path(file).with_suffix(".json"))
    try:
        log = log_of(name)
        return (log, sights_of(log, pack, name)[0]) if log.header["game"] == pack.name else None
    except UsageError:
        return None


def _case(scenario: Scenario, recorded: Sight | None) -> Case:
    """The scenario as a case; in the setting it was recorded in, if it is the one that was."""
    name, whole = f"replay/{scenario.name}", scenario.turns == 0
    if recorded and recorded.case.scenario.name == scenario.name:
        known = recorded.case
        return replace(
            known,
            id=name,
            section="replay",
            scenario=scenario,
            alone=True,
            whole=whole,
            hurry=False,
            brief=False,
        )
    return Case(name, "replay", scenario, alone=True, whole=whole)


def _rematch(log: Transcript, pack: GamePack, sight: Sight, file: str) -> Case:
    case = rematch(log, pack, sight)
    if case is None:
        raise UsageError(f"{file}: {pack.name} cannot play a match again; pdcheck judge can judge it")
    return case


def _seat(sights: Sequence[Sight], wanted: str | None, file: str) -> Sight:
    """The seat to play again: the one asked for, or the only one."""
    found = seat_of(sights, wanted, file)
    if len(found) > 1:
        names = ", ".join(f"{sight.stage.seat} ({sight.name})" for sight in found)
        raise UsageError(f"{file}: a match of {len(found)} bots; name one with --seat: {names}")
    return found[0]


def _as_recorded(
    options: Options, log: Transcript | None, cases: Sequence[Case], pack: GamePack
) -> dict[str, Any]:
    """The options, where they leave something open as it was recorded."""
    given = {**options, "game": pack.name, "time": seconds_of("--time", options["time"])}
    if log is None:
        return given
    limits = log.header["limits"]
    given["rules"] = options["rules"] or log.header["rules"]
    if given["time"] is None and all(case.scenario.time is None for case in cases):
        given["time"] = limits.get("time")
    if options["cpu_factor"] == 1.0 and type(limits.get("cpu_factor")) is float:
        given["cpu_factor"] = limits["cpu_factor"]
    return given
