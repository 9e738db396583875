"""One seat's part of a transcript, sorted out.

Law: pure; only what the transcript says, none of it judged yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from pdcheck.conformance.transcript import Event, Exit, Line, Note, Out, Probe, Ruled, Sent, Stderr
from pdcheck.referee.violations import Ruling, Violation, quoted

STDERR_LINES = 32


@dataclass
class Story:
    """One seat's part of a transcript, sorted out."""

    sent: list[Sent] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    outs: list[Out] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    ruled_at: list[float] = field(default_factory=list)
    """When each ruling was made."""
    awaited: str = ""
    """The kind of the first line that was waited for in vain; a line that came after all was not."""
    notes: dict[str, Note] = field(default_factory=dict)
    probes: dict[str, Probe] = field(default_factory=dict)
    """The last look of each kind from outside (`silence`, `terminal`, `language`, …)."""
    complaints: list[Stderr] = field(default_factory=list)
    exit: Exit | None = None
    lapsed_at: float = 0.0
    late: Line | None = None
    """The line that was waited for, where it came after all, only too late: the referee's word comes right after it. A
    line that came in time, with the wait for the next one after it (`awaited`), is none."""

    @classmethod
    def read(cls, events: Iterable[Event]) -> Story:
        story = cls()
        before: Event | None = None
        for event in events:
            match event:
                case Sent():
                    story.sent.append(event)
                    if not story.lapsed_at:
                        story._forgive()
                case Line():
                    story._heard(event)
                case Out():
                    story.outs.append(event)
                case Stderr():
                    story.complaints.append(event)
                case Exit():
                    story.exit = event
                case Note():
                    story.notes[event.what] = event
                    if event.what == "awaited":
                        story.awaited = story.awaited or event.text
                case Probe():
                    story.probes[event.what] = event
                    continue  # the kit's own look is nothing the bot did
                case Ruled():
                    story._ruled(event, before)
            before = event
        return story

    def _heard(self, line: Line) -> None:
        self.lines.append(line)
        if not self.lapsed_at:
            # The kit may look at a bot before its time is over (where CPU time is charged): it did answer.
            self.awaited = ""
            self._forget("waits", "overdue")

    def _ruled(self, event: Ruled, before: Event | None) -> None:
        self.rulings.append(event.ruling)
        self.ruled_at.append(event.at)
        if event.ruling.violation and not self.lapsed_at:
            self.lapsed_at = event.at
            self.late = before if isinstance(before, Line) and before.cost > 0 else None

    @property
    def asked(self) -> Sent | None:
        """The last message before the violation, or of all."""
        return self._sent_by(self.lapsed_at)

    @property
    def asked_before(self) -> list[bytes]:
        """The lines that it was sent up to then, without the last one of all."""
        until = self.lapsed_at or float("inf")
        said = b"".join(sent.data for sent in self.sent if sent.at <= until)
        return [line + b"\n" for line in said.removesuffix(b"\n").split(b"\n")[:-1]]

    @property
    def violation(self) -> Violation | None:
        return next((ruling.violation for ruling in self.rulings if ruling.violation), None)

    def sent_before(self, at: float) -> bytes:
        """The last message before this time; 0.0: before the violation, or of all."""
        sent = self._sent_by(at or self.lapsed_at)
        return sent.data if sent else b""

    def _sent_by(self, at: float) -> Sent | None:
        until = at or float("inf")
        return next((sent for sent in reversed(self.sent) if sent.at <= until), None)

    def surplus(self, due: Callable[[Sequence[bytes]], int]) -> int:
        """Lines it wrote beyond those that were `due` in answer to its messages."""
        return sum(out.lines for out in self.outs) - due([sent.data for sent in self.sent])

    @property
    def waited(self) -> list[float]:
        """Seconds by the clock for each line: since the message before it, or since the line before it."""
        said = sorted(
            [*((sent.at, None) for sent in self.sent), *((line.at, line) for line in self.lines)], key=_at
        )
        return [now - before for (before, _), (now, line) in pairwise(said) if line is not None]

    def owes(self, due: Callable[[Sequence[bytes]], int]) -> bool:
        """Whether fewer lines of it came than were `due` in answer to its messages."""
        return due([sent.data for sent in self.sent]) > len(self.lines)

    def _forgive(self) -> None:
        """The match went on: what was waited for in vain before was waited for so on purpose, and is settled."""
        self.awaited = ""
        self._forget("waits", "overdue", "deaf")
        self.probes.pop("silence", None)

    def _forget(self, *notes: str) -> None:
        for what in notes:
            self.notes.pop(what, None)

    def doubled(self, meant: Callable[[bytes, int], bool]) -> bool:
        """Whether the line it was put out for is the one before it once more, and what came next is another answer (a
        line `meant` as one)."""
        at = next((at for at, line in enumerate(self.lines) if line.at > self.lapsed_at), len(self.lines))
        if at < 2 or self.lines[at - 1].data != self.lines[at - 2].data:
            return False
        written = b"".join(out.data for out in self.outs).split(b"\n")[:-1]
        return at < len(written) and written[at] != self.lines[at - 1].data and meant(written[at], at)

    @property
    def hangs(self) -> bool:
        """Whether it was waited for in vain."""
        return bool(self.awaited) and not self.late

    @property
    def starved(self) -> float:
        """Seconds the bot was ready to run and got no core."""
        return float(self.notes["starved"].text) if "starved" in self.notes else 0.0

    @property
    def stderr(self) -> bytes:
        """All of its stderr that was kept."""
        return b"".join(event.data for event in self.complaints)

    def look(self, what: str) -> Mapping[str, Any]:
        """What was seen from outside in a look of this kind; empty when there was none."""
        probe = self.probes.get(what)
        return probe.values if probe else {}

    @property
    def open_line(self) -> bool:
        """Whether the referee's word came while a line was begun and not ended."""
        last = next((o.data for o in reversed(self.outs) if o.data and o.at <= self.lapsed_at), b"\n")
        return not last.endswith(b"\n")

    @property
    def slow_end(self) -> bool:
        """Whether the kit had to wait for the bot at its end: it stayed, left processes, or did not answer `quit`."""
        if "survivors" in self.notes or ("quit" in self.notes and "stays" in self.notes):
            return True
        last = self.rulings[-1] if self.rulings else None
        silence = self.probes.get("silence")
        unanswered = silence is not None and bool(self.sent) and silence.at >= self.sent[-1].at
        return last is not None and last.outcome == "quit" and unanswered

    def cpu_after_last_answer(self, due: Callable[[Sequence[bytes]], int]) -> float:
        """CPU seconds from its last answer to its end; 0.0 where it may have been at work on another one that is
        `due`."""
        if self.exit is None or not self.lines or self.sent[-1].at > self.lines[-1].at:
            return 0.0
        if self.owes(due):
            return 0.0
        return max(0.0, self.exit.cpu - self.lines[-1].cpu)

    def prompts(self, meant: Callable[[bytes, int], bool]) -> bool:
        """Whether what stands before an answer (a line `meant` as one) is what it writes after its last line, too: a
        prompt."""
        *lines, rest = b"".join(out.data for out in self.outs).split(b"\n")
        prompt = rest.strip()
        if not prompt:
            return False
        begun = [(at, line.lstrip()) for at, line in enumerate(lines)]
        return any(line.startswith(prompt) and meant(line[len(prompt) :], at) for at, line in begun)

    @property
    def stderr_tail(self) -> str:
        lines = self.stderr.decode("utf-8", "replace").strip().splitlines()
        # A bot's bytes never reach a terminal as they are: they could drive it.
        return "\n".join(quoted(line.encode()) for line in lines[-STDERR_LINES:] if line)

    @property
    def language(self) -> str:
        """The language it seems to be written in, by its file or its process; "" when nothing tells."""
        return str(self.look("language").get("name") or self.look("silence").get("language") or "")

    @property
    def death(self) -> str:
        """How it ended, in words; "" when it was still running."""
        if self.exit is None:
            return ""
        status = self.exit.status
        return f"killed by signal {-status}" if status < 0 else f"exit status {status}"


def _at(moment: tuple[float, object]) -> float:
    return moment[0]
