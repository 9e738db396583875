"""Java: which class a source is started by, and what its file has to be called.

Law: pure; reads words and braces, not the grammar, with comments and texts taken out first. What it cannot tell is left
to the compiler and refused only where nothing could be started.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pdcheck.conformance.gate.names import shown
from pdcheck.conformance.gate.refusal import Unfit, listed

_NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)"
    r'|"""(?:\\.|[^\\])*?(?:"""|\Z)|"(?:\\.|[^"\\\n])*"?'
    r"|'(?:\\(?:u{1,4}[0-9a-fA-F]{4}|[0-7]{1,3}|.)|[^'\\\n])'",
    re.DOTALL,
)
_PACKAGE = re.compile(r"\bpackage\s+([\w.]+)\s*;")
_WORDS = re.compile(
    r"[{}]|\b(class|interface|enum|record)\s+(\w+)"
    r"|\bvoid\s+main\s*\(\s*(?:final\s+)?(?:java\s*\.\s*lang\s*\.\s*)?String\b"
)
_HEAD = 300
"""Characters in which the words before `class` or `void` stand."""


class MainClass(NamedTuple):
    """How a Java source is started."""

    name: str
    """The class with `main`, with its package, as `java` takes it."""
    file: str
    """What the source has to be called: by its public class, or the one with `main`."""


class _Type(NamedTuple):
    name: str
    public: bool
    main: bool


def main_class(source: bytes, *, name: str) -> MainClass:
    """The class that starts a source; `name` is its file's. Raises Unfit where no class has a `main`, or several and
    neither a public one nor one that is called as the file."""
    text = _NOT_CODE.sub(" ", source.decode("utf-8", "replace"))
    types = list(_types(text))
    mains = [one for one in types if one.main]
    if not mains:
        raise Unfit("no-main-class", name=shown(name))
    public = [one for one in types if one.public]
    stem = name.rpartition("/")[2].removesuffix(".java")
    best = [one for one in mains if one.public] or [one for one in mains if one.name == stem] or mains
    if len(best) > 1:
        raise Unfit("several-main-classes", names=listed([shown(one.name) for one in best]))
    package = _PACKAGE.search(text[: text.find("{") + 1])
    prefix = f"{package[1]}." if package else ""
    return MainClass(prefix + best[0].name, f"{(public or best)[0].name}.java")


def _types(text: str) -> Iterator[_Type]:
    """The types of the top level, and whether `main` stands right within one."""
    depth, found = 0, None
    for match in _WORDS.finditer(text):
        if match[1] and depth == 0:
            if found:
                yield found
            found = _Type(match[2], _is_public(text, match.start()), False)
        elif match[0].startswith("void") and depth == 1 and found:
            static = "static" in _before(text, match.start()).split()
            found = found._replace(main=found.main or static)
        depth += {"{": 1, "}": -1}.get(match[0], 0)
    if found:
        yield found


def _is_public(text: str, at: int) -> bool:
    return "public" in _before(text, at).split()


def _before(text: str, at: int) -> str:
    """What stands between the last statement or brace and this place."""
    least = max(0, at - _HEAD)
    start = max(least - 1, *(text.rfind(mark, least, at) for mark in ";{}"))
    return re.sub(r"[@()]", " ", text[start + 1 : at])
