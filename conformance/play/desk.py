"""One match at the board: what people are asked, and what becomes of what they type.

Law: a line typed is a command or a move. A move that would break a rule is asked for again, with the rule; only a legal
one leaves the desk. `answers` holds all of them in order: a match against players that always play alike is taken back
by one answer by playing it once more with the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

from pdcheck.conformance.play.face import Face
from pdcheck.referee.game import Over
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.document import visible
from pdcheck.scenarios.seatview import Complaint, Due, SeatView


class Left(Exception):
    """A person leaves the match before its end; the message says how."""


class Undone(Exception):
    """The last answer is taken back: the match is to be played once more with `answers`."""

    def __init__(self, answers: Sequence[bytes]) -> None:
        super().__init__("undone")
        self.answers = tuple(answers)


class Desk:
    """The people of one match. `fixed`: why nothing can be taken back, "" where it can; `given`: answers that were
    given already."""

    def __init__(
        self,
        face: Face,
        view: SeatView,
        names: Sequence[str],
        people: Collection[int],
        *,
        fixed: str = "",
        given: Sequence[bytes] = (),
    ) -> None:
        self._face = face
        self._view = view
        self._people = people
        self._fixed = fixed
        self._given = deque(given)
        self._seat = -1
        self._seen = -1
        self._hidden = False
        self.answers: list[bytes] = []
        self._commands: Mapping[str, Callable[[], None]] = {
            "h": self._hint,
            "u": self._undo,
            "q": self._quit,
            "?": self._help,
        }
        face.open(view, names)

    @property
    def quiet(self) -> bool:
        """Whether what happens has been seen already."""
        return bool(self._given)

    def hear(self, seat: int, message: bytes) -> Due:
        """What a message to a person's seat calls for."""
        return self._view.hear(seat, message)

    def ask(self, seat: int) -> bytes | None:
        """The person in `seat` is to move: their answer where it is there already."""
        self._seat = seat
        if self._given:
            return self._answered(self._given.popleft())
        # With several people at one keyboard none is to see the other's cards.
        self._hidden = self._view.secret and len(self._people) > 1 and self._seen != seat
        self._face.turn(seat, hidden=self._hidden)
        return self._next()

    def feed(self, data: bytes) -> bytes | None:
        """What was typed: the answer to `ask` once it is complete. Raises Left, Undone."""
        self._face.feed(data)
        return self._next()

    def told(self, ruling: Ruling) -> None:
        """The referee has ruled."""
        text = self._view.told(ruling)
        if text and not self.quiet:
            self._face.told(visible(text), grave=ruling.violation is not None)

    def asked(self) -> None:
        """A program is asked, and may take its time."""
        if not self.quiet:
            self._face.waits()

    def over(self, over: Over) -> None:
        """The match is decided."""
        self._face.over(self._view.result(over))

    def _next(self) -> bytes | None:
        while True:
            try:
                text = self._face.line()
            except EOFError:
                raise Left("the input ended") from None
            if text is None:
                return None
            answer = self._take(text.strip())
            if answer is not None:
                self._face.done()
                return self._answered(answer)

    def _answered(self, answer: bytes) -> bytes:
        self.answers.append(answer)
        return answer

    def _take(self, text: str) -> bytes | None:
        if command := self._commands.get(text.lower()):
            command()
            return None
        if self._hidden:
            self._hidden, self._seen = False, self._seat
            self._face.turn(self._seat, hidden=False)
            return None
        found = self._view.read(self._seat, text)
        if isinstance(found, Complaint):
            self._face.say((visible(found.text),))
            return None
        return found

    def _hint(self) -> None:
        if self._hidden:
            self._help()
            return
        hint = self._view.hint(self._seat)
        self._face.say(hint.lines, hint)

    def _undo(self) -> None:
        if self._fixed:
            self._face.say((f"Nothing can be taken back: {self._fixed}",))
        elif not self.answers:
            self._face.say(("There is nothing to take back.",))
        else:
            raise Undone(self.answers[:-1])

    def _quit(self) -> None:
        raise Left("quit")

    def _help(self) -> None:
        pointing = "point with the arrow keys and press Enter, or " if self._view.grid else ""
        self._face.say(
            (
                f"To move, {pointing}type {self._view.how}, and Enter.",
                "h: a hint   u: take back your last move   q: quit   ?: this   Ctrl-C: stop at any time",
            )
        )
