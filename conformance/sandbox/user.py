"""The user that a bot runs as when the kit runs as root: one that nobody else is, for as long as it is needed.

Law: a number is held by a lock on a file, which the kernel gives back however the kit ends. As an ordinary user there
is nothing to hold: the bot then has the kit's user, and namespaces alone keep them apart.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import platform
import pwd
import stat
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pdcheck.conformance.sandbox import WallsError

FIRST, COUNT = 61000, 500
LOCKS = "/run/pdcheck-users"


class User(NamedTuple):
    """A user and group of the same number."""

    number: int

    def credentials(self) -> Mapping[str, Any]:
        """As `Popen` is told."""
        return {"user": self.number, "group": self.number, "extra_groups": []}


_SETRES = {"x86_64": (119, 117), "aarch64": (149, 147)}
"""The numbers of setresgid(2) and setresuid(2) here. The C library's change all threads, the kernel's only this one."""
_LIBC = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def as_user(user: User | None) -> Iterator[None]:
    """This thread has the user's real number meanwhile, by which the kernel lets it set limits on the user's processes:
    root in a container often lacks the capability, and the user needs none. What counts elsewhere (the effective
    number, privileges, other threads) stays. Where the calls' numbers are not known, nothing changes."""
    calls = _SETRES.get(platform.machine())
    if user is None or calls is None:
        yield
        return
    before = (os.getgid(), os.getuid())
    try:
        for call in calls:
            _real(call, user.number)
        yield
    finally:
        for call, number in reversed(list(zip(calls, before, strict=True))):
            _real(call, number)


def _real(call: int, number: int) -> None:
    if _LIBC.syscall(ctypes.c_long(call), ctypes.c_long(number), ctypes.c_long(-1), ctypes.c_long(-1)):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


@contextlib.contextmanager
def claimed(locks: str = LOCKS) -> Iterator[User | None]:
    """A user of one's own; None for who is not root. Raises WallsError when none is free."""
    if os.geteuid() != 0:
        yield None
        return
    _make(locks)
    for number in range(FIRST, FIRST + COUNT):
        if _somebody(number):
            continue
        lock = os.open(
            os.path.join(locks, str(number)), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        try:
            yield User(number)
        finally:
            os.close(lock)
        return
    raise WallsError(f"no user of {FIRST} to {FIRST + COUNT - 1} is free")


def _make(locks: str) -> None:
    try:
        os.makedirs(locks, 0o700, exist_ok=True)
        found = os.lstat(locks)
    except OSError as error:
        raise WallsError(f"{locks}: {error.strerror}") from None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != 0 or found.st_mode & 0o022:
        raise WallsError(f"{locks} is not root's own folder")


def _somebody(number: int) -> bool:
    with contextlib.suppress(KeyError):
        pwd.getpwuid(number)
        return True
    return False
