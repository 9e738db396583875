"""The options that commands share, and those of the commands that have many.

Law: names, types and defaults only; what they mean is the commands'.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


game_option = click.option("--game", default="prime-daihinmin", show_default=True, help="Which game.")
rules_option = click.option("--rules", default=None, help="Rule set; each game names its default.")

html_option = click.option(
    "--html",
    "html_file",
    default=None,
    metavar="FILE",
    help="Write a page of HTML (- = stdout).",
)

profile_option = click.option(
    "--profile",
    type=click.Choice(["quick", "standard", "thorough"]),
    default="standard",
    show_default=True,
    help="How much is tried.",
)
seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of states and matches."
)
time_option = click.option(
    "--time", type=click.FloatRange(0, min_open=True), default=None, help="Match budget, seconds."
)
strict_option = click.option("--strict", is_flag=True, help="SHOULD counts like MUST.")
json_option = click.option(
    "--json", "json_file", default=None, metavar="FILE", help="Write the report as JSON (- = stdout)."
)

run_options = options(
    game_option,
    rules_option,
    profile_option,
    seed_option,
    click.option(
        "--jobs",
        type=click.IntRange(1),
        default=None,
        help="Bots on turn at once (default: cores; at most four a core).",
    ),
    click.option("--only", default=None, help="Requirement IDs or prefixes, comma-separated: PD-3,IO-4."),
    click.option("--list", "list_cases", is_flag=True, help="List the cases; run nothing."),
    time_option,
    click.option(
        "--cpu-factor",
        type=click.FloatRange(0, min_open=True),
        default=1.0,
        show_default=True,
        help="This machine is so many times as fast as the contest's: CPU seconds are charged so many times.",
    ),
    click.option("--max-time", type=click.FloatRange(0), default=None, help="Seconds for the whole run."),
    click.option(
        "--shrink-time",
        type=click.FloatRange(0),
        default=None,
        help="Seconds for making failing cases small (0: none; default: by profile).",
    ),
    click.option(
        "--sandbox",
        type=click.Choice(["none", "watch", "best", "strict"]),
        default="watch",
        show_default=True,
        help="Whether the bot is watched (PD-6); best, strict: behind walls, too (see `pdcheck sandbox`).",
    ),
    strict_option,
    click.option("--waive", multiple=True, metavar="ID=REASON", help="Accept a known finding."),
    click.option("--env", multiple=True, metavar="NAME[=VALUE]", help="Add to the bot's environment."),
    click.option("--cwd", default=".", show_default=True, help="The bot's folder."),
    click.option("--build", default=None, metavar="COMMAND", help="Run this first, in the bot's folder."),
    json_option,
    html_option,
    click.option(
        "--pytest-file",
        default=None,
        metavar="FILE",
        help="Write the first failing case as a test for pytest.",
    ),
    click.option("--artifacts", default=".pdcheck", show_default=True, help="Folder for failing cases."),
    click.option("-q", "--quiet", is_flag=True, help="The verdict only."),
    click.option("-v", "--verbose", is_flag=True, help="Every requirement."),
    click.option("--no-color", is_flag=True, help="No colour."),
)

gate_options = options(
    game_option,
    rules_option,
    profile_option,
    seed_option,
    click.option(
        "--jobs",
        type=click.IntRange(1),
        default=None,
        help="Bots on turn (--watch: submissions) at once (default: cores).",
    ),
    time_option,
    strict_option,
    click.option("--language", default=None, metavar="NAME", help="Not by the source's extension, but this."),
    click.option("--user", default=None, metavar="ID", help="Whose it is: the ID is checked, too."),
    click.option(
        "--lang", type=click.Choice(["en", "ja", "fi"]), default=None, help="Of the word for the submitter."
    ),
    json_option,
    html_option,
    click.option(
        "--report-dir", default=None, metavar="DIR", help="Write all reports, and failing cases, there."
    ),
    click.option(
        "--cache", default=None, metavar="DIR", help="Keep verdicts there; the same is not judged again."
    ),
    click.option(
        "--compare", default=None, metavar="FILE", help="A contestant's own report: where do we differ?"
    ),
    click.option("--watch", default=None, metavar="INBOX", help="Judge what is dropped into this folder."),
    click.option("--out", default=None, metavar="OUTBOX", help="Where --watch writes a result for each."),
    click.option("--once", is_flag=True, help="With --watch: end when nothing is left."),
    click.option(
        "--executor", default="local", show_default=True, metavar="WHERE", help="local, or dask://HOST:PORT."
    ),
)
