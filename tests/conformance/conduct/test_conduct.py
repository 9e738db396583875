"""What is said of a bot's conduct: transcripts made by hand, judged without a bot, a process or a clock."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance import conduct
from pdcheck.conformance.findings import Finding
from pdcheck.conformance.transcript import Event, Exit, Line, Probe, Sent
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import Conduct

WANTED = Conduct("C-1", "C-2", "C-3", "C-4", most_memory=2**30)
PYTHON, JAVA, NODE, SHELL = "/py/bin/python3", "/jdk/bin/java", "/usr/bin/node", "/bin/dash"
JVM = (
    "java",
    "java",
    "GC Thread#0",
    "G1 Service",
    "VM Thread",
    "Reference Handl",
    "Finalizer",
    "C2 CompilerThre",
)
WATCH = {"looks": True, "calls": "seccomp", "rested": True, "pid": 7, "folder": "/work"}
WATCH |= {"own": ["/bots/mine"], "runtime": ["/py"]}
GIB = 1 << 20
"""In KiB."""


def process(exe: str, *threads: str, pid: int = 7, parent: int = 1, **more: Any) -> dict[str, Any]:
    names = {str(pid + at): name for at, name in enumerate(threads or ("bot",))}
    return {"pid": pid, "parent": parent, "exe": exe, "command": [exe], "threads": names, **more}


@dataclass
class Seen:
    """A transcript in the making; every event is a second after the one before, or as told."""

    events: list[Event] = field(default_factory=list)
    at: float = 100.0

    def probe(self, what: str, after: float = 1.0, **values: Any) -> Seen:
        self.at += after
        self.events.append(Probe(self.at, 0, what, values))
        return self

    def watch(self, **more: Any) -> Seen:
        return self.probe("watch", **{**WATCH, **more})

    def processes(self, *processes: dict[str, Any], after: float = 1.0) -> Seen:
        return self.probe("processes", after, processes=list(processes))

    def call(self, call: str, exe: str = PYTHON, pid: int = 7, **values: Any) -> Seen:
        return self.probe("call", pid=pid, exe=exe, call=call, **values)

    def opens(
        self, path: str, *, write: bool = False, exists: bool = True, call: str = "openat", **more: Any
    ) -> Seen:
        values = {
            "path": path,
            "real": path,
            "write": write,
            "flags": "0o0",
            "exists": exists,
            "folder": False,
        }
        return self.call(call, **{**values, **more})

    def idle(self, cpu: float, *, starved: float = 0.0, late: float = 0.0, **more: float) -> Seen:
        return self.probe("idle", **{"seconds": 0.2, "cpu": cpu, "starved": starved, "late": late, **more})

    def sent(self) -> Seen:
        self.at += 1
        self.events.append(Sent(self.at, 0, b"message\n", self.at, 0.0))
        return self

    def line(self, kind: str = "play") -> Seen:
        self.at += 1
        self.events.append(Line(self.at, 0, kind, b"", 0.0, 0.0))
        return self

    def exit(self, peak_kib: int) -> Seen:
        self.at += 1
        self.events.append(Exit(self.at, 0, 0, 0.0, peak_kib))
        return self

    def broken(self, *, whole: bool = False) -> list[str]:
        return [broken.requirement for broken in conduct.findings(self.events, WANTED, whole=whole)]

    def told(self) -> str:
        (broken,) = conduct.findings(self.events, WANTED)
        return broken.actual


def at_rest(*processes: dict[str, Any]) -> Seen:
    """A bot that waits for its first message."""
    return Seen().processes(*(processes or (process(PYTHON),))).watch()


def in_turn(*processes: dict[str, Any]) -> Seen:
    """A bot that has answered once and is asked again."""
    return at_rest(*processes).sent().line("init").sent()


# --- processes and threads ----------------------------------------------------------------------------------


def test_one_process_with_one_thread_is_as_it_should_be() -> None:
    assert in_turn().line().exit(10_000).broken() == []


def test_a_second_process_is_told_with_what_it_runs() -> None:
    seen = in_turn().processes(process(PYTHON), process("/usr/bin/yes", pid=8, parent=7)).line()
    assert seen.told().startswith("2 processes while it answered `play`: ")
    assert "/usr/bin/yes" in seen.told()


def test_a_shell_that_waits_for_the_bot_does_not_count() -> None:
    shell, bot = process(SHELL), process(PYTHON, pid=8, parent=7)
    assert in_turn(shell, bot).line().broken() == []
    assert in_turn(shell, bot).processes(shell, bot, process(PYTHON, pid=9, parent=8)).line().broken() == [
        "C-1"
    ]


@pytest.mark.parametrize(("held", "broken"), [(0.5, []), (2.9, []), (9.0, ["C-1"])])
def test_what_a_start_script_leaves_beside_the_bot_counts_when_it_is_seen_after_the_first_answer(
    held: float, broken: list[str]
) -> None:
    """`bot | tee log`: nothing changes after the start, so its processes are told once."""
    pipe = [process(SHELL), process(PYTHON, pid=8, parent=7), process("/usr/bin/tee", pid=9, parent=7)]
    seen = Seen().processes(*pipe).watch().sent().line("init").sent().line()
    seen.probe("held", seconds=held)
    assert seen.broken() == broken
    if broken:
        assert seen.told().startswith("2 processes still there after its first answer: ")


def test_what_a_start_script_runs_before_the_bot_is_there_does_not_count() -> None:
    seen = (
        Seen()
        .call("clone", SHELL, thread=False)
        .processes(process(SHELL), process("/bin/cat", pid=8, parent=7))
    )
    seen.opens("/etc/hostname", exe="/bin/cat", pid=8).processes(process(PYTHON)).watch().sent().line()
    assert seen.broken() == []


def test_a_child_too_short_lived_to_be_seen_is_known_by_the_call() -> None:
    assert (
        in_turn().call("clone", thread=False).line().told()
        == "python3 started a process while it answered `play` (clone)"
    )
    assert Seen().call("vfork", thread=False).processes(process(PYTHON)).watch().sent().line().broken() == [
        "C-1"
    ]


def test_a_shell_script_as_a_bot_may_not_run_commands_in_its_turns() -> None:
    assert in_turn(process(SHELL)).call("clone", SHELL, thread=False).line().broken() == ["C-1"]


@pytest.mark.parametrize("exe", [PYTHON, "/bots/mine/bot"])
def test_a_program_without_a_runtime_of_many_threads_has_one(exe: str) -> None:
    assert in_turn(process(exe, "bot", "bot")).line().broken() == ["C-1"]
    assert in_turn(process(exe)).call("clone3", exe, thread=True).line().broken() == ["C-1"]


def test_the_threads_of_a_virtual_machine_are_its_own_and_a_further_one_is_not() -> None:
    assert in_turn(process(JAVA, *JVM)).call("clone3", JAVA, thread=True).line().broken() == []
    seen = in_turn(process(JAVA, *JVM, "Thread-0")).line()
    assert "1 of them its own doing: `Thread-0`; JVM's own are not counted" in seen.told()
    assert in_turn(process(JAVA, *JVM, "ForkJoinPool.co")).line().broken() == ["C-1"]


def test_a_new_thread_may_bear_its_makers_name_for_a_moment() -> None:
    three = process(JAVA, "java", *JVM)
    assert in_turn().processes(three).processes(process(JAVA, *JVM), after=0.05).line().broken() == []
    assert in_turn().processes(three).processes(process(JAVA, *JVM), after=3).line().broken() == ["C-1"]


@pytest.mark.parametrize(
    ("exe", "first", "known"),
    [(JAVA, "java", ""), (NODE, "node", ""), ("/bots/mine/bot", "bot", "libcoreclr.so")],
)
def test_a_thread_that_bears_its_makers_name_counts_when_that_lasts(exe: str, first: str, known: str) -> None:
    def seen(held: float) -> list[str]:
        told = process(exe, *[first] * 12, libraries=[known])
        return (
            in_turn()
            .probe("processes", processes=[told], held=1.0)
            .probe("held", seconds=held)
            .line()
            .broken()
        )

    assert seen(0.0) == seen(0.3) == []
    assert seen(0.6) == ["C-1"]


def test_a_thread_that_was_seen_once_does_not_count() -> None:
    def seen(held: float) -> list[str]:
        own = process(JAVA, *JVM, "Thread-0")
        told = in_turn().probe("processes", processes=[own], held=1.0)
        return told.probe("processes", processes=[process(JAVA, *JVM)], held=held).line().broken()

    assert seen(0.0) == []
    assert seen(0.03) == ["C-1"]


def test_a_thread_that_is_seen_on_beside_others_counts() -> None:
    told = in_turn()
    for more in range(3):
        own = process(JAVA, *JVM, "Thread-0", *["GC Thread#1"] * more)
        told.probe("processes", 0.02, processes=[own], held=0.0)
    assert told.line().broken() == ["C-1"]


@pytest.mark.parametrize(("many", "broken"), [(7, []), (8, ["C-1"]), (11, []), (12, ["C-1"])])
def test_nameless_threads_are_counted(many: int, broken: list[str]) -> None:
    assert in_turn(process(NODE, *["node"] * many)).line().broken() == broken


def test_worker_threads_with_names_are_known_by_them() -> None:
    own = ("MainThread", *["V8Worker"] * 4, "DelayedTaskSche", "SignalInspector", "libuv-worker")
    assert in_turn(process(NODE, *own)).line().broken() == []
    assert in_turn(process(NODE, *own, "WorkerThread")).line().broken() == ["C-1"]


@pytest.mark.parametrize(
    ("exe", "script", "known", "most"),
    [
        (NODE, "nimble.js", "", 7),
        (NODE, "a-very-long-nam", "", 11),
        (JAVA, "jbot", "", 2),
        ("/bots/mine/bot", "bot", "libcoreclr.so", 3),
    ],
)
def test_threads_without_names_bear_that_of_a_script_that_the_kernel_started(
    exe: str, script: str, known: str, most: int
) -> None:
    own = JVM[2:] if exe == JAVA else ()
    assert in_turn(process(exe, *[script] * most, *own, libraries=[known])).line().broken() == []
    more = process(exe, *[script] * (most + 1), *own, libraries=[known])
    assert in_turn(more).line().broken() == ["C-1"]
    assert in_turn(process(exe, *[script] * most, *own, "mine", libraries=[known])).line().broken() == ["C-1"]


def test_a_second_thread_with_the_first_ones_name_is_none_of_a_runtime_that_names_its_own() -> None:
    assert in_turn(process("/usr/bin/ruby3.1", "bot", "bot")).line().broken() == ["C-1"]


def test_a_script_may_be_called_like_a_thread_of_its_runtime() -> None:
    own = ["Finalizer", "Finalizer", *JVM[2:]]
    assert in_turn(process(JAVA, *own)).line().broken() == []


@pytest.mark.parametrize("later", [["mybot"] * 4, []])
def test_threads_of_a_process_that_renamed_itself_bear_its_older_or_its_newer_name(later: list[str]) -> None:
    def renamed(*more: str) -> Seen:
        seen = Seen().processes(process(NODE, *["nimble.js"] * 7)).watch().sent().line("init").sent()
        return seen.processes(process(NODE, "mybot", *["nimble.js"] * 6, *later, *more)).line()

    assert renamed().broken() == []
    assert renamed("mybot").broken() == ["C-1"]
    assert renamed("nimble.js").broken() == ["C-1"]


def test_the_older_name_is_known_by_the_file_that_was_executed_too() -> None:
    own = process(NODE, "mybot", *["a-very-long-nam"] * 6)
    run: dict[str, Any]
    run = {"path": "/bots/mine/a-very-long-name.js", "command": ["./a-very-long-name.js"], "folder": "/work"}
    seen = Seen().call("execve", **run).processes(own).watch().sent().line("init").sent()
    assert seen.line().broken() == []
    assert at_rest(own).sent().line("init").sent().line().broken() == ["C-1"]
    told = Seen().processes(own).watch(program="a-very-long-name.js").sent().line("init").sent()
    assert told.line().broken() == []


def test_a_virtual_machine_in_another_program_is_known_by_its_library() -> None:
    assert in_turn(process("/bots/mine/bot", *JVM)).line().broken() == ["C-1"]
    assert in_turn(process("/bots/mine/bot", *JVM, libraries=["libjvm.so"])).line().broken() == []


def test_threads_of_a_go_program_are_its_runtimes() -> None:
    assert in_turn(process("/bots/mine/bot", *["bot"] * 6, go=True)).line().broken() == []


RUBY, DOTNET, MONO, SBCL = "/usr/bin/ruby3.1", "/usr/bin/dotnet", "/usr/bin/mono-sgen", "/usr/bin/sbcl"


@pytest.mark.parametrize(
    ("exe", "threads"),
    [
        (RUBY, ["ruby3.1"]),
        (RUBY, ["ruby3.1", "ruby-timer-thr"]),
        (DOTNET, ["dotnet", ".NET SynchManag", ".NET SigHandler", ".NET Finalizer"]),
        (MONO, ["mono", "Finalizer"]),
        (SBCL, ["sbcl", "finalizer"]),
        ("/bots/mine/haskell", ["haskell", "ghc_ticker", "ghc_worker"]),
    ],
)
def test_a_runtime_with_the_programs_own_first_thread_is_as_it_should_be(
    exe: str, threads: list[str]
) -> None:
    assert in_turn(process(exe, *threads)).call("clone3", exe, thread=True).line().broken() == []
    assert in_turn(process(exe, *threads)).line().broken() == []
    assert in_turn(process(exe, *threads, "mine")).line().broken() == ["C-1"]


def test_the_first_thread_is_known_by_its_number_not_by_its_rank() -> None:
    """Thread numbers begin anew when the kernel has given out the last one."""
    ruby = process(RUBY, "ruby", pid=30000)
    ruby["threads"]["301"] = "ruby-timer-thr"
    assert in_turn(ruby).line().broken() == []
    ruby["threads"]["302"] = "mine"
    assert "`mine`" in in_turn(ruby).line().told()


def test_a_thread_that_a_library_starts_is_none_of_its_own_also_when_the_call_was_seen() -> None:
    exe = "/bots/mine/bot"
    seen = in_turn(process(exe, "bot", "jemalloc_bg_thd")).call("clone3", exe, thread=True)
    assert seen.line().broken() == []
    assert seen.call("clone3", exe, thread=True).line().broken() == ["C-1"]


def test_in_a_whole_match_numeric_libraries_have_the_threads_that_they_want() -> None:
    seen = in_turn(process(PYTHON, *["python3"] * 4, libraries=["libopenblas64_p-r0.so"])).line()
    assert seen.broken(whole=True) == []
    assert seen.broken() == ["C-1"], "where they are told to have one thread"


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
