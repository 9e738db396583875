"""The table of toolchains: what it says, what it finds, and that its commands build and run inside walls."""

from __future__ import annotations

import os
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest
from echoes import ECHO
from pdcheck.conformance import languages
from pdcheck.conformance.gate import toolchains
from pdcheck.conformance.gate.refusal import IntakeTrouble, Unfit
from pdcheck.conformance.gate.seen import Phase, seen
from pdcheck.conformance.gate.toolchains import Installed, MissingToolchain, Places, Toolchain
from pdcheck.conformance.usage import UsageError

NEEDED = {  # toolchain: the command by which it is asked for; of the others, those installed are tried
    "c": "gcc",
    "cpp": "g++",
    "python": "python3",
    "java": "javac",
    "javascript": "node",
    "bash": "bash",
}
PLACES = Places("/src/bot.x", ["/src/bot.x", "/src/more.x"], "/out", "/home/bot", 512, main="Bot")


def test_every_language_of_the_contests_is_there() -> None:
    asked = "c cpp python java javascript csharp ruby haskell go rust perl php lua pascal shell"
    assert {toolchain.language for toolchain in toolchains.table().values()} == set(asked.split())
    assert set(toolchains.unsupported()) == {"python2", "freebasic", "vbnet", "spidermonkey"}
    assert set(ECHO) == set(toolchains.table())


def test_a_language_is_called_as_everywhere_in_the_kit() -> None:
    assert {toolchain.language for toolchain in toolchains.table().values()} <= set(languages.table())


def test_no_name_means_two_things() -> None:
    names = [
        name.lower()
        for toolchain in toolchains.table().values()
        for name in {toolchain.key, *toolchain.aliases, toolchain.name.lower()}
    ]
    names += [
        n for row in toolchains.unsupported().values() for n in {row.key, *row.aliases, row.name.lower()}
    ]
    assert len(names) == len(set(names))
    languages_by_extension: dict[str, set[str]] = {}
    for toolchain in toolchains.table().values():
        for extension in toolchain.extensions:
            languages_by_extension.setdefault(extension, set()).add(toolchain.language)
    assert all(len(found) == 1 for found in languages_by_extension.values())


@pytest.mark.parametrize("key", toolchains.table())
def test_every_command_can_be_filled_in(key: str) -> None:
    toolchain = toolchains.table()[key]
    installed = Installed(
        toolchain, {word: f"/usr/bin/{names[0]}" for word, names in toolchain.programs.items()}
    )
    words = (*installed.build(PLACES), *installed.run(PLACES), *installed.environment("/home/bot").values())
    assert words
    assert not any("{" in word or "}" in word for word in words)
    assert toolchain.most_tasks >= 1
    assert toolchain.packages or key == "csharp-dotnet"


def test_commands_are_lists_for_no_shell() -> None:
    cpp = Installed(toolchains.table()["cpp"], {"cxx": "/usr/bin/g++"})
    libraries = cpp.toolchain.wanted(["vector", "gmpxx.h", "json.hpp"])
    places = PLACES._replace(libraries=libraries, sources=["/src/a b.cpp"])
    assert cpp.build(places) == (
        *("/usr/bin/g++", "-std=gnu++17", "-O2", "-I/usr/include/nlohmann", "-o", "/out/bot", "/src/a b.cpp"),
        *("-lgmpxx", "-lgmp"),
    )
    java = Installed(toolchains.table()["java"], {"java": "java", "javac": "javac"})
    assert java.run(PLACES) == (
        "java",
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-cp",
        "/out",
        "Bot",
    )


def test_what_a_source_includes_is_linked() -> None:
    cpp = toolchains.table()["cpp"]
    assert [one.name for one in cpp.wanted(["nlohmann/json.hpp", "boost/rational.hpp"])] == [
        "JSON for Modern C++",
        "Boost",
    ]
    assert cpp.wanted(["vector", "myjson.hpp"]) == []
    assert cpp.bundles("json.hpp")
    assert cpp.bundles("lib/nlohmann/json.hpp")
    assert not cpp.bundles("myjson.hpp")


def test_a_library_that_is_not_there_is_told_before_anything_runs(tmp_path: Path) -> None:
    wanted = toolchains.table()["cpp"].wanted(["gmpxx.h", "json.hpp"])
    (tmp_path / "gmpxx.h").touch()
    assert [one.package for one in toolchains.missing_libraries(wanted, folders=[str(tmp_path)])] == [
        "nlohmann-json3-dev"
    ]


@pytest.mark.parametrize(
    ("word", "keys"),
    [
        ("c++", "cpp"),
        ("cpp", "cpp cpp-clang"),
        ("C", "c c-clang"),
        ("clang", "c-clang"),
        ("g++", "cpp"),
        ("Python 3", "python"),
        ("C#", "csharp"),
        ("csharp", "csharp csharp-dotnet"),
        ("dotnet", "csharp-dotnet"),
        ("node", "javascript"),
        ("sh", "bash"),
    ],
)
def test_a_language_is_known_by_its_names(word: str, keys: str) -> None:
    assert [one.key for one in toolchains.named(word)] == keys.split()


@pytest.mark.parametrize("word", ["python2", "Python 2", "FreeBASIC", "vb.net", "spidermonkey"])
def test_a_language_that_is_not_taken_is_told_by_name(word: str) -> None:
    with pytest.raises(Unfit, match="unsupported-language"):
        toolchains.named(word)


def test_an_unknown_language_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no such language"):
        toolchains.named("cobol")
    with pytest.raises(KeyError):
        toolchains.of_language("cobol")


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("a.py", b"", "python"),
        ("a.PY", b"", "python"),
        ("a.C", b"", "cpp"),
        ("a.c", b"", "c"),
        ("a.h", b"", ""),
        ("a.hs", b"", "haskell"),
        ("bot", b"#!/usr/bin/env python3\n", "python"),
        ("bot", b"#!/usr/bin/env -S node --x\n", "javascript"),
        ("bot", b"#! /bin/bash\n", "shell"),
        ("bot", b"#!/usr/bin/lua5.1\n", "lua"),
        ("bot", b"#!/usr/bin/runghc\n", ""),
        ("bot", b"print(1)", ""),
        ("bot.txt", b"#!/usr/bin/env python3\n", ""),
    ],
)
def test_a_source_tells_its_language(path: str, head: bytes, language: str) -> None:
    assert toolchains.language_of(path, head) == language


@pytest.mark.parametrize(
    "head", [b"#!/usr/bin/env python2\n", b"#!/usr/bin/python2.7\n", b"#!/usr/bin/js24\n"]
)
def test_a_source_for_what_is_not_taken_is_told(head: bytes) -> None:
    with pytest.raises(Unfit, match="unsupported-language"):
        toolchains.language_of("bot.py", head)


def test_a_missing_toolchain_is_told_with_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(
        MissingToolchain, match=r"Java needs javac, java \(Debian: .*default-jdk-headless\)"
    ) as missing:
        toolchains.find(toolchains.of_language("java"), path=str(tmp_path))
    assert isinstance(missing.value, IntakeTrouble)
    with pytest.raises(MissingToolchain, match=r"C# \(Mono\) needs .*; C# \(\.NET\) needs"):
        toolchains.find(toolchains.of_language("csharp"), path=str(tmp_path))


def test_the_first_toolchain_that_is_there_is_taken(tmp_path: Path) -> None:
    clang = tmp_path / "clang++"
    clang.write_text("#!/bin/sh\necho\necho clang version 99\n")
    clang.chmod(0o755)
    found = toolchains.find(toolchains.of_language("cpp"), path=str(tmp_path))
    assert (found.toolchain.key, found.programs) == ("cpp-clang", {"cxx": str(clang)})
    assert found.version() == "clang version 99"
    clang.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(MissingToolchain, match="does not run"):
        found.version()


def test_an_unknown_key_or_placeholder_raises() -> None:
    text = files("pdcheck.conformance.gate").joinpath("toolchains.toml").read_text("utf-8")
    row = tomllib.loads(text)["toolchain"]["python"]
    with pytest.raises(TypeError):
        toolchains._toolchain("x", {**row, "colour": "red"})
    with pytest.raises(KeyError, match="no placeholder"):
        toolchains._toolchain("x", {**row, "run": ["{pyhton}"]})


def test_a_program_that_is_a_link_stays_one(tmp_path: Path) -> None:
    real = tmp_path / "jvm" / "bin" / "java"
    real.parent.mkdir(parents=True)
    real.touch()
    (tmp_path / "bin").mkdir()
    link = tmp_path / "bin" / "java"
    link.symlink_to(real)
    found = seen([Installed(toolchains.table()["java"], {"java": str(link)})], "run")
    assert (str(link), str(real)) in found.links
    assert str(tmp_path / "jvm") in found.places


def test_what_a_bot_sees_is_nobodys() -> None:
    for key in ("c", "python"):
        for phase in ("build", "run"):
            found = seen([toolchains.find([toolchains.table()[key]])], phase)
            for place in found.places:
                assert place.split("/")[1] in (
                    "usr",
                    "lib",
                    "lib32",
                    "lib64",
                    "libx32",
                    "bin",
                    "sbin",
                    "etc",
                    "var",
                )
                assert place not in ("/etc", "/var", "/")
            assert not any(a != b and a.startswith(b + "/") for a in found.places for b in found.places)


# What the table says is tried: each toolchain that is installed builds and runs a line reader, and sees nothing else.


class Walled:
    """A line reader in one language, built, with its folders."""

    def __init__(self, installed: Installed, folder: Path, bwrap: str) -> None:
        self.installed, self.folder, self.bwrap = installed, folder, bwrap
        name, text = ECHO[installed.toolchain.key]
        for place in ("src", "out", "home"):
            (folder / place).mkdir()
        for file, content in {name: text, **installed.toolchain.files}.items():
            (folder / "src" / file).write_text(content)
        self.places = Places(f"/src/{name}", [f"/src/{name}"], "/out", "/home/bot", 256, main="Echo")

    def command(self, phase: Phase, words: tuple[str, ...]) -> list[str]:
        view = seen([self.installed], phase)
        line = [self.bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
        line += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
        for place in view.places:
            line += ["--ro-bind", place, place]
        for path, target in view.links:
            line += ["--symlink", target, path]
        line += [
            "--ro-bind",
            str(self.folder / "src"),
            "/src",
            "--bind",
            str(self.folder / "home"),
            "/home/bot",
        ]
        line += [
            "--bind" if phase == "build" else "--ro-bind",
            str(self.folder / "out"),
            "/out",
            "--chdir",
            "/src",
        ]
        variables = {"PATH": toolchains.TOOL_PATH, "LANG": "C.UTF-8", "HOME": "/home/bot"}
        for name, value in {**variables, **self.installed.environment("/home/bot")}.items():
            line += ["--setenv", name, value]
        return [*line, *words]

    def build(self) -> None:
        words = self.installed.build(self.places)
        if words:
            done = subprocess.run(self.command("build", words), capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[bytes]]:
        words = self.command("run", self.installed.run(self.places))
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
            try:
                yield bot
            finally:
                bot.kill()


def _bot_of(bwrap: int) -> int:
    """The process that bwrap's own first one has started."""
    pid = bwrap
    for _ in range(2):
        pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    return pid


@pytest.mark.parametrize("key", toolchains.table())
def test_its_commands_build_and_run_inside_walls_with_no_more_tasks_than_it_says(
    key: str, needs: Callable[[str], str], tmp_path: Path
) -> None:
    bwrap, toolchain = needs("bwrap"), toolchains.table()[key]
    installed = _there(toolchain, needs)
    walled = Walled(installed, tmp_path, bwrap)
    walled.build()
    most = 0
    with walled.running() as bot:
        assert bot.stdin
        assert bot.stdout
        for number in range(30):
            bot.stdin.write(b"line %d\n" % number)
            bot.stdin.flush()
            assert bot.stdout.readline() == b"line %d\n" % number
            most = max(most, len(os.listdir(f"/proc/{_bot_of(bot.pid)}/task")))
        bot.stdin.close()
        assert bot.wait() == 0
    assert 1 <= most <= toolchain.most_tasks
    assert toolchain.most_tasks > 1 or most == 1


def _there(toolchain: Toolchain, needs: Callable[[str], str]) -> Installed:
    """Those that every machine for development has must be there; the others are tried where they are."""
    if toolchain.key in NEEDED:
        needs(NEEDED[toolchain.key])
    try:
        return toolchains.find([toolchain])
    except MissingToolchain as missing:
        pytest.skip(str(missing))


def test_the_libraries_of_the_contest_are_found_inside_walls(
    needs: Callable[[str], str], tmp_path: Path
) -> None:
    for header in ("gmpxx.h", "nlohmann/json.hpp"):
        needs(header)
    bwrap = needs("bwrap")
    walled = Walled(toolchains.find([toolchains.table()["cpp"]]), tmp_path, bwrap)
    source = """#include <gmpxx.h>
#include "json.hpp"
int main() { return nlohmann::json({1}).size() - mpz_class(1).get_si(); }
"""
    (tmp_path / "src" / "echo.cpp").write_text(source)
    libraries = walled.installed.toolchain.wanted(["gmpxx.h", "json.hpp"])
    assert not toolchains.missing_libraries(libraries)
    walled.places = walled.places._replace(libraries=libraries)
    walled.build()
    with walled.running() as bot:
        assert bot.wait() == 0


def test_a_makefile_is_built_with_its_languages_toolchain(
    needs: Callable[[str], str], tmp_path: Path
) -> None:
    bwrap, make = needs("bwrap"), toolchains.find([toolchains.maker()])
    needs("make")
    walled = Walled(toolchains.find([toolchains.table()["c"]]), tmp_path, bwrap)
    (tmp_path / "out" / "Makefile").write_text("bot: /src/echo.c\n\tcc -o bot /src/echo.c\n")
    words = walled.command("build", make.build(walled.places))
    words[words.index("--chdir") + 1] = "/out"
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "bot").exists()
