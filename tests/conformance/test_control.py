"""The control process: it sees what stops everything, costs next to nothing, and never outlives its kit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from types import ModuleType

import pytest
from pdcheck.conformance import control
from pdcheck.conformance.control import GRAIN, PERIOD, Control, Stall

KIT = """
import signal
from pdcheck.conformance import control
made = control.Control()
made.wait()
print(made.pid, flush=True)
signal.pause()
"""


@pytest.fixture
def own() -> Iterator[Control]:
    """A control of the test's own, at work."""
    made = Control()
    try:
        made.wait()
        yield made
    finally:
        made.close()


def _rounds(own: Control, gear: ModuleType) -> None:
    """Until it has gone round once more."""
    last = own._head()[0]
    gear.until(lambda: own._head()[0] > last, "the control goes round")


def test_a_stop_is_a_stall_while_it_lasts_and_after_it(own: Control, gear: ModuleType) -> None:
    before = time.monotonic()
    os.kill(own.pid, signal.SIGSTOP)
    gear.until(lambda: own.stalled(before, time.monotonic()) > 10 * PERIOD, "a stall that goes on is seen")
    during = time.monotonic()
    os.kill(own.pid, signal.SIGCONT)
    _rounds(own, gear)
    after = time.monotonic()
    stalls = own.stalls(before, after)
    assert max(stall.until - stall.since for stall in stalls) > 10 * PERIOD - GRAIN
    assert own.stalled(before, during) <= own.stalled(before, after)
    assert all(before <= stall.since < stall.until <= after for stall in stalls)


def test_stalls_are_cut_to_what_is_asked_for(own: Control, gear: ModuleType) -> None:
    before = time.monotonic()
    os.kill(own.pid, signal.SIGSTOP)
    gear.until(lambda: own.stalled(before, time.monotonic()) > 5 * PERIOD, "it is stopped")
    middle = time.monotonic()
    os.kill(own.pid, signal.SIGCONT)
    _rounds(own, gear)
    assert own.stalls(before, middle)[-1].until == middle
    assert own.stalls(middle + 1000, middle + 2000) == []
    assert own.stalls(before - 2000, before - 1000) == []


def test_it_costs_next_to_nothing(own: Control, gear: ModuleType) -> None:
    """CPU seconds a round: fewer than 1 % of the seconds that a round lasts."""
    clock = (~own.pid << 3) | 2
    try:
        before = time.clock_gettime(clock)
    except OSError:
        pytest.skip("no CPU clock of another process here")
    rounds = 40
    for _ in range(rounds):
        _rounds(own, gear)
    # A loaded machine makes rounds longer, and cold caches dearer: ten times the usual cost would still pass.
    assert (time.clock_gettime(clock) - before) / rounds < 10 * PERIOD / 100


def test_old_stalls_are_overwritten_and_the_newest_stay(own: Control) -> None:
    head = control._HEAD
    kept = control.KEPT
    os.kill(own.pid, signal.SIGSTOP)
    for number in range(kept + 5):
        place = head.size + number % kept * control._STALL.size
        control._STALL.pack_into(own._shared, place, number, number + 0.5)
    head.pack_into(own._shared, 0, 1e9, kept + 5)
    found = own.stalls(0.0, 1e9)
    assert len(found) == kept
    assert found[0] == Stall(5.0, 5.5)
    assert found[-1] == Stall(kept + 4.0, kept + 4.5)
    os.kill(own.pid, signal.SIGCONT)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda n: n.name)
def test_it_ends_with_its_kit(gear: ModuleType, number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", KIT], stdout=subprocess.PIPE, text=True) as kit:
        assert kit.stdout
        pid = int(kit.stdout.readline())
        assert gear.alive(pid)
        kit.send_signal(number)
        kit.wait()
        gear.until(lambda: not gear.alive(pid), "the control has ended with its kit")


def test_what_ends_the_kit_in_order_does_not_end_it_first(own: Control, gear: ModuleType) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(own.pid, number)
    for _ in range(3):
        _rounds(own, gear)
    assert own.ready()


def test_it_stops_with_the_kit(own: Control) -> None:
    """In the kit's process group: Ctrl-Z stops both, or the bot would pay for the pause."""
    assert os.getpgid(own.pid) == os.getpgid(0)


def test_there_is_one_for_a_process_and_none_afterwards(gear: ModuleType) -> None:
    assert control.current() is None
    with control.beside() as made:
        gear.until(control.current, "it looks")
        found = control.current()
        assert found is not None
        with control.beside():
            assert control.current() is found
        assert control.current() is found
        assert made is found
    assert control.current() is None
    assert not gear.alive(found.pid)


def test_one_that_was_killed_is_none(gear: ModuleType) -> None:
    with control.beside():
        gear.until(control.current, "it looks")
        found = control.current()
        assert found is not None
        os.kill(found.pid, signal.SIGKILL)
        gear.until(lambda: control.current() is None, "its end is noticed")


def test_what_the_kit_waits_for_a_core_only_grows() -> None:
    first = control.starved()
    assert 0.0 <= first <= control.starved()
