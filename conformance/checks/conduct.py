"""Conduct: the same ordinary scenario in other surroundings (IO-2, IO-12, IO-14).

Law: one row a setting; what the bot does in it is judged by the requirement named there, because the same scenario
in the plain setting is part of the run.
"""

from __future__ import annotations

from collections.abc import Iterator

from pdcheck.conformance.case import Case, Setting
from pdcheck.scenarios.pack import GamePack

SETTINGS = (
    ("IO-2", Setting("listens-first", listen=True)),
    ("IO-12", Setting("other-folder", elsewhere=True)),
    ("IO-12", Setting("no-home", {"HOME": None})),
    ("IO-12", Setting("c-locale", {"LANG": "C", "LC_ALL": "C"})),
    ("IO-12", Setting("dumb-terminal", {"TERM": "dumb", "COLUMNS": "20"})),
    ("IO-14", Setting("two-side-by-side", beside=True)),
)


def cases(pack: GamePack) -> Iterator[Case]:
    """Each setting with the game's first ordinary scenario."""
    ordinary = next(scenario for scenario in pack.scenarios() if scenario.name in pack.basic)
    for requirement, setting in SETTINGS:
        yield Case(f"conduct/{setting.name}", "conduct", ordinary, setting, about=requirement)
