"""Who judges what a watcher takes: child processes of this machine, or a Dask cluster's.

Law: either way the function runs in a child process of its own, so that a bot never shares a process with a scheduler
or a worker, and gets and returns plain JSON. On a cluster the inbox must lie where every worker sees it under the same
path. A judging that was handed to a cluster and is no longer wanted may run to its end there; its result is dropped.

A bot must not reach the scheduler: whoever does can run anything on every worker. Inside the gate's walls there is no
network at all. Where a wall may be missing, let the scheduler listen on a private address (`--host`), close its ports
for the users as whom bots run, and give it and its workers certificates (`distributed.comm.require-encryption`).
"""

from __future__ import annotations

import concurrent.futures
import importlib
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pdcheck.conformance.gate import children
from pdcheck.conformance.gate.children import Died, Stopped
from pdcheck.conformance.gate.outcome import TROUBLE, Result
from pdcheck.conformance.usage import UsageError

LOCAL = "local"
DASK = "dask://"
LIMIT = 3600.0
"""Seconds that a judging may take, so that no child that hangs keeps its submission for ever."""
REACHED_WITHIN = 10.0
"""Seconds in which a scheduler has to answer."""

Judge = Callable[[Path, str], Result]
"""`judge(path, name)`: judge what lies there and was dropped under this name. Raises Stopped when it was ended."""
Caller = Callable[[str, Mapping[str, Any], float], Any]


@contextmanager
def judge_by(
    executor: str,
    function: str,
    options: Mapping[str, Any],
    stop: threading.Event,
    limit: float = LIMIT,
) -> Iterator[Judge]:
    """A judge by `executor` (`local` or `dask://HOST:PORT`), which calls `function` (MODULE:FUNCTION) with `path`,
    `name` and the options. It returns {"status": exit status, "feedback": text, "report": JSON or null}. When `stop`
    is set, what is being judged ends. Raises UsageError for an unknown executor and for a scheduler out of reach."""
    with _caller(executor, stop) as caller:

        def judge(path: Path, name: str) -> Result:
            arguments = {"path": str(path), "name": name, **options}
            try:
                return result_of(caller(function, arguments, limit))
            except Died as error:
                return Result(TROUBLE, why=str(error))

        yield judge


def result_of(value: Any) -> Result:
    """What a judging function returned; what is not of that form is the gate's own trouble."""
    if isinstance(value, dict):
        status, feedback, report = value.get("status"), value.get("feedback", ""), value.get("report")
        if type(status) is int and isinstance(feedback, str) and (report is None or isinstance(report, dict)):
            return Result(status, feedback, report, str(value.get("why", "")))
    return Result(TROUBLE, why=f"the judge returned {repr(value)[:200]}")


@contextmanager
def _caller(executor: str, stop: threading.Event) -> Iterator[Caller]:
    if executor == LOCAL:
        yield lambda function, arguments, limit: children.call(
            function, arguments, limit, lambda: not stop.is_set()
        )
    elif executor.startswith(DASK):
        with dask_executor(executor) as pool:
            yield lambda function, arguments, limit: _spread(pool, stop, function, arguments, limit)
    else:
        raise UsageError(f"--executor {executor}: expected {LOCAL} or {DASK}HOST:PORT")


def _spread(
    pool: Executor, stop: threading.Event, function: str, arguments: Mapping[str, Any], limit: float
) -> Any:
    try:
        future = pool.submit(remote, function, dict(arguments), limit)
        while True:
            try:
                done, value = future.result(children.LOOK)
                break
            except concurrent.futures.TimeoutError:
                if future.done():  # the judge's own
                    raise
                if stop.is_set():
                    future.cancel()
                    raise Stopped from None
    except Stopped:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        if stop.is_set():
            raise Stopped from None
        raise Died(f"the cluster: {type(error).__name__}: {error}") from error
    if not done:
        raise Died(str(value))
    return value


def remote(function: str, arguments: Mapping[str, Any], limit: float) -> tuple[bool, Any]:
    """On a worker of a cluster: whether there was a result, and the result or why not."""
    try:
        return True, children.call(function, arguments, limit)
    except (Died, OSError) as error:
        return False, str(error)


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """The cluster's executor. Raises UsageError."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise UsageError(f"--executor {address}: needs Dask: pip install 'pdcheck[dask]'") from None
    try:
        client = distributed.Client(f"tcp://{address.removeprefix(DASK)}", timeout=REACHED_WITHIN)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(f"--executor {address}: no scheduler answers there ({error})") from None
    try:
        # Not pure: the same call is another judging, and never an earlier one's result.
        yield client.get_executor(pure=False)
    finally:
        client.close()
