"""A look at bots that do not answer: real processes, each caught at what it does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance import doing, probes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc as Linux has it is looked at")

READY = "import os, sys, time\nos.write(1, b'!')\n"


@pytest.fixture
def seen(gear: ModuleType) -> Callable[..., dict[str, Any]]:
    """`seen(code, wanted)`: looks at a bot that runs this code, until one has what is wanted; that look."""

    def look(code: str, wanted: Callable[[dict[str, Any]], bool], sent: bytes = b"") -> dict[str, Any]:
        with gear.Pump(gear.python(READY + code)) as pump:
            pump.until(lambda: pump.out, "it runs")
            pump.transport.send(sent)
            found: list[dict[str, Any]] = []

            def once() -> bool:
                found.append(probes.silence(pump.transport))
                return wanted(found[-1])

            gear.until(once, f"a look that shows it (the last one: {found[-1:]})")
            return found[-1]

    return look


def called(name: str, fd: str | None = None) -> Callable[[dict[str, Any]], bool]:
    """Whether any thread is in this call, on that stream."""
    return lambda look: any(t.get("call") == name and t.get("fd") == fd for t in doing.threads(look))


def test_a_reader_is_seen_reading_whatever_the_number_of_its_stdin(
    seen: Callable[..., dict[str, Any]],
) -> None:
    look = seen("os.read(os.dup(0), 1)", called("read", "stdin"))
    assert doing.only_reads(look)
    assert look["unread"] == {"pipe": 0, "kit": 0}
    assert look["language"] == "python"


def test_what_is_not_read_is_counted(seen: Callable[..., dict[str, Any]]) -> None:
    look = seen("time.sleep(60)", called("clock_nanosleep"), sent=b"x" * 100_000)
    assert look["unread"]["pipe"] + look["unread"]["kit"] == 100_000
    assert look["unread"]["kit"] > 0, "a pipe does not hold so much"
    assert look["ran"] < doing.BUSY_SHARE * look["looked"]


def test_a_spinner_is_seen_running(seen: Callable[..., dict[str, Any]]) -> None:
    look = seen("while True: pass", lambda look: look["ran"] > doing.BUSY_SHARE * look["looked"])
    assert look["cpu"] >= 0
    assert not doing.only_reads(look)


def test_a_thread_that_woke_for_a_moment_is_no_spinner(
    seen: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A JVM's housekeeping wakes every 50 ms: a bot that read was told as spinning when the look met it."""
    usual = probes._process

    def waking(*arguments: Any) -> dict[str, Any]:
        told = usual(*arguments)
        return told | {"threads": [thread | {"state": "R"} for thread in told["threads"]]}

    monkeypatch.setattr(probes, "_process", waking)
    seen("os.read(0, 1)", doing.only_reads)


def test_a_lock_a_pipe_and_a_child_are_told_apart(seen: Callable[..., dict[str, Any]]) -> None:
    lock = "import _thread; l = _thread.allocate_lock(); l.acquire(); l.acquire()"
    assert "lock of its own" in doing.locked(list(doing.threads(seen(lock, called("futex")))))
    full = seen("r, w = os.pipe()\nwhile True: os.write(w, b'x' * 4096)", called("write", "pipe"))
    assert doing.locked(list(doing.threads(full))) == "blocked writing to a pipe"
    child = seen(
        "r, w = os.pipe()\nif os.fork(): os.wait()\nelse: os.close(w) or os.read(r, 1)\n",
        lambda look: called("wait4")(look) and called("read", "pipe")(look),
    )
    assert len(child["processes"]) == 2


def test_events_tell_whether_stdin_is_among_them(seen: Callable[..., dict[str, Any]]) -> None:
    look = seen("import select; e = select.epoll(); e.register(0); e.poll()", doing.only_reads)
    (thread,) = doing.threads(look)
    assert thread["watches"] == ["stdin"]


def test_what_cannot_be_looked_at_is_named(
    seen: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = open

    def denied(path: Any, *arguments: Any, **named: Any) -> Any:
        if str(path).endswith("/syscall"):
            raise PermissionError(1, "Operation not permitted")
        return usual(path, *arguments, **named)

    monkeypatch.setattr("builtins.open", denied)
    look = seen("time.sleep(60)", lambda look: bool(look["lacks"]))
    assert look["lacks"]["syscall"] == "Operation not permitted"
    assert all("fd" not in thread for thread in doing.threads(look))


def test_a_bot_that_is_gone_is_no_trouble(gear: ModuleType) -> None:
    with gear.Pump(gear.python("pass")) as pump:
        pump.until(lambda: pump.status is not None, "it has ended")
        look = probes.silence(pump.transport)
        assert list(doing.threads(look)) == []
