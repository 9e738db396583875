"""A submission becomes a bot that can be started: built behind walls, by its toolchain or its Makefile.

Law: what the compiler says against it is the submission's fault (Refused); a compiler or library that is not here, and
walls that cannot be put up, are the machine's (IntakeTrouble, WallsError). A build sees the submission and its
toolchain, writes into one folder of limited size, and leaves nothing else.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pdcheck.conformance.gate import imports, toolchains
from pdcheck.conformance.gate.mainclass import main_class
from pdcheck.conformance.gate.refusal import IntakeTrouble, Refused, Unfit
from pdcheck.conformance.gate.seen import Phase, seen
from pdcheck.conformance.gate.submission import Submission
from pdcheck.conformance.gate.toolchains import Installed, Library, Places
from pdcheck.conformance.sandbox.run import Ran, run_inside
from pdcheck.conformance.sandbox.walls import MIB, Bind, Limits, Link, Walls
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.scenarios.pack import Upload

BOT = "bot"
"""The program that a build makes."""
SECONDS = 120
MOST_MEMORY = 2048 * MIB
MOST_BUILT = 256 * MIB
MOST_SAID = 4 * MIB
TASKS = 256
ENVIRONMENT = {"PATH": toolchains.TOOL_PATH, "LANG": "C.UTF-8"}


class Built(NamedTuple):
    """A bot to be started: its command and variables, the folder that it is started in, what it sees of the machine,
    and how it came to be: `tools` (name → version) and the `log` of the build."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: str
    walls: Walls
    toolchain: toolchains.Toolchain
    tools: Mapping[str, str]
    log: str
    seconds: float


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a submission is built: `source` is what was handed in, `out` what comes of it."""

    submission: Submission
    upload: Upload
    tool: Installed
    workshop: Workshop
    source: str
    out: str
    main: str
    file: str
    libraries: Sequence[Library]
    memory: int
    """Bytes that the bot may use."""

    def places(self) -> Places:
        paths = [self.file, *self.submission.sources[1:]]
        own = [path for path in paths if self.tool.toolchain.is_source(path)]
        return Places(
            os.path.join(self.source, self.file),
            [os.path.join(self.source, path) for path in own],
            self.out,
            Walls().home,
            self.memory // MIB,
            self.main,
            self.libraries,
        )

    def refused(self, code: str, **details: str | int) -> Refused:
        return Refused(self.upload.source_requirement, code, **details)


class BuildRefused(Exception):
    """A build that failed: why, and all that it said."""

    def __init__(self, why: Refused, log: str) -> None:
        super().__init__(str(why))
        self.why = why
        self.log = log


def build(submission: Submission, upload: Upload, workshop: Workshop, memory: int) -> Built:
    """Build it; `memory` is what the bot may use, in bytes. Raises BuildRefused for the submission's fault,
    IntakeTrouble, WallsError and StartError for the machine's."""
    tool = toolchains.find(submission.chosen)
    try:
        site = _site(submission, upload, tool, workshop, memory)
    except Unfit as unfit:
        why = Refused(upload.source_requirement, unfit.code, **unfit.details)
        raise BuildRefused(why, "") from None
    tools = [tool, *([toolchains.find([toolchains.maker()])] if submission.makefile else [])]
    log, seconds = _made(site, tools)
    command = _command(site, log)
    return Built(
        command,
        {**ENVIRONMENT, **tool.environment(Walls().home)},
        site.out if submission.makefile else site.source,
        _running(site),
        tool.toolchain,
        {one.toolchain.name: one.version() for one in tools},
        log,
        seconds,
    )


def _site(submission: Submission, upload: Upload, tool: Installed, workshop: Workshop, memory: int) -> _Site:
    """Lay everything where it is built. Raises Unfit for a Java source that nothing starts."""
    texts = [(submission.folder / path).read_bytes() for path in submission.sources]
    language = tool.toolchain.language
    asked = [one.name for text in texts for one in imports.imports(language, text)]
    libraries = tool.toolchain.wanted(asked)
    if missing := toolchains.missing_libraries(libraries):
        told = ", ".join(f"{library.name} ({library.package})" for library in missing)
        raise IntakeTrouble(f"not installed: {told}")
    out = workshop.room("out")
    main = file = ""
    if language == "java" and not submission.makefile:
        main, file = main_class(texts[0], name=submission.source)
    source = os.path.join(workshop.folder, "source")
    shutil.copytree(submission.folder, source)
    file = file or submission.source
    if file != submission.source:
        os.rename(os.path.join(source, submission.source), os.path.join(source, file))
    for name, text in tool.toolchain.files.items():
        Path(source, name).write_text(text, "utf-8")
    if submission.makefile:  # make works in one place
        shutil.copytree(source, out, dirs_exist_ok=True)
        workshop.give(out)
    workshop.give(source)
    return _Site(submission, upload, tool, workshop, source, out, main, file, libraries, memory)


def _made(site: _Site, tools: Sequence[Installed]) -> tuple[str, float]:
    """Run the build; what it said, and the seconds that it took. Raises BuildRefused."""
    places = site.places()
    command = tools[-1].build(places)
    if not command:
        return "", 0.0
    folder = site.out if site.submission.makefile else site.source
    walls = Walls(
        (*_binds(tools, "build"), Bind(site.source, site.source), Bind(site.out, site.out, writable=True)),
        _links(tools, "build"),
        Limits(MOST_MEMORY, None, TASKS, MOST_BUILT, 1024, SECONDS),
        folder,
        tmp_bytes=MOST_BUILT,
    )
    environment = {**ENVIRONMENT, "HOME": walls.home}
    for tool in tools:
        environment |= tool.environment(walls.home)
    ran = run_inside(
        command,
        walls,
        site.workshop,
        environment=environment,
        timeout=SECONDS,
        most_output=MOST_SAID,
        grows={site.out: MOST_BUILT},
    )
    log = (ran.stderr + ran.stdout).decode("utf-8", "replace")
    if why := _why(site, ran):
        raise BuildRefused(why, log)
    return log, ran.seconds


def _why(site: _Site, ran: Ran) -> Refused | None:
    """Why a build that ended so is refused."""
    details: Mapping[str, tuple[str, Mapping[str, int]]] = {
        "timeout": ("build-time", {"seconds": SECONDS}),
        "memory": ("build-memory", {"limit": MOST_MEMORY}),
        "output": ("build-output", {"limit": MOST_SAID}),
        "grown": ("build-output", {"limit": MOST_BUILT}),
        "signal": ("build-failed", {"status": ran.status or 0}),
    }
    if ran.how_ended == "exit":
        return site.refused("build-failed", status=ran.status or 0) if ran.status else None
    code, given = details[ran.how_ended]
    return site.refused(code, **given)


def _command(site: _Site, log: str) -> tuple[str, ...]:
    """How the bot is started. Raises BuildRefused when the build made none."""
    submission, places = site.submission, site.places()
    if submission.run:
        return submission.run
    if submission.makefile:
        _check_made(site, os.path.join(site.out, BOT), log)
        return (os.path.join(site.out, BOT),)
    command = site.tool.run(places)
    if command[0].startswith(site.out):
        _check_made(site, command[0], log)
    return command


def _check_made(site: _Site, path: str, log: str) -> None:
    try:
        found = os.lstat(path)
    except OSError:
        found = None
    if found is None or not stat.S_ISREG(found.st_mode) or not found.st_mode & 0o100:
        raise BuildRefused(site.refused("build-no-bot", name=BOT), log)


def _running(site: _Site) -> Walls:
    """The walls that the bot plays behind."""
    toolchain = site.tool.toolchain
    tools = [site.tool, *([toolchains.find([toolchains.maker()])] if site.submission.makefile else [])]
    space: int | None = None
    if site.workshop.cgroups is None and toolchain.address_space >= 0:
        space = _most(site.memory) + toolchain.address_space * MIB
    return Walls(
        (*_binds(tools, "run"), Bind(site.source, site.source), Bind(site.out, site.out)),
        _links(tools, "run"),
        Limits(_most(site.memory), space, toolchain.most_tasks),
        site.out if site.submission.makefile else site.source,
    )


def _most(memory: int) -> int:
    """Where the wall stands: far enough beyond what is allowed for the kit to see that it was exceeded."""
    return memory + memory // 2


def _binds(tools: Sequence[Installed], phase: Phase) -> tuple[Bind, ...]:
    return tuple(Bind(path, path) for path in seen(tools, phase).places)


def _links(tools: Sequence[Installed], phase: Phase) -> tuple[Link, ...]:
    return tuple(Link(path, leads) for path, leads in seen(tools, phase).links)
