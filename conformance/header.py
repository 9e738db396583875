"""A transcript's header: who sat where, and which case it was.

Law: pure. What judging needs beyond the events is rebuilt from the header alone, so that a transcript from another
machine is judged as where it was made; what does not fit together is a TranscriptError, in one line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from pdcheck.conformance.bot import Bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.setting import PLAIN, Setting
from pdcheck.conformance.transcript import Note, Ruled, Sent, Transcript, TranscriptError
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.pack import GamePack, Stage
from pdcheck.scenarios.scenario import Scenario, ScenarioError, scenario_of, scenario_value

LONGEST_TIME = 1e9
"""Seconds of a match's budget: more is no time."""


@dataclass(frozen=True, slots=True)
class Sight:
    """One seat of a transcript that can be judged: the case, its stage (the seat is there) and the bot."""

    case: Case
    stage: Stage
    bot: Bot

    @property
    def name(self) -> str:
        """The name it played under."""
        return self.stage.game.names[self.stage.seat]


def sights(log: Transcript, pack: GamePack, where: str) -> list[Sight]:
    """Every seat that was a candidate's, in seat order. Raises TranscriptError, in one line that starts with `where`.

    `log.header` must be as `Transcript.from_json` leaves it: valid by the schema.
    """
    header = log.header
    if header["rules"] not in pack.rules:
        known = ", ".join(pack.rules)
        raise TranscriptError(f"{where}: rules: expected one of {known}, got {header['rules']}")
    seats = [seat for seat, row in enumerate(header["seats"]) if row["kind"] == "candidate"]
    if not seats:
        raise TranscriptError(f"{where}: seats: expected a candidate, got only house players and opponents")
    _check_requirements(log, pack, where)
    _check_order(log, where)
    time = _time(header, pack, where)
    if not header.get("case"):
        return [_of_match(header, pack, seat, time, where) for seat in seats]
    case = case_of(header, pack, where)
    try:
        stage = pack.stage(case.scenario, header["rules"], time)
    except ScenarioError as error:
        raise TranscriptError(f"{where}: setup: {error}") from None
    if [stage.seat] != seats or list(stage.game.names) != [row["name"] for row in header["seats"]]:
        raise TranscriptError(f"{where}: seats: expected those of the scenario, got others")
    return [Sight(case, stage, _bot(header, stage.seat))]


def case_of(header: Mapping[str, Any], pack: GamePack, where: str) -> Case:
    """The case of a header that has one (`Case.as_json`); unknown keys are left alone."""
    given = header["case"]
    try:
        scenario = scenario_of(header["setup"].get("scenario"), f"{where}: setup.scenario")
    except ScenarioError as error:
        raise TranscriptError(str(error)) from None
    if scenario.game != header["game"]:
        raise TranscriptError(f"{where}: setup.scenario.game: expected {header['game']}, got {scenario.game}")
    known = {f.name: given[f.name] for f in fields(Case) if f.name in given and f.name != "setting"}
    setting = setting_of(given["setting"], f"{where}: case.setting")
    case = Case(**{"section": "", **known, "scenario": scenario, "setting": setting})
    for requirement in filter(None, (case.about, scenario.about)):
        if requirement not in pack.catalogue():
            raise TranscriptError(f"{where}: case: there is no requirement {requirement}")
    return case


def setting_of(given: Mapping[str, Any], where: str) -> Setting:
    """A setting in plain values, read back. Raises TranscriptError for a value of another type than the usual one."""
    kept: dict[str, Any] = {}
    for field in fields(Setting):
        if field.name not in given:
            continue
        usual, value = getattr(PLAIN, field.name), given[field.name]
        if isinstance(usual, tuple) and isinstance(value, list):
            value = tuple(value)
        kind = Mapping if isinstance(usual, Mapping) else type(usual)
        if kind is float and type(value) is int:
            value = float(value)
        if not isinstance(value, kind):
            raise TranscriptError(f"{where}.{field.name}: expected {kind.__name__}, got {value!r}")
        kept[field.name] = value
    return Setting(**kept)


def retold(log: Transcript, case: Case) -> Transcript:
    """The same events as those of another case: what is judged of them is what that case is about."""
    setup = {**log.header["setup"], "scenario": scenario_value(case.scenario)}
    return replace(log, header={**log.header, "case": case.as_json(), "setup": setup})


def _of_match(header: Mapping[str, Any], pack: GamePack, seat: int, time: float, where: str) -> Sight:
    """A seat of `pdcheck match`: a whole match, judged as the check's own ones are."""
    names = [row["name"] for row in header["seats"]]
    if header["seed"] is None:
        raise TranscriptError(f"{where}: seed: expected that of the deal, got null")
    if len(names) not in pack.seats:
        raise TranscriptError(f"{where}: seats: {len(names)} of them, which {pack.name} does not have")
    scenario = Scenario(
        game=pack.name,
        name="match",
        about=pack.match_time,
        why="A match between bots.",
        blame=False,
        seat=seat,
        turns=0,
    )
    try:
        game = pack.match(names, header["seed"], time, header["rules"], False)
    except ValueError as error:
        raise TranscriptError(f"{where}: {error}") from None
    case = Case(f"match/{seat}", "match", scenario, whole=True)
    return Sight(case, Stage(game, seat, {}), _bot(header, seat))


def rematch(log: Transcript, pack: GamePack, sight: Sight) -> Case | None:
    """A match once more for one of its seats: the same deal, and the other seats play what they played. None where
    the game cannot do that."""
    if pack.rematch is None:
        return None
    rulings: dict[int, list[Ruling]] = {seat: [] for seat in range(len(log.header["seats"]))}
    for event in log.events:
        if isinstance(event, Ruled):
            rulings[event.ruling.seat].append(event.ruling)
    names = [row["name"] for row in log.header["seats"]]
    scenario = pack.rematch(names, log.header["seed"], sight.stage.seat, rulings)
    return replace(sight.case, scenario=replace(scenario, about=sight.case.requirement))


def _time(header: Mapping[str, Any], pack: GamePack, where: str) -> float:
    seconds = header["limits"].get("time", pack.time)
    if type(seconds) not in (int, float) or not 0 < seconds <= LONGEST_TIME:
        raise TranscriptError(f"{where}: limits.time: expected seconds, got {seconds!r}")
    return float(seconds)


def _bot(header: Mapping[str, Any], seat: int) -> Bot:
    row = header["seats"][seat]
    return Bot(tuple(row["command"] or (row["name"],)), ".", header["environment"], row["sha256"])


def _check_order(log: Transcript, where: str) -> None:
    """What is stamped as it is written is in the order of time, each kind by itself: an answer bears the time it came,
    which may be before something that was written down earlier."""
    last = {Sent: -math.inf, Ruled: -math.inf, Note: -math.inf}
    for at, event in enumerate(log.events):
        if not 0 <= event.at <= LONGEST_TIME:
            raise TranscriptError(f"{where}: events[{at}].t: expected seconds from 0, got {event.at:.9g}")
        kind = type(event)
        if kind not in last:
            continue
        if event.at < last[kind]:
            raise TranscriptError(
                f"{where}: events[{at}].t: expected at least {last[kind]:.9g}, as it was before, got {event.at:.9g}"
            )
        last[kind] = event.at


def _check_requirements(log: Transcript, pack: GamePack, where: str) -> None:
    catalogue = pack.catalogue()
    for at, event in enumerate(log.events):
        if not isinstance(event, Ruled):
            continue
        ruling = event.ruling
        for violation in (*ruling.flaws, *((ruling.violation,) if ruling.violation else ())):
            if violation.requirement not in catalogue:
                raise TranscriptError(
                    f"{where}: events[{at}]: there is no requirement {violation.requirement}"
                )
