"""Durable files: whole or not there, nothing replaced that is not to be, nothing left behind."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest
from pdcheck.conformance.gate import durable


def test_a_file_is_written_in_the_place_of_another(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for data in (b"one", b"", b"three"):
        durable.write(file, data)
        assert file.read_bytes() == data
    assert os.listdir(tmp_path) == ["file"]


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert durable.write_new(file, b"one")
    assert not durable.write_new(file, b"two")
    assert file.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("write", [durable.write, durable.write_new])
def test_what_cannot_be_written_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: object
) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"before")

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="full"):
        write(file, b"after")  # type: ignore[operator]
    assert file.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["file"]


@pytest.fixture(params=["at once", "two names"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to rename without replacing; the second is for file systems without the first."""
    if request.param == "two names":
        monkeypatch.setattr(durable, "_rename_new", lambda: lambda source, target: errno.EINVAL)
    return str(request.param)


def test_a_move_replaces_nothing(tmp_path: Path, way: str) -> None:
    one, two, target = (tmp_path / name for name in ("one", "two", "target"))
    one.write_text("one")
    two.write_text("two")
    assert durable.move_new(one, target)
    assert not durable.move_new(two, target)
    assert target.read_text() == "one"
    assert sorted(os.listdir(tmp_path)) == ["target", "two"]
    with pytest.raises(FileNotFoundError):
        durable.move_new(one, target)


def test_a_move_does_not_follow_what_lies_at_its_target(tmp_path: Path, way: str) -> None:
    one, target = tmp_path / "one", tmp_path / "target"
    one.write_text("one")
    target.symlink_to(tmp_path / "nothing")
    assert not durable.move_new(one, target)
    assert not (tmp_path / "nothing").exists()


def test_a_move_that_was_killed_between_its_two_names_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable, "_rename_new", lambda: None)
    one, target, other = (tmp_path / name for name in ("one", "target", "other"))
    one.write_text("one")
    os.link(one, target)
    assert durable.move_new(one, other)
    assert os.listdir(tmp_path) == ["target"], "it has one name, the one it was given first"


def test_of_many_that_move_to_one_name_one_does(tmp_path: Path, way: str) -> None:
    start, target = threading.Barrier(8), tmp_path / "target"
    done: list[int] = []

    def move(number: int) -> None:
        source = tmp_path / str(number)
        source.write_text(str(number))
        start.wait()
        if durable.move_new(source, target):
            done.append(number)

    threads = [threading.Thread(target=move, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 1
    assert target.read_text() == str(done[0])
    assert len(os.listdir(tmp_path)) == 8


def test_a_folder_of_ones_own_is_nobody_elses(tmp_path: Path) -> None:
    durable.own_folder(tmp_path / "own")
    durable.own_folder(tmp_path / "own")
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o700
    (tmp_path / "link").symlink_to(tmp_path / "own")
    (tmp_path / "file").touch()
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    for name in ("link", "file", "open"):
        with pytest.raises(PermissionError):
            durable.own_folder(tmp_path / name)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make another user's folder")
def test_another_users_folder_is_not_ones_own(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o700)
    os.chown(tmp_path / "theirs", 65534, 65534)
    with pytest.raises(PermissionError, match="another user"):
        durable.own_folder(tmp_path / "theirs")
