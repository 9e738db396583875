"""A memory cgroup for each bot, where this process may make one.

Law: what cannot be made or written is None, said once, never assumed. A group is removed when its last process has
gone; version 1 and version 2 differ only in the names of their files, which are a table.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

ROOT = "/sys/fs/cgroup"
PREFIX = "pdcheck-"
STALE = 60.0
"""Seconds after which an empty group is nobody's: one that is made for a bot has it within milliseconds."""


class Files(NamedTuple):
    """The files of one version: the `limit`, those of `swap` (name; value, or None for the limit), of kills; `threads`:
    by which single threads move, "" where they cannot."""

    limit: str
    swap: tuple[tuple[str, str | None], ...]
    kills: str
    further: tuple[tuple[str, str], ...] = ()
    threads: str = ""


FIRST = Files(
    "memory.limit_in_bytes", (("memory.memsw.limit_in_bytes", None),), "memory.oom_control", threads="tasks"
)
SECOND = Files("memory.max", (("memory.swap.max", "0"),), "memory.events", (("memory.oom.group", "1"),))


@dataclass(slots=True)
class Group:
    """One cgroup that was made here."""

    path: str
    files: Files
    home: str
    """Where this process itself belongs."""

    @contextlib.contextmanager
    def born_in(self) -> Iterator[bool]:
        """What this thread starts meanwhile is in it from the first moment on; whether that can be done here. To move
        another process stops all of the machine for milliseconds, a thread that moves itself does not."""
        if not self.files.threads:
            yield False
            return
        _write(os.path.join(self.path, self.files.threads), "0")
        try:
            yield True
        finally:
            _write(os.path.join(self.home, self.files.threads), "0")

    def add(self, pid: int) -> None:
        """Put a process in it, and so all that it starts. Raises OSError."""
        _write(os.path.join(self.path, "cgroup.procs"), str(pid))

    def kills(self) -> int:
        """How many of its processes the kernel ended for want of memory."""
        with (
            contextlib.suppress(OSError, ValueError),
            open(os.path.join(self.path, self.files.kills)) as file,
        ):
            for line in file:
                name, _, value = line.partition(" ")
                if name == "oom_kill":
                    return int(value)
        return 0

    def remove(self) -> bool:
        """Take it away; whether it is gone. It is not while a process is in it."""
        with contextlib.suppress(FileNotFoundError):
            try:
                os.rmdir(self.path)
            except OSError:
                return False
        return True


@dataclass(slots=True)
class Cgroups:
    """Where groups can be made, one level below `path`."""

    path: str
    files: Files
    home: str
    token: str = field(default_factory=lambda: f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}-")
    """How the names of all its groups begin, also of those that a worker makes which is killed."""
    _left: list[Group] = field(default_factory=list)

    def group(self, memory: int) -> Group:
        """A new one, with room for so many bytes. Raises OSError."""
        group = Group(os.path.join(self.path, self.token + secrets.token_hex(4)), self.files, self.home)
        os.mkdir(group.path)
        try:
            _write(os.path.join(group.path, self.files.limit), str(memory))
            for name, value in self.files.swap:
                with contextlib.suppress(OSError):  # where swap is not counted, there is no such file
                    _write(os.path.join(group.path, name), value or str(memory))
            for name, value in self.files.further:
                with contextlib.suppress(OSError):
                    _write(os.path.join(group.path, name), value)
        except BaseException:
            group.remove()
            raise
        return group

    def done(self, group: Group) -> None:
        """Remove it, now or with the next one that is done."""
        self._left = [left for left in (*self._left, group) if not left.remove()]

    def close(self) -> None:
        """Remove what is left of its own."""
        for name in _names(self.path):
            if name.startswith(self.token):
                Group(os.path.join(self.path, name), self.files, self.home).remove()

    def sweep(self) -> None:
        """Remove what a kit that was killed has left."""
        for name in _names(self.path):
            path = os.path.join(self.path, name)
            with contextlib.suppress(OSError):
                if name.startswith(PREFIX) and time.time() - os.stat(path).st_mtime > STALE:
                    Group(path, self.files, self.home).remove()  # one with a process in it stays


def _names(path: str) -> list[str]:
    with contextlib.suppress(OSError):
        return os.listdir(path)
    return []


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def find(root: str = ROOT, own: str = "/proc/self/cgroup") -> Cgroups | None:
    """The first place in which a group can be made and given a limit; None when there is none."""
    for path, files, home in _places(root, own):
        if files is SECOND:
            with contextlib.suppress(OSError):  # there already, or not to be had: the trial tells
                _write(os.path.join(path, "cgroup.subtree_control"), "+memory")
        found = Cgroups(path, files, home)
        try:
            trial = found.group(64 << 20)
            with trial.born_in():
                pass
        except OSError:
            continue
        if trial.remove():
            found.sweep()
            return found
    return None


def _places(root: str, own: str) -> Iterator[tuple[str, Files, str]]:
    """Own groups first, then those above them."""
    try:
        with open(own) as file:
            lines = [line.rstrip("\n").split(":", 2) for line in file]
    except OSError:
        return
    for _, controllers, path in lines:
        names = controllers.split(",")
        if "memory" in names:
            yield from _upwards(os.path.join(root, "memory"), path, FIRST)
        if controllers == "":
            for base in (root, os.path.join(root, "unified")):
                if os.path.exists(os.path.join(base, "cgroup.controllers")):
                    yield from _upwards(base, path, SECOND)


def _upwards(base: str, path: str, files: Files) -> Iterator[tuple[str, Files, str]]:
    home = os.path.normpath(base + "/" + path)
    while True:
        yield os.path.normpath(base + "/" + path), files, home
        if path in ("/", ""):
            return
        path = os.path.dirname(path)
