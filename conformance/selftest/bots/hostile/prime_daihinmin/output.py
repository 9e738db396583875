"""What hostile bots write: too much, for ever, in mid air, or what no terminal should see."""

from __future__ import annotations

import os
import time

from .base import PASS, hostile, messages, serve, sleep, write

ESCAPES = b"\x1b[2J\x1b[31m\x1b]0;owned\x07\x9b5i\x00\xff\xfe\x80\r\x08"


@hostile("floods-lines", "IO-2", "IO-3", "IO-5")
def floods_lines() -> None:
    """Writes empty lines for ever, whoever listens."""
    while True:
        write(b"\n" * 65536)


@hostile("floods-without-lf", "IO-2", "IO-3", "IO-5", "PD-2.2", "JS-1", "PD-2.1")
def floods_without_lf() -> None:
    """Writes for ever, and never ends a line."""
    while True:
        write(b"x" * 65536)


@hostile("floods-answers", "IO-2", "IO-3")
def floods_answers() -> None:
    """Answers a hundred thousand questions before it is asked the first."""
    write(PASS * 100_000)
    serve()


@hostile("floods-after-init", "IO-3", "IO-5")
def floods_after_init() -> None:
    """Answers `init`, and then everything else for ever."""
    for _ in messages():
        write(b"\n")
        while True:
            write(PASS * 4096)


@hostile("drip-feeds", "PD-5.1", "PD-2.1", "IO-3", "IO-5")
def drip_feeds() -> None:
    """Answers with one byte every twentieth of a second, and never with a line end."""
    for _ in messages():
        while True:
            write(b"{")
            time.sleep(0.05)


@hostile("fills-stderr", "PD-5.1", "PD-2.1", "IO-13")
def fills_stderr() -> None:
    """Writes to stderr for ever, and to nobody else."""
    while True:
        write(b"\x1b[31mhelp " * 8192, to=2)


@hostile("deep-json", "JS-1", "PD-2.3", "PD-2.4")
def deep_json() -> None:
    """Answers `play` with a hundred thousand arrays, one in another."""
    for action in messages():
        nest = b"[" * 100_000 + b"]" * 100_000
        write(b'{"action": "number", "cards": %s}\n' % nest if action == "play" else b"\n")


@hostile("huge-integer", "PD-2.4", "JS-1")
def huge_integer() -> None:
    """Plays one card of a million digits."""
    for action in messages():
        card = b"7" * 1_000_000
        write(b'{"action": "number", "cards": [%s]}\n' % card if action == "play" else b"\n")


@hostile("long-line", "IO-3", "JS-1", "PD-2.3", "PD-2.4")
def long_line() -> None:
    """Answers `play` with a line of 64 MiB."""
    for action in messages():
        if action == "play":
            write(b'{"action": "number", "cards": [')
            for _ in range(1024):
                write(b"7," * 32768)
            write(b"7]}\n")
        else:
            write(b"\n")


@hostile("many-objects", "JS-1", "PD-2.4", "PD-2.3")
def many_objects() -> None:
    """Answers `play` with an object of fifty thousand keys."""
    for action in messages():
        keys = ", ".join(f'"k{number}": {{}}' for number in range(50_000))
        write(f'{{{keys}, "action": "number"}}\n'.encode() if action == "play" else b"\n")


@hostile("terminal-escapes", "IO-6", "JS-1", "IO-2")
def terminal_escapes() -> None:
    """Writes what would drive a terminal, on both of its streams, and dies of it."""
    write(ESCAPES, to=2)
    for action in messages():
        write(ESCAPES * 20 + b"\n", to=2)
        write(ESCAPES + b"\n" if action == "play" else b"\n")


@hostile("binary-garbage", "IO-6", "IO-2", "IO-3", "IO-5")
def binary_garbage() -> None:
    """Answers everything with 64 KiB of the system's random bytes."""
    for _ in messages():
        write(os.urandom(65536))
        write(b"\n")


@hostile("exits-in-mid-line", "IO-1", "IO-3")
def exits_in_mid_line() -> None:
    """Begins an answer to `play`, and is gone."""
    for action in messages():
        write(b'{"action": "pa' if action == "play" else b"\n")
        if action == "play":
            os._exit(0)


@hostile("never-answers", "PD-5.1", "PD-2.1")
def never_answers() -> None:
    """Neither reads nor writes: it only sits there."""
    sleep()
