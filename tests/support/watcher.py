"""A watcher to be killed: `python watcher.py INBOX OUTBOX LOG [once]`. It says `ready` when it watches."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from pdcheck.conformance.gate.executors import judge_by
from pdcheck.conformance.gate.pace import Pace
from pdcheck.conformance.gate.watching import Told, stopping, watch

PACE = Pace(interval=0.02, settle=0.0, pause=0.0)


def tell(told: Told) -> None:
    if told.what in ("judging", "trouble", "moved"):
        print(*told, flush=True)


def main() -> None:
    inbox, outbox, log, *words = sys.argv[1:]
    stop = threading.Event()
    with stopping(stop), judge_by("local", "fakejudge:judge", {"log": log}, stop) as judge:
        print("ready", flush=True)
        tally = watch(Path(inbox), Path(outbox), 2, judge, stop, once="once" in words, pace=PACE, tell=tell)
    print(f"stopped {tally.stopped}", flush=True)


if __name__ == "__main__":
    main()
