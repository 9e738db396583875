"""Whole matches in this process, for the tests of Valtapeli's players and scenarios."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.referee.match import Match
from pdcheck.referee.valtapeli.flow import Valtapeli
from pdcheck.scenarios.pack import Player

Play = Callable[[Valtapeli, Player, Player], Transcript]


@pytest.fixture(scope="session")
def play() -> Play:
    """Play a match between two players of this process; its transcript."""

    def played(game: Valtapeli, first: Player, second: Player) -> Transcript:
        log = Transcript()
        with Runner(Match(game), [MemoryTransport(first), MemoryTransport(second)], log) as runner:
            runner.play()
        return log

    return played
