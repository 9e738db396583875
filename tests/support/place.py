"""An inbox and an outbox for the tests of the queue."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fakejudge import in_a_thread
from pdcheck.conformance.gate.outcome import Result
from pdcheck.conformance.gate.pace import Pace
from pdcheck.conformance.gate.watching import Tally, Told, watch

PACE = Pace(interval=0.002, settle=0.0, tries=3, pause=0.0)


class Place:
    """An inbox, an outbox, and what a watcher tells."""

    def __init__(self, base: Path) -> None:
        self.inbox, self.outbox = base / "in", base / "out"
        self.inbox.mkdir()
        self.outbox.mkdir()
        self.told: list[Told] = []
        self.stop = threading.Event()

    def drop(self, name: str, text: str) -> None:
        (self.inbox / name).write_text(text)

    def once(
        self, judge: Callable[[Path, str], Result] = in_a_thread, pace: Pace = PACE, jobs: int = 2
    ) -> Tally:
        return watch(
            self.inbox, self.outbox, jobs, judge, self.stop, once=True, pace=pace, tell=self.told.append
        )

    def results(self) -> dict[str, Any]:
        return {path.name: json.loads(path.read_text()) for path in self.outbox.glob("*.json")}

    def kept(self, stage: str) -> list[str]:
        return sorted(path.name for path in (self.inbox / ".pdcheck" / stage).glob("*/upload/*"))

    def words(self, what: str) -> list[str]:
        return [told.detail or told.name for told in self.told if told.what == what]


class Enough(threading.Event):
    """Set when the outbox has so many results, or after very many looks."""

    def __init__(self, place: Place, results: int) -> None:
        super().__init__()
        self._place, self._results, self._looks = place, results, 0

    def is_set(self) -> bool:
        self._looks += 1
        if len(list(self._place.outbox.glob("*.json"))) >= self._results or self._looks > 20_000:
            self.set()
        return super().is_set()
