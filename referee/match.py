"""The sans-I/O match: bytes and stamps go in, events come out.

Law: no clock, no process, no file. `received` and `tick` are the whole seam; `sent` only tells at which stamp the
write of a message began, because time is charged from there. Every method returns the events it caused, in order.
The same calls with the same arguments give the same events, so a transcript can be judged again anywhere.
"""

from __future__ import annotations

from collections.abc import Collection
from math import inf
from typing import NamedTuple

from pdcheck.referee.clock import Budget, Stamp
from pdcheck.referee.framing import LINE_LIMIT, Framer
from pdcheck.referee.game import (
    Answer,
    Ask,
    Await,
    Dismiss,
    Game,
    Lapse,
    Outcome,
    Over,
    Release,
    Step,
    Tell,
    Together,
)
from pdcheck.referee.violations import Ruling, Violation, quoted


class Send(NamedTuple):
    """Write these bytes to the seat; call `sent` with the stamp taken just before."""

    seat: int
    data: bytes


class Expect(NamedTuple):
    """A line of this seat is now due; `kind` is the game's name for it."""

    seat: int
    kind: str


class Deadline(NamedTuple):
    """Call `tick` at this wall time (seconds of the stamps' clock) unless the seat's line has come before."""

    seat: int
    at: float


class Heard(NamedTuple):
    """The awaited line has come: its bytes, the kind it answers, and the seconds charged for it."""

    seat: int
    kind: str
    line: bytes
    cost: float


Event = Send | Expect | Deadline | Heard | Dismiss | Ruling | Over


class _Seat:
    """What the match keeps of one seat."""

    __slots__ = (
        "ahead",
        "budget",
        "closed",
        "due",
        "early",
        "framer",
        "heeded",
        "released",
        "spoken_to",
        "trouble",
    )

    def __init__(self, budget: Budget, line_limit: int) -> None:
        self.budget = budget
        self.framer = Framer(line_limit)
        self.due: Ask | Await | None = None
        self.spoken_to = False
        self.closed = False
        self.heeded = True
        """False once the seat was put out: what it says after that is not judged."""
        self.trouble: Violation | None = None
        """What the seat did wrong while nothing was asked of it; told when it is asked next."""
        self.ahead = False
        """Whether lines that come before the seat's next step wait for it."""
        self.early = 0.0
        """What such lines have cost."""
        self.released = ""
        """Once it may end: the requirement that a further line breaks."""


class Match:
    """Plays one `Game` over bytes. `done` is true when nothing more is awaited of anybody.

    `patience`: seconds beyond each seat's time in which an answer still counts; no seat is told. `brief`: a seat that
    hangs is given up as soon as its guard allows (it is known to hang). `untimed`: seats that may take all the time
    they like: people.
    """

    def __init__(
        self,
        game: Game,
        *,
        line_limit: int = LINE_LIMIT,
        cpu_factor: float = 1.0,
        patience: float = 0.0,
        brief: bool = False,
        untimed: Collection[int] = (),
    ) -> None:
        self.game = game
        self._grace = game.grace + patience
        self.done = False
        self.over: Over | None = None
        self._seats = [
            _Seat(_budget(game, cpu_factor, patience, brief=brief, timed=seat not in untimed), line_limit)
            for seat in range(len(game.names))
        ]
        self._course = game.course()
        self._round: dict[int, Outcome | None] = {}
        self._together = False

    def budget(self, seat: int) -> Budget:
        """The seat's clock."""
        return self._seats[seat].budget

    def awaited(self, seat: int) -> str | None:
        """The kind of line now due from the seat, or None."""
        due = self._seats[seat].due
        return due.kind if due else None

    def hush(self, seat: int) -> None:
        """From now on what the seat says is not judged: its input has ended, or it was told to go."""
        self._seats[seat].heeded = False

    def begin(self) -> list[Event]:
        """The first events; call once."""
        events: list[Event] = []
        self._advance(None, events)
        return events

    def sent(self, seat: int, at: Stamp) -> list[Event]:
        """The write of the seat's last message began at `at`: its clock runs from there."""
        state = self._seats[seat]
        due = state.due
        if due is None:
            return []
        budget = state.budget
        if due.limit is not None:
            return [Deadline(seat, at.wall + due.limit)]
        budget.start(at)
        return [Deadline(seat, budget.until(at, self._grace))]

    def received(self, seat: int, data: bytes, at: Stamp) -> list[Event]:
        """Bytes of the seat's output; b"" means that its output has ended."""
        state = self._seats[seat]
        events: list[Event] = []
        if data:
            state.framer.feed(data)
        else:
            state.closed = True
        if state.due is None:
            if state.budget.by_cpu and state.ahead:
                state.early += state.budget.stop(at)
            self._unasked(seat, state, events)
        elif state.framer:
            self._answered(seat, state, at, events)
        elif state.framer.overflown:
            limit = state.framer.limit
            self._settle(
                seat,
                Lapse(Violation("IO-3", "one line ended by LF", f"over {limit} bytes without an LF")),
                events,
            )
        elif state.closed:
            self._settle(seat, Lapse(_ended(state)), events)
        return events

    def tick(self, seat: int, at: Stamp) -> list[Event]:
        """The seat's deadline has come: its question lapses, unless its line came before or it has time `left`."""
        later = self.left(seat, at)
        return [later] if later else self.lapse(seat, at)

    def left(self, seat: int, at: Stamp) -> Deadline | None:
        """Where CPU time is charged in a way of its own, and some is left at a deadline: a later one."""
        state = self._seats[seat]
        due, budget = state.due, state.budget
        watched = due is not None and due.limit is None and (budget.by_cpu or budget.cpu_factor != 1.0)
        if watched and budget.left + self._grace > budget.used(at) and at.wall < budget.hang(at):
            return Deadline(seat, budget.until(at, self._grace))
        return None

    def lapse(self, seat: int, at: Stamp) -> list[Event]:
        """No line will come (or its time is over): the seat's question lapses now."""
        state = self._seats[seat]
        due, budget = state.due, state.budget
        if due is None:
            return []
        events: list[Event] = []
        limit = budget.limit if due.limit is None else due.limit
        if due.limit is None:
            budget.stop(at)
        self._settle(seat, Lapse(self._late(state, due, limit), late=True), events)
        return events

    def _late(self, state: _Seat, due: Ask | Await, limit: float) -> Violation:
        partial = state.framer.partial
        if partial:
            return Violation(
                "IO-3", "an answer ended by LF", f"no LF within the time; so far only: {quoted(partial)}"
            )
        guard, budget = state.budget.guard, state.budget
        if due.limit is None and guard and budget.left > 0:
            bounds = f"within {guard.turn:g} s, and {guard.match:g} s of waiting in a match"
            used = f"{budget.spent:.3f} s of CPU time used"
            what = f"it hangs: no line, {budget.waited:.1f} s waited for it so far, {used}"
            what += "; it was given up early, for it had hung before" if guard.brief < guard.turn else ""
            return Violation(guard.requirement, f"an answer to `{due.kind}` {bounds}", what)
        if due.limit is None and budget.by_cpu:
            wanted = f"an answer to `{due.kind}` within {limit:g} s of CPU time in a match"
            return Violation(self.game.time_requirement, wanted, f"no line, and {budget.spent:.3f} s used")
        requirement = self.game.time_requirement if due.limit is None else "IO-9"
        return Violation(requirement, f"an answer to `{due.kind}` within {limit:g} s", "no line in time")

    def _answered(self, seat: int, state: _Seat, at: Stamp, events: list[Event]) -> None:
        due = state.due
        assert due is not None
        budget = state.budget
        cost = budget.stop(at) if due.limit is None else 0.0
        line = self._heard(state, due, cost, events)
        if due.limit is None and budget.left + self._grace <= 0:
            late = Violation(
                self.game.time_requirement,
                f"all answers of a match within {budget.limit:g} s",
                f"{budget.spent:.3f} s used, {cost:.3f} s of them on this answer",
            )
            self._settle(seat, Lapse(late, late=True), events)
            return
        extra = self._extra(due, state)
        self._settle(seat, Answer(line) if extra is None else Lapse(extra), events)

    @staticmethod
    def _heard(state: _Seat, due: Ask | Await, cost: float, events: list[Event]) -> bytes:
        """Take the line that is due; whether others may come before the next step is the question's to say."""
        line = state.framer.take()
        events.append(Heard(due.seat, due.kind, line, cost))
        state.ahead, state.early = due.ahead, 0.0
        return line

    def _extra(self, due: Ask | Await, state: _Seat) -> Violation | None:
        """What came together with an answer but was not asked for, or None."""
        framer = state.framer
        if self.game.keeps_extra_lines or due.ahead or not (framer or framer.partial):
            return None
        return self.game.unasked(due.seat, framer.take() if framer else framer.partial, first=False)

    def _unasked(self, seat: int, state: _Seat, events: list[Event]) -> None:
        """Output (or its end) while nothing is due: kept for the next question, told at once where it is wrong."""
        framer = state.framer
        if state.trouble is not None or not state.heeded:
            framer.clear()
            return
        if state.released:
            self._after_release(seat, state, events)
            return
        if framer or framer.partial or framer.overflown:
            if (self.game.keeps_extra_lines or state.ahead) and not framer.overflown:
                return
            said = framer.take() if framer else framer.partial
            state.trouble = self.game.unasked(seat, said, first=not state.spoken_to)
        elif state.closed and not self.over:
            state.trouble = _ended(state)
        if state.trouble is not None:
            events.append(Ruling(seat, "unasked", violation=state.trouble))

    @staticmethod
    def _after_release(seat: int, state: _Seat, events: list[Event]) -> None:
        """A seat that may end has ended, or still talks: told once."""
        framer = state.framer
        if framer or framer.overflown or (state.closed and framer.partial):
            said = framer.take() if framer else framer.partial
            flaw = Violation(state.released, "nothing after its last answer", quoted(said))
            events.append(Ruling(seat, "unasked", flaws=(flaw,)))
            state.heeded = False
            framer.clear()

    def _settle(self, seat: int, outcome: Outcome, events: list[Event]) -> None:
        """The seat's question has its outcome: go on with the course when no other is open."""
        self._seats[seat].due = None
        if not self._together:
            self._advance(outcome, events)
            return
        self._round[seat] = outcome
        if None not in self._round.values():
            self._advance(self._end_round(), events)

    def _end_round(self) -> list[Outcome | None]:
        outcomes = list(self._round.values())
        self._round, self._together = {}, False
        return outcomes

    def _advance(self, outcome: object, events: list[Event]) -> None:
        """Run the course up to the next thing that has to be waited for."""
        course = self._course
        try:
            step: Step = course.send(outcome)
            while True:
                if isinstance(step, Ask | Await):
                    early = self._pose(step, events)
                    if early is None:
                        return
                    step = course.send(early)
                elif isinstance(step, Together):
                    if self._pose_all(step, events):
                        return
                    step = course.send(self._end_round())
                else:
                    self._tell(step, events)
                    step = course.send(None)
        except StopIteration:
            self.done = True

    def _tell(self, step: Tell | Release | Dismiss | Ruling | Over, events: list[Event]) -> None:
        """Pass on a step that waits for nobody."""
        if isinstance(step, Release):
            state = self._seats[step.seat]
            state.released, state.ahead = step.requirement, False
            self._unasked(step.seat, state, events)
            return
        if isinstance(step, Tell):
            self._seats[step.seat].spoken_to = True
            events.append(Send(step.seat, step.message))
            return
        if isinstance(step, Over):
            self.over = step
        elif isinstance(step, Ruling) and step.violation is not None:
            self._seats[step.seat].heeded = False
        events.append(step)

    def _pose(self, ask: Ask | Await, events: list[Event]) -> Outcome | None:
        """Put the question, or give its outcome at once when the seat is in trouble or has answered ahead."""
        state = self._seats[ask.seat]
        state.due = ask
        if state.trouble is not None:
            trouble, state.trouble, state.due = state.trouble, None, None
            return Lapse(trouble, asked=False)
        if state.closed and not state.framer:
            state.due = None
            return Lapse(_ended(state), asked=False)
        state.spoken_to = True
        if type(ask) is Ask:
            events.append(Send(ask.seat, ask.message))
        if ask.limit is None and state.budget.left + self._grace <= 0:
            # Row 6: its time ran out in an answer that the game let pass; a line that came since does not count.
            state.due = None
            return Lapse(self._late(state, ask, state.budget.limit), late=True)
        if state.framer:
            state.due = None
            line = self._heard(state, ask, state.early, events)
            extra = self._extra(ask, state)
            return Answer(line) if extra is None else Lapse(extra)
        events.append(Expect(ask.seat, ask.kind))
        return None

    def _pose_all(self, together: Together, events: list[Event]) -> bool:
        """Put several questions at once; true when at least one outcome has to be waited for."""
        self._together = True
        self._round = {ask.seat: None for ask in together.asks}
        for ask in together.asks:
            self._round[ask.seat] = self._pose(ask, events)
        return None in self._round.values()


def _budget(game: Game, cpu_factor: float, patience: float, *, brief: bool, timed: bool) -> Budget:
    if not timed:
        return Budget(inf)
    guard = game.guard
    if guard and not brief:
        guard = guard._replace(brief=inf)
    if guard and patience < 0:  # it is waited for so much shorter, too
        share = 1 + patience / game.time
        guard = guard._replace(turn=guard.turn * share, match=guard.match * share)
    return Budget(game.time, by_cpu=game.by_cpu, cpu_factor=cpu_factor, guard=guard)


def _ended(state: _Seat) -> Violation:
    partial = state.framer.partial
    said = f", after {quoted(partial)} without an LF" if partial else ""
    return Violation("IO-1", "the bot stays alive until it is told to quit", f"its output ended{said}")
