"""A bot in walls behaves, for the kit, as one without."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.sandbox import WallsError
from pdcheck.conformance.sandbox.walls import Bind, Limits, Walls
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.transports import StartError

Start = Callable[..., Any]
PYTHON = ("/usr/bin/python3", "-I", "-S", "-c")
pytestmark = pytest.mark.usefixtures("workshop")


@pytest.fixture
def python(needs: Callable[[str], str]) -> tuple[str, ...]:
    """The system's own interpreter: only that is inside."""
    needs("python3")
    if not os.path.exists(PYTHON[0]):
        pytest.skip("needs /usr/bin/python3 (Debian package python3)")
    return PYTHON


def _say(pump: Any, line: bytes) -> None:
    pump.transport.send(line)
    pump.until(lambda: line in pump.out, "it answers")


def test_bytes_go_in_and_come_out_as_they_are(walled: Start) -> None:
    pump = walled("/bin/cat")
    data = bytes(range(256)) * 300
    pump.transport.send(data)
    pump.until(lambda: len(pump.out) >= len(data), "all is back")
    assert pump.out == data


def test_the_pid_is_the_bot_s_own(walled: Start) -> None:
    pump = walled("/bin/cat")
    assert os.path.basename(os.readlink(f"/proc/{pump.transport.pid}/exe")) == "cat"
    assert pump.transport.child != pump.transport.pid
    assert os.getpgid(pump.transport.pid) not in (os.getpgid(0), pump.transport.child)


def test_it_is_seen_to_wait_for_its_input(walled: Start) -> None:
    pump = walled("/bin/cat")
    _say(pump, b"x\n")
    pump.until(pump.transport.deaf, "it reads and nothing is there")
    assert pump.transport.waiting()
    assert pump.transport.in_pipe() == 0


@pytest.mark.parametrize("code", [0, 1, 3, 127, 139, 255])
def test_its_exit_status_is_told_as_it_is(walled: Start, code: int) -> None:
    pump = walled("/bin/sh", "-c", f"read x; exit {code}")
    pump.transport.send(b"\n")
    pump.until(lambda: pump.status is not None, "it ends")
    assert pump.status in (code, 128 - code)
    # A kernel before Linux 6.15 does not tell 139 from a SIGSEGV.
    assert pump.status == code or code == 139


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGKILL", "SIGABRT", "SIGTERM", "SIGFPE", "SIGUSR1"])
def test_the_signal_that_ended_it_is_told_as_a_signal(walled: Start, name: str) -> None:
    pump = walled("/bin/sh", "-c", f"read x; kill -s {name[3:]} $$")
    pump.transport.send(b"\n")
    pump.until(lambda: pump.status is not None, "it ends")
    assert pump.status == -getattr(signal, name)


def test_one_that_ends_at_once_is_told_all_the_same(walled: Start) -> None:
    for _ in range(10):
        pump = walled("/bin/sh", "-c", "echo done; exit 7")
        pump.until(lambda pump=pump: pump.status is not None, "it ends")
        for arrival in pump.transport.rest():
            pump.take(arrival)
        assert (pump.status, bytes(pump.out)) == (7, b"done\n")


def test_a_program_that_is_not_inside_cannot_be_started(walled: Start) -> None:
    with pytest.raises(StartError, match="No such file"):
        walled("/not/there")


def test_walls_that_do_not_go_up_are_the_machine_s_trouble(walled: Start, walls: Walls) -> None:
    with pytest.raises(WallsError, match="/not/there"):
        walled("/bin/cat", inside=walls.with_binds(Bind("/not/there", "/x")))


def test_no_bubblewrap_is_told(walled: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    from pdcheck.conformance.sandbox import bubblewrap

    bubblewrap.find.cache_clear()
    monkeypatch.setattr(bubblewrap, "PROGRAM", "bwrap-that-is-not-there")
    with pytest.raises(WallsError, match="bubblewrap"):
        walled("/bin/cat")
    bubblewrap.find.cache_clear()


def test_its_time_is_its_own(walled: Start, python: tuple[str, ...]) -> None:
    pump = walled(*python, "n = sum(i * i for i in range(2_000_000)); print(n, flush=True); input()")
    pump.until(lambda: pump.out, "it has counted")
    used = pump.transport.cpu()
    assert used > 0.02
    pump.transport.send(b"\n")
    pump.until(lambda: pump.status is not None, "it ends")
    assert used <= pump.transport.usage_cpu < used + 5
    idle = walled("/bin/cat")
    _say(idle, b"x\n")
    # What the walls cost is not the bot's.
    assert idle.transport.cpu() < 0.01
    idle.transport.end_input()
    idle.until(lambda: idle.status is not None, "it ends")
    assert idle.transport.usage_cpu < 0.02


CHILDREN = """
import os
for _ in range(3):
    if os.fork() == 0:
        sum(i * i for i in range(1_000_000))
        os._exit(0)
    os.wait()
print("done", flush=True)
input()
"""


def test_with_its_children_their_time_counts(walled: Start, python: tuple[str, ...]) -> None:
    alone = walled(*python, CHILDREN)
    family = walled(*python, CHILDREN, with_children=True)
    for pump in (alone, family):
        pump.until(lambda pump=pump: pump.out, "the children have ended")
    assert family.transport.cpu() > 2 * alone.transport.cpu()
    family.transport.send(b"\n")
    family.until(lambda: family.status is not None, "it ends")
    assert family.transport.usage_cpu > 2 * alone.transport.cpu()


LEAVES = """
import os, sys, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        while True:
            time.sleep(1)
print("left", flush=True)
input()
"""


def _inside_of(keeper: int) -> list[int]:
    space = os.readlink(f"/proc/{keeper}/ns/pid")
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{name}/ns/pid") == space:
                found.append(int(name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("how", ["stop", "end"])
def test_nothing_of_it_is_left(walled: Start, python: tuple[str, ...], gear: ModuleType, how: str) -> None:
    pump = walled(*python, LEAVES)
    pump.until(lambda: pump.out, "its children are there")
    inside = _inside_of(pump.transport.pid)
    assert len(inside) >= 5
    if how == "end":
        pump.transport.send(b"\n")
        pump.until(lambda: pump.status is not None, "it ends")
    else:
        pump.transport.stop()
    assert not pump.transport.group_alive()
    gear.until(lambda: not any(map(gear.alive, inside)), "all have ended")


def test_one_that_is_stopped_is_ended(walled: Start, gear: ModuleType) -> None:
    pump = walled("/bin/sh", "-c", "echo x; kill -STOP $$; read x")
    pump.until(lambda: pump.out, "it has stopped itself")
    pid = pump.transport.pid
    pump.transport.stop()
    assert pump.transport.status == -signal.SIGKILL
    gear.until(lambda: not gear.alive(pid), "it is gone")


def test_a_signal_reaches_the_bot(walled: Start) -> None:
    pump = walled("/bin/sh", "-c", "trap 'echo term; exit 5' TERM; echo up; while :; do read x; done")
    pump.until(lambda: b"up" in pump.out, "it is up")
    pump.transport.signal(signal.SIGTERM)
    pump.transport.send(b"\n\n")
    pump.until(lambda: pump.status is not None, "it ends")
    assert pump.status == 5


def test_it_has_a_user_of_its_own_where_the_kit_is_root(walled: Start, workshop: Workshop) -> None:
    pump = walled("/bin/cat")
    uid = os.stat(f"/proc/{pump.transport.pid}").st_uid
    assert uid == (workshop.user.number if workshop.user else os.geteuid())
    assert uid != 0


def test_its_environment_is_what_was_given_and_no_more(walled: Start) -> None:
    pump = walled("/usr/bin/env")
    pump.until(lambda: pump.ended, "it has told")
    assert set(bytes(pump.out).decode().split()) == {
        "PATH=/usr/bin:/bin",
        "LANG=C.UTF-8",
        "TMPDIR=/tmp",
        "PWD=/tmp",
    }


def test_it_has_no_descriptor_of_the_kit_s(walled: Start) -> None:
    pump = walled("/bin/ls", "/proc/self/fd")
    pump.until(lambda: pump.ended, "it has told")
    assert bytes(pump.out).split() == [b"0", b"1", b"2", b"3"]  # 3: the folder that it lists


def test_limits_are_those_that_were_said(
    walled: Start, walls: Walls, python: tuple[str, ...], workshop: Workshop
) -> None:
    limits = Limits(tasks=5, files=33, file_bytes=4096, cpu=77, address_space=1 << 31)
    code = (
        "import resource as r; print(*[r.getrlimit(x)[1] for x in (r.RLIMIT_NPROC, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, "
        "r.RLIMIT_CPU, r.RLIMIT_AS, r.RLIMIT_CORE)])"
    )
    pump = walled(*python, code, inside=replace(walls, limits=limits))
    pump.until(lambda: pump.ended, "it has told")
    space = b"-1" if workshop.cgroups else b"2147483648"
    assert bytes(pump.out).split() == [b"6", b"33", b"4096", b"77", space, b"0"]


def test_nothing_of_the_workshop_is_left(needs: Callable[[str], str]) -> None:
    needs("bwrap")
    with Workshop() as shop:
        room = shop.room("build")
        assert os.stat(room).st_uid == (shop.user.number if shop.user else os.geteuid())
        folder = Path(shop.folder)
        assert folder.is_dir()
    assert not folder.exists()


def test_its_streams_can_be_opened_by_their_names(walled: Start) -> None:
    pump = walled("/bin/sh", "-c", "cat /dev/stdin > /dev/stdout; echo e > /dev/stderr")
    pump.transport.send(b"through\n")
    pump.transport.end_input()
    pump.until(lambda: pump.status is not None, "it ends")
    for arrival in pump.transport.rest():
        pump.take(arrival)
    assert (bytes(pump.out), bytes(pump.err), pump.status) == (b"through\n", b"e\n", 0)


KIT = """
import sys
from pdcheck.conformance.sandbox import host
from pdcheck.conformance.scratch import scratch
from pdcheck.conformance.sandbox.transport import WalledTransport
from pdcheck.conformance.sandbox.walls import Bind, Limits
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.transports.process import Launch

with scratch() as base, Workshop(base) as shop:
    walls = host.walls(Bind(shop.room("room"), "/room"), limits=Limits(tasks=8))
    bot = WalledTransport(Launch(("/bin/sh", "-c", sys.argv[1], sys.argv[2]), {"PATH": "/usr/bin"}), walls, shop)
    bot.start(lambda fd, mask: None)
    print(bot.pid, shop.folder, flush=True)
    input()
"""


def test_when_the_kit_is_killed_nothing_is_left(gear: ModuleType, token: str) -> None:
    script = "trap '' HUP TERM; (while :; do sleep 1; done) & while :; do sleep 1; done"
    kit = subprocess.Popen(
        [sys.executable, "-c", KIT, script, token],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ,
    )
    with kit:
        assert kit.stdout
        first, folder = kit.stdout.readline().split()
        pid = int(first)
        inside = _inside_of(pid)
        assert os.path.isdir(folder)
        assert pid in inside
        kit.kill()
    gear.until(lambda: not any(map(gear.alive, inside)), "all have ended")
    gear.until(lambda: not os.path.exists(folder), "its folder is gone")
