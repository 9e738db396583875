"""The cache: what was put, exactly, or nothing."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.conformance.gate import cache as module
from pdcheck.conformance.gate import durable
from pdcheck.conformance.gate.cache import Cache, key_of

KEY = key_of({"submission": "0" * 64, "suite": "toy/1"})
VALUE = {"verdict": "admit", "feedback": "hyvä ✓", "report": {"cases": [1, 2.5, None]}}


def file_of(folder: Path) -> Path:
    (file,) = folder.glob("*.json")
    return file


def test_what_is_put_is_got_by_another(tmp_path: Path) -> None:
    assert Cache(tmp_path / "a" / "b").put(KEY, VALUE, 0)
    assert Cache(tmp_path / "a" / "b").get(KEY) == VALUE
    assert Cache(tmp_path / "a" / "b").get(key_of({})) is None


def test_a_key_depends_on_every_part_and_on_no_order() -> None:
    parts: dict[str, Any] = {"suite": "toy/1", "limits": {"memory": 1, "tasks": 2}, "tools": ["gcc 12"]}
    turned = {"tools": ["gcc 12"], "limits": {"tasks": 2, "memory": 1}, "suite": "toy/1"}
    assert key_of(parts) == key_of(turned)
    others = [parts | {"suite": "toy/2"}, parts | {"limits": {"memory": 1}}, parts | {"more": None}, {}]
    assert len({key_of(one) for one in [parts, *others]}) == 5
    with pytest.raises(TypeError):
        key_of({"path": Path("x")})


@pytest.mark.parametrize(("status", "kept"), [(0, True), (1, True), (2, False), (3, False), (4, False)])
def test_only_verdicts_are_kept(tmp_path: Path, status: int, kept: bool) -> None:
    cache = Cache(tmp_path / "cache")
    assert cache.put(KEY, VALUE, status) is kept
    assert (cache.get(KEY) is not None) is kept


@given(data=st.data())
def test_a_damaged_entry_is_no_entry(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    cache = Cache(tmp_path_factory.mktemp("cache") / "cache")
    cache.put(KEY, VALUE, 0)
    file = file_of(cache._folder)
    whole = file.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    torn = data.draw(st.booleans())
    other = bytes([whole[at] ^ data.draw(st.integers(1, 255))])
    file.write_bytes(whole[:at] if torn else whole[:at] + other + whole[at + 1 :])
    assert cache.get(KEY) is None
    assert cache.put(KEY, VALUE, 0)
    assert cache.get(KEY) == VALUE


def test_an_entry_under_another_name_is_none(tmp_path: Path) -> None:
    cache, other = Cache(tmp_path / "cache"), key_of({"other": 1})
    cache.put(KEY, VALUE, 0)
    file_of(tmp_path / "cache").rename(tmp_path / "cache" / f"{other}.json")
    assert cache.get(other) is None


def test_what_is_no_file_is_no_entry(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put(KEY, VALUE, 0)
    file = file_of(tmp_path / "cache")
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert cache.get(KEY) is None
    file.unlink()
    os.mkfifo(file)
    assert cache.get(KEY) is None
    assert cache.put(KEY, VALUE, 1)
    assert cache.get(KEY) == VALUE


def test_a_key_is_no_path(tmp_path: Path) -> None:
    for wrong in ("", "../" * 20 + "0000", "A" * 64):
        with pytest.raises(ValueError, match="no key"):
            Cache(tmp_path / "cache").get(wrong)


def test_a_full_disk_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(durable, "write", full)
    assert not cache.put(KEY, VALUE, 0)
    monkeypatch.undo()
    assert cache.put(KEY, VALUE, 0)


def test_what_is_too_long_to_be_read_again_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_ENTRY", 100)
    assert not Cache(tmp_path / "cache").put(KEY, VALUE, 0)


def test_what_others_may_write_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)
    with pytest.raises(PermissionError):
        Cache(tmp_path / "cache")


def test_half_written_files_go_when_they_are_old(tmp_path: Path) -> None:
    Cache(tmp_path / "cache")
    old, young = (tmp_path / "cache" / f"{name}{durable.UNFINISHED}" for name in ("old", "young"))
    old.touch()
    young.touch()
    os.utime(old, (0, 0))
    Cache(tmp_path / "cache")
    assert not old.exists()
    assert young.exists()


WRITER = """
import sys
from pathlib import Path
from pdcheck.conformance.gate.cache import Cache
cache = Cache(Path(sys.argv[1]))
sys.stdin.read(1)
for turn in range(40):
    cache.put(sys.argv[2], {"by": sys.argv[3] * 20000}, 0)
    seen = cache.get(sys.argv[2])
    assert seen and len(set(seen["by"])) == 1 and len(seen["by"]) == 20000, "torn"
"""


def test_two_gates_at_once_never_see_half_of_each(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(folder), KEY, who], stdin=subprocess.PIPE)
        for who in "ab"
    ]
    for writer in writers:
        writer.communicate(b"go")
    assert [writer.returncode for writer in writers] == [0, 0]
    assert [path.name for path in folder.iterdir()] == [f"{KEY}.json"]
