"""A bot under a pseudo-terminal: nothing differs from pipes but that they are terminals."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

from pdcheck.conformance.transports.process import Launch
from pdcheck.conformance.transports.terminal import TerminalTransport


def pump(gear: ModuleType, code: str) -> Any:
    """A pump over a terminal."""
    made = gear.Pump(gear.python(code))
    made.transport = TerminalTransport(Launch(gear.python(code), {"PATH": os.environ["PATH"]}))
    return made


def test_all_three_streams_are_terminals_and_stderr_is_one_of_its_own(gear: ModuleType) -> None:
    code = (
        "import os\n"
        "os.write(1, b'%d %d\\n' % (all(map(os.isatty, range(3))), os.ttyname(1) == os.ttyname(0)))\n"
        "os.write(2, os.ttyname(2).encode())\n"
    )
    with pump(gear, code) as bot:
        bot.until(lambda: bot.status is not None and bot.out and bot.err, "it has said both")
        assert bytes(bot.out) == b"1 1\n"
        assert bytes(bot.err).startswith(b"/dev/")


def test_a_long_line_arrives_whole_and_nothing_is_echoed_or_changed(gear: ModuleType) -> None:
    code = (
        "import os\n"
        "line = bytearray()\n"
        "while not line.endswith(b'\\n'): line += os.read(0, 65536)\n"
        "os.write(1, b'%d\\n' % len(line))\n"
    )
    with pump(gear, code) as bot:
        bot.transport.send(b"\x03\x04\x1a" + b"x" * 100_000 + b"\n")
        bot.until(lambda: bot.out.endswith(b"\n"), "it has counted")
        assert bytes(bot.out) == b"100004\n"


def test_what_it_says_last_is_not_lost_and_its_end_is_seen(gear: ModuleType) -> None:
    with pump(gear, "import os; os.write(1, b'bye'); os._exit(7)") as bot:
        bot.until(lambda: bot.status is not None, "it has ended")
        for arrival in bot.transport.rest():
            bot.take(arrival)
        assert (bytes(bot.out), bot.status) == (b"bye", 7)


def test_its_input_ends_by_hanging_up(gear: ModuleType) -> None:
    with pump(gear, "import os; os.write(1, b'!'); os.read(0, 1)") as bot:
        bot.until(lambda: bot.out, "it runs")
        bot.transport.end_input()
        bot.until(lambda: bot.status is not None, "it has ended")
        assert bot.status == -1


def test_a_bot_that_waits_for_more_is_known_to(gear: ModuleType) -> None:
    with pump(gear, "import os; os.write(1, b'!'); os.read(0, 1); os.read(0, 1)") as bot:
        bot.until(lambda: bot.out, "it runs")
        bot.transport.send(b"x")
        gear.until(bot.transport.deaf, "it has read all and waits")
        assert bot.transport.in_pipe() == 0


def test_nothing_is_left_open(gear: ModuleType) -> None:
    def once() -> None:
        with pump(gear, "input()"):
            assert len(os.listdir("/dev/fd")) > len(before)

    before: list[str] = []
    once()  # what the kit opens once and keeps
    before = os.listdir("/dev/fd")
    once()
    assert len(os.listdir("/dev/fd")) <= len(before)
