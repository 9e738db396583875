"""The whole table of faulty bots: `FAULTS`, name → `Fault(requirement, level, summary, bot)`, and how they are run.

Law of this file: importing it imports every section; a bot being played imports only its own.
"""

from . import conduct, files, flaky, io, js, messages, plays, silence, torture
from .base import FAULTS as ENTERED
from .base import Fault

__all__ = [
    "ALONE",
    "FAULTS",
    "MATCHES_ONLY",
    "Fault",
    "conduct",
    "files",
    "flaky",
    "io",
    "js",
    "messages",
    "plays",
    "silence",
    "torture",
]

ALONE = ("pd-5.", "pd-6.2-")
"""What names begin with of faults that are told by the clock: a neighbour's work could hide them, or look like them."""
MATCHES_ONLY = ("pd-5.",)
"""Bots with a fault in their use of time take all of it in every state: they meet matches only."""


def _by_requirement(name: str) -> tuple[str, list[int]]:
    """`pd-2.10-…` after `pd-2.9-…`."""
    page, numbers = name.split("-")[:2]
    return page, [int(number) for number in numbers.split(".")]


FAULTS: dict[str, Fault] = {name: ENTERED[name] for name in sorted(ENTERED, key=_by_requirement)}
