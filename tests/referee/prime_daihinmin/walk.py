"""A course driven by hand, question by question: a helper of the tests beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pdcheck.referee.game import Answer, Ask, Lapse, Outcome, Over, Together
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.rules import PUBLISHED, RuleSet
from pdcheck.referee.prime_daihinmin.table import Setup, counts
from pdcheck.referee.violations import Ruling, Violation

LATE = Lapse(Violation("PD-5.1", "an answer in time", "none"))
DIED = Lapse(Violation("IO-1", "a living bot", "its output ended"))
BLANK = Answer(b"")


def said(digits: str) -> Answer:
    """A `play` reply: digits, "" for a pass, or an unknown action."""
    if digits == "?":
        return Answer(b'{"action": "shrug"}')
    if not digits:
        return Answer(b'{"action": "pass"}')
    return Answer(json.dumps({"action": "number", "cards": [int(digit) for digit in digits]}).encode())


class Walk:
    """Drives one course by hand: `step` answers the open question and goes on to the next one."""

    def __init__(self, setup: Setup, rules: RuleSet, *, show: bool = False) -> None:
        self.game = PrimeDaihinmin(setup, rules, show=show)
        self._course = self.game.course()
        self.rulings: list[Ruling] = []
        self.over: Over | None = None
        self.quits: list[bytes] = []
        self.asked: Ask | None = None
        self._go(None)

    @property
    def message(self) -> dict[str, Any]:
        assert self.asked is not None
        assert self.asked.message.endswith(b"\n")
        message: dict[str, Any] = json.loads(self.asked.message)
        return message

    @property
    def turn(self) -> tuple[int, list[str]]:
        """The seat asked to play and the field it is shown."""
        assert self.asked is not None
        assert self.asked.kind == "play"
        return self.asked.seat, self.message["numbers"]

    def step(self, outcome: Outcome) -> None:
        self._go(outcome)

    def play(self, *replies: str) -> None:
        """Answer so many `play` messages; pass notices and `init` are answered on the way."""
        for reply in replies:
            self.quiet()
            self._go(said(reply))
        self.quiet()

    def quiet(self) -> None:
        while self.asked is not None and self.asked.kind != "play":
            self._go(BLANK)

    def _go(self, sent: object) -> None:
        self.asked = None
        try:
            step = self._course.send(sent)
            while not isinstance(step, Ask):
                if isinstance(step, Together):
                    self.quits = [ask.message for ask in step.asks]
                    step = self._course.send([BLANK] * len(step.asks))
                    continue
                if isinstance(step, Over):
                    self.over = step
                elif isinstance(step, Ruling):
                    self.rulings.append(step)
                step = self._course.send(None)
            self.asked = step
        except StopIteration:
            pass


def setup_of(hands: Sequence[str], stock: str = "1234567890" * 3, **more: Any) -> Setup:
    names = tuple("ABCDEFGH"[: len(hands)])
    return Setup(names, tuple(counts(hand) for hand in hands), stock, **more)


def at_play(hands: Sequence[str], rules: RuleSet = PUBLISHED, stock: str = "1234567890" * 3) -> Walk:
    walk = Walk(setup_of(hands, stock), rules)
    walk.quiet()
    return walk


def ruled_out(walk: Walk) -> list[tuple[int, str]]:
    return [(r.seat, r.violation.requirement) for r in walk.rulings if r.violation is not None]
