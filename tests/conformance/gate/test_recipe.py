"""How a submission is built and started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from echoes import JAVA, PYTHON, C
from pdcheck.conformance.gate import toolchains
from pdcheck.conformance.gate.recipe import Inside, Recipe, recipe
from pdcheck.conformance.gate.refusal import IntakeTrouble, Refused
from pdcheck.conformance.gate.submission import read_submission
from pdcheck.conformance.gate.toolchains import MissingToolchain, table
from pdcheck.scenarios.pack import Upload
from uploads import zipped

UPLOAD = Upload(2**20, 2**20, "VA-11", one_source=False)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder with something of the name of every tool, so that no test depends on what is installed."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for toolchain in table().values():
        for names in toolchain.programs.values():
            (folder / names[0]).touch(mode=0o755)
    (folder / "make").touch(mode=0o755)
    return folder


@pytest.fixture
def of(tmp_path: Path, tools: Path) -> Callable[..., Recipe]:
    """The recipe for these files."""

    def make(files: dict[str, str], *, language: str = "") -> Recipe:
        upload, into = tmp_path / "up.zip", tmp_path / "own"
        upload.write_bytes(zipped({name: text.encode() for name, text in files.items()}))
        into.mkdir()
        taken = read_submission(upload, UPLOAD, into, language=language)
        return recipe(taken, Inside(memory_mib=300), path=str(tools))

    return make


def test_one_source_is_built_by_its_language(of: Callable[..., Recipe], tools: Path) -> None:
    found = of({"mine.c": C})
    assert found.build == (f"{tools}/gcc", "-O2", "-o", "/bot/bot", "/bot/mine.c", "-lm")
    assert (found.run, found.made, found.tasks) == (("/bot/bot",), "", 1)


def test_headers_are_not_compiled(of: Callable[..., Recipe]) -> None:
    found = of({"main.c": C, "more/a.c": "int a;", "more/a.h": "int b;"})
    assert [word for word in found.build if word.startswith("/bot/") and word != "/bot/bot"] == [
        "/bot/main.c",
        "/bot/more/a.c",
    ]


def test_what_needs_no_build_has_none(of: Callable[..., Recipe], tools: Path) -> None:
    found = of({"bot.py": PYTHON, "openings.dat": "1"})
    assert (found.build, found.run) == ((), (f"{tools}/python3", "/bot/bot.py"))


def test_a_makefile_makes_a_bot(of: Callable[..., Recipe], tools: Path) -> None:
    found = of({"mine.c": C, "Makefile": "bot: mine.c\n"})
    assert (found.build, found.run, found.made) == (
        (f"{tools}/make", "--no-print-directory"),
        ("/bot/bot",),
        "bot",
    )
    assert [tool.toolchain.key for tool in found.tools] == ["make", "c"]


def test_a_run_line_says_how_it_is_started(of: Callable[..., Recipe]) -> None:
    found = of({"mine.c": C, "Makefile": "all:\n", "pdcheck.toml": "run = ['./x', 'a b']"})
    assert (found.run, found.made) == (("./x", "a b"), "")


def test_a_java_source_is_called_as_its_class(of: Callable[..., Recipe], tools: Path, tmp_path: Path) -> None:
    found = of({"upload.java": JAVA})
    assert found.renamed == (("upload.java", "Echo.java"),)
    assert found.build[-1] == "/bot/Echo.java"
    assert found.run == (
        f"{tools}/java",
        "-Xmx300m",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-cp",
        "/bot",
        "Echo",
    )
    found.prepare(tmp_path / "own")
    assert [file.name for file in (tmp_path / "own").iterdir()] == ["Echo.java"]


def test_a_java_source_without_a_main_is_refused_unless_it_says_how(
    of: Callable[..., Recipe], tmp_path: Path
) -> None:
    with pytest.raises(Refused, match="IO-1: no-main-class"):
        of({"Bot.java": "class Bot { }"})
    (tmp_path / "own" / "Bot.java").unlink()
    (tmp_path / "own").rmdir()
    assert of({"Bot.java": "class Bot { }", "pdcheck.toml": "run = 'java Bot'"}).run == ("java", "Bot")


def test_files_of_a_toolchain_are_written_beside_the_source(
    of: Callable[..., Recipe], tmp_path: Path
) -> None:
    found = of({"bot.cs": "class A { }"}, language="dotnet")
    found.prepare(tmp_path / "own")
    assert "<OutputType>Exe" in (tmp_path / "own" / "bot.csproj").read_text()
    assert found.environment["DOTNET_CLI_HOME"] == "/home/bot"
    with pytest.raises(IntakeTrouble, match="cannot be prepared"):
        found.prepare(tmp_path / "nowhere")


def test_a_tool_or_library_that_is_not_there_is_told_first(
    of: Callable[..., Recipe], tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tools / "gcc").unlink()
    (tools / "clang").unlink()
    with pytest.raises(MissingToolchain, match=r"C \(GCC\) needs gcc .*; C \(Clang\) needs clang"):
        of({"bot.c": C})
    (tmp_path / "own" / "bot.c").unlink()
    (tmp_path / "own").rmdir()
    monkeypatch.setattr(toolchains, "missing_libraries", lambda wanted: wanted)
    with pytest.raises(MissingToolchain, match=r"GMP \(Debian: apt-get install libgmp-dev\)"):
        of({"bot.cpp": "#include <gmpxx.h>\n"})
