"""Bytes of a keyboard to keys.

Law: pure; nothing raises whatever the bytes. A sequence that is cut off waits for its rest, so it does not matter in
which pieces a terminal delivers it.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

ENTER: Final = "enter"
BACKSPACE: Final = "backspace"
CLEAR: Final = "clear"
REDRAW: Final = "redraw"
END: Final = "end"
STEPS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
"""Arrow keys, by what they do to row and column."""

_CONTROLS: Final = {
    "\r": ENTER,
    "\n": ENTER,
    "\x7f": BACKSPACE,
    "\b": BACKSPACE,
    "\x15": CLEAR,
    "\x0c": REDRAW,
    "\x04": END,
}
_ARROWS: Final = {"A": "up", "B": "down", "C": "right", "D": "left"}
_KEY: Final = re.compile(
    r"\x1b\[\[(?:[ -~]|(?=[^ -~]))"  # a function key of the Linux console
    r"|\x1b(?:\[(?!\[)|O)[ -?]*([@-~])"  # a whole escape sequence
    r"|\x1b[\[O][ -?]*(?=[^ -~])"  # one that something else has cut off
    r"|\x1b(?=[^\[O])"  # a lone escape before something else
    r"|([^\x1b])",  # a character
    re.S,
)


class Keys:
    """Decodes one keyboard's bytes. A key is a printable character or one of the names above."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, data: bytes) -> list[str]:
        """The keys that are now complete."""
        text = self._rest + self._decoder.decode(data)
        keys: list[str] = []
        at = 0
        while found := _KEY.match(text, at):
            at = found.end()
            key = _key(found)
            if key:
                keys.append(key)
        rest = text[at:]
        # No terminal sends a sequence as long as that; what is none must not stop the keyboard.
        self._rest = rest if len(rest) < 32 else ""
        return keys


def _key(found: re.Match[str]) -> str:
    final, character = found.groups()
    if final:
        return _ARROWS.get(final, "")
    if not character:
        return ""
    return _CONTROLS.get(character, character if character.isprintable() else "")
