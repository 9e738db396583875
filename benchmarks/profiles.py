"""Whole runs of `pdcheck BOT`: the quick and the standard profile on a C and on a Python bot.

Law: seconds are told in units of a fixed loop that runs before and after them on all cores, so that a slow
or a loaded machine does not fail; the bounds are the wanted seconds in that unit on an idle machine.
"""

from __future__ import annotations

import resource
import shutil
import sys
from pathlib import Path

from benchmarks.measure import (
    ROOT,
    Options,
    Result,
    Row,
    build,
    calibration,
    command_seconds,
    median,
    user_environment,
)

BOTS = ROOT / "conformance" / "selftest" / "bots" / "good" / "prime_daihinmin"
LOOP_SECONDS = 0.6
"""The fixed loop on the machine that the wanted seconds were meant for: 2 idle cores, Python 3.11."""
WANTED = (
    ("quick", "C", 3.0),
    ("quick", "Python", 10.0),
    ("standard", "C", 20.0),
    ("standard", "Python", 60.0),
)
TIMES = {"quick": 3, "standard": 1}
CONFORMS = (0, 4)
"""The bots are good; on a loaded machine a run may be inconclusive."""


def run(options: Options) -> Result:
    """One row a profile and bot: seconds by the wanted seconds, both in loops."""
    python = (
        "/usr/bin/python3" if Path("/usr/bin/python3").exists() else shutil.which("python3") or sys.executable
    )
    bots = {
        "C": [build("tidy", options.scratch, BOTS / "tidy.c")],
        "Python": [python, str(BOTS / "steady.py")],
    }
    pdcheck = str(Path(sys.executable).parent / "pdcheck")
    environment = user_environment(options.scratch)
    result = Result()
    for profile, language, wanted in WANTED:
        if options.brief and profile != "quick":
            continue
        artifacts = str(options.scratch / f"{profile}-{language}")
        command = [pdcheck, "--quiet", "--profile", profile, "--artifacts", artifacts, *bots[language]]
        result.rows.append(_measure(command, environment, profile, language, wanted))
    return result


def _measure(
    command: list[str], environment: dict[str, str], profile: str, language: str, wanted: float
) -> Row:
    loops, seconds = [calibration()], []
    before = _cpu()
    calibrating = 0.0
    for _ in range(TIMES[profile]):
        seconds.append(command_seconds(command, statuses=CONFORMS, env=environment))
        after = _cpu()
        loops.append(calibration())
        calibrating += _cpu() - after
    cpu = (_cpu() - before - calibrating) / len(seconds)
    units = [s / ((a + b) / 2) for s, a, b in zip(seconds, loops, loops[1:], strict=False)]
    return Row(
        f"{profile} profile, {language} bot / wanted",
        median(units) / (wanted / LOOP_SECONDS),
        min(seconds) / min(loops) / (wanted / LOOP_SECONDS),
        at_most=1.0,
        text=f"{median(seconds):.2f} s (least {min(seconds):.2f}; {cpu:.2f} s of CPU), wanted {wanted:g} s with the "
        f"loop at {LOOP_SECONDS:g} s; here {median(loops):.2f} s (least {min(loops):.2f})",
    )


def _cpu() -> float:
    """CPU seconds of everything this process has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
