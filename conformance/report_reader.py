"""A JSON report read back.

Law: a report may come from anywhere. It is what `schemas/report.json` says, or a ReportError in one line: file, place,
what was expected, what is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pdcheck import schemas
from pdcheck.conformance.transcript import TranscriptError
from pdcheck.conformance.transcript_reader import parsed
from pdcheck.scenarios.document import visible
from pdcheck.scenarios.view import View, misfit
from pdcheck.schemas import Complaint
from pdcheck.schemas.complaints import shown

LARGEST = 1e15
"""No number in a report is larger: beyond it floats no longer tell whole numbers apart, and some cannot be shown."""
OF_ANY_SIZE = ("seed",)
"""The person's own numbers."""


class ReportError(ValueError):
    """It is no report. The message is one line that says where and what was expected."""


def read_report(text: str | bytes, where: str) -> dict[str, Any]:
    """The value that `Report.as_json` gave, written as JSON; `where` names it in messages. Raises ReportError."""
    try:
        value = parsed(text, where, "report")
    except TranscriptError as error:
        raise ReportError(str(error)) from None
    if isinstance(value, dict) and {"events", "seats"} <= value.keys():
        raise ReportError(
            f"{where}: the file: expected a report, got a transcript (`pdcheck judge` reads it)"
        )
    if not isinstance(value, dict) or not {"requirements", "verdict"} & value.keys():
        raise ReportError(f"{where}: the file: expected a report of pdcheck, got other JSON")
    wrong = schemas.explain("report", value) or _misfits(value)
    if wrong:
        path, expected, actual = wrong[0]
        raise ReportError(visible(f"{where}: {path or 'the file'}: expected {expected}, got {actual}"))
    return value


def _misfits(report: Mapping[str, Any]) -> list[Complaint]:
    """What the schema cannot say, the first of it."""
    for path, number in _numbers(report):
        if abs(number) > LARGEST:
            return [Complaint(path, f"a number up to {LARGEST:g}", shown(number, 40))]
    for place, view in _views(report):
        if wrong := misfit(view):
            path, expected, actual = wrong
            return [Complaint(f"{place}.{path}", expected, actual)]
    return []


def _numbers(report: Mapping[str, Any]) -> Iterator[tuple[str, int | float]]:
    """Every number, however deep, and where it is."""
    trail: list[tuple[str, Any]] = [(key, part) for key, part in report.items() if key not in OF_ANY_SIZE]
    while trail:
        path, here = trail.pop()
        if isinstance(here, dict):
            trail += [(f"{path}.{key}", part) for key, part in here.items()]
        elif isinstance(here, list):
            trail += [(f"{path}[{at}]", part) for at, part in enumerate(here)]
        elif isinstance(here, int | float):
            yield path, here


def _views(report: Mapping[str, Any]) -> Iterator[tuple[str, View]]:
    """Every view in a report that is valid by the schema, and where it is."""
    for at, view in enumerate(report.get("views", ())):
        yield f"views[{at}]", view
    for row, requirement in enumerate(report["requirements"]):
        for number, finding in enumerate(requirement["findings"]):
            for at, view in enumerate(finding.get("views", ())):
                yield f"requirements[{row}].findings[{number}].views[{at}]", view
