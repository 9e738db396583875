"""The system calls that nothing inside has any use for, as a seccomp program.

Law: a table. Namespaces already keep a bot apart; this keeps it from most of the kernel as well. A denied call fails
as it does where it is not permitted (EPERM) or not there (ENOSYS, where runtimes then take another way); nothing is
killed, so that a runtime which only tries goes on. Calls of another architecture do kill.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from pdcheck.conformance.sandbox import WallsError

NETWORK = ("socket", "connect", "bind", "listen", "accept", "accept4")
OTHERS = (
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "kcmp",
    "pidfd_getfd",
    "migrate_pages",
    "move_pages",
)
KEYS = ("keyctl", "add_key", "request_key")
MOUNTS = (
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "move_mount",
    "open_tree",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "mount_setattr",
    "setns",
    "unshare",
    "open_by_handle_at",
    "name_to_handle_at",
    "fanotify_init",
    "quotactl",
    "quotactl_fd",
    "swapon",
    "swapoff",
    "acct",
)
KERNEL = (
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "kexec_load",
    "kexec_file_load",
    "init_module",
    "finit_module",
    "delete_module",
    "reboot",
    "syslog",
    "lookup_dcookie",
    "iopl",
    "ioperm",
    "modify_ldt",
    "uselib",
    "ustat",
    "sysfs",
    "_sysctl",
    "vhangup",
)
CLOCKS = ("settimeofday", "clock_settime", "clock_adjtime", "adjtimex")
NAMES = ("sethostname", "setdomainname")
HIDDEN_MEMORY = ("shmget", "semget", "msgget", "mq_open", "memfd_create", "memfd_secret")
"""Memory that no limit of a process counts."""
RINGS = ("io_uring_setup", "io_uring_enter", "io_uring_register")

_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_WORD = 0xFFFFFFFF
NEW_NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""
_TOP, _NO_RANDOMIZE = 1 << 31, 0x0040000
_PERSONA = tuple(1 << bit for bit in range(31))
"""What personality(2) may be asked: nothing, ADDR_NO_RANDOMIZE, or which one it is (all bits). A rule compares an
argument once, so there is one for each bit that is on without the top one, or off beside it."""


class Rule(NamedTuple):
    """A call that is denied with `error`, always or where the `argument` compares so (`how` as libseccomp names it;
    of a masked comparison `value` is the mask, `masked` what it is to give)."""

    call: str
    error: int = errno.EPERM
    argument: int | None = None
    how: str = ""
    value: int = 0
    masked: int = 0


RULES: tuple[Rule, ...] = (
    *(Rule(call) for group in (NETWORK, OTHERS, KEYS, MOUNTS, KERNEL, CLOCKS, NAMES) for call in group),
    *(Rule(call, errno.ENOSYS) for call in (*HIDDEN_MEMORY, *RINGS)),
    # Its flags lie in memory, where a filter cannot look: libraries then use clone.
    Rule("clone3", errno.ENOSYS),
    *(Rule("clone", errno.EPERM, 0, "MASKED_EQ", flag, flag) for flag in NEW_NAMESPACES),
    *(Rule("ioctl", errno.EPERM, 1, "MASKED_EQ", _WORD, code) for code in (_TIOCSTI, _TIOCLINUX)),
    *(
        Rule("personality", errno.EPERM, 0, "MASKED_EQ", _TOP | bit, bit)
        for bit in _PERSONA
        if bit != _NO_RANDOMIZE
    ),
    *(Rule("personality", errno.EPERM, 0, "MASKED_EQ", _TOP | bit, _TOP) for bit in _PERSONA),
    Rule("prlimit64", errno.EPERM, 0, "NE", 0),
)
FAMILIES = (
    *(Rule("socket", errno.EPERM, 0, "EQ", family) for family in (*range(3, 10), *range(11, 16))),
    Rule("socket", errno.EPERM, 0, "GT", 17),
)
"""Families that are denied where `socket` is left: all but UNIX, the internet's, and those that a network namespace
keeps (NETLINK, PACKET). Some, such as VSOCK, lead past it."""
DENIED = frozenset(rule.call for rule in RULES)


@cache
def program(leaves: frozenset[str] = frozenset()) -> bytes:
    """The filter without the calls in `leaves`. Raises ValueError for one that it does not know, WallsError where
    libseccomp is not to be had."""
    if unknown := leaves - DENIED:
        raise ValueError(f"the filter has no rule for {', '.join(sorted(unknown))}")
    seccomp = _library()
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    with contextlib.suppress(OSError, NotImplementedError):  # a tree instead of a list: since libseccomp 2.5
        rules.set_attr(seccomp.Attr.CTL_OPTIMIZE, 2)
    for rule in (*RULES, *(FAMILIES if "socket" in leaves else ())):
        if rule.call not in leaves or rule in FAMILIES:
            _add(seccomp, rules, rule)
    descriptor = os.memfd_create("filter")
    with os.fdopen(descriptor, "w+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _add(seccomp: Any, rules: Any, rule: Rule) -> None:
    number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, rule.call)
    if number < 0:  # not on this machine, or not known to this libseccomp
        return
    arguments = []
    if rule.argument is not None:
        arguments = [seccomp.Arg(rule.argument, getattr(seccomp, rule.how), rule.value, rule.masked)]
    rules.add_rule(seccomp.ERRNO(rule.error), number, *arguments)


def descriptor(leaves: frozenset[str] = frozenset()) -> int:
    """The filter in a file of its own without a name, from its beginning: the caller closes it."""
    code = program(leaves)
    number = os.memfd_create("filter")
    os.write(number, code)
    os.lseek(number, 0, os.SEEK_SET)
    return number


def _library() -> Any:
    try:
        import pyseccomp  # type: ignore[import-untyped,unused-ignore]
    except (ImportError, OSError, RuntimeError) as error:
        raise WallsError(f"system calls cannot be filtered: {error} (pyseccomp, libseccomp2)") from None
    return pyseccomp


def numbers() -> Mapping[str, int]:
    """The number of each call of the table that this machine has and this libseccomp knows."""
    seccomp = _library()
    found = {call: seccomp.resolve_syscall(seccomp.Arch.NATIVE, call) for call in DENIED}
    return {call: number for call, number in found.items() if number >= 0}
