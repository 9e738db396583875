"""Measuring: turn by turn, medians, one table.

Law: the sides of a comparison take turns, so that whatever else the machine does hits both. A `Row` knows its
bound; only a row that has one can fail, and only when the medians and the least seconds agree.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
CALIBRATION_LOOP = "s = 0\nfor i in range(4_000_000):\n    s += i * i % 7"


@dataclass(frozen=True, slots=True)
class Options:
    """`scratch`: a folder for all that is built or written; `control`: the control program, patched."""

    scratch: Path
    control: Path | None = None
    brief: bool = False
    """Fewer rounds, and the long profiles left out."""

    def rounds(self, usual: int) -> int:
        """How often to measure."""
        return max(3, usual // 4) if self.brief else usual


@dataclass(frozen=True, slots=True)
class Row:
    """One ratio: of medians, and of the least seconds (`ideal`), which a loaded machine disturbs least.

    With `at_most` or `at_least` it fails when both are on the wrong side; `goal` and `text` are only told.
    """

    name: str
    ratio: float
    ideal: float
    at_most: float | None = None
    at_least: float | None = None
    goal: str = ""
    text: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        above: Sequence[float],
        below: Sequence[float],
        *,
        at_most: float | None = None,
        at_least: float | None = None,
        goal: str = "",
        text: str = "",
    ) -> Row:
        """The row of `above` / `below`, the seconds of two sides."""
        ratio, ideal = median(above) / median(below), min(above) / min(below)
        return cls(name, ratio, ideal, at_most, at_least, goal, text)

    @property
    def failed(self) -> bool:
        """Whether both ratios are on the wrong side of the bound."""
        over = self.at_most is not None and min(self.ratio, self.ideal) > self.at_most
        under = self.at_least is not None and max(self.ratio, self.ideal) < self.at_least
        return over or under

    def __str__(self) -> str:
        bound = ""
        if self.at_most is not None:
            bound = f"at most {self.at_most:g}"
        if self.at_least is not None:
            bound = f"at least {self.at_least:g}"
        mark = "FAIL" if self.failed else "ok" if bound else "told"
        goal = f", goal {self.goal}" if self.goal else ""
        return (
            f"{mark:4}  {self.name:42} {self.ratio:8.2f} {self.ideal:8.2f}   {bound}{goal}\n      {self.text}"
        )


@dataclass(slots=True)
class Result:
    """What a benchmark found: rows, lines to print below them, and what was skipped."""

    rows: list[Row] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    skipped: str = ""


Side = Callable[[], float]
"""Does its work once and returns its seconds (of one exchange, one match, …)."""


def in_turns(sides: Sequence[Side], rounds: int, warm: int = 1) -> list[list[float]]:
    """The seconds of each side, `rounds` of them, measured in turns; every other round goes backwards."""
    for _ in range(warm):
        for side in sides:
            side()
    taken: list[list[float]] = [[] for _ in sides]
    for number in range(rounds):
        order = range(len(sides)) if number % 2 == 0 else reversed(range(len(sides)))
        for at in order:
            taken[at].append(sides[at]())
    return taken


def median(seconds: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(seconds)


def shown(seconds: Sequence[float]) -> str:
    """Median and minimum in a unit that fits."""
    unit, factor = ("s", 1.0) if median(seconds) >= 1 else ("ms", 1e3)
    if median(seconds) < 1e-3:
        unit, factor = "µs", 1e6
    return f"{median(seconds) * factor:.3g} {unit} (least {min(seconds) * factor:.3g})"


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """This process and what it starts meanwhile stay on one core (where the system can do that)."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def build(name: str, scratch: Path, source: Path | None = None) -> str:
    """Compile one C bot (this folder's NAME.c unless `source` says another); the path of the program."""
    program = scratch / name
    if not program.exists():
        command = ["cc", "-O2", "-o", str(program), str(source or HERE / f"{name}.c")]
        subprocess.run(command, check=True)
    return str(program)


def user_environment(scratch: Path) -> dict[str, str]:
    """The environment as a user has it: compiled modules are kept (in `scratch`), output is buffered."""
    unusual = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    kept = {name: value for name, value in os.environ.items() if name not in unusual}
    return kept | {"PYTHONPYCACHEPREFIX": str(scratch / "pycache")}


def command_seconds(
    command: Sequence[str], *, statuses: Sequence[int] = (0,), env: dict[str, str] | None = None
) -> float:
    """Wall seconds of one command, its output thrown away. Raises RuntimeError for another exit status."""
    began = time.perf_counter()
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env
    )
    seconds = time.perf_counter() - began
    if done.returncode not in statuses:
        tail = done.stderr.decode("utf-8", "replace")[-2000:]
        raise RuntimeError(f"exit status {done.returncode} of {' '.join(command)}\n{tail}")
    return seconds


def calibration() -> float:
    """Seconds of a fixed loop with one copy on each core: the unit that seconds of a run are told in."""
    command = [sys.executable, "-c", CALIBRATION_LOOP]
    copies = cores()
    with ThreadPoolExecutor(copies) as pool:
        return median([*pool.map(lambda _: command_seconds(command), range(copies))])
