"""What a bot does to the process that runs it (IO-16).

Law: pure. A worker that was stopped or killed twice in a row in the same case was so by the bot; where the machine
was out of memory meanwhile, that is not certain, and it is the case's trouble.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence

from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.workers import Harm
from pdcheck.scenarios.pack import GamePack

REQUIREMENT = "IO-16"


def result_of(case: Case, pack: GamePack, harms: Sequence[Harm], result: CaseResult | None) -> CaseResult:
    """The result of a case in which the worker came to harm each time."""
    result = result or CaseResult(case.id)
    told = " and ".join(_words(harm) for harm in harms)
    if any(harm.memory or not harm.signal for harm in harms) or REQUIREMENT not in pack.catalogue():
        result.trouble = f"the process of the kit that ran the bot {told}, the second time alone"
        return result
    known = pack.catalogue()[REQUIREMENT]
    actual = f"the process that ran the bot {told}, in two runs of this case one after the other"
    result.findings.append(
        Finding(
            requirement=known.id,
            level=known.level,
            message=f"{known.title}: {actual}",
            expected="the bot sends no signal to a process that is not its own",
            actual=actual,
            fix=known.fix,
            case=case.id,
            breakdown="harms the process that runs it",
        )
    )
    return result


def _words(harm: Harm) -> str:
    if not harm.signal:
        return "ended by itself"
    verb = "was stopped" if harm.signal == signal.SIGSTOP else "was killed"
    return f"{verb} ({signal.Signals(harm.signal).name})"
