"""Claims: one holder at a time, none after a kill, and an end to those that nobody confirms."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pdcheck.conformance.gate import claims
from pdcheck.conformance.gate.claims import Patience, claim

HOLDER = """
import subprocess, sys
from pathlib import Path
from pdcheck.conformance.gate.claims import claim
held = claim(Path(sys.argv[1]))
child = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) if "child" in sys.argv else None
print(bool(held), child.pid if child else 0, flush=True)
sys.stdin.read()
"""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def holder(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def heard(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return process.stdout.readline().split()


def test_a_claim_has_one_holder_also_within_a_process(tmp_path: Path) -> None:
    first = claim(tmp_path)
    assert first is not None
    assert first.holds()
    assert claim(tmp_path) is None
    first.release()
    first.release()
    second = claim(tmp_path)
    assert second is not None
    second.release()


def test_a_claim_on_nothing_is_none(tmp_path: Path) -> None:
    assert claim(tmp_path / "nothing") is None


@pytest.mark.parametrize("words", [(), ("child",)])
def test_a_killed_holders_claim_is_free_though_its_children_live(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    with holder(tmp_path, *words) as process:
        held, child = heard(process)
        assert held == "True"
        assert claim(tmp_path) is None
        process.kill()
        process.wait()
        now = claim(tmp_path)
        assert now is not None
        now.release()
        if words:
            os.kill(int(child), 0)  # it still lived, or its number would be nobody's
            os.kill(int(child), signal.SIGKILL)


def test_a_folder_that_moved_meanwhile_is_not_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, there = tmp_path / "folder", tmp_path / "there"
    folder.mkdir()
    first = claim(folder)
    assert first is not None
    lock = fcntl.flock

    def moved(file: int, how: int) -> None:
        first.release()
        folder.rename(there)
        folder.mkdir()  # and another is in its place
        (folder / claims.FILE).touch()
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", moved)
    assert claim(folder) is None
    monkeypatch.undo()
    second = claim(there)
    assert second is not None
    second.release()


def test_a_holder_whose_folder_was_renamed_has_lost_it(tmp_path: Path) -> None:
    folder, there = tmp_path / "folder", tmp_path / "there"
    folder.mkdir()
    held = claim(folder)
    assert held is not None
    folder.rename(there)
    assert not held.holds()
    held.moved(there)
    assert held.holds()
    shutil.rmtree(there)
    assert not held.holds()
    held.confirm()
    held.release()


def test_patience_ends_with_a_claim_that_nobody_confirms(tmp_path: Path) -> None:
    clock = Clock()
    patience = Patience(10, clock)
    with holder(tmp_path) as process:
        assert heard(process)[0] == "True"
        assert not patience.is_over(tmp_path)
        clock.now = 9
        assert not patience.is_over(tmp_path)
        os.utime(tmp_path / claims.FILE, ns=(1, 1))  # confirmed
        clock.now = 18
        assert not patience.is_over(tmp_path)
        clock.now = 29
        assert patience.is_over(tmp_path)
        patience.only([])
        assert not patience.is_over(tmp_path), "it was forgotten"
        process.kill()


def test_a_claim_is_confirmed_by_its_holder_alone(tmp_path: Path) -> None:
    held = claim(tmp_path)
    assert held is not None
    os.utime(tmp_path / claims.FILE, ns=(1, 1))
    assert claim(tmp_path) is None
    assert (tmp_path / claims.FILE).stat().st_mtime_ns == 1, "whoever fails to claim it does not confirm it"
    held.confirm()
    assert (tmp_path / claims.FILE).stat().st_mtime_ns > 1
    held.release()


def test_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / claims.FILE).symlink_to(tmp_path / "made")
    with pytest.raises(OSError, match=r"symbolic|link"):
        claim(tmp_path / "folder")
    assert not (tmp_path / "made").exists()
