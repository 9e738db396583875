"""A match with people in it, from its first message to its end.

Law: the match, the referee and the loop are those of `pdcheck match`; a person is one more transport. Where all others
are house players, who play alike each time, a move is taken back by playing the match once more without it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pdcheck.conformance.play.desk import Desk, Undone
from pdcheck.conformance.play.face import Face
from pdcheck.conformance.play.seats import Seat, transport
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.referee.game import Game, Over
from pdcheck.referee.match import Match
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.seatview import SeatView


class _Board(Runner):
    """A runner that shows everything at a desk."""

    desk: Desk

    def on_ruling(self, ruling: Ruling) -> None:
        self.desk.told(ruling)

    def on_asked(self, seat: int) -> None:
        if isinstance(self.transports[seat], ProcessTransport):  # a house player answers at once
            self.desk.asked()

    def on_over(self, over: Over) -> None:
        self.desk.over(over)


class Table(NamedTuple):
    """All that a match at the board is made of: `deal` gives it anew each time, `seed` is the house players'."""

    pack: GamePack
    view_of: Callable[[Game], SeatView]
    deal: Callable[[], Game]
    seats: Sequence[Seat]
    seed: int


def play(table: Table, face: Face, log: Transcript, folder: str) -> None:
    """Play a match to its end; `log` holds the events of the last time, `folder` is where bots' homes are made.

    Raises Left when a person leaves, StartError when a bot cannot be started; nothing of a bot is left then.
    """
    seats = table.seats
    bots = [seat.name for seat in seats if seat.bot is not None]
    fixed = f"{bots[0]} is a program and cannot go back" if bots else ""
    people = frozenset(number for number, seat in enumerate(seats) if seat.person)
    given: Sequence[bytes] = ()
    closes = table.pack.end.closes
    how = "quit" if closes else "eof"
    while True:
        game = table.deal()
        desk = Desk(face, table.view_of(game), game.names, people, fixed=fixed, given=given)
        transports = [
            transport(seat, number, desk, table.pack, table.seed + number, folder)
            for number, seat in enumerate(seats)
        ]
        log.events.clear()
        # A match that is put aside costs nobody time.
        board = _Board(
            Match(game, untimed=people), transports, log, clock=lambda: time.monotonic() - face.away
        )
        board.desk = desk
        try:
            with board:
                board.play()
                for number in range(len(seats)):
                    board.part(number, how, closes=closes)
            return
        except Undone as undone:
            given = undone.answers
