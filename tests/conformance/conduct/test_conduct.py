"""What is said of a bot's conduct: transcripts made by hand, judged without a bot, a process or a clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance import conduct
from pdcheck.conformance.findings import Finding
from pdcheck.referee.catalogue import Level
from seen import GIB, JAVA, JVM, NODE, PYTHON, WANTED, Seen, at_rest, in_turn, process

# --- CPU in others' turns -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tries", "broken"),
    [
        ((0.0, 0.0), []),
        ((0.1, 0.0, 0.0), []),
        ((0.1, 0.0, 0.1), ["C-2"]),
        ((0.041, 0.041), ["C-2"]),
        ((0.039, 0.039), []),
    ],
)
def test_two_busy_tries_of_three_break_it(tries: tuple[float, ...], broken: list[str]) -> None:
    seen = in_turn()
    for cpu in tries:
        seen.line().idle(cpu).sent()
    assert seen.broken() == broken
    assert "C-2" in conduct.covered(seen.events, WANTED)


@pytest.mark.parametrize("how", [{"late": 0.3}, {"stalled": 0.3}])
def test_a_machine_that_stood_still_proves_nothing_against_it(how: dict[str, float]) -> None:
    seen = in_turn().idle(0.1, **how).idle(0.1, **how).idle(0.1, **how)
    assert seen.broken() == []
    assert conduct.uncertain(seen.events, WANTED) == {"C-2"}


def test_what_it_waited_for_a_core_does_not_count() -> None:
    assert in_turn().idle(0.03, starved=0.1).idle(0.03, starved=0.1).broken() == ["C-2"]
    nothing = in_turn().idle(0.0, starved=0.19).idle(0.0, starved=0.19)
    assert nothing.broken() == []
    assert conduct.uncertain(nothing.events, WANTED) == {"C-2"}


def test_a_calm_bot_is_proven_calm_on_a_slow_machine_too() -> None:
    seen = in_turn().idle(0.0, late=2.0).idle(0.0, late=2.0)
    assert conduct.uncertain(seen.events, WANTED) == set()
    assert "C-2" in conduct.covered(seen.events, WANTED)


# --- memory -------------------------------------------------------------------------------------------------


def test_memory_is_that_of_the_whole_tree() -> None:
    assert in_turn().probe("memory", kib=GIB, how="peak", processes=1).line().exit(GIB).broken() == []
    seen = in_turn().probe("memory", kib=GIB + 1, how="sum", processes=2).line().exit(1000)
    assert seen.told() == "1,024 MiB of 2 processes while it answered `play`"
    assert in_turn().line().exit(GIB + 1).told() == "a peak of 1,024 MiB"


# --- files and connections ----------------------------------------------------------------------------------


READABLE = """
/usr/lib/libc.so.6 /lib64/ld.so /etc/ld.so.cache /dev/urandom /proc/self/maps /proc/7/status /proc/7/task/9/comm
/proc/cpuinfo /sys/devices/system/cpu/online /sys/fs/cgroup/memory.max /bots/mine/table.bin /bots/mine /py/lib/os.py
/bots/package.json /etc/localtime
"""
FOREIGN = """
/etc/hosts /etc/passwd /house/me/x /tmp/x /proc/1/cmdline /proc/7/cwd/x /bots/other/bot.py
/bots/minefield /var/log/x /dev/shm/x /dev/sda /proc/7/fd/9
"""


@pytest.mark.parametrize("path", READABLE.split())
def test_what_may_be_read_at_any_time(path: str) -> None:
    assert in_turn().opens(path).line().broken() == []


ROUND_ABOUT = str(Path("/proc/self/root", "etc", "hosts"))
"""What the kernel calls a process's own `/` leads everywhere."""


@pytest.mark.parametrize("path", [*FOREIGN.split(), ROUND_ABOUT])
def test_what_may_not_be_read(path: str) -> None:
    assert in_turn().opens(path).line().broken() == ["C-4"]


@pytest.mark.parametrize(
    ("path", "broken"),
    [
        ("/dev/null", []),
        ("/tmp/hsperfdata_me/7", []),
        ("/py/lib/__pycache__/os.pyc", []),
        ("/bots/mine/__pycache__/a.pyc.77", []),
        ("/bots/mine/log.txt", ["C-4"]),
        ("/py/lib/os.py", ["C-4"]),
        ("/usr/x", ["C-4"]),
        ("/tmp/__pycache__/x", ["C-4"]),
        ("/tmp/x", ["C-4"]),
    ],
)
def test_what_may_be_written(path: str, broken: list[str]) -> None:
    assert in_turn().opens(path, write=True, exists=False).line().broken() == broken


def test_at_its_start_libc_may_ask_who_runs_it_and_runtimes_may_look_for_what_is_not_there() -> None:
    for seen in (
        Seen().opens("/etc/passwd"),
        Seen().opens("/house/me/.javarc", exists=False),
        Seen().opens("/house/me/common/primes.py"),
    ):
        assert seen.processes(process(PYTHON)).watch().sent().line().broken() == []
    assert (
        "which is not there, was opened for reading" in in_turn().opens("/var/x", exists=False).line().told()
    )


def test_the_finding_quotes_path_call_flags_and_when() -> None:
    told = in_turn().opens("/tmp/x", write=True, flags="0o102").line().told()
    assert told == "/tmp/x was opened for writing while it answered `play` (openat, flags 0o102)"
    assert in_turn().line().opens("/tmp/x", write=True, call="unlink").told() == (
        "/tmp/x was removed after its answer to `play` (unlink)"
    )


def test_a_path_cannot_drive_a_terminal() -> None:
    assert in_turn().opens("/tmp/\x1b[31m\udcff").line().told().isprintable()


@pytest.mark.parametrize(
    ("values", "broken"),
    [
        ({"call": "socket", "family": "AF_INET"}, ["C-4"]),
        ({"call": "socket", "family": "AF_PACKET"}, ["C-4"]),
        ({"call": "socket", "family": "AF_UNIX"}, []),
        ({"call": "connect", "family": "AF_UNIX", "address": "/var/run/nscd/socket"}, []),
        ({"call": "connect", "family": "AF_UNIX", "address": "/tmp/other"}, ["C-4"]),
        ({"call": "connect", "family": "AF_INET", "address": "127.0.0.1:80"}, ["C-4"]),
        ({"call": "bind", "family": "AF_INET6", "address": "[::1]:80"}, ["C-4"]),
    ],
)
def test_sockets(values: dict[str, Any], broken: list[str]) -> None:
    assert in_turn().call(**values).line().broken() == broken


LOOKS_FOR_IPV6 = "/proc/net/if_inet6"


def starting(exe: str, **more: Any) -> Seen:
    """A bot at its start that looks which kinds of socket there are, as Java's library `net` does."""
    seen = Seen().processes(process(exe, *JVM, **more)).opens(LOOKS_FOR_IPV6, exe=exe)
    for family in ("AF_INET", "AF_INET6"):
        seen.call("socket", exe, family=family)
    return seen


@pytest.mark.parametrize(
    ("exe", "more", "broken"),
    [
        (JAVA, {}, []),
        ("/bots/mine/bot", {"libraries": ["libjvm.so"]}, []),
        (PYTHON, {}, ["C-1", "C-4"]),
        (NODE, {}, ["C-1", "C-4"]),
    ],
)
def test_a_virtual_machine_may_look_which_sockets_there_are(
    exe: str, more: dict[str, Any], broken: list[str]
) -> None:
    assert starting(exe, **more).watch().sent().line("init").sent().line().broken() == broken


@pytest.mark.parametrize(
    "values",
    [
        {"call": "connect", "family": "AF_INET", "address": "127.0.0.1:80"},
        {"call": "bind", "family": "AF_INET6", "address": "[::]:0"},
        {"call": "socket", "family": "AF_PACKET"},
    ],
)
def test_a_virtual_machines_bot_may_connect_to_nothing(values: dict[str, Any]) -> None:
    assert starting(JAVA).call(exe=JAVA, **values).watch().sent().line().broken() == ["C-4"]


@pytest.mark.parametrize("path", ["/proc/net/tcp", "/proc/net/route"])
def test_a_virtual_machines_bot_may_not_look_at_the_network_further(path: str) -> None:
    assert starting(JAVA).opens(path, exe=JAVA).watch().sent().line().broken() == ["C-4"]


def test_a_virtual_machines_bot_may_make_no_socket_in_its_turns() -> None:
    late = in_turn(process(JAVA, *JVM))
    assert late.call("socket", JAVA, family="AF_INET").line().broken() == ["C-4"]
    late = in_turn(process(JAVA, *JVM))
    assert late.opens(LOOKS_FOR_IPV6, exe=JAVA).line().broken() == ["C-4"]


@pytest.mark.parametrize("call", ["io_uring_setup", "io_uring_enter"])
def test_an_io_uring_opens_files_unseen_unless_it_is_a_runtimes(call: str) -> None:
    assert "io_uring" in in_turn().call(call, ring=True).line().told()
    assert in_turn(process(NODE)).call(call, NODE, ring=True).line().broken() == []
    at_start = Seen().call(call, ring=True).processes(process(PYTHON)).watch().sent().line()
    assert at_start.broken() == []


def test_before_it_reads_everything_is_its_start() -> None:
    asleep = Seen().processes(process(PYTHON)).watch(rested=False).sent().opens("/etc/passwd")
    assert asleep.line().broken() == []
    assert asleep.sent().opens("/etc/passwd").line().broken() == ["C-4"]
    assert at_rest().sent().opens("/etc/passwd").line().broken() == ["C-4"]


def test_folders_that_were_found_later_count_from_the_beginning() -> None:
    seen = (
        Seen().processes(process(PYTHON)).watch(rested=False, own=["/usr/bin"]).sent().opens("/bots/mine/t")
    )
    assert seen.watch(rested=False).line().sent().opens("/bots/mine/t").line().broken() == []


def test_what_is_only_seen_open_is_told_too() -> None:
    file: dict[str, Any] = {
        "pid": 7,
        "exe": PYTHON,
        "how": "descriptor",
        "path": "/tmp/x",
        "flags": "0o2",
        "write": True,
    }
    assert "/tmp/x is open for writing" in in_turn().probe("opened", **file).line().told()
    socket: dict[str, Any] = {"pid": 7, "exe": PYTHON, "how": "socket", "family": "tcp", "address": ""}
    assert "a tcp socket is open" in in_turn().probe("opened", **socket).line().told()


def test_a_folder_that_is_open_for_a_moment_at_the_start_is_the_runtimes() -> None:
    """A JVM opens its working folder, to come back to it when it has looked at another."""
    folder: dict[str, Any] = {
        "pid": 7,
        "exe": "/usr/lib/jvm/bin/java",
        "how": "descriptor",
        "path": "/bots/theirs",
        "flags": "0o100000",
        "write": False,
        "folder": True,
    }
    at_start = Seen().probe("opened", **folder).processes(process(PYTHON)).watch().sent().line()
    assert at_start.broken() == []
    assert in_turn().probe("opened", **folder).line().broken() == ["C-4"]
    file = Seen().probe("opened", **{**folder, "folder": False}).processes(process(PYTHON)).watch()
    assert file.sent().line().broken() == ["C-4"]


def test_a_bot_that_was_gone_at_once_is_not_judged_by_its_files() -> None:
    assert Seen().opens("/py/lib/os.py").exit(1000).broken() == []


# --- what was put to the test -------------------------------------------------------------------------------


def test_what_nobody_looked_at_is_not_covered() -> None:
    assert conduct.covered(Seen().sent().line().events, WANTED) == set()
    assert conduct.covered(Seen().watch(looks=False).sent().line().events, WANTED) == set()
    assert conduct.covered(in_turn().line().events, WANTED) == {"C-1", "C-3", "C-4"}


@pytest.mark.parametrize("how", [{"unreadable": 3}, {"files": "off"}])
def test_files_whose_paths_nobody_could_read_are_not_covered(how: dict[str, Any]) -> None:
    assert conduct.covered(in_turn().watch(**how).line().events, WANTED) == {"C-1", "C-3"}


def finding(requirement: str, actual: str = "…") -> Finding:
    return Finding(requirement, Level.MUST, "…", "…", actual)


@pytest.mark.parametrize(
    ("other", "own", "lowered"),
    [
        (finding("IO-11", "its process group is not empty"), "C-1", True),
        (finding("IO-11", "still running 2 s after SIGTERM"), "C-1", False),
        (finding("IO-14"), "C-4", True),
        (finding("IO-14"), "C-1", False),
        (replace(finding("IO-14"), level=Level.INFO), "C-4", False),
    ],
)
def test_what_comes_with_another_fault_by_necessity_is_only_told_beside_it(
    other: Finding, own: str, lowered: bool
) -> None:
    told = conduct.told_elsewhere([finding(own), other], WANTED)
    assert [f.level for f in told if f.requirement == own] == [Level.INFO if lowered else Level.MUST]
    assert other in told
