"""The whole table of faulty bots: `FAULTS`, name → `Fault(requirement, level, summary, bot)`, and how they are run.

Law of this file: importing it imports every section; a bot being played imports only its own.
"""

from . import cells, ends, gone, lines, moves, names, repeats, resources, surroundings
from .base import FAULTS as ENTERED
from .base import Fault

__all__ = [
    "ALONE",
    "BY_DATE",
    "FAULTS",
    "MATCHES_ONLY",
    "TIMES",
    "Fault",
    "cells",
    "ends",
    "gone",
    "lines",
    "moves",
    "names",
    "repeats",
    "resources",
    "surroundings",
]

ALONE = ("va-7-",)
"""What names begin with of faults that are told by the clock: a neighbour's work could hide them, or look like them."""
BY_DATE = ("va-2-by-day", "va-9-by-day")
"""Names of bots that are the same all day long: only where the kit can give them another date is anything to be seen."""
MATCHES_ONLY = ("va-7-", "va-8-")
"""Bots with a fault in their use of the machine use much of it in every state: they meet matches only."""
TIMES = {
    "io-4-java-": 1.0,
    "io-8-java-": 1.0,
    "va-3-java-": 1.0,
    "va-3-js-": 1.0,
    "va-7-": resources.SECONDS,
}
"""The budget of a match in seconds, where it is not the game's: nobody wants to wait for 30 s of CPU time, nor for a
runtime that is silent and does not show that it waits."""


def _by_requirement(name: str) -> tuple[str, int]:
    """`va-10-…` after `va-9-…`."""
    page, number = name.split("-")[:2]
    return page, int(number)


FAULTS: dict[str, Fault] = {name: ENTERED[name] for name in sorted(ENTERED, key=_by_requirement)}
