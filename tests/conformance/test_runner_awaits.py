"""The runner where a line is awaited unasked: a house player that has said all it had to say is not waited for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import Sent, Transcript
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.referee.match import Match
from pdcheck.referee.valtapeli.flow import Valtapeli
from pdcheck.scenarios.valtapeli.players import player


def stopped(players: Sequence[str]) -> tuple[dict[int, str], Transcript]:
    game, log = Valtapeli(), Transcript()
    transports = [MemoryTransport(player(name)) for name in players]
    with Runner(Match(game), transports, log) as runner:
        runner.play()
    return {seat: violation.requirement for seat, violation in game.stopped.items()}, log


@pytest.mark.parametrize(
    ("players", "told"),
    [
        (("first-free", "first-free"), {}),
        (("mute", "first-free"), {0: "IO-3"}),
        (("dead", "mute"), {0: "IO-1", 1: "IO-3"}),
    ],
)
def test_nobody_waits_for_a_house_player(players: Sequence[str], told: dict[int, str]) -> None:
    """Its name is its last word: the guard of 60 s would be waited out for nothing."""
    found, log = stopped(players)
    assert found == told
    assert max(event.at for event in log.events) - log.start < Valtapeli().guard.turn
    assert [event for event in log.of(1) if isinstance(event, Sent)]
