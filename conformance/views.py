"""Views: what happened in a transcript, step by step, as the game shows it.

Law: pure; a view is made from a transcript and nothing else, and a report without views lacks nothing but them. Game
knowledge is the pack's `viewer`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pdcheck.conformance.case import Case
from pdcheck.conformance.kept import shown_case
from pdcheck.conformance.report import Report
from pdcheck.conformance.transcript import Ruled, Sent, Transcript
from pdcheck.scenarios.pack import GamePack
from pdcheck.scenarios.view import Moment, Told, View

MOST = 1 << 20
"""Characters of views in a report, as JSON; findings beyond have none."""


def view_of(log: Transcript, pack: GamePack, seat: int, title: str = "") -> View | None:
    """What happened, for this seat; None where the game has no viewer or nothing is to be seen."""
    if pack.viewer is None:
        return None
    names = [str(row["name"]) for row in log.header["seats"]]
    made = pack.viewer(moments(log), names, seat)
    return {"title": title, **made} if made and title else made


def moments(log: Transcript) -> list[Moment]:
    """The messages and the rulings of a transcript, in their order."""
    found: list[Moment] = []
    for event in log.events:
        if isinstance(event, Sent):
            found.append(Told(event.seat, event.data))
        elif isinstance(event, Ruled):
            found.append(event.ruling)
    return found


def show(report: Report, cases: Mapping[str, Case]) -> str:
    """Give each finding the view of the case that shows it, as far as `MOST` goes: the gravest first. In a line, why
    there are none, where the game's viewer failed; the report stands without them."""
    try:
        _show(report, cases)
    except Exception as error:  # a viewer may be a plug-in's
        return _unseen(error)
    return ""


def _show(report: Report, cases: Mapping[str, Case]) -> None:
    left = MOST
    for row in sorted(report.rows, key=lambda row: row.status != "fail"):
        for at, finding in enumerate(row.findings):
            found = None if finding.views else shown_case(report, finding, cases)
            if found is None:
                continue
            log = Transcript.from_json(found[1])
            view = view_of(log, report.plan.pack, _candidate(log))
            size = len(json.dumps(view))
            if view and size <= left:
                left -= size
                row.findings[at] = replace(finding, views=(view,))


def show_match(report: Report, log: Transcript, seat: int) -> str:
    """Give the report the view of the one match it is about; what it returns is as in `show`."""
    try:
        view = view_of(log, report.plan.pack, seat)
    except Exception as error:  # a viewer may be a plug-in's
        return _unseen(error)
    report.views = [view] if view else []
    return ""


def _unseen(error: Exception) -> str:
    return f"note: what happened cannot be shown step by step ({type(error).__name__}: {error})"


def _candidate(log: Transcript) -> int:
    seats: Sequence[Mapping[str, object]] = log.header["seats"]
    return next((seat for seat, row in enumerate(seats) if row["kind"] == "candidate"), 0)
