"""Which folders belong to a bot."""

from __future__ import annotations

from pathlib import Path

from pdcheck.conformance.watch.places import Places, places
from pdcheck.conformance.watch.processes import Seen


def found(
    exe: Path | str, *words: Path | str, folder: Path, environment: dict[str, str] | None = None
) -> Places:
    process = Seen(7, 1, str(exe), (str(exe), *map(str, words)), {7: "bot"})
    return places([process], environment or {}, str(folder))


def made(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_a_program_that_stands_alone_has_its_folder(tmp_path: Path) -> None:
    made(tmp_path / "mine" / "bot")
    assert found(tmp_path / "mine" / "bot", folder=tmp_path).own == (str(tmp_path / "mine"),)


def test_a_runtime_has_the_folder_above_its_programs(tmp_path: Path) -> None:
    made(
        tmp_path / "python" / "bin" / "python3",
        tmp_path / "python" / "lib" / "x",
        tmp_path / "mine" / "bot.py",
    )
    told = found(tmp_path / "python" / "bin" / "python3", "-u", tmp_path / "mine" / "bot.py", folder=tmp_path)
    assert told == Places((str(tmp_path / "mine"),), (str(tmp_path / "python"),))


def test_a_class_path_is_the_programs_own(tmp_path: Path) -> None:
    made(
        tmp_path / "jdk" / "bin" / "java",
        tmp_path / "jdk" / "lib" / "x",
        tmp_path / "a" / "x",
        tmp_path / "b" / "y",
    )
    told = found(tmp_path / "jdk" / "bin" / "java", "-cp", "a:b", "Main", folder=tmp_path)
    assert told.own == (str(tmp_path / "a"), str(tmp_path / "b"))


def test_a_module_by_name_is_found_from_the_working_folder(tmp_path: Path) -> None:
    made(tmp_path / "python" / "bin" / "python3", tmp_path / "python" / "lib" / "x")
    assert found(tmp_path / "python" / "bin" / "python3", "-m", "bot", folder=tmp_path).own == (
        str(tmp_path),
    )


def test_libraries_named_in_the_environment_are_the_runtimes_but_home_is_not(tmp_path: Path) -> None:
    made(tmp_path / "libs" / "x", tmp_path / "bot")
    environment = {"PYTHONPATH": str(tmp_path / "libs"), "HOME": str(tmp_path), "NODE_PATH": "/no/such"}
    told = found(tmp_path / "bot", folder=tmp_path, environment=environment)
    assert told.runtime == (str(tmp_path / "libs"),)


def test_words_are_looked_for_where_it_was_started_and_where_it_went(tmp_path: Path) -> None:
    made(
        tmp_path / "bin" / "sh", tmp_path / "lib" / "x", tmp_path / "one" / "run", tmp_path / "two" / "bot.py"
    )
    words = (str(tmp_path / "bin" / "sh"), "run", "bot.py")
    process = Seen(7, 1, words[0], words, {7: "bot"}, str(tmp_path / "two"))
    assert places([process], {}, str(tmp_path / "one")).own == (str(tmp_path / "one"), str(tmp_path / "two"))


def test_a_module_by_name_of_the_systems_own_interpreter(tmp_path: Path) -> None:
    told = places([Seen(7, 1, "/usr/bin/python3", ("python3", "-m", "bot"), {7: "bot"})], {}, str(tmp_path))
    assert str(tmp_path) in told.own


def test_nothing_is_concluded_from_a_process_in_mid_exec(tmp_path: Path) -> None:
    assert places([Seen(7, 1, "/usr/bin/env", (), {7: "bot"})], {}, str(tmp_path)) == Places((), ())


def test_what_is_too_wide_is_nobodys(tmp_path: Path) -> None:
    assert found("/bot", "/etc/hosts", folder=tmp_path) == Places((), ())
