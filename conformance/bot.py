"""The bot under test: how its command is read, and how it is started as its contest would.

Law: an existing path is taken as it is; what cannot be executed is a usage error said in one line. The bot sees only
PATH, LANG, a fresh HOME, TMPDIR and its runtime's own homes, and what `--env` adds: variables such as
PYTHONUNBUFFERED would hide faults.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pdcheck.conformance.transports.process import Launch
from pdcheck.conformance.usage import UsageError

INTERPRETERS: Mapping[str, tuple[str, ...]] = {
    ".py": ("python3",),
    ".js": ("node",),
    ".mjs": ("node",),
    ".java": ("java",),
    ".jar": ("java", "-jar"),
    ".rb": ("ruby",),
    ".pl": ("perl",),
    ".php": ("php",),
    ".lua": ("lua",),
    ".sh": ("sh",),
    ".exe": ("mono",),
}
_INTERPRETER_NAMES = {
    "python",
    "perl",
    "bash",
    *(words[0].rstrip("0123456789.") for words in INTERPRETERS.values()),
}
PASSED_ON = (
    "TMPDIR",
    "JAVA_HOME",
    "DOTNET_ROOT",
    "GOROOT",
    "NODE_PATH",
    "PYENV_ROOT",
    "RUSTUP_HOME",
    "CARGO_HOME",
)


@dataclass(frozen=True, slots=True)
class Bot:
    """A command that can be started, with what is told of it."""

    command: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    sha256: str | None
    note: str = ""

    @property
    def shown(self) -> str:
        """The command as one would type it where the kit runs; where the bot's folder is another one (`--cwd`), in
        full, for there it is read."""
        here = self.folder == os.path.realpath(os.curdir)
        return shlex.join(map(_from_here, self.command) if here else self.command)

    def launch(
        self, home: str, *, changes: Mapping[str, str | None] | None = None, folder: str | None = None
    ) -> Launch:
        """How to start it with a fresh `home`; `changes` set or (None) unset variables, `folder` moves it."""
        environment = dict(self.environment) | {"HOME": home}
        for name, value in (changes or {}).items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value
        command = self.command
        if folder is not None:
            command = tuple(self._absolute(part) for part in command)
        return Launch(command, environment, folder or self.folder)

    def _absolute(self, part: str) -> str:
        there = Path(self.folder, part)
        return str(there.resolve()) if not part.startswith("-") and there.exists() else part


def _from_here(part: str) -> str:
    """A path below the kit's own folder as seen from there, anything else as it is."""
    below = os.path.join(os.getcwd(), "")
    return f"./{part.removeprefix(below)}" if below != "/" and part.startswith(below) else part


def read_bot(words: Sequence[str], *, folder: str = ".", extra: Sequence[str] = ()) -> Bot:
    """The bot of a command line: `words` as given after the options, `extra` the `--env` values.

    Raises UsageError when there is no such program, or it cannot be executed.
    """
    if not words or not words[0].strip():
        raise UsageError("no bot given: pdcheck [OPTIONS] BOT [ARG…]")
    place = Path(folder)
    if not place.is_dir():
        raise UsageError(f"--cwd {folder}: no such folder")
    first, rest = words[0], list(words[1:])
    if not Path(folder, first).exists() and not rest and any(map(str.isspace, first)):
        try:
            first, *rest = shlex.split(first)
        except ValueError as error:
            raise UsageError(f"the bot's command {first!r}: {error}") from None
    environment = _environment(extra)
    program, note = _program(first, place, environment["PATH"])
    command = (*program, *rest)
    return Bot(command, str(place.resolve()), environment, _sha256(first, program, rest, place), note)


def _program(first: str, place: Path, path: str) -> tuple[tuple[str, ...], str]:
    there = place / first
    if there.is_dir():
        raise UsageError(f"{first} is a folder, not a bot: name its program")
    if not there.exists():
        found = None if os.sep in first else shutil.which(first, path=path)
        if found is None:
            raise UsageError(f"{first}: no such program" + (" in PATH" if os.sep not in first else ""))
        return (found,), ""
    full = (
        str(there.resolve(strict=True).parent / there.name) if os.sep not in first else str(there.absolute())
    )
    head = there.read_bytes()[:4] if there.is_file() and os.access(there, os.R_OK) else b""
    runs = os.access(there, os.X_OK)
    if runs and head[:2] == b"#!":
        _find_interpreter(first, there)
    if runs and (head[:2] == b"#!" or there.suffix not in INTERPRETERS or head == b"\x7fELF"):
        return (full,), ""
    interpreter = INTERPRETERS.get(there.suffix)
    if interpreter is None:
        raise UsageError(f"{first} cannot be executed: it has no run bit (chmod +x {first})")
    if shutil.which(interpreter[0], path=path) is None:
        raise UsageError(f"{first} needs {interpreter[0]}, which is not installed")
    lacks = "shebang line" if runs else "run bit"
    return (*interpreter, full), f"{first} has no {lacks}; started with {' '.join(interpreter)}"


def _find_interpreter(first: str, script: Path) -> None:
    """The system calls a script without its interpreter "not found", which would puzzle anybody."""
    with script.open("rb") as file:
        line = file.readline(256)[2:].rstrip(b"\n").lstrip(b" \t")
    interpreter = os.fsdecode(line.replace(b"\t", b" ").partition(b" ")[0])
    if Path(interpreter).is_absolute() and not os.access(interpreter, os.X_OK):
        raise UsageError(f"{first} cannot be executed: there is no interpreter {interpreter!r}")


def _environment(extra: Sequence[str]) -> dict[str, str]:
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    environment |= {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    for item in extra:
        name, given, value = item.partition("=")
        if not name or (not given and name not in os.environ):
            raise UsageError(f"--env {item}: NAME=VALUE, or the NAME of a variable that is set")
        environment[name] = value if given else os.environ[name]
    return environment


def _sha256(first: str, program: Sequence[str], rest: Sequence[str], place: Path) -> str | None:
    """The hash of the file that is the bot: the program named, or, where that is an interpreter, the first argument
    that is a file."""
    interprets = Path(first).name.rstrip("0123456789.") in _INTERPRETER_NAMES
    named = (*rest, first, program[-1]) if interprets else (first, program[-1])
    for part in named:
        file = place / part
        if not part.startswith("-") and file.is_file():
            return hashlib.sha256(file.read_bytes()).hexdigest()
    return None
