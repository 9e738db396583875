"""Nothing outlives a kit that is killed: no bot, no child of a bot, no scratch folder."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.scratch import scratch
from pdcheck.conformance.transports import warden as warden_module
from pdcheck.conformance.transports.warden import Warden, warden

KIT = """
import sys
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.conformance.scratch import scratch
from pdcheck.referee.match import Match

pack = load_pack("prime-daihinmin")
with scratch() as folder:
    bots = [ProcessTransport(read_bot(sys.argv[1:]).launch(folder)) for _ in range(2)]
    with Runner(Match(pack.match(["A", "B"], 1, 1e6, "published", False)), bots, Transcript()) as runner:
        runner.play()
"""

STUBBORN = """
import os, signal, sys
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
if sys.argv[-1] != "child":
    if "away" in sys.argv:
        os.posix_spawn(sys.executable, [sys.executable, "-S", *sys.argv, "child"], os.environ, setsid=True)
    else:
        os.posix_spawn(sys.executable, [sys.executable, "-S", *sys.argv, "child"], os.environ)
while True:
    signal.pause()
"""

ANSWERS = """
import json, os, signal, sys
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
if os.environ.get("BREEDS"):
    code = "import signal; signal.signal(15, 1); signal.signal(2, 1); signal.pause()"
    os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", code, sys.argv[1], "child"], os.environ)
while True:
    line = sys.stdin.readline()
    if not line:
        signal.pause()
    try:
        action = json.loads(line).get("action")
    except ValueError:
        action = ""
    print('{"action": "pass"}' if action == "play" else "", flush=True)
"""


class Killed:
    """A kit process that is going to be killed, with its scratch folders in a folder of the test's."""

    def __init__(self, gear: ModuleType, token: str, tmp: Path, *command: str) -> None:
        self.gear, self.token, self.tmp = gear, token, tmp
        tmp.mkdir(exist_ok=True)
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # closed in __exit__
        env = {**os.environ, "TMPDIR": str(tmp)}
        self.process = subprocess.Popen(
            command, env=env, stdout=self._said, stderr=self._said, start_new_session=True
        )

    def __enter__(self) -> Killed:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._said.close()
        for pid in self.gear.bearers(self.token):  # of a test that failed
            os.kill(pid, signal.SIGKILL)

    def wait_for(self, word: str, count: int = 1) -> None:
        """Until so many processes of the test have the word among their arguments."""

        def seen() -> bool:
            assert self.process.poll() is None, self.said()
            lines = self.gear.bearers(self.token).values()
            return sum(word in line.split() for line in lines) >= count

        self.gear.until(seen, f"{count} processes with {word!r}")

    def said(self) -> str:
        """What it wrote."""
        self._said.seek(0)
        return self._said.read().decode()

    def is_gone(self) -> None:
        """Nothing of it is left."""
        gone = f"no process bears {self.token}"
        self.gear.until(lambda: not self.gear.bearers(self.token), gone)
        self.gear.until(lambda: not list(self.tmp.iterdir()), f"{self.tmp} is empty")


@pytest.fixture
def stubborn(script: Callable[..., Path]) -> Path:
    """A bot that ignores the end of its input and every signal that can be ignored, and has a child like it."""
    return script("stubborn.py", STUBBORN)


@pytest.fixture
def answers(script: Callable[..., Path]) -> Path:
    """A bot that answers all messages, never goes by itself, and with BREEDS has a child that does not, either."""
    return script("answers.py", ANSWERS)


def test_a_killed_kit_leaves_no_bot_no_child_and_no_folder(
    gear: ModuleType, token: str, stubborn: Path, tmp_path: Path
) -> None:
    with Killed(gear, token, tmp_path / "tmp", sys.executable, "-c", KIT, str(stubborn), token) as kit:
        kit.wait_for("child", 2)
        assert len(list(kit.tmp.iterdir())) == 1
        kit.process.send_signal(signal.SIGKILL)
        kit.is_gone()


def test_a_child_in_a_session_of_its_own_goes_too(
    gear: ModuleType, token: str, stubborn: Path, tmp_path: Path
) -> None:
    with Killed(
        gear, token, tmp_path / "tmp", sys.executable, "-c", KIT, str(stubborn), token, "away"
    ) as kit:
        kit.wait_for("child", 2)
        kit.process.send_signal(signal.SIGKILL)
        kit.is_gone()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda n: n.name)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_check_that_is_ended_by_a_signal_leaves_nothing(
    gear: ModuleType, token: str, answers: Path, tmp_path: Path, number: signal.Signals, jobs: int
) -> None:
    with _check(gear, token, answers, tmp_path, jobs, "--env", "BREEDS=1") as kit:
        kit.wait_for("child", jobs)
        kit.process.send_signal(number)
        kit.is_gone()
        assert kit.process.wait() == (-number if number == signal.SIGKILL else 130), kit.said()
        assert "Traceback" not in kit.said()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda n: n.name)
def test_a_match_that_is_ended_by_a_signal_leaves_nothing(
    gear: ModuleType, token: str, stubborn: Path, tmp_path: Path, number: signal.Signals
) -> None:
    command = f"{stubborn} {token}"
    players = ("-t", "1000", "A", command, "B", command, "C", "house:steady")
    with Killed(gear, token, tmp_path / "tmp", *gear.KIT, "match", *players) as kit:
        kit.wait_for("child", 2)
        kit.process.send_signal(number)
        kit.is_gone()
        assert kit.process.wait() == (-number if number == signal.SIGKILL else 130), kit.said()
        assert "Traceback" not in kit.said()


def _check(gear: ModuleType, token: str, bot: Path, tmp_path: Path, jobs: int, *more: str) -> Killed:
    options = ("--jobs", str(jobs), "--artifacts", str(tmp_path / "kept"), "--profile", "quick", *more)
    return Killed(gear, token, tmp_path / "tmp", *gear.KIT, "check", *options, str(bot), token)


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda n: n.name)
@pytest.mark.parametrize("breeds", [False, True], ids=["alone", "with-child"])
def test_a_check_may_be_ended_at_any_moment(
    gear: ModuleType, token: str, answers: Path, tmp_path: Path, number: signal.Signals, breeds: bool
) -> None:
    chance = random.Random(f"{number} {breeds}")
    more = ("--env", "BREEDS=1") if breeds else ()
    for _ in range(50):
        with _check(gear, token, answers, tmp_path, 2, *more) as kit:
            # The moment is what is tried here; nothing is waited for.
            select.select([], [], [], chance.uniform(0.2, 2.5))
            kit.process.send_signal(number)
            kit.process.wait()
            kit.is_gone()


# --- the warden itself --------------------------------------------------------------------------------------


@pytest.fixture
def own() -> Iterator[Warden]:
    """A warden of the test's own."""
    made = Warden()
    yield made
    if made._process.returncode is None:
        made.close()


def _sleeper(*, new_group: bool = True) -> subprocess.Popen[bytes]:
    return subprocess.Popen(["/bin/sleep", "1000"], start_new_session=new_group)


def test_it_kills_the_groups_that_began_and_did_not_end(own: Warden) -> None:
    processes = [_sleeper() for _ in range(4)]
    for process in processes:
        own.began(process.pid)
    own.ended(processes[1].pid)
    own.ended(processes[3].pid)
    own.close()
    assert [processes[0].wait(), processes[2].wait()] == [-signal.SIGKILL] * 2
    assert [processes[1].poll(), processes[3].poll()] == [None, None]
    for process in (processes[1], processes[3]):
        process.kill()
        process.wait()


def test_a_group_that_is_a_part_of_anothers_number_is_not_mistaken(own: Warden) -> None:
    process = _sleeper()
    other = int(str(process.pid)[:-1] or "1")
    own.began(process.pid)
    own.ended(other)
    own.ended(int(f"{process.pid}0"))
    own.close()
    assert process.wait() == -signal.SIGKILL


def test_it_removes_the_folder_whatever_its_name(own: Warden, tmp_path: Path) -> None:
    folder = tmp_path / "pdcheck-a b  'c' \\d $HOME [x]*"
    (folder / "deep").mkdir(parents=True)
    own.owns(str(folder))
    own.close()
    assert not folder.exists()
    assert tmp_path.exists()


def test_a_folder_is_known_before_there_is_one(gear: ModuleType, tmp_path: Path) -> None:
    """A kit that is killed the moment its folder is made."""
    script = """
import os, signal, tempfile
from pdcheck.conformance.scratch import scratch
make = tempfile.mkdtemp
def made(*given):
    print(make(*given), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
tempfile.mkdtemp = made
with scratch():
    pass
"""
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", script], env=env, stdout=subprocess.PIPE, text=True)
    assert ended.returncode == -signal.SIGKILL
    assert ended.stdout.startswith(f"{tmp_path}/pdcheck-")
    gear.until(lambda: not list(tmp_path.iterdir()), f"{tmp_path} is empty")


def test_a_scratch_folder_in_another_one_is_refused() -> None:
    with scratch() as folder:
        with pytest.raises(RuntimeError, match="while there is"), scratch():
            pass
        assert Path(folder).is_dir()
    with scratch() as other:
        assert other != folder


def test_a_worker_that_outlives_its_kit_makes_no_folder_that_stays(gear: ModuleType, tmp_path: Path) -> None:
    """What is removed is removed when the last process of the kit is gone."""
    script = """
import os, signal, sys
from pdcheck.conformance.scratch import scratch
from pdcheck.conformance.transports.warden import warden
with scratch() as folder:
    if os.fork() == 0:
        warden()
        print(folder, flush=True)
        sys.stdin.read()
        os.mkdir(folder + "/late")
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as kit:
        assert kit.stdout
        folder = Path(kit.stdout.readline().rstrip())
        assert kit.wait() == -signal.SIGKILL
        assert folder.exists()
    gear.until(lambda: not list(tmp_path.iterdir()), f"{tmp_path} is empty")


def test_it_has_no_line_that_can_be_opened(own: Warden) -> None:
    """A bot has the kit's user: a pipe would be open to it."""
    if not Path(f"/proc/{own.pid}/fd/0").exists():
        pytest.skip("there is no /proc")
    with pytest.raises(OSError, match="No such device"):
        os.open(f"/proc/{own.pid}/fd/0", os.O_WRONLY)


def test_it_does_not_own_what_is_no_scratch_folder(own: Warden, tmp_path: Path) -> None:
    for name in (
        f"{tmp_path}/elsewhere",
        f"{tmp_path}/pdcheck-x/elsewhere",
        f"{tmp_path}/pdcheck-",
        "pdcheck-x",
        "/",
    ):
        with pytest.raises(ValueError, match="no scratch folder"):
            own.owns(name)


def test_what_somebody_else_tells_it_harms_nobody(gear: ModuleType, tmp_path: Path) -> None:
    """As if a bot had got hold of the line: neither a folder, nor what would be more than one group. A stand-in for
    `kill` writes down what it would kill."""
    folder = tmp_path / "pdcheck-not-its"
    folder.mkdir()
    noted = tmp_path / "noted"
    script = f'kill() {{ echo "$*" >>{noted}; }}\n{warden_module._SCRIPT}'
    lines = [f"/ {folder}", "+ 1", "+ 0", "+ 01", "+ -1", "+ 1 2", "+ 4294967297", "+ x", "+", "+ *", "+ 77"]
    command = ["/bin/sh", "-c", script, "warden", "", ""]
    subprocess.run(command, input="\n".join([*lines, ""]).encode(), check=True)
    assert noted.read_text() == "-s KILL -- -77\n"
    assert folder.exists()


def test_only_who_lives_in_the_folder_goes_with_it(own: Warden, tmp_path: Path) -> None:
    folder = tmp_path / "pdcheck-a.b(c)+"
    (folder / "home").mkdir(parents=True)
    own.owns(str(folder))
    homes = {
        "in it": {"HOME": f"{folder}/home"},
        "it": {"A": "1", "HOME": str(folder)},
        "another of the name": {"HOME": f"{folder}x/home"},
        "beside it": {"HOME": f"{tmp_path}/pdcheck-b/home"},
        "like it": {"HOME": f"{tmp_path}/pdcheck-aXb(c)+/home"},
        "another variable": {"OLD_HOME": f"{folder}/home"},
        "a part of another": {"Y": f"HOME={folder}/home"},
    }
    processes = {
        name: subprocess.Popen(["/bin/sleep", "1000"], env=environment, start_new_session=True)
        for name, environment in homes.items()
    }
    try:
        own.close()
        assert [processes[name].wait() for name in list(homes)[:3]] == [-signal.SIGKILL] * 3
        assert [name for name, process in processes.items() if process.poll() is None] == list(homes)[3:]
    finally:
        for process in processes.values():
            process.kill()
            process.wait()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=lambda n: n.name)
def test_one_that_is_killed_or_stopped_is_started_anew(own: Warden, gear: ModuleType, number: int) -> None:
    process, other = _sleeper(), _sleeper()
    own.began(process.pid)
    first = own.pid
    assert own.blows() == []
    os.kill(first, number)
    os.waitid(os.P_PID, first, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    for _ in range(1000):  # more than its line holds
        own.began(other.pid)
        own.ended(other.pid)
    assert own.blows() == [number]
    assert own.pid != first
    assert not gear.alive(first)
    own.close()
    assert process.wait() == -signal.SIGKILL
    assert other.poll() is None
    other.kill()
    other.wait()


def test_one_that_is_behind_is_not_harmed(own: Warden) -> None:
    first = own.pid
    for _ in range(2000):
        own.began(1 << 21)
        own.ended(1 << 21)
    assert own.blows() == []
    assert own.pid == first


def test_a_stopped_one_ends_with_its_kit(own: Warden) -> None:
    process = _sleeper()
    own.began(process.pid)
    os.kill(own.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, own.pid, os.WSTOPPED | os.WNOWAIT)
    own.close()
    assert process.wait() == -signal.SIGKILL
    assert own._process.returncode is not None


def test_it_removes_nothing_when_it_owns_nothing(own: Warden, tmp_path: Path) -> None:
    own.close()
    assert tmp_path.exists()


def test_it_leaves_signals_to_others(own: Warden, gear: ModuleType) -> None:
    pid = own._process.pid
    probe = f"/proc/{pid}/status"
    if not Path(probe).exists():
        pytest.skip("there is no /proc")
    wanted = sum(1 << (n - 1) for n in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM))

    def ignored() -> int:
        text = Path(probe).read_text()
        return int(text.partition("SigIgn:")[2].split()[0], 16) & wanted

    gear.until(lambda: ignored() == wanted, "it ignores what would end it before the kit")
    assert os.getsid(pid) == pid


def test_one_process_has_one_warden_and_a_forked_one_another() -> None:
    first = warden()
    assert warden() is first
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:  # pragma: no cover
        try:
            other: Any = warden()
            os.write(write, b"other" if other is not first else b"same")
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert os.read(read, 10) == b"other"
    os.close(read)
    os.close(write)
