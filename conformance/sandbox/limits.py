"""What one process inside may use: resource limits, set from outside on the first one before there is a second.

Law: soft and hard are one, so nothing inside lifts them. They are set on a process that is already in its own user
namespace, where the kernel counts processes for each namespace: those of other bots do not matter. A program that set
them inside would be a start more before the bot's; this goes on while the walls are being put up.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator

from pdcheck.conformance.sandbox import WallsError
from pdcheck.conformance.sandbox.user import User, as_user
from pdcheck.conformance.sandbox.walls import Limits

KEEPER = 1
"""Processes that bubblewrap itself has inside: the one that waits for the others."""
_FIELDS = (
    ("address_space", "as"),
    ("file_bytes", "fsize"),
    ("files", "nofile"),
    ("cpu", "cpu"),
)
_NONE_AT_ALL = ("core", "msgqueue", "memlock")


def rows(limits: Limits) -> Iterator[tuple[str, int]]:
    """Which resource, and how much of it."""
    for field, name in _FIELDS:
        value = getattr(limits, field)
        if value is not None:
            yield name, value
    for name in _NONE_AT_ALL:
        yield name, 0
    if limits.tasks is not None:
        yield "nproc", limits.tasks + KEEPER


def set_on(pid: int, limits: Limits, user: User | None = None) -> None:
    """Set them on a process of that user that has not yet started what they are for. Raises WallsError."""
    lowered = [(name, _lowered(name, most)) for name, most in rows(limits)]
    try:
        with as_user(user):
            for name, most in lowered:
                resource.prlimit(pid, _number(name), (most, most))
    except OSError as error:
        raise WallsError(f"resource limits cannot be set: {error.strerror}") from None


def _number(name: str) -> int:
    number: int = getattr(resource, f"RLIMIT_{name.upper()}")
    return number


def _lowered(name: str, most: int) -> int:
    """No more than the kit may use itself: nothing but privilege lifts that."""
    hard = resource.getrlimit(_number(name))[1]
    return most if hard == resource.RLIM_INFINITY else min(most, hard)
