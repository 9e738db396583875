"""What bots may try against the machine: none gets out, none outlives its end, and a good bot plays on afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from pdcheck.conformance.sandbox import host
from pdcheck.conformance.sandbox.run import Ran, run_inside
from pdcheck.conformance.sandbox.walls import MIB, Bind, Limits, Walls
from pdcheck.conformance.sandbox.workshop import Workshop

PYTHON = ("/usr/bin/python3", "-I", "-S", "-c")
SMALL = 96 * MIB
Attack = Callable[..., Ran]


@pytest.fixture
def attack(workshop: Workshop, needs: Callable[[str], str], gear: ModuleType) -> Iterator[Attack]:
    """Run Python code in walls with room for 96 MiB and 8 processes; a good bot runs after it."""
    needs("python3")

    def run(code: str, walls: Walls | None = None, timeout: float = 60.0, **more: int) -> Ran:
        limits = replace(Limits(memory=SMALL, tasks=8, file_bytes=8 * MIB), **more)
        inside = replace(walls or host.walls(), limits=limits, tmp_bytes=8 * MIB)
        return run_inside((*PYTHON, code), inside, workshop, timeout=timeout)

    yield run
    ran = run_inside(("/bin/cat",), host.walls(), workshop, stdin=b"still here\n")
    assert ran[:4] == (0, b"still here\n", b"", "exit")
    gear.until(lambda: not _groups(workshop), "its groups are gone")


def _groups(workshop: Workshop) -> list[str]:
    if workshop.cgroups is None:
        return []
    return [name for name in os.listdir(workshop.cgroups.path) if name.startswith(workshop.cgroups.token)]


# --- processes ----------------------------------------------------------------------------------------------

FORK_BOMB = """
import os
def fork():
    try:
        return os.fork()
    except OSError:
        return -1
while (pid := fork()) >= 0:
    if pid == 0:
        while True:
            fork()
most = 0
for _ in range(2000):
    fork()
    most = max(most, len([name for name in os.listdir("/proc") if name.isdigit()]))
os.write(1, b"%d" % most)
os._exit(0)
"""


def test_a_fork_bomb_has_no_more_than_its_share_and_ends_with_its_parent(attack: Attack) -> None:
    ran = attack(FORK_BOMB, timeout=60)
    assert ran.how_ended == "exit"
    assert 2 <= int(ran.stdout) <= 9  # the first process is bubblewrap's own


@pytest.mark.parametrize("tasks", [1, 2, 5])
def test_so_many_processes_and_no_more(attack: Attack, tasks: int) -> None:
    code = """
import os
born = 1
try:
    while True:
        if os.fork() == 0:
            os.read(0, 1)
            os.kill(os.getpid(), 19)
        born += 1
except OSError as error:
    print(born, error.errno, flush=True)
os._exit(0)
"""
    assert attack(code, tasks=tasks).stdout.split() == [b"%d" % tasks, b"11"]


def test_threads_count_as_well(attack: Attack) -> None:
    code = """
import _thread, time
begun = 1
try:
    while True:
        _thread.start_new_thread(time.sleep, (60,))
        begun += 1
except RuntimeError:
    print(begun, flush=True)
import os
os._exit(0)
"""
    assert attack(code, tasks=4).stdout.split() == [b"4"]


def test_killing_everybody_reaches_nobody(attack: Attack) -> None:
    code = """
import os, signal
for target in (os.getppid(), 1, -1):
    for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM):
        try:
            os.kill(target, number)
        except OSError:
            pass
print("lives", os.getppid())
"""
    ran = attack(code)
    assert ran[:2] == (0, b"lives 1\n")


def test_its_group_and_session_end_with_it(attack: Attack) -> None:
    code = """
import os
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(3):
                os.close(fd)
            while True:
                pass
        os._exit(0)
"""
    assert attack(code).status == 0  # what is left of it is looked for in the transport's tests


# --- memory -------------------------------------------------------------------------------------------------

FILLS = {
    "anonymous pages": "x = [bytes([n % 250 + 1]) * 4194304 for n in range(50)]",
    "a private mapping": "import mmap\n"
    "m = mmap.mmap(-1, 200 << 20, flags=34)\nfor n in range(0, 200 << 20, 4096): m[n] = 1",
    "a shared mapping": "import mmap\nm = mmap.mmap(-1, 200 << 20)\nfor n in range(0, 200 << 20, 4096): m[n] = 1",
    "a growing heap": "x = bytearray()\nwhile len(x) < 200 << 20: x += b'y' * 1048576",
}


@pytest.mark.parametrize("what", FILLS)
@pytest.mark.parametrize("counted", [True, False])
def test_memory_has_an_end(attack: Attack, workshop: Workshop, what: str, counted: bool) -> None:
    if not counted:
        workshop.cgroups = None
    ran = attack(FILLS[what] + "\nprint('filled')")
    assert b"filled" not in ran.stdout
    assert (ran.how_ended, ran.status) == ("memory", -9) if workshop.cgroups else b"Error" in ran.stderr


def test_memory_of_all_its_processes_is_one(attack: Attack, workshop: Workshop) -> None:
    if workshop.cgroups is None:
        pytest.skip("no memory cgroup can be made here: only each process is limited")
    # Each of them alone has room enough.
    code = """
import os
line, hold = os.pipe()
for _ in range(4):
    if os.fork() == 0:
        os.close(hold)
        x = [bytes([n % 250 + 1]) * 4194304 for n in range(10)]
        os.read(line, 1)
        os._exit(0)
print(os.wait()[1], flush=True)
"""
    assert attack(code).stdout == b"9\n"


def test_files_in_memory_have_an_end(attack: Attack) -> None:
    code = """
import os
names = ["/tmp/%d" % n for n in range(40)]
written = 0
try:
    for name in names:
        with open(name, "wb", buffering=0) as file:
            while file.tell() < 1 << 20:
                written += file.write(b"x" * 65536)
except OSError as error:
    print(error.errno, written)
"""
    error, written = map(int, attack(code).stdout.split())
    assert error == 28
    assert written <= 8 * MIB


def test_empty_files_have_an_end(attack: Attack, workshop: Workshop) -> None:
    code = """
import os
for n in range(1_000_000):
    os.close(os.open("/tmp/%d" % n, os.O_CREAT))
print("filled")
"""
    # An empty file takes memory of the kernel's: a memory cgroup counts that, and without one nothing does.
    ran = (
        attack(code)
        if workshop.cgroups
        else run_inside((*PYTHON, code), replace(host.walls(), tmp_bytes=0), workshop)
    )
    assert b"filled" not in ran.stdout
    assert ran.how_ended == "memory" if workshop.cgroups else b"Read-only" in ran.stderr


def test_a_mapped_file_has_an_end(attack: Attack) -> None:
    code = """
import mmap, os
with open("/tmp/x", "w+b") as file:
    os.ftruncate(file.fileno(), 8 << 20)
    with open("/tmp/y", "wb") as other:
        other.write(b"y" * (4 << 20))
    m = mmap.mmap(file.fileno(), 8 << 20)
    for n in range(0, 8 << 20, 4096):
        m[n] = 1
print("filled")
"""
    ran = attack(code)
    assert b"filled" not in ran.stdout
    assert ran.status == -7  # SIGBUS: there is no room for the page


def test_a_file_without_end_ends(attack: Attack) -> None:
    code = """
import os
fd = os.open("/tmp/x", os.O_CREAT | os.O_WRONLY)
try:
    os.ftruncate(fd, 1 << 40)
except OSError as error:
    print(error.errno)
"""
    assert attack(code).stdout == b"27\n"


# --- what bytes cannot tell ---------------------------------------------------------------------------------


def test_output_without_end_ends(workshop: Workshop) -> None:
    ran = run_inside(("/usr/bin/yes",), host.walls(), workshop, most_output=1 << 16)
    assert (ran.how_ended, len(ran.stdout)) == ("output", 1 << 16)


def test_one_that_never_reads_is_not_waited_for(workshop: Workshop) -> None:
    ran = run_inside(("/bin/sleep", "1000"), host.walls(), workshop, stdin=b"x" * MIB, timeout=0.5)
    assert ran.how_ended == "timeout"


def test_one_that_closes_its_streams_is_not_waited_for(attack: Attack) -> None:
    ran = attack("import os\nfor fd in range(3): os.close(fd)\nwhile True: pass", timeout=0.5)
    assert ran.how_ended == "timeout"


def test_one_that_stops_itself_is_ended(attack: Attack) -> None:
    assert attack("import os; os.kill(0, 19)", timeout=0.5).how_ended == "timeout"


def test_a_folder_that_grows_is_seen(workshop: Workshop) -> None:
    room = workshop.room("room")
    walls = replace(host.walls(Bind(room, "/room", True)), limits=Limits(tasks=8))
    code = "for n in range(10**9):\n    with open('/room/%d' % n, 'wb') as f: f.write(b'x' * 1000000)"
    ran = run_inside((*PYTHON, code), walls, workshop, grows={room: 4 * MIB}, timeout=60)
    assert ran.how_ended == "grown"
    empty = "import os\nfor n in range(10**9): os.close(os.open('/room/e%d' % n, os.O_CREAT))"
    shutil.rmtree(room)
    room = workshop.room("room")
    assert run_inside((*PYTHON, empty), walls, workshop, grows={room: MIB}, timeout=60).how_ended == "grown"


def test_setuid_programs_give_nothing(attack: Attack) -> None:
    found = [path for path in ("/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd") if os.path.exists(path)]
    if not found:
        pytest.skip("no setuid program here (Debian package passwd)")
    code = f"import os\nos.execv({found[0]!r}, ['x', '--version'])"
    assert attack("import os\nprint(os.geteuid())").stdout == b"1000\n"
    assert attack(code).how_ended == "exit"


# --- in C ---------------------------------------------------------------------------------------------------

INT80 = """
#include <stdio.h>
int main(void) {
    long answer;
    __asm__ volatile("int $0x80" : "=a"(answer) : "a"(20) : "memory");
    printf("answered %ld\\n", answer);
    return 0;
}
"""
BOMB = """
#include <unistd.h>
int main(void) { for (;;) fork(); }
"""
RECURSION = """
#include <string.h>
static int deep(volatile char *above) { char here[65536]; memset(here, 1, sizeof here); return deep(here) + above[0]; }
int main(void) { char first[1] = {0}; return deep(first); }
"""
NAMESPACE = """
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    unsigned long long args[8] = {CLONE_NEWUSER, 0, 0, 0, 17, 0, 0, 0};
    long one = syscall(SYS_clone3, args, sizeof args), error = errno;
    long two = syscall(SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0);
    printf("%ld %ld %ld %d\\n", one, error, two, errno);
    return 0;
}
"""


@pytest.fixture
def compiled(
    workshop: Workshop, needs: Callable[[str], str], tmp_path: Path
) -> Callable[[str], tuple[str, Walls]]:
    """Compile C outside and give the program's path inside, and walls with it."""

    def build(source: str) -> tuple[str, Walls]:
        (tmp_path / "x.c").write_text(source)
        folder = workshop.room("program")
        program = f"{folder}/x"
        subprocess.run([needs("gcc"), "-w", "-o", program, str(tmp_path / "x.c")], check=True)
        workshop.give(folder)
        return "/program/x", host.walls(Bind(folder, "/program"), limits=Limits(tasks=8, memory=SMALL))

    return build


Compiled = Callable[[str], tuple[str, Walls]]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="an instruction of x86_64")
def test_another_way_into_the_kernel_is_death(compiled: Compiled, workshop: Workshop) -> None:
    program, walls = compiled(INT80)
    ran = run_inside((program,), walls, workshop)
    assert ran.stdout == b""
    assert ran.how_ended == "signal"


def test_a_fork_bomb_in_c_is_ended(compiled: Compiled, workshop: Workshop, gear: ModuleType) -> None:
    program, walls = compiled(BOMB)
    ran = run_inside((program,), walls, workshop, timeout=1.0)
    assert ran.how_ended == "timeout"
    assert not gear.bearers("/program/x")


def test_endless_recursion_is_a_segmentation_fault(compiled: Compiled, workshop: Workshop) -> None:
    program, walls = compiled(RECURSION)
    ran = run_inside((program,), walls, workshop)
    assert (ran.status, ran.how_ended) == (-11, "signal")


def test_no_namespace_by_any_call(compiled: Compiled, workshop: Workshop) -> None:
    program, walls = compiled(NAMESPACE)
    assert run_inside((program,), walls, workshop).stdout == b"-1 38 -1 1\n"
