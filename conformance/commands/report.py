"""`pdcheck report`: any report, made from a JSON report; no bot, no game and no run is needed.

Law: what is no report is a usage error in one line. The same JSON gives the same file, to the byte.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pdcheck.conformance.commands.common import text_of, writable
from pdcheck.conformance.report_reader import ReportError, read_report
from pdcheck.conformance.transcript import Ended, Transcript
from pdcheck.conformance.usage import UsageError
from pdcheck.conformance.views import view_of
from pdcheck.scenarios.pack import GamePack

Options = Mapping[str, Any]


def run_report(file: str, options: Options) -> int:
    """Write what is asked for; the exit status: 0 when it is written, whatever the verdict."""
    html_file = writable("--html", options["html_file"])
    if not html_file:
        raise UsageError(f"{file}: nothing to make of it: --html FILE is missing")
    try:
        report = read_report(text_of(file), file)
    except ReportError as error:
        raise UsageError(str(error)) from None
    if unwritten := write_html(report, html_file):
        raise UsageError(unwritten)
    return 0


def write_html(report: Mapping[str, Any], file: str) -> str:
    """Write the page of a JSON report to a file (`-`: stdout); in a line, why that failed, or ""."""
    from pdcheck.conformance.reports.html import render

    return _write(render(report), file)


def write_match(log: Transcript, pack: GamePack, file: str) -> str:
    """Write the page of a match, whoever sat in it; the same."""
    from pdcheck.conformance.reports.html import render_match

    header = log.header
    ended = [event.over for event in log.events if isinstance(event, Ended)]
    places = sorted(ended[-1].places, key=lambda place: (place.place, place.seat)) if ended else []
    match = {
        "pdcheck": header["pdcheck"],
        "game": pack.title,
        "rules": header["rules"],
        "seed": header["seed"],
        "names": [row["name"] for row in header["seats"]],
        "places": [dataclasses.asdict(place) for place in places],
        "view": view_of(log, pack, 0),
    }
    return _write(render_match(match), file)


def _write(text: str, file: str) -> str:
    if file == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return ""
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        return f"--html {file}: {error.strerror}"
    return ""
