"""The process transport against real processes that do what bots should not."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.transports import StartError
from pdcheck.conformance.transports.process import (
    READ_SIZE,
    STDERR_LIMIT,
    Launch,
    ProcessTransport,
)

MIB = 1 << 20
Open = Callable[..., Any]
proc_only = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="there is no /proc")


@pytest.fixture
def opened(gear: ModuleType) -> Iterator[Open]:
    """Start a command; stopped when the test is over, however it went."""
    pumps = []

    def start(*command: str, **more: Any) -> Any:
        pump = gear.Pump(command, **more)
        pumps.append(pump)
        return pump.__enter__()

    yield start
    for pump in pumps:
        pump.transport.stop()


# --- bytes in and out ---------------------------------------------------------------------------------------


def test_bytes_go_in_and_come_out_as_they_are(opened: Open) -> None:
    pump = opened("/bin/cat")
    data = bytes(range(256)) + b"\r\n\x00\xff\n"
    pump.transport.send(data)
    pump.until(lambda: len(pump.out) >= len(data), "all is back")
    assert pump.out == data
    assert pump.transport.unread == 0


def test_a_line_of_a_mebibyte_goes_both_ways(opened: Open) -> None:
    pump = opened("/bin/cat")
    line = b"x" * MIB + b"\n"
    pump.transport.send(line)
    pump.until(lambda: len(pump.out) >= len(line), "all is back")
    assert pump.out == line
    assert pump.largest <= READ_SIZE


def test_what_is_sent_in_a_row_arrives_in_order(opened: Open) -> None:
    pump = opened("/bin/cat")
    lines = [b"%06d" % number * 1000 + b"\n" for number in range(200)]
    for line in lines:
        pump.transport.send(line)
    pump.until(lambda: len(pump.out) >= sum(map(len, lines)), "all is back")
    assert pump.out == b"".join(lines)


def test_the_end_of_input_comes_after_all_that_was_sent(opened: Open, gear: ModuleType) -> None:
    pump = opened(*gear.python("import sys; print(len(sys.stdin.buffer.read()), flush=True)"))
    pump.transport.send(b"x" * (3 * MIB))
    pump.transport.end_input()
    pump.until(lambda: pump.status is not None, "it has ended")
    for arrival in pump.transport.rest():
        pump.take(arrival)
    assert int(pump.out) == 3 * MIB
    pump.transport.send(b"too late\n")  # and nothing happens


def test_a_bot_that_never_reads_cannot_block_the_kit(opened: Open, gear: ModuleType) -> None:
    pump = opened(*gear.python("import signal; print('up', flush=True); signal.pause()"))
    pump.until(lambda: pump.out == b"up\n", "it is up")
    pump.transport.send(b"x" * (10 * MIB))
    pump.transport.send(b"more\n")
    assert pump.transport.unread > 9 * MIB
    for _ in range(3):
        pump.turn(0)
    assert pump.transport.unread > 9 * MIB
    pump.transport.end_input()
    pump.transport.stop()
    assert pump.transport.unread == 0
    assert pump.watched == {}


def test_a_bot_that_closes_its_input_is_no_error(opened: Open) -> None:
    pump = opened("/bin/sh", "-c", "exec 0<&-; echo closed; exec sleep 1000")
    pump.until(lambda: pump.out == b"closed\n", "its input is closed")
    for _ in range(3):
        pump.transport.send(b"x" * MIB)
    assert pump.transport.unread == 0
    assert pump.status is None


def test_a_bot_that_closes_its_input_in_the_middle_is_no_error(opened: Open, gear: ModuleType) -> None:
    code = "import os, signal; os.read(0, 10); os.close(0); print('closed', flush=True); signal.pause()"
    pump = opened(*gear.python(code))
    pump.transport.send(b"x" * (4 * MIB))
    pump.until(lambda: pump.out == b"closed\n", "its input is closed")
    pump.until(lambda: pump.transport.unread == 0, "what nobody will read is dropped")
    assert pump.status is None


# --- stdout, stderr, end ------------------------------------------------------------------------------------


def test_stderr_is_read_to_its_end_and_kept_up_to_a_bound(opened: Open, gear: ModuleType) -> None:
    code = "import os, sys\nfor _ in range(80): os.write(2, b'e' * 65536)\nprint('done', flush=True)"
    pump = opened(*gear.python(code))
    pump.until(lambda: pump.status is not None, "the flood did not block it")
    for arrival in pump.transport.rest():
        pump.take(arrival)
    assert pump.out == b"done\n"
    assert len(pump.err) == STDERR_LIMIT
    assert pump.transport.stderr_dropped == 80 * 65536 - STDERR_LIMIT


def test_stdout_may_close_while_the_process_lives(opened: Open) -> None:
    pump = opened("/bin/sh", "-c", "echo last; exec 1>&-; exec sleep 1000")
    pump.until(lambda: pump.ended, "its output is closed")
    assert pump.out == b"last\n"
    assert pump.status is None
    assert pump.transport.group_alive()


def test_a_grandchild_that_holds_stdout_does_not_hide_the_end(opened: Open) -> None:
    pump = opened("/bin/sh", "-c", "sleep 1000 & echo up; exit 3")
    pump.until(lambda: pump.status is not None, "its end is seen")
    assert pump.status == 3
    assert not pump.ended
    for arrival in pump.transport.rest():
        pump.take(arrival)
    assert pump.out == b"up\n"
    assert pump.transport.group_alive()
    group = pump.transport.pid
    pump.transport.stop()
    pump.until(lambda: not _group(group), "the grandchild is gone")


def _group(group: int) -> bool:
    """Whether a process of the group is there that is no zombie (an orphan's is its new parent's to reap)."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] not in "ZX":
            return True
    return False


@pytest.mark.parametrize(
    ("command", "status"),
    [("exit 0", 0), ("exit 7", 7), ("kill -KILL $$", -9), ("kill -SEGV $$", -11), ("kill -TERM $$", -15)],
)
def test_how_it_ended_is_told(opened: Open, command: str, status: int) -> None:
    pump = opened("/bin/sh", "-c", command)
    pump.until(lambda: pump.status is not None, "it has ended")
    assert pump.status == pump.transport.status == status


def test_a_signal_reaches_the_whole_group(opened: Open) -> None:
    pump = opened("/bin/sh", "-c", "sleep 1000 & echo up; wait")
    pump.until(lambda: pump.out == b"up\n", "it is up")
    pump.transport.signal(signal.SIGTERM)
    pump.until(lambda: pump.status is not None, "it has ended")
    assert pump.status == -signal.SIGTERM
    pump.until(lambda: not _group(pump.transport.pid), "its child has ended, too")
    pump.transport.signal(signal.SIGTERM)  # to nobody


def test_cpu_time_grows_while_it_works_and_stands_when_it_has_ended(opened: Open, gear: ModuleType) -> None:
    code = "import time\nwhile time.process_time() < 0.2: pass\nprint('done', flush=True)\ninput()"
    pump = opened(*gear.python(code))
    pump.until(lambda: pump.out == b"done\n", "it has worked")
    assert 0.2 <= pump.transport.cpu() < 60
    pump.transport.end_input()
    pump.until(lambda: pump.status is not None, "it has ended")
    assert pump.transport.cpu() >= pump.transport.usage_cpu >= 0.2
    assert pump.transport.cpu() == pump.transport.cpu()
    assert pump.transport.peak_kib > 1000


def test_no_more_of_a_flood_is_read_than_wanted(opened: Open) -> None:
    pump = opened("/bin/sh", "-c", "exec yes")
    pump.until(lambda: len(pump.out) > MIB, "it floods")
    pump.transport.deafen()
    read = len(pump.out)
    for _ in range(5):
        pump.turn(10)
    assert len(pump.out) == read
    pump.transport.deafen()  # twice is no matter


# --- how it is started --------------------------------------------------------------------------------------


def test_the_environment_is_exactly_the_one_given(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    env = shutil.which("env")
    assert env
    pump = opened(env, "-0", environment={"ONE": "a b", "TWO": "é=\n"})
    pump.until(lambda: pump.ended, "it has told")
    assert sorted(pump.out.rstrip(b"\0").split(b"\0")) == [b"ONE=a b", "TWO=é=\n".encode()]


def test_an_empty_environment_stays_empty(opened: Open) -> None:
    env = shutil.which("env")
    assert env
    pump = opened(env, environment={})
    pump.until(lambda: pump.ended, "it has told")
    assert pump.out == b""


def test_it_has_a_session_and_a_group_of_its_own_and_no_terminal(opened: Open, gear: ModuleType) -> None:
    code = "import os, sys; print(os.getpid(), os.getsid(0), os.getpgid(0), *map(os.isatty, range(3)))"
    pump = opened(*gear.python(code))
    pump.until(lambda: pump.ended, "it has told")
    pid = str(pump.transport.pid).encode()
    assert pump.out.split() == [pid, pid, pid, b"False", b"False", b"False"]


def test_it_starts_in_its_folder(opened: Open, gear: ModuleType, tmp_path: Path) -> None:
    pump = opened(*gear.python("import os; print(os.getcwd())"), folder=tmp_path)
    pump.until(lambda: pump.ended, "it has told")
    assert pump.out.decode().strip() == str(tmp_path.resolve())


@proc_only
def test_it_inherits_no_descriptor(opened: Open, gear: ModuleType) -> None:
    code = (
        "import os\n"
        "seen = []\n"
        "for fd in map(int, os.listdir('/proc/self/fd')):\n"
        "    try: seen.append((fd, os.readlink(f'/proc/self/fd/{fd}')))\n"
        "    except OSError: pass\n"
        "print(sorted(fd for fd, where in seen if not where.startswith('/proc/')))"
    )
    inheritable = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(inheritable, True)
    try:
        first = opened("/bin/cat")  # another bot's pipes must not be among them either
        pump = opened(*gear.python(code))
        pump.until(lambda: pump.ended, "it has told")
    finally:
        os.close(inheritable)
    assert pump.out.split(b"\n")[0] == b"[0, 1, 2]"
    assert first.status is None


@pytest.mark.parametrize(
    ("shebang", "mode", "reason"),
    [
        ("#!/no/such/interpreter", 0o755, "No such file"),
        ("#!/bin/sh", 0o644, "Permission denied"),
        ("", 0o755, "Exec format error"),
    ],
)
def test_what_cannot_be_started_is_told_in_one_line(
    script: Callable[..., Path], gear: ModuleType, shebang: str, mode: int, reason: str
) -> None:
    bot = script("bot", "echo\n", shebang=shebang, mode=mode)
    pump = gear.Pump([str(bot)])
    with pytest.raises(StartError, match=reason) as caught:
        pump.__enter__()
    assert "\n" not in str(caught.value)
    assert str(bot) in str(caught.value)
    assert pump.watched == {}
    pump.transport.stop()  # nothing was started, and nothing happens


def test_a_folder_that_is_not_there_is_told(gear: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(StartError):
        gear.Pump(["/bin/cat"], folder=tmp_path / "none").__enter__()


# --- how it is ended ----------------------------------------------------------------------------------------


@proc_only
def test_stop_leaves_no_zombie_no_descriptor_and_no_watch(opened: Open, gear: ModuleType) -> None:
    opened("/bin/cat").transport.stop()  # whatever is made once (the warden) is made now
    before = sorted(os.listdir("/proc/self/fd"))
    code = f"{gear.IGNORES_EVERYTHING}\nprint('up', flush=True)\nsignal.pause()"
    pump = opened(*gear.python(code))
    pump.until(lambda: pump.out == b"up\n", "it is up")
    pid = pump.transport.pid
    pump.transport.stop()
    assert not Path(f"/proc/{pid}").exists()
    assert pump.transport.status == -signal.SIGKILL
    assert sorted(os.listdir("/proc/self/fd")) == before
    assert pump.watched == {}
    pump.transport.stop()
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def test_stop_after_it_has_ended_by_itself(opened: Open) -> None:
    pump = opened("/bin/true")
    pump.until(lambda: pump.status is not None, "it has ended")
    pump.transport.stop()
    pump.transport.stop()
    assert pump.transport.status == 0
    assert pump.watched == {}


def test_stop_before_start_is_nothing() -> None:
    ProcessTransport(Launch(("/bin/cat",))).stop()


# --- whether it can still answer ----------------------------------------------------------------------------


def _can_tell(pump: Any) -> bool:
    try:
        Path(f"/proc/{pump.transport.pid}/syscall").read_bytes()
    except OSError:
        return False
    return True


def test_a_bot_that_waits_for_more_input_is_deaf(opened: Open, gear: ModuleType) -> None:
    pump = opened("/bin/cat")
    if not _can_tell(pump):
        pytest.skip("this system does not tell what a process waits for")
    gear.until(pump.transport.deaf, "cat waits for input")
    assert pump.transport.asleep()


def test_a_bot_that_works_in_another_thread_than_the_first_does_not_wait(
    opened: Open, gear: ModuleType
) -> None:
    """As a Java bot does: its first thread only waits for the one that plays."""
    code = (
        "import threading\n"
        "def work():\n    print('up', flush=True)\n    while True: pass\n"
        "threading.Thread(target=work).start()"
    )
    pump = opened(*gear.python(code))
    pump.until(lambda: pump.out == b"up\n", "it is up")
    gear.until(pump.transport.asleep, "its first thread waits for the other one")
    for _ in range(20):
        assert not pump.transport.waiting()
    waits = (
        "import sys, threading\nthreading.Thread(target=sys.stdin.readline).start()\nprint('up', flush=True)"
    )
    pump = opened(*gear.python(waits))
    pump.until(lambda: pump.out == b"up\n", "it is up")
    gear.until(pump.transport.waiting, "all of it waits")


def test_a_bot_that_works_sleeps_or_has_input_left_is_not_deaf(opened: Open, gear: ModuleType) -> None:
    codes = {
        "works": "print('up', flush=True)\nwhile True: pass",
        "sleeps": "import time\nprint('up', flush=True)\ntime.sleep(1000)",
        "has a thread": (
            "import sys, threading, time\n"
            "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
            "print('up', flush=True)\nsys.stdin.readline()"
        ),
    }
    for what, code in codes.items():
        pump = opened(*gear.python(code))
        pump.until(lambda pump=pump: pump.out == b"up\n", f"the bot that {what} is up")
        for _ in range(20):
            assert not pump.transport.deaf(), what
            time.sleep(0)
    full = opened(*gear.python("import signal; print('up', flush=True); signal.pause()"))
    full.until(lambda: full.out == b"up\n", "it is up")
    full.transport.send(b"x" * MIB)
    assert not full.transport.deaf()
    full.transport.end_input()
    assert not full.transport.deaf()
