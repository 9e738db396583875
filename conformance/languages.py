"""Which language a bot is written in, and how that language does what bots most often get wrong.

Law: the table is `idioms.toml`; a guess is only ever used to word advice, so "" (no guess) is always allowed.
"""

from __future__ import annotations

import mmap
import os
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pdcheck.conformance.files import opened

HEAD = 256
SEARCHED = 1 << 26
"""Bytes of a compiled program that are searched for markers."""
IDIOM_OF = {
    "IO-3": "flush",
    "IO-4": "flush",
    "IO-7": "line",
    "IO-8": "line",
    "IO-9": "eof",
    "IO-10": "eof",
}
"""Requirement → the idiom that its fix ends with."""
_WRAPPERS = frozenset({"env", "nice", "time", "timeout", "stdbuf", "unbuffer", "exec", "setsid", "sudo"})
"""Programs that only start another one."""


@dataclass(frozen=True, slots=True)
class Language:
    """A row of `idioms.toml`; `flush`, `line` and `eof` complete "in NAME: …"."""

    name: str
    extensions: tuple[str, ...]
    programs: tuple[str, ...]
    markers: tuple[bytes, ...]
    inside: str
    flush: str
    line: str
    eof: str


@cache
def table() -> Mapping[str, Language]:
    """All languages by their short names, in the order in which they are tried."""
    text = files("pdcheck.conformance").joinpath("idioms.toml").read_text("utf-8")
    return {
        key: Language(
            row["name"],
            tuple(row["extensions"]),
            tuple(row["programs"]),
            tuple(marker.encode() for marker in row.get("markers", ())),
            row.get("inside", ""),
            row["flush"],
            row["line"],
            row["eof"],
        )
        for key, row in tomllib.loads(text).items()
    }


def fix(general: str, requirement: str, language: str, kind: str = "") -> str:
    """A requirement's general advice, ended with the idiom (`flush`, `line`, `eof`; by default the requirement's own)
    of the bot's language, where both are known."""
    known, kind = table().get(language), kind or IDIOM_OF.get(requirement, "")
    return f"{general}\nin {known.name}: {getattr(known, kind)}" if known and kind else general


def of_program(name: str) -> str:
    """The language that a program of this name runs; "" for one that is no interpreter."""
    bare = name.rstrip("0123456789.-")
    for key, language in table().items():
        if name in language.programs or bare in language.programs:
            return key
    return ""


@cache
def guess(command: Sequence[str], folder: str = ".") -> str:
    """The language of the bot that this command starts, by its file's extension, its first line, the interpreter, or
    what is in the compiled program; "" when nothing tells."""
    words = [word for word in command if os.path.basename(word) not in _WRAPPERS and "=" not in word]
    first = words[0] if words else ""
    runs = of_program(os.path.basename(first))
    if not runs:
        return of_file(Path(folder, first))
    for word in words[1:]:
        there = Path(folder, word)
        if not word.startswith("-") and there.is_file():
            return of_file(there) or runs
    return runs


def of_file(path: Path) -> str:
    """The language of a bot's file; "" when nothing tells."""
    try:
        with opened(path) as file:
            head = file.read(HEAD)
            if head[:2] == b"#!":
                return _by_extension(path) or _by_shebang(head)
            if head[:4] == b"\x7fELF":
                return _by_markers(file.fileno())
    except (OSError, ValueError):
        return ""
    return _by_members(path) or _by_extension(path)


def _by_extension(path: Path) -> str:
    found = (key for key, language in table().items() if path.suffix and path.suffix in language.extensions)
    return next(found, "")


def _by_shebang(head: bytes) -> str:
    words = head[2:].partition(b"\n")[0].decode("utf-8", "replace").split()
    names = [os.path.basename(word) for word in words if not word.startswith("-") and "=" not in word]
    return next((of_program(name) for name in names if name not in _WRAPPERS), "")


def _by_markers(fd: int) -> str:
    size = min(os.fstat(fd).st_size, SEARCHED)
    with mmap.mmap(fd, size, access=mmap.ACCESS_READ) as program:
        for key, language in table().items():
            if any(program.find(marker) >= 0 for marker in language.markers):
                return key
    return ""


def _by_members(path: Path) -> str:
    """What a .jar holds beside classes of its own: the library of a language that runs on Java."""
    if path.suffix != ".jar":
        return ""
    try:
        with zipfile.ZipFile(path) as jar:
            names = jar.namelist()
    except (OSError, zipfile.BadZipFile):
        return ""
    inside = {key: language.inside for key, language in table().items() if language.inside}
    return next((key for key, head in inside.items() if any(name.startswith(head) for name in names)), "")
