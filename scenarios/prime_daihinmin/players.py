"""Prime Daihinmin: house players, the opponents a candidate meets.

Law: pure and quick. A house player is given a message's bytes and gives the answer's bytes; it reads no clock
and draws chance from its own seed only. It thinks within `THINK_CARDS` and `THINK_TRIES` and passes beyond
them, so that a match of four takes milliseconds. The last third of the list gets itself put out, each in its
own way: candidates must go on beside such seats.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from pdcheck.referee.prime_daihinmin.plays import Tries, plays, primes_of, smallest
from pdcheck.referee.prime_daihinmin.rules import (
    BELPHEGOR_DIGITS,
    LEAD_CARDS,
    PUBLISHED,
    Counts,
    RuleSet,
    field_count,
    judge,
    missing_cards,
)
from pdcheck.referee.prime_daihinmin.table import counts
from pdcheck.scenarios.pack import Player

THINK_CARDS: Final = 60
"""A field of more cards is passed on."""
THINK_TRIES: Final = 300
"""Candidates tried in one turn."""

MERSENNE_DIGITS: Final = ("2147483647", "524287", "131071", "8191", "127", "31", "7", "3")
"""PD-3.8: the Mersenne primes of a length that can occur, largest first."""

PASS: Final = b'{"action": "pass"}\n'
EMPTY: Final = b"\n"


def digits_reply(digits: str) -> bytes:
    """The reply that plays `digits`; "" passes."""
    if not digits:
        return PASS
    return json.dumps({"action": "number", "cards": [int(digit) for digit in digits]}).encode() + b"\n"


def read(message: bytes) -> dict[str, Any]:
    """The message without its record, which no house player needs and which grows all through a match.

    The record is the last key, and inside a JSON string its quotes could not stand unescaped.
    """
    head, cut, _ = message.partition(b', "record": ')
    data: dict[str, Any] = json.loads(head + b"}" if cut else message)
    return data


class House:
    """Answers every message properly; what to play is for the characters below. This one always passes."""

    def answer(self, message: bytes) -> bytes | None:
        """See `Player`."""
        data = read(message)
        if data["action"] != "play":
            return self.notice(data["action"])
        return self.turn(counts(data["hand"]), data["numbers"])

    def notice(self, action: str) -> bytes | None:
        """The answer to `init`, `pass` and `quit`."""
        del action
        return EMPTY

    def turn(self, hand: Counts, field: Sequence[str]) -> bytes | None:
        """The answer to `play`."""
        return digits_reply(self.choose(hand, field))

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        """The digits to play, or "" to pass."""
        del hand, field
        return ""


class Passer(House):
    """Passes whatever comes, and draws, and draws."""


class Steady(House):
    """Plays the smallest legal number, and passes only when it finds none."""

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        if field_count(field) > THINK_CARDS:
            return ""
        return next(plays(hand, field, PUBLISHED, Tries(THINK_TRIES)), "")


class Cutter(Steady):
    """Clears the field whenever it can: Belphegor, then the longest Mersenne prime; otherwise steady."""

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        cuts = (BELPHEGOR_DIGITS, *MERSENNE_DIGITS)
        cut = next((digits for digits in cuts if _takes(hand, field, digits)), "")
        return cut or super().choose(hand, field)


class Greedy(House):
    """Gets rid of cards: Belphegor at once, the longest lead, and in it as many as it can of the digits that
    no prime ends with."""

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        if not missing_cards(hand, BELPHEGOR_DIGITS):
            return BELPHEGOR_DIGITS
        wanted = field_count(field)
        if wanted > THINK_CARDS:
            return ""
        lengths = (wanted,) if wanted else range(LEAD_CARDS, 0, -1)
        found = (self._best(hand, length, field[-1] if field else "") for length in lengths)
        return next(filter(None, found), "")

    def _best(self, hand: Counts, length: int, above: str) -> str:
        floors = {above, *(max(above, first.ljust(length, "0")) for first in "24568")}
        tries = Tries(THINK_TRIES)
        found = [
            digits
            for floor in sorted(floors)
            for digits in islice(primes_of(hand, length, floor, tries=tries), 4)
        ]
        return max(found, key=_awkward, default="")


class Chaos(House):
    """Legal and without a plan: passes one turn in four, else plays from anywhere among its legal numbers."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        chance = self._chance
        wanted = field_count(field)
        if wanted > THINK_CARDS or chance.random() < 0.25:
            return ""
        if not missing_cards(hand, BELPHEGOR_DIGITS) and chance.random() < 0.5:
            return BELPHEGOR_DIGITS
        length = wanted or chance.randint(1, LEAD_CARDS)
        last = field[-1] if field else ""
        aim = "".join(chance.choices("0123456789", k=length))
        tries = Tries(THINK_TRIES)
        aimed = smallest(hand, length, aim, tries) if aim > last else None
        return aimed or smallest(hand, length, last, tries) or ""


class Scripted(House):
    """Plays its list in order ("" passes). When the next one is not legal in its turn it passes and keeps it;
    when the list is at its end it passes."""

    def __init__(self, script: Sequence[str], rules: RuleSet = PUBLISHED) -> None:
        self._script = list(script)
        self._rules = rules

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        if not self._script:
            return ""
        digits = self._script[0]
        if digits and not _takes(hand, field, digits, self._rules):
            return ""
        return self._script.pop(0)


class CompositeCheat(Steady):
    """Plays a composite number at its first chance; nothing else is wrong with it (PD-3.5)."""

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        wanted = field_count(field) or LEAD_CARDS
        for digits in _large(hand, wanted):
            violation = judge(hand, field, [int(digit) for digit in digits]).violation
            if violation is not None and violation.requirement == "PD-3.5":
                return digits
        return super().choose(hand, field)


class HandCheat(House):
    """Plays one card more of its rarest digit than it holds (PD-3.1)."""

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        del field
        rarest = min(range(10), key=lambda card: hand[card])
        return str(rarest) * (hand[rarest] + 1)


class CountCheat(Steady):
    """Answers with the smallest prime of one card too many, or leads with six cards (PD-3.3, PD-3.2)."""

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        wanted = field_count(field) or LEAD_CARDS
        if wanted <= THINK_CARDS and (digits := smallest(hand, wanted + 1, tries=Tries(THINK_TRIES))):
            return digits
        return super().choose(hand, field)


class ZeroCheat(Steady):
    """Leads with a 0 before its prime (PD-3.6): out by the announcement, taken by the control program."""

    def choose(self, hand: Counts, field: Sequence[str]) -> str:
        number = super().choose(hand, field)
        spare = hand[0] - number.count("0")
        return f"0{number}" if number and not field and spare > 0 and len(number) < LEAD_CARDS else number


class Mute(Steady):
    """Says nothing when it is asked (PD-5.1)."""

    TURNS = 0

    def __init__(self) -> None:
        self._turns = self.TURNS

    def turn(self, hand: Counts, field: Sequence[str]) -> bytes | None:
        if not self._turns:
            return None
        self._turns -= 1
        return super().turn(hand, field)


class LateMute(Mute):
    """Plays steadily for 3 turns, then says nothing when it is asked (PD-5.1)."""

    TURNS = 3


class Dozer(House):
    """Passes, and falls asleep over the pass notice (PD-5.1; the control program sees it a turn later)."""

    def notice(self, action: str) -> bytes | None:
        return None if action == "pass" else EMPTY


class Dead(House):
    """Ends its output when it is told `init` (IO-1)."""

    def notice(self, action: str) -> bytes | None:
        return b"" if action == "init" else EMPTY


class LateDead(House):
    """Ends its output when it is first asked to play (IO-1)."""

    def turn(self, hand: Counts, field: Sequence[str]) -> bytes | None:
        del hand, field
        return b""


class Babbler(House):
    """Answers `play` with something that only resembles JSON (JS-1)."""

    def turn(self, hand: Counts, field: Sequence[str]) -> bytes | None:
        del hand, field
        return b"{'action': 'pass'}\n"


class Shrugger(Steady):
    """Answers its first `play` with an action that does not exist (PD-2.3; a free turn in the control
    program), later ones steadily."""

    def __init__(self) -> None:
        self._shrugged = False

    def turn(self, hand: Counts, field: Sequence[str]) -> bytes | None:
        if self._shrugged:
            return super().turn(hand, field)
        self._shrugged = True
        return b'{"action": "shrug"}\n'


PLAYERS: Final[dict[str, Callable[[int], Player]]] = {
    "steady": lambda _: Steady(),
    "greedy": lambda _: Greedy(),
    "cutter": lambda _: Cutter(),
    "passer": lambda _: Passer(),
    "chaos": Chaos,
    "cheat-composite": lambda _: CompositeCheat(),
    "cheat-hand": lambda _: HandCheat(),
    "cheat-count": lambda _: CountCheat(),
    "cheat-zero": lambda _: ZeroCheat(),
    "mute": lambda _: Mute(),
    "late-mute": lambda _: LateMute(),
    "dozer": lambda _: Dozer(),
    "dead": lambda _: Dead(),
    "late-dead": lambda _: LateDead(),
    "babbler": lambda _: Babbler(),
    "shrugger": lambda _: Shrugger(),
}
"""Name → how to make one from a seed; only `chaos` makes something of it."""

LEGAL_PLAYERS: Final = ("steady", "greedy", "cutter", "passer", "chaos")
"""Those that play every match to its end."""


def player(name: str, seed: int = 0) -> Player:
    """A new house player. Raises KeyError, listing the known names, for an unknown one."""
    if name not in PLAYERS:
        raise KeyError(f"no house player {name!r}; there are: {', '.join(PLAYERS)}")
    return PLAYERS[name](seed)


def _takes(hand: Counts, field: Sequence[str], digits: str, rules: RuleSet = PUBLISHED) -> bool:
    return judge(hand, field, [int(digit) for digit in digits], rules).violation is None


def _awkward(digits: str) -> int:
    """How many cards of it no prime ends with."""
    return sum(digit in "024568" for digit in digits)


def _large(hand: Counts, count: int) -> Iterator[str]:
    """Some of the largest numbers of `count` cards: the largest, and those with another card of the hand at
    its end."""
    cards = "".join(str(card) * hand[card] for card in range(9, -1, -1))
    if len(cards) < count:
        return
    for last in dict.fromkeys(reversed(cards)):
        rest = cards.replace(last, "", 1)
        yield rest[: count - 1] + last
    yield cards[:count]
