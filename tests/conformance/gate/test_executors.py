"""Executors: the same function, judged in a child here or on a cluster, gives the same results."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from fakejudge import CRASHES, HANGS, ODD
from pdcheck.conformance.gate import children, executors
from pdcheck.conformance.gate.children import Stopped
from pdcheck.conformance.gate.executors import LOCAL, Away, judge_by, result_of
from pdcheck.conformance.gate.outcome import TROUBLE, Result
from pdcheck.conformance.gate.pace import Pace
from pdcheck.conformance.gate.watching import watch
from pdcheck.conformance.transports.warden import warden
from pdcheck.conformance.usage import UsageError

SUPPORT = Path(__file__).parents[2] / "support"
JUDGE = "fakejudge:judge"


@pytest.fixture(autouse=True)
def _findable(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    warden()  # of the whole session, so not with this token
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join(filter(None, [str(SUPPORT), os.environ.get("PYTHONPATH")]))
    )
    monkeypatch.setenv("PDCHECK_TEST", token)


@pytest.fixture(scope="module")
def make_cluster() -> Callable[..., Any]:
    """`make_cluster(**more)`: a Dask cluster of two worker processes, a context manager."""
    if importlib.util.find_spec("distributed") is None:
        reason = "needs distributed: pip install 'pdcheck[dask]'"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)

    def make(**more: Any) -> Any:
        with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
            warnings.simplefilter("ignore")
            distributed = importlib.import_module("distributed")
            path = os.pathsep.join(filter(None, [str(SUPPORT), os.environ.get("PYTHONPATH")]))
            patch.setenv("PYTHONPATH", path)
            return distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, **more
            )

    return make


@pytest.fixture(scope="module")
def cluster(make_cluster: Callable[..., Any]) -> Iterator[str]:
    """A cluster's address as the command line has it."""
    with make_cluster() as made:
        yield address_of(made)


def address_of(made: Any) -> str:
    return str(made.scheduler_address).replace("tcp://", "dask://")


def dropped(folder: Path, text: str) -> Path:
    path = folder / "bot.py"
    path.write_text(text)
    return path


def check_results(executor: str, folder: Path) -> None:
    with judge_by(executor, JUDGE, {"log": str(folder / "log")}, threading.Event()) as judge:
        assert judge(dropped(folder, "fine"), "bot.py") == Result(
            0, "about bot.py", {"text": "fine", "name": "bot.py"}
        )
        assert judge(dropped(folder, "status 1"), "bot.py").status == 1
        crashed = judge(dropped(folder, CRASHES), "bot.py")
        assert (crashed.status, "ZeroDivisionError" in crashed.why) == (TROUBLE, True)
        assert judge(dropped(folder, ODD), "bot.py").why == "the judge returned ['bot.py']"
    with judge_by(executor, JUDGE, {"log": str(folder / "log")}, threading.Event(), limit=0.3) as judge:
        assert "longer than 0.3 s" in judge(dropped(folder, HANGS), "bot.py").why


def check_stop(executor: str, folder: Path, gear: ModuleType) -> None:
    stop, ended = threading.Event(), []
    log = folder / "stop.log"
    with judge_by(executor, JUDGE, {"log": str(log)}, stop, limit=30.0) as judge:

        def run() -> None:
            try:
                judge(dropped(folder, HANGS), "bot.py")
            except Stopped:
                ended.append(True)

        thread = threading.Thread(target=run)
        thread.start()
        gear.until(log.exists, "it judges")
        stop.set()
        thread.join()
    assert ended == [True]


def test_local_results(tmp_path: Path) -> None:
    check_results(LOCAL, tmp_path)


def test_local_stop(tmp_path: Path, gear: ModuleType) -> None:
    check_stop(LOCAL, tmp_path, gear)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_results_of_a_cluster(cluster: str, tmp_path: Path, gear: ModuleType) -> None:
    check_results(cluster, tmp_path)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_a_watcher_spreads_over_a_cluster(cluster: str, tmp_path: Path) -> None:
    inbox, outbox, stop = tmp_path / "in", tmp_path / "out", threading.Event()
    inbox.mkdir()
    outbox.mkdir()
    for number in range(8):
        (inbox / f"{number}.py").write_text("the same text")
    pace = Pace(interval=0.05, settle=0.0, pause=0.0)
    with judge_by(cluster, JUDGE, {"log": str(tmp_path / "log")}, stop) as judge:
        watch(inbox, outbox, 4, judge, stop, once=True, pace=pace)
    results = [json.loads(path.read_text()) for path in outbox.glob("*.json")]
    assert sorted(result["submission"] for result in results) == [f"{number}.py" for number in range(8)]
    assert {result["verdict"] for result in results} == {"admit"}
    starts = (tmp_path / "log").read_text().splitlines()
    assert len(starts) == 8, "the same call is judged each time: not pure"


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_stopping_does_not_wait_for_a_cluster(cluster: str, tmp_path: Path, gear: ModuleType) -> None:
    check_stop(cluster, tmp_path, gear)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_may_go_and_come_again(
    make_cluster: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "REACHED_WITHIN", 1.0)
    with make_cluster() as first:
        address, port = address_of(first), int(first.scheduler_address.rpartition(":")[2])
        context = contextlib.ExitStack()
        judge = context.enter_context(
            judge_by(address, JUDGE, {"log": str(tmp_path / "log")}, threading.Event())
        )
        path = dropped(tmp_path, "fine")
        assert judge(path, "bot.py").status == 0
    try:
        with pytest.raises(Away):
            judge(path, "bot.py")
        with make_cluster(scheduler_port=port):
            for _ in range(20):
                with contextlib.suppress(Away):
                    assert judge(path, "bot.py").status == 0
                    break
            else:
                pytest.fail("it is never found again")
            context.close()
    finally:
        context.close()


def test_unknown_executors_are_named() -> None:
    for name in ("", "threads", "dask:", "tcp://localhost:1"):
        with (
            pytest.raises(UsageError, match="expected local or dask"),
            judge_by(name, JUDGE, {}, threading.Event()),
        ):
            pass


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> ModuleType:
        raise ImportError(name)

    monkeypatch.setattr(executors.importlib, "import_module", missing)  # type: ignore[attr-defined]
    with (
        pytest.raises(UsageError, match=r"pip install 'pdcheck\[dask\]'"),
        judge_by("dask://localhost:1", JUDGE, {}, threading.Event()),
    ):
        pass


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_out_of_reach_is_a_usage_error(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "REACHED_WITHIN", 0.5)
    with (
        pytest.raises(UsageError, match="no scheduler answers"),
        judge_by("dask://127.0.0.1:1", JUDGE, {}, threading.Event()),
    ):
        pass


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"status": "0"},
        {"status": True},
        {"status": 0, "feedback": 1},
        {"status": 0, "report": []},
    ],
)
def test_what_is_no_result_is_trouble(value: object) -> None:
    assert result_of(value).status == TROUBLE
    assert len(result_of({"status": "x" * 10_000}).why) < 300


def test_options_that_are_no_json_are_the_callers_mistake() -> None:
    with pytest.raises(TypeError):
        children.call(JUDGE, {"path": Path("x")}, 1.0)
