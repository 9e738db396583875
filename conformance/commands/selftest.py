"""`pdcheck selftest`: the matrix, a line a bot, and the totals.

Law: a bot whose tools are not installed is told as not run. Exit status: 0 the kit was right about every bot that ran,
1 it was wrong about one, else 3 where it failed in one, 2 usage, 130 interrupted (what is known was printed by then).
"""

from __future__ import annotations

import time
from collections import Counter

from pdcheck.conformance import kit
from pdcheck.conformance.commands.common import ended_by_signals, pack_of
from pdcheck.conformance.selftest import matrix
from pdcheck.conformance.usage import UsageError

WORDS = {True: "right", False: "WRONG", None: "not run"}


def run_selftest(game: str, *, quick: bool, jobs: int | None, only: str) -> int:
    """Run it and print it; the exit status."""
    pack = pack_of(game)
    bots = matrix.bots_of(pack, only)
    if not bots:
        raise UsageError(f"--only {only}: no bot's name begins like that")
    started = time.monotonic()
    totals: Counter[tuple[str, bool | None]] = Counter()
    statuses = {0}
    with ended_by_signals():
        profile = "quick" if quick else "standard"
        for entry in matrix.run(pack, bots, profile=profile, jobs=kit.at_most(jobs or kit.default_jobs())):
            totals[entry.kind, entry.right] += 1
            statuses.add(3 if entry.failed else 1 if entry.right is False else 0)
            print(_line(entry), flush=True)
    print(_totals(totals, time.monotonic() - started))
    return next(status for status in (1, 3, 0) if status in statuses)


def _line(entry: matrix.Entry) -> str:
    word = "FAILED" if entry.failed else WORDS[entry.right]
    words = f"{word:8}{entry.name:28} {entry.expected:28} {entry.reported:34} {entry.seconds:6.1f} s"
    if entry.seen:
        words += f"  {entry.seen.peak} MiB, {len(entry.seen.left)} left"
    return words


def _totals(totals: Counter[tuple[str, bool | None]], seconds: float) -> str:
    kinds = dict.fromkeys(kind for kind, _ in totals)
    parts = []
    for kind in ("good", "faulty", "hostile"):
        if kind in kinds:
            right, ran = totals[kind, True], totals[kind, True] + totals[kind, False]
            without = f" ({totals[kind, None]} not run)" if totals[kind, None] else ""
            parts.append(f"{kind} {right} of {ran} right{without}")
    return f"{', '.join(parts)}; {seconds:.0f} s"
