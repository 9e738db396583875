"""Bots that are gone before their moves are made (IO-1), each for another reason.

Law of this file: those with a `cause` die in the first ordinary exchange already, and the kit's finding is to begin
with that word.
"""

from __future__ import annotations

import os
import sys

from .base import Bot, complain, die_by, fault

SIGABRT, SIGSEGV = 6, 11
NOBODY = "python-that-nobody-has"


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


@fault("IO-1", "MUST", "one-and-done")
class OneAndDone(Bot):
    """The one-shot makes one move rightly and goes home."""

    def move(self) -> None:
        super().move()
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


@fault("IO-1", "MUST", "silence-no-interpreter", "wrong interpreter")
class NoInterpreter(Bot):
    """The foreigner's first line names an interpreter that nobody has."""

    def start(self) -> None:
        os.execv("/usr/bin/env", ["env", NOBODY, __file__])


@fault("IO-1", "MUST", "silence-not-found", "wrong interpreter")
class NotFound(Bot):
    """The script's own script calls a program by a name that is not in PATH."""

    def start(self) -> None:
        os.execv("/bin/sh", ["sh", "-c", "valtapeli-bot-that-nobody-has"])


@fault("IO-1", "MUST", "silence-no-library", "missing library")
class NoLibrary(Bot):
    """The lean left its shared library at home, and says what the loader of programs would say."""

    def start(self) -> None:
        complain(
            "./bot: error while loading shared libraries: libboards.so.3: cannot open shared object file: "
            "No such file or directory"
        )
        sys.exit(127)


@fault("IO-1", "MUST", "silence-no-module", "missing module")
class NoModule(Bot):
    """The borrower imports what is not here."""

    def start(self) -> None:
        import module_that_nobody_has  # noqa: F401
