"""A claim: the right of one process to work on one folder, whichever machine it is on.

Law: who holds the lock of a folder's file `claim` has the claim, and only while that file is still in that folder.
The kernel takes the lock back when the process ends, however it ends, so a killed holder blocks nobody. A holder that
is stopped, or whose machine is gone, still has its lock: a claim that was not confirmed for long may be ended by
renaming the folder. Therefore every step of a holder names the folder by its path: after a renaming it fails.

Locks are flock's. On Linux they also hold between machines on NFS (version 4, or 3 with its lock daemon), where the
server sees them as locks of the whole file; a dead machine's go with its lease (4) or when the server is told (3),
and renaming helps before. Mounted with `nolock` or `local_lock=flock`, each machine sees its own locks only: two may
then judge one submission, and the renames still let only one of them go on.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

FILE = "claim"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
"""For writing: NFS wants that of a file that is locked. Closed at exec: no child may keep a lock of its parent's."""


class Claim:
    """A claim that is held until it is released."""

    def __init__(self, file: int, folder: Path) -> None:
        self._file = file
        self.folder = folder
        self.confirm()

    def confirm(self) -> None:
        """Say that the holder is still at work: others see the file's time change."""
        with contextlib.suppress(OSError):
            os.utime(self._file)

    def moved(self, folder: Path) -> None:
        """The folder has been renamed by the holder; the claim goes with it."""
        self.folder = folder

    def holds(self) -> bool:
        """Whether the folder is still the holder's."""
        return _is(self._file, self.folder / FILE)

    def release(self) -> None:
        """Let others have it; again is nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def claim(folder: Path) -> Claim | None:
    """The claim on a folder; None when another has it, or when there is no such folder (any more). Raises OSError
    where there are no locks."""
    try:
        file = os.open(folder / FILE, _FLAGS, 0o600)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # NFS may say either
        os.close(file)
        return None
    except BaseException:
        os.close(file)
        raise
    # Between the two the one before may have renamed or removed the folder.
    if not _is(file, folder / FILE):
        os.close(file)
        return None
    return Claim(file, folder)


def _is(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.lstat(path))
    except OSError:
        return False


class Patience:
    """How long others' claims have not been confirmed, by this process's own clock: no two machines' need agree."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._seen: dict[Path, tuple[tuple[int, int], float]] = {}

    def is_over(self, folder: Path) -> bool:
        """Whether the claim on it, which another has, was looked at for so long and never confirmed meanwhile."""
        try:
            there = os.lstat(folder / FILE)
        except OSError:
            return False
        state, now = (there.st_ino, there.st_mtime_ns), self._clock()
        before, since = self._seen.get(folder, (None, now))
        if before != state:
            since = now
        self._seen[folder] = state, since
        return now - since > self._seconds

    def only(self, folders: Iterable[Path]) -> None:
        """Forget all others."""
        kept = set(folders)
        self._seen = {folder: seen for folder, seen in self._seen.items() if folder in kept}
