"""`pdcheck match`: one match, printed as the control program prints it.

Law: stdout gets the ranking and the stock, stderr everything else, to the letter of the control program where the
match is clean; the reason of an error is `ERROR:` and our own words. It never hangs: the ranking is printed when the
match is decided, and bots that will not go are ended.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.commands.common import (
    ended_by_signals,
    pack_of,
    rules_of,
    seconds_of,
    tell,
    writable,
)
from pdcheck.conformance.machine import machine
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.scratch import scratch
from pdcheck.conformance.transcript import Event, Sent, Stderr, Transcript
from pdcheck.conformance.transports import StartError, Transport
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.conformance.usage import UsageError
from pdcheck.conformance.version import __version__
from pdcheck.referee.game import Game, Over
from pdcheck.referee.match import Match
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.summary import Summary, Used

HOUSE = "house:"


class Unkept(list[Event]):
    """Events that nobody asked for: a long match would only fill the memory with them."""

    def append(self, event: Event) -> None:
        """Forget it."""


class _Printer(Runner):
    """A runner that prints as it goes."""

    game: Game
    pack: GamePack

    def on_ruling(self, ruling: Ruling) -> None:
        if ruling.line:
            print(ruling.line, file=sys.stderr)
        violation = ruling.violation
        # What comes at `quit` is after the ranking; what nobody asked for is told when its seat is put out.
        if violation is None or ruling.outcome in ("unasked", "quit"):
            return
        name = self.game.names[ruling.seat]
        if violation.requirement == self.pack.match_time:
            print(f"Error: time limit exceeded: {name}", file=sys.stderr)
        print(f"{name}: {violation.requirement} {violation.actual}", file=sys.stderr)

    def on_over(self, over: Over) -> None:
        _print_summary(self.pack.summary(over, self.used()))

    def used(self) -> list[Used]:
        """The time of each seat up to now."""
        budgets = [self.match.budget(seat) for seat in range(len(self.game.names))]
        return [
            Used(budget.left, transport.cpu(), budget.waited)
            for budget, transport in zip(budgets, self.transports, strict=True)
        ]


def _write_page(log: Transcript, pack: GamePack, file: str) -> None:
    """Write the match as a page; when it cannot be written, it was played all the same."""
    from pdcheck.conformance.commands.report import write_match  # as long to import as all the rest

    if unwritten := write_match(log, pack, file):
        tell(f"pdcheck: {unwritten}; the page is not written")


def _print_summary(summary: Summary) -> None:
    for line in summary.aside:
        print(line, file=sys.stderr)
    for line in summary.told:
        print(line)
    sys.stdout.flush()


def run_match(
    players: Sequence[str],
    *,
    show: bool,
    time: float | None,
    debug: bool,
    game: str,
    rules: str | None,
    seed: int | None,
    transcript: str | None,
    html_file: str | None = None,
) -> int:
    """Play one match; the exit status (0 when it was played to its end, whoever lost)."""
    started = _now()
    pack = pack_of(game)
    rule_set = rules_of(pack, rules)
    names, commands = _pairs(players, pack)
    limit = seconds_of("--time", time) or pack.time
    writable("--transcript", transcript)
    if writable("--html", html_file) == "-":
        raise UsageError("--html -: stdout holds the ranking")
    seed = secrets.randbits(32) if seed is None else seed
    played = pack.match(names, seed, limit, rule_set, show)
    log = Transcript(_header(pack, rule_set, seed, names, commands, limit))
    if not (debug or transcript or html_file):
        log.events = Unkept()
    with contextlib.ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        bots = any(not command.startswith(HOUSE) for command in commands)
        folder = stack.enter_context(scratch()) if bots else ""
        transports = [_transport(pack, command, seed + seat, folder) for seat, command in enumerate(commands)]
        _print_head(played, limit)
        runner = _Printer(Match(played), transports, log)
        runner.game, runner.pack = played, pack
        try:
            with _aside() if transcript == "-" else contextlib.nullcontext():
                _play(runner)
        except StartError as error:
            raise UsageError(str(error)) from None
        finally:
            if debug:
                _print_debug(log, names)
            if transcript:
                write_transcript(log, transcript)
    if html_file:
        _write_page(log, pack, html_file)
    print(f"time (s): {_now() - started:.3f}", file=sys.stderr)
    return 0


def _play(runner: _Printer) -> None:
    """Play it to its end, and print how it ended."""
    end, names = runner.pack.end, runner.game.names
    with runner:
        runner.play()
        for seat in range(len(names)):
            runner.part(seat, "quit" if end.closes else "eof", closes=end.closes)
    _print_summary(runner.pack.times(names, runner.used()))


def _aside() -> contextlib.AbstractContextManager[object]:
    """Where stdout is to hold the transcript alone, people read stderr."""
    return contextlib.redirect_stdout(sys.stderr)


def _now() -> float:
    return time.monotonic()


def _pairs(players: Sequence[str], pack: GamePack) -> tuple[list[str], list[str]]:
    if len(players) % 2:
        raise UsageError(f"NAME COMMAND pairs are expected; {players[-1]!r} has no command")
    names, commands = list(players[::2]), list(players[1::2])
    if len(names) not in pack.seats:
        least, most = pack.seats.start, pack.seats.stop - 1
        takes = f"{least}" if least == most else f"{least} to {most}"
        given = "1 player" if len(names) == 1 else f"{len(names)} players"
        raise UsageError(f"{given}; {pack.name} takes {takes} NAME COMMAND pairs")
    odd = [name for name in names if not name or not name.isprintable()]
    if odd:
        raise UsageError(f"{odd[0]!r} is no name: it is empty or holds signs that cannot be printed")
    doubled = [name for name in names if names.count(name) > 1]
    if doubled:
        raise UsageError(f"two players are named {doubled[0]}")
    return names, commands


def _transport(pack: GamePack, command: str, seed: int, folder: str) -> Transport:
    if command.startswith(HOUSE):
        try:
            return MemoryTransport(pack.player(command.removeprefix(HOUSE), seed))
        except KeyError as error:
            raise UsageError(str(error.args[0])) from None
    home = tempfile.mkdtemp(prefix="home-", dir=folder)
    return ProcessTransport(read_bot([command]).launch(home))


def _header(
    pack: GamePack, rules: str, seed: int, names: Sequence[str], commands: Sequence[str], limit: float
) -> dict[str, object]:
    seats = [
        {
            "name": name,
            "kind": "house" if command.startswith(HOUSE) else "candidate",
            "command": [command],
            "sha256": None,
        }
        for name, command in zip(names, commands, strict=True)
    ]
    return {
        "pdcheck": __version__,
        "game": pack.name,
        "rules": rules,
        "seed": seed,
        "seats": seats,
        "case": None,
        "setup": {"seed": seed, "names": list(names)},
        "environment": {},
        "limits": {"time": limit},
        "machine": machine(),
    }


def _print_head(game: Game, limit: float) -> None:
    print(f"players: {', '.join(game.names)}", file=sys.stderr)
    for line in game.head:
        print(line, file=sys.stderr)
    print(f"time limit: {limit}", file=sys.stderr)


def _print_debug(log: Transcript, names: Sequence[str]) -> None:
    for event in log.events:
        if isinstance(event, Sent | Stderr):
            text = event.data.decode("utf-8", "backslashreplace").rstrip("\n")
            print(f"{names[event.seat]}: {text}", file=sys.stderr)


def write_transcript(log: Transcript, file: str) -> None:
    """Write it as JSON, `-` to stdout. Raises UsageError."""
    text = json.dumps(log.as_json(), ensure_ascii=False) + "\n"
    if file == "-":
        sys.stdout.write(text)
        return
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"--transcript {file}: {error.strerror}") from None
