"""What the tests of the walls share: a workshop, walls, and a bot in them with a poll loop of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.sandbox import host
from pdcheck.conformance.sandbox.transport import WalledTransport
from pdcheck.conformance.sandbox.walls import Limits, Walls
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.transports import orphans
from pdcheck.conformance.transports.process import Launch

PLAIN = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


@pytest.fixture
def workshop(needs: Callable[[str], str]) -> Iterator[Workshop]:
    """A workshop of this test's own."""
    needs("bwrap")
    with Workshop() as shop:
        yield shop


@pytest.fixture
def walls() -> Walls:
    """The system and nothing else, with room for some processes."""
    return host.walls(limits=Limits(tasks=16))


@pytest.fixture
def walled(gear: ModuleType, workshop: Workshop, walls: Walls) -> Iterator[Callable[..., Any]]:
    """Start a command in walls; stopped when the test is over, however it went."""
    pumps = []
    orphans.adopt()

    def start(*command: str, inside: Walls = walls, **more: Any) -> Any:
        pump = gear.Pump(command)
        pump.transport = WalledTransport(Launch(command, PLAIN), inside, workshop)
        for name, value in more.items():
            setattr(pump.transport, name, value)
        pumps.append(pump)
        return pump.__enter__()

    yield start
    for pump in pumps:
        pump.transport.stop()
    orphans.release()
