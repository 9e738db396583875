"""How a bot's command is read, and how it is started."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pdcheck.conformance.bot import PASSED_ON, read_bot
from pdcheck.conformance.usage import UsageError

Script = Callable[..., Path]


@pytest.fixture(autouse=True)
def _in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- the command --------------------------------------------------------------------------------------------


def test_a_path_that_runs_is_taken_as_it_is(script: Script, tmp_path: Path) -> None:
    path = script("mybot", "", shebang="#!/bin/sh")
    for words in (["./mybot"], ["mybot"], [str(path)]):
        bot = read_bot([*words, "-x", "two words", "--help"])
        assert bot.command == (str(path), "-x", "two words", "--help")
        assert Path(bot.command[0]).is_absolute()
        assert bot.note == ""
        assert bot.folder == str(tmp_path)
        assert bot.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_path_with_spaces_is_one_path(script: Script) -> None:
    path = script("my bot", "", shebang="#!/bin/sh")
    assert read_bot(["my bot"]).command == (str(path),)
    assert read_bot([str(path)]).command == (str(path),)
    assert read_bot(["my bot"]).shown == "'./my bot'"


def test_a_bot_is_shown_as_it_would_be_typed_here(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    path = script("bot", "", shebang="#!/bin/sh")
    (path.parent / "bot-house").mkdir()
    bot = read_bot(["./bot", "-x", f"{path}"])
    assert bot.shown == "./bot -x ./bot"
    elsewhere = read_bot([str(path), "-x", str(path)], folder="bot-house")
    assert elsewhere.shown == f"{path} -x {path}", "in another folder it would be another file"
    monkeypatch.chdir(path.parent / "bot-house")
    assert bot.shown == f"{path} -x {path}"
    monkeypatch.chdir("/")
    assert bot.shown == f"{path} -x {path}"


@pytest.mark.parametrize(
    ("word", "rest"),
    [
        ("./mybot -v 3", ("-v", "3")),
        ("./mybot 'two words' x\\ y", ("two words", "x y")),
        ("  ./mybot\t-v ", ("-v",)),
        ("./mybot $HOME *", ("$HOME", "*")),
    ],
)
def test_one_argument_is_split_as_a_shell_would(script: Script, word: str, rest: tuple[str, ...]) -> None:
    path = script("mybot", "", shebang="#!/bin/sh")
    assert read_bot([word]).command == (str(path), *rest)


def test_several_arguments_are_never_split(script: Script) -> None:
    path = script("mybot", "", shebang="#!/bin/sh")
    assert read_bot(["./mybot", "a b"]).command == (str(path), "a b")
    with pytest.raises(UsageError, match="no such program"):
        read_bot(["./mybot -v", "x"])


def test_a_program_is_looked_for_in_path(script: Script, tmp_path: Path) -> None:
    assert read_bot(["sh", "-c", "exit"]).command == (shutil.which("sh"), "-c", "exit")
    (tmp_path / "bin").mkdir()
    path = script("bin/onlyhere", "", shebang="#!/bin/sh")
    bot = read_bot(["onlyhere"], extra=[f"PATH={tmp_path / 'bin'}"])
    assert bot.command == (str(path),)


def test_an_interpreters_script_is_the_bot_whose_hash_is_told(script: Script) -> None:
    path = script("bot.py", "print()", mode=0o644)
    bot = read_bot([sys.executable, "-u", "bot.py"])
    assert bot.command == (sys.executable, "-u", "bot.py")
    assert bot.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("name", "shebang", "mode", "lacks"),
    [
        ("bot.py", "#!/usr/bin/env python3", 0o644, "run bit"),
        ("bot.py", "", 0o644, "run bit"),
        ("bot.py", "", 0o755, "shebang line"),
        ("bot.sh", "", 0o755, "shebang line"),
    ],
)
def test_a_script_that_does_not_run_by_itself_is_started_by_its_extension(
    script: Script, name: str, shebang: str, mode: int, lacks: str
) -> None:
    path = script(name, "", shebang=shebang, mode=mode)
    interpreter = {".py": "python3", ".sh": "sh"}[path.suffix]
    bot = read_bot([f"./{name}", "-x"])
    assert bot.command == (interpreter, str(path), "-x")
    assert lacks in bot.note
    assert interpreter in bot.note
    assert bot.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_script_with_a_shebang_and_a_run_bit_runs_by_itself(script: Script) -> None:
    path = script("bot.py", "", shebang="#!/usr/bin/env python3")
    assert read_bot(["bot.py"]).command == (str(path),)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "no bot given"),
        (["folder"], "folder is a folder"),
        (["./missing"], "./missing: no such program"),
        (["missing"], "missing: no such program in PATH"),
        (["./missing -x"], "./missing: no such program"),
        (["plain"], "plain cannot be executed: it has no run bit"),
        (["./plain"], r"chmod \+x ./plain"),
        (["./bot.zzz"], "cannot be executed"),
        (["./a 'b"], "No closing quotation"),
        (["   "], "no bot given"),
        ([""], "no bot given"),
    ],
)
def test_what_cannot_be_executed_is_said_in_one_line(
    script: Script, tmp_path: Path, words: list[str], says: str
) -> None:
    (tmp_path / "folder").mkdir()
    script("plain", "", shebang="#!/bin/sh", mode=0o644)
    script("bot.zzz", "", mode=0o644)
    with pytest.raises(UsageError, match=says) as caught:
        read_bot(words)
    assert "\n" not in str(caught.value)
    assert str(caught.value)


@pytest.mark.parametrize("shebang", ["#!/no/such/python3", "#! /no/such/python3 -u", "#!/bin/sh\r"])
def test_a_script_without_its_interpreter_is_said(script: Script, shebang: str) -> None:
    script("bot", "", shebang=shebang)
    with pytest.raises(UsageError, match="cannot be executed: there is no interpreter '/") as caught:
        read_bot(["./bot"])
    assert "\n" not in str(caught.value)


def test_an_interpreter_that_is_not_installed_is_said(script: Script, tmp_path: Path) -> None:
    script("bot.py", "", mode=0o644)
    with pytest.raises(UsageError, match=r"bot\.py needs python3, which is not installed"):
        read_bot(["bot.py"], extra=[f"PATH={tmp_path}"])


def test_another_folder_is_where_the_command_is_read_and_started(script: Script, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    path = script("sub/mybot", "", shebang="#!/bin/sh")
    bot = read_bot(["./mybot"], folder="sub")
    assert bot.folder == str(tmp_path / "sub")
    assert os.path.samefile(bot.command[0], path)
    with pytest.raises(UsageError, match="--cwd nowhere: no such folder"):
        read_bot(["./mybot"], folder="nowhere")


# --- its environment ----------------------------------------------------------------------------------------


def test_it_sees_path_lang_home_and_nothing_that_hides_faults(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*PASSED_ON, "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("JAVA_HOME", "/java")
    monkeypatch.setenv("TMPDIR", "/var/tmp")
    script("mybot", "", shebang="#!/bin/sh")
    launch = read_bot(["./mybot"]).launch("/fresh")
    assert launch.environment == {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": "/fresh",
        "JAVA_HOME": "/java",
        "TMPDIR": "/var/tmp",
    }


def test_env_adds_sets_and_passes_on(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE", "from here")
    script("mybot", "", shebang="#!/bin/sh")
    extra = ["ONE=1", "EMPTY=", "EQUALS=a=b", "MINE", "LANG=de_DE", "PYTHONUNBUFFERED=1"]
    environment = read_bot(["./mybot"], extra=extra).environment
    wanted = {
        "ONE": "1",
        "EMPTY": "",
        "EQUALS": "a=b",
        "MINE": "from here",
        "LANG": "de_DE",
        "PYTHONUNBUFFERED": "1",
    }
    assert wanted.items() <= environment.items()


@pytest.mark.parametrize("item", ["NOT_SET_ANYWHERE", "=x", ""])
def test_an_env_that_means_nothing_is_said(script: Script, item: str) -> None:
    script("mybot", "", shebang="#!/bin/sh")
    with pytest.raises(UsageError, match="--env"):
        read_bot(["./mybot"], extra=[item])


def test_a_setting_changes_the_environment_for_one_start_only(script: Script) -> None:
    script("mybot", "", shebang="#!/bin/sh")
    bot = read_bot(["./mybot"])
    changed = bot.launch("/fresh", changes={"HOME": None, "LANG": "C", "NEW": "x"}).environment
    assert "HOME" not in changed
    assert changed["LANG"] == "C"
    assert changed["NEW"] == "x"
    assert bot.launch("/fresh").environment["LANG"] == "C.UTF-8"


def test_in_another_folder_its_own_files_are_still_found(script: Script, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("bot.py", "sub/table.txt", "-odd"):
        script(name, "", mode=0o644)
    words = ["python3", "-u", "bot.py", "--table=sub/table.txt", "sub/table.txt", "word", "-odd", "sub"]
    bot = read_bot(words)
    assert bot.launch("/h").command[1:] == tuple(words[1:])
    moved = bot.launch("/h", folder="/")
    assert moved.folder == "/"
    assert moved.command[1:] == (
        "-u",
        str(tmp_path / "bot.py"),
        "--table=sub/table.txt",
        str(tmp_path / "sub/table.txt"),
        "word",
        "-odd",
        str(tmp_path / "sub"),
    )
