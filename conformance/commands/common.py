"""What several commands read in the same way."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pdcheck.conformance.packs import UnknownGame, load_pack
from pdcheck.conformance.transcript import LONGEST, Transcript, TranscriptError
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.scenario import ScenarioError

if TYPE_CHECKING:
    from pdcheck.conformance.header import Sight

PIPES = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""How shells name a pipe that somebody holds the other end of."""
KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
LONGEST_TEXT = 1 << 26
"""Bytes of a file of scenarios that are read."""


def pack_of(game: str, file: str | None = None) -> GamePack:
    """The pack of a game; an unknown one is a usage error, in which `file` is where its name stands."""
    try:
        return load_pack(game)
    except UnknownGame as error:
        raise UsageError(f"{file}: game: {error}" if file else str(error)) from None


def text_of(file: str) -> str:
    """The text of a file; what cannot be read is a usage error."""
    try:
        regular(file)
        with open(file, "rb") as stream:
            data = stream.read(LONGEST_TEXT + 1)
        if len(data) > LONGEST_TEXT:
            raise UsageError(f"{file}: more than {LONGEST_TEXT >> 20} MiB")
        return data.decode("utf-8")
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: not UTF-8 text (byte {error.start})") from None


def regular(file: str) -> None:
    """Refuse what may never end, such as a FIFO that nobody writes to. A shell's own pipe (`/dev/stdin`, `<(…)`) has
    its writer. Raises OSError where there is no such file."""
    mode = os.stat(file).st_mode
    piped = stat.S_ISFIFO(mode) and file.startswith(PIPES)
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or piped):
        raise UsageError(f"{file}: expected a file, got {KINDS.get(stat.S_IFMT(mode), 'another thing')}")


def log_of(file: str) -> Transcript:
    """The transcript in a file; what is none is a usage error."""
    try:
        regular(file)
        with open(file, "rb") as stream:
            data = stream.read(LONGEST + 1)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    if len(data) > LONGEST:
        raise UsageError(f"{file}: expected a transcript, got more than {LONGEST >> 20} MiB")
    try:
        return Transcript.from_json(data, file)
    except TranscriptError as error:
        raise UsageError(str(error)) from None


def sights_of(log: Transcript, pack: GamePack, file: str) -> list[Sight]:
    """The seats of a transcript that can be judged; if it cannot be, that is a usage error."""
    from pdcheck.conformance.header import sights  # what only a few commands need takes time to import

    try:
        return sights(log, pack, file)
    except (TranscriptError, ScenarioError) as error:
        raise UsageError(str(error)) from None


def seat_of(found: Sequence[Sight], wanted: str | None, file: str) -> list[Sight]:
    """The seat asked for by its number or name; all of them where none is."""
    chosen = [sight for sight in found if wanted in (None, str(sight.stage.seat), sight.name)]
    if not chosen:
        known = ", ".join(f"{sight.stage.seat} ({sight.name})" for sight in found)
        raise UsageError(f"{file}: --seat {wanted}: the bots are in {known}")
    return chosen


def rules_of(pack: GamePack, rules: str | None) -> str:
    """The rule set asked for, or the game's default."""
    if rules is not None and rules not in pack.rules:
        raise UsageError(f"--rules {rules}: {pack.name} has {', '.join(pack.rules)}")
    return rules or pack.default_rules


def seconds_of(option: str, seconds: float | None) -> float | None:
    """The seconds given, which "nan" and "inf" are not."""
    if seconds is not None and not math.isfinite(seconds):
        raise UsageError(f"{option} {seconds}: a number of seconds is expected")
    return seconds


def factor_of(option: str, factor: float) -> float:
    """The factor given, which "nan" and "inf" are not."""
    if not math.isfinite(factor):
        raise UsageError(f"{option} {factor}: a number is expected")
    return factor


def writable(option: str, file: str | None) -> str | None:
    """The file given, when it can be one: better told before the run than after it."""
    if file and file != "-":
        if Path(file).is_dir():
            raise UsageError(f"{option} {file}: Is a directory")
        if not Path(file).parent.is_dir():
            raise UsageError(f"{option} {file}: No such file or directory")
    return file


def tell(text: str) -> None:
    """A line to stderr; where that cannot be written, nothing is lost by it."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM ends a run as Ctrl-C does: bots first."""

    def stop(number: int, _: object) -> None:
        raise KeyboardInterrupt(number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
