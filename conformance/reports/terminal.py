"""The report for people, on a terminal or piped.

Law: the first line says what the matter is. One row a requirement, findings below with what was sent, expected and
received, quoted. Colour only where the stream is a terminal; piped, the text is plain and the same each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from pdcheck.conformance.findings import Finding
from pdcheck.conformance.report import Report, Row
from rich.console import Console
from rich.markup import escape
from rich.table import Table

STYLES = {
    "pass": "green",
    "fail": "bold red",
    "warn": "yellow",
    "info": "cyan",
    "inconclusive": "magenta",
    "waived": "blue",
    "not-run": "dim",
}
VERDICTS = {
    "conforms": ("green", "conforms"),
    "fails": ("bold red", "does not conform"),
    "inconclusive": ("magenta", "inconclusive: run it again on a calmer machine"),
    "error": ("magenta", "the kit itself failed: please report this; it says nothing about the bot"),
}
SHOWN = ("fail", "warn", "info", "inconclusive", "waived")
WIDTH = 100


def write(
    report: Report, stream: TextIO, *, quiet: bool = False, verbose: bool = False, color: bool = True
) -> None:
    """Write the report. `quiet`: the verdict line and failures' first lines only; `verbose`: every requirement."""
    console = _console(stream, color)
    if not quiet:
        _write_rows(report, console, verbose)
        _write_findings(report, console)
    for case, traceback in report.troubles:
        console.print(f"[magenta]the kit failed in {escape(case)}[/]\n{escape(traceback)}")
    _write_verdict(report, console)


def _console(stream: TextIO, color: bool) -> Console:
    terminal = stream.isatty()
    return Console(
        file=stream,
        highlight=False,
        soft_wrap=not terminal,
        no_color=not color,
        width=None if terminal else WIDTH,
        force_terminal=None if color else False,
    )


def _write_rows(report: Report, console: Console, verbose: bool) -> None:
    rows = [row for row in report.rows if verbose or row.status in SHOWN]
    if not rows:
        return
    table = Table(box=None, pad_edge=False, show_edge=False)
    for name, justify in (("requirement", "left"), ("level", "left"), ("status", "left"), ("cases", "right")):
        table.add_column(name, justify="right" if justify == "right" else "left", no_wrap=True)
    table.add_column("", overflow="fold")
    for row in rows:
        style = STYLES[row.status]
        table.add_row(
            row.requirement.id,
            str(row.requirement.level),
            f"[{style}]{row.status}[/]",
            str(row.cases) if row.cases else "",
            escape(row.requirement.title if not row.reason else f"{row.requirement.title} ({row.reason})"),
        )
    console.print(table)


def _write_findings(report: Report, console: Console) -> None:
    for row in report.rows:
        for finding in row.findings:
            console.print()
            _write_finding(row, finding, console)


def _write_finding(row: Row, finding: Finding, console: Console) -> None:
    style = STYLES["waived" if row.status == "waived" else _status(finding)]
    times = f"  ×{finding.times}" if finding.times > 1 else ""
    console.print(f"[{style}]{row.requirement.id}[/] {finding.level} {escape(finding.message)}{times}")
    fields: Sequence[tuple[str, str | None]] = (
        ("sent", finding.sent),
        ("expected", finding.expected),
        ("received", finding.actual),
        ("cause", finding.cause),
        ("fix", finding.fix),
        ("case", finding.case),
        ("again", finding.replay),
    )
    for name, text in fields:
        if text:
            indented = text.replace("\n", "\n            ")
            console.print(f"  [dim]{name:>8}[/]  {escape(indented)}")


def _status(finding: Finding) -> str:
    return {"MUST": "fail", "SHOULD": "warn"}.get(str(finding.level), "info")


def _write_verdict(report: Report, console: Console) -> None:
    style, words = VERDICTS[report.verdict]
    counts = {status: sum(row.status == status for row in report.rows) for status in STYLES}
    tally = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    bot = escape(report.plan.bot.shown)
    interrupted = ", interrupted" if report.interrupted else ""
    console.print()
    console.print(f"[{style}]{bot} {words}[/]{interrupted}: {tally}")
    console.print(
        f"{report.plan.pack.title}, rules {report.plan.rules}, profile {report.plan.profile}, seed "
        f"{report.plan.seed}: {report.cases} cases in {report.elapsed:.1f} s{_turns(report)}"
    )


def _turns(report: Report) -> str:
    timing = report.timing
    if not timing.get("turns"):
        return ""
    return (
        f"; answers: p50 {timing['wall_p50_ms']:.1f} ms, p99 {timing['wall_p99_ms']:.1f} ms, "
        f"at most {timing['budget_used_share']:.1%} of the budget of a match used"
    )
