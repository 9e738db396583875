"""`pdcheck selftest`: the matrix, a line a bot.

Law: a bot whose tools are not installed is told as not run; a faulty one must be caught under its own requirement
and no other MUST, a good one must give no finding.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from pdcheck.conformance import kit
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.commands.common import pack_of
from pdcheck.conformance.selftest import matrix
from pdcheck.scenarios.pack import GamePack

PROFILE = "quick"


def run_selftest(game: str, quick: bool, jobs: int | None) -> int:
    """Run it; exit status 1 when the kit was wrong about any bot."""
    pack = pack_of(game)
    jobs = jobs or kit.default_jobs()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="pdcheck-selftest-") as folder:
        for good in matrix.good_bots(pack):
            wrong += not _try_good(pack, good, Path(folder), jobs)
    for faulty in _chosen(pack, quick):
        wrong += not _try_faulty(pack, faulty, jobs)
    print(f"the kit was wrong about {wrong} bots" if wrong else "the kit was right about every bot")
    return 1 if wrong else 0


def _try_good(pack: GamePack, good: matrix.Good, folder: Path, jobs: int) -> bool:
    missing = [tool for tool in good.tools if "." not in tool and shutil.which(tool) is None]
    build, run = good.built(folder)
    if missing or (build and subprocess.run(build, check=False, capture_output=True).returncode):
        _say("not run", good.name, f"needs {', '.join(missing or good.tools)}")
        return True
    report = matrix.check(pack, read_bot(run), matrix.all_cases(pack.name, PROFILE), PROFILE, jobs)
    found = [row.requirement.id for row in report.rows if row.findings]
    ok = report.verdict == "conforms" and not found
    _say("right" if ok else "WRONG", good.name, f"good: {', '.join(found) or report.verdict}")
    return ok


def _try_faulty(pack: GamePack, faulty: matrix.Faulty, jobs: int) -> bool:
    if faulty.requirement in pack.not_covered:
        _say("not run", faulty.name, f"{faulty.requirement}: {pack.not_covered[faulty.requirement]}")
        return True
    cell = matrix.judge_faulty(pack, faulty, jobs=jobs)
    told = ", ".join(f"{requirement} {status}" for requirement, status in cell.statuses.items())
    _say("right" if cell.caught else "WRONG", faulty.name, told or "no finding")
    return cell.caught


def _chosen(pack: GamePack, quick: bool) -> Iterable[matrix.Faulty]:
    seen: set[str] = set()
    for faulty in matrix.faulty_bots(pack):
        if not quick or faulty.requirement not in seen:
            seen.add(faulty.requirement)
            yield faulty


def _say(word: str, name: str, what: str) -> None:
    print(f"{word:8} {name:32} {what}", flush=True)
