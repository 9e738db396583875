"""A bot of one toy game, watched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Probe, Transcript
from pdcheck.conformance.transports.process import Launch, ProcessTransport
from pdcheck.conformance.watch import calls
from pdcheck.conformance.watch.transport import ObservedTransport
from pdcheck.conformance.watch.watcher import Watcher
from pdcheck.referee.match import Match


@pytest.fixture
def watched(gear: ModuleType, toys: ModuleType) -> Iterator[Callable[..., Runner]]:
    """`watched(code or command, times=…, observed=…, idles=…)`: a runner whose bot is watched, played to its end."""
    if not gear.HAS_PROC:
        pytest.skip("there is no /proc to look into")
    entered: list[Runner] = []

    def play(
        code: str | Sequence[str],
        times: int = 3,
        *,
        observed: bool = True,
        idles: tuple[int, ...] = (),
        ends: bool = True,
    ) -> Runner:
        command = gear.python(code) if isinstance(code, str) else tuple(code)
        launch = Launch(command, {"PATH": "/usr/bin:/bin"})
        machine = calls.machine()
        if observed and machine is None:
            pytest.skip("the calls of this machine are not known")
        bot = ObservedTransport(launch, machine) if observed and machine else ProcessTransport(launch)
        log = Transcript()
        match = Match(toys.Toy(toys.asking(times), time=1000.0))
        runner = Runner(match, [bot], log, eye=Watcher(bot, 0, log, idles)).__enter__()
        entered.append(runner)
        runner.rest(0)
        if observed and isinstance(bot, ObservedTransport) and bot.refused:
            pytest.skip(f"this kernel does not let a program be observed: {bot.refused}")
        runner.play()
        if ends:
            runner.part(0, "eof", gear.AT_MOST)
        return runner

    yield play
    for runner in entered:
        runner.close()


@pytest.fixture
def probes() -> Callable[..., list[Any]]:
    """`probes(runner, what)`: the values of the probes of one kind."""

    def of(runner: Runner, what: str) -> list[Any]:
        return [e.values for e in runner.log.events if isinstance(e, Probe) and e.what == what]

    return of
