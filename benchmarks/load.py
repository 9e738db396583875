"""Good bots under load: quick runs while twice as many busy processes as cores want the machine.

Law: what is counted must be 0: findings on a good bot, and MUST requirements that come out inconclusive. A busy process
ends by itself when the benchmark is gone, however that came.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

from pdcheck.conformance.bot import Bot
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.report import Report
from pdcheck.conformance.selftest import matrix
from pdcheck.conformance.selftest.programs import BuildError, Workshop, good_bots
from pdcheck.referee.catalogue import Level

from benchmarks.measure import Options, Result, Row, cores, median

RUNS, FEW_RUNS = 50, 10
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100_000))"
GAME, PROFILE = "prime-daihinmin", "quick"


@dataclass(slots=True)
class _Count:
    """What was wrong, over all runs, each told as `BOT: REQUIREMENT what`."""

    runs: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    inconclusive: Counter[str] = field(default_factory=Counter)
    troubles: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def add(self, name: str, report: Report) -> None:
        """One run's report."""
        self.runs[name] += 1
        self.seconds.append(report.elapsed)
        self.troubles.update(f"{name}: {text.strip().splitlines()[-1]}" for _, text in report.troubles)
        for row in report.rows:
            self.findings.update(f"{name}: {row.requirement.id} {f.actual}" for f in row.findings)
            if row.status == "inconclusive" and row.requirement.level is Level.MUST:
                self.inconclusive[f"{name}: {row.requirement.id}"] += 1


def run(options: Options) -> Result:
    """Three rows that have to be 0, and what was wrong in words."""
    pack = load_pack(GAME)
    bots = _bots(options.scratch)
    if not bots:
        return Result(skipped="no good bot can be built here")
    cases = matrix.all_cases(GAME, PROFILE)
    count = _Count()
    with busy(2 * cores()):
        for name, bot in islice(cycle(bots.items()), FEW_RUNS if options.brief else RUNS):
            count.add(name, matrix.check(pack, bot, cases, PROFILE, cores()))
    told = ", ".join(f"{name} {runs}" for name, runs in count.runs.items())
    text = f"{sum(count.runs.values())} runs ({told}), {median(count.seconds):.0f} s each"
    result = Result()
    for what, wrong in (
        ("findings on good bots", count.findings),
        ("inconclusive MUSTs of good bots", count.inconclusive),
        ("failures of the kit", count.troubles),
    ):
        times = float(sum(wrong.values()))
        result.rows.append(Row(f"under load: {what}", times, times, at_most=0.0, text=text))
        result.lines += [f"   {times} × {name}" for name, times in wrong.items()]
    return result


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that compute all the time."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            process = subprocess.Popen([sys.executable, "-S", "-c", BUSY])
            stack.callback(process.wait)
            stack.callback(process.kill)
        time.sleep(0.5)  # they have begun; the load is what is wanted, nothing waits for it
        yield


def _bots(scratch: Path) -> dict[str, Bot]:
    """The good bots that can be built and run here."""
    workshop = Workshop(scratch)
    bots: dict[str, Bot] = {}
    for good in good_bots(load_pack(GAME)):
        if not good.program.lacks():
            with contextlib.suppress(BuildError):
                bots[good.name] = workshop.bot(good)
    return bots
