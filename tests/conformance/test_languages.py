"""Which language a bot is in, and the idioms that advice ends with."""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

import pytest
from pdcheck.conformance import languages

ASKED_FOR = {
    "c",
    "cpp",
    "java",
    "python",
    "javascript",
    "typescript",
    "csharp",
    "ruby",
    "haskell",
    "go",
    "rust",
} | {*("kotlin", "scala", "perl", "php", "lua", "ocaml", "pascal", "swift", "d", "nim", "commonlisp")}


def test_every_language_has_its_idioms() -> None:
    table = languages.table()
    assert set(table) >= ASKED_FOR
    for language in table.values():
        assert all((language.name, language.flush, language.line, language.eof))
    extensions = [extension for language in table.values() for extension in language.extensions]
    assert len(extensions) == len(set(extensions)), "an extension of two languages tells nothing"


@pytest.mark.parametrize(
    ("name", "head", "language"),
    [
        ("bot.py", b"import sys\n", "python"),
        ("bot.rb", b"", "ruby"),
        ("bot", b"#!/usr/bin/env python3.12\n", "python"),
        ("bot", b"#!/usr/bin/env -S LANG=C node --no-warnings\n", "javascript"),
        ("bot", b"#! /usr/bin/perl -w\n", "perl"),
        ("run.sh", b"#!/bin/sh\nexec java Bot\n", "shell"),
        ("bot", b"\x7fELF...\xff Go buildinf:...", "go"),
        ("bot", b"\x7fELF.../rustc/90b35a6/library/std...libstdc++.so.6", "rust"),
        ("bot", b"\x7fELF...stg_ap_pp_fast...", "haskell"),
        ("bot", b"\x7fELF...GLIBCXX_3.4...__libc_start_main", "cpp"),
        ("bot", b"\x7fELF...__libc_start_main", "c"),
        ("bot", b"hello", ""),
        ("bot", b"", ""),
    ],
)
def test_a_file_tells_its_language(name: str, head: bytes, language: str, tmp_path: Path) -> None:
    bot = tmp_path / name
    bot.write_bytes(head)
    assert languages.of_file(bot) == language


@pytest.mark.parametrize(("member", "language"), [("kotlin/Unit.class", "kotlin"), ("Bot.class", "java")])
def test_a_jar_tells_by_the_library_in_it(member: str, language: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bot.jar", "w") as jar:
        jar.writestr(member, b"")
    assert languages.of_file(tmp_path / "bot.jar") == language


def test_a_command_tells_by_its_file_or_its_interpreter(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("")
    (tmp_path / "notes").write_text("")
    guess = languages.guess
    assert guess(("/usr/bin/python3", "-B", "bot.py"), str(tmp_path)) == "python"
    assert guess(("/opt/jdk/bin/java", "-cp", "x", "Bot"), str(tmp_path)) == "java"
    assert guess(("node", "notes"), str(tmp_path)) == "javascript"
    assert guess(("env", "A=b", "nice", "ruby3.2", "x"), str(tmp_path)) == "ruby"
    assert guess((str(tmp_path / "bot.py"),)) == "python"
    assert guess(("no-such-bot",), str(tmp_path)) == ""
    assert guess(()) == ""


@pytest.mark.skipif(os.name != "posix", reason="a program of the system's is looked at")
def test_a_process_tells_by_its_program() -> None:
    assert languages.of_program(os.path.basename(os.path.realpath(sys.executable))) == "python"
    assert languages.of_program("beam.smp") == "elixir"
    assert languages.of_program("mybot") == ""


def test_advice_ends_with_the_idiom() -> None:
    assert languages.fix("Flush.", "IO-4", "python").startswith(
        "Flush.\nin Python: print(answer, flush=True)"
    )
    assert (
        languages.fix("Read.", "PD-2.1", "java", "line")
        .splitlines()[1]
        .startswith("in Java: new BufferedReader")
    )
    assert languages.fix("Be legal.", "PD-3.1", "python") == "Be legal."
    assert languages.fix("Flush.", "IO-4", "") == "Flush."
