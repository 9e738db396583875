"""`pdcheck check` and `pdcheck replay`: from options to a plan, from a report to its writers.

Law: what is wrong with the options is a UsageError before any bot starts. With `-` as a file the report for people
goes to stderr, so that stdout is the file alone.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.case import PLAIN, Case
from pdcheck.conformance.commands.common import (
    ended_by_signals,
    pack_of,
    rules_of,
    seconds_of,
    tell,
    writable,
)
from pdcheck.conformance.progress import progress
from pdcheck.conformance.report import Report
from pdcheck.conformance.reports import terminal
from pdcheck.conformance.transports import StartError
from pdcheck.conformance.usage import UsageError
from pdcheck.referee.catalogue import Catalogue, UnknownRequirement
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.scenario import ScenarioError, dump_scenario, read_scenarios

Options = Mapping[str, Any]


def run_check(words: Sequence[str], options: Options) -> int:
    """Check a bot; the exit status."""
    pack = pack_of(options["game"])
    if options["list_cases"]:
        cases = _selected(checks.all_cases(pack, options["profile"], options["seed"]), pack, options["only"])
        for case in cases:
            print(f"{case.id}  {case.requirement}  {case.scenario.why}")
        return 0
    bot = _bot(words, options)
    cases = _selected(checks.all_cases(pack, options["profile"], options["seed"]), pack, options["only"])
    return _run(pack, bot, cases, options)


def run_replay(file: str, words: Sequence[str], options: Options) -> int:
    """Play the scenarios of a file again."""
    try:
        file = str(Path(file).with_suffix(".yaml")) if file.endswith(".json") else file
        scenarios = read_scenarios(_text(file), file)
    except ScenarioError as error:
        raise UsageError(str(error)) from None
    games = {scenario.game for scenario in scenarios}
    if len(games) != 1:
        raise UsageError(f"{file}: scenarios of {len(games)} games; one is expected")
    pack = pack_of(games.pop())
    catalogue = pack.catalogue()
    for scenario in scenarios:
        if scenario.about not in catalogue:
            raise UsageError(f"{file}: scenario {scenario.name}: there is no requirement {scenario.about}")
        try:
            pack.stage(scenario, rules_of(pack, options["rules"]), options["time"])
        except ScenarioError as error:
            raise UsageError(f"{file}: {error}") from None
    bot = _bot(words or _recorded(file), options)
    cases = [Case(f"replay/{s.name}", "replay", s, alone=True, whole=s.turns == 0) for s in scenarios]
    return _run(pack, bot, cases, {**options, "game": pack.name})


def _run(pack: GamePack, bot: Bot, cases: Sequence[Case], options: Options) -> int:
    catalogue = pack.catalogue()
    json_file = writable("--json", options["json_file"])
    artifacts = Path(options["artifacts"])
    if artifacts.exists() and not artifacts.is_dir():
        raise UsageError(f"--artifacts {artifacts}: not a folder")
    plan = kit.Plan(
        pack=pack,
        bot=bot,
        cases=cases,
        rules=rules_of(pack, options["rules"]),
        profile=options["profile"],
        seed=options["seed"],
        jobs=options["jobs"] or kit.default_jobs(),
        only=tuple(filter(None, options["only"].split(","))),
        time=seconds_of("--time", options["time"]),
        max_time=seconds_of("--max-time", options["max_time"]),
        strict=options["strict"],
        waived=_waived(options["waive"], catalogue),
    )
    to_stdout = json_file == "-"
    people: TextIO = sys.stderr if to_stdout else sys.stdout
    if bot.note and not options["quiet"]:
        tell(f"note: {bot.note}")
    try:
        with ended_by_signals(), progress(sys.stderr, quiet=options["quiet"]) as watch:
            report = kit.check(plan, watch)
    except StartError as error:
        raise UsageError(str(error)) from None
    try:
        _keep(report, artifacts, cases, options)
    except OSError as error:  # the verdict stands without them
        print(
            f"pdcheck: --artifacts {artifacts}: {error.strerror}; failing cases are not kept", file=sys.stderr
        )
    with contextlib.suppress(
        OSError
    ):  # whoever read it has seen enough, or the disk is full: the verdict stands
        if json_file:
            _write_json(report, json_file)
        terminal.write(
            report, people, quiet=options["quiet"], verbose=options["verbose"], color=not options["no_color"]
        )
        people.flush()
    return report.exit_status


def _bot(words: Sequence[str], options: Options) -> Bot:
    if not Path(options["cwd"]).is_dir():
        raise UsageError(f"--cwd {options['cwd']}: no such folder")
    if options["build"]:
        try:
            done = subprocess.run(shlex.split(options["build"]), cwd=options["cwd"], check=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"--build {options['build']}: {error}") from None
        if done.returncode:
            raise UsageError(f"--build {options['build']}: exit status {done.returncode}")
    return read_bot(words, folder=options["cwd"], extra=options["env"])


def _selected(cases: Sequence[Case], pack: GamePack, only: str) -> Sequence[Case]:
    if not only:
        return cases
    if not only.strip(", "):
        raise UsageError(f"--only {only}: requirement IDs or their beginnings are expected")
    try:
        wanted = {requirement.id for requirement in pack.catalogue().select(filter(None, only.split(",")))}
    except UnknownRequirement as error:
        raise UsageError(f"--only {only}: {error}") from None
    return [case for case in cases if case.requirement in wanted or case.section == checks.BASIC]


def _waived(given: Sequence[str], catalogue: Catalogue) -> dict[str, str]:
    waived = {}
    for item in given:
        requirement, _, reason = item.partition("=")
        if requirement not in catalogue:
            raise UsageError(f"--waive {item}: there is no requirement {requirement}")
        if not reason.strip():
            raise UsageError(f"--waive {item}: ID=REASON, and the reason is missing")
        waived[requirement] = reason
    return waived


def _keep(report: Report, folder: Path, cases: Sequence[Case], options: Options) -> None:
    """Write the scenario and the transcript of each finding's case, and say in the finding how to see it again."""
    by_id = {case.id: case for case in cases}
    given = _repeated(options)
    for row in report.rows:
        for at, finding in enumerate(row.findings):
            case = by_id.get(finding.case)
            if case is None or finding.case not in report.transcripts:
                continue
            stem = folder / case.id.replace("/", "-")
            _own(folder)
            scenario = stem.with_name(stem.name + ".yaml")
            scenario.write_text(dump_scenario(case.scenario), "utf-8")
            stem.with_name(stem.name + ".json").write_text(report.transcripts[finding.case], "utf-8")
            words = ["replay", *given, str(scenario)]
            if case.setting != PLAIN:  # a scenario file does not hold what was different around the bot
                words = ["check", *given, "--only", case.requirement]
            replay = f"pdcheck {shlex.join(words)} {report.plan.bot.shown}"
            row.findings[at] = replace(finding, scenario=str(scenario), replay=replay)


def _repeated(options: Options) -> list[str]:
    """The options without which a failure may not show again."""
    words = [f"--{name}={options[name]}" for name in ("rules", "time") if options[name] is not None]
    words += [f"--env={item}" for item in options["env"]]
    return [*words, *([f"--cwd={options['cwd']}"] if options["cwd"] != "." else [])]


def _own(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", "utf-8")


def _write_json(report: Report, file: str) -> None:
    text = json.dumps(report.as_json(), ensure_ascii=False, indent=1) + "\n"
    if file == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:  # the verdict stands
        tell(f"pdcheck: --json {file}: {error.strerror}; the report is not written")


def _recorded(file: str) -> Sequence[str]:
    """The command of the bot that the scenario was found with, from the transcript beside it."""
    try:
        seats = json.loads(Path(file).with_suffix(".json").read_text("utf-8"))["seats"]
        return next(tuple(seat["command"]) for seat in seats if seat["kind"] == "candidate")
    except (OSError, ValueError, KeyError, TypeError, StopIteration):
        raise UsageError(f"{file}: no bot given, and no transcript beside it names one") from None


def _text(file: str) -> str:
    try:
        return Path(file).read_text("utf-8")
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 text (byte {error.start})") from None
