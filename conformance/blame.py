"""Whose time it was: the bot's or the machine's.

Law: pure; all from the transcript. CPU time is the bot's own, whatever the machine did. Of wall time the machine's
are the seconds in which the bot, or the kit, was ready to run and had no core (`starved`, `kit_starved`), and those in
which the control process beside it was not woken (`stalled`).

The rule. Where a time was over, the runner has already given back what the machine had taken (`credit`), so what is
over then is the bot's own. Nobody can tell, and the case is `inconclusive`, when the machine took more than may be
given back; without a control process, when the bot would have used less than `MARGIN` of its time had it never waited
for a core. CPU time in its own turns is never the machine's: where that alone is over, there is no doubt. A finding by
time counts at once when the machine was calm (`calm`), else when it is seen again, alone.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from pdcheck.conformance import credit
from pdcheck.conformance.story import Story
from pdcheck.conformance.transcript import Line, Sent

MARGIN = 0.8
CALM = 0.25
"""Seconds that the machine may take in a whole case and still be called calm."""


class Account(NamedTuple):
    """The time of one bot in one case, in seconds."""

    charged: float
    """For its answers, with what was given back taken off."""
    wall: float
    """By the clock (with `--cpu-factor`, as charged)."""
    cpu: float
    """CPU seconds while it was asked something."""
    busy: float
    """Of the clock's, those that it was on the CPU at least: never the machine's."""
    own: float
    """What is left without the machine's."""
    machine: float
    """What the machine took: up to where the bot's time was over, else in the whole case (in its turns it may be
    less)."""

    @property
    def words(self) -> str:
        """Clock, CPU and the machine's part, for a finding."""
        told = f"{self.wall:.2f} s by the clock, {self.cpu:.2f} s of CPU"
        lost = min(self.machine, self.wall - self.own)
        return f"{told}, {lost:.2f} s lost to the machine" if lost >= credit.GRAIN else told


class Turn(NamedTuple):
    """From a message to its answer, or to the referee's word: seconds of the clock and of the CPU."""

    line: Line | None
    wall: float
    cpu: float


def turn_of(story: Story, line: Line) -> Turn:
    """The turn that this line ended."""
    return next((turn for turn in _turns(story) if turn.line is line), Turn(line, 0.0, 0.0))


def cpu_since_line(story: Story, line: Line) -> float:
    """CPU seconds from the line before this one to it: in its own turn, and while others were asked."""
    before = [other for other in story.lines if other.at < line.at]
    return max(0.0, line.cpu - (before[-1].cpu if before else 0.0))


def account(story: Story, limit: float) -> Account:
    """The bot's time, where the clock's is charged; `limit` is what an answer that never came is charged, at most."""
    charged = sum(line.cost for line in story.lines)
    if story.lapsed_at and not story.late:
        charged = max(charged, limit)
    turns = _turns(story)
    cpu = sum(turn.cpu for turn in turns)
    given = _seconds(story, "given-back")
    # Where its time was over that was settled there and then; what the machine took later is in no turn.
    machine = given if story.lapsed_at and story.look("control") else _machine(story)
    wall = charged + given
    busy = sum(min(turn.wall, turn.cpu) for turn in turns)
    return Account(charged, wall, cpu, busy, max(busy, wall - machine), machine)


def doubtful(story: Story, limit: float) -> bool:
    """Whether a budget of `limit` seconds by the clock that was over may have been used up by the machine."""
    told = account(story, limit)
    if told.busy >= limit:
        return False
    return _all_given(story) if story.look("control") else told.own < limit * MARGIN


def doubtful_hang(story: Story, waited: float) -> bool:
    """Whether a bot that was `waited` for in vain, so many seconds, may have been kept by the machine. What it was on
    the CPU in other turns says nothing about this one."""
    return _all_given(story) if story.look("control") else _machine(story) > waited * (1 - MARGIN)


def _all_given(story: Story) -> bool:
    """Whether all was given back that may be: nobody can tell what the machine took beyond that."""
    return _seconds(story, "given-back") > credit.AT_MOST - 2 * credit.GRAIN


def clock_words(story: Story) -> str:
    """How long it took by the clock, for a finding about CPU time."""
    began = story.sent[0].at if story.sent else story.lapsed_at
    until = story.lapsed_at or (story.lines[-1].at if story.lines else began)
    return f"{until - began:.2f} s by the clock"


def cpu_of(story: Story) -> float:
    """CPU seconds from its start to its end, as far as they are known."""
    ended = story.exit.cpu if story.exit else 0.0
    asked = story.sent[-1].cpu if story.sent else 0.0
    answered = story.lines[-1].cpu if story.lines else 0.0
    return max(ended, asked, answered, float(story.look("silence").get("cpu", 0.0)))


def doubtful_end(story: Story, limit: float) -> bool:
    """Whether a bot that did not go within `limit` seconds may have been kept by the machine."""
    return _seconds(story, "end-given-back") > limit - 2 * credit.GRAIN


def calm(story: Story) -> bool:
    """Whether a control process looked on, and the machine took next to nothing."""
    return bool(story.look("control")) and _machine(story) + _seconds(story, "end-given-back") < CALM


def _machine(story: Story) -> float:
    look = story.look("control")
    return story.starved + float(look.get("stalled", 0.0)) + float(look.get("kit_starved", 0.0))


def _seconds(story: Story, what: str) -> float:
    return float(story.look(what).get("seconds", 0.0))


def _turns(story: Story) -> list[Turn]:
    """The turns that are charged. Of messages sent together the next one's begins with the answer before."""
    turns: list[Turn] = []
    before: Line | None = None
    times = [sent.at for sent in story.sent]
    heard = [line for line in story.lines if not story.lapsed_at or line.at <= story.lapsed_at]
    for line in heard:
        if line.cost > 0:
            turns.append(_turn(line, _since(story, times, before, line.at), line.at, line.cpu))
        before = line
    if story.lapsed_at and not story.late:
        # Its end comes later, and with CPU time of its own: the look at its silence tells better.
        used = float(story.look("silence").get("cpu", 0.0)) or (story.exit.cpu if story.exit else 0.0)
        turns.append(_turn(None, _since(story, times, before, story.lapsed_at), story.lapsed_at, used))
    return turns


def _turn(line: Line | None, since: Sent | Line | None, at: float, cpu: float) -> Turn:
    return Turn(line, max(0.0, at - since.at), max(0.0, cpu - since.cpu)) if since else Turn(line, 0.0, 0.0)


def _since(story: Story, times: list[float], before: Line | None, at: float) -> Sent | Line | None:
    """What a turn that ended at this time began with: the last message, or the answer after it."""
    found = bisect_right(times, at)
    sent = story.sent[found - 1] if found else None
    return max((begun for begun in (sent, before) if begun), key=lambda begun: begun.at, default=None)
