"""Which folders belong to a bot: its program's own, and its runtime's.

Law: found from every program that a bot's processes have run until its start-up was over, because only the file system
can tell, and only the last of them may be the bot itself; places only grow. What may be done there is said by the rules
in `pdcheck.conformance.conduct.rules`.
"""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pdcheck.conformance.watch.processes import Seen

PROGRAMS = ("bin", "sbin")
SIGNS = ("lib", "lib64", "jmods", "pyvenv.cfg")
"""What lies beside the folder of a runtime's programs."""
TOO_WIDE = frozenset({"/", "/etc", "/proc", "/sys", "/dev", "/run", "/var", "/home", "/root", "/usr"})
"""Folders that are no bot's own, whatever its command names."""
NOT_LIBRARIES = frozenset({"HOME", "PATH", "TMPDIR"})


class Places(NamedTuple):
    """Folders: `own` (the program's), `runtime` (its interpreter's, libraries named in the environment)."""

    own: tuple[str, ...]
    runtime: tuple[str, ...]


def places(processes: Iterable[Seen], environment: Mapping[str, str], folder: str) -> Places:
    """The folders of a bot that was started in `folder`. A process whose command is not known says nothing."""
    own: set[str] = set()
    runtime: set[str] = set()
    for process in processes:
        if not process.command:
            continue
        found = shutil.which(process.command[0], path=environment.get("PATH")) if process.command[0] else None
        interpreters = set()
        for program in filter(None, (process.exe, found)):
            home = _home(program)
            if home:
                runtime |= {home, *_linked(home)}
                interpreters.add(os.path.realpath(program))
            else:
                own |= _both(os.path.dirname(program))
        words = [part for word in process.command[1:] for part in word.split(os.pathsep) if part[:1] != "-"]
        # It may have gone elsewhere before it was executed, or after that.
        folders = dict.fromkeys((folder, process.folder or folder))
        paths = (os.path.join(base, word) for base in folders for word in words if word)
        named = [path for path in paths if os.path.exists(path)]
        for path in named:
            own |= _both(path if os.path.isdir(path) else os.path.dirname(path))
            own |= set() if os.path.isdir(path) else _both(os.path.dirname(os.path.realpath(path)))
        if (interpreters or "-m" in process.command) and not named:
            # a module by its name, or a class: found from the working folder
            own |= set().union(*map(_both, folders))
    for name, value in environment.items():
        if name not in NOT_LIBRARIES and name.endswith(("PATH", "HOME", "ROOT")):
            runtime.update(
                part for part in value.split(os.pathsep) if os.path.isabs(part) and os.path.isdir(part)
            )
    return Places(_tidy(own), _tidy(runtime))


def _home(program: str) -> str:
    """The folder above a runtime's `bin`; "" for a program that stands alone."""
    folder = os.path.dirname(program)
    above = os.path.dirname(folder)
    beside = any(os.path.exists(os.path.join(above, sign)) for sign in SIGNS)
    return above if os.path.basename(folder) in PROGRAMS and beside and above not in TOO_WIDE else ""


def _linked(home: str) -> set[str]:
    """Folders of Python libraries that lie elsewhere: an environment's `.pth` files name them."""
    found: set[str] = set()
    for file in glob.glob(os.path.join(glob.escape(home), "lib/python*/site-packages/*.pth")):
        with contextlib.suppress(OSError, ValueError), open(file, encoding="utf-8") as lines:
            found.update(line.strip() for line in lines if os.path.isabs(line.strip()))
    return {folder for folder in found if os.path.isdir(folder)}


def _both(path: str) -> set[str]:
    return {os.path.normpath(path), os.path.realpath(path)}


def _tidy(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in set(paths) if path not in TOO_WIDE))
