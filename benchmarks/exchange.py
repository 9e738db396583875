"""What one exchange costs with the kit, against a bare poll loop: same bot, same messages, one core.

Law: the kit's side is the whole of it (encode, write, read, decode, judge, write down) on a real match; the
bare loop's is a write, a poll and a read. Both are timed from the first `play` message to the last answer.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Sequence
from functools import partial

from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Ruled, Sent, Transcript
from pdcheck.conformance.transports import Transport
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import Launch, ProcessTransport
from pdcheck.referee.match import Match
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin, Script
from pdcheck.referee.prime_daihinmin.table import Move, Setup, counts

from benchmarks.measure import Options, Result, Row, build, in_turns, one_core, shown

CUT = "127"
EXCHANGES = 60
BARE_TIMES = 6
"""The bare loop sends the messages so often: samples of about the same length on both sides."""
SIZES = (("4 kB", 60, 25.0, "8"), ("60 kB", 1410, 12.0, "4"))
"""Size, record entries before the first message, the bound, and the goal after it."""


class _Nobody:
    """Takes what it is told; never asked to play."""

    def answer(self, _: bytes, /) -> bytes:
        return b"\n"


def setup(entries: int, exchanges: int = EXCHANGES) -> Setup:
    """Seat 0 has cut with 127 `entries` times and passed; seat 1 leads, with cards for all its cuts."""
    before = (*(Move(0, CUT) for _ in range(entries)), Move(0, ""))
    hands = counts(CUT * (entries + 1)), counts(CUT * (exchanges + 1))
    return Setup(("Opponent", "Candidate"), hands, "1234567890", before=before)


class KitSide:
    """The kit's own seconds of an exchange; `messages` are the ones it sent."""

    def __init__(self, bot: str, entries: int) -> None:
        self.bot = bot
        self.setup = setup(entries)
        self.messages: list[bytes] = []

    def __call__(self) -> float:
        log = Transcript()
        game = PrimeDaihinmin(self.setup, script=Script(1, EXCHANGES))
        transports: list[Transport] = [
            MemoryTransport(_Nobody()),
            ProcessTransport(Launch((self.bot,), os.environ)),
        ]
        with Runner(Match(game), transports, log) as runner:
            runner.play()
        sent = [event for event in log.events if isinstance(event, Sent) and b'"play"' in event.data[:20]]
        ruled = [e for e in log.events if isinstance(e, Ruled) and e.ruling.outcome == "mersenne"]
        if len(sent) != EXCHANGES or len(ruled) != EXCHANGES:
            raise RuntimeError(f"{len(sent)} plays asked for, {len(ruled)} taken; {EXCHANGES} expected")
        self.messages = [event.data for event in sent]
        return (ruled[-1].at - sent[0].at) / EXCHANGES


def bare(bot: str, messages: Sequence[bytes]) -> float:
    """A bare loop's seconds of an exchange: write, poll, read to the LF."""
    with subprocess.Popen((bot,), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        write, read = process.stdin.fileno(), process.stdout.fileno()
        poll = select.poll()
        poll.register(read, select.POLLIN)
        began = time.monotonic()
        for message in messages:
            os.write(write, message)
            answer = b""
            while not answer.endswith(b"\n"):
                poll.poll()
                answer += os.read(read, 1 << 16)
        return (time.monotonic() - began) / len(messages)


def run(options: Options) -> Result:
    """One row a size."""
    bot = build("cutter_bot", options.scratch)
    with one_core():
        return Result([_compare(options, bot, *row) for row in SIZES])


def _compare(options: Options, bot: str, size: str, entries: int, bound: float, goal: str) -> Row:
    kit = KitSide(bot, entries)
    kit()
    messages = kit.messages
    ours, theirs = in_turns((kit, partial(bare, bot, BARE_TIMES * messages)), options.rounds(40))
    mean = sum(map(len, messages)) / len(messages)
    return Row.of(
        f"exchange, {size}: kit / bare loop",
        ours,
        theirs,
        at_most=bound,
        goal=goal,
        text=f"kit {shown(ours)}, bare {shown(theirs)} an exchange; messages of {mean:,.0f} bytes",
    )
