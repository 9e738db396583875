"""Languages and how their programs are built and run: the rows of `toolchains.toml`, and what of them is installed.

Law: what differs between languages is data; an unknown name, key or placeholder raises. Only `find` and `version` look
at the machine. A toolchain that is missing is the machine's trouble, a language that is not taken the submission's.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import string
import subprocess
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from pdcheck.conformance.gate.refusal import IntakeTrouble, Unfit
from pdcheck.conformance.usage import UsageError

TOOL_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where programs are looked for, and the PATH inside the walls: nobody's own folders."""
CORES = os.cpu_count() or 1
HEADERS = ("/usr/include", "/usr/local/include", f"/usr/include/{os.uname().machine}-linux-gnu")
"""Where the headers of libraries are."""
_PROBE_SECONDS = 30
_INTERPRETER = re.compile(rb"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?:\S*/)?([\w.+-]+)")


class MissingToolchain(IntakeTrouble):
    """A language that the gate takes and this machine cannot build or run; the message says what to install."""


class Library(NamedTuple):
    """A library that a source may ask for, and what it takes to build with it."""

    name: str
    includes: Sequence[str]
    """Patterns of what a source includes or imports to ask for it."""
    header: str = ""
    package: str = ""
    flags: Sequence[str] = ()
    links: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A row of the table, as `toolchains.toml` describes it."""

    key: str
    name: str
    programs: Mapping[str, Sequence[str]]
    packages: Sequence[str]
    version: Sequence[str]
    build: Sequence[str]
    run: Sequence[str] = ()
    language: str = ""
    aliases: Sequence[str] = ()
    extensions: Sequence[str] = ()
    headers: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    visible: Sequence[str] = ()
    build_etc: Sequence[str] = ()
    tasks: int = 1
    tasks_per_core: int = 0
    address_space: int = 0
    memory: Sequence[str] = ()
    bundled: Sequence[str] = ()
    library: Sequence[Library] = ()

    @property
    def most_tasks(self) -> int:
        """Threads and processes at once, on this machine, of a bot that makes none of its own."""
        return self.tasks + self.tasks_per_core * CORES

    def bundles(self, path: str) -> bool:
        """Whether a file beside the source is a copy of a listed library."""
        return any(re.fullmatch(pattern, path) for pattern in self.bundled)

    def is_source(self, path: str) -> bool:
        """Whether this can be a main source, or be compiled along with one."""
        return path.endswith(tuple(self.extensions))

    def wanted(self, included: Iterable[str]) -> Sequence[Library]:
        """The libraries that these includes ask for."""
        names = list(included)
        return [
            library
            for library in self.library
            if any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in library.includes)
        ]


class Unsupported(NamedTuple):
    """A language that is named and not taken."""

    key: str
    name: str
    aliases: Sequence[str] = ()
    extensions: Sequence[str] = ()
    shebangs: Sequence[str] = ()


class Places(NamedTuple):
    """What the placeholders stand for; paths are as they are seen inside the walls."""

    source: str
    sources: Sequence[str]
    out: str
    home: str
    memory_mib: int
    main: str = ""
    libraries: Sequence[Library] = ()


@dataclass(frozen=True, slots=True)
class Installed:
    """A toolchain that is there: the paths of its programs by their word."""

    toolchain: Toolchain
    programs: Mapping[str, str]

    def build(self, places: Places) -> tuple[str, ...]:
        """The command that builds; () where there is nothing to build."""
        return self._fill(self.toolchain.build, places)

    def run(self, places: Places) -> tuple[str, ...]:
        """The command that starts the bot."""
        return self._fill(self.toolchain.run, places)

    def environment(self, home: str) -> dict[str, str]:
        """The variables that its programs need, beside those of every bot."""
        return {name: value.format(home=home) for name, value in self.toolchain.environment.items()}

    def version(self) -> str:
        """What it says of its version, in one line. Raises MissingToolchain when it does not run."""
        words = [word.format(**self.programs) for word in self.toolchain.version]
        environment = {"PATH": TOOL_PATH, "LANG": "C.UTF-8", "HOME": "/nonexistent"}
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd="/",
                timeout=_PROBE_SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise MissingToolchain(f"{self.toolchain.name}: {words[0]} does not run: {error}") from None
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        return next((line.strip() for line in lines if line.strip()), "")

    def _fill(self, words: Sequence[str], places: Places) -> tuple[str, ...]:
        several = {
            "{sources}": places.sources,
            "{includes}": [flag for library in places.libraries for flag in library.flags],
            "{links}": [link for library in places.libraries for link in library.links],
            "{memory}": [word.format(memory_mib=places.memory_mib) for word in self.toolchain.memory],
        }
        single = {
            **self.programs,
            "source": places.source,
            "out": places.out,
            "home": places.home,
            "main": places.main,
            "memory_mib": places.memory_mib,
        }
        return tuple(filled for word in words for filled in several.get(word) or _one(word, several, single))


def _one(word: str, several: Mapping[str, Any], single: Mapping[str, Any]) -> Sequence[str]:
    return () if word in several else (word.format(**single),)


class _Table(NamedTuple):
    visible: Mapping[str, Sequence[str]]
    make: Toolchain
    toolchains: Mapping[str, Toolchain]
    unsupported: Mapping[str, Unsupported]


@cache
def _table() -> _Table:
    data = tomllib.loads(files("pdcheck.conformance.gate").joinpath("toolchains.toml").read_text("utf-8"))
    rows = data["toolchain"]
    return _Table(
        data["visible"],
        _toolchain("make", data["make"]),
        {key: _toolchain(key, row) for key, row in rows.items()},
        {key: Unsupported(key, **row) for key, row in data["unsupported"].items()},
    )


def _toolchain(key: str, row: Mapping[str, Any]) -> Toolchain:
    """Raises TypeError for an unknown key and KeyError for an unknown placeholder."""
    libraries = tuple(Library(**library) for library in row.get("library", ()))
    toolchain = Toolchain(key, **{**row, "library": libraries})
    known = {"source", "sources", "out", "home", "main", "memory", "memory_mib", "includes", "links"}
    for name in ("version", "build", "run"):
        for word in getattr(toolchain, name):
            for _, placeholder, _, _ in string.Formatter().parse(word):
                if placeholder and placeholder not in known | set(toolchain.programs):
                    raise KeyError(f"{key}: {name}: no placeholder {placeholder!r}")
    return toolchain


def table() -> Mapping[str, Toolchain]:
    """All toolchains by key, in the order in which they are tried."""
    return _table().toolchains


def unsupported() -> Mapping[str, Unsupported]:
    """The languages that are named as not taken."""
    return _table().unsupported


def maker() -> Toolchain:
    """What builds a submission that has a Makefile; it has no command to run: that is `{out}/bot`."""
    return _table().make


def always_visible(phase: str) -> Sequence[str]:
    """What is visible in every `build` or `run`, as patterns."""
    return _table().visible[phase]


def of_language(language: str) -> tuple[Toolchain, ...]:
    """The toolchains of one language (its short name), the preferred one first. Raises KeyError."""
    found = tuple(toolchain for toolchain in table().values() if toolchain.language == language)
    if not found:
        raise KeyError(f"no language {language!r}")
    return found


def named(word: str) -> tuple[Toolchain, ...]:
    """The toolchains that `--language` means: a language's, or one by name. Raises UsageError for an unknown name,
    Unfit for a language that is not taken."""
    asked = word.strip().lower()
    for row in unsupported().values():
        if asked in (row.key, *row.aliases, row.name.lower()):
            raise Unfit("unsupported-language", language=row.name)
    toolchains = table().values()
    by_language = tuple(one for one in toolchains if one.language == asked)
    by_name = tuple(one for one in toolchains if asked in (one.key, *one.aliases, one.name.lower()))
    if not (by_language or by_name):
        raise UsageError(f"--language {word}: no such language (there are: {', '.join(table())})")
    return by_language or by_name


def language_of(path: str, data: bytes) -> str:
    """The short name of a source's language, by its extension or, without one, its first line; "" when neither
    tells. Raises Unfit for a language that is not taken."""
    shebang = _INTERPRETER.match(data[:256])
    interpreter = shebang[1].decode() if shebang else ""
    extension = os.path.splitext(path)[1]
    for row in unsupported().values():
        if interpreter in row.shebangs or (extension and extension.lower() in row.extensions):
            raise Unfit("unsupported-language", language=row.name)
    for fold in (str, str.lower):
        for toolchain in table().values():
            if extension and fold(extension) in toolchain.extensions:
                return toolchain.language
    bare = interpreter.rstrip("0123456789.-")
    if extension or not interpreter:
        return ""
    for toolchain in table().values():
        names = {name for choices in toolchain.programs.values() for name in choices}
        if {interpreter, bare} & {*names, *toolchain.aliases, toolchain.key}:
            return toolchain.language
    return ""


@cache
def source_extensions() -> frozenset[str]:
    """The extensions of all sources and headers; for a language that is not taken, too."""
    taken = (one for toolchain in table().values() for one in (*toolchain.extensions, *toolchain.headers))
    return frozenset([*taken, *(one for row in unsupported().values() for one in row.extensions)])


def find(choices: Sequence[Toolchain], *, path: str = TOOL_PATH) -> Installed:
    """The first of these that is installed. Raises MissingToolchain, which says what is missing of each."""
    missing = []
    for toolchain in choices:
        paths = {word: _which(names, path) for word, names in toolchain.programs.items()}
        if None not in paths.values():
            return Installed(toolchain, {word: there for word, there in paths.items() if there is not None})
        absent = [toolchain.programs[word][0] for word, there in paths.items() if there is None]
        hint = f" (Debian: apt-get install {' '.join(toolchain.packages)})" if toolchain.packages else ""
        missing.append(f"{toolchain.name} needs {', '.join(absent)}{hint}")
    raise MissingToolchain("not installed: " + "; ".join(missing))


def missing_libraries(libraries: Iterable[Library], *, folders: Sequence[str] = ()) -> Sequence[Library]:
    """Those of the libraries whose headers are not on this machine: the submission would fail for no fault of its
    own. `folders`: where headers are, instead of the usual ones."""
    where = folders or HEADERS
    return [
        library
        for library in libraries
        if library.header and not any(os.path.exists(os.path.join(there, library.header)) for there in where)
    ]


def _which(names: Sequence[str], path: str) -> str | None:
    return next((there for name in names if (there := shutil.which(name, path=path))), None)
