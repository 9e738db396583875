"""Whose time it was: the bot's or the machine's.

Law: pure; all from the transcript. CPU time is the bot's own, whatever the machine did. Of wall time the machine's
are the seconds in which the bot, or the kit, was ready to run and had no core (`starved`, `kit_starved`), and those in
which the control process beside it was not woken (`stalled`).

The rule. Where a time was over, the runner has already given back what the machine had taken (`credit`), so what is
over then is the bot's own. Nobody can tell, and the case is `inconclusive`, when the machine took more than may be
given back; without a control process, when the bot would have used less than `MARGIN` of its time had it never waited
for a core. A finding by time counts at once when the machine was calm (`calm`), else when it is seen again, alone.
"""

from __future__ import annotations

from typing import NamedTuple

from pdcheck.conformance import credit
from pdcheck.conformance.story import Story
from pdcheck.referee.clock import Guard

MARGIN = 0.8
CALM = 0.25
"""Seconds that the machine may take in a whole case and still be called calm."""


class Account(NamedTuple):
    """The time of one bot in one case, in seconds."""

    charged: float
    """For its answers, with what was given back taken off."""
    given: float
    cpu: float
    """CPU seconds while it was asked something."""
    machine: float

    @property
    def wall(self) -> float:
        """By the clock (with `--cpu-factor`, as charged)."""
        return self.charged + self.given

    @property
    def own(self) -> float:
        """What is left without the machine's."""
        return max(0.0, self.wall - self.machine)

    @property
    def words(self) -> str:
        """Clock, CPU and the machine's part, for a finding."""
        told = f"{self.wall:.2f} s by the clock, {self.cpu:.2f} s of CPU"
        return f"{told}, {self.machine:.2f} s lost to the machine" if self.machine >= credit.GRAIN else told


def account(story: Story, limit: float) -> Account:
    """The bot's time; `limit` is what an answer that never came is charged, at most."""
    charged = sum(line.cost for line in story.lines)
    cpu = sum(line.cpu - _cpu_before(story, line.at) for line in story.lines)
    if story.lapsed_at and not story.late:
        charged = max(charged, limit)
        # One that was killed left no figure of its own; the look at its silence has one.
        used = story.exit.cpu if story.exit else float(story.look("silence").get("cpu", 0.0))
        if story.sent and used:
            cpu += max(0.0, used - _cpu_before(story, story.lapsed_at))
    return Account(charged, _seconds(story, "given-back"), max(0.0, cpu), _machine(story))


def doubtful(story: Story, limit: float) -> bool:
    """Whether a budget of `limit` seconds that was over may have been used up by the machine."""
    if story.look("control"):
        return _seconds(story, "given-back") > credit.AT_MOST - 2 * credit.GRAIN
    return account(story, limit).own < limit * MARGIN


def doubtful_hang(story: Story, guard: Guard) -> bool:
    """Whether a bot that was waited for as long as the `guard` says may have been kept by the machine."""
    return (
        doubtful(story, guard.turn) if story.look("control") else _machine(story) > guard.turn * (1 - MARGIN)
    )


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


def _cpu_before(story: Story, at: float) -> float:
    return next((sent.cpu for sent in reversed(story.sent) if sent.at <= at), 0.0)
