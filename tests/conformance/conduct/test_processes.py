"""What is said of a bot's processes and threads: transcripts made by hand."""

from __future__ import annotations

from typing import Any

import pytest
from seen import JAVA, JVM, NODE, PYTHON, SHELL, Seen, at_rest, in_turn, process


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
