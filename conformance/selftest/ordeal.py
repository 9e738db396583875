"""A hostile bot against the kit, seen from outside: does the kit end, say something right, and leave nothing?

Law: the kit runs as a user would run it, in a process and session of its own; what it costs and what it leaves is read
from /proc by somebody whom the bot cannot reach through its parent. The bot's processes are known by a word in their
environment, and by having become ours when all of the kit was gone.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdcheck.conformance.bot import Bot
from pdcheck.conformance.scratch import scratch
from pdcheck.conformance.transports import orphans

MARK = "PDCHECK_HOSTILE"
KIT = """
import sys
from pdcheck.conformance.work import die_with
die_with(int(sys.argv.pop(1)))
from pdcheck.conformance.cli import main
main(sys.argv[1:])
"""
"""The command `pdcheck`, which goes when whoever watches it does."""
LOOK = 0.05
AT_MOST = 600.0
"""Seconds within which the kit has to end."""
HANG_TIME = 2.0
"""Seconds a match: a bot that never answers takes all of them, again and again."""
GONE_WITHIN = 5.0
"""Seconds after the kit's end within which everything else has to be gone."""
MEMORY = 200
"""MiB that the kit may take, without the bot."""


@dataclass(frozen=True, slots=True)
class Ordeal:
    """What came of it. `status` is the kit's exit status (None: it had to be killed), `broken` the requirements that
    it found broken, `troubles` what it failed at itself, `peak` its memory in MiB, `left` what was still there
    afterwards, in words."""

    status: int | None
    verdict: str
    broken: tuple[str, ...]
    troubles: tuple[str, ...]
    seconds: float
    peak: int
    left: tuple[str, ...]
    escapes: bool
    """Whether a control character of the bot's came through to where a terminal would be."""

    def misses(self, expected: Sequence[str]) -> list[str]:
        """What is wrong with it, in words; empty when all is well."""
        wrong = []
        if self.status is None:
            wrong.append("the kit did not end")
        elif self.status != 1 or self.verdict != "fails":
            wrong.append(f"exit status {self.status}, {self.verdict or 'no report'}")
        if not set(expected) & set(self.broken):
            wrong.append(f"none of {', '.join(expected)} is reported")
        wrong += (f"a failure of the kit: {trouble}" for trouble in self.troubles)
        if self.peak > MEMORY:
            wrong.append(f"{self.peak} MiB")
        wrong += (f"left: {what}" for what in self.left)
        if self.escapes:
            wrong.append("raw control characters in the output")
        return wrong


def ordeal(bot: Bot, game: str, *, profile: str = "quick", jobs: int = 1, at_most: float = AT_MOST) -> Ordeal:
    """Run the kit on the bot and watch. Everything that is left is ended here, after it was noted."""
    token = f"hostile-{uuid.uuid4().hex}"
    with scratch() as folder:
        Path(folder, "tmp").mkdir()
        known = orphans.children()
        orphans.adopt()
        try:
            return _watched(bot, game, profile, jobs, at_most, token, Path(folder), known)
        finally:
            for pid in _bearers(token):
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            orphans.end(known)
            orphans.release()


def _watched(
    bot: Bot, game: str, profile: str, jobs: int, at_most: float, token: str, folder: Path, known: set[int]
) -> Ordeal:
    report, temporary = folder / "report.json", folder / "tmp"
    options = ["--game", game, "--profile", profile, "--jobs", str(jobs), "--json", str(report)]
    options += ["--time", str(HANG_TIME)]
    options += ["--artifacts", str(folder / "artifacts"), "--env", f"{MARK}={token}"]
    command = [sys.executable, "-c", KIT, str(os.getpid()), "check", *options, *bot.command]
    started = time.monotonic()
    with (folder / "said").open("wb") as said:
        kit = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(temporary)},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    peak, status = 0, None
    while status is None and time.monotonic() - started < at_most:
        peak = max(peak, _memory(kit.pid, token))
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = kit.wait(LOOK)
    seconds = time.monotonic() - started
    if status is None:
        kit.kill()
        kit.wait()
    left = _left(token, known, temporary)
    told = _told(report)
    rows = told.get("requirements", [])
    return Ordeal(
        status,
        told.get("verdict", ""),
        tuple(row["id"] for row in rows if row["status"] in ("fail", "warn")),
        tuple(f"{failure['case']}: {failure['traceback']}" for failure in told.get("kit_failures", [])),
        seconds,
        peak >> 20,
        tuple(left),
        any(byte < 32 and byte not in b"\n\t\r" for byte in (folder / "said").read_bytes()),
    )


def _told(report: Path) -> dict[str, Any]:
    try:
        value = json.loads(report.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _left(token: str, known: set[int], temporary: Path) -> Iterator[str]:
    """What is there some seconds after the kit's end: processes and files."""
    until = time.monotonic() + GONE_WITHIN
    while time.monotonic() < until:
        if not _bearers(token) and not orphans.adopted(known) and not any(temporary.iterdir()):
            return
        time.sleep(LOOK)
    for pid in sorted({*_bearers(token), *orphans.adopted(known)}):
        yield f"process {_words(pid)}"
    for path in temporary.iterdir():
        yield f"file {path.name}"


def _memory(kit: int, token: str) -> int:
    """Bytes that the kit's tree takes without the bot's processes; shared pages count once."""
    parents = dict(_processes())
    tree = {kit}
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in tree and pid not in tree}
        grown = bool(more)
        tree |= more
    bots = _bearers(token, tree)
    return sum(_proportional(pid) for pid in tree - bots)


def _processes() -> Iterator[tuple[int, int]]:
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                yield int(name), int(file.read().rpartition(b")")[2].split()[1])


def _bearers(token: str, among: set[int] | None = None) -> set[int]:
    """Processes with the word in their environment, or in an ancestor's among those given."""
    found = set()
    for pid, parent in sorted(_processes()):
        if among is not None and pid not in among:
            continue
        with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
            if parent in found or token.encode() in file.read():
                found.add(pid)
    return found


def _proportional(pid: int) -> int:
    with (
        contextlib.suppress(OSError, ValueError, StopIteration),
        open(f"/proc/{pid}/smaps_rollup", "rb") as file,
    ):
        return next(int(line.split()[1]) for line in file if line.startswith(b"Pss:")) << 10
    return 0


def _words(pid: int) -> str:
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        line = ""
    return f"{pid} ({line.strip()[:200]!r})"
