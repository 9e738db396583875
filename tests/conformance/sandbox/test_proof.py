"""The proof: it holds here, and it sees each wall that is missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pdcheck.conformance.commands.sandbox import SandboxOptions, run_sandbox
from pdcheck.conformance.sandbox import bubblewrap, cgroup, host, limits, proof
from pdcheck.conformance.sandbox.filter import DENIED
from pdcheck.conformance.sandbox.properties import PROPERTIES, Attempt, Held, judged, unproven
from pdcheck.conformance.sandbox.walls import Bind, Limits, Walls
from pdcheck.conformance.sandbox.workshop import Workshop


@pytest.fixture
def plain() -> Walls:
    """The walls of a bot with one thread."""
    return host.walls()


def _proven(workshop: Workshop, walls: Walls) -> dict[str, Held]:
    return proof.prove(workshop, walls)


def test_everything_holds_here(workshop: Workshop) -> None:
    held = proof.prove(workshop)
    assert proof.failed(held) == []
    assert {found.status for found in held.values()} == {"enforced"}


def test_everything_holds_where_nothing_can_be_written(workshop: Workshop, plain: Walls) -> None:
    assert proof.failed(_proven(workshop, replace(plain, tmp_bytes=0))) == []


def test_without_a_memory_cgroup_memory_holds_all_the_same(
    workshop: Workshop, plain: Walls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "cgroups", None)
    assert _proven(workshop, workshop.fit(plain))["memory"].status == "enforced"
    assert "empty files" in _proven(workshop, plain)["memory"].why


def _without(monkeypatch: pytest.MonkeyPatch, flag: str) -> None:
    left = tuple(word for word in bubblewrap._NAMESPACES if word != flag)
    monkeypatch.setattr(bubblewrap, "_NAMESPACES", left)


def test_a_network_that_is_there_is_seen(
    workshop: Workshop, plain: Walls, monkeypatch: pytest.MonkeyPatch
) -> None:
    _without(monkeypatch, "--unshare-net")
    held = _proven(workshop, replace(plain, leaves=frozenset({"socket", "connect"})))
    assert held["network"].status == "watched"
    assert "connect to 127.0.0.1: connected" in held["network"].why
    assert "abstract socket" in held["network"].why


def test_a_folder_that_is_there_is_seen(workshop: Workshop, plain: Walls) -> None:
    shared = plain.with_binds(Bind(workshop.folder, workshop.folder))
    held = _proven(workshop, shared)
    assert "another submission" in held["files"].why
    assert held["write"].status == "enforced"


def test_a_folder_that_is_writable_is_seen(
    workshop: Workshop, plain: Walls, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = workshop.room("room")
    monkeypatch.setattr(bubblewrap, "_files", _writable(bubblewrap._files))
    held = _proven(workshop, plain.with_binds(Bind(room, "/room")))
    assert "given to read: /room/x: made" in held["write"].why


def _writable(files: Callable[[Walls], Iterator[str]]) -> Callable[[Walls], Iterator[str]]:
    def change(walls: Walls) -> Iterator[str]:
        return ("--bind" if word == "--ro-bind" else word for word in files(walls))

    return change


def test_a_missing_filter_is_seen(workshop: Workshop, plain: Walls) -> None:
    held = _proven(workshop, replace(plain, leaves=DENIED))
    for name in ("kernel", "ipc", "terminal", "memory"):
        assert held[name].status != "enforced", name
    assert "clone3" not in held["kernel"].why


@pytest.mark.parametrize(("field", "name"), [("nproc", "processes"), ("fsize", "privileges")])
def test_a_missing_limit_is_seen(
    workshop: Workshop, plain: Walls, monkeypatch: pytest.MonkeyPatch, field: str, name: str
) -> None:
    rows = limits.rows
    monkeypatch.setattr(limits, "rows", lambda given: (row for row in rows(given) if row[0] != field))
    assert _proven(workshop, plain)[name].status != "enforced"


def test_memory_without_any_limit_is_seen(workshop: Workshop, plain: Walls) -> None:
    held = _proven(workshop, replace(plain, limits=Limits(memory=None)))
    assert "nothing limits it" in held["memory"].why


def test_memory_whose_limit_does_not_hold_is_seen(
    workshop: Workshop, plain: Walls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "rows", lambda given: iter([("nproc", 9)]))
    group = cgroup.Cgroups.group
    monkeypatch.setattr(cgroup.Cgroups, "group", lambda self, _: group(self, 1 << 40))
    assert "fill memory" in _proven(workshop, plain)["memory"].why


def test_capabilities_are_seen(workshop: Workshop, plain: Walls, monkeypatch: pytest.MonkeyPatch) -> None:
    argv = bubblewrap.argv

    def root(*arguments: object) -> list[str]:
        words = argv(*arguments)  # type: ignore[arg-type]
        words[words.index("--uid") + 1] = words[words.index("--gid") + 1] = "0"
        return words

    monkeypatch.setattr(bubblewrap, "argv", root)
    assert "is root" in _proven(workshop, plain)["privileges"].why


# --- the table ----------------------------------------------------------------------------------------------


def test_nothing_tried_is_nothing_proven() -> None:
    held = judged({})
    assert set(held) == set(PROPERTIES)
    assert "enforced" not in {found.status for found in held.values()}
    assert proof.failed(held, ("network",)) == ["network: nothing was tried"]


def test_an_attempt_tells_only_of_its_own_property() -> None:
    with pytest.raises(ValueError, match="do not tell"):
        judged({"network": (Attempt("files", "x", False, ""),)})


def test_a_promise_that_is_unknown_raises() -> None:
    with pytest.raises(KeyError):
        proof.failed(judged({}), ("peace",))


def test_without_walls_some_is_watched() -> None:
    assert set(unproven("none").values()) == {"off"}
    assert unproven("watch")["memory"] == "watched"
    assert unproven("watch")["kernel"] == "off"
    with pytest.raises(ValueError, match="strict"):
        unproven("strict")


# --- the command --------------------------------------------------------------------------------------------


def test_the_command_prints_each_property(workshop: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_sandbox(SandboxOptions()) == 0
    out = capsys.readouterr().out
    assert all(f"enforced  {name} " in out for name in PROPERTIES)


def test_the_command_writes_json(workshop: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_sandbox(SandboxOptions(json="-")) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in told["properties"]] == list(PROPERTIES)
    assert all(row["attempts"] for row in told["properties"])


def test_where_there_are_no_walls_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bubblewrap, "PROGRAM", "bwrap-that-is-not-there")
    bubblewrap.find.cache_clear()
    assert run_sandbox(SandboxOptions()) == 3
    bubblewrap.find.cache_clear()
    out = capsys.readouterr().out
    assert "bubblewrap" in out
    assert "enforced" not in out
