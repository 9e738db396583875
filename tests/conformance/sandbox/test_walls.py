"""What is said of walls, and the command line that it becomes: no process."""

from __future__ import annotations

import pytest
from pdcheck.conformance.sandbox import bubblewrap, host
from pdcheck.conformance.sandbox.walls import Bind, Limits, Link, Walls

LINES = bubblewrap.Lines(7, 8, 9)


def _argv(walls: Walls, **environment: str) -> list[str]:
    return bubblewrap.argv(walls, ("/b/bot", "-x"), environment, LINES)


@pytest.mark.parametrize("path", ["usr", "/usr/../etc", "/a//b", "/a/", "/a\0b"])
def test_a_path_that_is_not_plain_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="no plain absolute path"):
        Walls((Bind("/usr", path),))
    with pytest.raises(ValueError, match="no plain absolute path"):
        Walls((Bind(path, "/usr"),))
    with pytest.raises(ValueError, match="no plain absolute path"):
        Walls(folder=path)


def test_the_root_is_never_bound() -> None:
    with pytest.raises(ValueError, match="root"):
        Walls((Bind("/", "/"),))


def test_a_tmp_of_no_bytes_is_read_only() -> None:
    text = " ".join(_argv(Walls((Bind("/u", "/tmp/u"),), tmp_bytes=0)))
    assert "--ro-bind /u /tmp/u --remount-ro /tmp --remount-ro /" in text
    assert "--remount-ro /tmp" not in " ".join(_argv(Walls()))
    with pytest.raises(ValueError, match="less than no bytes"):
        Walls(tmp_bytes=-1)


def test_where_a_path_inside_lies_outside() -> None:
    walls = Walls(
        (Bind("/data/x", "/bot"), Bind("/data/y", "/bot/lib"), Bind("/usr", "/usr")),
        (Link("/bin", "usr/bin"),),
    )
    assert walls.outside("/bot/main.py") == "/data/x/main.py"
    assert walls.outside("/bot/lib/a") == "/data/y/a"
    assert walls.outside("/bot") == "/data/x"
    assert walls.outside("/bin/sh") == "/usr/bin/sh"
    assert walls.outside("/bottle") is None
    assert walls.outside("/tmp/x") is None


def test_temporary_files_lie_inside_and_all_else_is_as_it_is_given() -> None:
    given = {"PATH": "/usr/bin", "HOME": "/nowhere", "TMPDIR": "/secret"}
    assert Walls().environment(given) == {"PATH": "/usr/bin", "HOME": "/nowhere", "TMPDIR": "/tmp"}
    assert Walls().environment({}) == {"TMPDIR": "/tmp"}, "a bot may be started without a HOME"


def test_the_command_line_ends_with_the_command_and_has_the_walls_before_it() -> None:
    words = _argv(Walls((Bind("/u", "/usr"), Bind("/w", "/work", True))), A="b c")
    assert words[words.index("--") :] == ["--", "/b/bot", "-x"]
    for flag in (
        "--unshare-user",
        "--unshare-net",
        "--unshare-pid",
        "--disable-userns",
        "--die-with-parent",
        "--clearenv",
    ):
        assert flag in words
    text = " ".join(words)
    assert "--ro-bind /u /usr" in text
    assert "--bind /w /work" in text
    assert "--setenv A b c" in text
    assert "--cap-drop ALL" in text
    assert "--json-status-fd 7 --block-fd 8 --seccomp 9" in text


def test_the_tmp_has_its_size_and_the_root_is_made_read_only_last() -> None:
    words = _argv(Walls((Bind("/u", "/usr"),), tmp_bytes=12345))
    at = words.index("12345")
    assert words[at - 1 : at + 3] == ["--size", "12345", "--tmpfs", "/tmp"]
    last = max(
        at
        for at, word in enumerate(words)
        if word in ("--ro-bind", "--bind", "--tmpfs", "--symlink", "--dir")
    )
    assert words.index("/", last) > last


def test_what_lies_deeper_is_bound_later() -> None:
    words = _argv(Walls((Bind("/y", "/bot/lib/deep"), Bind("/x", "/bot"))))
    assert words.index("/bot") < words.index("/bot/lib/deep")


def test_the_host_s_walls_have_programs_and_no_users() -> None:
    walls = host.walls(Bind("/srv", "/srv"), runtime=("/nowhere-at-all", "/usr/lib"), limits=Limits(tasks=3))
    targets = {bind.target for bind in walls.binds}
    assert "/usr" in targets
    assert "/srv" in targets
    assert not targets & {
        "/etc",
        "/etc/passwd",
        "/root",
        "/home",
        "/proc",
        "/sys",
        "/dev",
        "/run",
        "/var",
        "/nowhere-at-all",
    }
    assert walls.limits.tasks == 3
