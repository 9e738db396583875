"""`pdcheck play`: people and bots at one board, in the terminal.

Law: exit status 0 when it was played to its end, whoever lost; 130 when it was left or interrupted. Whatever happens,
the terminal is given back, no bot goes on, and the transcript that was asked for is written; a match is interrupted
once, and what is left to do then is not. Escape codes go only to a terminal that is both the keyboard and the screen.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from pdcheck.conformance.commands.common import pack_of, rules_of, seconds_of, tell, writable
from pdcheck.conformance.commands.match import Unkept, write_transcript
from pdcheck.conformance.machine import machine
from pdcheck.conformance.play.board import Table, play
from pdcheck.conformance.play.desk import Left
from pdcheck.conformance.play.face import Face
from pdcheck.conformance.play.lines import Lines
from pdcheck.conformance.play.seats import Seat, read_seats
from pdcheck.conformance.play.terminal import held
from pdcheck.conformance.scratch import scratch
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.transports import StartError
from pdcheck.conformance.usage import UsageError
from pdcheck.conformance.version import __version__
from pdcheck.scenarios.pack import GamePack

INTERRUPTED = 130
KEYBOARD = 0
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Ctrl-C, somebody else, a terminal that is closed, Ctrl-\\."""


def run_play(
    game: str,
    given: Sequence[str],
    *,
    time: float | None,
    rules: str | None,
    seed: int | None,
    transcript: str | None,
    no_color: bool,
) -> int:
    """Play one match with people; the exit status."""
    pack = pack_of(game)
    rule_set = rules_of(pack, rules)
    view_of = pack.seatview
    if view_of is None:
        raise UsageError(f"{pack.name} has no board for people: see `pdcheck match --game {pack.name}`")
    seats = read_seats(given, pack)
    limit = seconds_of("--time", time) or pack.time
    if writable("--transcript", transcript) == "-":
        raise UsageError("--transcript -: stdout holds the board")
    seed = secrets.randbits(32) if seed is None else seed
    names = [seat.name for seat in seats]
    table = Table(pack, view_of, lambda: pack.match(names, seed, limit, rule_set, False), seats, seed)
    log = Transcript(_header(pack, rule_set, seed, seats, limit))
    if not transcript:
        log.events = Unkept()
    return _ended(_sit(table, log, transcript, no_color=no_color), transcript)


def _sit(table: Table, log: Transcript, transcript: str | None, *, no_color: bool) -> str:
    """Play it; why it was not played to its end, "" when it was."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(_ended_once())
        bots = any(seat.bot is not None for seat in table.seats)
        folder = stack.enter_context(scratch()) if bots else ""
        face = _face(no_color=no_color)
        try:
            play(table, face, log, folder)
        except StartError as error:
            raise UsageError(str(error)) from None
        except Left as left:
            return str(left)
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            try:
                _leave(face, log, transcript)
            except KeyboardInterrupt:  # the first one, just now: there is no second
                _leave(face, log, transcript)
                raise
    return ""


def _leave(face: Face, log: Transcript, transcript: str | None) -> None:
    """What is left to do, which is short: an interruption waits for it."""
    with held(ENDING):
        face.close()
        if transcript:
            write_transcript(log, transcript)


def _ended(why: str, transcript: str | None) -> int:
    if not why:
        return 0
    saved = f"; what was played is in {transcript}" if transcript else ""
    tell(f"pdcheck: the match was not played to its end: {why}{saved}")
    return INTERRUPTED


def _face(*, no_color: bool) -> Face:
    """The whole screen where keyboard and screen are a terminal that knows how, else plain lines."""
    knows = os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
    if knows and os.isatty(KEYBOARD) and sys.stdout.isatty():
        # rich takes a tenth of a second, which plain lines need not pay.
        from pdcheck.conformance.play.screen import Screen

        sys.stdout.flush()
        return Screen(KEYBOARD, sys.stdout, no_color=no_color)
    return Lines(sys.stdout)


@contextlib.contextmanager
def _ended_once() -> Iterator[None]:
    """Each of these ends a match as Ctrl-C does, and only the first one; whoever started us with one of them ignored
    (`nohup`) meant that."""
    before = {number: signal.getsignal(number) for number in ENDING}
    ending = [number for number, handler in before.items() if handler not in (signal.SIG_IGN, None)]

    def stop(number: int, _: object) -> None:
        for other in ending:
            signal.signal(other, _heard)
        raise KeyboardInterrupt(number)

    for number in ending:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in ending:
            signal.signal(number, before[number])


def _heard(number: int, _: object) -> None:
    """It ends already. (Not SIG_IGN: Python complains about a signal that came just before it was ignored.)"""


def _header(pack: GamePack, rules: str, seed: int, seats: Sequence[Seat], limit: float) -> dict[str, Any]:
    rows = [
        {
            "name": seat.name,
            "kind": seat.kind,
            "command": list(seat.bot.command) if seat.bot else None,
            "sha256": seat.bot.sha256 if seat.bot else None,
        }
        for seat in seats
    ]
    return {
        "pdcheck": __version__,
        "game": pack.name,
        "rules": rules,
        "seed": seed,
        "seats": rows,
        "case": None,
        "setup": {"seed": seed, "names": [seat.name for seat in seats]},
        "environment": {},
        "limits": {"time": limit},
        "machine": machine(),
    }
