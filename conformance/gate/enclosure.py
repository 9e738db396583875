"""A bot behind the gate's walls, in every setting of a case.

Law: whatever a setting changes is changed inside; what cannot be made there raises StartError and is told as not tried.
A bot is never given a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from pdcheck.conformance.candidate import NO_FILE_CAN_BE_MADE, OPEN
from pdcheck.conformance.gate import toolchains
from pdcheck.conformance.gate.seen import Seen, seen
from pdcheck.conformance.sandbox.observed import ObservedInWalls
from pdcheck.conformance.sandbox.transport import WalledTransport
from pdcheck.conformance.sandbox.walls import TMP, Bind, Link, Walls, within
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.setting import Setting
from pdcheck.conformance.transports import StartError
from pdcheck.conformance.transports.process import Launch, ProcessTransport
from pdcheck.conformance.watch import calls

_PRELOADED = "LD_PRELOAD"


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The walls of one submission, in the workshop of this run. `limits`: memory, network, files, processes → whether
    each is enforced, watched or off."""

    walls: Walls
    workshop: Workshop
    limits: Mapping[str, str]
    terminal: bool = False
    """Whether a second look under a terminal is taken in the open."""

    def transport(self, launch: Launch, setting: Setting) -> ProcessTransport:
        """The bot behind the walls. Raises StartError for a terminal."""
        if setting.terminal and self.terminal:
            return OPEN.transport(launch, setting)
        if setting.terminal:
            raise StartError("there is no terminal behind these walls")
        walls = self._around(launch, setting)
        # A fresh HOME lies inside; one that a case names or takes away is as the case says.
        if "HOME" in launch.environment and "HOME" not in setting.changes:
            launch = replace(launch, environment={**launch.environment, "HOME": walls.home})
        observed = calls.machine() if setting.watched == "calls" else None
        if observed is None:
            return WalledTransport(launch, walls, self.workshop)
        return ObservedInWalls(launch, observed, _with_python(walls), self.workshop)

    def _around(self, launch: Launch, setting: Setting) -> Walls:
        walls = self.walls
        if setting.unwritable:
            walls = replace(walls, folder=NO_FILE_CAN_BE_MADE)
        elif setting.elsewhere:
            walls = replace(walls, folder=TMP)
        if library := launch.environment.get(_PRELOADED, ""):
            walls = walls.with_binds(Bind(self.workshop.shared(library), library))
        return walls


@cache
def _python() -> Seen:
    return seen([toolchains.find(toolchains.of_language("python"))], "run")


def _with_python(walls: Walls) -> Walls:
    """The same with what the kit's own launcher runs with."""
    there = [bind.target for bind in walls.binds] + [link.path for link in walls.links]
    binds = (Bind(path, path) for path in _python().places if not within(path, there))
    links = (Link(path, leads) for path, leads in _python().links if not within(path, there))
    return replace(walls, binds=(*walls.binds, *binds), links=(*walls.links, *links))
