"""The report for people, on a terminal or piped.

Law: one row a requirement that is not simply met, then each finding with what was sent, expected and received,
quoted; the verdict comes last, where a terminal shows it. Colour only on a terminal; piped, the text is plain.
What is not the kit's own (a transcript may come from anywhere) never controls the terminal: see `_plain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from pdcheck.conformance.calibration import statement
from pdcheck.conformance.findings import Finding
from pdcheck.conformance.report import Report, Row
from pdcheck.scenarios.document import visible
from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from pdcheck.conformance.baseline import Comparison
    from pdcheck.conformance.repeats.telling import Account

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
    "inconclusive": ("magenta", "inconclusive"),
    "error": ("magenta", "the kit itself failed: please report this; it says nothing about the bot"),
}
SHOWN = ("fail", "warn", "info", "inconclusive", "waived")
WIDTH = 100
OF_LINES = ("cause", "fix")
"""Fields of a finding that the kit writes in several lines."""


def write(
    report: Report, stream: TextIO, *, quiet: bool = False, verbose: bool = False, color: bool = True
) -> None:
    """Write the report. `quiet`: the verdict, and what the kit failed at; `verbose`: every requirement."""
    write_to(report, _console(stream, color), quiet=quiet, verbose=verbose)


def write_to(report: Report, console: Console, *, quiet: bool = False, verbose: bool = False) -> None:
    """The same, on a console of one's own."""
    if not quiet:
        _write_rows(report, console, verbose)
        _write_findings(report, console)
    _write_troubles(report, console)
    if report.bug_report:
        console.print(f"[magenta]{_plain(report.bug_report)}[/]")
    if report.repeats:
        _write_repeats(report.repeats, console, quiet=quiet, verbose=verbose)
    if report.baseline:
        _write_baseline(report.baseline, console, quiet)
    _write_verdict(report, console, quiet)


def _write_troubles(report: Report, console: Console) -> None:
    """The kit's own failures; one that came in many cases is told once."""
    cases: dict[str, list[str]] = {}
    for case, traceback in report.troubles:
        cases.setdefault(traceback, []).append(case)
    for traceback, all_of in cases.items():
        more = f" and {len(all_of) - 1} more" if len(all_of) > 1 else ""
        console.print(
            f"[magenta]the kit failed in {_plain(all_of[0])}{more}[/]\n{_plain(traceback, lines=True)}"
        )


def _plain(text: str, *, lines: bool = False) -> str:
    """The text as it may be printed: every control character (C0, DEL, C1, those that turn the direction of writing)
    escaped, on one line unless the kit made the `lines`, and without markup."""
    return escape("\n".join(map(visible, text.split("\n"))) if lines else visible(text))


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """rich would exit with 1 here, which means a bot that does not conform."""
        raise BrokenPipeError


def _console(stream: TextIO, color: bool) -> Console:
    terminal = stream.isatty()
    return _Console(
        file=stream,
        highlight=False,
        soft_wrap=not terminal,
        no_color=not color,
        width=None if terminal else WIDTH,
        force_terminal=None if color else False,
    )


def _write_rows(report: Report, console: Console, verbose: bool) -> None:
    rows = report.rows if verbose else _gravest_first(report)
    for row in rows:
        title = f"{row.requirement.title} ({row.reason})" if row.reason else row.requirement.title
        status = f"[{STYLES[row.status]}]{row.status:12}[/]"
        cases = str(row.cases) if row.cases else ""
        head = f"{row.requirement.id:8} {row.requirement.level:6} {status} {cases:>5}"
        console.print(f"{head}  {_plain(title)}")


def _gravest_first(report: Report) -> list[Row]:
    """The rows that are not simply met: what keeps the bot from conforming comes first."""
    shown = [row for row in report.rows if row.status in SHOWN]
    return sorted(shown, key=lambda row: SHOWN.index(row.status))


def _write_findings(report: Report, console: Console) -> None:
    for row in _gravest_first(report):
        for finding in row.findings:
            console.print()
            _write_finding(row, finding, console)


def _write_finding(row: Row, finding: Finding, console: Console) -> None:
    style = STYLES["waived" if row.status == "waived" else _status(finding)]
    times = f"  ×{finding.times}" if finding.times > 1 else ""
    times += f"  flaky: {finding.failed} of {finding.runs} runs" if finding.runs else ""
    console.print(f"[{style}]{row.requirement.id}[/] {finding.level} {_plain(finding.message)}{times}")
    fields: Sequence[tuple[str, str | None]] = (
        ("sent", finding.sent),
        ("expected", finding.expected),
        ("received", finding.actual),
        ("cause", finding.cause),
        ("fix", finding.fix),
        ("case", finding.case),
        ("shrunk", finding.shrunk),
        ("again", finding.replay),
    )
    for name, text in fields:
        if text:
            shown = _plain(text, lines=name in OF_LINES).replace("\n", "\n            ")
            console.print(f"  [dim]{name:>8}[/]  {shown}")


def _write_repeats(account: Account, console: Console, *, quiet: bool, verbose: bool) -> None:
    """What came of playing matches again: a line, and where something differs (or all is wanted) a table."""
    if quiet or not account.matches:
        return
    console.print(f"\nrepeated: {_plain(account.headline)}")
    console.print(f"  [dim]changed: {_plain(account.varied)}[/]")
    for words, why in account.left_out:
        console.print(f"  [dim]not tried: {_plain(words)} ({_plain(why)})[/]")
    if not account.differing and not verbose:
        return
    table = account.table()
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for at, row in enumerate(table):
        line = "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        console.print(f"  [dim]{_plain(line)}[/]" if not at else f"  {_plain(line)}")


def _write_baseline(compared: Comparison, console: Console, quiet: bool) -> None:
    """How the run compares with a baseline: what is new, gone and not tried, each in a line."""
    baseline = compared.baseline
    rows = [
        *(("fail", "new", f"{known.shown}: it is not in {baseline.file}") for known in compared.new),
        *(("fail", "gone", f"{known.shown}: remove {baseline.place(known)}") for known in compared.gone),
        *(("dim", "untried", f"{known.shown}: {why}") for known, why in compared.untried if not quiet),
    ]
    counts = {
        "known": compared.known,
        "new": compared.new,
        "gone": compared.gone,
        "untried": compared.untried,
    }
    tally = ", ".join(f"{len(part)} {word}" for word, part in counts.items())
    console.print(f"\nbaseline {_plain(baseline.file)}: {tally}")
    for style, word, text in rows:
        console.print(f"  [{STYLES.get(style, style)}]{word:>8}[/]  {_plain(text)}")


def _status(finding: Finding) -> str:
    return {"MUST": "fail", "SHOULD": "warn"}.get(str(finding.level), "info")


def _write_verdict(report: Report, console: Console, quiet: bool) -> None:
    style, words = VERDICTS[report.verdict]
    if report.verdict == "inconclusive":
        words = f"{words}: {report.doubt}"
    counts = {status: sum(row.status == status for row in report.rows) for status in STYLES}
    tally = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    bot = _plain(report.plan.bot.shown)
    interrupted = ", interrupted" if report.interrupted and report.verdict != "inconclusive" else ""
    if not quiet:
        console.print()
    console.print(f"[{style}]{bot} {words}[/]{interrupted}: {tally}")
    if quiet:
        return
    about = _plain(f"{report.plan.pack.title}, rules {report.plan.rules}, {_drawn(report)}")
    console.print(
        f"{about}: {report.cases} case{'s' * (report.cases != 1)} in {report.elapsed:.1f} s{_turns(report)}"
    )
    if report.plan.pack.reference and report.plan.profile:
        console.print(_plain(statement(report.plan.pack.reference, report.plan.cpu_factor)))


def _drawn(report: Report) -> str:
    plan = report.plan
    return f"profile {plan.profile}, seed {plan.seed}" if plan.profile else "a transcript"


def _turns(report: Report) -> str:
    timing = report.timing
    if not timing.get("turns"):
        return ""
    return (
        f"; answers: p50 {timing['wall_p50_ms']:.1f} ms, p99 {timing['wall_p99_ms']:.1f} ms, "
        f"{timing['wall_total_s']:.1f} s by the clock and {timing['cpu_total_s']:.1f} s of CPU in all, "
        f"at most {timing['budget_used_share']:.1%} of the budget of a match used"
    )
