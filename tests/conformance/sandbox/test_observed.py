"""What a bot tries in walls is told, also when it hides that it failed."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from pdcheck.conformance.sandbox import host
from pdcheck.conformance.sandbox.observed import ObservedInWalls
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.transports import orphans
from pdcheck.conformance.transports.process import Launch
from pdcheck.conformance.watch import calls
from pdcheck.conformance.watch.observer import Call

TRIES = """
import os, socket
def connect():
    socket.socket().connect(("192.0.2.1", 80))
for attempt in (connect, os.fork, lambda: open("/etc/shadow"), lambda: open("/x", "w")):
    try:
        attempt()
        print("done", flush=True)
    except OSError:
        pass
print("hidden", flush=True)
"""


def test_what_is_denied_is_told_all_the_same(
    workshop: Workshop, gear: ModuleType, needs: Callable[[str], str]
) -> None:
    needs("python3")
    machine = calls.machine()
    if machine is None:
        pytest.skip("this machine's system calls are not known")
    launch = Launch((host.interpreter(), "-I", "-S", "-c", TRIES), {"PATH": host.PATH})
    bot = ObservedInWalls(launch, machine, host.walls(), workshop)
    told: list[Call] = []
    bot.told = told.append
    pump = gear.Pump(launch.command)
    pump.transport = bot
    orphans.adopt()
    with pump:
        pump.until(lambda: pump.status is not None, "it ends")
        for arrival in bot.rest():
            pump.take(arrival)
    orphans.release()
    assert bytes(pump.out) == b"hidden\n"
    seen = {(call.name, call.values.get("address") or call.values.get("path")) for call in told}
    assert ("connect", "192.0.2.1:80") in seen
    assert {"socket", "clone"} <= {name for name, _ in seen} | {"clone" for name, _ in seen if name == "fork"}
    assert ("openat", "/etc/shadow") in seen
    assert ("openat", "/x") in seen
