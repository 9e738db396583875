"""CPU time as the kit charges it, against a bot that says how much it burned.

Law: the bot's own clocks are the truth: it burns known amounts in one way, tells after each how much it and its
children have used since they began, and moves; what the kit had charged by then is compared. An error counts as a share
of what is allowed: 20 ms or 2 %, whichever is more. Of a process below the bot that waits for others the kernel tells
the time of those in ticks only, while it lives: two ticks (20 ms) more are allowed for each.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple

from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.case import Case, run_case
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.terms import Terms
from pdcheck.conformance.transcript import Exit, Line, Stderr
from pdcheck.scenarios.scenario import Scenario

from benchmarks.measure import Options, Result, Row, median

GAME = "valtapeli"
SECONDS = (0.02, 0.1, 0.4, 1.2)
"""Burned before each move."""
ROUNDS = 5
LEAST, SHARE, TICKS = 0.02, 0.02, 0.02
KINDS = {
    "self": "in its own process",
    "threads": "in two threads",
    "reaped": "in children it waits for",
    "living": "in children that live on",
    "nested": "in children of a child, which waits for them and lives on",
    "sleeping": "not at all: it sleeps as long",
}

BURNER = """
import json, os, sys, threading, time

kind, amounts = sys.argv[1], json.loads(sys.argv[2])
others = 0.0  # used by children

def burn(seconds, clock=time.process_time):
    until = clock() + seconds
    while clock() < until:
        pass

def child(work):
    "The seconds that a child says it has used; it lives on until this process ends unless it is waited for."
    told, tell = os.pipe()
    stays, hold = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(told)
        os.close(hold)
        used = work()
        os.write(tell, repr(used + time.process_time()).encode())
        os.close(tell)
        if kind != "reaped":
            os.read(stays, 1)
        os._exit(0)
    os.close(tell)
    os.close(stays)
    used = float(os.read(told, 64))
    os.close(told)
    if kind == "reaped":
        os.waitpid(pid, 0)
    return used

def in_itself(seconds):
    burn(seconds)

def in_threads(seconds):
    threads = [threading.Thread(target=burn, args=(seconds / 2, time.thread_time)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

def in_a_child(seconds):
    global others
    others += child(lambda: burn(seconds) or 0.0)

def in_a_grandchild(seconds):
    def work():
        pid = os.fork()
        if not pid:
            burn(seconds)
            os._exit(0)
        used = os.wait4(pid, 0)[2]
        return used.ru_utime + used.ru_stime
    global others
    others += child(work)

ways = {"self": in_itself, "threads": in_threads, "reaped": in_a_child, "living": in_a_child,
        "nested": in_a_grandchild, "sleeping": time.sleep}
sys.stdin.readline()
print("Burner", flush=True)
for column, seconds in enumerate(amounts, 1):
    ways[kind](seconds)
    sys.stderr.write(repr(time.process_time() + others) + "\\n")
    sys.stderr.flush()
    print(16, column, flush=True)
    sys.stdin.readline()
"""


class Reading(NamedTuple):
    """Seconds that the bot says it has used so far, and those that the kit had charged by then."""

    truth: float
    charged: float
    waiting: int = 0
    """Processes below the bot that have waited for others."""

    @property
    def error(self) -> float:
        """The error as a share of what is allowed: over 1 is too much."""
        allowed = max(LEAST, SHARE * self.truth) + TICKS * self.waiting
        return abs(self.charged - self.truth) / allowed


def run(options: Options) -> Result:
    """One row a way of burning: the largest error of a match."""
    program = options.scratch / "burner.py"
    program.write_text(BURNER, "utf-8")
    result = Result()
    for kind, words in KINDS.items():
        rounds = [_readings(kind, program, options.scratch) for _ in range(options.rounds(ROUNDS))]
        worst = [max(reading.error for reading in readings) for readings in rounds]
        last = max((readings[-1] for readings in rounds), key=lambda reading: reading.error)
        wrong = max(abs(r.charged - r.truth) for readings in rounds for r in readings)
        text = (
            f"{words}: {last.truth:.3f} s used, {last.charged:.3f} s charged; "
            f"off by {wrong * 1000:.1f} ms at most in {len(rounds)} matches"
        )
        result.rows.append(Row(f"CPU error, {kind}", median(worst), min(worst), at_most=1.0, text=text))
    return result


def _readings(kind: str, program: Path, scratch: Path) -> list[Reading]:
    """After each move, and after the bot's end (where all its children are gone, too)."""
    bot = read_bot([sys.executable, "-I", "-S", str(program), kind, json.dumps(SECONDS)])
    pack = load_pack(GAME)
    scenario = Scenario(
        game=GAME, name="burns", about=pack.match_time, why="CPU time is measured.", blame=False,
        seats=2, seat=0, turns=len(SECONDS), ending="eof",
    )  # fmt: skip
    terms = Terms(bot, pack, pack.default_rules, scratch=str(scratch))
    log, stage = run_case(Case("benchmark/cpu", "benchmark", scenario), terms)
    events = log.of(stage.seat)
    said = b"".join(event.data for event in events if isinstance(event, Stderr)).split()
    moves = [event for event in events if isinstance(event, Line)][1:]
    if len(said) != len(SECONDS) or len(moves) != len(SECONDS):
        raise RuntimeError(f"the burner did not come to its end: {said!r}, {len(moves)} moves")
    end = next(event for event in events if isinstance(event, Exit))
    truths = [*map(float, said), float(said[-1])]
    charged = [*(move.cpu for move in moves), end.cpu]
    waiting = [*range(1, len(said) + 1), len(said)] if kind == "nested" else [0] * len(truths)
    return [Reading(*row) for row in zip(truths, charged, waiting, strict=True)]
