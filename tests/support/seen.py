"""A bot as it was seen from outside: transcripts made by hand, for the tests of its conduct."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pdcheck.conformance import conduct
from pdcheck.conformance.transcript import Event, Exit, Line, Probe, Sent
from pdcheck.scenarios.pack import Conduct

WANTED = Conduct("C-1", "C-2", "C-3", "C-4", most_memory=2**30)
PYTHON, JAVA, NODE, SHELL = "/py/bin/python3", "/jdk/bin/java", "/usr/bin/node", "/bin/dash"
JVM = (
    "java",
    "java",
    "GC Thread#0",
    "G1 Service",
    "VM Thread",
    "Reference Handl",
    "Finalizer",
    "C2 CompilerThre",
)
WATCH = {"looks": True, "calls": "seccomp", "rested": True, "pid": 7, "folder": "/work"}
WATCH |= {"own": ["/bots/mine"], "runtime": ["/py"]}
GIB = 1 << 20
"""In KiB."""


def process(exe: str, *threads: str, pid: int = 7, parent: int = 1, **more: Any) -> dict[str, Any]:
    names = {str(pid + at): name for at, name in enumerate(threads or ("bot",))}
    return {"pid": pid, "parent": parent, "exe": exe, "command": [exe], "threads": names, **more}


@dataclass
class Seen:
    """A transcript in the making; every event is a second after the one before, or as told."""

    events: list[Event] = field(default_factory=list)
    at: float = 100.0

    def probe(self, what: str, after: float = 1.0, **values: Any) -> Seen:
        self.at += after
        self.events.append(Probe(self.at, 0, what, values))
        return self

    def watch(self, **more: Any) -> Seen:
        return self.probe("watch", **{**WATCH, **more})

    def processes(self, *processes: dict[str, Any], after: float = 1.0) -> Seen:
        return self.probe("processes", after, processes=list(processes))

    def call(self, call: str, exe: str = PYTHON, pid: int = 7, **values: Any) -> Seen:
        return self.probe("call", pid=pid, exe=exe, call=call, **values)

    def opens(
        self, path: str, *, write: bool = False, exists: bool = True, call: str = "openat", **more: Any
    ) -> Seen:
        values = {
            "path": path,
            "real": path,
            "write": write,
            "flags": "0o0",
            "exists": exists,
            "folder": False,
        }
        return self.call(call, **{**values, **more})

    def idle(self, cpu: float, *, starved: float = 0.0, late: float = 0.0, **more: float) -> Seen:
        return self.probe("idle", **{"seconds": 0.2, "cpu": cpu, "starved": starved, "late": late, **more})

    def sent(self) -> Seen:
        self.at += 1
        self.events.append(Sent(self.at, 0, b"message\n", self.at, 0.0))
        return self

    def line(self, kind: str = "play") -> Seen:
        self.at += 1
        self.events.append(Line(self.at, 0, kind, b"", 0.0, 0.0))
        return self

    def exit(self, peak_kib: int) -> Seen:
        self.at += 1
        self.events.append(Exit(self.at, 0, 0, 0.0, peak_kib))
        return self

    def broken(self, *, whole: bool = False) -> list[str]:
        return [broken.requirement for broken in conduct.findings(self.events, WANTED, whole=whole)]

    def told(self) -> str:
        (broken,) = conduct.findings(self.events, WANTED)
        return broken.actual


def at_rest(*processes: dict[str, Any]) -> Seen:
    """A bot that waits for its first message."""
    return Seen().processes(*(processes or (process(PYTHON),))).watch()


def in_turn(*processes: dict[str, Any]) -> Seen:
    """A bot that has answered once and is asked again."""
    return at_rest(*processes).sent().line("init").sent()
