"""What was killed for want of memory is counted where the kit runs, and nowhere below."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdcheck.conformance import oom


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    (tmp_path / "vmstat").write_text("pgfault 3\noom_kill 472\noom_kill_x 9\n")
    return tmp_path


def kills(machine: Path, own: str) -> int:
    (machine / "own").write_text(own)
    return oom.kills(str(machine), str(machine / "own"), str(machine / "vmstat"))


def test_the_own_group_of_version_1_tells(machine: Path) -> None:
    group = machine / "memory" / "kit" / "run"
    group.mkdir(parents=True)
    (group / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
    (machine / "memory" / "memory.oom_control").write_text("oom_kill 9\n")
    assert kills(machine, "5:cpu:/\n4:memory:/kit/run\n0::/\n") == 2


def test_the_own_group_of_version_2_tells(machine: Path) -> None:
    (machine / "kit").mkdir()
    (machine / "kit" / "memory.events.local").write_text("low 0\nhigh 0\nmax 4\noom 1\noom_kill 1\n")
    assert kills(machine, "0::/kit\n") == 1


def test_where_no_group_tells_the_machine_does(machine: Path) -> None:
    assert kills(machine, "0::/\n") == 472
    assert oom.kills(str(machine), str(machine / "gone"), str(machine / "vmstat")) == 472
    assert oom.kills(str(machine), str(machine / "gone"), str(machine / "gone")) == 0
    assert oom.kills() >= 0
