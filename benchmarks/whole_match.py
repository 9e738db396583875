"""A whole match of four instant bots, without interpreter start: the kit against the control program.

Law: both run in this process, deal by the same seed, start the same bots and print to nowhere; a match that
does not end with the same ranking on both sides is no measurement. Rules are `v0.11a`, the control program's.
"""

from __future__ import annotations

import contextlib
import io
import os
import time
from collections.abc import Iterator
from types import ModuleType

from pdcheck.conformance.commands.match import run_match

from benchmarks import control
from benchmarks.measure import Options, Result, Row, build, in_turns, median, shown

DEALS = (1, 3, 6)
NAMES = ("A", "B", "C", "D")
NO_CONTROL = "no control program given (--control-program FILE or --seed-document FILE)"


def players(bot: str) -> list[str]:
    """NAME COMMAND pairs."""
    return [word for name in NAMES for word in (name, bot)]


def ranking(output: str) -> list[str]:
    """What a match printed on stdout, without the time left, which is never the same."""
    return [line.rpartition(" ")[0] if " : " in line else line for line in output.splitlines()]


class OursInProcess:
    """A match as `pdcheck match` plays it."""

    def __init__(self, bot: str) -> None:
        self.players = players(bot)
        self.deal = DEALS[0]
        self.output = ""

    def __call__(self) -> float:
        with _quiet() as output:
            began = time.perf_counter()
            run_match(
                self.players,
                show=False,
                time=None,
                debug=False,
                game="prime-daihinmin",
                rules="v0.11a",
                seed=self.deal,
                transcript=None,
            )
            seconds = time.perf_counter() - began
        self.output = output.getvalue()
        return seconds


class ControlInProcess:
    """A match as the control program plays it; its bots are reaped outside the clock."""

    def __init__(self, module: ModuleType, bot: str) -> None:
        self.module = module
        self.pairs = [(name, bot) for name in NAMES]
        self.deal = DEALS[0]
        self.output = ""
        self.without_finish = 0.0

    def __call__(self) -> float:
        os.environ[control.SEED] = str(self.deal)
        with _quiet() as output:
            began = time.perf_counter()
            match = self.module.PrimeDaihinmin(self.pairs)
            match.initialize()
            match.play()
            self.without_finish = time.perf_counter() - began
            match.finish()
            seconds = time.perf_counter() - began
        self.output = output.getvalue()
        for player in match.players:
            control.bury(player.solver)
        return seconds


def run(options: Options) -> Result:
    """One row: the control program's seconds by the kit's, over several deals."""
    if options.control is None:
        return Result(skipped=NO_CONTROL)
    bot = build("instant_bot", options.scratch)
    ours, theirs = OursInProcess(bot), ControlInProcess(control.load(options.control), bot)
    result = Result()
    ratios: list[float] = []
    bare_ratios: list[float] = []
    for deal in DEALS:
        ours.deal = theirs.deal = deal
        played: list[float] = []

        def their_side(played: list[float] = played) -> float:
            seconds = theirs()
            played.append(theirs.without_finish)
            return seconds

        kit, program = in_turns((ours, their_side), options.rounds(12))
        _same(ours.output, theirs.output, deal)
        ratios.append(median(program) / median(kit))
        bare_ratios.append(median(played) / median(kit))
        result.lines.append(
            f"   deal {deal}: kit {shown(kit)}, control program {shown(program)}, "
            f"of it before its ending {shown(played)}"
        )
    result.rows.append(
        Row(
            "whole match: control program / kit",
            median(ratios),
            at_least=3.0,
            text=f"four instant C bots, the same rankings; the median of deals {DEALS}",
        )
    )
    result.rows.append(
        Row(
            "… its ending (quit, pkill) left out",
            median(bare_ratios),
            text="the control program up to its last turn, the kit with everything",
        )
    )
    return result


def _same(ours: str, theirs: str, deal: int) -> None:
    if ranking(ours) != ranking(theirs):
        raise RuntimeError(f"deal {deal}: two different matches\nkit:\n{ours}\ncontrol program:\n{theirs}")


@contextlib.contextmanager
def _quiet() -> Iterator[io.StringIO]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        yield output
