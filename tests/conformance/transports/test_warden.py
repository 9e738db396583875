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
from pdcheck.conformance.transports.warden import Warden, warden

KIT = """
import sys, tempfile
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.conformance.transports.warden import warden
from pdcheck.referee.match import Match

pack = load_pack("prime-daihinmin")
with tempfile.TemporaryDirectory(prefix="pdcheck-") as scratch:
    warden().owns(scratch)
    bots = [ProcessTransport(read_bot(sys.argv[1:]).launch(scratch)) for _ in range(2)]
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
    folder = tmp_path / "a b  'c' \\d $HOME"
    (folder / "deep").mkdir(parents=True)
    own.owns(str(folder))
    own.close()
    assert not folder.exists()
    assert tmp_path.exists()


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
