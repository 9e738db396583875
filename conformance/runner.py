"""The only loop: transports on one side, the sans-I/O match on the other.

Law: this module is the only reader of time. Deadlines are absolute; a line that drips in does not move them. A
message's stamp is taken just before its write; bytes get the stamp of the moment they were read. Whatever happens,
`Runner` is left with every transport stopped.
"""

from __future__ import annotations

import select
import time
from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType

from pdcheck.conformance import parting, probes
from pdcheck.conformance.credit import Credit
from pdcheck.conformance.delivery import PIECE_GAP, Outbox, Splitter
from pdcheck.conformance.transcript import (
    GONE_WITHIN,
    Ended,
    Exit,
    Line,
    Note,
    Out,
    Probe,
    Ruled,
    Sent,
    Stderr,
    Transcript,
)
from pdcheck.conformance.transports import Arrival, Transport, orphans
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import ProcessTransport, running
from pdcheck.conformance.transports.warden import pids as wardens
from pdcheck.conformance.transports.warden import warden
from pdcheck.conformance.watch.watcher import Watcher
from pdcheck.referee.clock import Stamp
from pdcheck.referee.game import Dismiss, Over
from pdcheck.referee.match import Deadline, Event, Expect, Heard, Match, Send
from pdcheck.referee.violations import Ruling

OUTPUT_LIMIT = 1 << 26
"""Bytes of one bot's stdout read in one match; past them it is no longer read (it blocks on its own pipe)."""
UNASKED_KEPT = 4096
UNASKED_IN_ALL = 1 << 18
"""Of what a bot writes unasked, so many bytes a piece and a match are kept; all of it is counted."""
NO_PIDFD_LOOK = 0.05
DEAF_LOOK = 1.0
"""Seconds without a sign before a look at whether a bot can answer at all."""
LONGEST_POLL = 3600.0
"""poll(2) takes an int of milliseconds; a budget may be longer, and then the loop just comes round again."""

Clock = Callable[[], float]


class Runner:
    """Plays one `Match` with one transport a seat and writes down everything in `log`. A context manager.

    `split` cuts messages into pieces, written `gap` seconds apart. An `impatient` runner does not wait out the budget
    of a bot that is certain never to answer (see `ProcessTransport.deaf`). An `eye` watches one seat's process (PD-6).
    """

    def __init__(
        self,
        match: Match,
        transports: Sequence[Transport],
        log: Transcript,
        *,
        split: Splitter | None = None,
        gap: float = PIECE_GAP,
        impatient: bool = False,
        clock: Clock = time.monotonic,
        eye: Watcher | None = None,
    ) -> None:
        self.match = match
        self.transports = transports
        self.log = log
        self._split = split
        self._impatient = impatient
        self.eye = eye
        self.clock = clock
        self._poll = select.poll()
        self._owner: dict[int, int] = {}
        self._deadlines: dict[int, float] = {}
        self._later = Outbox(gap)
        self._came: deque[tuple[int, Arrival]] = deque()
        self._read = [0] * len(transports)
        self._room = [UNASKED_IN_ALL] * len(transports)
        self._looks = False
        self._before: set[int] = set()
        self.credit = Credit(log, transports, clock)
        self.leaving: dict[int, float] = {}
        """Seats without which the match goes on: when they are killed if they are still there (see `parting`)."""
        self.dismissed: set[int] = set()

    def __enter__(self) -> Runner:
        self.log.start = self.clock()
        self.credit.begin()
        if any(isinstance(transport, ProcessTransport) for transport in self.transports):
            orphans.adopt()
            self._before = orphans.children() | {warden().pid}
        try:
            for seat, transport in enumerate(self.transports):
                if isinstance(transport, ProcessTransport):
                    transport.with_children = self.match.game.by_cpu
                transport.start(self._watcher(seat))
        except BaseException:
            self.close()
            raise
        self._looks = any(isinstance(t, ProcessTransport) and t.no_pidfd for t in self.transports)
        if self.eye:
            self.eye.begin(self.clock, self.known)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every player; nothing of them is left."""
        for transport in self.transports:
            transport.stop()
        if self._before:
            orphans.end(self.known())
            orphans.release()
            self._before = set()

    def known(self) -> set[int]:
        """Children of this process that are none of a bot's doing."""
        return self._before | running | wardens()

    def play(self) -> None:
        """From the first message to the last answer (or lapse)."""
        self._handle(self.match.begin())
        while not self.match.done:
            self.step(None)

    def alive(self, seat: int) -> bool:
        """Whether the seat's process is running; looks once at what has come meanwhile."""
        self.step(self.clock())
        return self.running(seat)

    def note(self, seat: int, what: str, text: str) -> None:
        """Write a word of the kit's own into the transcript."""
        self.log.events.append(Note(self.clock(), seat, what, text))

    def rest(self, seat: int) -> None:
        """Listen to a bot that was told nothing yet until it has come to rest (see `parting`)."""
        parting.rest(self, seat)

    def part(self, seat: int, how: str, seconds: float = GONE_WITHIN, *, closes: bool = False) -> None:
        """Wait for the seat's process to end; what stays is noted (see `parting`)."""
        parting.part(self, seat, how, seconds, closes=closes)

    def tell_of_machine(self, seat: int) -> None:
        """Write down what the machine did while this seat's bot was at work."""
        self.credit.tell(seat)

    def _fair(self, seat: int, now: float) -> float:
        """The wall time charged to the seat: where its time is over, what the machine took is given back."""
        deadline, budget = self._deadlines.get(seat), self.match.budget(seat)
        # CPU time is the bot's own; only the guard beside it is a clock that runs while the machine stands still.
        if deadline is not None and deadline <= now:
            at = Stamp(now - self.credit.of_turn(seat), self.transports[seat].cpu())
            if not budget.by_cpu or at.wall >= budget.hang(at):
                self._deadlines[seat] = deadline + self.credit.give_back(seat, now)
        return now - self.credit.of_turn(seat)

    def step(self, until: float | None) -> None:
        """One turn of the loop: wait for the next thing (at most until the wall time given) and deal with it."""
        if not self._came:
            self._wait(until)
        while self._came:
            seat, arrival = self._came.popleft()
            self._take(seat, arrival)
        self._lapse()

    def _watcher(self, seat: int) -> Callable[[int, int], None]:
        def watch(fd: int, mask: int) -> None:
            if mask:
                self._owner[fd] = seat
                self._poll.register(fd, mask)
            elif self._owner.pop(fd, None) is not None:
                self._poll.unregister(fd)

        return watch

    def running(self, seat: int) -> bool:
        """Whether the seat has a process, and it has not ended."""
        transport = self.transports[seat]
        return isinstance(transport, ProcessTransport) and transport.status is None

    def _wait(self, until: float | None) -> None:
        now = self.clock()
        ends = [*self._deadlines.values(), *self._later.due(), *self.leaving.values()]
        if until is not None:
            ends.append(until)
        timeout = max(0.0, min(ends) - now) if ends else None
        if self._looks:
            timeout = NO_PIDFD_LOOK if timeout is None else min(timeout, NO_PIDFD_LOOK)
            self._look()
        # Rounded up: a poll that ends a fraction of a millisecond early would spin.
        if self._impatient and (timeout is None or timeout > DEAF_LOOK):
            timeout = DEAF_LOOK
            patient = True
        else:
            patient = False
        milliseconds = None if timeout is None else int(min(timeout, LONGEST_POLL) * 1000) + 1
        ready = self.eye.wait(self._poll, milliseconds) if self.eye else self._poll.poll(milliseconds)
        if patient and not ready:
            self._give_up_on_the_deaf()
        transports = self.transports
        for fd, mask in ready:
            seat = self._owner.get(fd)
            if seat is None:
                continue
            arrival = transports[seat].ready(fd, mask)
            if arrival is not None:
                self._take(seat, arrival)

    def _give_up_on_the_deaf(self) -> None:
        for seat, at in list(self._deadlines.items()):
            transport = self.transports[seat]
            if not isinstance(transport, ProcessTransport) or self._later or not transport.deaf():
                continue
            # It may have answered since the poll and gone back to reading: what it wrote is there by now.
            if not self._poll.poll(0):
                del self._deadlines[seat]
                self._examine(seat)
                now = self.clock()
                self.log.events.append(Note(now, seat, "deaf", "it waits for more input"))
                # Wall time that it would only wait out is charged; a guard in wall time tells how long it really was.
                over = now - self.credit.of_turn(seat) if self.match.budget(seat).by_cpu else at
                self._handle(self.match.lapse(seat, Stamp(over, transport.cpu())))

    def _look(self) -> None:
        for seat, transport in enumerate(self.transports):
            arrival = transport.prompt()
            if arrival is not None:
                self._came.append((seat, arrival))

    def _take(self, seat: int, arrival: Arrival) -> None:
        channel = arrival.channel
        if channel == "out":
            self._hear(seat, arrival.data)
        elif channel == "err":
            self.log.events.append(Stderr(self.clock(), seat, arrival.data))
        elif channel == "exit":
            self._bury(seat, arrival.status)
        elif channel == "idle":
            self._handle(self.match.lapse(seat, Stamp(self._deadlines.pop(seat, self.clock()))))

    def _hear(self, seat: int, data: bytes) -> None:
        now = self.clock()
        transport = self.transports[seat]
        stamp = Stamp(self._fair(seat, now), transport.cpu())
        if data:
            self._read[seat] += len(data)
            if self._read[seat] > OUTPUT_LIMIT and isinstance(transport, ProcessTransport):
                transport.deafen()
                self.log.events.append(Note(now, seat, "flood", f"over {OUTPUT_LIMIT} bytes on stdout"))
            kept = data
            if not self.match.awaited(seat):
                kept = data[: min(UNASKED_KEPT, self._room[seat])]
                self._room[seat] -= len(kept)
            self.log.events.append(Out(now, seat, kept, len(data), data.count(b"\n")))
        self._handle(self.match.received(seat, data, stamp), stamp)

    def _bury(self, seat: int, status: int) -> None:
        """The process has ended: what it still had to say comes first, then its end."""
        transport = self.transports[seat]
        assert isinstance(transport, ProcessTransport)
        for arrival in transport.rest():
            self._take(seat, arrival)
        now = self.clock()
        self.log.events.append(Exit(now, seat, status, transport.usage_cpu, transport.peak_kib))
        self._handle(self.match.received(seat, b"", Stamp(now, transport.cpu())))

    def _lapse(self) -> None:
        now = self.clock()
        parting.kill_late(self, now)
        for seat, piece in self._later.take(now, self._untaken):
            self.transports[seat].send(piece)
        for seat, at in list(self._deadlines.items()):
            if at <= now and self.match.awaited(seat) is not None:
                fair = self._fair(seat, now)
                if self._deadlines[seat] > now:
                    continue
                del self._deadlines[seat]
                transport = self.transports[seat]
                later = self.match.left(seat, Stamp(fair, transport.cpu()))
                if later is not None:
                    self._handle([later])
                    continue
                waits = isinstance(transport, ProcessTransport) and transport.waiting()
                self._examine(seat)
                if any(self._owner.get(fd) == seat for fd, _ in self._poll.poll(0)):
                    self.log.events.append(Note(now, seat, "overdue", "its time is over, and it answers now"))
                elif waits:
                    self.log.events.append(
                        Note(now, seat, "waits", "its time is over, and it waits for input")
                    )
                self._handle(self.match.tick(seat, Stamp(fair, transport.cpu())))
            elif self.match.awaited(seat) is None:
                del self._deadlines[seat]

    def _untaken(self, seat: int) -> bool:
        transport = self.transports[seat]
        return isinstance(transport, ProcessTransport) and bool(transport.untaken())

    def _examine(self, seat: int) -> None:
        """Before a bot is given up: write down what it should answer, and what it is doing instead. In a match with
        other bots the look would keep them waiting, so only the kit, which is impatient, does it."""
        transport = self.transports[seat]
        self.note(seat, "awaited", self.match.awaited(seat) or "")
        if self._impatient and isinstance(transport, ProcessTransport) and transport.status is None:
            self.log.events.append(Probe(self.clock(), seat, "silence", probes.silence(transport)))

    def _handle(self, events: list[Event], stamp: Stamp | None = None) -> None:
        log = self.log.events
        for event in events:
            if isinstance(event, Send):
                self._send(event)
            elif isinstance(event, Heard):
                now = stamp or Stamp(self.clock())
                at = now.wall + (self.credit.of_turn(event.seat) if stamp else 0.0)
                log.append(Line(at, event.seat, event.kind, event.line, event.cost, now.cpu))
                self.credit.answered(event.seat, Stamp(at, now.cpu))
                self._deadlines.pop(event.seat, None)
            elif isinstance(event, Ruling):
                log.append(Ruled(self.clock(), event))
                self.on_ruling(event)
            elif isinstance(event, Dismiss):
                parting.dismiss(self, event.seat)
            elif isinstance(event, Deadline):
                self._deadlines[event.seat] = event.at + self.credit.of_turn(event.seat)
            elif isinstance(event, Over):
                log.append(Ended(self.clock(), event))
                self.on_over(event)
            elif isinstance(event, Expect) and event.seat not in self._deadlines:
                # Nothing was sent for this line: its time runs from here.
                transport = self.transports[event.seat]
                self._start(event.seat, Stamp(self.clock(), transport.cpu()))
                if isinstance(transport, MemoryTransport) and all(s != event.seat for s, _ in self._came):
                    # It speaks only when it is spoken to, and has said all it had to say.
                    self._came.append((event.seat, Arrival("idle")))

    def on_ruling(self, ruling: Ruling) -> None:
        """For those who show a match as it goes (`pdcheck match -s`)."""

    def on_asked(self, seat: int) -> None:
        """For those who show whose turn it is (`pdcheck play`)."""

    def on_over(self, over: Over) -> None:
        """For those who print a ranking before the bots are told to quit."""

    def _start(self, seat: int, at: Stamp) -> None:
        self.credit.turn(seat)
        for deadline in self.match.sent(seat, at):
            assert isinstance(deadline, Deadline)
            self.credit.asked(seat, at)
            self._deadlines[seat] = deadline.at
            self.on_asked(seat)

    def _send(self, event: Send) -> None:
        seat, data = event
        if self.eye:
            self.eye.sending(seat)
        transport = self.transports[seat]
        pieces = self._split(seat, data) if self._split else (data,)
        clock = self.clock
        cpu = transport.cpu()
        before = clock()
        transport.send(pieces[0])
        done = clock()
        if self.log.told is None or seat in self.log.told:
            self.log.events.append(Sent(before, seat, data, done, cpu))
        if len(pieces) > 1:
            self._later.put(seat, pieces[1:], before)
        self._start(seat, Stamp(before, cpu))
        arrival = transport.prompt()
        if arrival is not None:
            self._came.append((seat, arrival))
