"""Faults that only show when messages, signals and the end of input come in unusual ways (IO-8, IO-10 to IO-12,
JS-3, JS-4).

Law of this file: each bot is right in every ordinary exchange, and in every unusual one but its own.
"""

from __future__ import annotations

import os
import select
import time

from .base import Bot, die_by, fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .base import Message

SIGABRT = 6


class Strict(Bot):
    """Dies on a line that is no message."""

    def parse(self, line: bytes) -> Message:
        message = super().parse(line)
        if not message:
            raise ValueError("Unterminated message")
        return message


# IO-8: pieces and lines together ----------------------------------------------------------------------------


@fault("IO-8", "MUST", "drops-the-rest")
class DropsTheRest(Strict):
    """The tidy takes the whole lines of what it read, and drops the beginning of the next."""

    def lines(self) -> Iterator[bytes]:
        rest = b""
        while chunk := self.read():
            rest += chunk
            if b"\n" in rest:
                *whole, _ = rest.split(b"\n")
                rest = b""
                yield from whole


@fault("IO-8", "MUST", "two-a-read")
class TwoARead(Bot):
    """The ambidextrous can hold two lines of one read, and drops a third."""

    def lines(self) -> Iterator[bytes]:
        rest = b""
        while chunk := self.read():
            *whole, rest = (rest + chunk).split(b"\n")
            yield from whole[:2]


@fault("IO-8", "MUST", "decodes-reads")
class DecodesReads(Bot):
    """The decoder decodes each read by itself and dies of half a character."""

    def read(self) -> bytes:
        chunk = super().read()
        chunk.decode()
        return chunk


@fault("IO-8", "MUST", "unescapes-reads")
class UnescapesReads(Bot):
    r"""The eager one takes \u escapes apart as they come and dies of half of one."""

    def read(self) -> bytes:
        chunk = super().read()
        if b"\\" in chunk[-5:] and b"\n" not in chunk[-5:]:
            tail = chunk[chunk.rindex(b"\\") :]
            if tail[1:2] in (b"", b"u") and len(tail) < 6:
                raise ValueError("truncated \\uXXXX escape")
        return chunk


@fault("IO-8", "MUST", "takes-a-pause-for-the-end")
class TakesAPauseForTheEnd(Bot):
    """The listener thinks that whoever pauses for 30 ms has finished, and dies of what was said so far."""

    def read(self) -> bytes:
        chunk = super().read()
        if chunk and not chunk.endswith(b"\n"):
            waiting = select.poll()
            waiting.register(0, select.POLLIN)
            if not waiting.poll(30):
                raise ValueError("half a message")
        return chunk


@fault("IO-8", "MUST", "one-byte-is-no-read")
class OneByteIsNoRead(Bot):
    """The wholesaler takes a first read of a single byte for a broken pipe."""

    def read(self) -> bytes:
        chunk = super().read()
        if len(chunk) == 1 and self.action is None:
            raise ConnectionError("short read")
        return chunk


# IO-10: the end of input, at any point of a match ------------------------------------------------------------


@fault("IO-10", "SHOULD", "aborts-before-init")
class AbortsBeforeInit(Bot):
    """The presumptuous takes it for granted that there is a first message."""

    def at_eof(self) -> int:
        if self.action is None:
            die_by(SIGABRT)
        return 0


@fault("IO-10", "SHOULD", "aborts-in-a-turn")
class AbortsInATurn(Bot):
    """The sensitive aborts when its input ends while it is thinking."""

    def on_play(self, message: Message) -> str | None:
        ended = select.poll()
        ended.register(0, 0)  # POLLHUP needs no asking for
        if ended.poll(15):
            die_by(SIGABRT)
        return super().on_play(message)


@fault("IO-10", "SHOULD", "spins-a-while")
class SpinsAWhile(Bot):
    """The sprinter reads the end of its input again and again, for half a second, and then believes it."""

    def at_eof(self) -> int:
        end = time.process_time() + 0.55
        while time.process_time() < end:
            self.read()
        return 0


@fault("IO-10", "SHOULD", "floods-a-while")
class FloodsAWhile(Bot):
    """The stammerer answers the end of its input with a hundred thousand empty lines, and then ends."""

    def at_eof(self) -> int:
        self.write(b"\n" * 100_000)
        return 0


# IO-11: SIGTERM ---------------------------------------------------------------------------------------------


@fault("IO-11", "MUST", "shields-its-turn")
class ShieldsItsTurn(Bot):
    """The concentrated ignores SIGTERM from `init` until it has read the message after its first turn."""

    plays = 0

    def after_answer(self) -> None:
        import signal

        if self.action == "init":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def on_play(self, message: Message) -> str | None:
        import signal

        self.plays += 1
        if self.plays > 1:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        return super().on_play(message)


# IO-12: surroundings ----------------------------------------------------------------------------------------


@fault("IO-12", "SHOULD", "goes-home")
class GoesHome(Bot):
    """The homing pigeon changes to HOME where it is set, whether it is there or not."""

    def start(self) -> None:
        home = os.environ.get("HOME")
        if home:
            folder = os.getcwd()
            os.chdir(home)
            os.chdir(folder)


@fault("IO-12", "SHOULD", "needs-room")
class NeedsRoom(Bot):
    """The hoarder does not start in a folder where it could not write."""

    def start(self) -> None:
        if not os.statvfs(".").f_blocks or not os.access(".", os.W_OK):
            raise PermissionError("cannot write in the current folder")


# JS-3: unknown keys -----------------------------------------------------------------------------------------


def depth(value: Any) -> int:
    """How many levels of arrays and objects."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@fault("JS-3", "SHOULD", "shallow")
class Shallow(Bot):
    """The shallow has a stack for sixteen levels of brackets."""

    def parse(self, line: bytes) -> Message:
        message = super().parse(line)
        if depth(message) > 16:
            raise RecursionError("nested too deeply")
        return message


@fault("JS-3", "SHOULD", "key-buffer")
class KeyBuffer(Bot):
    """The frugal keeps 256 bytes for a key."""

    def parse(self, line: bytes) -> Message:
        message = super().parse(line)
        if max(map(len, message), default=0) > 256:
            raise OverflowError("key too long")
        return message


@fault("JS-3", "SHOULD", "no-empty-key")
class NoEmptyKey(Bot):
    """The particular thinks that a key has at least one letter."""

    def parse(self, line: bytes) -> Message:
        message = super().parse(line)
        if "" in message:
            raise KeyError("empty key")
        return message


# JS-4: names ------------------------------------------------------------------------------------------------


@fault("JS-4", "SHOULD", "half-pairs")
class HalfPairs(Bot):
    r"""The literal takes each \u escape for a character, and dies of half of a pair."""

    def parse(self, line: bytes) -> Message:
        names = line.partition(b'"names"')[2] if b'"names"' in line else line.partition(b'"name"')[2]
        if b"\\ud8" in names.partition(b"}")[0]:
            raise ValueError("surrogates not allowed")
        return super().parse(line)


@fault("JS-4", "SHOULD", "bytes-of-its-name")
class BytesOfItsName(Bot):
    """The typographer remembers how its name was spelled at `init`, and dies when it is spelled otherwise."""

    spelled = b""

    def parse(self, line: bytes) -> Message:
        message = super().parse(line)
        action = message.get("action")
        if action == "init":
            listed = line.partition(b'"names"')[2].partition(b"[")[2].split(b'"')[1::2]
            self.spelled = b'"' + listed[message["uid"]] + b'"'
        elif action == "play" and self.spelled not in line:
            raise LookupError("my name is not in the message")
        return message
