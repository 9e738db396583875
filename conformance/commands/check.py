"""`pdcheck check`: from options to a plan, from a report to its writers.

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

from pdcheck.conformance import baseline, bundle, checks, kit, views
from pdcheck.conformance.behind import behind
from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.case import Case
from pdcheck.conformance.checks import conduct
from pdcheck.conformance.commands.common import (
    ended_by_signals,
    factor_of,
    pack_of,
    rules_of,
    seconds_of,
    tell,
    writable,
)
from pdcheck.conformance.commands.report import write_html
from pdcheck.conformance.kept import keep, shown_case
from pdcheck.conformance.progress import progress
from pdcheck.conformance.pytest_file import pytest_text
from pdcheck.conformance.repeats.settle import shows_alone
from pdcheck.conformance.report import Report
from pdcheck.conformance.reports import terminal
from pdcheck.conformance.sandbox import WallsError
from pdcheck.conformance.shrink import SECONDS
from pdcheck.conformance.transports import StartError
from pdcheck.conformance.usage import UsageError
from pdcheck.conformance.watch import SANDBOXES
from pdcheck.referee.catalogue import Catalogue, UnknownRequirement
from pdcheck.scenarios.pack import GamePack

Options = Mapping[str, Any]
KIT_FAILED = 3
FILES = {"--json": "json_file", "--html": "html_file", "--pytest-file": "pytest_file"}
"""Options whose file may be `-`, and what they are called inside."""


def run_check(words: Sequence[str], options: Options) -> int:
    """Check a bot; the exit status."""
    pack = pack_of(options["game"])
    if options["list_cases"]:
        cases = _selected(checks.all_cases(pack, options["profile"], options["seed"]), pack, options["only"])
        for case in cases:
            print(f"{case.id}  {case.requirement}  {case.scenario.why}")
        return 0
    bot = bot_of(words, options)
    cases = _selected(checks.all_cases(pack, options["profile"], options["seed"]), pack, options["only"])
    return run(pack, bot, cases, options, words)


def one_on_stdout(options: Options) -> None:
    """Refuse two files that are both `-`."""
    asked = [option for option, name in FILES.items() if options.get(name) == "-"]
    if len(asked) > 1:
        raise UsageError(f"{' and '.join(f'{option} -' for option in asked)}: stdout holds one of them")


def _as_watched(cases: Sequence[Case], sandbox: str) -> Sequence[Case]:
    """The cases as `--sandbox` has them."""
    if sandbox not in SANDBOXES:
        raise UsageError(f"--sandbox {sandbox}: not in this version")
    return conduct.unwatched(cases) if sandbox == "none" else cases


def run(pack: GamePack, bot: Bot, cases: Sequence[Case], options: Options, words: Sequence[str]) -> int:
    """Run the cases as the options say, and tell and keep what was found; the exit status. `words` are the bot's
    command as it was given."""
    for option, name in FILES.items():
        writable(option, options[name])
    one_on_stdout(options)
    artifacts = Path(options["artifacts"])
    if artifacts.exists() and not artifacts.is_dir():
        raise UsageError(f"--artifacts {artifacts}: not a folder")
    plan = _plan(pack, bot, _as_watched(cases, options["sandbox"]), options)
    known = baseline.asked_for(options.get("baseline"), bool(options.get("write_baseline")), pack)
    if bot.note and not options["quiet"]:
        tell(f"note: {bot.note}")
    try:
        report = _checked(plan, options)
    except StartError as error:
        raise UsageError(str(error)) from None
    except WallsError as error:
        tell(f"pdcheck: --sandbox {plan.sandbox}: {error}; this says nothing about the bot")
        return KIT_FAILED
    by_id = {case.id: case for case in report.plan.cases}
    if options["pytest_file"] and (told := _write_test(report, by_id, options, words)):
        tell(told)
    _keep(report, artifacts, by_id, options)
    if unwritten := baseline.settle(report, known):
        tell(unwritten)
    if (options["json_file"] or options["html_file"]) and (unseen := views.show(report, by_id)):
        tell(unseen)
    write(report, options)
    return report.exit_status


def _checked(plan: kit.Plan, options: Options) -> Report:
    """The report of a plan. Raises StartError, and WallsError where the walls asked for do not hold."""
    with ended_by_signals(), behind(plan.bot, plan.pack.memory, plan.sandbox) as walls:
        if walls.why:
            tell(f"note: no walls here ({walls.why}): the bot is only watched")
        plan = replace(plan, enclosure=walls.enclosure, scratch=walls.scratch)
        with progress(sys.stderr, quiet=options["quiet"]) as watch:
            return kit.check(plan, watch)


def _plan(pack: GamePack, bot: Bot, cases: Sequence[Case], options: Options) -> kit.Plan:
    """What the options ask for."""
    return kit.Plan(
        pack=pack,
        bot=bot,
        cases=cases,
        rules=rules_of(pack, options["rules"]),
        profile=options["profile"],
        seed=options["seed"],
        jobs=options["jobs"] or kit.default_jobs(),
        only=tuple(filter(None, (options["only"] or "").split(","))),
        time=seconds_of("--time", options["time"]),
        max_time=seconds_of("--max-time", options["max_time"]),
        cpu_factor=factor_of("--cpu-factor", options["cpu_factor"]),
        sandbox=options["sandbox"],
        strict=options["strict"],
        waived=waived_of(options["waive"], pack.catalogue()),
        shrink=_shrink_seconds(options),
    )


def _keep(report: Report, artifacts: Path, cases: Mapping[str, Case], options: Options) -> None:
    """Keep the failing cases, and the report of the kit's own failures; the verdict stands without them."""
    try:
        keep(report, artifacts, cases, _repeated(options))
    except OSError as error:
        tell(f"pdcheck: --artifacts {artifacts}: {error.strerror}; failing cases are not kept")
    if report.troubles:
        report.bug_report = bundle.of_report(report, artifacts, options)


def write(report: Report, options: Options) -> None:
    """Write the report as the options say."""
    json_file, html_file = options["json_file"], options["html_file"]
    people: TextIO = sys.stderr if "-" in map(options.get, FILES.values()) else sys.stdout
    # Whoever read it has seen enough, or the disk is full: the verdict stands.
    with contextlib.suppress(OSError):
        if json_file:
            _write_json(report, json_file)
    with contextlib.suppress(OSError):
        terminal.write(
            report, people, quiet=options["quiet"], verbose=options["verbose"], color=not options["no_color"]
        )
        people.flush()
    with contextlib.suppress(OSError):
        if html_file and (unwritten := write_html(report.as_json(), html_file)):
            tell(f"pdcheck: {unwritten}; the page is not written")


def bot_of(words: Sequence[str], options: Options) -> Bot:
    """The bot of the command line, built when that is asked for."""
    if not Path(options["cwd"]).is_dir():
        raise UsageError(f"--cwd {options['cwd']}: no such folder")
    if options["build"] is not None:
        _build(options["build"], options["cwd"])
    return read_bot(words, folder=options["cwd"], extra=options["env"])


def _build(command: str, folder: str) -> None:
    """Run the command that makes the bot."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--build {command}: {error}") from None
    if not words or not words[0].strip():
        raise UsageError(f"--build {command!r}: expected a command, got an empty word")
    try:
        done = subprocess.run(words, cwd=folder, check=False)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"--build {command}: {why}") from None
    if done.returncode:
        raise UsageError(f"--build {command}: exit status {done.returncode}")


def _selected(cases: Sequence[Case], pack: GamePack, only: str | None) -> Sequence[Case]:
    if only is None:
        return cases
    if not only.strip(", "):
        raise UsageError(f"--only {only!r}: requirement IDs or their beginnings are expected")
    try:
        wanted = {requirement.id for requirement in pack.catalogue().select(filter(None, only.split(",")))}
    except UnknownRequirement as error:
        raise UsageError(f"--only {only}: {error}") from None
    without = wanted.difference(case.requirement for case in cases)
    return [
        case
        for case in cases
        if case.requirement in wanted or case.section == checks.BASIC or without & _shows(case, pack)
    ]


def _shows(case: Case, pack: GamePack) -> set[str]:
    """The requirements that a case says something of, and that may have none of their own."""
    conduct = pack.conduct
    watched = (conduct.processes, conduct.idle, conduct.memory, conduct.files) if conduct else ()
    return {*(watched if case.setting.watched else ()), *([pack.margin] if case.whole else [])} - {""}


def waived_of(given: Sequence[str], catalogue: Catalogue) -> dict[str, str]:
    """The `--waive` options: requirement → reason."""
    waived = {}
    for item in given:
        requirement, _, reason = item.partition("=")
        if requirement not in catalogue:
            raise UsageError(f"--waive {item}: there is no requirement {requirement}")
        if not reason.strip():
            raise UsageError(f"--waive {item}: ID=REASON, and the reason is missing")
        waived[requirement] = reason
    return waived


def _write_test(report: Report, cases: Mapping[str, Case], options: Options, words: Sequence[str]) -> str:
    """Write the first failing case as a test for pytest; in a line, what became of that ("" where that shows)."""
    file = Path(options["pytest_file"])
    for row in report.rows:
        for finding in row.findings:
            found = shown_case(report, finding, cases) if row.status in ("fail", "warn") else None
            if found is None or not shows_alone(found[0], report.plan.pack):
                continue
            env = [*options["env"], *report.needed(finding)]
            given = {"rules": options["rules"], "time": options["time"], "env": env}
            text = pytest_text(
                found[0], finding, words, folder=Path(options["cwd"]), file=file, options=given
            )
            try:
                if options["pytest_file"] == "-":
                    sys.stdout.write(text)
                    sys.stdout.flush()
                    return ""
                file.write_text(text, "utf-8")
            except OSError as error:  # the verdict stands
                return f"pdcheck: --pytest-file {file}: {error.strerror}; the test is not written"
            return f"{file}: a test of {finding.requirement}; run it with pytest {file}"
    return f"--pytest-file {file}: nothing failed, so no test is written"


def _shrink_seconds(options: Options) -> float:
    given = seconds_of("--shrink-time", options["shrink_time"])
    return SECONDS[options["profile"]] if given is None else given


def _repeated(options: Options) -> list[str]:
    """The options without which a failure may not show again."""
    words = [f"--{name}={options[name]}" for name in ("rules", "time") if options[name] is not None]
    words += [f"--cpu-factor={options['cpu_factor']:g}"] if options["cpu_factor"] != 1.0 else []
    words += [f"--env={item}" for item in options["env"]]
    return [*words, *([f"--cwd={options['cwd']}"] if options["cwd"] != "." else [])]


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
