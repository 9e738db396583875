"""What is kept of a failing case: its scenario with what was found, and its transcript beside it.

Law: either file alone shows the finding again. The scenario is about what the finding says, the transcript holds the
setting, too: `pdcheck replay` plays either of them, `pdcheck judge` needs the transcript only.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pdcheck.conformance.artifacts import own_folder
from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import Finding
from pdcheck.conformance.header import retold
from pdcheck.conformance.report import Report
from pdcheck.conformance.setting import PLAIN
from pdcheck.conformance.shrink import told_by
from pdcheck.conformance.transcript import Transcript
from pdcheck.scenarios.document import visible
from pdcheck.scenarios.scenario import dump_scenario


def keep(report: Report, folder: Path, cases: Mapping[str, Case], options: Sequence[str]) -> None:
    """Write the two files of each finding's case, and say in the finding how to see it again. Raises OSError.

    `options` are those of the command without which it may not show again.
    """
    written: dict[Path, list[Finding]] = {}
    for row in report.rows:
        for at, finding in enumerate(row.findings):
            found = shown_case(report, finding, cases)
            if found is None:
                continue
            case, transcript = found
            own_folder(folder)
            stem = folder / _stem(case, finding, cases)
            scenario, log = stem.with_name(f"{stem.name}.yaml"), stem.with_name(f"{stem.name}.json")
            # A scenario file does not hold what was different around the bot.
            file = scenario if case.setting == PLAIN else log
            needed = [f"--env={item}" for item in report.needed(finding)]
            words = ["pdcheck", "replay", *options, *needed, str(file)]
            finding = replace(
                finding, scenario=str(scenario), replay=f"{shlex.join(words)} {report.plan.bot.shown}"
            )
            row.findings[at] = finding
            sharing = written.setdefault(stem, [])
            sharing.append(finding)
            scenario.write_text("".join(_told(sharing)) + dump_scenario(case.scenario), "utf-8")
            log.write_text(transcript, "utf-8")


def shown_case(report: Report, finding: Finding, cases: Mapping[str, Case]) -> tuple[Case, str] | None:
    """The case that shows the finding, about what it says, and its transcript; None when none was kept."""
    shrunk = report.shrunk.get(finding.signature)
    if shrunk is not None:
        case, transcript = shrunk
    elif finding.case in cases and finding.case in report.transcripts:
        case = told_by(cases[finding.case], finding, report.plan.pack)
        transcript = report.transcripts[finding.case]
        if case == cases[finding.case]:
            return case, transcript
    else:
        return None
    return case, json.dumps(retold(Transcript.from_json(transcript), case).as_json())


def _stem(case: Case, finding: Finding, cases: Mapping[str, Case]) -> str:
    """A case that was made to be about something else has a file of its own: another finding may show in it, too."""
    name = case.id.replace("/", "-")
    known = cases.get(case.id)
    return name if known is None or known == case else f"{name}-{finding.requirement.lower()}"


def _told(findings: Iterable[Finding]) -> Iterable[str]:
    """The findings as comments."""
    for finding in findings:
        yield f"# {visible(f'{finding.requirement} {finding.level} {finding.message}')}\n"
        for name, text in (
            ("sent", finding.sent),
            ("expected", finding.expected),
            ("received", finding.actual),
            ("shrunk", finding.shrunk),
            ("again", finding.replay),
        ):
            if text:
                yield f"#   {name}: {visible(text)}\n"
