"""Tries from inside what walls are to keep a bot from, and tells how it went: one JSON object a line.

Law: a program of its own, run with `python -I -S -c`, that imports nothing of the kit. An attempt is `done` when it got
through; one that raises did not, and the error is told. Nothing is destroyed by one that is done.

Argument: a JSON object with what there is outside to try at (see `proof`).
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import resource
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
DENIED = (errno.EPERM, errno.ENOSYS, errno.EACCES)
MIB = 1 << 20
Outside = dict[str, Any]
TRIALS: list[tuple[str, str, Callable[[Outside], Any]]] = []


def trial(name: str, what: str) -> Callable[[Callable[[Outside], Any]], Callable[[Outside], Any]]:
    """An attempt at a property: it returns how it got through, or nothing, or raises OSError."""

    def enter(attempt: Callable[[Outside], Any]) -> Callable[[Outside], Any]:
        TRIALS.append((name, what, attempt))
        return attempt

    return enter


def call(number: int, *arguments: int) -> str | None:
    """A system call; how it got through, which is any answer but that it is denied."""
    ctypes.set_errno(0)
    answer = LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(argument) for argument in arguments))
    error = ctypes.get_errno()
    if answer == -1 and error in DENIED:
        raise OSError(error, os.strerror(error))
    return f"answered {answer}" + (f", {os.strerror(error)}" if answer == -1 else "")


def reach(family: int, address: Any) -> str:
    """Connect, by whatever way there is to a socket."""
    with socket.socket(family, socket.SOCK_STREAM) as end:
        end.settimeout(2)
        end.connect(address)
    return "connected"


trial("network", "connect to 127.0.0.1")(lambda given: reach(socket.AF_INET, ("127.0.0.1", given["port"])))
trial("network", "connect to ::1")(lambda given: reach(socket.AF_INET6, ("::1", given["port"])))
trial("network", "connect to a socket by its path")(lambda given: reach(socket.AF_UNIX, given["path"]))
trial("network", "connect to an abstract socket")(
    lambda given: reach(socket.AF_UNIX, "\0" + given["abstract"])
)


@trial("network", "send to an abstract socket over a pair")
def _over_pair(given: Outside) -> str:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs:
        ours.sendto(b"x", "\0" + given["datagram"])
    return "sent"


@trial("network", "a raw socket")
def _raw(given: Outside) -> str:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    return "opened"


def read(path: str) -> str:
    """Read a file or list a folder."""
    if os.path.isdir(path):
        return f"listed {len(os.listdir(path))} entries"
    with open(path, "rb") as file:
        return f"read {len(file.read(64))} bytes"


@trial("files", "read what is the host's")
def _host(given: Outside) -> str | None:
    return first(
        read, ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/var", "/run", "/sys/kernel")
    )


@trial("files", "read the kernel's devices")
def _devices(given: Outside) -> str | None:
    return first(read, ("/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse", "/proc/kcore"))


@trial("files", "read the kit's home")
def _home(given: Outside) -> str | None:
    path, *identity = given["home"]
    found = os.stat(path)
    return read(path) if [found.st_dev, found.st_ino] == identity else None


trial("files", "read another submission")(lambda given: read(given["secret"]))
trial("files", "read it through the first process")(lambda given: read("/proc/1/root" + given["secret"]))
trial("files", "read the memory of the first process")(lambda given: read("/proc/1/mem"))
trial("files", "read the words of the first process")(lambda given: read("/proc/1/cmdline"))


def first(attempt: Callable[[str], str], paths: Iterable[str]) -> str | None:
    """How it got through at the first path where it did."""
    for path in paths:
        try:
            return f"{path}: {attempt(path)}"
        except OSError:
            continue
    return None


def write(path: str) -> str:
    """Make a file, or open the one that is there for writing. Nothing stays and nothing is changed: where a wall is
    missing, this is the host's."""
    if os.path.exists(path):
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
        return "opened for writing"
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
    os.unlink(path)
    return "made"


@trial("write", "write anywhere")
def _anywhere(given: Outside) -> str | None:
    return first(
        write, ("/x", "/usr/x", "/usr/bin/x", "/etc/x", "/dev/x", "/dev/shm/x", "/run/x", "/proc/1/x")
    )


@trial("write", "write to the kernel's settings")
def _settings(given: Outside) -> str | None:
    return first(
        write,
        ("/proc/sys/kernel/core_pattern", "/proc/sys/user/max_user_namespaces"),
    )


trial("write", "write to another submission")(lambda given: write(given["secret"]))


@trial("write", "write to what it is given to read")
def _given(given: Outside) -> str | None:
    return first(
        write, (os.path.join(path, "x") if os.path.isdir(path) else path for path in given["read_only"])
    )


@trial("write", "a file larger than any may be")
def _large(given: Outside) -> str | None:
    with open("/tmp/large", "wb", buffering=0) as file:
        try:
            for _ in range(given["file_bytes"] // MIB + 2):
                file.write(b"x" * MIB)
            return f"{file.tell()} bytes"
        finally:
            os.unlink("/tmp/large")


@trial("memory", "fill /tmp")
def _fill(given: Outside) -> str | None:
    written, names = 0, []
    try:
        for number in range(given["tmp_bytes"] // MIB + 2):
            names.append(f"/tmp/fill{number}")
            with open(names[-1], "wb", buffering=0) as file:
                written += file.write(b"x" * MIB)
        return f"{written} bytes in /tmp"
    finally:
        for name in names:
            os.unlink(name)


@trial("memory", "empty files without end in /tmp")
def _empty(given: Outside) -> str | None:
    write("/tmp/empty")
    # Each takes about a kilobyte of the kernel's, which a memory cgroup counts and nothing else does.
    return None if given["counted"] else f"room for {os.statvfs('/tmp').f_ffree}, and none is counted"


trial("memory", "a file without a name in memory")(lambda given: f"descriptor {os.memfd_create('x')}")
trial("memory", "a segment of shared memory")(lambda given: call(given["calls"]["shmget"], 0, MIB, 0o1600))


@trial("processes", "fork")
def _fork(given: Outside) -> str | None:
    line, hold = os.pipe()
    born = []
    try:
        for _ in range(given["tasks"] + 1):
            pid = os.fork()
            if pid == 0:
                os.close(hold)
                os.read(line, 1)
                os._exit(0)
            born.append(pid)
    except OSError:
        if len(born) < given["tasks"]:
            raise
    finally:
        os.close(hold)
        for pid in born:
            os.waitpid(pid, 0)
        os.close(line)
    return f"{len(born) + 1} processes at once" if len(born) >= given["tasks"] else None


@trial("processes", "threads")
def _threads(given: Outside) -> str | None:
    until, begun = threading.Event(), []
    try:
        for _ in range(given["tasks"] + 1):
            thread = threading.Thread(target=until.wait)
            thread.start()
            begun.append(thread)
    except RuntimeError as error:
        if len(begun) < given["tasks"]:
            raise OSError(errno.EAGAIN, str(error)) from None
    finally:
        until.set()
        for thread in begun:
            thread.join()
    return f"{len(begun) + 1} threads at once" if len(begun) >= given["tasks"] else None


def _outside(pid: int) -> int:
    """A process of the host; its number may be that of one inside, which proves nothing."""
    if os.path.exists(f"/proc/{pid}"):
        raise OSError(errno.ESRCH, "that number is one inside")
    return pid


def _signal(pid: int) -> str:
    _outside(abs(pid))
    os.kill(pid, 0)
    return "reached"


trial("signals", "signal the kit")(lambda given: _signal(given["kit"]))
trial("signals", "signal another bot")(lambda given: _signal(given["sibling"]))
trial("signals", "signal the group of the kit")(lambda given: _signal(-given["kit_group"]))
trial("other_processes", "read another's environment")(
    lambda given: read(f"/proc/{_outside(given['sibling'])}/environ")
)
trial("other_processes", "read the kit's memory")(lambda given: read(f"/proc/{_outside(given['kit'])}/mem"))
trial("other_processes", "trace another")(
    lambda given: call(given["calls"]["ptrace"], 16, given["sibling"], 0, 0)
)
trial("other_processes", "read another's memory by a call")(
    lambda given: call(given["calls"]["process_vm_readv"], given["sibling"], 0, 0, 0, 0, 0)
)


@trial("other_processes", "see processes that are not its own")
def _see(given: Outside) -> str | None:
    others = {int(name) for name in os.listdir("/proc") if name.isdigit()} - {1, os.getpid()}
    return f"sees {len(others)}" if others else None


trial("ipc", "find the shared memory of others")(
    lambda given: call(given["calls"]["shmget"], given["key"], 1, 0)
)
trial("ipc", "semaphores")(lambda given: call(given["calls"]["semget"], 0, 1, 0o1600))
trial("ipc", "message queues")(lambda given: call(given["calls"]["msgget"], 0, 0o1600))
trial("ipc", "/dev/shm")(lambda given: read("/dev/shm"))


def _kernel(what: str, name: str, *arguments: int) -> None:
    trial("kernel", what)(lambda given: call(given["calls"][name], *arguments))


_kernel("trace itself", "ptrace", 0, 0, 0, 0)
_kernel("a keyring", "keyctl", 0, -3, 1)
_kernel("a key", "add_key", 0, 0, 0, 0, -3)
_kernel("a user namespace", "unshare", 0x10000000)
_kernel("a mount namespace", "unshare", 0x00020000)
_kernel("a process in a user namespace", "clone", 0x10000011 | 0x10000, 0, 0, 0, 0)
_kernel("mount", "mount", 0, 0, 0, 0, 0)
_kernel("open a tree of mounts", "open_tree", -100, 0, 0)
_kernel("enter a namespace", "setns", -1, 0)
_kernel("change its root", "chroot", 0)
_kernel("an io_uring", "io_uring_setup", 1, 0)
_kernel("userfaultfd", "userfaultfd", 1)
_kernel("a bpf program", "bpf", 0, 0, 0)
_kernel("performance events", "perf_event_open", 0, 0, -1, -1, 0)
_kernel("another personality", "personality", 0x0400000)
_kernel("the kernel's log", "syslog", 3, 0, 0)


@trial("privileges", "to be root")
def _root(given: Outside) -> str | None:
    if os.geteuid() == 0:
        return "is root"
    os.setuid(0)
    return "became root"


@trial("privileges", "capabilities")
def _capable(given: Outside) -> str | None:
    with open("/proc/self/status") as file:
        rows = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    held = [name for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(rows[name], 16)]
    held += [] if rows["NoNewPrivs"] == "1" else ["NoNewPrivs is off"]
    held += [] if rows["Seccomp"] == "2" else ["no filter"]
    return ", ".join(held) or None


@trial("privileges", "to lift a limit")
def _lift(given: Outside) -> str | None:
    for name in ("RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_NOFILE"):
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        if hard == resource.RLIM_INFINITY:
            return f"{name} has no limit"
        try:
            resource.setrlimit(which, (hard + 1, hard + 1))
        except (OSError, ValueError):
            continue
        return f"lifted {name}"
    return None


@trial("terminal", "one on its streams")
def _streams(given: Outside) -> str | None:
    return "a stream is a terminal" if any(map(os.isatty, range(3))) else None


trial("terminal", "open the one it came from")(lambda given: read("/dev/tty"))
trial("terminal", "make one")(lambda given: read("/dev/ptmx"))
trial("terminal", "type into one")(lambda given: call(given["calls"]["ioctl"], 0, 0x5412, 0))
trial("time", "set the clock")(lambda given: call(given["calls"]["clock_settime"], 0, 0))
trial("time", "slew the clock")(lambda given: call(given["calls"]["adjtimex"], 0))
trial("time", "name the machine")(lambda given: call(given["calls"]["sethostname"], 0, -1))


@trial("time", "know the machine's name")
def _name(given: Outside) -> str | None:
    return "knows it" if os.uname().nodename == given["host"] else None


def anonymous(given: Outside) -> None:
    """Alone, because it may be the last that the process does: fill more memory than there is to be."""
    pieces = []
    for _ in range(given["memory"] // (4 * MIB) * 5 // 4):
        pieces.append(b"x" * (4 * MIB))  # noqa: PERF401  # each is to be filled before the next is asked for


def main(given: Outside) -> None:
    """All attempts; or, where `memory` is to be tried, that alone."""
    if "memory" in given:
        try:
            anonymous(given)
        except MemoryError:
            tell("memory", "fill memory", None, "MemoryError")
        else:
            tell("memory", "fill memory", f"{given['memory'] * 5 // 4} bytes")
        return
    for name, what, attempt in TRIALS:
        try:
            how = attempt(given)
            tell(name, what, how, "")
        except OSError as error:
            tell(name, what, None, error.strerror or str(error))
        except KeyError as error:
            tell(name, what, None, f"there is no call {error}")


def tell(name: str, what: str, how: str | None, error: str = "") -> None:
    """One line."""
    line = {"property": name, "name": what, "done": bool(how), "how": how or error or "kept out"}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
