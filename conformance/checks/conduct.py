"""Conduct: the same ordinary scenario in other surroundings (IO-2, IO-12, IO-14), and the bot watched from outside
while it plays (PD-6).

Law: one row a setting; what the bot does in it is judged by the requirement named there, because the same scenario
in the plain setting is part of the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pdcheck.conformance.case import Case
from pdcheck.conformance.conduct.rules import ONE_THREAD
from pdcheck.conformance.setting import PLAIN, Setting
from pdcheck.scenarios.pack import Conduct, GamePack

SETTINGS = (
    ("IO-2", Setting("listens-first", listen=True)),
    ("IO-12", Setting("other-folder", elsewhere=True)),
    ("IO-12", Setting("no-home", {"HOME": None})),
    (
        "IO-12",
        Setting("home-is-not-there", {"HOME": "/nonexistent/home", "XDG_CACHE_HOME": "/nonexistent/cache"}),
    ),
    ("IO-12", Setting("folder-not-writable", unwritable=True)),
    ("IO-12", Setting("c-locale", {"LANG": "C", "LC_ALL": "C"})),
    ("IO-12", Setting("dumb-terminal", {"TERM": "dumb", "COLUMNS": "20"})),
    ("IO-14", Setting("two-side-by-side", beside=True)),
)
WATCHED = Setting("watched", ONE_THREAD, listen=True, watched="calls")
IDLES = (3, 4, 5)
"""Before which messages the kit idles: not before the first ones, when runtimes still settle."""
TURNS = 3


def cases(pack: GamePack) -> Iterator[Case]:
    """Each setting with the game's first ordinary scenario; then the bot is watched."""
    ordinary = next(scenario for scenario in pack.scenarios() if scenario.name in pack.basic)
    for requirement, setting in SETTINGS:
        yield Case(f"conduct/{setting.name}", "conduct", ordinary, setting, about=requirement)
    if pack.conduct and pack.conduct.files:
        yield from _watched(pack, pack.conduct)


def unwatched(cases: Iterable[Case]) -> list[Case]:
    """The cases without those that only watch, and nothing looked at in the others (`--sandbox none`)."""
    kept = [case for case in cases if case.setting.watched != "calls"]
    return [replace(case, setting=PLAIN) if case.setting.watched else case for case in kept]


def _watched(pack: GamePack, conduct: Conduct) -> Iterator[Case]:
    """The beginning of a match, with time for the bot to show what it does in others' turns; then the last of the
    ordinary scenarios, for what it does in answer to other messages."""
    match = pack.matches(0, 1)[0]
    begun = replace(match, name="begun", about=conduct.files, turns=TURNS)
    idling = replace(WATCHED, idles=IDLES)
    yield Case("conduct/watched", "conduct", begun, idling, about=conduct.files)
    other = [scenario for scenario in pack.scenarios() if scenario.name in pack.basic][-1]
    yield Case(f"conduct/watched-{other.name}", "conduct", other, WATCHED, about=conduct.processes)
