"""What a person sees: `pdcheck play` on a real pseudo-terminal, and the screen that its output makes.

A helper of the tests beside it. The screen understands what `screen.py` writes (placing, erasing, the alternate screen,
styles) and nothing else: an escape code it does not know fails the test.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pexpect

AT_MOST = 60.0
CODE = re.compile(r"\x1b\[(\??)([0-9;]*)([A-Za-z])")


class Glass:
    """A screen of so many lines and columns; `styled` has the places that bear any style."""

    def __init__(self, lines: int, columns: int) -> None:
        self.lines, self.columns = lines, columns
        self.alternate = False
        self.usual = ""
        """What was written outside the alternate screen."""
        self.codes: set[str] = set()
        self._rest = ""
        self._wipe()

    def feed(self, text: str) -> None:
        """Take what was written; a code that is cut off waits for its rest."""
        text = self._rest + text
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = CODE.match(text, at)
                if not found:
                    assert len(text) - at < 32, f"an unknown code: {text[at : at + 32]!r}"
                    break
                self._code(found[1] + found[2], found[3])
                at = found.end()
                continue
            self._put(text[at])
            at += 1
        self._rest = text[at:]

    def row(self, number: int) -> str:
        """One line, counted from 0, from the end if negative."""
        return "".join(self._cells[number]).rstrip()

    def __str__(self) -> str:
        return "\n".join(self.row(number) for number in range(self.lines))

    def _wipe(self) -> None:
        self._cells = [[" "] * self.columns for _ in range(self.lines)]
        self._row = self._column = 0

    def _put(self, character: str) -> None:
        if not self.alternate:
            self.usual += character
            return
        assert character.isprintable(), f"{character!r} on the alternate screen"
        assert self._column < self.columns, f"line {self._row} is too long: {self.row(self._row)}"
        self._cells[self._row][self._column] = character
        self._column += 1

    def _code(self, values: str, letter: str) -> None:
        assert letter not in "HJK" or self.alternate, "it draws over the shell"
        if letter == "m":
            self.codes.update(values.split(";"))
        elif letter == "H":
            row, column = (int(value) for value in values.split(";"))
            self._row, self._column = row - 1, column - 1
            assert self._row < self.lines
            assert self._column < self.columns
        elif letter == "J":
            assert values == "2"
            self._wipe()
        elif letter == "K":
            self._cells[self._row][self._column :] = [" "] * (self.columns - self._column)
        else:
            assert (values, letter) in {("?1049", "h"), ("?1049", "l"), ("?25", "h")}, (values, letter)
            if values == "?1049":
                self.alternate = letter == "h"


class Seen:
    """A program on a terminal, somebody at the keyboard. A context manager: nothing of it is left."""

    def __init__(
        self,
        program: str,
        arguments: Sequence[str],
        *,
        cwd: Path,
        size: tuple[int, int] = (24, 80),
        env: Mapping[str, str] | None = None,
    ) -> None:
        unset = ("NO_COLOR", "COLUMNS", "LINES", "PROMPT_COMMAND")
        bare = {name: value for name, value in os.environ.items() if name not in unset}
        self.child = pexpect.spawn(
            program,
            list(arguments),
            cwd=str(cwd),
            env={**bare, "TERM": "xterm-256color", **(env or {})},
            dimensions=size,
            encoding="utf-8",
            echo=True,
            timeout=AT_MOST,
        )
        self.child.delaybeforesend = None
        self.mode = self.modes()
        self.glass = Glass(*size)

    def modes(self) -> list[Any]:
        """The terminal's modes now."""
        return termios.tcgetattr(self.child.child_fd)

    def __enter__(self) -> Seen:
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up, and look on until it has put everything away: killed, it could not."""
        end = time.monotonic() + AT_MOST
        if self.child.isalive():
            self.child.kill(signal.SIGHUP)
        while self.child.isalive() and time.monotonic() < end:
            try:
                self.child.read_nonblocking(1 << 16, timeout=0.2)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:  # nothing more will be said; it may still be at work
                time.sleep(0.01)
        self.child.close(force=True)

    def type(self, text: str) -> None:
        """Press these keys."""
        self.child.send(text)

    def until(self, condition: Callable[[Glass], Any], what: str) -> None:
        """Look on until the screen is so."""
        end = time.monotonic() + AT_MOST
        while not condition(self.glass):
            assert time.monotonic() < end, f"still not so: {what}\n{self.glass}"
            try:
                self.glass.feed(self.child.read_nonblocking(1 << 16, timeout=0.2))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                assert condition(self.glass), (
                    f"it ended before it was so: {what}\n{self.glass}\n{self.glass.usual}"
                )

    def sees(self, text: str) -> None:
        """Look on until this stands somewhere on the screen."""
        self.until(lambda glass: text in str(glass), text)

    def resize(self, lines: int, columns: int) -> None:
        """Give the terminal another size."""
        self.glass.lines, self.glass.columns = lines, columns
        self.glass._wipe()
        self.child.setwinsize(lines, columns)

    def ends(self) -> int:
        """Look on to the end; the exit status."""
        while True:
            try:
                self.glass.feed(self.child.read_nonblocking(1 << 16, timeout=AT_MOST))
            except pexpect.EOF:
                break
        self.child.wait()
        assert self.child.exitstatus is not None, f"ended by signal {self.child.signalstatus}"
        return self.child.exitstatus


class Sitting(Seen):
    """One `pdcheck play` with these words."""

    def __init__(self, *words: str | Path, **options: Any) -> None:
        super().__init__(sys.executable, ["-m", "pdcheck.conformance", "play", *map(str, words)], **options)


class Shell(Seen):
    """An interactive shell, which stops and continues what runs in it."""

    def __init__(self, bash: str, **options: Any) -> None:
        # Its words are English, and its prompt is that of nobody's own shell.
        plain = {"PS1": "$ ", "LC_ALL": "C"}
        super().__init__(bash, ["--norc", "--noprofile", "--noediting", "-i"], env=plain, **options)
