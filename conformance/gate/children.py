"""Calls a function in a process of its own, which is gone when it is done, when it is no longer wanted, and when this
process is killed.

Law: the child is started by exec, so it has none of this process's locks, and in a folder that decides nothing about
what it imports. Its arguments and what it returns are plain JSON. The warden knows of it before it knows what to do.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, Any

from pdcheck.conformance.transports.warden import warden

LOOK = 0.1
"""Seconds between two looks at whether it is still wanted."""
ENDS_WITHIN = 10.0
"""Seconds a child has to end in order when it is told to; past that it is killed."""
LONGEST_TOLD = 2000
"""Characters of what a child that failed has said last."""
_MODULE = "pdcheck.conformance.gate.child"
_warden_lock = threading.Lock()
"""The warden is one thread's; here several have children."""


class Died(Exception):
    """The child gave no result; the message says how it ended."""


class Stopped(Exception):
    """The child was ended because it is no longer wanted."""


def _wanted() -> bool:
    return True


def call(
    function: str, arguments: Mapping[str, Any], limit: float, wanted: Callable[[], bool] = _wanted
) -> Any:
    """What `function` (MODULE:FUNCTION) returns for these arguments, which it gets by name. Raises Died when it
    raises, is killed, or takes longer than `limit` seconds; Stopped when `wanted` says so no more; ValueError,
    TypeError for arguments that are no JSON; OSError when no process can be started."""
    told = json.dumps({"function": function, "arguments": dict(arguments)}, allow_nan=False) + "\n"
    with tempfile.TemporaryFile() as result, tempfile.TemporaryFile() as said:
        process = _started(result, said)
        try:
            with contextlib.suppress(BrokenPipeError):
                assert process.stdin is not None
                with process.stdin:
                    process.stdin.write(told.encode())
            _wait(process, limit, wanted)
        finally:
            _bury(process)
        if process.returncode != 0:
            raise Died(f"{_ending(process.returncode)}{_last(said)}")
        result.seek(0)
        try:
            return json.loads(result.read())
        except ValueError:
            raise Died(f"what it wrote is no JSON{_last(said)}") from None


def _started(result: IO[bytes], said: IO[bytes]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        # -P: the folder it is started in may hold what somebody uploaded under a module's name.
        [sys.executable, "-P", "-m", _MODULE, str(result.fileno())],
        stdin=subprocess.PIPE,
        stdout=said,
        stderr=said,
        pass_fds=[result.fileno()],
        start_new_session=True,
    )
    try:
        with _warden_lock:
            warden().began(process.pid)
    except BaseException:
        process.kill()
        process.wait()
        raise
    return process


def _wait(process: subprocess.Popen[bytes], limit: float, wanted: Callable[[], bool]) -> None:
    until = time.monotonic() + limit
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LOOK)
            return
        if not wanted():
            _end(process)
            raise Stopped
        if time.monotonic() > until:
            _end(process)
            raise Died(f"it took longer than {limit:g} s")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(ENDS_WITHIN)


def _bury(process: subprocess.Popen[bytes]) -> None:
    """End what is left of its group. Reaps it."""
    if process.poll() is None:
        # While it is not reaped its number is nobody else's.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with _warden_lock:
        warden().ended(process.pid)


def _ending(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"


def _last(said: IO[bytes]) -> str:
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - LONGEST_TOLD))
    text = said.read().decode("utf-8", "replace").strip()
    return f": {text}" if text else ""
