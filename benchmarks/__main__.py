"""`python -m benchmarks [NAME…]`: print ratios; exit status 1 when a bound is missed.

Law: nothing outside a temporary folder is written, and nothing is read that is not named on the command line.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.control import NotTheControlProgram, patched
from benchmarks.measure import Options, Result, cores

BENCHMARKS = {
    "exchange": "one exchange against a bare poll loop",
    "record": "the cost of a message as the record grows",
    "whole_match": "a whole match against the control program",
    "command": "whole commands: --version and match",
    "rulings": "rulings at 80 digits against the control program",
    "cpu": "CPU time charged against what a bot says it burned",
    "load": "findings on good bots while all cores are busy (an hour; --brief: minutes)",
    "profiles": "quick and standard runs on a C and a Python bot (minutes)",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is named (default: all). 0: every bound holds; 1: one is missed; 2: a usage error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--control-program", type=Path, metavar="FILE", help="the contest's control program v0.11a"
    )
    source.add_argument(
        "--announcement", type=Path, metavar="FILE", help="the announcement that its listing is in"
    )
    parser.add_argument("--brief", action="store_true", help="fewer rounds, no long profiles")
    given = parser.parse_args(arguments)
    for name in given.names:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    with tempfile.TemporaryDirectory(prefix="pdcheck-benchmarks-") as folder:
        scratch = Path(folder)
        file = given.control_program or given.announcement
        try:
            program = patched(file, scratch, document=given.control_program is None) if file else None
        except (OSError, NotTheControlProgram) as error:
            parser.error(str(error))
        options = Options(scratch, program, given.brief)
        _say(f"{cores()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}")
        if hasattr(os, "getloadavg"):
            _say(f"load {os.getloadavg()[0]:.1f} at the start (an idle machine gives the steadiest figures)")
        results = [_one(name, options) for name in given.names or BENCHMARKS]
    failed = sum(row.failed for result in results for row in result.rows)
    skipped = sum(bool(result.skipped) for result in results)
    _say(f"\n{failed} bounds missed, {skipped} benchmarks skipped")
    return 1 if failed else 0


def _say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _one(name: str, options: Options) -> Result:
    _say(f"\n{name}: {BENCHMARKS[name]}")
    result: Result = importlib.import_module(f"benchmarks.{name}").run(options)
    if result.skipped:
        _say(f"skip  {result.skipped}")
    for row in result.rows:
        _say(row)
    for line in result.lines:
        _say(line)
    return result


if __name__ == "__main__":
    sys.exit(main())
