"""Children: a result or how they ended, and none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from fakejudge import CRASHES, DIES, HANGS
from pdcheck.conformance.gate import children
from pdcheck.conformance.gate.children import Died, Stopped, call
from pdcheck.conformance.transports.warden import warden

SUPPORT = Path(__file__).parents[2] / "support"
LONG = 600.0


@pytest.fixture(autouse=True)
def _findable(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Children find the fake judge, and whatever they start is found by the token."""
    warden()  # of the whole session, so not with this token
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join(filter(None, [str(SUPPORT), os.environ.get("PYTHONPATH")]))
    )
    monkeypatch.setenv("PDCHECK_TEST", token)


@pytest.fixture
def submission(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """Arguments for the fake judge."""

    def made(text: str) -> dict[str, str]:
        (tmp_path / "bot.py").write_text(text)
        return {"path": str(tmp_path / "bot.py"), "name": "bot.py", "log": str(tmp_path / "log")}

    return made


def test_what_a_function_returns_comes_back(submission: Callable[[str], dict[str, str]]) -> None:
    value = call("fakejudge:judge", submission("é ✓"), LONG)
    assert value == {"status": 0, "feedback": "about bot.py", "report": {"text": "é ✓", "name": "bot.py"}}


@pytest.mark.parametrize(
    ("function", "text", "told"),
    [
        ("fakejudge:judge", DIES, "killed by SIGKILL"),
        ("fakejudge:judge", CRASHES, "ZeroDivisionError: bot.py"),
        ("fakejudge:nothing", "x", "no attribute 'nothing'"),
        ("nothing:judge", "x", "No module named 'nothing'"),
        ("fakejudge", "x", "is not MODULE:FUNCTION"),
        ("fakejudge:content", "x", "unexpected keyword argument"),
    ],
)
def test_how_a_child_ended_is_told(
    submission: Callable[[str], dict[str, str]], function: str, text: str, told: str
) -> None:
    with pytest.raises(Died) as caught:
        call(function, submission(text), LONG)
    assert told in str(caught.value)
    assert len(str(caught.value)) < children.LONGEST_TOLD + 100


def test_one_that_takes_too_long_is_ended(submission: Callable[[str], dict[str, str]]) -> None:
    with pytest.raises(Died, match=r"longer than 0\.2 s"):
        call("fakejudge:judge", submission(HANGS), 0.2)


def test_one_that_is_no_longer_wanted_is_ended(
    submission: Callable[[str], dict[str, str]], tmp_path: Path, gear: ModuleType
) -> None:
    arguments, wanted = submission(HANGS), threading.Event()
    wanted.set()
    ended: list[BaseException] = []

    def run() -> None:
        try:
            call("fakejudge:judge", arguments, LONG, wanted.is_set)
        except Stopped as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    gear.until((tmp_path / "log").exists, "it judges")
    wanted.clear()
    thread.join()
    assert len(ended) == 1


STUBBORN = """
import signal, sys, time
def judge(path, name, log):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open(log, "w").close()
    time.sleep(3600)
def orderly(path, name, log):
    try:
        time.sleep(3600) if not open(log, "w").close() else None
    finally:
        open(log, "w").write("in order")
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions above, for children."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "stubborn.py").write_text(STUBBORN)
    path = os.pathsep.join([str(tmp_path / "modules"), os.environ["PYTHONPATH"]])
    monkeypatch.setenv("PYTHONPATH", path)


@pytest.mark.usefixtures("module")
def test_one_that_does_not_end_in_order_is_killed(
    submission: Callable[[str], dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "ENDS_WITHIN", 0.2)
    with pytest.raises(Stopped):
        call("stubborn:judge", submission("x"), LONG, lambda: not (tmp_path / "log").exists())


@pytest.mark.usefixtures("module")
def test_one_that_is_ended_has_time_to_tidy_up(
    submission: Callable[[str], dict[str, str]], tmp_path: Path
) -> None:
    with pytest.raises(Stopped):
        call("stubborn:orderly", submission("x"), LONG, lambda: not (tmp_path / "log").exists())
    assert (tmp_path / "log").read_text() == "in order"


def test_what_lies_where_it_is_started_is_not_imported(
    submission: Callable[[str], dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "importlib", "fakejudge", "pdcheck"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(77)")
    monkeypatch.chdir(tmp_path)
    assert call("fakejudge:judge", submission("fine"), LONG)["status"] == 0


STARTER = """
import sys
from pdcheck.conformance.gate.children import call
call("fakejudge:judge", {"path": sys.argv[1], "name": "bot.py", "log": sys.argv[2]}, 600.0)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_child_goes_with_its_starter(
    submission: Callable[[str], dict[str, str]], token: str, gear: ModuleType, number: int
) -> None:
    arguments = submission(HANGS)
    with subprocess.Popen(
        [sys.executable, "-P", "-c", STARTER, arguments["path"], arguments["log"]]
    ) as starter:
        gear.until(Path(arguments["log"]).exists, "it judges")
        assert len(gear.bearers(token)) >= 2
        starter.send_signal(number)
    gear.until(lambda: not gear.bearers(token), "the child is gone")


def test_a_child_whose_starter_never_said_what_to_do_does_nothing() -> None:
    command = [sys.executable, "-P", "-m", "pdcheck.conformance.gate.child", "1"]
    for said in (b"", b'{"function": "fakejudge:judge", "argu'):
        ended = subprocess.run(command, input=said, capture_output=True, check=True)
        assert (ended.stdout, ended.stderr) == (b"", b"")
