"""What a program inside can see and use.

Law: values only. Where they come from (which folders a runtime needs, what this machine has) is found elsewhere; how
they become walls, too. What is not named here is not inside.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

MIB = 1 << 20
TMP = "/tmp"
HOME = "/tmp/home"


class Bind(NamedTuple):
    """A file or folder of the host as it is seen inside."""

    source: str
    target: str
    writable: bool = False


class Link(NamedTuple):
    """A symbolic link inside."""

    path: str
    leads: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be used. None: no limit.

    `memory` (bytes) is of all processes together and needs a memory cgroup; `address_space` (bytes) is of each process,
    for where there is none: as much as `memory` by default, but some runtimes ask for more. `tasks`: processes and
    threads at once, the bot among them. `file_bytes`: of one file; `files`: descriptors of one process; `cpu`: seconds
    of one process.
    """

    memory: int | None = 1024 * MIB
    address_space: int | None = None
    tasks: int | None = 1
    file_bytes: int | None = 16 * MIB
    files: int | None = 256
    cpu: int | None = None


@dataclass(frozen=True, slots=True)
class Walls:
    """What is inside: `binds` and `links`, a /tmp, in it `home`; the program starts in `folder`.

    `tmp_bytes`: what may lie in /tmp at most; 0: nothing can be written to it. (Even empty files there take memory,
    which only a memory cgroup limits.)
    `leaves`: system calls that the filter does not deny (see `filter`), because a runtime needs them or the kit
    watches them.
    """

    binds: tuple[Bind, ...] = ()
    links: tuple[Link, ...] = ()
    limits: Limits = field(default_factory=Limits)
    folder: str = TMP
    home: str = HOME
    tmp_bytes: int = 16 * MIB
    leaves: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        paths = [*(bind.target for bind in self.binds), *(link.path for link in self.links), self.folder]
        for path in (*paths, self.home, *(bind.source for bind in self.binds)):
            if not os.path.isabs(path) or os.path.normpath(path) != path or "\0" in path:
                raise ValueError(f"{path!r} is no plain absolute path")
        if "/" in paths[:-1]:
            raise ValueError("the root is not to be bound: name the folders")
        if self.tmp_bytes < 0:
            raise ValueError("a /tmp of less than no bytes")

    def with_binds(self, *binds: Bind) -> Walls:
        """The same with more inside."""
        return replace(self, binds=(*self.binds, *binds))

    def environment(self, given: Mapping[str, str]) -> dict[str, str]:
        """The environment of a program that is started with `given`: temporary files have their place inside."""
        return {**given, "TMPDIR": TMP}

    def outside(self, path: str) -> str | None:
        """Where on the host that lies which is called `path` inside; None for what is only inside."""
        path = os.path.normpath(path)
        for link in self.links:
            if within(path, [link.path]):
                path = os.path.normpath(
                    os.path.join(os.path.dirname(link.path), link.leads) + path[len(link.path) :]
                )
        for bind in sorted(self.binds, key=lambda bind: len(bind.target), reverse=True):
            if within(path, [bind.target]):
                return bind.source + path[len(bind.target) :]
        return None


def within(path: str, places: Iterable[str]) -> bool:
    """Whether a path is one of these places, or lies in one."""
    return any(path == place or path.startswith(place.rstrip("/") + "/") for place in places)


def beyond(memory: int) -> int:
    """Where a wall of memory stands: far enough beyond what is allowed for the kit to see it exceeded before the kernel
    ends the bot for it."""
    return memory + memory // 2
