"""What several commands read in the same way."""

from __future__ import annotations

import contextlib
import math
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from pdcheck.conformance.packs import UnknownGame, load_pack
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import GamePack


def pack_of(game: str) -> GamePack:
    """The pack of a game; an unknown one is a usage error."""
    try:
        return load_pack(game)
    except UnknownGame as error:
        raise UsageError(str(error)) from None


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
