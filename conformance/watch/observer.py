"""Reads what the kernel tells of a bot's system calls, and lets every one of them go on.

Law: a call is answered before anything else is done that could fail; nothing here waits. What could not be read of a
call (its process has ended, or may not be looked into) is left out of what is told.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import socket
import struct
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pdcheck.conformance.watch import calls

LONGEST_PATH = 4096
MOST_WORDS = 64
"""Words of a command that is executed; what comes behind them names no folder that matters."""
_PAGE = 4096
AT_ONCE = 64
"""Calls answered in one go, so that a bot that makes them without end cannot keep the kit from its loop."""


class Call(NamedTuple):
    """One call: the process that made it, the program it runs, the call's name, and what is known of its arguments."""

    pid: int
    exe: str
    name: str
    values: Mapping[str, Any]


class Observer:
    """The kit's end of one filter: `descriptor` is to be polled for reading."""

    def __init__(self, descriptor: int, machine: calls.Machine) -> None:
        self.descriptor = descriptor
        self._names = calls.names(machine)
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)

    def close(self) -> None:
        """Free the descriptor: only when the bot is gone, since calls would fail from now on."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def answer(self) -> Iterator[Call]:
        """Let every call that waits go on; each one as it was. Ends by itself when nothing waits."""
        for _ in range(AT_ONCE):
            if self.descriptor < 0 or not any(mask & select.POLLIN for _, mask in self._poll.poll(0)):
                return
            notice = bytearray(calls.NOTICE.size)
            try:
                fcntl.ioctl(self.descriptor, calls.RECEIVE, notice)
            except OSError:  # whoever made the call was killed meanwhile
                continue
            number, pid, _, call, _, _, *arguments = calls.NOTICE.unpack(notice)
            try:
                seen = self._read(pid, self._names.get(call, str(call)), arguments)
                # Before Linux 5.19 a signal can take the thread away meanwhile: what was read is then not the call's.
                fcntl.ioctl(self.descriptor, calls.STILL_VALID, calls.IDENTITY.pack(number))
            except OSError:
                seen = None
            finally:
                with contextlib.suppress(OSError):
                    fcntl.ioctl(self.descriptor, calls.SEND, calls.ANSWER.pack(number, 0, 0, calls.CONTINUE))
            if seen is not None:
                yield seen

    def _read(self, pid: int, name: str, arguments: list[int]) -> Call | None:
        shape = calls.SHAPES.get(name)
        if shape is None:
            return None
        exe, process = "", pid
        try:
            exe, process = os.readlink(f"/proc/{pid}/exe"), _process_of(pid)
            return Call(process, exe, name, _READERS[shape.kind](pid, name, shape, arguments))
        except PermissionError:
            return Call(process, exe, name, {"unreadable": True})
        except (OSError, LookupError, ValueError, struct.error):  # a pointer to nowhere: the call fails, too
            return Call(process, exe, name, {})


def _process_of(thread: int) -> int:
    with open(f"/proc/{thread}/status", "rb", buffering=0) as file:
        return int(file.read(512).partition(b"Tgid:")[2].split(None, 1)[0])


def _memory(pid: int, at: int, size: int) -> bytes:
    """At most `size` bytes; a read that crosses into a page that is not there gives what comes before it."""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        got = b""
        while len(got) < size:
            step = min(size - len(got), _PAGE - (at + len(got)) % _PAGE)
            try:
                piece = os.pread(file.fileno(), step, at + len(got))
            except OSError:
                if not got:
                    raise
                break
            if not piece or b"\0" in piece:
                return got + piece
            got += piece
    return got


def _path(pid: int, shape: calls.Shape, arguments: list[int]) -> str:
    assert shape.path is not None
    given = os.fsdecode(_memory(pid, arguments[shape.path], LONGEST_PATH).partition(b"\0")[0])
    folder = calls.AT_FDCWD if shape.folder is None else _signed(arguments[shape.folder])
    if not given.startswith("/"):
        base = "cwd" if folder == calls.AT_FDCWD else f"fd/{folder}"
        given = os.path.join(os.readlink(f"/proc/{pid}/{base}"), given)
    return os.path.normpath(given)


def _signed(value: int) -> int:
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


def _struct_flags(pid: int, at: int) -> int:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        flags: int = struct.unpack("=Q", os.pread(file.fileno(), 8, at))[0]
    return flags


def _open(pid: int, name: str, shape: calls.Shape, arguments: list[int]) -> dict[str, Any]:
    path = _path(pid, shape, arguments)
    flags = 0 if shape.flags is None else arguments[shape.flags]
    if name == "openat2":
        flags = _struct_flags(pid, flags)
    real = os.path.realpath(path) if not path.startswith("/proc/") else path
    return {
        "path": path,
        "real": real,
        "write": shape.writes or bool(flags & calls.O_WRITES),
        "flags": oct(flags & 0xFFFFFFFF) if shape.flags is not None else "",
        "exists": os.path.lexists(path),
        "folder": os.path.isdir(path),
    }


def _socket(pid: int, name: str, shape: calls.Shape, arguments: list[int]) -> dict[str, Any]:
    return {"family": calls.FAMILIES.get(arguments[0], str(arguments[0]))}


def _address(pid: int, name: str, shape: calls.Shape, arguments: list[int]) -> dict[str, Any]:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        raw = os.pread(file.fileno(), min(arguments[2] & 0xFFFF, 128), arguments[1])
    return address(raw)


def address(raw: bytes) -> dict[str, Any]:
    """A socket address in words: its family, and the path or host and port."""
    family = struct.unpack("=H", raw[:2])[0]
    told = {"family": calls.FAMILIES.get(family, str(family))}
    if family == socket.AF_UNIX:
        return told | {"address": os.fsdecode(raw[2:].lstrip(b"\0").partition(b"\0")[0])}
    if family == socket.AF_INET:
        port, host = struct.unpack("!H4s", raw[2:8])
        return told | {"address": f"{socket.inet_ntoa(host)}:{port}"}
    if family == socket.AF_INET6:
        port, host = struct.unpack("!H4x16s", raw[2:24])
        return told | {"address": f"[{socket.inet_ntop(socket.AF_INET6, host)}]:{port}"}
    return told


def _fork(pid: int, name: str, shape: calls.Shape, arguments: list[int]) -> dict[str, Any]:
    flags = 0 if shape.flags is None else arguments[shape.flags]
    if name == "clone3":
        flags = _struct_flags(pid, flags)
    return {"thread": bool(flags & calls.CLONE_THREAD)}


def _run(pid: int, name: str, shape: calls.Shape, arguments: list[int]) -> dict[str, Any]:
    assert shape.path is not None
    told: dict[str, Any] = {"path": _path(pid, shape, arguments), "command": [], "folder": ""}
    with contextlib.suppress(OSError, struct.error):
        told["folder"] = os.readlink(f"/proc/{pid}/cwd")
        at = arguments[shape.path + 1]
        while len(told["command"]) < MOST_WORDS:
            (word,) = struct.unpack("=Q", _bytes(pid, at + 8 * len(told["command"]), 8))
            if not word:
                break
            told["command"].append(os.fsdecode(_memory(pid, word, LONGEST_PATH).partition(b"\0")[0]))
    return told


def _bytes(pid: int, at: int, size: int) -> bytes:
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        return os.pread(file.fileno(), size, at)


def _ring(pid: int, name: str, shape: calls.Shape, arguments: list[int]) -> dict[str, Any]:
    return {"ring": True}


def _signal(pid: int, name: str, shape: calls.Shape, arguments: list[int]) -> dict[str, Any]:
    """Whom a signal is for, by the number that its sender knows it by (which behind walls is another one); 0: itself
    or its own group."""
    target, number = _signed(arguments[0]), arguments[1] & 0xFFFFFFFF
    return {"target": 0 if target != -1 and target in _own_numbers(pid) else target, "signal": number}


def _own_numbers(pid: int) -> set[int]:
    """The numbers of a thread's process and of its group, in its own process namespace; the group's are negative."""
    with open(f"/proc/{pid}/status", "rb", buffering=0) as file:
        lines = file.read(1 << 16).split(b"\n")
    rows = {key: words.split() for key, _, words in (line.partition(b":") for line in lines)}
    return {int(rows[b"NStgid"][-1]), -int(rows[b"NSpgid"][-1])}


_READERS = {
    "open": _open,
    "change": _open,
    "socket": _socket,
    "address": _address,
    "fork": _fork,
    "run": _run,
    "ring": _ring,
    "signal": _signal,
}
