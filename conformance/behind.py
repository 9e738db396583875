"""A contestant's own bot behind walls, where it lies (`--sandbox best` and `strict`).

Law: nothing is built or copied: inside there are the system, the bot's folder and its runtime's, read-only and where
they are outside. Where the kit is root the bot is another user; what that one cannot read is no fault of the bot's.
`strict` needs every promise to hold and never gives a terminal; `best` takes the walls that there are, without them
only watches, and looks at a silent bot under a terminal in the open.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from pdcheck.conformance import candidate
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.gate.enclosure import Enclosure
from pdcheck.conformance.gate.walling import Walling, proven
from pdcheck.conformance.sandbox import WallsError, host
from pdcheck.conformance.sandbox.run import run_inside
from pdcheck.conformance.sandbox.walls import TMP, Bind, Limits, Walls, beyond, within
from pdcheck.conformance.watch.places import places
from pdcheck.conformance.watch.processes import Seen

TASKS = 64
"""Processes and threads at once: which runtime it has nobody says, and PD-6.1 is judged by what is seen."""
FILES = 1024
TEST = "/usr/bin/test"


class Behind(NamedTuple):
    """What a bot runs behind, the folder of that run (None: one of its own), and why there are no walls ("": there
    are, or none were asked for)."""

    enclosure: candidate.Enclosure = candidate.OPEN
    scratch: str | None = None
    why: str = ""


@contextmanager
def behind(bot: Bot, memory: int, sandbox: str) -> Iterator[Behind]:
    """The walls of `sandbox` round this bot, which may use so much memory (bytes). Raises WallsError for a strict one
    that does not hold."""
    if sandbox not in ("best", "strict"):
        yield Behind()
        return
    with ExitStack() as stack:
        try:
            walling = stack.enter_context(proven())
            walls = walls_of(bot, memory, walling)
            _check_readable(bot, walls, walling)
        except WallsError as error:
            if sandbox == "strict":
                raise
            stack.close()
            found = Behind(why=str(error))
        else:
            terminal = sandbox == "best"
            enclosure = Enclosure(walls, walling.workshop, walling.limits, terminal=terminal)
            found = Behind(enclosure, walling.scratch)
        yield found


def walls_of(bot: Bot, memory: int, walling: Walling) -> Walls:
    """What is inside, for this command."""
    files = _files(bot)
    seen = Seen(0, 0, os.path.realpath(files[0]), bot.command, {}, bot.folder)
    own = places([seen], bot.environment, bot.folder)
    # A runtime's folder that is only named in the environment may be somebody's own.
    runtime = [path for path in own.runtime if _reachable(path, by_others=walling.workshop.user is not None)]
    needed = [*own.own, *runtime, *files, *map(os.path.realpath, files)]
    walls = host.walls(limits=Limits(beyond(memory), None, TASKS, files=FILES))
    binds = [Bind(path, path) for path in _outermost(needed, walls) if os.path.exists(path)]
    inside = within(bot.folder, [bind.target for bind in (*walls.binds, *binds)])
    made = Walls((*walls.binds, *binds), walls.links, walls.limits, bot.folder if inside else TMP)
    return walling.workshop.fit(made)


def _reachable(path: str, *, by_others: bool) -> bool:
    """Whether the bot's user gets to a folder and into it."""
    if not by_others:
        return os.access(path, os.R_OK | os.X_OK)
    parts = [path, *map(str, Path(path).parents)]
    return all(os.path.exists(part) and os.stat(part).st_mode & stat.S_IXOTH for part in parts)


def _files(bot: Bot) -> list[str]:
    """Its program, and the files that its command names."""
    found = shutil.which(bot.command[0], path=bot.environment.get("PATH")) or bot.command[0]
    named = [os.path.join(bot.folder, word) for word in bot.command[1:] if word[:1] != "-"]
    return [os.path.join(bot.folder, found), *(path for path in named if os.path.isfile(path))]


def _check_readable(bot: Bot, walls: Walls, walling: Walling) -> None:
    """Raises WallsError where the bot's user cannot read what its command names."""
    for file in _files(bot):
        if run_inside((TEST, "-r", file), walls, walling.workshop).status:
            raise WallsError(f"{file} cannot be read by the user that the bot is behind walls")


def _outermost(paths: Iterable[str], walls: Walls) -> list[str]:
    """Those that are in none of the others, nor inside already."""
    there = {os.path.normpath(path) for path in paths if os.path.isabs(path)}
    system = [bind.target for bind in walls.binds] + [link.path for link in walls.links]
    return sorted(path for path in there if not within(path, (*(there - {path}), *system)))
