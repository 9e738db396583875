"""Prime Daihinmin: one match as a course of messages (PD-2, PD-4).

Law: the order in which messages go out and what each answer leads to, readable from top to bottom. Cards and turns
are the table's, bytes the codec's, the reading of answers is `replies`'; time is `referee.match`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from pdcheck.referee.game import Answer, Ask, Await, Course, Lapse, Outcome, Over, Step, Tell, Together
from pdcheck.referee.prime_daihinmin.codec import QUIT, Encoder
from pdcheck.referee.prime_daihinmin.replies import (
    Malformed,
    Number,
    Pass,
    Unknown,
    read_blank,
    read_play_reply,
)
from pdcheck.referee.prime_daihinmin.rules import PUBLISHED, RuleSet, other_reading
from pdcheck.referee.prime_daihinmin.table import Seat, Setup, Table, violation_words
from pdcheck.referee.violations import Ruling, Violation, elide, unsolicited

QUIT_SECONDS = 1.0
"""How long each bot has to answer `quit` (row 19); the ranking stands by then."""

Steps = Generator[Step, Any, None]


@dataclass(frozen=True, slots=True)
class Script:
    """What a check does differently from a plain match, all of it to one seat.

    `turns`: stop after so many of its plays (None: play to the end); the match also stops once it is out.
    `quit`: whether the bots are told to quit at the end. `rewrite`: another spelling of each message (JS-2 to JS-4).
    `together`: its `init` is held back and sent in one piece with its first `play` (IO-8).
    `interject`: a message with an unknown action, sent right before its first `play` (JS-6).
    `mute`: it is sent nothing at all; `init_only`: the match stops before its first play; `cut_short`: half of that
    message is sent; `unanswered`: the message of its last turn is sent, and no answer waited for (IO-10, IO-11).
    """

    seat: int
    turns: int | None = None
    quit: bool = True
    rewrite: Callable[[bytes], bytes] | None = None
    together: bool = False
    interject: bytes = b""
    mute: bool = False
    init_only: bool = False
    cut_short: bool = False
    unanswered: bool = False


class PrimeDaihinmin:
    """A `Game`: one match from a `Setup` under a `RuleSet`. With `show`, rulings carry the `-s` line."""

    by_cpu = False
    guard = None
    time_requirement = "PD-5.1"

    def __init__(
        self,
        setup: Setup,
        rules: RuleSet = PUBLISHED,
        *,
        script: Script | None = None,
        show: bool = False,
    ) -> None:
        self.setup = setup
        self.rules = rules
        self.script = script
        self.names: Sequence[str] = setup.names
        self.time = float(setup.time)
        self.grace = rules.grace
        ahead = script is not None and (script.together or bool(script.interject))
        self.keeps_extra_lines = rules.keeps_extra_lines or ahead
        self.table = Table(setup, rules)
        self.head = (f"stock: {len(setup.stock)}",)
        self._encoder = Encoder(setup.names, setup.time, self.table.record)
        self._show = show
        self._held = b""
        self._turns = 0
        self._unknown = _Unknown(script.interject) if script and script.interject else None

    def unasked(self, seat: int, said: bytes, *, first: bool) -> Violation:
        """IO-2, IO-3 or IO-5."""
        del seat
        return unsolicited(said, first=first)

    def course(self) -> Course:
        """The whole match: init to each seat in turn, turns until it ends, the ranking, quit to all."""
        table = self.table
        for seat in table.seats:
            yield from self._init(seat)
        if not self._script_seat_out():
            table.open(self.setup)
        for seat in table.seats if self._show else ():
            yield Ruling(seat.index, "deal", line=self._line("init", seat, ()))
        while (turn := table.next_turn()) is not None and not self._stopped(turn):
            yield from self._turn(table.seats[turn])
        script = self.script
        # When the script's seat is out, the turn is another's, who would be at a loss with half a message.
        if script and turn == script.seat and (script.cut_short or script.unanswered):
            message = self._encoder.play(table.seats[turn], table.field, table.seats)
            yield Tell(turn, message[: len(message) // 2] if script.cut_short else message)
        winner = table.current.name if table.end == "winner" and table.current else None
        yield Over(table.end or "stopped", table.places(), {"stock": len(table.stock), "winner": winner})
        if self.script is None or self.script.quit:
            yield from self._quit()

    def _stopped(self, turn: int) -> bool:
        """Whether the script has seen enough of its seat."""
        script = self.script
        if script is None:
            return False
        if self._unknown and self._unknown.in_doubt:
            return True
        if self.table.seats[script.seat].out or (script.turns is not None and self._turns >= script.turns):
            return True
        at_once = script.mute or script.init_only or script.cut_short
        last = script.unanswered and self._turns + 1 >= (script.turns or 1)
        return turn == script.seat and (at_once or last)

    def _init(self, seat: Seat) -> Steps:
        if seat.index in self.setup.out:
            yield from self._put_out(seat, Violation("PD-2.1", "an answer to `init`", "out at the deal"))
            return
        message = self._spelled(seat, self._encoder.init(seat))
        if self.script and seat.index == self.script.seat and (self.script.together or self.script.mute):
            self._held = message
            return
        outcome: Outcome = yield Ask(seat.index, message, "init")
        if isinstance(outcome, Lapse):
            yield from self._put_out(seat, outcome.violation)
            return
        yield Ruling(seat.index, "init", flaws=read_blank(outcome.line, "PD-2.2"))

    def _turn(self, seat: Seat) -> Steps:
        outcome = yield from self._ask_play(seat)
        if isinstance(outcome, Lapse):
            yield from self._put_out(seat, outcome.violation)
            return
        line = outcome.line.strip() if self.rules.strips_more else outcome.line
        reply, found = read_play_reply(line)
        must = next((flaw for flaw in found if flaw.requirement in _SHAPE), None)
        flaws = tuple(flaw for flaw in found if flaw is not must)
        match reply:
            case Number(cards):
                yield from self._number(seat, cards, flaws)
            case Pass():
                yield from self._pass(seat, flaws)
            case Unknown(action) if self.rules.free_turns:
                yield Ruling(seat.index, "free turn", elide(action), flaws=flaws)
            case Unknown() | Malformed():
                assert must is not None
                yield from self._put_out(seat, must, flaws=flaws)

    def _ask_play(self, seat: Seat) -> Generator[Step, Any, Outcome]:
        """Put the `play` message, with what the script sends along with it, and take its answer."""
        table = self.table
        message = self._spelled(seat, self._encoder.play(seat, table.field, table.seats))
        outcome: Outcome
        script = self.script
        if script is None or seat.index != script.seat:
            outcome = yield Ask(seat.index, message, "play")
            return outcome
        self._turns += 1
        if self._held:
            held, self._held = self._held, b""
            between = script.interject
            outcome = yield Ask(seat.index, held + between + message, "init")
            if isinstance(outcome, Answer):
                yield Ruling(seat.index, "init", flaws=read_blank(outcome.line, "PD-2.2"))
                if self._unknown:
                    return (yield from self._unknown.heard((yield Await(seat.index, "unknown")), seat.index))
                outcome = yield Await(seat.index, "play")
            return outcome
        if self._unknown and self._turns == 1:
            return (yield from self._unknown.ask(seat.index, message))
        outcome = yield Ask(seat.index, message, "play")
        return outcome

    def _spelled(self, seat: Seat, message: bytes) -> bytes:
        script = self.script
        if script is None or script.rewrite is None or seat.index != script.seat:
            return message
        return script.rewrite(message)

    def _number(self, seat: Seat, cards: Sequence[int], flaws: tuple[Violation, ...]) -> Steps:
        table = self.table
        entries = len(table.record)
        verdict = table.play(seat.index, cards)
        violation = verdict.violation
        if violation is not None:
            note = other_reading(seat.hand, table.field, cards, self.rules)
            violation = violation._replace(note=note) if note else violation
            yield from self._put_out(seat, violation, cards, flaws, verdict.test)
            return
        # Row 4: what does not get into the record is not shown either.
        shown = self._show and len(table.record) > entries
        line = self._line("play", seat, table.field) if shown else ""
        yield Ruling(
            seat.index, verdict.status.lower(), verdict.number, flaws=flaws, test=verdict.test, line=line
        )

    def _pass(self, seat: Seat, flaws: tuple[Violation, ...]) -> Steps:
        table = self.table
        if self._unknown and self._unknown.in_doubt and self.script and seat.index == self.script.seat:
            # Whether this answered `play` or the unknown action shows only at `quit`, which comes next.
            yield Ruling(seat.index, "pass", flaws=flaws)
            return
        drawn = table.draw()
        outcome: Outcome = yield Ask(seat.index, self._encoder.pass_(seat, drawn), "pass")
        if isinstance(outcome, Lapse) and not self.rules.notice_unheeded:
            yield from self._put_out(seat, outcome.violation, flaws=flaws)
            table.close_stock()
            return
        table.pass_(seat.index, drawn)
        if isinstance(outcome, Answer):
            flaws += read_blank(outcome.line, "PD-2.7")
        # The match may have ended with this draw, which turns PASSED into OK; the line is about the pass.
        line = self._line("pass", seat, table.field, "PASSED") if self._show else ""
        yield Ruling(seat.index, "pass", "".join(map(str, drawn)), flaws=flaws, line=line)

    def _put_out(
        self,
        seat: Seat,
        violation: Violation,
        played: Sequence[int] = (),
        flaws: tuple[Violation, ...] = (),
        test: str = "",
    ) -> Steps:
        self.table.put_out(seat.index, violation_words(violation), played)
        what = "".join(map(str, played))
        yield Ruling(seat.index, "out", what, violation=violation, flaws=flaws, test=test)

    def _quit(self) -> Steps:
        gone = {*self.setup.out, *((self.script.seat,) if self.script and self._script_seat_out() else ())}
        seats = [seat for seat in self.table.seats if seat.index not in gone]
        asks = tuple(Ask(seat.index, self._spelled(seat, QUIT), "quit", QUIT_SECONDS) for seat in seats)
        outcomes = yield Together(asks)
        for seat, outcome in zip(seats, outcomes, strict=True):
            if self._unknown and self.script and seat.index == self.script.seat:
                yield from self._unknown.judge(seat.index, outcome)
                continue
            yield _quit_ruling(seat.index, outcome)

    def _script_seat_out(self) -> bool:
        return self.script is not None and self.table.seats[self.script.seat].out

    def _line(self, action: str, seat: Seat, field: Sequence[str], status: str = "") -> str:
        hand = "".join(str(card) * count for card, count in enumerate(seat.hand))
        return f"{action}: {seat.name} {hand} ({','.join(field)}) [{status or seat.status}]"


def _quit_ruling(seat: int, outcome: Outcome) -> Ruling:
    """What the answer to `quit` (or none) says."""
    if isinstance(outcome, Answer):
        return Ruling(seat, "quit", flaws=read_blank(outcome.line, "PD-2.8"))
    broken = outcome.violation
    if not outcome.asked:
        return Ruling(seat, "quit")
    if outcome.late or broken.requirement == "IO-1":
        silent = Violation("PD-2.8", "one empty line in answer to `quit`", broken.actual)
        return Ruling(seat, "quit", flaws=(silent,))
    return Ruling(seat, "quit", violation=broken)


class _Unknown:
    """JS-6: a message with an unknown action, then `play` at once; silence shows without any timer.

    The first line back is the answer to the unknown action, or, when the bot was silent, to `play`. Where it could
    be either (it reads as a play), the case goes straight on to `quit`: a bot that answered both has one more
    such line to come.
    """

    def __init__(self, message: bytes) -> None:
        self._message = message
        self.in_doubt = False

    def ask(self, seat: int, play: bytes) -> Generator[Step, Any, Outcome]:
        """Send both; the outcome is that of `play`, as far as it is known."""
        yield Tell(seat, self._message)
        return (yield from self.heard((yield Ask(seat, play, "unknown")), seat))

    def heard(self, outcome: Outcome, seat: int) -> Generator[Step, Any, Outcome]:
        """The first line back, or none, after both were sent."""
        if isinstance(outcome, Lapse):
            return outcome
        if _reads_as_play(outcome.line):
            self.in_doubt = True
            return outcome
        outcome = yield Await(seat, "play")
        return outcome

    def judge(self, seat: int, last: Outcome) -> Steps:
        """The outcome of `quit` settles it."""
        silent = self.in_doubt and not (isinstance(last, Answer) and _reads_as_play(last.line))
        found = Violation("JS-6", f"one line in answer to {self._message.decode().strip()}", "no line")
        yield Ruling(seat, "quit", flaws=(found,) if silent else ())


def _reads_as_play(line: bytes) -> bool:
    return isinstance(read_play_reply(line)[0], Number | Pass)


_SHAPE = ("IO-6", "JS-1", "PD-2.3", "PD-2.4")
"""What makes a reply unusable; whatever else is wrong with it is told and the reply taken."""
