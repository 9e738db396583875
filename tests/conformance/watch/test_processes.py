"""What /proc tells of processes: of this one and of real children."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from pdcheck.conformance.watch import processes

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
ME = os.getpid()


def test_a_child_belongs_to_the_tree_until_it_has_ended(gear: ModuleType) -> None:
    with subprocess.Popen(gear.python("input()"), stdin=subprocess.PIPE) as child:
        assert child.pid in processes.tree([ME])
        gear.until(lambda: processes.look(child.pid), "it is there")
        assert child.stdin is not None
        child.stdin.close()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert processes.look(child.pid) is None, "nobody has reaped it, and yet it has ended"


def test_an_empty_command_is_none(gear: ModuleType) -> None:
    with subprocess.Popen([""], executable="/bin/cat", stdin=subprocess.PIPE) as child:
        gear.until(lambda: processes.look(child.pid), "it is there")
        seen = processes.look(child.pid)
        assert seen is not None
        assert seen.command == ()


WAITS = {
    "read": ("sys.stdin.readline()", True),
    "another descriptor": ("os.read(os.dup(0), 9)", True),
    "epoll": ("import select; e = select.epoll(); e.register(0); e.poll()", True),
    "poll": ("import select; e = select.poll(); e.register(0); e.poll()", True),
    "in a thread": ("import threading; t = threading.Thread(target=input); t.start(); t.join()", True),
    "sleep": ("import time; time.sleep(1000)", False),
    "another pipe": ("p = os.pipe(); os.read(p[0], 1)", False),
}


@pytest.mark.parametrize("how", WAITS)
def test_who_waits_for_its_input(how: str, gear: ModuleType) -> None:
    code, waits = WAITS[how]
    told = gear.python(f"import os, sys; print('up', flush=True); {code}")
    with subprocess.Popen(told, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        stdin = os.readlink(f"/proc/self/fd/{child.stdin.fileno()}")
        assert child.stdout.readline() == b"up\n"
        if waits:
            gear.until(lambda: processes.reads(child.pid, stdin), "it waits")
        else:
            # Blocked, wherever that is: what it does then it does for good.
            gear.until(lambda: not processes.busy(child.pid), "it has come to rest")
            assert not processes.reads(child.pid, stdin)
        child.kill()


def test_an_open_file_is_told_with_its_flags(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file:
        told = dict(processes.descriptors(ME))
        assert told[(file.fileno(), str(tmp_path / "file"))].flags & os.O_WRONLY


@pytest.mark.parametrize(
    ("family", "kind", "name"),
    [
        (socket.AF_INET, socket.SOCK_STREAM, "tcp"),
        (socket.AF_INET, socket.SOCK_DGRAM, "udp"),
        (socket.AF_UNIX, socket.SOCK_DGRAM, "unix"),
    ],
)
def test_a_socket_is_told_with_its_family(
    family: socket.AddressFamily, kind: socket.SocketKind, name: str, tmp_path: Path
) -> None:
    with socket.socket(family, kind) as made:
        made.bind(str(tmp_path / "s") if family == socket.AF_UNIX else ("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            made.listen()
        told = [found for (number, _), found in processes.descriptors(ME) if number == made.fileno()]
        assert [found.family for found in told] == [name]
        assert told[0].address == (str(tmp_path / "s") if family == socket.AF_UNIX else "")


def test_memory_and_cpu_are_numbers_of_this_process() -> None:
    assert processes.memory(ME, "VmHWM") >= processes.memory(ME, "VmRSS") > 1000
    assert processes.proportional(ME) > 100
    assert processes.cpu([ME]) > 0
    assert processes.waited([ME]) >= 0


def test_a_process_that_is_not_there_is_nothing() -> None:
    none = 1 << 22
    assert processes.look(none) is None
    assert processes.mapped(none) == set()
    assert list(processes.descriptors(none)) == []
    assert processes.memory(none, "VmRSS") == processes.proportional(none) == 0
    assert processes.cpu([none]) == processes.waited([none]) == 0


def test_a_go_program_bears_its_mark(tmp_path: Path) -> None:
    (tmp_path / "go").write_bytes(b"\x7fELF" + bytes(100) + processes.GO_MARK + bytes(8))
    (tmp_path / "c").write_bytes(b"\x7fELF" + bytes(100))
    assert processes.is_go(str(tmp_path / "go"))
    assert not processes.is_go(str(tmp_path / "c"))
    assert not processes.is_go(str(tmp_path / "none"))
