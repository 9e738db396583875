"""What a referee says: violations of numbered requirements, and rulings on actions.

Law: a violation always names the requirement, what was expected and what came; nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

ELIDED_AT = 120


class Violation(NamedTuple):
    """One broken requirement: its ID, what it wanted, and what came instead (in words a contestant reads)."""

    requirement: str
    expected: str
    actual: str
    note: str = ""


class Ruling(NamedTuple):
    """The referee's word on one action of one seat.

    `outcome` is the game's own word for what happened (`ok`, `pass`, `out`, …); `violation` is set when the
    seat was put out for it, `flaws` are requirements broken without that consequence; `test` names the
    primality test or other proof used; `line` is the human line of `pdcheck match -s`, when asked for.
    """

    seat: int
    outcome: str
    what: str = ""
    violation: Violation | None = None
    flaws: tuple[Violation, ...] = ()
    test: str = ""
    line: str = ""


def elide(text: str, limit: int = ELIDED_AT) -> str:
    """The text, its middle replaced by a count of what was left out when it is longer than `limit`."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    tail = limit - head
    return f"{text[:head]}…[{len(text) - limit} more]…{text[-tail:]}"


def quoted(data: bytes, limit: int = ELIDED_AT) -> str:
    """Bytes as a contestant should see them: text where it is text, escapes where it is not, long parts elided."""
    if not data:
        return "an empty line"
    cut = data if len(data) <= 4 * limit else data[: 2 * limit] + data[-2 * limit :]
    text = cut.decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if len(data) > 4 * limit:
        return f"{elide(shown, limit)} ({len(data)} bytes)"
    return elide(shown, limit)


def looks_like_an_object(line: bytes) -> bool:
    """Whether a line is meant as a JSON object."""
    return line.lstrip()[:1] == b"{" and line.rstrip()[-1:] == b"}"


def unsolicited(
    said: bytes, *, first: bool, answers: Callable[[bytes], bool] = looks_like_an_object
) -> Violation:
    """Which requirement output that nobody asked for breaks: IO-2 before the first message, IO-3 for a line that
    would be an answer (blank, or what the game `answers` with), IO-5 for anything else."""
    what = quoted(said)
    if first:
        return Violation("IO-2", "nothing on stdout before the first message", what)
    if not said.strip() or answers(said):
        return Violation("IO-3", "exactly one line for each message", f"one more line: {what}")
    return Violation("IO-5", "nothing but answers on stdout", what)
