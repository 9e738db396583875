"""A watcher to be killed: `python watcher.py INBOX OUTBOX LOG [once] [impatient]`. It says what it does."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from pdcheck.conformance.gate.executors import judge_by
from pdcheck.conformance.gate.pace import Pace
from pdcheck.conformance.gate.watching import Told, stopping, watch

PACE = Pace(interval=0.02, settle=0.0, pause=0.0)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def tell(told: Told) -> None:
    if told.what in ("judging", "trouble", "moved"):
        say(" ".join(told))


def main() -> None:
    inbox, outbox, log, *words = sys.argv[1:]
    pace = PACE._replace(patience=1.0) if "impatient" in words else PACE
    stop = threading.Event()
    with stopping(stop), judge_by("local", "fakejudge:judge", {"log": log}, stop) as judge:
        say("ready")
        tally = watch(Path(inbox), Path(outbox), 2, judge, stop, once="once" in words, pace=pace, tell=tell)
    say(f"stopped {tally.stopped}")


if __name__ == "__main__":
    main()
