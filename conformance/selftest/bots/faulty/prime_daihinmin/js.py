"""Faults in JSON (JS-1 to JS-6).

Law of this file: what is said is right and legal; only how it is written, or how a message is read, is wrong.
"""

from __future__ import annotations

from .base import Bot, fault
from .text import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import Cards, Message

KEYS = {
    "init": ["action", "uid", "names", "hand", "time"],
    "play": ["action", "name", "hand", "numbers", "hands", "record"],
    "pass": ["action", "name", "draw", "record"],
    "quit": ["action"],
}


# What it writes ---------------------------------------------------------------------------------------------


@fault("JS-1", "MUST", "array")
class Array(Bot):
    """The minimalist finds keys a waste and sends an array."""

    def say_number(self, cards: Cards) -> str:
        return dumps(["number", cards])

    def say_pass(self) -> str:
        return '["pass"]'


@fault("JS-1", "MUST", "trailing-text")
class TrailingText(Bot):
    """The apologist explains itself after the object."""

    def answer(self, text: str) -> None:
        super().answer(text + "  # the best I could find" if self.action == "play" else text)


@fault("JS-1", "MUST", "leading-label")
class LeadingLabel(Bot):
    """The announcer puts a label before the object, on the same line."""

    def answer(self, text: str) -> None:
        super().answer("answer: " + text if self.action == "play" else text)


@fault("JS-1", "MUST", "two-objects")
class TwoObjects(Bot):
    """The insurer sends the object twice on one line."""

    def answer(self, text: str) -> None:
        super().answer(f"{text} {text}" if self.action == "play" else text)


@fault("JS-1", "MUST", "single-quotes")
class SingleQuotes(Bot):
    """The pythonist prints a dict and takes it for JSON."""

    def say_number(self, cards: Cards) -> str:
        return repr({"action": "number", "cards": cards})

    def say_pass(self) -> str:
        return repr({"action": "pass"})


@fault("JS-1", "MUST", "trailing-comma")
class TrailingComma(Bot):
    """The assembler glues its JSON by hand and leaves a comma before the brace."""

    def answer(self, text: str) -> None:
        super().answer(text[:-1] + ",}" if self.action == "play" else text)


@fault("JS-5", "SHOULD", "duplicate-key")
class DuplicateKey(Bot):
    """The stutterer sends its action twice in one object."""

    def answer(self, text: str) -> None:
        doubled = text.replace('"action"', '"action": "pass", "action"', 1)
        super().answer(doubled if self.action == "play" else text)


@fault("JS-5", "SHOULD", "undefined-key")
class UndefinedKey(Bot):
    """The commentator adds a comment to each number (not to a pass, which would be PD-2.5 as well)."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": cards, "comment": "take this"})


@fault("JS-5", "SHOULD", "nan")
class NotANumber(Bot):
    """The statistician rates each number with 0/0 and sends the NaN along."""

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": cards, "score": float("nan")})


# What it reads ----------------------------------------------------------------------------------------------


@fault("JS-2", "SHOULD", "key-order")
class KeyOrder(Bot):
    """The bureaucrat dies when the keys it knows come in another order."""

    def parse(self, line: bytes) -> Message:
        message = super().parse(line)
        order = KEYS.get(message.get("action", ""), [])
        if order and [key for key in message if key in order] != order:
            raise ValueError(f"keys out of order: {list(message)}")
        return message


@fault("JS-2", "SHOULD", "spaces")
class Spaces(Bot):
    """The typesetter dies when the separators are not exactly one space wide."""

    def parse(self, line: bytes) -> Message:
        import re  # only here: it costs milliseconds of a start

        skeleton = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line.decode())
        expected = re.sub(r"\s+", "", skeleton).replace(",", ", ").replace(":", ": ")
        if skeleton != expected:
            raise ValueError("badly spaced message")
        return super().parse(line)


@fault("JS-3", "SHOULD", "unknown-key")
class UnknownKey(Bot):
    """The customs officer dies on a key that it has never seen, in an action that it knows."""

    def parse(self, line: bytes) -> Message:
        message = super().parse(line)
        known = KEYS.get(message.get("action", ""))
        if known and not set(message) <= set(known):
            raise KeyError(f"unknown: {set(message) - set(known)}")
        return message


@fault("JS-4", "SHOULD", "ascii-only")
class AsciiOnly(Bot):
    """The telegraphist decodes as ASCII and dies on raw UTF-8."""

    def parse(self, line: bytes) -> Message:
        line.decode("ascii")
        return super().parse(line)


@fault("JS-4", "SHOULD", "no-escapes")
class NoEscapes(Bot):
    r"""The literalist never heard of \u escapes and dies on one."""

    def parse(self, line: bytes) -> Message:
        if b"\\u" in line:
            raise ValueError("unexpected backslash")
        return super().parse(line)


@fault("JS-4", "SHOULD", "basic-plane")
class BasicPlane(Bot):
    """The half-wide has 16 bits for a character and dies of one that needs more."""

    def parse(self, line: bytes) -> Message:
        message = super().parse(line)
        if any(max(map(ord, name), default=0) > 0xFFFF for name in [*message.get("names", []), self.name]):
            raise OverflowError("character out of range")
        return message


@fault("JS-6", "SHOULD", "silent-on-unknown")
class SilentOnUnknown(Bot):
    """The introvert says nothing to an action it does not know, and goes on."""

    def on_unknown(self, message: Message) -> str | None:
        return None


@fault("JS-6", "SHOULD", "dies-on-unknown")
class DiesOnUnknown(Bot):
    """The absolutist dies on an action it does not know."""

    def on_unknown(self, message: Message) -> str | None:
        raise KeyError(self.action)
