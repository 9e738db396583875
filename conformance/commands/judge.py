"""`pdcheck judge`: the findings of a transcript, without the bot and the machine that made it.

Law: the same findings as the run that wrote it. What cannot be judged is a usage error in one line: a transcript may
come from anywhere. Every seat that was a candidate's is judged by itself; where nothing was exchanged, nothing is said
of a bot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pdcheck.conformance import kit
from pdcheck.conformance.commands.check import FILES, one_on_stdout, waived_of, write
from pdcheck.conformance.commands.common import log_of, pack_of, seat_of, sights_of, tell, writable
from pdcheck.conformance.header import Sight
from pdcheck.conformance.judge import judge
from pdcheck.conformance.reconcile import reconcile
from pdcheck.conformance.report import Report, compile_report
from pdcheck.conformance.transcript import Exit, Line, Note, Ruled, Sent, Transcript
from pdcheck.conformance.usage import UsageError
from pdcheck.conformance.views import show_match
from pdcheck.scenarios.document import visible
from pdcheck.scenarios.pack import GamePack

Options = Mapping[str, Any]
WORST_FIRST = (1, 3, 4, 0)
"""Exit statuses: of several seats the first of these that one has counts."""


def run_judge(file: str, options: Options) -> int:
    """Judge it; the exit status, as of `check`."""
    files = [option for option in ("--json", "--html") if writable(option, options[FILES[option]])]
    one_on_stdout(options)
    log = log_of(file)
    pack = pack_of(log.header["game"], file)
    sights = seat_of(sights_of(log, pack, file), options["seat"], file)
    if files and len(sights) > 1:
        names = ", ".join(f"{sight.stage.seat} ({sight.name})" for sight in sights)
        raise UsageError(
            f"{file}: {files[0]} holds one report, and {len(sights)} bots played; choose with --seat: {names}"
        )
    seen = [sight for sight in sights if exchanged(log, sight, pack)]
    if not seen:
        raise UsageError(_nothing(sights[0], file))
    for sight in sights:
        if sight not in seen:
            tell(f"note: {visible(_nothing(sight, file))}")
    reports = [judged(log, sight, pack, file, options) for sight in seen]
    for sight, report in zip(seen, reports, strict=True):
        if files and (unseen := show_match(report, log, sight.stage.seat)):
            tell(unseen)
        write(report, options)
    statuses = {report.exit_status for report in reports}
    return next(status for status in WORST_FIRST if status in statuses)


def exchanged(log: Transcript, sight: Sight, pack: GamePack) -> bool:
    """Whether something in the transcript says something of the bot: what it was put out for, a line of it after a
    message, or, where its input ends before it has to answer, its end."""
    events = log.of(sight.stage.seat)
    if any(isinstance(event, Ruled) and event.ruling.violation for event in events):
        return True
    gone = any(isinstance(e, Exit) or (isinstance(e, Note) and e.what == "stays") for e in events)
    if gone and sight.case.scenario.ending != "quit":
        return True
    asked = any(isinstance(event, Sent) and pack.answers.message(event.data) for event in events)
    return asked and any(isinstance(event, Line) for event in events)


def _nothing(sight: Sight, file: str) -> str:
    return f"{file}: events: expected messages to seat {sight.stage.seat} ({sight.name}) and what it answered, got none"


def judged(log: Transcript, sight: Sight, pack: GamePack, file: str, options: Options) -> Report:
    """The report on one seat. Raises UsageError when its events do not fit together."""
    plan = kit.Plan(
        pack=pack,
        bot=sight.bot,
        cases=[sight.case],
        rules=log.header["rules"],
        profile="",
        strict=options["strict"],
        waived=waived_of(options["waive"], pack.catalogue()),
    )
    try:
        result = judge(sight.case, log, sight.stage, pack)
        return compile_report(plan, [result], reconcile([result], pack), {}, result.seconds)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        # Judging is a pure function of what is in the file: no bot and no machine can be the reason.
        raise UsageError(
            f"{file}: its events do not fit together ({type(error).__name__}: {error})"
        ) from None
