"""Kills a watcher before each of its steps, and looks at what the next one makes of it.

`python killsteps.py FOLDER SEED TIMES [beside]`. TIMES: so many watchers in a row are killed, the first before its step
K = 1, 2, 3 …, the others anywhere. `beside`: each with another one beside it that is not killed. A step is any call
that opens, makes, renames, removes, locks or lists. It prints how many there were.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from fakejudge import in_a_thread
from pdcheck.conformance.gate.pace import Pace
from pdcheck.conformance.gate.watching import watch

STEPS = {"open", "os.listdir", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.utime", "fcntl.flock"}
BESIDE = 150
"""So many steps at least, with another one beside: it may have left the first one nothing to do."""
PACE = Pace(interval=0.001, settle=0.0, tries=2, pause=0.0)
DROPPED = {"a.py": "first", "b.py": "status 1", "c.py": "status 4"}
WANTED = Counter({("a.py", "admit"): 1, ("b.py", "refuse"): 1, ("c.py", "error"): 1, ("d", "admit"): 1})


def killed_at(step: int) -> None:
    """From now on this process counts its steps, and is killed before this one."""
    count = itertools.count(1)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in STEPS and next(count) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def started(inbox: Path, outbox: Path, step: int) -> int:
    """A watcher that is killed before this step (0: never); its process."""
    pid = os.fork()
    if not pid:
        status = 1
        try:
            if step:
                killed_at(step)
            watch(inbox, outbox, 2, in_a_thread, threading.Event(), once=True, pace=PACE)
            status = 0
        finally:
            os._exit(status)
    return pid


def ended(pid: int) -> bool:
    """Whether that watcher came to its end."""
    _, status = os.waitpid(pid, 0)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
        raise AssertionError("a watcher failed")
    return not os.WIFSIGNALED(status)


def drop(inbox: Path) -> None:
    for name, text in DROPPED.items():
        (inbox / name).write_text(text)
    (inbox / "d").mkdir()
    (inbox / "d" / "bot.py").write_text("a folder")


def taken_away(outbox: Path) -> list[dict[str, Any]]:
    """Read and remove the results, as an upload page may do at any moment."""
    found = []
    for file in sorted(outbox.glob("*.json")):
        if file.name != "b.py.json":  # that one was there before, and stays
            found.append(json.loads(file.read_text()))
            file.unlink()
    return found


def check(inbox: Path, outbox: Path, results: list[dict[str, Any]]) -> None:
    seen = Counter((one["submission"], one["verdict"]) for one in results)
    assert seen == WANTED, seen
    assert (outbox / "b.py.json").read_text() == "another's", "it was replaced"
    state = inbox / ".pdcheck"
    assert not [name for name in os.listdir(inbox) if not name.startswith(".")], "left in the inbox"
    assert not os.listdir(state / "waiting"), "left waiting"
    assert not os.listdir(state / "told"), "left half told"
    assert not [name for ready in (outbox / ".pdcheck").iterdir() for name in os.listdir(ready)], "left ready"
    kept = sorted(path.name for stage in ("done", "failed") for path in state.glob(f"{stage}/*/upload/*"))
    assert kept == ["a.py", "b.py", "c.py", "d"], kept


def one(base: Path, steps: list[int], beside: bool) -> bool:
    """Whether the first watcher came to its end."""
    inbox, outbox = base / "in", base / "out"
    inbox.mkdir(parents=True)
    outbox.mkdir()
    (outbox / "b.py.json").write_text("another's")
    drop(inbox)
    results, whole = [], []
    for step in [*steps, 0]:
        watchers = [started(inbox, outbox, each) for each in ([step, 0] if beside and step else [step])]
        whole += [ended(watcher) for watcher in watchers][:1]
        results += taken_away(outbox)
    check(inbox, outbox, results)
    shutil.rmtree(base)
    return whole[0]


def main() -> None:
    folder, seed, times, beside = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), "beside" in sys.argv
    os.fsync = lambda fd: None  # most of the time goes there, and a kill is no loss of power
    draw = random.Random(seed)
    began = time.monotonic()
    for step in itertools.count(1):
        steps = [step, *(draw.randrange(1, 120) for _ in range(times - 1))]
        try:
            if one(folder / str(step), steps, beside) and step >= (BESIDE if beside else 0):
                break
        except AssertionError as error:
            raise SystemExit(f"killed before {steps}: {error}") from error
    sys.stdout.write(json.dumps({"steps": step - 1, "seconds": round(time.monotonic() - began, 1)}) + "\n")


if __name__ == "__main__":
    main()
