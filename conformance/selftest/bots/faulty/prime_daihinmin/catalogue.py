"""The whole table of faulty bots: `FAULTS`, name → `Fault(requirement, level, summary, bot)`.

Law of this file: importing it imports every section; a bot being played imports only its own.
"""

from . import conduct, files, flaky, io, js, messages, plays, silence, torture
from .base import FAULTS as ENTERED
from .base import Fault

__all__ = ["FAULTS", "Fault", "conduct", "files", "flaky", "io", "js", "messages", "plays", "silence", "torture"]


def _by_requirement(name: str) -> tuple[str, list[int]]:
    """`pd-2.10-…` after `pd-2.9-…`."""
    page, numbers = name.split("-")[:2]
    return page, [int(number) for number in numbers.split(".")]


FAULTS: dict[str, Fault] = {name: ENTERED[name] for name in sorted(ENTERED, key=_by_requirement)}
