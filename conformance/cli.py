"""The command line: one function a command, everything heavy imported inside.

Law: `check` is the default command, and everything after BOT belongs to the bot. A usage error is one line and exit
status 2; the exit statuses are the contract's.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

import click
from pdcheck.conformance.options import game_option, gate_options, html_option, rules_option, run_options
from pdcheck.conformance.version import __version__

USAGE, KIT_FAILED, INTERRUPTED = 2, 3, 130
DEFAULT_COMMAND = "check"
BOT_ARGUMENTS: dict[str, Any] = {"ignore_unknown_options": False, "allow_interspersed_args": False}


NOT_YET = ("league", "compare", "init", "new-bot")
"""Commands of the contract that are still to come: not to be taken for a bot in PATH."""


class _Commands(click.Group):
    """A group whose default command is `check`: what is no command is a bot, or an option of `check`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        first = args[0] if args else "--help"
        if first in NOT_YET and not os.path.exists(first):
            raise click.UsageError(f"{first}: not in this version")
        if first not in self.commands and first not in ("--help", "-h", "--version"):
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args or ["--help"])

    def invoke(self, ctx: click.Context) -> Any:
        # click would make of a reader that leaves an exit status 1, which here means a bot that does not conform.
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            raise _ReaderLeft from None
        return result


class _ReaderLeft(Exception):
    """Whoever read our output has left; that is no error of ours."""


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="`pdcheck ./mybot` is short for `pdcheck check ./mybot`.",
)
@click.version_option(__version__, prog_name="pdcheck", message="%(prog)s %(version)s")
def cli() -> None:
    """Check a game bot against its contest's protocol before you submit it."""


@cli.command(context_settings=BOT_ARGUMENTS)
@run_options
@click.option("--baseline", default=None, metavar="FILE", help="Known findings pass; new and gone ones fail.")
@click.option("--write-baseline", is_flag=True, help="Make that file (pdcheck-baseline.toml) of this run.")
@click.argument("bot", nargs=-1, type=click.UNPROCESSED, metavar="BOT [ARG]...")
def check(bot: tuple[str, ...], **options: Any) -> None:
    """Check a bot (the default command)."""
    from pdcheck.conformance.commands.check import run_check

    sys.exit(run_check(bot, options))


@cli.command(context_settings=BOT_ARGUMENTS)
@run_options
@click.option("--seat", default=None, metavar="N|NAME", help="Which bot of a match between several.")
@click.argument("file")
@click.argument("bot", nargs=-1, type=click.UNPROCESSED, metavar="[BOT [ARG]...]")
def replay(file: str, bot: tuple[str, ...], **options: Any) -> None:
    """Play a recorded failure again: FILE is a scenario or a transcript, such as those in .pdcheck/; BOT, if not
    given, is its bot."""
    from pdcheck.conformance.commands.replay import run_replay

    sys.exit(run_replay(file, bot, options))


@cli.command()
@click.option(
    "--seat", default=None, metavar="N|NAME", help="Judge this seat only, where several bots played."
)
@click.option(
    "--json", "json_file", default=None, metavar="FILE", help="Write the report as JSON (- = stdout)."
)
@html_option
@click.option("--strict", is_flag=True, help="SHOULD counts like MUST.")
@click.option("--waive", multiple=True, metavar="ID=REASON", help="Accept a known finding.")
@click.option("-q", "--quiet", is_flag=True, help="The verdict only.")
@click.option("-v", "--verbose", is_flag=True, help="Every requirement.")
@click.option("--no-color", is_flag=True, help="No colour.")
@click.argument("transcript")
def judge(transcript: str, **options: Any) -> None:
    """Judge a transcript of `check` or `match`; no bot is needed."""
    from pdcheck.conformance.commands.judge import run_judge

    sys.exit(run_judge(transcript, options))


@cli.command()
@html_option
@click.argument("file")
def report(file: str, **options: Any) -> None:
    """Make a page of FILE, a JSON report of `check` or `judge`."""
    from pdcheck.conformance.commands.report import run_report

    sys.exit(run_report(file, options))


@cli.command(context_settings={"allow_interspersed_args": True})
@click.option("-s", "--show", is_flag=True, help="Print each action.")
@click.option("-t", "--time", type=click.FloatRange(0, min_open=True), default=None, help="Seconds a seat.")
@click.option("-d", "--debug", is_flag=True, help="Print the messages and the bots' stderr.")
@game_option
@rules_option
@click.option("--seed", type=int, default=None, help="Seed of the deal (default: another each time).")
@click.option("--transcript", default=None, metavar="FILE", help="Write the transcript as JSON.")
@click.option("--html", "html_file", default=None, metavar="FILE", help="Write the match as a page of HTML.")
@click.argument("players", nargs=-1, metavar="NAME COMMAND...")
def match(players: tuple[str, ...], **options: Any) -> None:
    """Play one match: NAME COMMAND pairs; house:steady and the like are commands, too."""
    from pdcheck.conformance.commands.match import run_match

    sys.exit(run_match(players, **options))


@cli.command(context_settings={"allow_interspersed_args": True})
@click.option("-t", "--time", type=click.FloatRange(0, min_open=True), default=None, help="Seconds a bot.")
@rules_option
@click.option("--seed", type=int, default=None, help="Seed of the deal (default: another each time).")
@click.option("--transcript", default=None, metavar="FILE", help="Write the transcript as JSON.")
@click.option("--no-color", is_flag=True, help="No colour.")
@click.argument("game")
@click.argument("seats", nargs=-1, metavar="SEAT...")
def play(game: str, seats: tuple[str, ...], **options: Any) -> None:
    """People and bots at one board; SEAT is human, house:NAME or a command."""
    from pdcheck.conformance.commands.play import run_play

    sys.exit(run_play(game, seats, **options))


@cli.command()
@game_option
@click.argument("requirement")
def explain(requirement: str, game: str) -> None:
    """One requirement: what it says, a good and a bad example, the usual fix."""
    from pdcheck.conformance.commands.catalogue import run_explain

    sys.exit(run_explain(requirement, game))


@cli.command()
@game_option
@click.option("--markdown", is_flag=True, help="As a table, the page docs/requirements.md.")
def requirements(game: str, markdown: bool) -> None:
    """The whole catalogue, with its checks and faulty bots."""
    from pdcheck.conformance.commands.catalogue import run_requirements

    sys.exit(run_requirements(game, markdown=markdown))


@cli.command()
def games() -> None:
    """What is installed: games, rule sets, house players."""
    from pdcheck.conformance.commands.catalogue import run_games

    sys.exit(run_games())


@cli.command()
@rules_option
@click.argument("game")
@click.option("--state", required=True, metavar="FILE|JSON", help='Such as {"hand": "0123", "field": ["2"]}.')
@click.option("--play", default=None, metavar="JSON", help="Whether this can be played; else all that can.")
def legal(game: str, state: str, play: str | None, rules: str | None) -> None:
    """What can be played here."""
    from pdcheck.conformance.commands.legal import run_legal

    sys.exit(run_legal(game, state, play, rules))


@cli.command()
@gate_options
@click.argument("submission", required=False)
def gate(submission: str | None, **options: Any) -> None:
    """Build and test one uploaded file (or folder, or archive) behind walls."""
    from pdcheck.conformance.commands.gate import run_gate

    sys.exit(run_gate(submission, options))


@cli.command()
@click.option(
    "--json", "json_file", default=None, metavar="FILE", help="Write the table as JSON (- = stdout)."
)
@click.option("--no-color", is_flag=True, help="No colour.")
def sandbox(json_file: str | None, no_color: bool) -> None:
    """What holds on this machine: the walls of `gate`, tried from inside."""
    from pdcheck.conformance.commands.sandbox import SandboxOptions, run_sandbox

    sys.exit(run_sandbox(SandboxOptions(json_file, not no_color)))


@cli.command()
@game_option
@click.option("--quick", is_flag=True, help="Each bot against the quick profile (else: standard).")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=None,
    help="Bots judged at once (default: cores; at most four a core).",
)
@click.option("--only", default="", metavar="PREFIX[,…]", help="Only bots whose names begin like this.")
def selftest(game: str, quick: bool, jobs: int | None, only: str) -> None:
    """Every good, faulty and hostile bot through the kit: the matrix, as proof."""
    from pdcheck.conformance.commands.selftest import run_selftest

    sys.exit(run_selftest(game, quick=quick, jobs=jobs, only=only))


def main(arguments: Sequence[str] | None = None) -> None:
    """The entry point: errors in one line, exit statuses by the contract, whatever becomes of the streams."""
    _open_streams()
    status = _run(None if arguments is None else list(arguments))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            # What cannot be written must not change the status; Python would try again, and exit with 120.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)


def _run(arguments: list[str] | None) -> int:
    from pdcheck.conformance.usage import UsageError

    if sys.platform == "win32":
        return _say("pdcheck runs on Linux and macOS; on Windows, start it inside WSL.", USAGE)
    try:
        os.getcwd()
        cli.main(arguments, prog_name="pdcheck", standalone_mode=False)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0
    except FileNotFoundError as error:
        if error.filename is not None:
            return _failed()
        return _say("pdcheck: the current folder is gone", USAGE)
    except click.ClickException as error:
        return _say(f"pdcheck: {error.format_message()}", USAGE)
    except UsageError as error:
        return _say(f"pdcheck: {error}", USAGE)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except _ReaderLeft:
        return 0
    except Exception:
        return _failed()
    return 0


def _failed() -> int:
    import traceback

    words = "pdcheck: the kit itself failed (above); this says nothing about the bot"
    told = traceback.format_exc()
    try:
        from pdcheck.conformance import bundle

        where = bundle.of_crash(told)
    except Exception:  # what fails may be anything, also what is needed here
        where = "no bug report could be written"
    return _say(f"{told}{words}\npdcheck: {where}", KIT_FAILED)


def _say(text: str, status: int) -> int:
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)
    return status


def _open_streams() -> None:
    """A closed stdin, stdout or stderr becomes the null device: the next file or pipe would take its number."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or open(0)  # noqa: SIM115  # they live as long as the process
    sys.stdout = sys.stdout or open(1, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
