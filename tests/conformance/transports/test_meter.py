"""CPU seconds of a process and all that it starts: known burns, against what the burner's own `rusage` says.

The law: never too much, and too little by less than two ticks for each process that waits for others; nothing once the
process has ended. What a process costs beside its burn is the machine's to say, and so is taken from the burner.
"""

from __future__ import annotations

import os
import sys
import time
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.transports import meter as meters
from pdcheck.conformance.transports import orphans
from pdcheck.conformance.transports.meter import Meter

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="read from /proc")
BURNS = """
import os, resource, sys, threading, time
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
def used(*whose):
    of = [resource.getrusage(who) for who in whose or (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in of)
def tell(word, *whose): print(word, used(*whose), flush=True)
tell("began")
input()
{}
tell("burnt")
input()
tell("end")
"""
KNOWN = {
    "itself": ("burn(0.3)", 0.3, 0),
    "a-thread": ("it = threading.Thread(target=burn, args=(0.3,)); it.start(); it.join()", 0.3, 0),
    "a-child": ("child(lambda: burn(0.3))", 0.3, 1),
    "a-grandchild": ("child(lambda: child(lambda: burn(0.3)))", 0.3, 1),
    "ten-children": ("for _ in range(10): child(lambda: burn(0.03))", 0.3, 1),
    "both": ("child(lambda: burn(0.15)); burn(0.15)", 0.3, 1),
    "sleeping": ("time.sleep(0.3)", 0.0, 0),
}
"""What burns, how much, and how many processes that are still there have waited for others."""
HELD_BACK = 2 / os.sysconf("SC_CLK_TCK")
"""Seconds of the children of one process that its `stat` may not show yet."""
CLOCKS = 0.002
"""Seconds by which two clocks of one process may differ."""


def told(pump: Any, word: str) -> float:
    """What the burner says that it has used by then."""
    line = f"{word} ".encode()
    pump.until(lambda: line in pump.out and pump.out.endswith(b"\n"), f"it says {word!r}")
    return float(pump.out.partition(line)[2].split()[0])


@pytest.mark.parametrize("often", [True, False], ids=["read-often", "read-once"])
@pytest.mark.parametrize(("code", "burnt", "waiting"), KNOWN.values(), ids=KNOWN)
def test_what_is_known_to_be_burnt_is_what_is_read(
    gear: ModuleType, code: str, burnt: float, waiting: int, often: bool
) -> None:
    pump = gear.Pump(gear.python(BURNS.format(code)))
    pump.transport.with_children = True
    with pump:
        began = told(pump, "began")
        pump.transport.send(b"\n")
        pump.until(lambda: b"burnt" in pump.out or (often and not pump.transport.cpu()), "it has burnt")
        by_then = told(pump, "burnt")
        running = pump.transport.cpu()
        pump.transport.send(b"\n")
        at_most = told(pump, "end")
        pump.until(lambda: pump.status is not None, "it has ended")
        ended = pump.transport.cpu()
    assert by_then - began >= burnt, "the burner itself says so"
    assert by_then - waiting * HELD_BACK - CLOCKS <= running <= at_most + CLOCKS
    assert at_most - CLOCKS <= ended == pump.transport.usage_cpu


def test_children_that_nobody_waits_for_are_charged_while_they_work_and_afterwards(gear: ModuleType) -> None:
    """The child has burnt, and says so, before it goes; nobody but the meter ever sees it."""
    code = BURNS.format(
        "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "pid = child(lambda: (burn(0.3), tell('child', resource.RUSAGE_SELF), input()), waits=False)\n"
        "while os.path.exists(f'/proc/{pid}'): time.sleep(0.01)"
    )
    pump = gear.Pump(gear.python(code))
    pump.transport.with_children = True
    with pump:
        told(pump, "began")
        pump.transport.send(b"\n")
        by_child = told(pump, "child")
        seen = pump.transport.cpu()
        assert seen >= by_child >= 0.3
        pump.transport.send(b"\n")
        when_gone = told(pump, "burnt")
        assert pump.transport.cpu() >= seen
        pump.transport.send(b"\n")
        since = told(pump, "end") - when_gone
        pump.until(lambda: pump.status is not None, "it has ended")
        # What rounding could have been is not charged, of either of the two.
        assert pump.transport.cpu() >= seen + since - 2 * HELD_BACK - CLOCKS


ORPHANS = """
for _ in range(10):
    ours, theirs = os.pipe()
    child(lambda: child(lambda: (burn(0.03), os.write(theirs, b"x")), waits=False))
    os.read(ours, 1)
"""


def test_grandchildren_whose_parents_end_at_once_are_charged(gear: ModuleType) -> None:
    """Each has come and gone by the time the meter is read."""
    before = orphans.children()
    orphans.adopt()
    try:
        pump = gear.Pump(gear.python(BURNS.format(ORPHANS)))
        pump.transport.with_children = True
        with pump:
            by_itself = told(pump, "began")
            pump.transport.send(b"\n")
            told(pump, "burnt")
            assert pump.transport.cpu() >= 0.3
            pump.transport.send(b"\n")
            told(pump, "end")
            pump.until(lambda: pump.status is not None, "it has ended")
            assert pump.transport.usage_cpu >= by_itself + 0.3 - HELD_BACK
    finally:
        orphans.end(before)
        orphans.release()


def test_without_it_only_the_bot_itself_is_charged(gear: ModuleType) -> None:
    code = BURNS.format("child(lambda: burn(0.3)); tell('itself', resource.RUSAGE_SELF)")
    pump = gear.Pump(gear.python(code))
    with pump:
        told(pump, "began")
        pump.transport.send(b"\n")
        by_itself = told(pump, "itself")
        with_child = told(pump, "burnt")
        assert by_itself - CLOCKS <= pump.transport.cpu() < with_child


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
            return meters._Node(1, 1, 1, 0.0) if not reaped[0] else None
        node = meters._Node(1, 1, 1, reaped[0])
        if between[0]:
            reaped[0], between[0] = used, False
        return node

    monkeypatch.setattr(meters, "_look", look)
    monkeypatch.setattr(orphans, "children", set)
    monkeypatch.setattr(
        meters, "_children", lambda pid, threads: [child] if pid == 1 and not reaped[0] else []
    )
    monkeypatch.setattr(time, "clock_gettime", lambda clock: used if clock == meters.clock_of(child) else 0.1)
    meter = Meter(1)
    assert meter.read() == pytest.approx(used + 0.1)
    between[0] = True
    assert meter.read() == pytest.approx(used + 0.1)
    assert meter.ended(used + 0.1) == pytest.approx(used + 0.1)
