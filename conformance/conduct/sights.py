"""What was seen of a bot from outside, sorted, with what it was doing then.

Law: pure: a transcript's probes and nothing else; nothing is judged here.
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from pdcheck.conformance.conduct import rules
from pdcheck.conformance.transcript import Event, Exit, Line, Probe, Sent
from pdcheck.referee.violations import elide

SHOWN = 5
"""Processes, threads or files that one finding names."""
NAME_BYTES = 15
"""What the kernel keeps of a thread's name."""


class Broken(NamedTuple):
    """One requirement of conduct that was seen broken, in words."""

    requirement: str
    expected: str
    actual: str
    cause: str = ""
    timed: bool = False


class At(NamedTuple):
    """A probe with the time it was made and what the bot was doing then.

    `start`: before its first message, or before its first answer where it was not seen to wait for its input before;
    `script`: before its first answer, while a start script may still be at work.
    """

    at: float
    when: str
    start: bool
    script: bool
    values: Mapping[str, Any]


@dataclass
class Sights:
    """A transcript's probes, sorted by what they tell."""

    watch: Mapping[str, Any] = field(default_factory=dict)
    processes: list[At] = field(default_factory=list)
    memory: list[At] = field(default_factory=list)
    opened: list[At] = field(default_factory=list)
    calls: list[At] = field(default_factory=list)
    idles: list[At] = field(default_factory=list)
    held: dict[int, float] = field(default_factory=dict)
    """Place in `processes` → seconds from the first to the last look that showed them so."""
    peak_kib: int = 0
    answered: float = math.inf
    """When its first answer came."""
    end: float = 0.0

    @classmethod
    def read(cls, events: Sequence[Event]) -> Sights:
        sights = cls()
        kinds = iter([event.kind for event in events if isinstance(event, Line)])
        when, asked = "before the first message", ""
        kept = {
            "processes": sights.processes,
            "memory": sights.memory,
            "opened": sights.opened,
            "call": sights.calls,
            "idle": sights.idles,
        }
        start = script = True
        for event in events:
            sights.end = event.at
            match event:
                case Sent():
                    start = start and not sights.watch.get("rested")
                    asked = next(kinds, "the last message")
                    when = f"while it answered `{asked}`"
                case Line():
                    start = script = False
                    sights.answered = min(sights.answered, event.at)
                    when = f"after its answer to `{event.kind}`"
                case Exit():
                    sights.peak_kib = max(sights.peak_kib, event.peak_kib)
                case Probe(at, _, "watch", values):
                    sights.watch = values
                case Probe(_, _, "held", values):
                    sights.held[len(sights.processes) - 1] = values["seconds"]
                case Probe(at, _, "processes", values) if "held" in values:
                    sights.held[len(sights.processes) - 1] = values["held"]
                    sights.held[len(sights.processes)] = 0.0
                    sights.processes.append(At(at, when, start, script, values))
                case Probe(at, _, what, values) if what in kept:
                    kept[what].append(At(at, when, start, script, values))
        return sights

    @cached_property
    def at_start(self) -> set[int]:
        """Processes that were there when a start script, if there was one, had done its work."""
        before = [sight for sight in self.processes if sight.script]
        return {process["pid"] for process in before[-1].values["processes"]} if before else set()

    @cached_property
    def pids(self) -> set[int]:
        """Every process of the bot that was seen."""
        return {p["pid"] for sight in self.processes for p in sight.values["processes"]}

    def first_names(self, process: Mapping[str, Any]) -> set[str]:
        """Every name that the first thread of this process is known to have had since it runs this program: a thread
        without a name of its own bears the one that the first had when it was started."""
        pid = process["pid"]
        return self._first_names[pid, process["exe"]] | self._started_as[pid]

    @cached_property
    def _first_names(self) -> Mapping[tuple[int, str], set[str]]:
        names = defaultdict[tuple[int, str], set[str]](set)
        for sight in self.processes:
            for process in sight.values["processes"]:
                first = process["threads"].get(str(process["pid"]))
                names[process["pid"], process["exe"]] |= {first} - {None}
        return names

    @cached_property
    def _started_as(self) -> Mapping[int, set[str]]:
        """The names that the kernel gives a process for the files it executes, of a script the script's own."""
        started = [(self.watch.get("pid", 0), self.watch.get("program", ""))]
        started += [(c.values["pid"], c.values.get("path", "")) for c in self.calls if "command" in c.values]
        names = defaultdict[int, set[str]](set)
        for pid, path in started:
            name = os.fsencode(os.path.basename(path))[:NAME_BYTES]
            names[pid].add(name.decode("utf-8", "replace").strip())
        return names


def is_shell(exe: str) -> bool:
    return bool(rules.SHELLS.fullmatch(os.path.basename(exe)))


def is_script_work(sights: Sights, call: At) -> bool:
    """Whether a start script did it: a shell, or a helper of its that was gone before the first message."""
    if not call.script:
        return False
    stays = call.values["pid"] in sights.at_start
    return is_shell(call.values["exe"]) or (not stays and _has_shell(sights))


def _has_shell(sights: Sights) -> bool:
    """Whether a shell was at work before the first answer."""
    called = any(is_shell(call.values["exe"]) for call in sights.calls if call.script)
    return called or any(
        is_shell(p["exe"]) for s in sights.processes if s.script for p in s.values["processes"]
    )


def shown(text: str, most: int = 160) -> str:
    """A name that the bot chose: it never reaches a terminal as it is, because it could drive it."""
    safe = "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )
    return elide(safe, most)
