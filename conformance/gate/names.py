"""File names in an upload: which are taken, and as what.

Law: pure. A name that is taken is a relative path of plain parts below the submission's folder, in Unicode, and no
other name of the same submission means the same file on any file system.
"""

from __future__ import annotations

import unicodedata

from pdcheck.conformance.gate.refusal import Unfit
from pdcheck.scenarios.document import visible

LONGEST_PART = 200
"""Bytes; file systems take 255, and the gate may add an extension."""
LONGEST = 800
DEEPEST = 12
SHOWN = 80


def shown(name: str | bytes) -> str:
    """A name as it may be told to anybody: on one line, with everything odd escaped, and not too long."""
    text = name.decode("utf-8", "backslashreplace") if isinstance(name, bytes) else name
    text = visible(text.encode("utf-8", "backslashreplace").decode())
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}…{text[-SHOWN // 2 + 1 :]}"


def checked(name: bytes) -> str:
    """The path, without `./`. Raises Unfit for a name that is not taken; "" for the top itself."""
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        raise Unfit("name-not-utf8", name=shown(name)) from None
    if text.startswith("/") or ".." in text.split("/"):
        raise Unfit("outside", name=shown(name))
    if "\\" in text or text[1:2] == ":" or not text.isprintable():
        raise Unfit("name-characters", name=shown(name))
    parts = [part for part in text.split("/") if part not in ("", ".")]
    lengths = [len(part.encode()) for part in parts]
    if len(parts) > DEEPEST or sum(lengths) > LONGEST or max(lengths, default=0) > LONGEST_PART:
        raise Unfit("name-too-long", name=shown(name))
    return "/".join(parts)


class Taken:
    """The names of one submission so far."""

    def __init__(self) -> None:
        self._as: dict[
            str, tuple[str, bool]
        ] = {}  # folded path → as it was written, and whether it is a file

    def add(self, path: str) -> None:
        """One more file. Raises Unfit for one that is there already, also by another case or another form of the same
        letters, or that is a folder elsewhere."""
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            self._add("/".join(parts[:depth]), whole=depth == len(parts))

    def _add(self, path: str, *, whole: bool) -> None:
        key = unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
        if key not in self._as:
            self._as[key] = (path, whole)
        elif whole or self._as[key] != (path, whole):
            raise Unfit("name-twice", name=shown(path), other=shown(self._as[key][0]))
