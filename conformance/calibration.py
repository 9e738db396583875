"""How fast this machine is beside the contest's, as a statement that nobody is judged by.

Law: a fixed piece of work, timed by this thread's own CPU clock, so that a loaded machine changes little. MD5 is a
chain of operations each of which waits for the one before it: it takes nearly the same number of cycles a byte on any
x86-64 core, old or new, and none has instructions for it. So it shows the clock that a core really runs at, and not
what newer cores do beside that in one cycle: a bot gains about so much here, or more.
"""

from __future__ import annotations

import hashlib
import time
from functools import cache
from typing import Any

from pdcheck.scenarios.pack import Reference

CYCLES_A_BYTE = 4.95
"""Of MD5: 64 steps for 64 bytes, each a chain of about five operations; within a tenth."""
BLOCK = bytes(1 << 20)
ROUNDS = 12
"""Of one block each, some 2 ms; the quickest counts, for whatever disturbs it only makes it slower."""


@cache
def gigahertz() -> float:
    """The clock that this machine's core seems to run at, in GHz; 0.0 where it cannot be measured."""
    seconds = []
    try:
        for _ in range(ROUNDS):
            began = time.thread_time()
            hashlib.md5(BLOCK, usedforsecurity=False).digest()
            seconds.append(time.thread_time() - began)
    except ValueError:  # a system that has MD5 switched off
        return 0.0
    least = min(seconds)
    return len(BLOCK) * CYCLES_A_BYTE / least / 1e9 if least > 0 else 0.0


def statement(reference: Reference, factor: float) -> str:
    """What is told of this machine beside the contest's, in one sentence."""
    given = f"--cpu-factor {factor:g}"
    judged = (
        "judged on raw CPU time unless --cpu-factor is given" if factor == 1.0 else f"judged with {given}"
    )
    speed = gigahertz()
    if not speed:
        return f"this machine could not be measured against the contest's, {reference.words}; {judged}"
    times = speed / reference.gigahertz
    return (
        f"this machine looks about {times:.1f} times as fast as the contest's, {reference.words} "
        f"(by its clock, so take it as the least); {judged}"
    )


def calibrated(reference: Reference | None, factor: float) -> dict[str, Any]:
    """The same for `machine` in a JSON report; nothing where the game names no machine."""
    if reference is None:
        return {}
    times = round(gigahertz() / reference.gigahertz, 2) or None
    told = {"reference": reference.words, "times_as_fast": times, "cpu_factor": factor}
    return {"calibration": {**told, "statement": statement(reference, factor)}}
