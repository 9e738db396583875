"""What is told of a bot that has left something behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Note, Transcript
from pdcheck.conformance.transports.process import Launch, ProcessTransport
from pdcheck.referee.match import Match

Left = Callable[[str], str]


@pytest.fixture
def left(gear: ModuleType, toys: ModuleType) -> Iterator[Left]:
    """`left(code)`: what is noted of a bot that runs `code` and ends at the end of its input."""
    if not gear.HAS_PROC:
        pytest.skip("there is no /proc to look into")
    entered: list[Runner] = []

    def play(code: str) -> str:
        bot = ProcessTransport(Launch(gear.python(code), {"PATH": "/usr/bin:/bin"}))
        runner = Runner(Match(toys.Toy(toys.asking(1), time=1000.0)), [bot], Transcript()).__enter__()
        entered.append(runner)
        runner.play()
        runner.part(0, "eof", 2.0)
        (note,) = [e for e in runner.log.events if isinstance(e, Note) and e.what == "survivors"]
        return note.text

    yield play
    for runner in entered:
        runner.close()


STARTS = "import os\nos.posix_spawn('/bin/sleep', {words!r}, {{}}{more})\ninput(); print('re', flush=True); input()"
"""The bot is gone as soon as its input has ended once: `input` raises EOFError."""


def test_what_is_left_in_its_group_is_named(left: Left) -> None:
    told = left(STARTS.format(words=["sleep", "1000"], more=""))
    assert told == "its process group is not empty: `sleep 1000`"


def test_what_is_left_in_a_session_of_its_own_is_named(left: Left) -> None:
    told = left(STARTS.format(words=["sleep", "1000"], more=", setsid=True"))
    assert told == "1 process(es) it started went on in a session of their own: `sleep 1000`"


def test_a_command_is_short_and_cannot_drive_a_terminal(left: Left) -> None:
    told = left(STARTS.format(words=["\x1b[31m" + "x" * 500, "1000"], more=""))
    assert told.isprintable()
    assert "\\x1b[31m" in told
    assert len(told) < 150
