"""A person's seat: the `Transport` whose answers come from the keyboard.

Law: the keyboard is watched only while the person is asked, so that two people can share it; the match goes on through
the runner's one poll. What is typed ahead waits at the desk.
"""

from __future__ import annotations

import os
import select

from pdcheck.conformance.play.desk import Desk
from pdcheck.conformance.transports import Arrival, Watch

READ_SIZE = 1 << 12


class PersonTransport:
    """The `Transport` of the person in `seat`, who types into `fd`. `ready` and `send` raise the desk's `Left` and
    `Undone`."""

    def __init__(self, seat: int, desk: Desk, fd: int) -> None:
        self._seat = seat
        self._desk = desk
        self._fd = fd
        self._said = b""
        self._watched = False

    def start(self, watch: Watch) -> None:
        """The person is there."""
        self._watch = watch

    def send(self, data: bytes) -> None:
        """Answer at once what is not the person's to say; else ask."""
        due = self._desk.hear(self._seat, data)
        self._said += due.reply
        if not due.asks:
            return
        answer = self._desk.ask(self._seat)
        if answer is None:
            self._listen(True)
        else:
            self._said += answer

    def ready(self, fd: int, mask: int) -> Arrival | None:
        """A key was pressed, or there is no keyboard any more."""
        try:
            data = os.read(fd, READ_SIZE)
        except BlockingIOError:
            return None
        except OSError:  # the terminal has hung up
            data = b""
        answer = self._desk.feed(data)
        if answer is None:
            return None
        self._listen(False)
        return Arrival("out", answer)

    def prompt(self) -> Arrival | None:
        """What was answered at once."""
        said, self._said = self._said, b""
        return Arrival("out", said) if said else None

    def cpu(self) -> float:
        """People are not charged CPU time."""
        return 0.0

    def end_input(self) -> None:
        """Nothing to close."""

    def stop(self) -> None:
        """Listen no more."""
        self._listen(False)

    def _listen(self, on: bool) -> None:
        if on != self._watched:
            self._watched = on
            self._watch(self._fd, select.POLLIN if on else 0)
