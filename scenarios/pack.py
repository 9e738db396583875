"""What the kit knows of a game: a `GamePack`, one object a game.

Law: everything outside a game's own folders goes through this; nothing else knows a game's name. A built-in game
has its pack in `scenarios/<game>/pack.py`; a plug-in gives its own through the entry point group `pdcheck.games`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from pdcheck.referee.catalogue import Catalogue
from pdcheck.referee.game import Game, Over
from pdcheck.referee.violations import Ruling, quoted
from pdcheck.scenarios.exchange import OBJECTS, QUIT, Answers, End
from pdcheck.scenarios.scenario import Scenario
from pdcheck.scenarios.seatview import SeatView
from pdcheck.scenarios.summary import Summary, Used, nothing_more, places
from pdcheck.scenarios.view import Viewer

MOST_MEMORY = 2**30


class Player(Protocol):
    """A player in this process: message bytes in; answer bytes, None (says nothing) or b"" (its output ends)."""

    def answer(self, message: bytes) -> bytes | None:
        """The answer to one message."""
        ...


@dataclass(frozen=True, slots=True)
class Stage:
    """A scenario made ready: the match, the candidate's seat, and who sits on the others."""

    game: Game
    seat: int
    players: Mapping[int, Player]
    heavy: bool = False
    """Whether thinking long here is only worth telling (PD-5.1: "in a synthetic state … is INFO")."""


class Span(NamedTuple):
    """The least and the greatest value of a feature among the messages of a case."""

    least: float
    greatest: float


class Feature(NamedTuple):
    """One thing that can be special in what a bot is given, and the requirement that says it must be taken.

    `words` completes "it happens wherever …", with `{at}` for the value; `low`: small values are the special ones.
    """

    name: str
    requirement: str
    words: str
    low: bool = False


Simpler = Callable[[Scenario, Sequence[bytes]], Generator[Scenario, Sequence[bytes] | None, None]]
"""`simpler(scenario, messages)`: scenarios to try in place of one that fails, the most drastic first. Each is
answered with what the bot was sent in it up to the same failure, or None when it does not fail so; `messages` are
those of the failure known."""


class Conduct(NamedTuple):
    """The requirements about a bot's conduct, and the memory it may use in bytes; "": the game does not ask for it."""

    processes: str = ""
    idle: str = ""
    memory: str = ""
    files: str = ""
    most_memory: int = 2**63


class Upload(NamedTuple):
    """What a contest takes as a submission: sizes in bytes, and the requirements about it; "": it does not ask."""

    source_bytes: int
    data_bytes: int
    """Of all data files together; 0: it takes none."""
    source_requirement: str
    """The one that a submission breaks which is not what the contest takes."""
    user_requirement: str = ""
    libraries_requirement: str = ""
    """The one that only listed libraries are used."""
    one_source: bool = True
    """Whether the source has to be one file."""


class Said(NamedTuple):
    """The referee's word on one turn: whose it was, what came of it, and what was done, in the game's short form."""

    seat: int
    outcome: str
    what: str


class Repeats(NamedTuple):
    """For a game in which a bot plays the same way in every run: the requirements, and the matches to repeat."""

    same: str
    """The requirement that the same moves are made in every run."""
    name: str
    """The one that the same name is given in every seat and every run."""
    named: str
    """The outcome of a ruling that took a bot's name."""
    matches: Callable[[int, int, int], Sequence[Scenario]]
    """`matches(seed, count, turns)`: matches against house players, of so many of the candidate's turns (0: whole)."""
    draw: Callable[[Sequence[Said]], Sequence[str]]
    """The position after these words of a match, as lines of text; its last move is marked."""
    hints: Mapping[str, str] = {}
    """What decides (`order`, `hash`) → what to do about it in this game's own words, a sentence."""


class Reference(NamedTuple):
    """The contest's machine: what it is called, and the gigahertz of its clock."""

    words: str
    gigahertz: float


@dataclass(frozen=True, slots=True)
class GamePack:
    """One game, as the kit uses it."""

    name: str
    title: str
    suite: str
    """Changes whenever a verdict could, such as `prime-daihinmin/1`."""
    rules: tuple[str, ...]
    default_rules: str
    seats: range
    time: float
    """The announced budget of a match in seconds."""
    catalogue: Callable[[], Catalogue]
    scenarios: Callable[[], Sequence[Scenario]]
    """The scripted ones, in their order."""
    basic: frozenset[str]
    """Names of the scenarios that run first: ordinary ones, from which a bot that breaks down learns most."""
    generate: Callable[[int, int], Sequence[Scenario]]
    """`generate(seed, count)`: states found by hypothesis, the same for the same arguments."""
    matches: Callable[[int, int], Sequence[Scenario]]
    """`matches(seed, count)`: whole matches against house players."""
    stage: Callable[[Scenario, str, float | None], Stage]
    """`stage(scenario, rules, time)`; raises ScenarioError when the scenario cannot be."""
    match: Callable[[Sequence[str], int, float, str, bool], Game]
    """`match(names, seed, time, rules, show)`: a dealt match for `pdcheck match`."""
    players: Mapping[str, str]
    """House players: name → who it is, in one line."""
    player: Callable[[str, int], Player]
    """`player(name, seed)`; raises KeyError."""
    legal: Callable[[Mapping[str, Any], Any, str], Mapping[str, Any]]
    """`legal(state, play, rules)`: what can be played, or whether `play` can; raises ValueError."""
    answered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Kind of line (`init`, …) or outcome of a ruling → the requirements that such an answer puts to the test."""
    answers: Answers = OBJECTS
    """What a bot's lines look like."""
    end: End = QUIT
    """How its match ends, and what it breaks by not going then."""
    hasty: str = ""
    """The requirement that a bot breaks which answers before it is asked: that it is a line ahead follows from it."""
    hang: str = ""
    """The requirement that a bot breaks which is waited for in vain, where its time is CPU time."""
    silence: Mapping[str, str] = field(default_factory=dict)
    """Kind of line → the requirement broken by never answering it."""
    describe: Callable[[bytes], str] = quoted
    """A message in a line that a person can read."""
    features: Callable[[Sequence[bytes], bool], Mapping[str, Span]] = lambda _, gone: {}
    """`features(messages, gone)`: what is special in the messages of a case, by the names of `feature_table`. `gone`:
    the bot went of its own accord when it had answered them all, so that what comes next was due already."""
    feature_table: tuple[Feature, ...] = ()
    """The most telling first."""
    acknowledgements: frozenset[str] = frozenset()
    """Requirements about the empty lines that only acknowledge a message."""
    robust: frozenset[str] = frozenset()
    """Requirements about what a bot must be able to take: breaking down in a scenario about one breaks that one."""
    endures: str = ""
    """The one about going on whatever the others do: what a bot breaks that dies, but in no ordinary exchange. "": it
    breaks IO-1."""
    match_time: str = ""
    """The requirement that the time of a whole match is judged under."""
    timing: frozenset[str] = frozenset()
    """Requirements whose own cases break themselves by running out of the time of a match."""
    told_time: str = ""
    """The one about heeding the time a bot is told, where that is not the usual one."""
    margin: str = ""
    """The one about keeping a margin to it; where it is the same one, a small margin is only told (INFO)."""
    simpler: Simpler | None = None
    """What a failing scenario of its own making is shrunk by; None: it is shown as it is."""
    conduct: Conduct | None = None
    """The requirements about what it does beside playing; None where the game has none."""
    upload: Upload | None = None
    """What the gate takes as a submission; None: the game is not judged at a gate."""

    @property
    def memory(self) -> int:
        """Bytes that a bot behind walls may use: where the game names no limit there is one all the same."""
        return self.conduct.most_memory if self.conduct and self.conduct.memory else MOST_MEMORY

    rematch: Callable[[Sequence[str], int, int, Mapping[int, Sequence[Ruling]]], Scenario] | None = None
    """`rematch(names, seed, seat, rulings)`: a match of `match` for the bot in `seat` alone; the others do once more
    what the referee ruled on, by seat."""
    summary: Callable[[Over, Sequence[Used]], Summary] = places
    """What is printed of a match when it is decided; the times are by seat."""
    times: Callable[[Sequence[str], Sequence[Used]], Summary] = nothing_more
    """`times(names, used)`: what is printed of it when its bots have gone."""
    seatview: Callable[[Game], SeatView] | None = None
    """How people see a match of `match` at the table (`pdcheck play`); None: they cannot sit at this game."""
    repeats: Repeats | None = None
    """What is repeated to see that it plays the same way each time; None where the game does not ask for that."""
    reference: Reference | None = None
    """The machine that CPU time is announced for, where it is."""
    not_covered: Mapping[str, str] = field(default_factory=dict)
    """Requirement → why no check covers it yet."""
    viewer: Viewer | None = None
    """Shows what happened step by step, in reports; None: they show it in words only."""
