"""The walls as the command line of bubblewrap, which makes namespaces and mounts.

Law: pure but for `find`. Every namespace of the bot's own, no capability, no way to another user namespace; the root
is empty and read-only, so that nothing is writable but a /tmp of a fixed size and what is bound so.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pdcheck.conformance.sandbox import WallsError
from pdcheck.conformance.sandbox.walls import TMP, Walls

PROGRAM = "bwrap"
DEVICES = ("null", "zero", "full", "random", "urandom")
INSIDE = 1000
"""The user and group that a program inside takes itself for."""
_NAMESPACES = (
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--disable-userns",
)
_PAGE = 4096
_KEEPER = ("--size", str(_PAGE), "--tmpfs", "/proc/1", "--remount-ro", "/proc/1")
"""Hides bubblewrap's own process inside, whose memory a bot could write to and whose words tell of the host."""
_SELF = ("stdin", "stdout", "stderr")


class Lines(NamedTuple):
    """Descriptors between the kit and bubblewrap: it writes its `status`, waits for a byte on `gate` before the
    program starts, and reads the `filter`."""

    status: int
    gate: int
    filter: int


@cache
def find() -> str:
    """Where bubblewrap is. Raises WallsError when it is not."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise WallsError(f"there is no {PROGRAM} here (Debian package bubblewrap)")
    return found


@cache
def version() -> str:
    """What it says of its version. Raises WallsError when it is not there or does not run."""
    try:
        done = subprocess.run([find(), "--version"], capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        raise WallsError(f"{PROGRAM} does not run: {error}") from None
    return done.stdout.strip()


def argv(
    walls: Walls, command: Sequence[str], environment: Mapping[str, str], lines: Lines, program: str = PROGRAM
) -> list[str]:
    """The whole command line."""
    return [
        program,
        *_NAMESPACES,
        *("--uid", str(INSIDE), "--gid", str(INSIDE), "--hostname", "bot"),
        *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *_files(walls),
        *("--remount-ro", "/", "--chdir", walls.folder),
        "--clearenv",
        *(
            word
            for name, value in walls.environment(environment).items()
            for word in ("--setenv", name, value)
        ),
        *(
            "--json-status-fd",
            str(lines.status),
            "--block-fd",
            str(lines.gate),
            "--seccomp",
            str(lines.filter),
        ),
        "--",
        *command,
    ]


def _files(walls: Walls) -> Iterator[str]:
    for name in DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    for number, name in enumerate(_SELF):
        yield from ("--symlink", f"/proc/self/fd/{number}", f"/dev/{name}")
    yield from ("--symlink", "/proc/self/fd", "/dev/fd", "--proc", "/proc", *_KEEPER)
    yield from ("--size", str(walls.tmp_bytes or _PAGE), "--tmpfs", TMP, "--dir", walls.home)
    for link in walls.links:
        yield from ("--symlink", link.leads, link.path)
    # What lies deeper comes later: it would be hidden otherwise.
    for bind in sorted(walls.binds, key=lambda bind: bind.target.count("/")):
        yield from ("--bind" if bind.writable else "--ro-bind", bind.source, bind.target)
    if not walls.tmp_bytes:
        yield from ("--remount-ro", TMP)
