"""What of this machine a build or a bot sees: its toolchain, and nothing that is anybody's.

Law: read-only, and by name; the rows of `toolchains.toml` say which. A program that is a link stays one, since runtimes
look for their libraries beside the file that they really are.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from pdcheck.conformance.gate.toolchains import Installed, always_visible
from pdcheck.conformance.sandbox.walls import within

Phase = Literal["build", "run"]
_TOO_WIDE = frozenset({"/", "/usr", "/usr/local", "/opt", "/root", "/home", "/var", "/etc", "/srv"})
"""Folders that are never shown whole because a program has been found below them."""


class Seen(NamedTuple):
    """What is shown inside, where it is outside."""

    places: tuple[str, ...]
    """Folders and files, to be bound read-only; none lies in another."""
    links: tuple[tuple[str, str], ...]
    """Symbolic links to be made: (path, target)."""


def seen(installed: Sequence[Installed], phase: Phase) -> Seen:
    """What these toolchains, together, need to see."""
    patterns = list(always_visible(phase))
    for one in installed:
        patterns += one.toolchain.build_etc if phase == "build" else one.toolchain.visible
    places, links = set[str](), dict[str, str]()
    for path in sorted({path for pattern in patterns for path in glob.glob(pattern)}):
        if os.path.islink(path) and (os.path.dirname(path) == "/" or phase == "run"):
            links[path] = os.readlink(path)
            if os.path.dirname(path) != "/":
                places.add(os.path.realpath(path))
        else:
            places.add(path)
    for one in installed:
        for program in one.programs.values():
            _add_program(program, places, links)
    return Seen(
        tuple(sorted(_outermost(places))),
        tuple(sorted((path, target) for path, target in links.items() if not within(path, places))),
    )


def _add_program(program: str, places: set[str], links: dict[str, str]) -> None:
    real = os.path.realpath(program)
    if real != program:
        links[program] = real
    if within(real, places):
        return
    prefix = os.path.dirname(os.path.dirname(real))
    if prefix == "/usr/local":
        places.update((real, "/usr/local/lib"))
    elif prefix in _TOO_WIDE or os.path.dirname(prefix) == "/home":
        places.add(real)
    else:
        places.add(prefix)


def _outermost(places: Iterable[str]) -> set[str]:
    found = set(places)
    return {place for place in found if not within(place, found - {place})}
