"""A submission becomes a bot that can be started: built behind walls, by its toolchain or its Makefile.

Law: what the compiler says against it is the submission's fault (BuildRefused); a compiler or library that is not here,
and walls that do not go up, are the machine's (IntakeTrouble, WallsError). A build sees the submission and its
toolchain, writes into one folder of limited size, and leaves nothing else.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pdcheck.conformance.files import opened
from pdcheck.conformance.gate import toolchains
from pdcheck.conformance.gate.recipe import STARTS, Inside, Recipe, recipe
from pdcheck.conformance.gate.refusal import IntakeTrouble, Refused
from pdcheck.conformance.gate.seen import Phase
from pdcheck.conformance.gate.submission import Submission
from pdcheck.conformance.sandbox.run import Ran, run_inside
from pdcheck.conformance.sandbox.walls import HOME, MIB, Bind, Limits, Link, Walls, beyond
from pdcheck.conformance.sandbox.workshop import Workshop

SECONDS = 120
MOST_MEMORY = 2048 * MIB
MOST_BUILT = 256 * MIB
MOST_SAID = 4 * MIB
MOST_STARVED = 0.25
"""The share of a build's time in which it may have got no core, where that was over."""
TASKS = 256
FILES = 1024
SCRIPT_TASKS = 2
"""Further processes of a bot that a Makefile makes as a script: its shell, and what that starts beside the bot."""
ENVIRONMENT = {"PATH": toolchains.TOOL_PATH, "LANG": "C.UTF-8"}


class Built(NamedTuple):
    """A bot to be started: its command, variables and folder, the walls that it plays behind, the `log` of its build
    and the `seconds` that it took."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: str
    walls: Walls
    log: str
    seconds: float


class BuildRefused(Exception):
    """A build that failed: why, and all that it said."""

    def __init__(self, why: Refused, log: str) -> None:
        super().__init__(str(why))
        self.why = why
        self.log = log


def build(submission: Submission, workshop: Workshop, memory: int) -> Built:
    """Build it; `memory` is what the bot may use, in bytes. Raises Refused and BuildRefused for the submission's fault,
    IntakeTrouble, WallsError and StartError for the machine's."""
    folder = workshop.room("bot")
    how = recipe(submission, Inside(folder, HOME, memory // MIB))
    if workshop.cgroups is None and how.language.toolchain.address_space < 0:
        raise IntakeTrouble(f"{how.language.toolchain.name} needs a memory cgroup, and none can be made here")
    shutil.copytree(submission.folder, folder, dirs_exist_ok=True)
    how.prepare(Path(folder))
    workshop.give(folder)
    log, seconds = _made(how, folder, workshop)
    os.chmod(folder, 0o755)  # a build may have closed it
    further = _check_made(how, folder, log)
    walls = _running(how, folder, workshop, memory, further)
    environment = {**ENVIRONMENT, **how.environment}
    return Built(how.run, environment, folder, walls, log, seconds)


def _made(how: Recipe, folder: str, workshop: Workshop) -> tuple[str, float]:
    """Run the build; what it said, and the seconds that it took. Raises BuildRefused."""
    if not how.build:
        return "", 0.0
    walls = Walls(
        (*_binds(how, "build"), Bind(folder, folder, writable=True)),
        _links(how, "build"),
        Limits(MOST_MEMORY, None, TASKS, MOST_BUILT, FILES, SECONDS),
        folder,
        tmp_bytes=MOST_BUILT,
    )
    ran = run_inside(
        how.build,
        walls,
        workshop,
        environment={**ENVIRONMENT, "HOME": HOME, **how.environment},
        timeout=SECONDS,
        most_output=MOST_SAID,
        grows={folder: MOST_BUILT},
    )
    log = (ran.stdout + ran.stderr).decode("utf-8", "replace")
    if why := _why(ran):
        raise BuildRefused(why, log)
    return log, ran.seconds


_STOPPED: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "timeout": ("build-time", {"seconds": SECONDS}),
    "memory": ("build-memory", {"limit": MOST_MEMORY}),
    "output": ("build-output", {"limit": MOST_SAID}),
    "grown": ("build-output", {"limit": MOST_BUILT}),
}
"""How a build that did not end by itself ended → the refusal's code and details."""


def _why(ran: Ran) -> Refused | None:
    """Why a build that ended so is refused. Raises IntakeTrouble where the machine may be why."""
    if ran.how_ended in ("exit", "signal"):
        return Refused(STARTS, "build-failed", status=ran.status or 0) if ran.status else None
    if ran.how_ended == "timeout" and ran.starved > SECONDS * MOST_STARVED:
        raise IntakeTrouble(f"the machine is too busy: a build got no core for {ran.starved:.0f} s")
    code, details = _STOPPED[ran.how_ended]
    return Refused(STARTS, code, **details)


def _check_made(how: Recipe, folder: str, log: str) -> int:
    """How many processes more it may have than its language. Raises BuildRefused when the build made no bot."""
    if not how.made:
        return 0
    path = os.path.join(folder, how.made)
    try:
        # What was built may be a link or a device by now: nothing of it is opened but a file of its own.
        if not os.lstat(path).st_mode & stat.S_IXUSR or os.path.islink(path):
            raise PermissionError(errno.EACCES, "no program", path)
        with opened(path) as file:
            return SCRIPT_TASKS if file.read(2) == b"#!" else 0
    except OSError:
        raise BuildRefused(Refused(STARTS, "build-no-bot", name=how.made), log) from None


def _running(how: Recipe, folder: str, workshop: Workshop, memory: int, further: int) -> Walls:
    """The walls that the bot plays behind."""
    most, more = beyond(memory), how.language.toolchain.address_space
    limits = Limits(most, most + more * MIB if more >= 0 else None, how.tasks + further)
    walls = Walls((*_binds(how, "run"), Bind(folder, folder)), _links(how, "run"), limits, folder)
    return workshop.fit(walls)


def _binds(how: Recipe, phase: Phase) -> tuple[Bind, ...]:
    return tuple(Bind(path, path) for path in how.seen(phase).places)


def _links(how: Recipe, phase: Phase) -> tuple[Link, ...]:
    return tuple(Link(path, leads) for path, leads in how.seen(phase).links)
