"""`pdcheck judge`: the findings of a transcript, without the bot and the machine that made it.

Law: the same findings as the run that wrote it. What cannot be judged is a usage error in one line: a transcript may
come from anywhere. Every seat that was a candidate's is judged by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pdcheck.conformance import kit
from pdcheck.conformance.commands.check import waived_of, write
from pdcheck.conformance.commands.common import log_of, pack_of, seat_of, sights_of, writable
from pdcheck.conformance.header import Sight
from pdcheck.conformance.judge import judge
from pdcheck.conformance.reconcile import reconcile
from pdcheck.conformance.report import Report, compile_report
from pdcheck.conformance.transcript import Transcript
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import GamePack

Options = Mapping[str, Any]
WORST_FIRST = (1, 3, 4, 0)
"""Exit statuses: of several seats the first of these that one has counts."""


def run_judge(file: str, options: Options) -> int:
    """Judge it; the exit status, as of `check`."""
    json_file = writable("--json", options["json_file"])
    log = log_of(file)
    pack = pack_of(log.header["game"], file)
    sights = seat_of(sights_of(log, pack, file), options["seat"], file)
    if json_file and len(sights) > 1:
        names = ", ".join(f"{sight.stage.seat} ({sight.name})" for sight in sights)
        raise UsageError(
            f"{file}: --json holds one report, and {len(sights)} bots played; choose with --seat: {names}"
        )
    reports = [judged(log, sight, pack, file, options) for sight in sights]
    for report in reports:
        write(report, options)
    statuses = {report.exit_status for report in reports}
    return next(status for status in WORST_FIRST if status in statuses)


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
    if not log.of(sight.stage.seat):
        raise UsageError(f"{file}: nothing happened in it to seat {sight.stage.seat} ({sight.name})")
    try:
        result = judge(sight.case, log, sight.stage, pack)
        return compile_report(plan, [result], reconcile([result], pack), {}, result.seconds)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        # Judging is a pure function of what is in the file: no bot and no machine can be the reason.
        raise UsageError(
            f"{file}: its events do not fit together ({type(error).__name__}: {error})"
        ) from None
