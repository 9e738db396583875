"""The files of an upload, in memory: read from the file system without following anything, and laid into a folder.

Law: what is judged are the bytes read here once; whatever happens to the upload afterwards, or meanwhile, changes
nothing. Every size is counted while reading, never believed. A link, a device, a FIFO or a socket is refused.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from pdcheck.conformance.gate.names import DEEPEST, Taken, checked, shown
from pdcheck.conformance.gate.refusal import IntakeTrouble, Unfit

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""Not blocking, so that a FIFO is opened and then seen to be one."""
_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_CHUNK = 1 << 18

Skip = Callable[[str], bool]
"""Whether a file or folder of this name is left out, with all that is in it."""


class Caps(NamedTuple):
    """How much an upload may be, whatever the contest asks."""

    upload: int = 16 << 20
    """Bytes of an archive."""
    unpacked: int = 16 << 20
    """Bytes of all files together."""
    files: int = 1000


class Entry(NamedTuple):
    """One file of an upload."""

    path: str
    data: bytes
    executable: bool = False


class Found:
    """The files of one upload as they come, counted. Raises Unfit for one too many, too large, or of a bad name."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.entries: list[Entry] = []
        self._names = Taken()
        self._seen = 0
        self._bytes = 0

    @property
    def room(self) -> int:
        """How many bytes may still come."""
        return self.caps.unpacked - self._bytes

    def see(self) -> None:
        """One more thing of any kind."""
        self._seen += 1
        if self._seen > self.caps.files:
            raise Unfit("too-many-files", limit=self.caps.files)

    def add(self, path: str, data: bytes, *, executable: bool) -> None:
        """One more file, by its checked path."""
        self._names.add(path)
        self._bytes += len(data)
        if self._bytes > self.caps.unpacked:
            raise Unfit("unpacked-too-big", limit=self.caps.unpacked)
        self.entries.append(Entry(path, data, executable))


def read_file(path: Path, limit: int) -> Entry:
    """A single file by its own name. Raises Unfit, or IntakeTrouble when it cannot be read."""
    name = os.fsencode(path.name)
    try:
        fd = _opened(str(path), None, _FILE, name)
        with os.fdopen(fd, "rb", buffering=0) as file:
            mode = _regular(file.fileno(), name).st_mode
            data = _read(file.fileno(), limit + 1)
    except OSError as error:
        raise IntakeTrouble(f"the upload cannot be read: {error.strerror}") from error
    if len(data) > limit:
        raise Unfit("upload-too-big", limit=limit)
    return Entry(checked(name), data, bool(mode & stat.S_IXUSR))


def read_folder(path: Path, caps: Caps, skip: Skip) -> list[Entry]:
    """All files below a folder but those left out, sorted by path. Raises Unfit, or IntakeTrouble when it cannot be
    read."""
    found = Found(caps)
    try:
        top = _opened(str(path), None, _FOLDER, os.fsencode(path.name))
        _walk(top, b"", found, skip, 0)
    except OSError as error:
        raise IntakeTrouble(f"the upload cannot be read: {error.strerror}") from error
    return sorted(found.entries)


def lay(entries: Iterable[Entry], folder: Path) -> None:
    """Write them into an existing empty folder of the gate's own. Raises IntakeTrouble."""
    try:
        for entry in entries:
            there = folder / entry.path
            _make_folder(there.parent, folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(there, flags, 0o600), "wb") as file:
                file.write(entry.data)
                # Whatever the umask: who builds and runs it is another user.
                os.fchmod(file.fileno(), 0o755 if entry.executable else 0o644)
    except OSError as error:
        raise IntakeTrouble(f"the submission cannot be kept: {error.strerror}") from error


def _make_folder(there: Path, top: Path) -> None:
    if there != top and not there.is_dir():
        _make_folder(there.parent, top)
        there.mkdir()
        there.chmod(0o755)


def _walk(fd: int, prefix: bytes, found: Found, skip: Skip, depth: int) -> None:
    """Takes `fd` over. Everything is opened relative to it, so that a folder moved meanwhile leads nowhere else."""
    with ExitStack() as stack:
        stack.callback(os.close, fd)
        with os.scandir(fd) as listing:
            names = []
            for entry in listing:
                if not skip(entry.name):
                    found.see()
                    names.append(os.fsencode(entry.name))
        for name in sorted(names):
            path = prefix + name
            kind = os.stat(name, dir_fd=fd, follow_symlinks=False)
            if not stat.S_ISDIR(kind.st_mode):
                _take(name, fd, path, found)
            elif depth >= DEEPEST:
                raise Unfit("name-too-long", name=shown(path))
            else:
                checked(path)
                _walk(_opened(name, fd, _FOLDER, path), path + b"/", found, skip, depth + 1)


def _take(name: bytes, fd: int, path: bytes, found: Found) -> None:
    with os.fdopen(_opened(name, fd, _FILE, path), "rb", buffering=0) as file:
        kind = _regular(file.fileno(), path)
        if kind.st_nlink > 1:  # it may be anybody's file
            raise Unfit("link", name=shown(path))
        data = _read(file.fileno(), found.room + 1)
    found.add(checked(path), data, executable=bool(kind.st_mode & stat.S_IXUSR))


def _opened(name: str | bytes, fd: int | None, flags: int, told: bytes) -> int:
    """Looked at first, as opening alone has effects on some devices; whatever it becomes after that is not followed,
    and looked at once more when it is open."""
    _refuse_special(os.stat(name, dir_fd=fd, follow_symlinks=False), told)
    return os.open(name, flags, dir_fd=fd)


def _regular(fd: int, path: bytes) -> os.stat_result:
    kind = os.fstat(fd)
    _refuse_special(kind, path)
    return kind


def _refuse_special(kind: os.stat_result, path: bytes) -> None:
    if stat.S_ISLNK(kind.st_mode):
        raise Unfit("link", name=shown(path))
    if not (stat.S_ISREG(kind.st_mode) or stat.S_ISDIR(kind.st_mode)):
        raise Unfit("special-file", name=shown(path))


def _read(fd: int, most: int) -> bytes:
    parts: list[bytes] = []
    while most > 0 and (part := os.read(fd, min(most, _CHUNK))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)
