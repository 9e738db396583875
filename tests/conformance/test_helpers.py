"""A kit's helpers: what befalls them is noticed, and whose number another process has now is left alone."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from pdcheck.conformance import helpers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="helpers are seen to on Linux only")


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process to be harmed."""
    with subprocess.Popen(["/bin/sleep", "1000"]) as process:
        yield process
        process.kill()


def _send(process: subprocess.Popen[bytes], number: int, state: int) -> None:
    os.kill(process.pid, number)
    os.waitid(os.P_PID, process.pid, state | os.WNOWAIT)


def test_a_stop_is_told_once_and_an_end_for_ever(sleeper: subprocess.Popen[bytes]) -> None:
    assert helpers.blow(sleeper) == 0
    _send(sleeper, signal.SIGSTOP, os.WSTOPPED)
    _send(sleeper, signal.SIGCONT, os.WCONTINUED)
    assert [helpers.blow(sleeper), helpers.blow(sleeper)] == [signal.SIGSTOP, 0]
    _send(sleeper, signal.SIGKILL, os.WEXITED)
    assert [helpers.blow(sleeper), helpers.blow(sleeper)] == [signal.SIGKILL] * 2


def test_what_has_ended_by_itself_was_not_harmed() -> None:
    with subprocess.Popen(["/bin/false"]) as process:
        process.wait()
        assert helpers.blow(process) == 0


def test_what_does_not_end_is_killed(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helpers, "ENDS_WITHIN", 0.1)
    helpers.end(sleeper)
    assert sleeper.returncode == -signal.SIGKILL


@pytest.mark.parametrize("shift", [0, 1])
def test_who_has_a_helpers_number_now_is_left_alone(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch, shift: int
) -> None:
    monkeypatch.setattr(helpers, "ENDS_WITHIN", 0.1)
    table = helpers.new_table()
    helpers._ENTRY.pack_into(table, 0, sleeper.pid, helpers.look(sleeper.pid)[1] + shift)
    helpers.end_entered([table])
    if shift:
        assert sleeper.poll() is None
    else:
        assert sleeper.wait() == -signal.SIGKILL


def test_a_lower_limit_is_seen_and_raised_again() -> None:
    before = helpers.limits()
    assert helpers.lowered(before) == ""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (8, hard))
    assert helpers.lowered(before) in ("RLIMIT_NOFILE", "RLIMIT_OFILE")
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)
    assert helpers.lowered(before) == ""


def test_a_higher_limit_is_nobodys_harm() -> None:
    before = dict(helpers.limits())
    before["RLIMIT_NOFILE"] = (8, 8)
    assert helpers.lowered(before) == ""
