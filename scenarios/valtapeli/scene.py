"""Valtapeli: from a scenario to a match that is ready to be played.

Law: a match begins with the empty board, and no scenario makes the candidate's moves for it: what can be set is its
seat, the other side's play, and how long. Whatever a scenario asks beyond that raises ScenarioError, naming it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pdcheck.referee.valtapeli.codec import read_move
from pdcheck.referee.valtapeli.flow import SECONDS, Script, Valtapeli
from pdcheck.scenarios.pack import Player, Stage
from pdcheck.scenarios.scenario import Scenario, ScenarioError, Style
from pdcheck.scenarios.valtapeli import players
from pdcheck.scenarios.valtapeli.characters import CHARACTERS, scripted

RULES: Final = ("published",)
NAMES: Final = ("candidate", "opponent")
USUAL: Final = "first-free"


@dataclass(frozen=True, slots=True)
class Others:
    """`others` of a scenario, read: the other side's house player, the cells it takes first and those it leaves to the
    last, the seed of its chance, and for how long (seconds) the candidate is listened to first."""

    player: str = USUAL
    script: tuple[int, ...] = ()
    avoid: tuple[int, ...] = ()
    seed: int = 0
    listen: float = 0.0


class _Wrong(Exception):
    """What a value should have been."""


def _cells(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise _Wrong("a list of cells")
    cells = []
    for part in value:
        cell, flaws = read_move(part.encode()) if isinstance(part, str) else (None, ())
        if cell is None or flaws:
            raise _Wrong(f'cells as "1 16", not {part!r}')
        cells.append(cell)
    return tuple(cells)


def _player(value: Any) -> str:
    if value not in players.PLAYERS:
        raise _Wrong(f"a house player, one of {', '.join(players.PLAYERS)}")
    return str(value)


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise _Wrong("an integer")
    return value


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or value <= 0:
        raise _Wrong("seconds above 0")
    return float(value)


_OTHERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "player": _player,
    "script": _cells,
    "avoid": _cells,
    "seed": _integer,
    "listen": _seconds,
}

_NOT_OURS: Final[Mapping[str, Any]] = {"hand": None, "field": (), "style": Style(), "interject": None}
"""Fields of a scenario that mean nothing here, and what they are where they are left out."""

_ENDINGS: Final[Mapping[str, Mapping[str, bool]]] = {
    "quit": {},
    "eof": {},
    "term": {},
    "eof-before-init": {"mute": True},
    "eof-at-init": {"names_only": True},
    "eof-in-line": {"cut_short": True},
    "eof-in-turn": {"unanswered": True},
    "term-in-turn": {"unanswered": True},
}
"""How the match stops in front of each ending; `init` is the turn number. `quit`: by itself, there is no such line."""


def others_of(scenario: Scenario) -> Others:
    """`others` read. Raises ScenarioError."""
    read: dict[str, Any] = {}
    for key, value in scenario.others.items():
        if key not in _OTHERS:
            raise _impossible(scenario, f"others.{key}: no keys but {', '.join(_OTHERS)}")
        try:
            read[key] = _OTHERS[key](value)
        except _Wrong as wrong:
            raise _impossible(scenario, f"others.{key}: expected {wrong}") from None
    return Others(**read)


def seat_of(scenario: Scenario) -> int:
    """The candidate's seat: 0, the starter, unless the scenario names another."""
    return scenario.seat or 0


def script_of(scenario: Scenario) -> Script:
    """What the scenario does to the candidate. Raises ScenarioError."""
    seat, others, together = seat_of(scenario), others_of(scenario), scenario.deliver.together
    if scenario.turns and scenario.ending == "quit":
        raise _impossible(scenario, "a match that stops before its end wants an ending: eof, term, …")
    if (together or others.listen) and seat != 1:
        raise _impossible(scenario, "only seat 1 is told something before it moves")
    return Script(
        seat,
        scenario.turns or None,
        together=together,
        listen=others.listen,
        **_ENDINGS[scenario.ending],
    )


def opponent_of(scenario: Scenario) -> Player:
    """The other side, ready to play. Raises ScenarioError."""
    others = others_of(scenario)
    if not (others.script or others.avoid):
        return players.player(others.player, others.seed)
    if others.player not in CHARACTERS:
        raise _impossible(scenario, f"{others.player} follows no script")
    return players.House(
        "Scripted", scripted(others.script, others.avoid, CHARACTERS[others.player](others.seed))
    )


def stage(scenario: Scenario, rules: str, time: float | None) -> Stage:
    """The scenario ready to be played; `time` in CPU seconds where it names none. Raises ScenarioError, and KeyError
    for a rule set that does not exist."""
    if (scenario.rules or rules) not in RULES:
        raise KeyError(f"no rule set {scenario.rules or rules!r}; there is: {', '.join(RULES)}")
    for name, unset in _NOT_OURS.items():
        if getattr(scenario, name) != unset:
            raise _impossible(scenario, f"{name}: Valtapeli has none")
    if scenario.seats not in (None, 2) or seat_of(scenario) > 1:
        raise _impossible(scenario, "two play Valtapeli, in the seats 0 and 1")
    seat = seat_of(scenario)
    names = scenario.names or (NAMES if seat == 0 else NAMES[::-1])
    limit = scenario.time or time or SECONDS
    game = Valtapeli(names, time=limit, script=script_of(scenario))
    return Stage(game, seat, {1 - seat: opponent_of(scenario)})


def _impossible(scenario: Scenario, why: str) -> ScenarioError:
    return ScenarioError(f"scenario {scenario.name}: {why}")
