"""The filter as bytes; what it does to a process is tried in the attacks."""

from __future__ import annotations

import errno
import os
import struct

import pytest
from pdcheck.conformance.sandbox import filter as calls

ALLOW, ERRNO = 0x7FFF0000, 0x00050000


def _run(code: bytes, number: int, *arguments: int, arch: int = 0xC000003E) -> int:
    """What the kernel would answer: the little machine of linux/filter.h."""
    data = struct.pack("=iIQ6Q", number, arch, 0, *(*arguments, *(0,) * (6 - len(arguments))))
    program = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]
    at = value = 0
    while True:
        operation, true, false, k = program[at]
        at += 1
        if operation == 0x20:
            value = struct.unpack_from("=I", data, k)[0]
        elif operation == 0x06:
            return int(k)
        elif operation == 0x05:
            at += k
        elif operation == 0x54:
            value &= k
        else:
            holds = {0x15: value == k, 0x25: value > k, 0x35: value >= k, 0x45: bool(value & k)}[operation]
            at += true if holds else false


X86 = {
    "read": 0,
    "ioctl": 16,
    "socket": 41,
    "clone": 56,
    "fork": 57,
    "ptrace": 101,
    "personality": 135,
    "prlimit64": 302,
    "memfd_create": 319,
    "clone3": 435,
}
pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are those of x86_64")


@pytest.mark.parametrize(
    ("call", "arguments", "error"),
    [
        ("read", (), 0),
        ("fork", (), 0),
        ("socket", (1, 1, 0), errno.EPERM),
        ("ptrace", (), errno.EPERM),
        ("clone", (0x11,), 0),
        ("clone", (0x3D0F00,), 0),
        ("clone", (0x10000011,), errno.EPERM),
        ("clone", (0x20000011,), errno.EPERM),
        ("clone3", (), errno.ENOSYS),
        ("memfd_create", (), errno.ENOSYS),
        ("ioctl", (0, 0x5401), 0),
        ("ioctl", (0, 0x5412), errno.EPERM),
        ("ioctl", (0, 0x100005412), errno.EPERM),
        ("ioctl", (0, 0x541C), errno.EPERM),
        ("prlimit64", (0, 7), 0),
        ("prlimit64", (1, 7), errno.EPERM),
        ("personality", (0,), 0),
        ("personality", (0x40000,), 0),
        ("personality", (0xFFFFFFFF,), 0),
        ("personality", (0x400000,), errno.EPERM),
        ("personality", (0x80040000,), errno.EPERM),
        ("personality", (8,), errno.EPERM),
    ],
)
def test_what_is_denied(call: str, arguments: tuple[int, ...], error: int) -> None:
    assert _run(calls.program(), X86[call], *arguments) == (ERRNO | error if error else ALLOW)


def test_calls_of_another_machine_kill() -> None:
    assert _run(calls.program(), 3, arch=0x40000003) not in (ALLOW, ERRNO | errno.EPERM)
    assert _run(calls.program(), 0x40000000 | 41) != ALLOW


def test_what_is_left_is_allowed_and_the_rest_is_not() -> None:
    left = calls.program(frozenset({"socket", "clone3"}))
    assert _run(left, X86["socket"]) == _run(left, X86["clone3"]) == ALLOW
    assert _run(left, X86["ptrace"]) == ERRNO | errno.EPERM


def test_a_call_that_it_has_no_rule_for_cannot_be_left() -> None:
    with pytest.raises(ValueError, match="sockt"):
        calls.program(frozenset({"sockt"}))


def test_every_call_of_the_table_is_known() -> None:
    assert calls.DENIED - set(calls.numbers()) <= {"memfd_secret", "quotactl_fd"}
