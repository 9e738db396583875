"""How a bot is left: it comes to rest before it is told anything, and it goes when it is told to.

Law: nothing here ends a process. It is listened to for an absolute time, prolonged only by what the machine took of it;
what stays, and what an ended bot leaves behind, is noted.
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TYPE_CHECKING

from pdcheck.conformance.conduct.sights import SHOWN, shown
from pdcheck.conformance.transcript import GONE_WITHIN, Note, Probe
from pdcheck.conformance.transports import orphans
from pdcheck.conformance.transports.process import ProcessTransport

if TYPE_CHECKING:
    from pdcheck.conformance.runner import Runner

LEFT_WITHIN = 0.5
"""IO-11: seconds from its end that what it started has at least."""
TAKEN_WITHIN = 0.2
"""Seconds a bot has to read what it was sent before a SIGTERM that is to meet it at work."""
REST_AT_MOST = 3.0
REST_LOOK = 0.03


def rest(runner: Runner, seat: int) -> None:
    """Listen to a bot that was told nothing yet until it has come to rest: asleep, its CPU clock standing still
    over three looks; a loaded machine makes this longer, not wrong. At most `REST_AT_MOST` seconds."""
    transport = runner.transports[seat]
    until = runner.clock() + REST_AT_MOST
    still, last = 0, -1.0
    while runner.running(seat) and still < 3 and runner.clock() < until:
        look = runner.clock() + REST_LOOK
        while runner.running(seat) and runner.clock() < look:
            runner.step(min(look, runner.clock() + REST_LOOK / 8))
            if isinstance(transport, ProcessTransport) and transport.deaf():
                # What it wrote before it began to read is there by now.
                runner.step(runner.clock())
                return
        used = transport.cpu()
        calm = isinstance(transport, ProcessTransport) and transport.asleep()
        calm = calm and (runner.eye is None or runner.eye.quiet())
        still = still + 1 if calm and used - last < REST_LOOK / 20 else 0
        last = used


def part(runner: Runner, seat: int, how: str, seconds: float = GONE_WITHIN, *, closes: bool = False) -> None:
    """Wait for the seat's process to end, then see whether its group is empty; what stays is noted.

    `how`: quit (it was told to, or knows by itself: then its input `closes`), eof (its input is closed now), term
    (SIGTERM), hurry (nothing is waited for).
    """
    transport = runner.transports[seat]
    if not isinstance(transport, ProcessTransport):
        return
    if runner.eye:
        runner.eye.end()
    if seat not in runner.dismissed:
        _show_out(runner, seat, transport, how, closes=closes)
    if how != "hurry":
        _see_out(runner, seat, transport, how, seconds)


def dismiss(runner: Runner, seat: int) -> None:
    """The match goes on without the seat: its input is closed, and it is killed when it has not gone in time."""
    transport = runner.transports[seat]
    if not isinstance(transport, ProcessTransport) or seat in runner.dismissed:
        return
    runner.dismissed.add(seat)
    _show_out(runner, seat, transport, "eof")
    if transport.status is None:
        runner.leaving[seat] = runner.clock() + GONE_WITHIN


def kill_late(runner: Runner, now: float) -> None:
    """End those that were dismissed and are still there."""
    for seat, at in list(runner.leaving.items()):
        if at <= now or not runner.running(seat):
            del runner.leaving[seat]
        if at <= now and runner.running(seat):
            runner.note(seat, "stays", f"still running {GONE_WITHIN:g} s after eof")
            transport = runner.transports[seat]
            assert isinstance(transport, ProcessTransport)
            transport.signal(signal.SIGKILL)


def _show_out(
    runner: Runner, seat: int, transport: ProcessTransport, how: str, *, closes: bool = False
) -> None:
    """Tell it to go."""
    runner.log.events.append(Note(runner.clock(), seat, how))
    if transport.stderr_dropped:
        dropped = f"{transport.stderr_dropped} bytes of its stderr were dropped"
        runner.log.events.append(Note(runner.clock(), seat, "stderr-dropped", dropped))
    runner.log.events.append(Note(runner.clock(), seat, "starved", f"{transport.starved():.6f}"))
    if how == "hurry":
        return
    if how != "quit":
        runner.match.hush(seat)
    if how == "eof" or (how == "quit" and closes):
        transport.end_input()
    elif how == "term":
        taken = runner.clock() + TAKEN_WITHIN
        while runner.running(seat) and transport.untaken() and runner.clock() < taken:
            runner.step(runner.clock())
        transport.signal(signal.SIGTERM)


def _see_out(runner: Runner, seat: int, transport: ProcessTransport, how: str, seconds: float) -> None:
    """Wait until it has gone, and note what is left."""
    began, used = runner.clock(), transport.cpu()
    until = began + seconds
    before = given = runner.credit.took(seat)
    while runner.running(seat) and runner.clock() < until:
        runner.step(until)
        if runner.clock() >= until and (more := runner.credit.more(seat, given, before + seconds)):
            until, given = until + more, given + more
    if given > before:
        back = {"seconds": round(given - before, 6), "waited": round(runner.clock() - began, 6)}
        runner.log.events.append(Probe(runner.clock(), seat, "end-given-back", back))
    if transport.status is None:
        end = {"cpu": round(transport.cpu() - used, 6)}
        runner.log.events.append(Probe(runner.clock(), seat, "end", end))
        runner.log.events.append(
            Note(runner.clock(), seat, "stays", f"still running {seconds:g} s after {how}")
        )
        return
    # What it started sees its end only now: a bot that took all of its time leaves them none.
    until = max(until, runner.clock() + LEFT_WITHIN)
    while _left_behind(runner, transport) and runner.clock() < until:
        runner.step(min(until, runner.clock() + 0.01))
    left = _left_behind(runner, transport)
    if left:
        runner.log.events.append(Note(runner.clock(), seat, "survivors", left))


def _left_behind(runner: Runner, transport: ProcessTransport) -> str:
    """In words, what of an ended bot is still running; "" when nothing is."""
    if transport.group_alive():
        return f"its process group is not empty{_named(_group(transport.pid))}"
    left = orphans.adopted(runner.known())
    if not left:
        return ""
    return f"{len(left)} process(es) it started went on in a session of their own{_named(left)}"


def _group(group: int) -> list[int]:
    """The processes of a group; empty where the system does not tell."""
    found = []
    with contextlib.suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if os.getpgid(int(name)) == group:
                    found.append(int(name))
    return found


def _named(pids: list[int]) -> str:
    """Their commands in words, "" where none is told; the bot chose them, so they are short and drive no terminal."""
    told = []
    for pid in pids[:SHOWN]:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
            command = os.fsdecode(file.read(4096).replace(b"\0", b" ").strip())
            told += [f"`{shown(command, 60)}`"] if command else []
    return f": {', '.join(told)}" if told else ""
