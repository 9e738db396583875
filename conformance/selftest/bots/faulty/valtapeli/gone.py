"""Bots that are gone before their moves are made (IO-1), each for another reason.

Law of this file: those with a `cause` die in the first ordinary exchange already, and the kit's finding is to begin
with that word.
"""

from __future__ import annotations

import sys

from .base import Bot, complain, die_by, fault

SIGABRT, SIGSEGV = 6, 11


@fault("IO-1", "MUST", "stillborn")
class Stillborn(Bot):
    """The stillborn ends with a traceback before it reads anything."""

    def start(self) -> None:
        raise RuntimeError("no opening book")


@fault("IO-1", "MUST", "dies-after-name")
class DiesAfterName(Bot):
    """The modest says its name and goes, with status 0."""

    def say_name(self) -> None:
        super().say_name()
        sys.exit(0)


@fault("IO-1", "MUST", "aborts-at-third-move")
class AbortsAtThirdMove(Bot):
    """The asserter is sure that nobody makes a third move."""

    def choose(self) -> int:
        if self.made == 2:
            complain("bot: move.c:112: choose: Assertion `made < 2' failed.")
            die_by(SIGABRT)
        return super().choose()


@fault("IO-1", "MUST", "silence-crashes", "crashed")
class Crashes(Bot):
    """The stumbler follows a null pointer when it has its turn number."""

    def say_name(self) -> None:
        complain("loading the table")
        die_by(SIGSEGV)
