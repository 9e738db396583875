"""The machine's time is given back where a bot's time is over: with real bots, and a control that says what it is told
to; and whole kits that are stopped in the middle of a match."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pdcheck.conformance import blame, control, credit
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.story import Story
from pdcheck.conformance.transcript import Event, Line, Probe, Ruled, Transcript
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import Launch, ProcessTransport
from pdcheck.referee.match import Match

PACK = load_pack("prime-daihinmin")
LIMIT = 0.5
SLOW = """
import sys, time
for line in sys.stdin:
    if '"play"' in line:
        time.sleep(float(sys.argv[1]))
        print('{"action": "pass"}', flush=True)
    else:
        print(flush=True)
"""


class AllStalls:
    """A control that was never woken (`share` of the time)."""

    def __init__(self, share: float) -> None:
        self.share = share

    def stalled(self, since: float, until: float) -> float:
        return self.share * (until - since)

    def stalls(self, since: float, until: float) -> list[control.Stall]:
        return [control.Stall(since, since + self.stalled(since, until))]


def played(
    gear: ModuleType,
    stub: AllStalls | None,
    slow: float,
    monkeypatch: pytest.MonkeyPatch,
    current: Callable[[], AllStalls | None] | None = None,
    code: str = SLOW,
    impatient: bool = False,
) -> Transcript:
    """A match of a bot that takes `slow` seconds for each play, up to what comes of its first one."""
    monkeypatch.setattr(control, "current", current or (lambda: stub))
    # What this machine does meanwhile is not what is tried here.
    monkeypatch.setattr(control, "starved", lambda: 0.0)
    monkeypatch.setattr(ProcessTransport, "starved", lambda _: 0.0)
    bot = ProcessTransport(Launch(gear.python(code, str(slow)), {"PATH": os.environ["PATH"]}))
    other = MemoryTransport(PACK.player("steady", 0))
    log = Transcript()
    game = PACK.match(["A", "B"], 1, LIMIT, "published", False)
    with Runner(Match(game), [bot, other], log, impatient=impatient) as runner:
        runner.rest(0)  # its start would be on the clock, too
        runner._handle(runner.match.begin())
        while not any(_settles(event) for event in log.of(0)) and not runner.match.done:
            runner.step(runner.clock() + 0.05)
        runner.tell_of_machine(0)
    return log


def _settles(event: Event) -> bool:
    """Whether the play was answered, or lapsed."""
    late = isinstance(event, Ruled) and event.ruling.violation is not None
    return late or (isinstance(event, Line) and event.kind == "play")


def given(log: Transcript) -> float:
    return max(
        (e.values["seconds"] for e in log.events if isinstance(e, Probe) and e.what == "given-back"),
        default=0,
    )


def test_without_a_control_a_late_bot_is_late(gear: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    log = played(gear, None, 3 * LIMIT, monkeypatch)
    assert Story.read(log.of(0)).violation is not None
    assert given(log) == 0
    assert not any(isinstance(event, Probe) and event.what == "control" for event in log.events)


def test_a_calm_machine_gives_nothing_back(gear: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    log = played(gear, AllStalls(0.0), 3 * LIMIT, monkeypatch)
    story = Story.read(log.of(0))
    assert story.violation is not None
    assert given(log) == 0
    assert not blame.doubtful(story, LIMIT)


def test_what_the_machine_took_is_given_back_and_not_charged(
    gear: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = played(gear, AllStalls(1.0), 3 * LIMIT, monkeypatch)
    story = Story.read(log.of(0))
    assert story.violation is None
    assert given(log) > LIMIT
    play = story.lines[-1]
    assert play.kind == "play"
    assert play.cost < LIMIT
    (asked,) = [sent for sent in story.sent if b'"play"' in sent.data[:20]]
    assert play.at - asked.at >= 3 * LIMIT


BUSY = SLOW.replace(
    "time.sleep(float(sys.argv[1]))",
    "t = time.process_time() + float(sys.argv[1])\n        while time.process_time() < t: pass",
)


def test_cpu_time_of_the_bots_own_is_never_given_back(
    gear: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much the control says that the machine took."""
    log = played(gear, AllStalls(1.0), 3 * LIMIT, monkeypatch, code=BUSY, impatient=True)
    story = Story.read(log.of(0))
    assert story.violation is not None
    account = blame.account(story, LIMIT)
    assert account.own >= LIMIT * 0.9
    assert not blame.doubtful(story, LIMIT)


def test_a_control_that_was_killed_gives_nothing_back_and_tells_nothing(
    gear: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be seen as a stall without end, and any bot can do that."""
    looks = iter([AllStalls(1.0)])
    log = played(gear, AllStalls(1.0), 3 * LIMIT, monkeypatch, lambda: next(looks, None))
    assert Story.read(log.of(0)).violation is not None
    assert given(log) == 0
    assert not any(isinstance(event, Probe) and event.what == "control" for event in log.events)


def test_there_is_an_end_to_it_and_then_nobody_can_tell(
    gear: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credit, "AT_MOST", 2 * LIMIT)
    monkeypatch.setattr(credit.Credit.more, "__defaults__", (2 * LIMIT,))
    log = played(gear, AllStalls(1.0), 1000.0, monkeypatch)
    story = Story.read(log.of(0))
    assert story.violation is not None
    assert given(log) == pytest.approx(2 * LIMIT, abs=credit.GRAIN)
    assert blame.doubtful(story, LIMIT)


# --- a kit that is stopped ----------------------------------------------------------------------------------

STOPS = """
import json, os, select, sys
def meet():
    try: os.close(os.open("asked", os.O_CREAT | os.O_EXCL))
    except FileExistsError: return
    while not os.path.exists("go"): select.select([], [], [], 0.005)
for line in sys.stdin:
    message = json.loads(line)
    action = message["action"]
    if action == "play" and len(message["record"]) > 12: meet()
    print('{"action": "pass"}' if action == "play" else "", flush=True)
    if action == "quit": break
"""
PAUSE, BUDGET = 3.0, 2.0


def family(root: int) -> list[int]:
    """The process and all that come from it, parents first."""
    found = [root]
    for pid in found:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            found += map(int, task.read_text().split())
    return found


def runs(pid: int, bot: Path) -> bool:
    """Whether this is the bot's process; a worker of the kit bears the kit's command line, which names the bot, too."""
    line = Path(f"/proc/{pid}/cmdline").read_bytes()
    return str(bot).encode() in line and b"pdcheck.conformance" not in line


@pytest.mark.full
@pytest.mark.parametrize("who", ["everything", "kit-without-bot"])
def test_a_kit_that_stands_still_does_not_blame_the_bot(
    gear: ModuleType, script: Callable[..., Path], tmp_path: Path, token: str, who: str
) -> None:
    """Three seconds in the middle of a match of two: a paused container or machine, and Ctrl-Z."""
    bot = script("bot", STOPS)
    options = (
        "--profile",
        "quick",
        "--only",
        "PD-5.1",
        "--time",
        str(BUDGET),
        "--jobs",
        "1",
        "--json",
        "report.json",
    )
    command = [*gear.KIT, *options, str(bot), token]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as kit:
        try:
            gear.until((tmp_path / "asked").exists, "the bot is asked in the middle of a match")
            pids = family(kit.pid)
            if who == "kit-without-bot":
                pids = [pid for pid in pids if not runs(pid, bot)]
            for pid in pids:
                os.kill(pid, signal.SIGSTOP)
            until = time.monotonic() + PAUSE
            gear.until(lambda: time.monotonic() > until, "the pause is over")
            (tmp_path / "go").touch()
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
            out = kit.communicate(timeout=gear.AT_MOST)[0]
        finally:
            kit.kill()
    report = json.loads((tmp_path / "report.json").read_text())
    rows: dict[str, Any] = {row["id"]: row for row in report["requirements"]}
    assert [(row["id"], row["findings"]) for row in rows.values() if row["findings"]] == []
    assert rows["PD-5.1"]["status"] == "pass", out
    assert kit.returncode == 0, out
    assert SimpleNamespace(**report["timing"]).budget_used_share < 1
