"""How one submission is built and started: its toolchains' commands, filled in.

Law: decides, and does nothing; that something is missing on this machine is raised before anything runs. Everything of
a submission lies in one folder, inside the walls at `folder`: writable while it is built, read-only when it runs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pdcheck.conformance.gate import toolchains
from pdcheck.conformance.gate.imports import imports
from pdcheck.conformance.gate.mainclass import main_class
from pdcheck.conformance.gate.refusal import IntakeTrouble, Refused, Unfit
from pdcheck.conformance.gate.seen import Phase, Seen, seen
from pdcheck.conformance.gate.submission import Submission
from pdcheck.conformance.gate.toolchains import Installed, Library, MissingToolchain, Places

STARTS = "IO-1"
"""The requirement that a submission breaks which cannot be built or started."""
MADE = "bot"
"""What a Makefile's first target has to make."""


class Inside(NamedTuple):
    """Where things are inside the walls, and what a heap may take."""

    folder: str = "/bot"
    home: str = "/home/bot"
    memory_mib: int = 1024


@dataclass(frozen=True, slots=True)
class Recipe:
    """How it is done; paths and words are as inside the walls, but for `files` and `renamed`, which are in the
    submission's folder."""

    tools: tuple[Installed, ...]
    """All that take part; the language's last."""
    build: tuple[str, ...]
    """() where there is nothing to build."""
    run: tuple[str, ...]
    made: str
    """The file that has to be in the folder after the build; "" where none has to."""
    environment: Mapping[str, str]
    """What both need beside a bot's usual variables."""
    files: Mapping[str, str]
    """To be written before the build: name → text."""
    renamed: tuple[tuple[str, str], ...]
    """To be renamed before the build: (from, to)."""
    libraries: tuple[Library, ...]

    @property
    def language(self) -> Installed:
        """The language's toolchain."""
        return self.tools[-1]

    @property
    def tasks(self) -> int:
        """The most threads and processes at once of a bot that makes none of its own."""
        return self.language.toolchain.most_tasks

    def seen(self, phase: Phase) -> Seen:
        """What of the machine it sees."""
        return seen(self.tools, phase)

    def versions(self) -> dict[str, str]:
        """What its tools say of their versions. Raises MissingToolchain for one that does not run."""
        return {tool.toolchain.name: tool.version() for tool in self.tools}

    def prepare(self, folder: Path) -> None:
        """Rename and write what has to be, in the submission's folder. Raises IntakeTrouble."""
        try:
            for before, after in self.renamed:
                os.rename(folder / before, folder / after)
            for name, text in self.files.items():
                (folder / name).write_text(text, encoding="utf-8")
                (folder / name).chmod(0o644)
        except OSError as error:
            raise IntakeTrouble(f"the submission cannot be prepared: {error.strerror}") from error


def recipe(
    submission: Submission, inside: Inside | None = None, *, path: str = toolchains.TOOL_PATH
) -> Recipe:
    """How it is built and started. Raises MissingToolchain for what this machine lacks, Refused for a source that
    cannot be started."""
    inside = inside or Inside()
    language = toolchains.find(submission.chosen, path=path)
    libraries = _libraries(submission, language)
    try:
        main, renamed = _main(submission, language)
    except Unfit as unfit:
        raise Refused(STARTS, unfit.code, **unfit.details) from None
    places = _places(submission, language, inside, dict(renamed), main, libraries)
    made, run = "", submission.run or language.run(places)
    tools: tuple[Installed, ...] = (language,)
    build, files = language.build(places), language.toolchain.files
    if submission.makefile:
        make = toolchains.find([toolchains.maker()], path=path)
        tools, build, files = (make, language), make.build(places), {}
        if not submission.run:
            made, run = MADE, (f"{inside.folder}/{MADE}",)
    return Recipe(
        tools, build, run, made, language.environment(inside.home), files, renamed, tuple(libraries)
    )


def _libraries(submission: Submission, language: Installed) -> Sequence[Library]:
    asked = [
        one.name
        for source in submission.sources
        for one in imports(submission.language, (submission.folder / source).read_bytes())
    ]
    wanted = language.toolchain.wanted(asked)
    if missing := toolchains.missing_libraries(wanted):
        packages = " ".join(library.package for library in missing)
        names = ", ".join(library.name for library in missing)
        raise MissingToolchain(f"not installed: {names} (Debian: apt-get install {packages})")
    return wanted


def _main(submission: Submission, language: Installed) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The class that is started, and what the source has to be renamed to; nothing where no command asks for it, or
    the submission itself says how it is started."""
    words = (*language.toolchain.build, *language.toolchain.run)
    if submission.makefile or not any("{main}" in word for word in words):
        return "", ()
    source = submission.source
    try:
        main = main_class((submission.folder / source).read_bytes(), name=source)
    except Unfit:
        if submission.run:
            return "", ()
        raise
    file = str(Path(source).with_name(main.file))
    return main.name, ((source, file),) if file != source and file not in submission.sources else ()


def _places(
    submission: Submission,
    language: Installed,
    inside: Inside,
    renamed: Mapping[str, str],
    main: str,
    libraries: Sequence[Library],
) -> Places:
    sources = [renamed.get(source, source) for source in submission.sources]
    compiled = [source for source in sources if language.toolchain.is_source(source)] or sources[:1]
    return Places(
        f"{inside.folder}/{sources[0]}",
        [f"{inside.folder}/{source}" for source in compiled],
        inside.folder,
        inside.home,
        inside.memory_mib,
        main,
        libraries,
    )
