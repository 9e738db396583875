"""`pdcheck report`: any report, made from a JSON report; no bot, no game and no run is needed.

Law: what is no report is a usage error in one line. The same JSON gives the same file, to the byte.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pdcheck.conformance.commands.common import text_of, writable
from pdcheck.conformance.report_reader import ReportError, read_report
from pdcheck.conformance.transcript import Ended, Transcript
from pdcheck.conformance.usage import UsageError
from pdcheck.conformance.views import view_of
from pdcheck.scenarios.document import visible
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
    from pdcheck.conformance.reports.html import render

    if unwritten := _write(render(report), html_file):
        raise UsageError(unwritten)
    return 0


def write_html(report: Mapping[str, Any], file: str) -> str:
    """Write the page of a JSON report to a file (`-`: stdout); in a line, why that failed, or "". Raises OSError where
    stdout cannot be written."""
    from pdcheck.conformance.reports.html import render

    return _drawn(lambda: render(report), file)


def write_match(log: Transcript, pack: GamePack, file: str) -> str:
    """Write the page of a match, whoever sat in it; the same."""
    from pdcheck.conformance.reports.html import render_match

    return _drawn(lambda: render_match(_match(log, pack)), file)


def _match(log: Transcript, pack: GamePack) -> dict[str, Any]:
    header = log.header
    ended = [event.over for event in log.events if isinstance(event, Ended)]
    places = sorted(ended[-1].places, key=lambda place: (place.place, place.seat)) if ended else []
    return {
        "pdcheck": header["pdcheck"],
        "game": pack.title,
        "rules": header["rules"],
        "seed": header["seed"],
        "names": [row["name"] for row in header["seats"]],
        "places": [dataclasses.asdict(place) for place in places],
        "view": view_of(log, pack, 0),
    }


def _drawn(draw: Callable[[], str], file: str) -> str:
    """Write what is drawn; a page that cannot be drawn is no reason to lose what was found."""
    try:
        page = draw()
    except Exception as error:  # a viewer may be a plug-in's
        return visible(f"--html {file}: it cannot be drawn ({type(error).__name__}: {error})")
    return _write(page, file)


def _write(page: str, file: str) -> str:
    # As UTF-8, which the page says it is, whatever the locale is.
    data = page.encode("utf-8", "backslashreplace")
    if file == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return ""
    try:
        Path(file).write_bytes(data)
    except OSError as error:
        return f"--html {file}: {error.strerror}"
    return ""
