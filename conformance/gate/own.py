"""What only the gate sees of a submission, as rows of the report: its size and form, and what it imports.

Law: nothing here is judged of the running bot. A row that stays `not-run` in a gate says that the gate did not do its
work: that is the gate's failure, never an admission.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pdcheck.conformance.findings import Finding
from pdcheck.conformance.gate import imports
from pdcheck.conformance.gate.refusal import Refused
from pdcheck.conformance.gate.submission import Submission
from pdcheck.conformance.report import Report, Row
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import GamePack, Upload

CASE = "gate/submission"
SHOWN = 20


def refusal_finding(pack: GamePack, why: Refused, told: str) -> Finding:
    """The finding of a submission that is not taken; `told` is the refusal in words."""
    known = pack.catalogue()[why.requirement]
    return Finding(
        requirement=why.requirement,
        level=Level.MUST,
        message=f"{known.title}: {told}",
        expected=known.title,
        actual=told,
        sent="",
        size=0,
        fix=known.fix,
        case=CASE,
        dedicated=True,
    )


def settle(report: Report, upload: Upload, submission: Submission) -> None:
    """Put in what the gate has seen of a submission that it took."""
    rows = {row.requirement.id: row for row in report.rows}
    _pass(rows.get(upload.source_requirement))
    libraries = rows.get(upload.libraries_requirement)
    if libraries is None:
        return
    _pass(libraries)
    if found := _unlisted(submission):
        libraries.status = "info"
        libraries.findings = [_import_finding(report, upload.libraries_requirement, found)]


def unjudged(report: Report) -> Sequence[Row]:
    """The rows that nothing was said about, though the gate has to: all but those that the game has no use for."""
    unused = report.plan.pack.not_covered
    return [row for row in report.rows if row.status == "not-run" and row.requirement.id not in unused]


def _pass(row: Row | None) -> None:
    if row is not None and row.status == "not-run":
        row.status, row.cases, row.reason = "pass", 1, None


def _unlisted(submission: Submission) -> Mapping[str, str]:
    """What it imports beyond the list → where."""
    others = [*submission.sources, *submission.data]
    found: dict[str, str] = {}
    for path in submission.sources:
        text = (submission.folder / path).read_bytes()
        for one in imports.unlisted(submission.language, text, others):
            found.setdefault(one.name, f"{path}:{one.line}")
    return found


def _import_finding(report: Report, requirement: str, found: Mapping[str, str]) -> Finding:
    known = report.plan.pack.catalogue()[requirement]
    shown = [f"{name} ({place})" for name, place in list(found.items())[:SHOWN]]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    told = f"not among the listed libraries: {', '.join(shown)}{more}"
    return Finding(
        requirement=requirement,
        level=Level.INFO,
        message=f"{known.title}: {told}",
        expected="imports and includes of the language's own and of listed libraries",
        actual=told,
        sent="",
        size=0,
        fix=known.fix,
        case=CASE,
    )
