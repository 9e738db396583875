"""A bot in walls whose system calls are told to the kit too: what a wall denies is seen, also when the bot hides it.

Law: nothing of the walls is lower, but that a call which the kernel's namespaces deny anyway is left to them: the
filter would deny it before anybody was told.
"""

from __future__ import annotations

from dataclasses import replace

from pdcheck.conformance.sandbox import host
from pdcheck.conformance.sandbox.transport import WalledTransport
from pdcheck.conformance.sandbox.walls import Bind, Walls
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.transports.process import Launch
from pdcheck.conformance.watch import calls
from pdcheck.conformance.watch.transport import LAUNCHER, ObservedTransport

LEFT = frozenset({"socket", "connect", "bind"})
"""Without a network of the host's, there is nobody that these could reach."""


class ObservedInWalls(ObservedTransport, WalledTransport):
    """An `ObservedTransport` inside `walls`. Paths that it tells of are those inside (see `Walls.outside`)."""

    def __init__(self, launch: Launch, machine: calls.Machine, walls: Walls, workshop: Workshop) -> None:
        self.python = host.interpreter()
        seen = walls.with_binds(Bind(workshop.shared(LAUNCHER), LAUNCHER))
        super().__init__(launch, machine, replace(seen, leaves=walls.leaves | LEFT), workshop)
