"""What a machine lends: users and memory groups, on folders made for the test."""

from __future__ import annotations

import os
import pickle
import resource
import threading
from pathlib import Path

import pytest
from pdcheck.conformance.sandbox import WallsError, cgroup, inside, limits, user
from pdcheck.conformance.sandbox.cgroup import FIRST, SECOND, Cgroups
from pdcheck.conformance.sandbox.user import User, as_user, claimed
from pdcheck.conformance.sandbox.walls import Limits, Walls
from pdcheck.conformance.sandbox.workshop import Workshop

root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has users to give")


@root
def test_no_two_have_the_same_user(tmp_path: Path) -> None:
    locks = str(tmp_path / "locks")
    with claimed(locks) as one, claimed(locks) as two:
        assert one
        assert two
        assert one != two
        first = one
    with claimed(locks) as again:
        assert again == first


@root
def test_when_no_user_is_free_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user, "COUNT", 1)
    with claimed(str(tmp_path)), pytest.raises(WallsError, match="free"), claimed(str(tmp_path)):
        pass


@root
def test_a_folder_that_others_may_write_to_is_no_place_for_locks(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(WallsError, match="root's own"), claimed(str(tmp_path)):
        pass


@root
def test_a_user_for_a_moment_is_this_thread_s_alone() -> None:
    seen: list[int] = []
    with as_user(User(61234)):
        assert (os.getuid(), os.getgid(), os.geteuid()) == (61234, 61234, 0)
        other = threading.Thread(target=lambda: seen.append(os.getuid()))
        asked = os.stat("/proc/self/task")
        assert asked
    other.start()
    other.join()
    assert (os.getuid(), os.getgid(), seen) == (0, 0, [0])


def test_an_ordinary_user_stays_who_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with claimed("/nowhere") as nobody:
        assert nobody is None
    with as_user(None):
        pass


def _second(tmp_path: Path) -> tuple[str, str]:
    own = tmp_path / "own"
    own.write_text("1:name=systemd:/\n0::/a/b\n")
    (tmp_path / "cgroup.controllers").write_text("memory pids\n")
    (tmp_path / "a/b").mkdir(parents=True)
    return str(tmp_path), str(own)


def test_version_two_is_found_and_its_files_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup.Group, "remove", lambda self: True)
    found = cgroup.find(*_second(tmp_path))
    assert found
    assert (found.path, found.files, found.home) == (str(tmp_path / "a/b"), SECOND, str(tmp_path / "a/b"))
    group = found.group(12345)
    assert Path(group.path, "memory.max").read_text() == "12345"
    assert Path(group.path, "memory.swap.max").read_text() == "0"
    assert Path(group.path, "memory.oom.group").read_text() == "1"
    group.add(77)
    assert Path(group.path, "cgroup.procs").read_text() == "77"
    Path(group.path, "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    assert group.kills() == 2
    with group.born_in() as born:
        assert not born


def test_where_none_can_be_made_there_is_none(tmp_path: Path) -> None:
    assert cgroup.find(str(tmp_path), "/proc/self/no-such-file") is None
    own = tmp_path / "own"
    own.write_text("4:memory:/not/there\n0::/\n")
    assert cgroup.find(str(tmp_path), str(own)) is None


def test_a_thread_moves_in_and_out(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    group = Cgroups(str(tmp_path), FIRST, str(tmp_path / "home")).group(4096)
    with group.born_in() as born:
        assert born
        assert Path(group.path, "tasks").read_text() == "0"
    assert (tmp_path / "home/tasks").read_text() == "0"


def test_what_a_killed_kit_has_left_is_removed_and_what_is_new_is_not(tmp_path: Path) -> None:
    found = Cgroups(str(tmp_path), FIRST, str(tmp_path))
    for name, age in (("pdcheck-1-a", 3600), ("pdcheck-2-b", 0), ("others", 3600)):
        (tmp_path / name).mkdir()
        then = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (then, then))
    (tmp_path / f"{found.token}x").mkdir()
    found.sweep()
    assert {path.name for path in tmp_path.iterdir()} == {"pdcheck-2-b", "others", f"{found.token}x"}
    found.close()
    assert {path.name for path in tmp_path.iterdir()} == {"pdcheck-2-b", "others"}


def test_a_workshop_can_be_lent_to_a_worker(tmp_path: Path) -> None:
    with Workshop(str(tmp_path)) as shop:
        lent = pickle.loads(pickle.dumps(shop))
        assert (lent.user, lent.folder) == (shop.user, shop.folder)
        lent.__exit__(None, None, None)
        assert Path(shop.folder).is_dir()


def test_limits_where_memory_is_counted_and_where_not() -> None:
    shop = Workshop()
    assert shop.fitted(Limits(memory=100)) == Limits(memory=None, address_space=100)
    assert shop.fitted(Limits(memory=100, address_space=900)) == Limits(memory=None, address_space=900)
    shop.cgroups = Cgroups("/x", FIRST, "/x")
    assert shop.fitted(Limits(memory=100, address_space=900)) == Limits(memory=100, address_space=None)
    assert shop.fitted(Limits(memory=None, address_space=900)) == Limits(memory=None, address_space=900)


def test_nothing_can_be_written_where_memory_is_not_counted() -> None:
    shop = Workshop()
    assert shop.fit(Walls()).tmp_bytes == 0
    shop.cgroups = Cgroups("/x", FIRST, "/x")
    assert shop.fit(Walls()) == Walls()
    assert shop.fit(Walls(limits=Limits(memory=None))).tmp_bytes == 0


def test_no_limit_is_above_the_kit_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    set_: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "prlimit", lambda pid, which, pair: set_.setdefault(which, pair))
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10, 10))
    limits.set_on(1, Limits(files=100, tasks=3))
    assert set_[resource.RLIMIT_NOFILE] == (10, 10)
    assert set_[resource.RLIMIT_NPROC] == (4, 4)
    assert set_[resource.RLIMIT_CORE] == (0, 0)


def test_what_bubblewrap_says_is_put_together() -> None:
    said = b'{ "child-pid": 12, "cgroup-namespace": 1 }\n{ "exit-code": 3 }\n{ "half'
    assert inside.documents(said) == {"child-pid": 12, "cgroup-namespace": 1, "exit-code": 3}


@pytest.mark.parametrize(
    ("code", "status"), [(0, 0), (139, -11), (137, -9), (255, 255), (128, 128), (127, 127), (160, 160)]
)
def test_a_status_by_what_a_shell_makes_of_it(code: int, status: int) -> None:
    assert inside.status_of(code, -1) == status
