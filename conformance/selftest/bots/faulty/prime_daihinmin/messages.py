"""Faults in the messages of Prime Daihinmin (PD-2.1 to PD-2.8).

Law of this file: the lines are well formed and the plays legal; what is said in them is wrong. A fault that
shows only after a pass passes at its first chance, which the rules always allow. What a bot misunderstands
(PD-2.9 to PD-2.14) is in `states.py`.
"""

from __future__ import annotations

from . import states
from .base import LEADS, Bot, Passer, counts_and_floor, fault, find, is_prime
from .text import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import Cards, Message

__all__ = ["states"]


# PD-2.1, 2.2: init ------------------------------------------------------------------------------------------


@fault("PD-2.1", "MUST", "silent-init")
class SilentInit(Bot):
    """The reserved waits to be asked, and does not answer `init`."""

    def on_init(self, message: Message) -> str | None:
        return None


@fault("PD-2.2", "SHOULD", "says-ok")
class SaysOk(Bot):
    """The obliging answers `init` with "ok"."""

    def on_init(self, message: Message) -> str | None:
        return "ok"


# PD-2.3: the action -----------------------------------------------------------------------------------------


@fault("PD-2.3", "MUST", "wrong-case")
class WrongCase(Bot):
    """The title writer capitalises its actions."""

    def on_play(self, message: Message) -> str | None:
        text = super().on_play(message) or ""
        return text.replace('"number"', '"Number"').replace('"pass"', '"Pass"')


@fault("PD-2.3", "MUST", "no-action")
class NoAction(Bot):
    """The laconic sends its cards and no action."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"cards": cards})

    def say_pass(self) -> str:
        return "{}"


@fault("PD-2.3", "MUST", "move")
class Move(Bot):
    """The chess player calls its action "move"."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "move", "cards": cards})


@fault("PD-2.3", "MUST", "list-action")
class ListAction(Bot):
    """The undecided sends its action in an array."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": ["number"], "cards": cards})

    def say_pass(self) -> str:
        return '{"action": ["pass"]}'


@fault("PD-2.3", "MUST", "blank-pass")
class BlankPass(Passer):
    """The shrugger answers `play` with an empty line where it means to pass."""

    def say_pass(self) -> str:
        return ""


@fault("PD-2.3", "MUST", "draws")
class Draws(Passer):
    """The card player says "draw" where it means to pass."""

    def say_pass(self) -> str:
        return '{"action": "draw"}'


# PD-2.4: the cards ------------------------------------------------------------------------------------------


@fault("PD-2.4", "MUST", "strings")
class Strings(Bot):
    """The stringy sends its cards as strings."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": list(map(str, cards))})


@fault("PD-2.4", "MUST", "floats")
class Floats(Bot):
    """The numerical analyst sends 7.0 for 7."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": list(map(float, cards))})


@fault("PD-2.4", "MUST", "true-for-one")
class TrueForOne(Bot):
    """The logician sends true for 1, and likes to play 1s."""

    def choose(self, hand: Cards, numbers: list[str]) -> Cards | None:
        counts, floor = counts_and_floor(numbers)
        with_one = find(hand, counts, floor, lambda number: "1" in str(number) and is_prime(number))
        return with_one or super().choose(hand, numbers)

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": [card if card != 1 else True for card in cards]})


@fault("PD-2.4", "MUST", "joined")
class Joined(Bot):
    """The mathematician sends the number, not its cards, and leads with more than one card."""

    def choose(self, hand: Cards, numbers: list[str]) -> Cards | None:
        return find(hand, LEADS[:-1], 0, is_prime) if not numbers else super().choose(hand, numbers)

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": [int("".join(map(str, cards)))]})


@fault("PD-2.4", "MUST", "bare-card")
class BareCard(Bot):
    """The terse sends a single card without its array."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": cards if len(cards) > 1 else cards[0]})


@fault("PD-2.4", "MUST", "nested")
class Nested(Bot):
    """The boxer puts the array into an array."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": [cards]})


@fault("PD-2.4", "MUST", "one-string")
class OneString(Bot):
    """The speaker sends its cards as one string."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": "".join(map(str, cards))})


@fault("PD-2.4", "MUST", "empty")
class Empty(Bot):
    """The mime plays no cards at all, in place of any play."""

    def say_number(self, cards: Cards) -> str:
        return '{"action": "number", "cards": []}'


@fault("PD-2.4", "MUST", "no-cards")
class NoCards(Bot):
    """The forgetful says that it plays and leaves the cards out."""

    def say_number(self, cards: Cards) -> str:
        return '{"action": "number"}'


# PD-2.5 to 2.7: passing -------------------------------------------------------------------------------------


@fault("PD-2.5", "SHOULD", "pass-with-cards")
class PassWithCards(Passer):
    """The template filler passes with an empty array of cards."""

    def say_pass(self) -> str:
        return '{"action": "pass", "cards": []}'


@fault("PD-2.6", "MUST", "silent-notice")
class SilentNotice(Passer):
    """The sulker takes its cards and says nothing."""

    def on_pass(self, message: Message) -> str | None:
        return None


@fault("PD-2.6", "MUST", "silent-when-short")
class SilentWhenShort(Passer):
    """The accountant confirms five cards only; for fewer it says nothing."""

    def on_pass(self, message: Message) -> str | None:
        return "" if len(message["draw"]) == 5 else None


@fault("PD-2.6", "MUST", "dies-when-short")
class DiesWhenShort(Passer):
    """The unpacker takes five cards out of every notice, and dies where there are fewer."""

    def on_pass(self, message: Message) -> str | None:
        _, _, _, _, _ = message["draw"]
        return super().on_pass(message)


@fault("PD-2.7", "SHOULD", "notice-object")
class NoticeObject(Passer):
    """The formalist answers the notice with an empty object."""

    def on_pass(self, message: Message) -> str | None:
        return "{}"


# PD-2.8: quit -----------------------------------------------------------------------------------------------


@fault("PD-2.8", "SHOULD", "silent-quit")
class SilentQuit(Bot):
    """The abrupt leaves at `quit` without a word."""

    def on_quit(self) -> str | None:
        return None
