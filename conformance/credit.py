"""What the machine took of a bot's time, and what of it is given back where the bot's time is over.

Law: the bot pays for what it does and for what it waits for by itself. While it, or the kit, waited for a core, and
while everything stood still (see `control`), the machine had the time: so much is added to a deadline that has come,
and taken off the answer's cost, up to `AT_MOST` seconds a match; never what the bot itself was on the CPU. Without a
control process nothing is given back: a match that is not a check is charged as the contest charges it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pdcheck.conformance import control
from pdcheck.conformance.transcript import Probe, Transcript
from pdcheck.conformance.transports import Transport
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.referee.clock import Stamp

AT_MOST = 10.0
"""Seconds given back to a bot in one match, at most: past that nobody can tell (`blame`)."""
GRAIN = 0.02
"""Seconds that are not worth a second look."""


class Credit:
    """The machine's account in one match."""

    def __init__(self, log: Transcript, transports: Sequence[Transport], clock: Callable[[], float]) -> None:
        self._log = log
        self._transports = transports
        self._clock = clock
        self._control: control.Control | None = None
        self._kit_starved = 0.0
        self._given: dict[int, float] = {}
        self._of_turn: dict[int, float] = {}
        self._since: dict[int, Stamp] = {}
        self._idle: dict[int, float] = {}

    def begin(self) -> None:
        """The match begins now."""
        self._control = control.current()
        self._kit_starved = control.starved()

    def turn(self, seat: int) -> None:
        """The seat is asked something: what was given back before is settled."""
        self._of_turn.pop(seat, None)

    def asked(self, seat: int, at: Stamp) -> None:
        """The seat's time runs from here, if it did not run already."""
        self._since.setdefault(seat, at)

    def answered(self, seat: int, at: Stamp) -> None:
        """The seat's time stands still again."""
        self._idle[seat] = self._off_the_cpu(seat, at)
        self._since.pop(seat, None)

    def _off_the_cpu(self, seat: int, at: Stamp) -> float:
        """Seconds of its turns so far in which the bot used no CPU: more of them the machine cannot have taken."""
        since = self._since.get(seat, at)
        return self._idle.get(seat, 0.0) + max(0.0, at.wall - since.wall - (at.cpu - since.cpu))

    def of_turn(self, seat: int) -> float:
        """Seconds given back in this turn."""
        return self._of_turn.get(seat, 0.0)

    def more(self, seat: int, given: float, most: float = AT_MOST) -> float:
        """Seconds to be given back beyond those `given`; 0.0 when the rest is the bot's own."""
        more = min(most, self.took(seat)) - given
        return more if more > GRAIN else 0.0

    def took(self, seat: int) -> float:
        """Seconds that the machine took since the match began; 0.0 where there is no control process."""
        transport = self._transports[seat]
        if not self._looked_after or not isinstance(transport, ProcessTransport):
            return 0.0
        assert self._control is not None
        stalled = self._control.stalled(self._log.start, self._clock())
        return stalled + transport.starved() + control.starved() - self._kit_starved

    @property
    def _looked_after(self) -> bool:
        """Whether the control has looked on since the match began, and still does: one that was killed would tell of a
        stall without end."""
        return self._control is not None and control.current() is self._control

    def give_back(self, seat: int, now: float) -> float:
        """The seat's time is over: seconds that its deadline moves, 0.0 when it does not."""
        given = self._given.get(seat, 0.0)
        at = Stamp(now, self._transports[seat].cpu())
        more = self.more(seat, given, min(AT_MOST, self._off_the_cpu(seat, at)))
        if more:
            self._given[seat] = given + more
            self._of_turn[seat] = self.of_turn(seat) + more
            self._log.events.append(Probe(now, seat, "given-back", {"seconds": round(given + more, 6)}))
        return more

    def tell(self, seat: int) -> None:
        """Write down what the control saw and what the kit itself waited for while this seat's bot was at work."""
        if self._control is None or not self._looked_after:
            return
        start, now = self._log.start, self._clock()
        stalls = self._control.stalls(start, now)
        longest = sorted(stalls, key=lambda stall: stall.since - stall.until)[: control.SHOWN]
        values = {
            "stalled": round(sum(stall.until - stall.since for stall in stalls), 6),
            "stalls": [[round(s.since - start, 6), round(s.until - start, 6)] for s in sorted(longest)],
            "kit_starved": round(max(0.0, control.starved() - self._kit_starved), 6),
        }
        self._log.events.append(Probe(now, seat, "control", values))
