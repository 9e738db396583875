"""Watchers that are killed: no submission is lost, none is told twice, and nothing is left that blocks."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.gate import claims

SUPPORT = Path(__file__).parents[2] / "support"
KILLS, WATCHERS, DROPPED = 100, 3, 400


def environment(**more: str) -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(SUPPORT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, **more}


@pytest.mark.full
@pytest.mark.parametrize(("times", "words"), [(1, []), (3, []), (1, ["beside"])])
def test_killed_before_any_step_it_loses_and_doubles_nothing(
    tmp_path: Path, times: int, words: list[str]
) -> None:
    """So many watchers in a row are killed; each step of the first is tried, and one of each later one."""
    ended = subprocess.run(
        [
            sys.executable,
            str(SUPPORT / "killsteps.py"),
            str(tmp_path / "places"),
            str(times),
            str(times),
            *words,
        ],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["steps"] > 40


class Folders:
    """An inbox that is dropped into, and an outbox whose results are read and taken away, as by an upload page."""

    def __init__(self, base: Path, token: str, gear: ModuleType) -> None:
        self.inbox, self.outbox, self.log = base / "in", base / "out", base / "log"
        self.inbox.mkdir()
        self.outbox.mkdir()
        self.token, self.gear, self.dropped = token, gear, 0
        self.results: list[dict[str, Any]] = []

    def watcher(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [
                sys.executable,
                str(SUPPORT / "watcher.py"),
                str(self.inbox),
                str(self.outbox),
                str(self.log),
                *words,
            ],
            env=environment(PDCHECK_TEST=self.token),
            stdout=subprocess.PIPE,
            text=True,
        )

    def drop(self) -> None:
        """One more: files and folders, renamed in or written there, and every third under a name that was there
        before; but, as an upload page would, never over one that still is."""
        number = self.dropped
        self.dropped += 1
        there = self.inbox / f"bot{number % 3 and number}.py"
        self.gear.until(lambda: not there.exists(), f"{there.name} was taken")
        if number % 2:
            there.write_text(str(number))
            return
        hidden = self.inbox / f".{number}"
        if number % 5:
            hidden.write_text(str(number))
        else:
            hidden.mkdir()
            (hidden / "bot.py").write_text(str(number))
        hidden.rename(there)

    def collect(self) -> int:
        """How many results there are in all."""
        for file in self.outbox.glob("*.json"):
            self.results.append(json.loads(file.read_text()))
            file.unlink()
        return len(self.results)


def kill(folders: Folders, watchers: list[subprocess.Popen[str]], draw: random.Random) -> int:
    """Kill watchers at random moments while submissions are dropped; how many a kill found at work."""
    at_work = 0
    for number in range(KILLS):
        while folders.dropped < (number + 1) * DROPPED // KILLS:
            folders.drop()
        victim = draw.randrange(WATCHERS)
        # Not to wait for something: to be anywhere in what it does, or in starting.
        time.sleep(draw.uniform(0.0, 0.5))
        folders.collect()
        watchers[victim].kill()
        said, _ = watchers[victim].communicate()
        at_work += "judging" in said
        watchers[victim] = folders.watcher()
    return at_work


@pytest.mark.full
def test_a_hundred_random_kills(tmp_path: Path, token: str, gear: ModuleType, record_property: Any) -> None:
    folders = Folders(tmp_path, token, gear)
    watchers = [folders.watcher() for _ in range(WATCHERS)]
    try:
        at_work = kill(folders, watchers, random.Random(5))
        gear.until(lambda: folders.collect() >= DROPPED, "every submission has its result")
        for watcher in watchers:
            assert watcher.stdout
            assert watcher.stdout.readline() == "ready\n"
            watcher.send_signal(signal.SIGTERM)
        assert [(watcher.communicate(), watcher.returncode)[1] for watcher in watchers] == [0] * WATCHERS
    finally:
        for watcher in watchers:
            watcher.kill()
            watcher.wait()
    last = folders.watcher("once")  # what was left half done is done now
    last.communicate()
    assert last.returncode == 0
    folders.collect()
    told = Counter(result["report"]["text"] for result in folders.results)
    assert told == Counter(map(str, range(DROPPED)))
    assert {result["verdict"] for result in folders.results} == {"admit"}
    state = folders.inbox / ".pdcheck"
    assert not [name for name in os.listdir(folders.inbox) if not name.startswith(".")]
    assert not [*(state / "waiting").iterdir(), *(state / "told").iterdir()]
    assert len(list(state.glob("done/*/upload/*"))) == DROPPED
    starts = len(folders.log.read_text().splitlines())
    figures = {
        "kills": KILLS,
        "at_work": at_work,
        "dropped": DROPPED,
        "told": len(folders.results),
        "starts": starts,
    }
    record_property("kills", json.dumps(figures))
    assert at_work > KILLS / 5, f"the kills found too little at work: {figures}"
    assert starts > DROPPED, f"no kill hit a judging: {figures}"


def test_told_to_stop_a_watcher_leaves_nothing_running_or_claimed(
    tmp_path: Path, token: str, gear: ModuleType
) -> None:
    folders = Folders(tmp_path, token, gear)
    for name in ("one.py", "two.py", "three.py"):
        (folders.inbox / name).write_text("hangs")
    with folders.watcher() as watcher:
        gear.until(
            lambda: folders.log.exists() and len(folders.log.read_text().splitlines()) == 2, "two are judged"
        )
        watcher.send_signal(signal.SIGTERM)
        said, _ = watcher.communicate()
    assert (watcher.returncode, said.splitlines()[-1]) == (0, "stopped 2")
    assert not gear.bearers(token)
    for waiting in (folders.inbox / ".pdcheck" / "waiting").iterdir():
        claim = claims.claim(waiting)
        assert claim is not None
        claim.release()
        (upload,) = (waiting / "upload").iterdir()
        upload.write_text("fine now")
    with folders.watcher("once") as last:
        last.communicate()
    assert folders.collect() == 3
    assert {tuple(result["troubles"]) for result in folders.results} == {()}


def test_a_killed_watchers_work_is_done_by_another_at_once(
    tmp_path: Path, token: str, gear: ModuleType
) -> None:
    folders = Folders(tmp_path, token, gear)
    (folders.inbox / "bot.py").write_text("hangs")
    with folders.watcher() as first:
        gear.until(folders.log.exists, "it is judged")
        with folders.watcher() as second:
            (ticket,) = (folders.inbox / ".pdcheck" / "waiting").iterdir()
            first.kill()
            first.communicate()
            gear.until(lambda: len(folders.log.read_text().splitlines()) == 2, "the other one judges it")
            (ticket / "upload" / "bot.py").write_text("hangs no more")
            second.send_signal(signal.SIGTERM)
            second.communicate()
    with folders.watcher("once") as last:
        last.communicate()
    assert folders.collect() == 1
    assert folders.results[0]["report"]["text"] == "hangs no more"


def test_a_stopped_watcher_that_goes_on_tells_nothing_twice(
    tmp_path: Path, token: str, gear: ModuleType
) -> None:
    folders = Folders(tmp_path, token, gear)
    with folders.watcher() as first:
        (folders.inbox / "bot.py").write_text("waits")
        gear.until(folders.log.exists, "it is judged")
        first.send_signal(signal.SIGSTOP)
        with folders.watcher("impatient") as second:
            gear.until(lambda: folders.collect() == 1, "the other one has judged it")
            first.send_signal(signal.SIGCONT)
            first.send_signal(signal.SIGTERM)
            first.communicate()
            second.send_signal(signal.SIGTERM)
            said, _ = second.communicate()
    assert "moved" in said
    with folders.watcher("once") as last:
        last.communicate()
    assert folders.collect() == 1
