"""Judges that judge nothing, for the tests of the queue: as a function in a child process, and as one in a thread."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from pdcheck.conformance.gate.outcome import Result

HANGS, WAITS, DIES, CRASHES, ODD = "hangs", "waits", "dies", "crashes", "odd"


def content(path: Path) -> str:
    """What a submission has in it: a file's text, or that of the only file in a folder."""
    return (next(path.iterdir()) if path.is_dir() else path).read_text()


def judge(path: str, name: str, log: str = "", status: int = 0) -> Any:
    """In a process: the same, with a line for each start in `log`, and much that is printed."""
    sys.stdout.write("what is printed is nobody's result\n" * 5000)
    return judged(path, name, log, status)


def judged(path: str, name: str, log: str = "", status: int = 0) -> Any:
    """Admits everything, but what says otherwise in its text."""
    text = content(Path(path))
    if log:
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()} {text}\n")
    if text == HANGS:
        time.sleep(3600)
    if text == WAITS:
        time.sleep(0.5)
    if text == DIES:
        os.kill(os.getpid(), signal.SIGKILL)
    if text == CRASHES:
        raise ZeroDivisionError(name)
    if text == ODD:
        return [name]
    if text.startswith("status "):
        status = int(text.split()[1])
    return {"status": status, "feedback": f"about {name}", "report": {"text": text, "name": name}}


def in_a_thread(path: Path, name: str) -> Result:
    """The same without a process."""
    value = judged(str(path), name)
    return Result(value["status"], value["feedback"], value["report"])
