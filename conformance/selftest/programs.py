"""The kit's own bots: good, faulty and hostile ones, read from their folders.

Law: a bot is data (a program, how it is built and run, what is expected of it); nothing here starts one, but for the
compilers that `Workshop` calls. A bot whose tools are not installed says which (`Program.lacks`).
"""

from __future__ import annotations

import compileall
import importlib
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.repeats import clock
from pdcheck.scenarios.pack import GamePack

PACKAGE = "pdcheck.conformance.selftest.bots"
CLOCK = "a C compiler or libfaketime"
"""The tool of bots whose fault shows by another date alone: what gives a bot one (see `repeats.clock`)."""
COMPILERS = ("cc", "gcc", "clang")


@dataclass(frozen=True, slots=True)
class Program:
    """A source file, how to build it (empty: not at all) and how to run it; {source}, {out}, {python} in the words."""

    language: str
    source: Path
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()

    def lacks(self) -> list[str]:
        """Its tools that are not on PATH, or not installed."""
        return [tool for tool in self.tools if not _is_there(tool)]

    def words(self, which: Sequence[str], out: Path) -> tuple[str, ...]:
        """`build` or `run` with everything filled in."""
        fill = {"source": str(self.source), "out": str(out), "python": sys.executable}
        return tuple(word.format(**fill) for word in which)


@dataclass(frozen=True, slots=True)
class Good:
    """A good bot: there is nothing to be found about it."""

    name: str
    program: Program


@dataclass(frozen=True, slots=True)
class Faulty:
    """A faulty bot: its name, what it breaks, at which level, and who it is."""

    name: str
    requirement: str
    level: str
    summary: str
    program: Program
    cause: str = ""
    """Of a bot that does not answer: the word that its finding's cause has to begin with."""
    alone: bool = False
    """It is judged while no other is: its fault is told by the clock."""
    matches_only: bool = False
    """It meets the first ordinary scenarios and whole matches only."""
    time: float | None = None
    """The budget of a match in seconds; None: the game's own."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """A bot that attacks what runs it: its name, what it may be found to break (any one of these), who it is."""

    name: str
    requirements: tuple[str, ...]
    summary: str
    program: Program


class BuildError(Exception):
    """A bot could not be built; the message ends with what the compiler said."""


class Workshop:
    """Where programs are built, each once. `out` is an existing folder."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._built: set[Path] = set()

    def bot(self, of: Good | Faulty | Hostile) -> Bot:
        """The bot, built. Raises BuildError."""
        program = of.program
        self.make(program)
        return read_bot([*program.words(program.run, self.out), *([] if isinstance(of, Good) else [of.name])])

    def make(self, program: Program) -> None:
        """Build the program, unless it was. Raises BuildError."""
        if program.source in self._built:
            return
        if program.build:
            words = program.words(program.build, self.out)
            done = subprocess.run(words, check=False, capture_output=True, text=True)
            if done.returncode:
                raise BuildError(f"{program.source.name}: {done.stdout}{done.stderr}")
        elif program.source.name == "__main__.py":
            # A bot never writes byte code itself; without any, each of its many starts would compile it anew.
            compileall.compile_dir(program.source.parent, quiet=2)
        self._built.add(program.source)


def good_bots(pack: GamePack) -> Sequence[Good]:
    """The game's good bots; none for a game that brings no bots."""
    folder = bots_folder("good", pack)
    if not folder.is_dir():
        return ()
    rows = _toml(folder / "bots.toml")["bot"]
    return tuple(Good(row["name"], _program(row, folder)) for row in rows)


def faulty_bots(pack: GamePack) -> Sequence[Faulty]:
    """The game's faulty bots, in the order of what they break; none for a game that brings no bots."""
    folder = bots_folder("faulty", pack)
    if not folder.is_dir():
        return ()
    own, catalogue = _python(folder), _module("faulty", pack, "catalogue")
    found = [
        Faulty(name, fault.requirement, fault.level, fault.summary, own, fault.cause)
        for name, fault in catalogue.FAULTS.items()
    ]
    if (folder / "faults.toml").is_file():
        for program in _toml(folder / "faults.toml")["program"]:
            found += [Faulty(**row, program=_program(program, folder)) for row in program["fault"]]
    order = {entry.id: at for at, entry in enumerate(pack.catalogue())}
    found.sort(key=lambda faulty: order[faulty.requirement])
    return tuple(_conditioned(faulty, catalogue) for faulty in found)


def hostile_bots(pack: GamePack) -> Sequence[Hostile]:
    """The game's hostile bots; none for a game that brings no bots."""
    if not bots_folder("hostile", pack).is_dir():
        return ()
    own = _python(bots_folder("hostile", pack))
    return tuple(
        Hostile(name, tuple(row.requirements), row.summary, own)
        for name, row in _module("hostile", pack, "catalogue").HOSTILE.items()
    )


def bots_folder(kind: str, pack: GamePack) -> Path:
    """The folder of one kind of bots (good, faulty, hostile)."""
    return Path(str(files("pdcheck.conformance.selftest"))) / "bots" / kind / pack.name.replace("-", "_")


def _conditioned(faulty: Faulty, catalogue: Any) -> Faulty:
    """With the conditions under which the game's catalogue has bots of such a name judged.

    `ALONE` and `MATCHES_ONLY` of a catalogue are what names begin with; `TIMES` (optional) gives seconds for some, and
    `BY_DATE` (optional) has the names of those that need `CLOCK`.
    """
    if faulty.name in getattr(catalogue, "BY_DATE", ()):
        tools = (*faulty.program.tools, CLOCK)
        faulty = replace(faulty, program=replace(faulty.program, tools=tools))
    times = getattr(catalogue, "TIMES", {}).items()
    return replace(
        faulty,
        alone=faulty.name.startswith(catalogue.ALONE),
        matches_only=faulty.name.startswith(catalogue.MATCHES_ONLY),
        time=next((seconds for start, seconds in times if faulty.name.startswith(start)), None),
    )


def _is_there(tool: str) -> bool:
    if tool != CLOCK:
        return shutil.which(tool) is not None
    return sys.platform == "linux" and bool(clock.faketime() or any(map(shutil.which, COMPILERS)))


def _module(kind: str, pack: GamePack, name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.{kind}.{pack.name.replace('-', '_')}.{name}")


def _python(folder: Path) -> Program:
    return Program("Python", folder / "__main__.py", ("{python}", "-B", "-S", "{source}"))


def _program(row: Mapping[str, Any], folder: Path) -> Program:
    parts = {name: tuple(row[name]) for name in ("run", "build", "tools", "headers")}
    return Program(row["language"], folder / row["source"], **parts)


def _toml(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))
