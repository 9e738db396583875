"""What a game says of the lines its bots write and of how they leave: what the kit asks to tell why one broke down.

Law: pure. What stands here as given is what holds where every message is a JSON object, is answered by one, and the
last one says that the match is over; a game's own is in its pack.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple


def one_a_line(messages: Sequence[bytes]) -> int:
    """As many answers as there are lines in the messages."""
    return sum(message.count(b"\n") for message in messages)


def begins_an_object(line: bytes, number: int) -> bool:
    """Whether a line is meant as a JSON object."""
    del number
    return line.lstrip()[:1] == b"{"


def is_message(data: bytes) -> bool:
    """Whether it is a JSON object."""
    try:
        return isinstance(json.loads(data), dict)
    except (ValueError, RecursionError):
        return False


def is_object(line: bytes) -> bool:
    """Whether a line is a JSON object, and is read as one without a doubt about its encoding."""
    return line.lstrip()[:1] == b"{" and is_message(line)


class Answers(NamedTuple):
    """What the lines of a game's bots look like."""

    shape: frozenset[str] = frozenset()
    """The game's requirements about that: a bot that breaks one may have lost step with the messages."""
    mistaken: frozenset[str] = frozenset()
    """Those of the rules that a line written twice may break, when it is taken for the next answer."""
    unreadable: frozenset[str] = frozenset()
    """Those that a line breaks which is no answer at all."""
    always: tuple[str, ...] = ()
    """Those that every answer puts to the test, beside the general ones."""
    own: frozenset[str] = frozenset()
    """Those about how a bot writes what it means: nothing that it is told is the reason."""
    due: Callable[[Sequence[bytes]], int] = one_a_line
    """How many lines these messages are answered with, all of them together."""
    meant: Callable[[bytes, int], bool] = begins_an_object
    """`meant(line, number)`: whether the line is meant as an answer; `number`: which one of the bot's, from 0."""
    whole: Callable[[bytes], bool] = is_object
    """Whether a line is an answer, wherever it was written."""
    message: Callable[[bytes], bool] = is_message
    """Whether what was sent is a message as the kit sends them; what it sends on purpose that is none comes after
    one."""


class End(NamedTuple):
    """How a bot's match ends: the requirement about its going then, in words what that is, and after what."""

    requirement: str = "IO-9"
    wanted: str = "the bot ends within 2 s of `quit`, with exit status 0"
    after: str = "`quit`"
    closes: bool = False
    """Whether nothing tells it so but the end of its input, and what it knows by itself."""


OBJECTS = Answers()
QUIT = End()
"""A game of objects, ended by `quit`."""
GENERAL_SHAPE = frozenset({"IO-2", "IO-3", "IO-5", "IO-6"})
"""What is about the shape of answers in every game."""
