"""What is shown to a submitter: without a path or a name of this machine, and short.

Law: pure, but for asking where links lead and, in `of_this_machine`, for names. Paths are hidden whole before anything
is cut, so that no cut leaves half of one. What a terminal would obey is escaped.
"""

from __future__ import annotations

import getpass
import os
import re
import socket
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from pdcheck.scenarios.document import visible

MOST = 1 << 18
"""Bytes of an output that are looked at; what follows says nothing new."""
WIDTH = 160
HIDDEN = "…"
SYSTEM = frozenset({"usr", "lib", "lib32", "lib64", "bin", "dev", "src", "out"})
"""First folders of paths that are the same on every machine, or the gate's own inside the walls."""
_PLAIN = frozenset(
    {"root", "user", "users", "admin", "build", "home", "local", "localhost", "linux", "nobody", "test"}
)
"""Names of machines and people that are words as well: hiding those would tell nothing and garble much."""
_SHORTEST = 4
_PATH = re.compile(r"(?:(?<=file://)|(?<=\s-[A-Z])|(?<![\w./~…-]))/((?:[\w.+@%~=,-]+/)+)([\w.+@%~=,-]*)")
_TEMPORARY = re.compile(r"\b(cc)\w{6}(\.(?:o|s|ltrans\w*|res|cdtor\.\w+)\b)|\b(bot-)[0-9a-f]{6}(\.(?:o|s)\b)")
_ERROR = re.compile(
    r"\berror\b|\bfatal\b|undefined reference|\bexception\b|Error:|エラー|virhe", re.IGNORECASE
)
_SUMS_UP = re.compile(
    r"\s*(compilation terminated|\d+ (errors?|warnings?)( generated)?)\.?\s*", re.IGNORECASE
)


class Scrubber:
    """Takes what is to be hidden out of texts: `places` (path → what is shown instead) and `words` (names)."""

    def __init__(self, places: Mapping[str, str], words: Iterable[str] = ()) -> None:
        """A place in `places` goes before one that it lies in; an empty one, or "/", is nothing to hide."""
        self._places = {
            form: shown for place, shown in places.items() for form in _forms(place) if form.strip("/")
        }
        self._words = [w for w in words if len(w) >= _SHORTEST and w.lower() not in _PLAIN]
        longest_first = sorted(self._places, key=len, reverse=True)
        self._pattern = re.compile("|".join([re.escape(one) for one in longest_first] or ["(?!)"]))
        names = sorted(map(re.escape, self._words), key=len, reverse=True) or ["(?!)"]
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", re.IGNORECASE)

    def __call__(self, text: str | bytes) -> str:
        """The text without what is hidden, each line escaped; at most `MOST` of it, in whole lines."""
        text = _bounded(text)
        text = self._pattern.sub(lambda match: self._places[match[0]], text)
        if self._pattern.search(text):  # put together from parts by what was taken out between them
            text = self._pattern.sub(HIDDEN, text)
        text = self._names.sub(HIDDEN, text)
        text = _TEMPORARY.sub(lambda m: (m[1] or m[3]) + (m[2] or m[4]), text)
        text = _PATH.sub(_file_alone, text)
        return "\n".join(visible(line.expandtabs(4)).rstrip() for line in text.split("\n"))


def of_this_machine(places: Mapping[str, str]) -> Scrubber:
    """One that hides `places`, and this machine's own: its name, who runs this, and the folders that tell of them."""
    own = [str(Path.home()), os.getcwd(), tempfile.gettempdir(), sys.prefix, str(Path(__file__).parents[3])]
    hidden = {place: HIDDEN for place in own if place.count("/") > 1 or place in ("/root", "/tmp")}
    names = {socket.gethostname(), socket.gethostname().partition(".")[0]}
    with suppress(KeyError, OSError):  # a user without an entry
        names.add(getpass.getuser())
    return Scrubber({**hidden, **places}, names)


def trimmed(text: str, *, lines: int = 14, width: int = WIDTH) -> list[str]:
    """The part of a compiler's output that says what is wrong: from its first error on, long lines elided."""
    found = [line for line in text.split("\n") if line.strip()]
    first = next((at for at, line in enumerate(found) if _ERROR.search(line)), 0)
    start = first if len(found) > lines else 0
    rest = [line for line in found[start:] if not _SUMS_UP.fullmatch(line)] or found[start:]
    if len(rest) <= lines:
        return [elided(line, width) for line in rest]
    return [*(elided(line, width) for line in rest[: lines - 1]), f"… (+{len(rest) - lines + 1})"]


def elided(line: str, width: int = WIDTH) -> str:
    """A line of at most so many characters, without its middle where it is longer."""
    if len(line) <= width:
        return line
    head = width * 2 // 3
    return f"{line[:head]}{HIDDEN}{line[len(line) - (width - head - 1) :]}"


def _forms(place: str) -> set[str]:
    """A place as it may be written: as given, where links lead, and in a file's URL."""
    bare = place.rstrip("/") or "/"
    return {place, bare, os.path.realpath(bare)} if place == bare else {place}


def _bounded(text: str | bytes) -> str:
    cut = len(text) > MOST
    text = text[:MOST] if isinstance(text, str) else text[:MOST].decode("utf-8", "backslashreplace")
    text = text.replace("\r\n", "\n")
    return text[: text.rfind("\n") + 1] + HIDDEN if cut else text


def _file_alone(match: re.Match[str]) -> str:
    """Of a path that is not every machine's, the file's name."""
    folders = match[1].split("/")
    return match[0] if folders[0] in SYSTEM else f"{HIDDEN}/{match[2]}"
