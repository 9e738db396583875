"""What the walls of one run need of this machine: a user, a place for files, memory groups. All goes with the run.

Law: `Workshop` is entered once a run, by the process that starts the bots; a worker that is forked from it may use it.
What this machine does not offer is None, and `properties` says so.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from dataclasses import replace
from types import TracebackType
from typing import Any

from pdcheck.conformance.files import temporary
from pdcheck.conformance.sandbox import cgroup, user
from pdcheck.conformance.sandbox.user import User
from pdcheck.conformance.sandbox.walls import Limits, Walls
from pdcheck.conformance.transports.warden import PREFIX


class Workshop:
    """`user`: who bots run as (None: the kit's own user). `cgroups`: where their memory is counted (None: nowhere).

    `base`: a folder of the kit's own in which its folder is made, the system's temporary folder by default. Whoever
    owns that (see `scratch`) takes it away also when the kit is killed; the bot's user is let through it.
    """

    def __init__(self, base: str | None = None) -> None:
        self._base = base
        self._stack = contextlib.ExitStack()
        self.user: User | None = None
        self.cgroups: cgroup.Cgroups | None = None
        self.folder = ""

    def __enter__(self) -> Workshop:
        with contextlib.ExitStack() as stack:
            self.user = stack.enter_context(user.claimed())
            self.cgroups = cgroup.find()
            if self.cgroups is not None:
                stack.callback(self.cgroups.close)
            prefix = f"{PREFIX}{secrets.token_hex(4)}-"
            self.folder = stack.enter_context(temporary(prefix, self._base))
            # Others may go through, to what is named in walls, and not look round.
            for folder in filter(None, (self._base if self.user else None, self.folder)):
                os.chmod(folder, 0o711)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def __getstate__(self) -> dict[str, Any]:
        """A worker may use it; who entered it leaves it."""
        return {name: value for name, value in vars(self).items() if name != "_stack"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _stack=contextlib.ExitStack())

    def fitted(self, limits: Limits) -> Limits:
        """The limits as this machine can hold them: memory is counted for all processes together, or, where that
        cannot be, the address space of each is limited."""
        if self.cgroups is not None and limits.memory is not None:
            return replace(limits, address_space=None)
        return replace(limits, memory=None, address_space=limits.address_space or limits.memory)

    def fit(self, walls: Walls) -> Walls:
        """The walls of a bot as this machine can hold them: where memory is not counted, nothing can be written."""
        counted = self.cgroups is not None and walls.limits.memory is not None
        return walls if counted else replace(walls, tmp_bytes=0)

    def room(self, name: str) -> str:
        """A new folder of the bot's user, to be bound writable."""
        path = os.path.join(self.folder, name)
        os.mkdir(path, 0o700)
        if self.user:
            os.chown(path, self.user.number, self.user.number)
        return path

    def shared(self, file: str) -> str:
        """A copy of one of the kit's own files that the bot's user can read, made once; several processes may ask."""
        copy = os.path.join(self.folder, f"kit-{os.path.basename(file)}")
        if not os.path.exists(copy):
            part = f"{copy}.{os.getpid()}"
            shutil.copyfile(file, part)
            os.chmod(part, 0o644)
            os.replace(part, copy)
        return copy

    def give(self, folder: str) -> None:
        """Let the bot's user, and nobody else but root, read a folder and all in it; links are left alone."""
        for here, folders, files in os.walk(folder):
            for name in (
                ".",
                *files,
                *(name for name in folders if os.path.islink(os.path.join(here, name))),
            ):
                if self.user:
                    os.chown(
                        os.path.join(here, name), self.user.number, self.user.number, follow_symlinks=False
                    )
