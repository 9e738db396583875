"""IO-16: no signal to a process that is not its own, whether it arrives or a wall keeps it off.

Law: pure. A runtime signals its own threads; a bot's children are judged as processes, not here.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator

from pdcheck.conformance.conduct.sights import Broken, Sights, is_script_work

REQUIREMENT = "IO-16"
EXPECTED = "no signal to any process but its own"
_ALL, _OWN_GROUP = -1, 0


def judge_signals(sights: Sights) -> Iterator[Broken]:
    """The first signal to another process."""
    for call in sights.calls:
        target = call.values.get("target")
        if target is None or not call.values["signal"] or is_script_work(sights, call):
            continue
        if target == _OWN_GROUP or target in sights.pids:
            continue
        yield Broken(REQUIREMENT, EXPECTED, f"{_name(call.values['signal'])} to {_whom(target)} {call.when}")
        return


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _whom(target: int) -> str:
    if target == _ALL:
        return "every process that it may signal"
    return f"process {target}" if target > 0 else f"process group {-target}"
