"""CPU seconds of a process and all that it starts: known burns, told by whoever burns them, to 20 ms or 2 %."""

from __future__ import annotations

import sys
import time
from types import ModuleType

import pytest
from pdcheck.conformance.transports import meter as meters
from pdcheck.conformance.transports.meter import Meter

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")
BURNS = """
import os, sys, threading, time
def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until: pass
def child(what, waits=True):
    pid = os.fork()
    if not pid:
        what()
        os._exit(0)
    if waits: os.waitpid(pid, 0)
    return pid
input()
began = time.process_time()
{}
print("burnt", flush=True)
input()
"""
KNOWN = {
    "itself": ("burn(0.3)", 0.3),
    "a-thread": ("it = threading.Thread(target=burn, args=(0.3,)); it.start(); it.join()", 0.3),
    "a-child": ("child(lambda: burn(0.3))", 0.3),
    "a-grandchild": ("child(lambda: child(lambda: burn(0.3)))", 0.3),
    "ten-children": ("for _ in range(10): child(lambda: burn(0.03))", 0.3),
    "both": ("child(lambda: burn(0.15)); burn(0.15)", 0.3),
    "sleeping": ("time.sleep(0.3)", 0.0),
}


def allowed(burnt: float) -> float:
    """How far off a reading may be; starting and waiting for processes costs some by itself."""
    return max(0.02, 0.02 * burnt) + 0.03


@pytest.mark.parametrize("often", [True, False], ids=["read-often", "read-once"])
@pytest.mark.parametrize(("code", "burnt"), KNOWN.values(), ids=KNOWN)
def test_what_is_known_to_be_burnt_is_what_is_read(
    gear: ModuleType, code: str, burnt: float, often: bool
) -> None:
    pump = gear.Pump(gear.python(BURNS.format(code)))
    pump.transport.with_children = True
    with pump:
        pump.until(lambda: pump.transport.deaf(), "it waits for its input")
        before = pump.transport.cpu()
        pump.transport.send(b"\n")
        pump.until(lambda: b"burnt" in pump.out or (often and not pump.transport.cpu()), "it has burnt")
        running = pump.transport.cpu()
        pump.transport.send(b"\n")
        pump.until(lambda: pump.status is not None, "it has ended")
        ended = pump.transport.cpu()
    # Each of two waiting processes may hold back two ticks until it ends.
    assert burnt - 0.045 <= running - before <= burnt + allowed(burnt)
    assert burnt - 0.001 <= ended - before <= burnt + allowed(burnt) + 0.03  # its interpreter goes, too
    assert running <= ended == pump.transport.usage_cpu


def test_children_that_nobody_waits_for_are_charged_while_they_work_and_afterwards(gear: ModuleType) -> None:
    code = BURNS.format(
        "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "pid = child(lambda: burn(0.4), waits=False)\n"
        "while os.path.exists(f'/proc/{pid}'): time.sleep(0.01)"
    )
    pump = gear.Pump(gear.python(code))
    pump.transport.with_children = True
    with pump:
        pump.until(lambda: pump.transport.deaf(), "it waits for its input")
        before = pump.transport.cpu()
        pump.transport.send(b"\n")
        pump.until(lambda: b"burnt" in pump.out or pump.transport.cpu() < 0, "it has burnt")
        # Up to the last look before each ended it was seen; what rounding could have been is not charged.
        assert 0.2 <= pump.transport.cpu() - before <= 0.5
        pump.transport.send(b"\n")
        pump.until(lambda: pump.status is not None, "it has ended")
        assert pump.transport.cpu() - before >= 0.2


def test_without_it_only_the_bot_itself_is_charged(gear: ModuleType) -> None:
    pump = gear.Pump(gear.python(BURNS.format("child(lambda: burn(0.3))")))
    with pump:
        pump.until(lambda: pump.transport.deaf(), "it waits for its input")
        pump.transport.send(b"\n")
        pump.until(lambda: b"burnt" in pump.out, "it has burnt")
        assert pump.transport.cpu() < 0.3


def test_a_process_that_is_gone_leaves_what_was_read() -> None:
    meter = Meter(2**22 + 1)  # no such process
    assert (meter.read(), meter.ended(1.5), meter.read()) == (0.0, 1.5, 1.5)


def test_a_child_that_is_waited_for_while_the_tree_is_read_is_charged_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its parent was read before, and it is gone when its turn comes."""
    child, used = 2, 20.0
    reaped, between = [0.0], [False]

    def look(pid: int) -> meters._Node | None:
        if pid == child:
            return meters._Node(1, 1, 0.0) if not reaped[0] else None
        node = meters._Node(1, 1, reaped[0])
        if between[0]:
            reaped[0], between[0] = used, False
        return node

    monkeypatch.setattr(meters, "_look", look)
    monkeypatch.setattr(
        meters, "_children", lambda pid, threads: [child] if pid == 1 and not reaped[0] else []
    )
    monkeypatch.setattr(time, "clock_gettime", lambda clock: used if clock == meters.clock_of(child) else 0.1)
    meter = Meter(1)
    assert meter.read() == pytest.approx(used + 0.1)
    between[0] = True
    assert meter.read() == pytest.approx(used + 0.1)
    assert meter.ended(used + 0.1) == pytest.approx(used + 0.1)
