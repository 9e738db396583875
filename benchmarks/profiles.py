"""Whole runs of `pdcheck BOT`: the quick and the standard profile on a C and on a Python bot.

Law: seconds are told in units of a fixed loop that runs before and after them on all cores, so that a slow
or a loaded machine does not fail; the bounds are the wanted seconds in that unit on an idle machine.
"""

from __future__ import annotations

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
LOOP_SECONDS = 0.35
"""The fixed loop on the machine that the wanted seconds were meant for: 2 idle cores, Python 3.11."""
WANTED = (
    ("quick", "C", 3.0),
    ("quick", "Python", 10.0),
    ("standard", "C", 20.0),
    ("standard", "Python", 60.0),
)
CLEAN = 0


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
        loops, seconds = [calibration()], []
        for _ in range(3 if profile == "quick" else 1):
            seconds.append(command_seconds(command, status=CLEAN, env=environment))
            loops.append(calibration())
        loop = median(loops)
        result.rows.append(
            Row(
                f"{profile} profile, {language} bot / wanted",
                median(seconds) / loop / (wanted / LOOP_SECONDS),
                at_most=1.0,
                text=f"{median(seconds):.2f} s (least {min(seconds):.2f}); wanted: {wanted:g} s with the "
                f"fixed loop at {LOOP_SECONDS:g} s; here {loop:.2f} s (least {min(loops):.2f})",
            )
        )
    return result
