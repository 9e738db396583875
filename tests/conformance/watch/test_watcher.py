"""The eye on a bot: what it writes down of real processes, with and without the kernel's help."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Exit, Line, Probe, Sent
from pdcheck.conformance.watch import observer, places, processes
from pdcheck.conformance.watch.watcher import Watcher

Watched = Callable[..., Runner]
Probes = Callable[[Runner, str], list[Any]]

ECHO = "import sys\nfor line in sys.stdin: print('re:', line, end='', flush=True)"
DOES = "import os, sys\nfor line in sys.stdin:\n    {deed}\n    print('re:', line, end='', flush=True)"
BOTH = pytest.mark.parametrize("observed", [True, False])


def answers(runner: Runner) -> list[bytes]:
    return [event.data for event in runner.log.events if isinstance(event, Line)]


@BOTH
def test_a_watched_bot_does_what_it_would_do_unwatched(watched: Watched, observed: bool) -> None:
    runner = watched(ECHO, 20, observed=observed)
    assert answers(runner) == [b"re: q%d" % number for number in range(20)]
    assert [event.status for event in runner.log.events if isinstance(event, Exit)] == [0]


@BOTH
def test_how_it_is_watched_is_told_before_the_first_message(
    watched: Watched, probes: Probes, observed: bool
) -> None:
    runner = watched(ECHO, observed=observed)
    (told,) = probes(runner, "watch")
    assert told["looks"]
    assert told["rested"]
    assert told["calls"] == ("seccomp" if observed else "off")
    events = runner.log.events
    first = next(at for at, event in enumerate(events) if isinstance(event, Sent))
    assert any(isinstance(event, Probe) and event.what == "watch" for event in events[:first])


@BOTH
@pytest.mark.parametrize(
    "body", ["sleep 0.3\ncd ../two\nexec {python} bot.py", "cd ../two\nexec {python} bot.py"]
)
def test_folders_are_those_of_the_program_that_comes_last(
    watched: Watched, probes: Probes, tmp_path: Path, observed: bool, body: str
) -> None:
    for name, file, text in (
        ("one", "run.sh", f"#!/bin/sh\ncd {tmp_path}/one\n{body.format(python=sys.executable)}\n"),
        ("two", "bot.py", ECHO),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text(text)
        (tmp_path / name / file).chmod(0o755)
    runner = watched([str(tmp_path / "one" / "run.sh")], observed=observed)
    last = probes(runner, "watch")[-1]
    assert {str(tmp_path / "one"), str(tmp_path / "two")} <= set(last["own"])
    assert last["looks"]


def test_a_bot_that_was_first_seen_in_mid_exec_has_its_folders(
    watched: Watched, probes: Probes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, script = tmp_path / "there" / "bot.py", tmp_path / "bot.sh"
    bot.parent.mkdir()
    bot.write_text("for line in __import__('sys').stdin: print('re', flush=True)\n", "utf-8")
    script.write_text(f"exec {shlex.join([sys.executable, '-S', str(bot)])}\n", "utf-8")
    look, begin, without_words = processes.look, Watcher._begin_watch, [True]

    def looks(pid: int) -> processes.Seen | None:
        seen = look(pid)
        return seen._replace(command=()) if seen and without_words else seen

    def begins(watcher: Watcher) -> None:
        deaf = watcher._transport.deaf
        # Asked after the look: what it did in between is what this is about.
        monkeypatch.setattr(watcher._transport, "deaf", lambda: bool(without_words.pop()) and deaf())
        begin(watcher)

    monkeypatch.setattr(processes, "look", looks)
    monkeypatch.setattr(Watcher, "_begin_watch", begins)
    runner = watched(["/bin/sh", str(script)], observed=False)
    assert not without_words
    told = probes(runner, "watch")[-1]
    assert str(bot.parent) in told["own"]
    # Of an interpreter that is a link (a virtual environment's) the folder behind it is known by what runs alone.
    behind = str(Path(sys.executable).resolve().parents[1])
    assert behind in told["runtime"] or behind in places.TOO_WIDE


@BOTH
def test_a_bot_that_sleeps_is_still_at_its_start(watched: Watched, probes: Probes, observed: bool) -> None:
    runner = watched("import time; time.sleep(0.4)\n" + ECHO, observed=observed)
    assert not any(told["rested"] for told in probes(runner, "watch"))


@BOTH
def test_a_bot_whose_second_thread_reads_is_past_its_start(
    watched: Watched, probes: Probes, observed: bool
) -> None:
    reads = "import sys, threading\ndef play():\n for line in sys.stdin: print('re', flush=True)\n"
    runner = watched(reads + "threading.Thread(target=play).start()", observed=observed)
    assert all(told["rested"] for told in probes(runner, "watch"))


def test_what_runs_after_the_start_adds_no_folder(watched: Watched, probes: Probes, tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    runner = watched(DOES.format(deed=f"os.system('cat {tmp_path}/x; sleep 0.1')"))
    assert all(str(tmp_path) not in told["own"] for told in probes(runner, "watch"))


def test_paths_that_may_not_be_read_are_counted(
    watched: Watched, probes: Probes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(pid: int, at: int, size: int) -> bytes:
        raise PermissionError

    monkeypatch.setattr(observer, "_memory", refuses)
    runner = watched(DOES.format(deed="open('/etc/hosts').close()"), 2)
    assert probes(runner, "watch")[-1]["unreadable"] > 0
    assert len(answers(runner)) == 2


def test_a_call_with_a_pointer_to_nowhere_is_not_unreadable(watched: Watched, probes: Probes) -> None:
    deed = "import ctypes; ctypes.CDLL(None).open(ctypes.c_void_p(8), 0)"
    assert "unreadable" not in probes(watched(DOES.format(deed=deed), 2), "watch")[-1]


def test_an_io_uring_is_told(watched: Watched, probes: Probes) -> None:
    deed = "import ctypes; ctypes.CDLL(None).syscall(425, 4, ctypes.create_string_buffer(120))"
    told = probes(watched(DOES.format(deed=deed), 1), "call")
    assert any(call["call"] == "io_uring_setup" and call["ring"] for call in told)


@BOTH
def test_how_long_its_processes_were_seen_so_is_told(
    watched: Watched, probes: Probes, observed: bool
) -> None:
    runner = watched(DOES.format(deed="import time; time.sleep(0.1)"), 3, observed=observed)
    (held,) = probes(runner, "held")
    assert held["seconds"] >= 0.2


def test_a_quiet_bot_leaves_a_short_transcript(watched: Watched, probes: Probes) -> None:
    few, many = watched(ECHO, 2), watched(ECHO, 200)
    for what in ("processes", "call", "opened"):
        assert len(probes(few, what)) == len(probes(many, what))


def test_the_bot_has_nothing_of_the_launcher_but_the_filter(watched: Watched, gear: ModuleType) -> None:
    told = (
        "import os, json, signal, sys\n"
        "facts = [sorted(os.listdir('/proc/self/fd'))[:-1], sorted(os.environ), sys.argv[1:],"
        " os.getsid(0) == os.getpid(),"
        " [line for line in open('/proc/self/status') if line.startswith('Sig') and 'Q' not in line]]\n"
        "for line in sys.stdin: print(json.dumps(facts), flush=True)"
    )
    command = (*gear.python(told), "a b", "é")
    plain, observed = (watched(command, 1, observed=how) for how in (False, True))
    assert json.loads(answers(observed)[0]) == json.loads(answers(plain)[0])


def test_processes_and_threads_are_told_when_they_change(watched: Watched, probes: Probes) -> None:
    runner = watched(
        DOES.format(
            deed="import threading; e = threading.Event(); t = threading.Thread(target=e.wait, daemon=True); t.start()"
        ),
        observed=False,
    )
    counts = [
        len(process["threads"]) for told in probes(runner, "processes") for process in told["processes"]
    ]
    assert counts[0] == 1
    assert max(counts) == 4


def test_a_grandchild_that_left_the_group_is_seen(watched: Watched, probes: Probes) -> None:
    code = """
import os, sys
reader, writer = os.pipe()
for line in sys.stdin:
    if line == "q0\\n":
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            os.close(writer)
            for fd in (0, 1, 2): os.close(fd)
            os.read(reader, 1)
            os._exit(0)
        os.wait()
    print("re", flush=True)
"""
    runner = watched(code, observed=False)
    assert max(len(told["processes"]) for told in probes(runner, "processes")) == 2


@pytest.mark.parametrize(
    ("deed", "call", "values"),
    [
        ("open('/etc/hosts').close()", "openat", {"path": "/etc/hosts", "write": False, "exists": True}),
        ("os.chdir('/etc'); open('hosts').close()", "openat", {"path": "/etc/hosts"}),
        ("open('/dev/null', 'w').close()", "openat", {"path": "/dev/null", "write": True}),
        ("os.path.exists('/x') or os.system(':')", "execve", {"path": "/bin/sh"}),
        ("os.fork() or os._exit(0); os.wait()", "clone", {"thread": False}),
        ("import _socket; _socket.socket(2, 1).close()", "socket", {"family": "AF_INET"}),
        (
            "import _socket; s = _socket.socket(2, 2); s.connect(('127.0.0.1', 9)); s.close()",
            "connect",
            {"family": "AF_INET", "address": "127.0.0.1:9"},
        ),
        (
            "import _socket; s = _socket.socket(10, 2); s.connect_ex(('::1', 9)); s.close()",
            "connect",
            {"address": "[::1]:9"},
        ),
        (
            "import _socket; s = _socket.socket(1, 1); s.connect_ex('/nowhere'); s.close()",
            "connect",
            {"family": "AF_UNIX", "address": "/nowhere"},
        ),
    ],
)
def test_a_call_is_seen_however_short_its_effect(
    watched: Watched, probes: Probes, deed: str, call: str, values: dict[str, Any]
) -> None:
    seen = probes(watched(DOES.format(deed=deed), 1), "call")
    assert any(told["call"] == call and values.items() <= told.items() for told in seen), seen


def test_changes_to_the_file_system_are_seen(watched: Watched, probes: Probes, tmp_path: Path) -> None:
    does = ("os.mkdir('a')", "os.rename('a', 'b')", "os.symlink('x', 'c')", "os.unlink('c')", "os.rmdir('b')")
    deed = "; ".join((f"os.chdir({str(tmp_path)!r})", *does))
    told = [told for told in probes(watched(DOES.format(deed=deed), 1), "call") if told.get("write")]
    assert {str(tmp_path / name) for name in "abc"} <= {call["path"] for call in told}
    assert list(tmp_path.iterdir()) == []


@BOTH
def test_an_open_file_is_seen_by_looking(watched: Watched, probes: Probes, observed: bool) -> None:
    runner = watched(DOES.format(deed="f = open('/etc/hosts')"), observed=observed)
    opened = [told for told in probes(runner, "opened") if told.get("path") == "/etc/hosts"]
    assert opened
    assert not opened[0]["write"]


def test_memory_is_told_as_it_grows(watched: Watched, probes: Probes) -> None:
    runner = watched(DOES.format(deed="kept = b'x' * 60_000_000"), observed=False)
    peaks = [told["kib"] for told in probes(runner, "memory")]
    assert peaks == sorted(peaks)
    assert peaks[-1] > 58_000


def test_cpu_between_turns_is_measured_and_a_calm_bot_is_asked_twice(
    watched: Watched, probes: Probes
) -> None:
    spins = (
        "import select, sys\n"
        "for line in sys.stdin:\n"
        "    print('re', flush=True)\n"
        "    while not select.select([0], [], [], 0)[0]: pass"
    )
    calm = probes(watched(ECHO, 6, idles=(3, 4, 5)), "idle")
    busy = probes(watched(spins, 6, idles=(3, 4, 5)), "idle")
    assert len(calm) == 2
    assert len(busy) == 3
    assert all(told["cpu"] < 0.2 * told["seconds"] for told in calm)
    # On a busy machine it gets less than all of the time; what it waited for is told, too.
    assert all(told["cpu"] + told["starved"] > 0.4 * told["seconds"] for told in busy)


def test_a_bot_that_calls_without_end_does_not_hold_the_kit(watched: Watched, gear: ModuleType) -> None:
    code = """
import os, sys
for line in sys.stdin:
    print("re", flush=True)
    if line == "q1\\n":
        while True:
            os.close(os.open("/dev/null", os.O_RDONLY))
"""
    runner = watched(code, 2, ends=False)
    assert len(answers(runner)) == 2
    runner.part(0, "eof", 0.2)
    pid = runner.transports[0].pid  # type: ignore[attr-defined]
    runner.close()
    assert not gear.alive(pid)


def test_a_bot_killed_in_the_middle_of_a_call_is_buried(watched: Watched) -> None:
    code = DOES.format(deed="os.kill(os.getpid(), 9)")
    runner = watched(code, 1)
    assert [event.status for event in runner.log.events if isinstance(event, Exit)] == [-signal.SIGKILL]


def test_a_program_that_cannot_be_executed_ends_with_a_word(watched: Watched, tmp_path: Path) -> None:
    runner = watched([str(tmp_path / "none")], 1, ends=False)
    (ended,) = [event for event in runner.log.events if isinstance(event, Exit)]
    assert ended.status == 127


def test_when_the_kit_is_killed_nothing_of_an_observed_bot_is_left(token: str, gear: ModuleType) -> None:
    kit = f"""
import sys
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transports.process import Launch
from pdcheck.conformance.transports.warden import warden
from pdcheck.conformance.watch import calls
from pdcheck.conformance.watch.transport import ObservedTransport
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.watch.watcher import Watcher
from pdcheck.referee.game import Ask, Over
from pdcheck.referee.match import Match
from pdcheck.referee.violations import Violation

class Game:
    head, names, time, by_cpu, grace, keeps_extra_lines, time_requirement = (), ("a",), 1e3, False, 0.0, False, "T-1"
    guard = None
    def unasked(self, seat, said, *, first):
        return Violation("T-2", "nothing unasked", repr(said))
    def course(self):
        yield Ask(0, b"q\\n", "question", None)

bot = ObservedTransport(Launch((sys.executable, "-c", "import time; print('up {token}', flush=True); time.sleep(1000)"),
    {{"PATH": "/bin"}}), calls.machine())
log = Transcript()
runner = Runner(Match(Game()), [bot], log, eye=Watcher(bot, 0, log))
runner.__enter__()
while not any(type(event).__name__ == "Out" for event in log.events):
    runner.step(None)
print("up", flush=True)
import time; time.sleep(1000)
"""
    with subprocess.Popen([sys.executable, "-c", kit], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.SIGKILL)
    gear.until(lambda: not gear.bearers(token), "the bot has gone with its kit")


def test_no_descriptor_is_left_in_the_kit(watched: Watched) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd"))

    watched(ECHO, 1).close()
    before = count()
    for _ in range(3):
        watched(ECHO, 1).close()
    assert count() == before
