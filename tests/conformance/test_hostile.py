"""Hostile bots: the kit ends, says something right, stays small, and leaves nothing behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.selftest import programs
from pdcheck.conformance.selftest.ordeal import ordeal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a bot leaves is seen in /proc")

PACK = load_pack("prime-daihinmin")
HOSTILE = {hostile.name: hostile for hostile in programs.hostile_bots(PACK)}
QUICK = ("exits-in-mid-line", "kills-its-parent")
"""Two that end early, for every run of the tests."""


def assert_outlived(name: str, out: Path) -> None:
    """The kit has to come through this bot's attack."""
    hostile = HOSTILE[name]
    seen = ordeal(programs.Workshop(out).bot(hostile), PACK.name)
    assert seen.misses(hostile.requirements) == [], seen


@pytest.mark.parametrize("name", QUICK)
def test_the_kit_outlives_a_hostile_bot(name: str, tmp_path: Path) -> None:
    assert_outlived(name, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in QUICK])
def test_the_kit_outlives_every_hostile_bot(name: str, tmp_path: Path) -> None:
    assert_outlived(name, tmp_path)


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 25
    known = {entry.id for entry in PACK.catalogue()}
    for hostile in HOSTILE.values():
        assert hostile.requirements
        assert set(hostile.requirements) <= known, hostile.name
        assert hostile.summary.endswith("."), hostile.name


def test_what_is_left_of_a_bot_is_noticed_and_ended(tmp_path: Path) -> None:
    """A kit that leaves a process and a file behind, in the place of a real one."""
    from pdcheck.conformance.selftest import ordeal as module

    assert module.GONE_WITHIN > 0
    script = tmp_path / "left.py"
    script.write_text("import time; time.sleep(600)\n")
    left = list(_left_by(script, tmp_path))
    assert any("left.py" in line for line in left)
    assert "file forgotten" in left


def _left_by(script: Path, folder: Path) -> list[str]:
    import subprocess

    from pdcheck.conformance.selftest import ordeal as module
    from pdcheck.conformance.transports import orphans

    scratch = folder / "scratch"
    scratch.mkdir()
    (scratch / "forgotten").touch()
    token = "token-of-a-test-that-leaves"
    known = orphans.children()
    process = subprocess.Popen([sys.executable, "-S", str(script)], env={"MARK": token})
    try:
        return list(module._left(token, known | {process.pid}, scratch))
    finally:
        process.kill()
        process.wait()
