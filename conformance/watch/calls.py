"""The system calls that tell what a bot does to its surroundings, and the kernel's filter that reports them.

Law: tables and bytes, nothing that runs. Numbers are those of the kernel's headers (`asm/unistd.h`,
`linux/seccomp.h`, `linux/filter.h`); a machine that is not in the tables is watched through /proc alone.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Mapping
from typing import NamedTuple

NOTIFY, ALLOW = 0x7FC00000, 0x7FFF0000
"""SECCOMP_RET_USER_NOTIF, SECCOMP_RET_ALLOW."""
RECEIVE, SEND, STILL_VALID = 0xC0502100, 0xC0182101, 0x40082102
"""SECCOMP_IOCTL_NOTIF_RECV, _SEND, _ID_VALID."""
NOTICE = struct.Struct("=QIIiIQ6Q")
"""struct seccomp_notif: id, pid, flags; of the call its number, architecture, place and six arguments."""
ANSWER = struct.Struct("=QqiI")
IDENTITY = struct.Struct("=Q")
CONTINUE = 1
"""SECCOMP_USER_NOTIF_FLAG_CONTINUE: the call is made as if nobody had looked."""

AT_FDCWD = -100
O_WRITES = 0o1 | 0o2 | 0o100 | 0o1000
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC."""
CLONE_THREAD = 0x10000
FAMILIES = {1: "AF_UNIX", 2: "AF_INET", 10: "AF_INET6", 16: "AF_NETLINK", 17: "AF_PACKET"}


class Shape(NamedTuple):
    """Where a call's arguments are: indexes of the folder's descriptor, path, flags; `writes`: it always does."""

    kind: str
    folder: int | None = None
    path: int | None = None
    flags: int | None = None
    writes: bool = False


_CHANGES = {"writes": True}
SHAPES: Mapping[str, Shape] = {
    "open": Shape("open", None, 0, 1),
    "openat": Shape("open", 0, 1, 2),
    "openat2": Shape("open", 0, 1, 2),
    "creat": Shape("open", None, 0, writes=True),
    "truncate": Shape("open", None, 0, **_CHANGES),
    "unlink": Shape("change", None, 0, **_CHANGES),
    "unlinkat": Shape("change", 0, 1, **_CHANGES),
    "rmdir": Shape("change", None, 0, **_CHANGES),
    "mkdir": Shape("change", None, 0, **_CHANGES),
    "mkdirat": Shape("change", 0, 1, **_CHANGES),
    "mknod": Shape("change", None, 0, **_CHANGES),
    "mknodat": Shape("change", 0, 1, **_CHANGES),
    "rename": Shape("change", None, 1, **_CHANGES),
    "renameat": Shape("change", 2, 3, **_CHANGES),
    "renameat2": Shape("change", 2, 3, **_CHANGES),
    "link": Shape("change", None, 1, **_CHANGES),
    "linkat": Shape("change", 2, 3, **_CHANGES),
    "symlink": Shape("change", None, 1, **_CHANGES),
    "symlinkat": Shape("change", 1, 2, **_CHANGES),
    "socket": Shape("socket"),
    "connect": Shape("address", path=1),
    "bind": Shape("address", path=1),
    "fork": Shape("fork"),
    "vfork": Shape("fork"),
    "clone": Shape("fork", flags=0),
    "clone3": Shape("fork", flags=0),
    "execve": Shape("run", None, 0),
    "execveat": Shape("run", 0, 1),
    "io_uring_setup": Shape("ring"),
    "io_uring_enter": Shape("ring"),
    "kill": Shape("signal"),
}
"""openat2 and clone3 keep their flags in memory, as the first 8 bytes of a struct. What is done through an
io_uring makes no call of its own: only that it is used is seen."""


class Machine(NamedTuple):
    """One architecture: its AUDIT_ARCH, the number of seccomp(2), and those of the calls."""

    arch: int
    seccomp: int
    numbers: Mapping[str, int]


# fmt: off
MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(0xC000003E, 317, {
        "open": 2, "socket": 41, "connect": 42, "bind": 49, "clone": 56, "fork": 57, "vfork": 58, "execve": 59,
        "kill": 62, "truncate": 76, "rename": 82, "mkdir": 83, "rmdir": 84, "creat": 85, "link": 86, "unlink": 87,
        "symlink": 88, "mknod": 133, "openat": 257, "mkdirat": 258, "mknodat": 259, "unlinkat": 263, "renameat": 264,
        "linkat": 265, "symlinkat": 266, "renameat2": 316, "execveat": 322, "io_uring_setup": 425,
        "io_uring_enter": 426, "clone3": 435, "openat2": 437,
    }),
    "aarch64": Machine(0xC00000B7, 277, {
        "mknodat": 33, "mkdirat": 34, "unlinkat": 35, "symlinkat": 36, "linkat": 37, "renameat": 38, "truncate": 45,
        "openat": 56, "kill": 129, "socket": 198, "bind": 200, "connect": 203, "clone": 220, "execve": 221,
        "renameat2": 276, "execveat": 281, "io_uring_setup": 425, "io_uring_enter": 426, "clone3": 435, "openat2": 437,
    }),
}
# fmt: on


def machine() -> Machine | None:
    """This machine's table, or None."""
    return MACHINES.get(platform.machine()) if platform.system() == "Linux" else None


def names(of: Machine) -> Mapping[int, str]:
    """Number → name."""
    return {number: name for name, number in of.numbers.items()}


_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_X32 = 0x40000000


def program(of: Machine) -> bytes:
    """The filter as classic BPF: the calls in the table are notified, all others, and other architectures', allowed."""
    numbers = sorted(of.numbers.values())
    last = len(numbers) + 4
    """The place of the instruction that allows; the one behind it notifies."""
    code = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 0, last - 2, of.arch),
        (_LOAD, 0, 0, 0),
        (_AT_LEAST, last - 4, 0, _X32),
    ]
    code += [(_EQUAL, last - at, 0, number) for at, number in enumerate(numbers, 4)]
    code += [(_RETURN, 0, 0, ALLOW), (_RETURN, 0, 0, NOTIFY)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)
