"""The process in which one submission is judged: `python -P -m pdcheck.conformance.gate.child FILE`.

Law: it does nothing before it has read what to call, whole, from stdin: its starter may be killed before it has told
anybody of this process. What the function returns goes as JSON into the open file whose number is FILE, and that it
is whole is told by exit status 0 alone. SIGTERM ends it in order, with every `finally` on the way.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from types import FrameType
from typing import Any

TERMINATED = 128 + signal.SIGTERM


def named(function: str) -> Any:
    """What a name `package.module:function` means. Raises ImportError, AttributeError, ValueError."""
    module, colon, name = function.partition(":")
    if not (module and colon and name):
        raise ValueError(f"{function!r} is not MODULE:FUNCTION")
    return getattr(importlib.import_module(module), name)


_own = os.getpid()


def _terminated(number: int, frame: FrameType | None) -> None:
    if os.getpid() != _own:  # a process forked from it, which shall end as it would without this handler
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    signal.signal(number, signal.SIG_IGN)  # once is enough: the way out is not to be interrupted
    raise SystemExit(TERMINATED)


def main() -> None:
    """Read, call, write."""
    signal.signal(signal.SIGTERM, _terminated)
    line = sys.stdin.buffer.readline()
    if not line.endswith(b"\n"):
        return
    file = int(sys.argv[1])
    os.set_inheritable(file, False)
    call = json.loads(line)
    value = named(call["function"])(**call["arguments"])
    with open(file, "wb") as stream:
        stream.write(json.dumps(value, allow_nan=False).encode("ascii"))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
