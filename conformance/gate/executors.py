"""Who judges what a watcher takes: child processes of this machine, or a Dask cluster's.

Law: either way the function runs in a child process of its own, so that a bot never shares a process with a scheduler
or a worker, and gets and returns plain JSON. On a cluster the inbox must lie where every worker sees it under the same
path. A judging that was handed to a cluster and is no longer wanted may run to its end there; its result is dropped.

A bot must not reach the scheduler: whoever does can run anything on every worker. Inside the gate's walls there is no
network at all. Where a wall may be missing, let the scheduler listen on a private address (`--host`), close its ports
for the users as whom bots run, and give it and its workers certificates (`distributed.comm.require-encryption`).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import importlib
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
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


class Away(Exception):
    """Nothing was judged: the cluster could not be reached, or lost what it was given."""


Judge = Callable[[Path, str], Result]
"""`judge(path, name)`: judge what lies there and was dropped under this name. Raises Stopped when it was
ended, Away when it could not be tried."""
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
        cluster = Cluster(executor)
        try:
            yield lambda function, arguments, limit: _spread(cluster, stop, function, arguments, limit)
        finally:
            cluster.close()
    else:
        raise UsageError(f"--executor {executor}: expected {LOCAL} or {DASK}HOST:PORT")


def _spread(
    cluster: Cluster, stop: threading.Event, function: str, arguments: Mapping[str, Any], limit: float
) -> Any:
    pool = cluster.pool()
    try:
        done, value = _waited(pool.submit(remote, function, dict(arguments), limit), stop)
    except Stopped:
        raise
    except (OSError, CancelledError, asyncio.CancelledError) as error:
        cluster.lost(pool)
        if stop.is_set():
            raise Stopped from None
        raise Away(f"the cluster: {type(error).__name__}: {error}") from error
    except Exception as error:  # as when a submission has ended several workers
        raise Died(f"the cluster: {type(error).__name__}: {error}") from error
    if not done:
        raise Died(str(value))
    return value


def _waited(future: Future[tuple[bool, Any]], stop: threading.Event) -> tuple[bool, Any]:
    while not concurrent.futures.wait([future], children.LOOK).done:
        if stop.is_set():
            future.cancel()
            raise Stopped
    return future.result()


def remote(function: str, arguments: Mapping[str, Any], limit: float) -> tuple[bool, Any]:
    """On a worker of a cluster: whether there was a result, and the result or why not."""
    try:
        return True, children.call(function, arguments, limit)
    except (Died, OSError) as error:
        return False, str(error)


class Cluster:
    """A Dask cluster, which may be away for a while; several threads use it."""

    def __init__(self, address: str) -> None:
        """Raises UsageError when it is not there now."""
        self._address = address
        try:
            self._distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise UsageError(f"--executor {address}: needs Dask: pip install 'pdcheck[dask]'") from None
        self._lock = threading.Lock()
        self._client: Any = None
        self._pool: Executor | None = None
        try:
            self.pool()
        except Away as error:
            raise UsageError(f"--executor {address}: {error}") from None

    def pool(self) -> Executor:
        """Its executor. Raises Away."""
        with self._lock:
            if self._pool is None:
                address = f"tcp://{self._address.removeprefix(DASK)}"
                try:
                    self._client = self._distributed.Client(address, timeout=REACHED_WITHIN)
                except (OSError, ValueError) as error:
                    raise Away(f"no scheduler answers there ({error})") from None
                # Not pure: the same call is another judging, and never an earlier one's result.
                self._pool = self._client.get_executor(pure=False)
            return self._pool

    def lost(self, pool: Executor) -> None:
        """Connect anew for the next one, if nobody has yet and the connection is gone."""
        with self._lock:
            if self._pool is pool and self._client.status != "running":
                self._close()

    def close(self) -> None:
        """Have nothing more to do with it."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        client, self._client, self._pool = self._client, None, None
        if client is not None:
            with contextlib.suppress(OSError, TimeoutError):
                client.close(timeout=REACHED_WITHIN)
