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
from benchmarks.measure import Options, Result, Row, build, in_turns, shown

DEALS = (1, 3, 6)
NAMES = ("A", "B", "C", "D")
NO_CONTROL = "no control program given (--control-program FILE or --announcement FILE)"


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

    def __call__(self) -> float:
        os.environ[control.SEED] = str(self.deal)
        with _quiet() as output:
            began = time.perf_counter()
            match = self.module.PrimeDaihinmin(self.pairs)
            match.initialize()
            match.play()
            match.finish()
            seconds = time.perf_counter() - began
        self.output = output.getvalue()
        for player in match.players:
            control.bury(player.solver)
        return seconds


def run(options: Options) -> Result:
    """One row a deal: the control program's seconds by the kit's."""
    if options.control is None:
        return Result(skipped=NO_CONTROL)
    bot = build("instant_bot", options.scratch)
    ours, theirs = OursInProcess(bot), ControlInProcess(control.load(options.control), bot)
    result = Result()
    for deal in DEALS:
        ours.deal = theirs.deal = deal
        kit, program = in_turns((ours, theirs), options.rounds(12))
        _same(ours.output, theirs.output, deal)
        result.rows.append(
            Row.of(
                f"whole match {deal}: control program / kit",
                program,
                kit,
                at_least=3.0,
                text=f"{shown(program)} and {shown(kit)}; four instant C bots, the same ranking",
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
