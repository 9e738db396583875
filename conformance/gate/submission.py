"""A submission: one source, or a folder or an archive with one, taken into a folder of the gate's own.

Law: what is not as the contest asks is `Refused`, with the requirement that it breaks; what the machine cannot do is
`IntakeTrouble`. Everything is decided on the bytes in memory before the first of them is written.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from pdcheck.conformance.gate import archive, entries, toolchains
from pdcheck.conformance.gate.entries import Caps, Entry
from pdcheck.conformance.gate.names import shown
from pdcheck.conformance.gate.refusal import IntakeTrouble, Refused, Unfit, listed
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import Upload

Kind = Literal["file", "folder", "archive"]

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make looks for them."""
SETTINGS = "pdcheck.toml"
MAIN = re.compile(r"(bot|main|[Pp]rogram)\.\w+", re.IGNORECASE)
"""What the main one of several sources is called."""
USER = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,31}")
NOT_TAKEN_ALONG = frozenset(
    {".git", ".hg", ".svn", ".vscode", ".idea", ".vs", "__MACOSX", "__pycache__", ".pdcheck", ".pytest_cache"}
    | {
        ".DS_Store",
        "Thumbs.db",
        "desktop.ini",
        ".gitignore",
        ".gitattributes",
        ".editorconfig",
        ".clang-format",
    }
)
"""Files and folders that tools leave about; neither looked into nor counted."""
_PAPERS = re.compile(
    r"(readme|licen[cs]e|copying|notice|changelog|authors)(\.\w+)?|.*\.(md|rst|adoc)", re.IGNORECASE
)
"""What is for people to read: left out."""
_BINARY_HEADS = (b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\x00asm", b"%PDF")
_MOST_SETTINGS = 1 << 16


@dataclass(frozen=True, slots=True)
class Submission:
    """What was handed in, as it lies in `folder`; all paths are relative to that."""

    kind: Kind
    name: str
    """The upload's, safe to be told."""
    language: str
    """The short name of the main source's language."""
    chosen: tuple[toolchains.Toolchain, ...]
    """The toolchains for it, the preferred one first."""
    sources: tuple[str, ...]
    """The main one first; headers, too."""
    data: tuple[str, ...]
    makefile: str
    """"" without one."""
    run: tuple[str, ...]
    """How its `pdcheck.toml` says that it is started; () where it does not."""
    left_out: tuple[str, ...]
    folder: Path
    sha256: str
    source_bytes: int
    """Of all sources, the Makefile and the settings."""
    data_bytes: int

    @property
    def source(self) -> str:
        """The main source."""
        return self.sources[0]


def read_submission(
    path: Path,
    upload: Upload,
    into: Path,
    *,
    user: str | None = None,
    language: str = "",
    caps: Caps | None = None,
) -> Submission:
    """Take the upload at `path` into the existing empty folder `into`; `language` is what `--language` says.

    Raises Refused for what is not as `upload` asks, UsageError for no file of that name or an unknown language,
    IntakeTrouble for what the machine cannot do.
    """
    try:
        if user is not None and upload.user_requirement:
            check_user(user, upload)
        chosen = toolchains.named(language) if language else ()
        kind, found = _found(path, caps or Caps())
        parts = _Parts(found, upload, chosen, alone=kind == "file")
    except Refused:
        raise
    except Unfit as unfit:
        raise Refused(upload.source_requirement, unfit.code, **unfit.details) from None
    entries.lay(parts.kept, into)
    return Submission(
        kind,
        shown(path.name),
        parts.chosen[0].language,
        parts.chosen,
        tuple(entry.path for entry in parts.sources),
        tuple(entry.path for entry in parts.data),
        parts.makefile,
        parts.run,
        tuple(shown(name) for name in parts.left_out),
        into,
        _sha256(parts.kept),
        _size(parts.counted),
        _size(parts.data),
    )


def check_user(user: str, upload: Upload) -> None:
    """Raises Refused for an ID that is not of the contest's form."""
    if not USER.fullmatch(user):
        raise Refused(upload.user_requirement, "user-id", user=shown(user))


def _found(path: Path, caps: Caps) -> tuple[Kind, list[Entry]]:
    """The upload's kind and files."""
    try:
        mode = os.stat(path, follow_symlinks=False).st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise IntakeTrouble(f"the upload cannot be read: {error.strerror}") from error
    if stat.S_ISDIR(mode):
        return "folder", entries.read_folder(path, caps, _skip)
    one = entries.read_file(path, caps.upload)
    if archive.is_archive(one.data, one.path):
        return "archive", _without_top(archive.unpack(one.data, caps, _skip))
    return "file", [one]


def _skip(name: str) -> bool:
    return name in NOT_TAKEN_ALONG or name.startswith("._")


def _without_top(found: Sequence[Entry]) -> list[Entry]:
    """Many archives hold one folder with everything in it."""
    tops = {entry.path.partition("/")[0] for entry in found}
    if len(tops) != 1 or any("/" not in entry.path for entry in found):
        return list(found)
    return [entry._replace(path=entry.path.partition("/")[2]) for entry in found]


class _Parts:
    """What each file of an upload is. Raises Unfit for what is not as the contest asks."""

    def __init__(
        self,
        found: Sequence[Entry],
        upload: Upload,
        chosen: tuple[toolchains.Toolchain, ...],
        *,
        alone: bool,
    ) -> None:
        self.makefile = "" if alone else next((n for n in MAKEFILES if any(e.path == n for e in found)), "")
        settings = [entry for entry in found if entry.path == SETTINGS and not alone]
        self.run = _run_line(settings[0]) if settings else ()
        own = [entry for entry in found if alone or entry.path not in (*MAKEFILES, SETTINGS)]
        self.left_out = [entry.path for entry in own if not alone and _is_paper(entry.path)]
        own = [entry for entry in own if entry.path not in self.left_out]
        if upload.libraries_requirement and not alone:
            bundled = [e.path for e in own if any(one.bundles(e.path) for one in toolchains.table().values())]
            self.left_out += bundled
            own = [entry for entry in own if entry.path not in bundled]
        sources = own if alone else [entry for entry in own if _is_source(entry, chosen)]
        self.data = [entry for entry in own if entry not in sources]
        if self.data and not sources:
            raise Unfit("unknown-language", name=shown(self.data[0].path))
        self.chosen, main = _main(sources, upload, chosen, unbuilt=not (self.makefile or self.run))
        self.sources = [main, *(entry for entry in sources if entry is not main)]
        if alone and not self.chosen[0].is_source(main.path):
            self.sources = [main._replace(path=main.path + self.chosen[0].extensions[0])]
        built_by = [entry for entry in found if entry.path == self.makefile and not alone]
        self.counted = [*self.sources, *built_by, *settings]
        self.kept = sorted([*self.counted, *self.data])
        self._check(upload)

    def _check(self, upload: Upload) -> None:
        for entry in self.counted:
            _check_text(entry)
        if (size := _size(self.counted)) > upload.source_bytes:
            raise Unfit("source-too-big", bytes=size, limit=upload.source_bytes)
        if self.data and not upload.data_bytes:
            raise Unfit("no-data-files", names=listed([shown(entry.path) for entry in self.data]))
        if (size := _size(self.data)) > upload.data_bytes:
            raise Unfit("data-too-big", bytes=size, limit=upload.data_bytes)


def _main(
    sources: Sequence[Entry], upload: Upload, chosen: tuple[toolchains.Toolchain, ...], *, unbuilt: bool
) -> tuple[tuple[toolchains.Toolchain, ...], Entry]:
    """The main source and its toolchains; `unbuilt`: nothing else says how it is built or run."""
    if not sources:
        raise Unfit("no-source")
    names = listed([shown(entry.path) for entry in sources])
    if upload.one_source and len(sources) > 1:
        raise Unfit("several-sources", names=names)
    known = [entry for entry in sources if chosen or toolchains.language_of(entry.path, entry.data)]
    if not known:
        raise Unfit("unknown-language", name=shown(sources[0].path))
    mains = [entry for entry in known if _can_be_main(entry, chosen)] or known
    named = [entry for entry in mains if MAIN.fullmatch(PurePosixPath(entry.path).name)]
    if len(mains) > 1 and len(named) != 1 and unbuilt:
        raise Unfit("unclear-source", names=names)
    main = (named if len(named) == 1 else mains)[0]
    return chosen or toolchains.of_language(toolchains.language_of(main.path, main.data)), main


def _can_be_main(entry: Entry, chosen: tuple[toolchains.Toolchain, ...]) -> bool:
    return any(one.is_source(entry.path) for one in chosen or toolchains.table().values())


def _is_source(entry: Entry, chosen: tuple[toolchains.Toolchain, ...]) -> bool:
    if any(entry.path.endswith((*one.extensions, *one.headers)) for one in chosen):
        return True
    extension = PurePosixPath(entry.path).suffix
    if not extension:
        return bool(toolchains.language_of(entry.path, entry.data))
    return bool({extension, extension.lower()} & toolchains.source_extensions())


def _is_paper(path: str) -> bool:
    return _PAPERS.fullmatch(PurePosixPath(path).name) is not None


def _check_text(entry: Entry) -> None:
    if not entry.data.strip():
        raise Unfit("empty", name=shown(entry.path))
    if b"\0" in entry.data or entry.data.startswith(_BINARY_HEADS):
        raise Unfit("not-text", name=shown(entry.path))


def _run_line(settings: Entry) -> tuple[str, ...]:
    """The `run` of a pdcheck.toml: a list, or a line as for a shell. Everything else in it is for other commands."""
    refused = Unfit("settings", name=settings.path)
    if len(settings.data) > _MOST_SETTINGS:
        raise refused
    try:
        run = tomllib.loads(settings.data.decode()).get("run", [])
        words = shlex.split(run) if isinstance(run, str) else run
    except (ValueError, RecursionError):
        raise refused from None
    good = isinstance(words, list) and all(isinstance(word, str) and "\0" not in word for word in words)
    if not good or (words and not words[0]):
        raise refused
    return tuple(words)


def _size(of: Iterable[Entry]) -> int:
    return sum(len(entry.data) for entry in of)


def _sha256(kept: Sequence[Entry]) -> str:
    """Of the names, modes and bytes of all files that are kept: however they came."""
    whole = hashlib.sha256()
    for entry in kept:
        name = entry.path.encode()
        whole.update(b"%d %d %d\n%b" % (len(name), entry.executable, len(entry.data), name))
        whole.update(entry.data)
    return whole.hexdigest()
