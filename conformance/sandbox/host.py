"""What every program needs of the host: its system folders, found as they are here.

Law: only looks. Nothing of /etc comes inside but what the loader and links to programs need: no user, no host, no key.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from functools import cache

from pdcheck.conformance.sandbox import WallsError
from pdcheck.conformance.sandbox.walls import Bind, Limits, Link, Walls

FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
PATH = "/usr/local/bin:/usr/bin:/bin"
FILES = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")


@cache
def system() -> tuple[tuple[Bind, ...], tuple[Link, ...]]:
    """The folders of programs and libraries: bound, or linked as they are on the host."""
    binds, links = [], []
    for path in (*FOLDERS, *FILES):
        if os.path.islink(path):
            links.append(Link(path, os.readlink(path)))
        elif os.path.exists(path):
            binds.append(Bind(path, path))
    return tuple(binds), tuple(links)


@cache
def interpreter() -> str:
    """A Python that is inside, too, for what the kit itself runs there. Raises WallsError when there is none."""
    own = os.path.realpath(sys.executable)
    found = own if own.startswith("/usr/") else shutil.which("python3", path=PATH)
    if found is None:
        raise WallsError("the walls cannot be tried: there is no python3 in /usr")
    return found


def walls(
    *binds: Bind, runtime: Iterable[str] = (), limits: Limits | None = None, folder: str = "/tmp"
) -> Walls:
    """Walls with the system inside, the folders of a `runtime` that lie elsewhere (if they are here), and `binds`."""
    own, links = system()
    more = tuple(
        Bind(path, path) for path in runtime if os.path.exists(path) and not path.startswith("/usr/")
    )
    return Walls((*own, *more, *binds), links, limits or Limits(), folder)
