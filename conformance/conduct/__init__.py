"""From what was seen of a bot from outside to what it broke of the rules of conduct (PD-6, IO-16).

Law: pure: a function of the transcript's probes and of the tables in `rules`. What was not seen is not judged; where
a runtime or the machine could be the reason, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pdcheck.conformance.conduct.files import judge_files
from pdcheck.conformance.conduct.processes import judge_processes
from pdcheck.conformance.conduct.sights import Broken, Sights
from pdcheck.conformance.conduct.signals import judge_signals
from pdcheck.conformance.conduct.usage import IDLE_BROKEN, calm, judge_idle, judge_memory
from pdcheck.conformance.findings import Finding
from pdcheck.conformance.transcript import Event
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import Conduct

__all__ = ["Broken", "covered", "findings", "told_elsewhere", "uncertain"]


def findings(events: Sequence[Event], conduct: Conduct, *, whole: bool = False) -> list[Broken]:
    """What one seat's events show. `whole`: a whole match, played with the bot's own number of BLAS threads."""
    sights = Sights.read(events)
    found = [
        *judge_processes(sights, conduct, whole=whole),
        *judge_idle(sights, conduct),
        *judge_memory(sights, conduct),
        *judge_files(sights, conduct),
        *judge_signals(sights),
    ]
    asked = [broken for broken in found if broken.requirement]
    return list({(broken.requirement, broken.actual): broken for broken in asked}.values())


def covered(events: Sequence[Event], conduct: Conduct) -> set[str]:
    """The requirements that these events put to the test."""
    sights = Sights.read(events)
    asked = set()
    if sights.watch.get("looks"):
        asked |= {conduct.processes, conduct.memory}
        if sights.watch.get("files") != "off" and not sights.watch.get("unreadable"):
            asked.add(conduct.files)
    if len(calm(sights.idles)) >= IDLE_BROKEN:
        asked.add(conduct.idle)
    return asked - {""}


def uncertain(events: Sequence[Event], conduct: Conduct) -> set[str]:
    """The requirements that could not be decided because the machine was not calm."""
    idles = Sights.read(events).idles
    return {conduct.idle} if idles and len(calm(idles)) < min(IDLE_BROKEN, len(idles)) else set()


def told_elsewhere(found: Iterable[Finding], conduct: Conduct) -> list[Finding]:
    """The findings; one of conduct that comes with another fault by necessity is only told (INFO) beside it: a process
    that is left behind (IO-11) was started before, a lock on which two copies meet (IO-14) is a file or a port."""
    found = list(found)
    left = any(f.requirement == "IO-11" and f.level is Level.MUST and "process" in f.actual for f in found)
    meet = any(f.requirement == "IO-14" and f.level is Level.MUST for f in found)
    lowered = {conduct.processes} if left else set()
    lowered |= {conduct.files} if meet else set()
    return [replace(f, level=Level.INFO) if f.requirement in lowered else f for f in found]
