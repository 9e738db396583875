"""A bug report: what the kit's authors need when the kit itself failed, in one file to send.

Law: it never fails itself; where it cannot be written, that is said in a line. It holds names of environment
variables and none of their values, of the bot's command the program alone, and the home folder is `~`. What the bot
wrote is in it, as the transcript has it, but for the values and arguments that were left out.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import platform
import re
import shlex
import sys
import tarfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from pdcheck.conformance.artifacts import DEFAULT_FOLDER, own_folder
from pdcheck.conformance.machine import machine
from pdcheck.conformance.version import __version__
from pdcheck.scenarios.scenario import dump_scenario

if TYPE_CHECKING:
    from pdcheck.conformance.report import Report

SCHEMA = 1
MOST_CASES = 8
"""Failed cases whose scenario and transcript are kept; the traceback of each is."""
LONGEST_PART = 4 << 20
"""Bytes kept of one part, the head of it."""
LEFT_OUT = "(left out)"
SHORTEST_SECRET = 6
"""Characters of a value of `--env` that is looked for in everything: a shorter one is in many words."""
PACKAGES = ("click", "gmpy2", "hypothesis", "Jinja2", "jsonschema", "pexpect", "pytest", "PyYAML", "rich")


class Failure(NamedTuple):
    """One failure of the kit: its traceback, and, where it was in a case, that case's name, scenario (YAML) and
    transcript (JSON)."""

    traceback: str
    case: str = ""
    scenario: str = ""
    transcript: str = ""


def write_bundle(
    folder: Path,
    failures: Sequence[Failure],
    *,
    options: Mapping[str, Any] | None = None,
    report: Mapping[str, Any] | None = None,
) -> str:
    """Write `bug-report-TIME.tar.gz` into the folder; where it is and what is in it, or why there is none, in words.

    `options` and `report` are told as they are, but for values of variables.
    """
    try:
        own_folder(folder)
        file = folder / f"bug-report-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.tar.gz"
        parts = dict(_parts(failures, options or {}, report))
        _write(file, parts)
    except Exception as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        return f"no bug report could be written in {folder}: {why}"
    return f"a report for the kit's authors is in {file}: {_contents(parts)}"


def of_report(report: Report, folder: Path, options: Mapping[str, Any]) -> str:
    """The bug report of a run in some of whose cases the kit failed; where it is, in words."""
    try:
        cases = {case.id: case for case in report.plan.cases}
        failures = [
            Failure(
                text,
                name,
                dump_scenario(cases[name].scenario) if name in cases else "",
                report.transcripts.get(name, ""),
            )
            for name, text in report.troubles
        ]
        return write_bundle(folder, failures, options=options, report=report.as_json())
    except Exception as error:
        return f"no bug report could be written: {type(error).__name__}"


def of_crash(traceback: str) -> str:
    """The bug report of a command that did not come to its end; where it is, in words."""
    return write_bundle(Path(DEFAULT_FOLDER), [Failure(traceback)])


def _contents(parts: Mapping[str, bytes]) -> str:
    told = ["tracebacks", "versions", "the command line", "names (no values) of environment variables"]
    cases = sum(name.endswith(".yaml") for name in parts)
    if cases:
        told.append(f"scenario and transcript of {cases} case{'s' if cases > 1 else ''}")
    return f"{', '.join(told[:-1])} and {told[-1]}"


def _parts(
    failures: Sequence[Failure], options: Mapping[str, Any], report: Mapping[str, Any] | None
) -> Iterable[tuple[str, bytes]]:
    at_home = _tilde(os.environ.get("HOME", ""))
    without = _without(_secrets(options))

    def tilde(text: str) -> str:
        return at_home(without(text))

    about = {
        "schema": SCHEMA,
        "pdcheck": __version__,
        "python": sys.version,
        "implementation": platform.python_implementation(),
        "packages": {name: _version(name) for name in PACKAGES},
        "machine": machine(),
        "libc": " ".join(platform.libc_ver()),
        "command": told_command(sys.argv),
        "options": {name: _value_free(name, value) for name, value in options.items()},
        "environment": sorted(os.environ),
        "failures": [{"case": f.case or None, "traceback": f.traceback} for f in failures],
    }
    yield "about.json", _json(about, tilde)
    if report is not None:
        bot = report.get("bot")
        if isinstance(bot, Mapping):
            report = {**report, "bot": {**bot, "command": program_only(bot.get("command", ()))}}
        rows = [_without_replay_values(row) for row in report.get("requirements", ())]
        report = {**report, "requirements": rows}
        yield "report.json", _json(report, tilde)
    for failure in [failure for failure in failures if failure.case][:MOST_CASES]:
        stem = "cases/" + re.sub(r"[^A-Za-z0-9._-]", "-", failure.case)
        if failure.scenario:
            yield f"{stem}.yaml", tilde(failure.scenario).encode()
        if failure.transcript:
            yield f"{stem}.json", tilde(_no_values(failure.transcript)).encode()


def _write(file: Path, parts: Mapping[str, bytes]) -> None:
    """All of it or nothing."""
    made = file.with_name(file.name + ".part")
    try:
        with made.open("xb") as raw, tarfile.open(fileobj=raw, mode="w:gz") as archive:
            for name, data in parts.items():
                entry = tarfile.TarInfo(f"{file.name.partition('.')[0]}/{name}")
                entry.size = min(len(data), LONGEST_PART)
                entry.mtime = int(time.time())
                archive.addfile(entry, io.BytesIO(data[:LONGEST_PART]))
        made.rename(file)
    except BaseException:
        with contextlib.suppress(OSError):
            made.unlink(missing_ok=True)
        raise


def _json(value: Any, tilde: Callable[[str], str]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=1, default=str)
    return tilde(text).encode("utf-8", "backslashreplace") + b"\n"


def _tilde(home: str) -> Callable[[str], str]:
    """The function that writes `~` for the home folder in a text."""
    homes = {home.rstrip("/"), os.path.realpath(home).rstrip("/") if home else ""} - {""}
    if not homes:
        return lambda text: text
    known = "|".join(re.escape(path) for path in sorted(homes, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w.~-])(?:{known})(?![\w.-])")
    return lambda text: pattern.sub("~", text)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def program_only(command: Sequence[str]) -> list[str]:
    """A bot's command: its program's name, and that there was more."""
    if not command:
        return []
    head = command[0].split()[:1] or [""]
    more = len(command) > 1 or len(command[0].split()) > 1
    return [*words_without_values(head), *([LEFT_OUT] if more else [])]


def told_command(words: Sequence[str]) -> list[str]:
    """A command line of the kit without the bot's own arguments and the values of variables."""
    from pdcheck.conformance.cli import DEFAULT_COMMAND, cli

    given = list(words)
    at = 1 if len(given) > 1 and given[1] not in cli.commands else 2
    name = given[1] if at == 2 and len(given) > 1 else DEFAULT_COMMAND
    valued = {
        option
        for parameter in cli.commands[name].params
        if isinstance(parameter, click.Option) and not (parameter.is_flag or parameter.count)
        for option in parameter.opts
    }
    files = 1 if name == "replay" else 0
    while at < len(given):
        word = given[at]
        if word == "--":
            at += 1
            break
        if not word.startswith("-") or word == "-":
            if not files:
                break
            files -= 1
        at += 2 if word in valued else 1
    rest = given[at:]
    # NAME COMMAND …, where each command is one word
    told = [part for word in rest for part in program_only([word])] if name == "match" else program_only(rest)
    return [*words_without_values(given[:at]), *(told if name in ("check", "replay", "match") else rest)]


def _secrets(options: Mapping[str, Any]) -> set[str]:
    """Values of `--env`, where they are long enough to be told from other text."""
    items = [str(item).partition("=") for item in options.get("env") or ()]
    values = {value if given else os.environ.get(name, "") for name, given, value in items}
    return {value for value in values if len(value) >= SHORTEST_SECRET}


def _without(secrets: Iterable[str]) -> Callable[[str], str]:
    """The function that leaves these out of a text, as they are and as JSON writes them."""
    forms = {form for secret in secrets for form in (secret, json.dumps(secret)[1:-1])}
    forms |= {json.dumps(secret, ensure_ascii=False)[1:-1] for secret in secrets}
    if not forms:
        return lambda text: text
    pattern = re.compile("|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True)))
    return lambda text: pattern.sub(LEFT_OUT, text)


def words_without_values(words: Iterable[str]) -> list[str]:
    """A command line without the values in `--env NAME=VALUE` or `NAME=VALUE`."""
    told: list[str] = []
    for word in words:
        lead = "--env=" if word.startswith("--env=") else ""
        name, given, _ = word[len(lead) :].partition("=")
        named = bool(given) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is not None
        told.append(f"{lead}{name}={LEFT_OUT}" if named else word)
    return told


def _value_free(name: str, value: Any) -> Any:
    return words_without_values(value) if name == "env" else value


def _no_values(transcript: str) -> str:
    """A transcript without the values of the bot's environment, and of those its command may set."""
    value = json.loads(transcript)
    if isinstance(value.get("environment"), dict):
        value["environment"] = dict.fromkeys(value["environment"], LEFT_OUT)
    for seat in value.get("seats") or ():
        if seat.get("command"):
            seat["command"] = program_only(seat["command"])
    for event in value.get("events") or ():
        if event.get("what") == "processes":
            for process in event["values"]["processes"]:
                process["command"] = program_only(process["command"])
    return json.dumps(value, ensure_ascii=False)


def _without_replay_values(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A requirement's row of the report; the line that plays a finding again repeats the `--env` options."""
    findings = [
        {**finding, "replay": shlex.join(told_command(shlex.split(finding["replay"])))}
        if finding.get("replay")
        else finding
        for finding in row.get("findings", ())
    ]
    return {**row, "findings": findings}
