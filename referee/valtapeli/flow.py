"""Valtapeli: one match as a course of lines.

Law: the order in which lines go out and what each answer leads to, readable from top to bottom. Cells and regions are
the board's, the reading of lines the codec's; time is `referee.match`'s. A seat that is stopped plays on by the first
free cell, and nothing that the other seat sees tells so; the match is scored all the same.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from pdcheck.referee.clock import Guard
from pdcheck.referee.game import (
    Ask,
    Await,
    Course,
    Dismiss,
    Lapse,
    Outcome,
    Over,
    Place,
    Release,
    Step,
    Tell,
    Together,
)
from pdcheck.referee.valtapeli.board import CELLS, FIRST, Board, coordinates
from pdcheck.referee.valtapeli.codec import (
    looks_like_a_move,
    move_line,
    read_move,
    read_name,
    shown,
    turn_line,
)
from pdcheck.referee.violations import Ruling, Violation, quoted, unsolicited

SECONDS = 30.0
"""VA-7: CPU seconds of each seat in a match."""
SHORTEST_GUARD = 5.0
"""Seconds for one line, however little CPU time there is: a runtime that starts slowly does not hang."""
GUARD = Guard(turn=60.0, match=300.0, requirement="IO-3", brief=SHORTEST_GUARD)
"""How long a line is waited for at all; a seat that never writes it breaks what asks for exactly one line."""
SEATS = range(2, 3)
MOVES_EACH = CELLS // 2

Steps = Generator[Step, Any, None]


@dataclass(frozen=True, slots=True)
class Script:
    """What a check does differently from a plain match, all of it to one seat.

    `turns`: stop after so many of its moves (None: play to the end); the match also stops once it is stopped.
    `together`: seat 1 gets its turn number and the first move in one write (IO-8). `mute`: it is sent nothing at all;
    `names_only`: the match stops when both have said their names; `cut_short`: half of the next move's line is sent
    after its last turn; `unanswered`: all of it, and no answer waited for (IO-10, IO-11).
    `listen`: seconds for which seat 1 is listened to before it is told the first move (VA-3).
    """

    seat: int
    turns: int | None = None
    together: bool = False
    mute: bool = False
    names_only: bool = False
    cut_short: bool = False
    unanswered: bool = False
    listen: float = 0.0


class Valtapeli:
    """A `Game`: one match. Seat 0 is the player of turn number 1, the only one that scores.

    Where another `time` than the announced one is given, the guard is as much longer or shorter.

    With `show`, rulings carry a line a move. `board` is the board as it stands; `said` the names that the bots gave
    (VA-2 compares them between matches); `stopped` what each stopped seat was stopped for.
    """

    by_cpu = True
    grace = 0.0
    keeps_extra_lines = False
    time_requirement = "VA-7"
    head: Sequence[str] = ()

    def __init__(
        self,
        names: Sequence[str] = ("first", "second"),
        *,
        time: float = SECONDS,
        script: Script | None = None,
        show: bool = False,
    ) -> None:
        """Raises ValueError unless there are two names."""
        if len(names) not in SEATS:
            raise ValueError(f"{len(names)} names; two play Valtapeli")
        self.names = tuple(names)
        self.time = time
        self.guard = _guard(time)
        self.script = script
        self.board = Board()
        self.said: dict[int, str] = {}
        self.stopped: dict[int, Violation] = {}
        self._dismissed: set[int] = set()
        self._show = show
        self._news = b""
        """The last move's line, which the seat in turn has not been told yet."""

    def unasked(self, seat: int, said: bytes, *, first: bool) -> Violation:
        """IO-2, IO-3 or IO-5; a first move of seat 1 that waited for nothing is VA-3."""
        if not first and seat == 1 and not self.board.moves and looks_like_a_move(said):
            return self._hasty(said)
        return unsolicited(said, first=first, answers=looks_like_a_move)

    def course(self) -> Course:
        """The whole match: names, 256 moves, the last one told to seat 0."""
        if self.script is None or not self.script.mute:
            yield from self._names()
        while not self.board.full and not self._enough():
            yield from self._turn(self.board.turn - FIRST)
        yield from self._last_news()
        yield self._over()

    def _enough(self) -> bool:
        """Whether the script has seen enough of its seat."""
        script = self.script
        if script is None:
            return False
        if script.seat in self.stopped or script.names_only or script.mute:
            return True
        made = (len(self.board.moves) + 1 - script.seat) // 2
        next_is_its = self.board.turn - FIRST == script.seat
        one_more = script.cut_short or script.unanswered
        return script.turns is not None and made >= script.turns and (next_is_its or not one_more)

    def _names(self) -> Steps:
        """Both numbers go out at once, so that nobody's start-up is the other's; seat 0 may move at once."""
        held = self.script is not None and self.script.together
        asks = [
            Ask(seat, turn_line(seat + 1), "name", ahead=seat == 0) for seat in ((0,) if held else (0, 1))
        ]
        outcomes = yield Together(tuple(asks))
        for ask, outcome in zip(asks, outcomes, strict=True):
            yield from self._name(ask.seat, outcome)

    def _name(self, seat: int, outcome: Outcome) -> Steps:
        if isinstance(outcome, Lapse):
            yield self._stop(seat, outcome.violation)
            return
        name, flaws = read_name(outcome.line)
        if name is None:
            yield self._stop(seat, flaws[0], flaws=flaws[1:])
            return
        self.said[seat] = name
        yield Ruling(seat, "name", name, flaws=flaws)

    def _turn(self, seat: int) -> Steps:
        board = self.board
        if seat not in self.stopped:
            outcome = yield from self._ask(seat)
            if seat not in self.stopped:
                yield from self._move(seat, outcome)
        if seat in self.stopped.keys() - self._dismissed and not self._enough():
            self._dismissed.add(seat)
            yield Dismiss(seat)
        if seat in self.stopped:
            # As the contest's sample program plays: "the first free cell".
            cell = board.first_free
            board.claim(cell)
            yield Ruling(seat, "replaced", shown(cell), line=self._line(seat, cell))
        elif len(board.moves) > CELLS - 2:
            yield Release(seat, "VA-6")
        self._news = move_line(board.moves[-1])

    def _ask(self, seat: int) -> Generator[Step, Any, Outcome]:
        """Tell the seat the other's move, if there is one, and take its own."""
        last = len(self.board.moves) >= CELLS - 2
        outcome: Outcome
        if not self.board.moves:
            outcome = yield Await(seat, "opening")
        elif seat == 1 and len(self.board.moves) == 1 and self.script and self.script.listen:
            outcome = yield from self._listen(seat, self.script.listen)
        elif seat == 1 and len(self.board.moves) == 1 and self.script and self.script.together:
            outcome = yield Ask(seat, turn_line(2) + self._news, "name", ahead=True)
            yield from self._name(seat, outcome)
            if seat not in self.stopped:
                outcome = yield Await(seat, "move")
        else:
            # After its last move it may write no more, which is told the same whenever it comes (VA-6).
            outcome = yield Ask(seat, self._news, "move", ahead=last)
        return outcome

    def _listen(self, seat: int, seconds: float) -> Generator[Step, Any, Outcome]:
        """Nothing is to come from seat 1 before it is told the first move; here time that runs out is good."""
        outcome: Outcome = yield Await(seat, "silence", seconds)
        if isinstance(outcome, Lapse) and outcome.late:
            outcome = yield Ask(seat, self._news, "move")
        elif not isinstance(outcome, Lapse):
            outcome = Lapse(self._hasty(outcome.line))
        return outcome

    @staticmethod
    def _hasty(said: bytes) -> Violation:
        wanted = "in seat 2 it waits for the other's first move"
        return Violation("VA-3", wanted, f"it moves at once: {quoted(said)}")

    def _move(self, seat: int, outcome: Outcome) -> Steps:
        if isinstance(outcome, Lapse):
            yield self._stop(seat, outcome.violation)
            return
        cell, flaws = read_move(outcome.line)
        if cell is None:
            yield self._stop(seat, flaws[0], flaws=flaws[1:])
            return
        if not self.board.is_free(cell):
            yield self._stop(seat, self._taken(cell), shown(cell), flaws)
            return
        self.board.claim(cell)
        yield Ruling(seat, "move", shown(cell), flaws=flaws, line=self._line(seat, cell))

    def _taken(self, cell: int) -> Violation:
        when = self.board.moves.index(cell)
        whose = f"player {self.board.owners[cell]} claimed it as move {when + 1} of {len(self.board.moves)}"
        return Violation("VA-5", "a free cell", f"{shown(cell)}: {whose}")

    def _stop(
        self, seat: int, violation: Violation, what: str = "", flaws: tuple[Violation, ...] = ()
    ) -> Ruling:
        self.stopped[seat] = violation
        return Ruling(seat, "stopped", what, violation=violation, flaws=flaws)

    def _last_news(self) -> Steps:
        """Move 256 goes to seat 0, too, "which may have ended by then"; a check may send a line, or half a line, that
        nobody waits to see answered."""
        seat = self.board.turn - FIRST
        if not self._news or seat in self.stopped:
            return
        script = self.script
        if self.board.full or (script and script.unanswered and seat == script.seat):
            yield Tell(seat, self._news)
        elif script and script.cut_short and seat == script.seat:
            yield Tell(seat, self._news[: len(self._news) // 2])

    def _over(self) -> Over:
        board = self.board
        scores = (board.score(), 0)
        places = tuple(
            Place(seat, name, 1, scores[seat], "STOPPED" if seat in self.stopped else "OK")
            for seat, name in enumerate(self.names)
        )
        facts = {
            "regions": list(board.regions()),
            "board": list(board.rows()),
            "moves": [list(coordinates(cell)) for cell in board.moves],
            "names": [self.said.get(seat) for seat in range(len(self.names))],
        }
        return Over("full" if board.full else "stopped", places, facts)

    def _line(self, seat: int, cell: int) -> str:
        if not self._show:
            return ""
        by = f"{self.names[seat]}{' (stopped)' if seat in self.stopped else ''}"
        return f"{len(self.board.moves)}: {by} {shown(cell)} [{self.board.score()}]"


def _guard(time: float) -> Guard:
    share = max(time / SECONDS, SHORTEST_GUARD / GUARD.turn)
    return GUARD._replace(turn=GUARD.turn * share, match=GUARD.match * share)
