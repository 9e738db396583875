"""What a bot does to the process that runs it (IO-16).

Law: pure. A worker that was stopped or killed twice in a row in the same case was so by the bot, and so were its
helpers and its limits; where the machine was out of memory meanwhile, that is not certain, and it is the case's
trouble.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence

from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.workers import Harm
from pdcheck.scenarios.pack import GamePack

REQUIREMENT = "IO-16"
RAN_IT = "the process that ran the bot"


def result_of(case: Case, pack: GamePack, harms: Sequence[Harm], result: CaseResult | None) -> CaseResult:
    """The result of a case in which the worker came to harm each time."""
    told = " and ".join(_words(harm) for harm in harms)
    uncertain = any(harm.memory or not (harm.signal or harm.limit) for harm in harms)
    if uncertain or REQUIREMENT not in pack.catalogue():
        result = result or CaseResult(case.id)
        result.trouble = f"in two runs of this case, the second time alone: {told}"
        return result
    # What the kit failed in by what was done to it is the bot's, and what was judged in such a run is nothing.
    if result is None or result.trouble:
        result = CaseResult(case.id)
    known = pack.catalogue()[REQUIREMENT]
    actual = f"in two runs of this case one after the other: {told}"
    result.findings.append(
        Finding(
            requirement=known.id,
            level=known.level,
            message=f"{known.title}: {actual}",
            expected="the bot leaves alone what is not its own process",
            actual=actual,
            fix=known.fix,
            case=case.id,
            breakdown="harms the process that runs it",
        )
    )
    return result


def _words(harm: Harm) -> str:
    if harm.limit:
        return f"{RAN_IT} was given a lower limit ({harm.limit})"
    whom = harm.helper or RAN_IT
    if not harm.signal:
        return f"{whom} ended by itself"
    verb = "was stopped" if harm.signal == signal.SIGSTOP else "was killed"
    return f"{whom} {verb} ({signal.Signals(harm.signal).name})"
