"""Whole commands: `pdcheck match` against the control program, `pdcheck --version` against an empty Python.

Law: a command is timed from its start to its end, imports included (compiled modules are kept, as they
are for users). What it imports is listed by package.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from benchmarks import control
from benchmarks.measure import (
    Options,
    Result,
    Row,
    build,
    command_seconds,
    in_turns,
    shown,
    user_environment,
)
from benchmarks.whole_match import DEALS, NO_CONTROL, players, ranking

PDCHECK = (sys.executable, "-m", "pdcheck.conformance")
VERSION_WITHIN = 7.5
"""150 ms where an empty Python starts in 20 ms, as it does on an idle machine."""
LISTED = 12


def run(options: Options) -> Result:
    """Rows for --version and match, and the imports of both."""
    bot = build("instant_bot", options.scratch)
    environment = user_environment(options.scratch)
    result = Result()
    version, nothing = [_script(), "--version"], [sys.executable, "-c", "pass"]
    ours, empty = in_turns(
        (
            lambda: command_seconds(version, env=environment),
            lambda: command_seconds(nothing, env=environment),
        ),
        options.rounds(20),
    )
    result.rows.append(
        Row.of(
            "pdcheck --version / python -c pass",
            ours,
            empty,
            at_most=VERSION_WITHIN,
            text=f"{shown(ours)} and {shown(empty)}; wanted under 150 ms on an idle machine",
        )
    )
    match = [_script(), "match", "--rules", "v0.11a", "--seed", str(DEALS[0]), *players(bot)]
    if options.control is None:
        result.lines.append(f"   pdcheck match / control program: skipped: {NO_CONTROL}")
    else:
        result.rows.append(_against(options, options.control, match, bot))
    result.lines += _imports("--version", [*PDCHECK, "--version"], environment)
    result.lines += _imports("match", [*PDCHECK, *match[1:]], environment)
    return result


def _script() -> str:
    """The installed command."""
    return str(Path(sys.executable).parent / "pdcheck")


def _against(options: Options, program: Path, match: list[str], bot: str) -> Row:
    theirs = [sys.executable, str(program), *players(bot)]
    environment = user_environment(options.scratch) | {control.SEED: str(DEALS[0])}
    outputs = [
        subprocess.run(c, env=environment, capture_output=True, text=True, check=True).stdout
        for c in (match, theirs)
    ]
    if ranking(outputs[0]) != ranking(outputs[1]):
        raise RuntimeError("two different matches:\n" + "\n".join(outputs))
    kit, other = in_turns(
        (
            lambda: command_seconds(match, env=environment),
            lambda: command_seconds(theirs, env=environment),
        ),
        options.rounds(20),
    )
    return Row.of(
        "pdcheck match / control program, commands",
        kit,
        other,
        at_most=1.0,
        text=f"{shown(kit)} and {shown(other)}; deal {DEALS[0]}, the same ranking",
    )


def _imports(name: str, command: list[str], environment: dict[str, str]) -> list[str]:
    """Where the import time of one command goes, by package: its modules' own time, in one run."""
    done = subprocess.run(
        [command[0], "-X", "importtime", *command[1:]],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    own: Counter[str] = Counter()
    for found in re.finditer(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", done.stderr):
        module = found[2]
        depth = 2 if module.startswith("pdcheck.") else 1
        own[".".join(module.split(".")[:depth])] += int(found[1])
    total = sum(own.values())
    top = ", ".join(f"{package} {time / 1e3:.1f}" for package, time in own.most_common(LISTED))
    return [f"   imports of {name}, ms of {total / 1e3:.0f}: {top}"]
