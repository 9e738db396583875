"""Faults by chance: each of these bots is right most of the time, and wrong sometimes.

Law of this file: the system's own chance (`os.urandom`), so that no seed of the kit's and no order of its cases makes
a fault come or stay away. How often is in the summary; each is to be told as flaky, under the general requirement.
"""

from __future__ import annotations

import os
import time

from .base import Bot, die_by, fault, field_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import Cards, Message

SIGABRT = 6
ANNOUNCED = 10.0  # seconds


def sometimes(percent: int) -> bool:
    """True so many times in a hundred."""
    return int.from_bytes(os.urandom(4), "big") % 100 < percent


@fault("IO-1", "MUST", "flaky-crash")
class FlakyCrash(Bot):
    """The brittle aborts in 5 % of its answers."""

    def answer(self, text: str) -> None:
        if sometimes(5):
            die_by(SIGABRT)
        super().answer(text)


@fault("JS-1", "MUST", "flaky-half")
class FlakyHalf(Bot):
    """The hasty breaks off 7 % of its plays in the middle of the object."""

    def on_play(self, message: Message) -> str | None:
        text = super().on_play(message)
        return text[: len(text) // 2] if text and sometimes(7) else text


@fault("PD-2.3", "MUST", "flaky-silent")
class FlakySilent(Bot):
    """The dreamer misses 7 % of the times it is asked to play, and waits for the next message."""

    def on_play(self, message: Message) -> str | None:
        return None if sometimes(7) else super().on_play(message)


@fault("PD-3.1", "MUST", "flaky-foreign-card")
class FlakyForeignCard(Bot):
    """The absent-minded takes, at 7 % of its turns on a small field, cards for its own that it does not hold."""

    def choose(self, hand: Cards, numbers: list[str]) -> Cards | None:
        count = field_size(numbers) or 1
        foreign = next((digit for digit in range(9, 0, -1) if hand.count(digit) < count), None)
        if foreign is not None and count <= 4 and sometimes(7):
            return [foreign] * count
        return super().choose(hand, numbers)


@fault("PD-5.1", "MUST", "flaky-late")
class FlakyLate(Bot):
    """The daydreamer loses its whole time at 30 % of its plays; told less than the announced time, it hurries."""

    def on_play(self, message: Message) -> str | None:
        if self.time >= ANNOUNCED and sometimes(30):
            time.sleep(self.time + 0.5)
        return super().on_play(message)
