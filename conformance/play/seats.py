"""Who sits at the board: the SEATs of the command line.

Law: read before anything starts; what is no seat is one UsageError. `human` is always a person: a file of that name is
`./human`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.play.desk import Desk
from pdcheck.conformance.play.person import PersonTransport
from pdcheck.conformance.transports import Transport
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import GamePack

HUMAN = "human"
HOUSE = "house:"
LONGEST_NAME = 16


class Seat(NamedTuple):
    """One seat: its name at this board, the SEAT as given, and the bot of a command."""

    name: str
    given: str
    bot: Bot | None

    @property
    def kind(self) -> str:
        """As a transcript calls it: only bots are judged."""
        if self.bot is not None:
            return "candidate"
        return "house" if self.given.startswith(HOUSE) else "opponent"

    @property
    def person(self) -> bool:
        """Whether a person sits here."""
        return self.given == HUMAN


def read_seats(given: Sequence[str], pack: GamePack) -> list[Seat]:
    """The seats in their order. Raises UsageError."""
    if len(given) not in pack.seats:
        least, most = pack.seats.start, pack.seats.stop - 1
        takes = f"{least}" if least == most else f"{least} to {most}"
        there = "1 seat" if len(given) == 1 else f"{len(given)} seats"
        raise UsageError(f"{there}; {pack.name} takes {takes}: each is {HUMAN}, {HOUSE}NAME or a command")
    bots = [_bot(seat, pack) for seat in given]
    return [Seat(name, seat, bot) for name, seat, bot in zip(_names(given, bots), given, bots, strict=True)]


def transport(seat: Seat, number: int, desk: Desk, pack: GamePack, seed: int, folder: str) -> Transport:
    """The seat's transport; `folder` is where bots' homes are made, `seed` that of a house player."""
    if seat.bot is not None:
        return ProcessTransport(seat.bot.launch(tempfile.mkdtemp(prefix="home-", dir=folder)))
    if seat.person:
        return PersonTransport(number, desk, 0)
    return MemoryTransport(pack.player(seat.given.removeprefix(HOUSE), seed))


def _bot(seat: str, pack: GamePack) -> Bot | None:
    if seat == HUMAN:
        return None
    if not seat.startswith(HOUSE):
        return read_bot([seat])
    try:
        pack.player(seat.removeprefix(HOUSE), 0)
    except KeyError as error:
        raise UsageError(str(error.args[0])) from None
    return None


def _names(given: Sequence[str], bots: Sequence[Bot | None]) -> list[str]:
    """A short name each, all different."""
    names: list[str] = []
    for seat, bot in zip(given, bots, strict=True):
        name = seat.removeprefix(HOUSE) if bot is None else _called(bot)
        count = 2
        fresh = name if seat != HUMAN or given.count(HUMAN) == 1 else f"{name}1"
        while fresh in names:
            fresh, count = f"{name}{count}", count + 1
        names.append(fresh)
    return names


def _called(bot: Bot) -> str:
    """A bot is called by its file: the last word of its command that is one."""
    files = [word for word in bot.command if os.path.isfile(os.path.join(bot.folder, word))]
    name = Path((files or bot.command)[-1]).stem[:LONGEST_NAME]
    return "".join(sign for sign in name if sign.isprintable() and not sign.isspace()) or "bot"
