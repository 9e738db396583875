"""Tries from inside, before anything is judged, whether the walls hold.

Law: each attempt is at something that is really there outside: a port that is listened on, another bot with a secret,
a folder that can be read. What was not tried is not proven, so a probe that ends early proves nothing of the rest.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pdcheck.conformance.sandbox import WallsError, host
from pdcheck.conformance.sandbox.filter import numbers
from pdcheck.conformance.sandbox.properties import PROPERTIES, Attempt, Held, judged
from pdcheck.conformance.sandbox.run import PLAIN, Ran, run_inside
from pdcheck.conformance.sandbox.transport import WalledTransport
from pdcheck.conformance.sandbox.walls import MIB, Walls
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.transports import StartError, orphans
from pdcheck.conformance.transports.process import Launch

PROBE = Path(__file__).with_name("probe.py")
TRIAL_MEMORY = 64 * MIB
"""What the trial of memory is given: filling it takes no time, and the means are the same."""
FAMILY = 3
"""The keeper, the bot and its child."""
WITHIN = 60.0
_KINDS = (socket.SOCK_STREAM, socket.SOCK_STREAM, socket.SOCK_DGRAM)
"""The sockets that are tried: by path, by abstract name, by datagram."""
LINGERS = "trap '' HUP TERM; (while :; do sleep 1; done) & read line; exit 0"


def prove(workshop: Workshop, walls: Walls | None = None) -> dict[str, Held]:
    """Every property, tried in these walls (by default those of a bot without further threads). Raises WallsError when
    the walls do not go up."""
    inside = workshop.fit(host.walls()) if walls is None else walls
    attempts = [*_tried(workshop, inside), *_filled(workshop, inside), *_survived(workshop, inside)]
    return judged({name: tuple(a for a in attempts if a.property == name) for name in PROPERTIES})


def failed(held: Mapping[str, Held], promised: Iterable[str] = tuple(PROPERTIES)) -> list[str]:
    """The promised properties that do not hold, in words. Raises KeyError for one that is unknown."""
    return [f"{name}: {held[name].why}" for name in promised if held[name].status != "enforced"]


def _tried(workshop: Workshop, walls: Walls) -> list[Attempt]:
    with _outside(workshop, walls) as given:
        return _read(_probe(workshop, walls, given))


def _filled(workshop: Workshop, walls: Walls) -> list[Attempt]:
    limits = workshop.fitted(walls.limits)
    if limits.memory is None and limits.address_space is None:
        return [Attempt("memory", "fill memory", True, "nothing limits it")]
    small = replace(walls.limits, memory=TRIAL_MEMORY)
    most = TRIAL_MEMORY if limits.memory is not None else workshop.fitted(small).address_space
    ran = _probe(workshop, replace(walls, limits=small), {"memory": most})
    if ran.how_ended in ("memory", "signal"):
        return [Attempt("memory", "fill memory", False, "ended by the kernel")]
    return _read(ran) or [Attempt("memory", "fill memory", True, f"it told nothing ({ran.how_ended})")]


def _survived(workshop: Workshop, walls: Walls) -> list[Attempt]:
    """A bot that ends and leaves a child which ignores signals."""
    room = replace(walls, limits=replace(walls.limits, tasks=8))
    orphans.adopt()
    try:
        with _running(("/bin/sh", "-c", LINGERS), PLAIN, room, workshop) as bot:
            space = os.readlink(f"/proc/{bot.pid}/ns/pid")
            _await(lambda: len(list(_in_space(space))) >= FAMILY or bot.status is not None, bot)
            if bot.status is not None:
                raise WallsError("the trial of the walls ended early: no child was left to survive")
            bot.end_input()
            _await(lambda: bot.status is not None, bot)
            left = list(_in_space(space))
    except OSError as error:
        raise WallsError(f"the trial of the walls ended early: {error.strerror}") from None
    finally:
        orphans.release()
    how = f"{len(left)} processes were left" if left else "all ended with it"
    return [Attempt("survival", "outlive its end", bool(left), how)]


def _await(condition: Callable[[], bool], bot: WalledTransport) -> None:
    until = time.monotonic() + WITHIN
    while not condition():
        if time.monotonic() > until:
            raise WallsError("the trial of the walls did not end")
        select.select([], [], [], 0.001)
        bot.look()


@contextlib.contextmanager
def _running(
    command: tuple[str, ...], environment: Mapping[str, str], walls: Walls, workshop: Workshop
) -> Iterator[WalledTransport]:
    """A program in walls, which is stopped in the end."""
    bot = WalledTransport(Launch(command, environment), walls, workshop)
    try:
        bot.start(lambda _fd, _mask: None)
        yield bot
    except StartError as error:
        raise WallsError(f"the walls cannot be tried: {error}") from None
    finally:
        bot.stop()


def _in_space(space: str) -> Iterator[int]:
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{name}/ns/pid") == space:
                yield int(name)


def _probe(workshop: Workshop, walls: Walls, given: Mapping[str, Any]) -> Ran:
    command = (host.interpreter(), "-I", "-S", "-c", PROBE.read_text("utf-8"), json.dumps(given))
    try:
        return run_inside(command, walls, workshop, timeout=WITHIN)
    except StartError as error:
        raise WallsError(f"the walls cannot be tried: {error}") from None


def _read(ran: Ran) -> list[Attempt]:
    attempts = []
    for line in ran.stdout.splitlines():
        with contextlib.suppress(ValueError, TypeError):
            attempts.append(Attempt(**json.loads(line)))
    if ran.how_ended != "exit" or ran.status != 0:
        last = attempts[-1].name if attempts else "the start"
        said = ran.stderr[-200:].decode("utf-8", "replace").strip()
        raise WallsError(f"the trial of the walls ended early, after {last}: {said or ran.how_ended}")
    return attempts


def _identity(folder: str) -> list[Any]:
    """A folder's path, and what tells it from another of that name."""
    found = os.stat(folder)
    return [folder, found.st_dev, found.st_ino]


@contextlib.contextmanager
def _outside(workshop: Workshop, walls: Walls) -> Iterator[dict[str, Any]]:
    """What there is to try at, for as long as it is tried."""
    token = os.urandom(6).hex()
    with contextlib.ExitStack() as stack:
        secret = Path(workshop.folder, f"secret-{token}")
        secret.write_text("secret")
        stack.callback(secret.unlink)
        named = [stack.enter_context(socket.socket(socket.AF_UNIX, kind)) for kind in _KINDS]
        path = os.path.join(workshop.folder, f"s-{token}")
        for end, address in zip(named, (path, f"\0pdcheck-{token}", f"\0pdcheck-{token}-d"), strict=True):
            end.bind(address)
        stack.callback(os.unlink, path)
        os.chmod(path, 0o777)
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for end in named[:2]:
            end.listen()
        sibling = stack.enter_context(_running(("/bin/cat",), {**PLAIN, "SECRET": token}, walls, workshop))
        yield {
            "port": port.getsockname()[1],
            "path": path,
            "abstract": f"pdcheck-{token}",
            "datagram": f"pdcheck-{token}-d",
            "secret": str(secret),
            "home": _identity(os.path.expanduser("~")),
            "kit": os.getpid(),
            "kit_group": os.getpgid(0),
            "sibling": sibling.pid,
            "host": os.uname().nodename,
            "key": 0x7064636B,
            "calls": numbers(),
            "tasks": walls.limits.tasks or 1,
            "tmp_bytes": walls.tmp_bytes,
            "counted": workshop.fitted(walls.limits).memory is not None,
            "file_bytes": walls.limits.file_bytes or 0,
            "read_only": [bind.target for bind in walls.binds if not bind.writable],
        }
