"""What is taken as a submission, what is refused and under which requirement, and that nothing gets out of one."""

from __future__ import annotations

import os
import socket
import stat
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance.gate import entries
from pdcheck.conformance.gate.entries import Caps
from pdcheck.conformance.gate.refusal import CODES, IntakeTrouble, Refused, Unfit
from pdcheck.conformance.gate.submission import Submission, read_submission
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import Upload
from uploads import PLAIN, symlink_zip, tarred, zipped

PRIME = Upload(2**20, 0, "PD-6.5", "PD-6.6", "PD-6.7")
VALTA = Upload(2**20, 2**20, "VA-11", one_source=False)
TEXT = b"print(1)\n"


class Gate:
    """A place with an upload and a folder of the gate's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inbox = folder / "inbox"
        self.inbox.mkdir()
        self._count = 0

    def put(self, name: str, data: bytes = TEXT) -> Path:
        there = self.inbox / name
        there.write_bytes(data)
        return there

    def tree(self, files: Mapping[str, bytes], name: str = "mine") -> Path:
        for path, data in files.items():
            there = self.inbox / name / path
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(data)
        return self.inbox / name

    def into(self) -> Path:
        self._count += 1
        into = self.folder / f"own{self._count}"
        into.mkdir()
        return into

    def take(
        self, path: Path, upload: Upload = PRIME, *, language: str = "", caps: Caps | None = None
    ) -> Submission:
        return read_submission(path, upload, self.into(), language=language, caps=caps)

    def refused(self, path: Path, upload: Upload = PRIME, *, caps: Caps | None = None) -> tuple[str, str]:
        into = self.into()
        with pytest.raises(Refused) as refused:
            read_submission(path, upload, into, caps=caps)
        assert not list(into.iterdir()), "nothing is kept of what is refused"
        return refused.value.requirement, refused.value.code


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path)


def kept(submission: Submission) -> dict[str, bytes]:
    top = submission.folder
    return {str(file.relative_to(top)): file.read_bytes() for file in top.rglob("*") if file.is_file()}


def test_both_games_say_what_they_take() -> None:
    assert load_pack("prime-daihinmin").upload == PRIME
    assert load_pack("valtapeli").upload == VALTA
    for name in ("prime-daihinmin", "valtapeli"):
        pack = load_pack(name)
        assert pack.upload is not None
        catalogue = pack.catalogue()
        asked = (
            pack.upload.source_requirement,
            pack.upload.user_requirement,
            pack.upload.libraries_requirement,
        )
        assert all(requirement in catalogue for requirement in asked if requirement)


def test_one_source_is_taken_as_it_is(gate: Gate) -> None:
    taken = gate.take(gate.put("bot.py"))
    assert (taken.kind, taken.name, taken.language, taken.source) == ("file", "bot.py", "python", "bot.py")
    assert (taken.sources, taken.data, taken.makefile, taken.run) == (("bot.py",), (), "", ())
    assert kept(taken) == PLAIN
    assert taken.source_bytes == len(TEXT)


@pytest.mark.parametrize("pack", ["zip", "tar", "folder", "nested"])
def test_the_same_files_are_the_same_submission_however_they_come(gate: Gate, pack: str) -> None:
    files = {
        "Makefile": b"bot: bot.c\n",
        "bot.c": b"int main(){}\n",
        "README.md": b"hello",
        ".git/HEAD": b"x",
    }
    path = {
        "zip": lambda: gate.put("a.zip", zipped(files)),
        "tar": lambda: gate.put("anything", tarred(files, mode="w:xz")),
        "folder": lambda: gate.tree(files),
        "nested": lambda: gate.put(
            "a.tgz", tarred({f"mybot-1.0/{n}": d for n, d in files.items()}, mode="w:gz")
        ),
    }[pack]()
    taken = gate.take(path)
    assert kept(taken) == {"Makefile": b"bot: bot.c\n", "bot.c": b"int main(){}\n"}
    assert (taken.makefile, taken.language, taken.left_out) == ("Makefile", "c", ("README.md",))
    assert taken.sha256 == "48e6431fbf13d020e99a255ba2a0d1717f7e3f07146044304ff88bbfd7e01363"


def test_the_hash_tells_names_bytes_and_modes_apart(gate: Gate) -> None:
    one = gate.put("bot.py")
    found = {
        gate.take(one).sha256,
        gate.take(gate.put("bot2.py")).sha256,
        gate.take(gate.put("c.py", b"2")).sha256,
    }
    one.chmod(0o755)
    found.add(gate.take(one).sha256)
    assert len(found) == 4


@pytest.mark.parametrize(
    ("size", "code"), [(2**20, ""), (2**20 + 1, "source-too-big"), ((16 << 20) + 1, "upload-too-big")]
)
def test_a_source_may_be_as_large_as_the_contest_says(gate: Gate, size: int, code: str) -> None:
    path = gate.put("bot.py", b"#" * size)
    for upload in (PRIME, VALTA):
        if code:
            assert gate.refused(path, upload) == (upload.source_requirement, code)
        else:
            assert gate.take(path, upload).source_bytes == size


def test_data_files_are_for_the_game_that_takes_them(gate: Gate) -> None:
    files = {"bot.py": TEXT, "openings.dat": bytes(2**20), "a/README": b"for people"}
    taken = gate.take(gate.tree(files), VALTA)
    assert (taken.sources, taken.data, taken.data_bytes) == (("bot.py",), ("openings.dat",), 2**20)
    assert gate.refused(gate.inbox / "mine") == ("PD-6.5", "no-data-files")
    gate.tree({"more.dat": b"1"})
    assert gate.refused(gate.inbox / "mine", VALTA) == ("VA-11", "data-too-big")


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"a.cpp": b"int x;", "tables.hpp": b"int y;"}, "several-sources"),
        ({"a.py": TEXT, "b.py": TEXT, "Makefile": b"bot:"}, "several-sources"),
        ({"README.md": b"hello"}, "no-source"),
        ({}, "no-source"),
        ({"Makefile": b"bot:"}, "no-source"),
        ({"bot.zig": TEXT, "Makefile": b"bot:"}, "unknown-language"),
        ({"bot.py": b" \n"}, "empty"),
        ({"bot.py": b"a\0b"}, "not-text"),
        ({"bot.c": b"\x7fELF\1\1"}, "not-text"),
        ({"bot.py": TEXT, "Makefile": b"\0"}, "not-text"),
        ({"bot.bas": b"print 1"}, "unsupported-language"),
        ({"bot.vb": b"Module A"}, "unsupported-language"),
        ({"bot.py": TEXT, "pdcheck.toml": b"run ="}, "settings"),
        ({"bot.py": TEXT, "pdcheck.toml": b"run = 3"}, "settings"),
        ({"bot.py": TEXT, "pdcheck.toml": b"run = ['']"}, "settings"),
        ({"bot.py": TEXT, "pdcheck.toml": b'run = "\'"'}, "settings"),
        ({"bot.py": TEXT, "pdcheck.toml": b"a=" + b"[" * 50_000}, "settings"),
        ({"bot.py": TEXT, "pdcheck.toml": b"#" * 70_000}, "settings"),
        ({"bot.py": TEXT, "pdcheck.toml": b"#\xff"}, "settings"),
    ],
)
def test_what_is_not_one_source_is_refused(gate: Gate, files: dict[str, bytes], code: str) -> None:
    assert code in CODES
    assert gate.refused(gate.put("up.zip", zipped(files))) == ("PD-6.5", code)


def test_an_empty_file_and_an_unknown_language_are_refused(gate: Gate) -> None:
    assert gate.refused(gate.put("bot.py", b"")) == ("PD-6.5", "empty")
    assert gate.refused(gate.put("bot.xyz")) == ("PD-6.5", "unknown-language")
    assert gate.refused(gate.put("bot")) == ("PD-6.5", "unknown-language")
    assert gate.take(gate.put("bot", b"#!/usr/bin/env python3\n")).language == "python"
    assert gate.refused(gate.put("bot", b"#!/usr/bin/python2.7\n")) == ("PD-6.5", "unsupported-language")


def test_a_language_can_be_said(gate: Gate) -> None:
    taken = gate.take(gate.put("upload-7"), language="clang++")
    assert ([one.key for one in taken.chosen], taken.source) == (["cpp-clang"], "upload-7.cpp")
    assert gate.take(gate.put("bot.h"), language="c").source == "bot.h.c"
    assert gate.take(gate.put("bot.C"), language="c++").source == "bot.C"
    with pytest.raises(UsageError, match="no such language"):
        gate.take(gate.put("bot"), language="brainfuck")
    with pytest.raises(Refused, match="unsupported-language"):
        gate.take(gate.put("bot"), language="Python2")


def test_several_sources_need_a_main_one_or_a_makefile(gate: Gate) -> None:
    two = {"field.py": TEXT, "search.py": TEXT}
    assert gate.refused(gate.put("a.zip", zipped(two)), VALTA) == ("VA-11", "unclear-source")
    taken = gate.take(gate.put("a.zip", zipped({**two, "main.py": TEXT})), VALTA)
    assert taken.sources == ("main.py", "field.py", "search.py")
    assert gate.take(gate.put("a.zip", zipped({**two, "Makefile": b"bot:"})), VALTA).makefile == "Makefile"
    started = gate.take(
        gate.put("a.zip", zipped({**two, "pdcheck.toml": b'run = "python3 field.py"'})), VALTA
    )
    assert started.run == ("python3", "field.py")
    assert gate.take(gate.put("a.zip", zipped({"x.hpp": TEXT, "y.cpp": TEXT})), VALTA).source == "y.cpp"


def test_what_tools_leave_about_is_no_part_of_it(gate: Gate) -> None:
    files = {
        "mine/bot.py": TEXT,
        "__MACOSX/mine/._bot.py": b"x",
        "mine/.DS_Store": b"x",
        "mine/._bot.py": b"x",
    }
    assert kept(gate.take(gate.put("a.zip", zipped(files)))) == PLAIN
    assert kept(gate.take(gate.put("a.tar", tarred(files)))) == PLAIN


def test_a_copy_of_a_listed_library_is_left_out(gate: Gate) -> None:
    path = gate.put("a.zip", zipped({"akemi.cpp": TEXT, "json.hpp": b"#" * 2**20}))
    taken = gate.take(path)
    assert (taken.sources, taken.left_out) == (("akemi.cpp",), ("json.hpp",))
    assert gate.refused(path, VALTA) == ("VA-11", "source-too-big")


@pytest.mark.parametrize(
    ("user", "good"),
    [
        ("prime.hunter-2", True),
        ("a" * 32, True),
        ("7", True),
        ("a" * 33, False),
        ("", False),
        ("-prime", False),
        (".a", False),
        ("prime_hunter", False),
        ("素数", False),
        ("a\n", False),
        ("a/../b", False),
    ],
)
def test_a_user_id_is_held_to_its_form(gate: Gate, user: str, good: bool) -> None:
    path = gate.put("bot.py")
    if good:
        read_submission(path, PRIME, gate.into(), user=user)
    else:
        with pytest.raises(Refused, match=r"PD-6\.6: user-id"):
            read_submission(path, PRIME, gate.into(), user=user)
    read_submission(path, VALTA, gate.into(), user=user)  # that contest asks for none


def test_a_link_is_not_followed_anywhere(gate: Gate, tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_bytes(TEXT)
    link = gate.inbox / "bot.py"
    link.symlink_to(secret)
    assert gate.refused(link) == ("PD-6.5", "link")
    kinds: dict[str, Callable[[Path, Path], None]] = {"soft.py": os.symlink, "hard.py": os.link}
    for name, make in kinds.items():
        tree = gate.tree({"bot.py": TEXT}, name)
        make(secret, tree / name)
        assert gate.refused(tree) == ("PD-6.5", "link")
    folder = gate.tree({"bot.py": TEXT}, "linked")
    (folder / "more").symlink_to(tmp_path, target_is_directory=True)
    assert gate.refused(folder) == ("PD-6.5", "link")
    (gate.inbox / "whole").symlink_to(folder, target_is_directory=True)
    assert gate.refused(gate.inbox / "whole") == ("PD-6.5", "link")
    assert gate.refused(gate.put("a.zip", symlink_zip("bot.py", str(secret)))) == ("PD-6.5", "link")


def test_what_is_no_file_is_refused_and_does_not_hang(gate: Gate) -> None:
    tree = gate.tree({"bot.py": TEXT})
    os.mkfifo(tree / "pipe")
    os.mkfifo(gate.inbox / "bot.py")
    assert gate.refused(tree) == gate.refused(gate.inbox / "bot.py") == ("PD-6.5", "special-file")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(gate.inbox / "s.py"))
        assert gate.refused(gate.inbox / "s.py") == ("PD-6.5", "special-file")
    assert gate.refused(Path("/dev/zero")) == ("PD-6.5", "special-file")


def test_names_that_are_not_unicode_are_refused(gate: Gate) -> None:
    tree = gate.tree({"bot.py": TEXT})
    (tree / os.fsdecode(b"\xff\xfe.txt")).write_bytes(TEXT)
    assert gate.refused(tree) == ("PD-6.5", "name-not-utf8")
    assert gate.refused(gate.put(os.fsdecode(b"b\xff.py"))) == ("PD-6.5", "name-not-utf8")
    assert gate.refused(gate.put("a\x1b]0;b.py")) == ("PD-6.5", "name-characters")


def test_a_folder_is_bounded(gate: Gate) -> None:
    caps = Caps(unpacked=10_000, files=20)
    tree = gate.tree({"bot.py": TEXT, "big.bin": b""})
    os.truncate(tree / "big.bin", 1 << 40)  # as large as it likes, without a byte on the disk
    assert gate.refused(tree, VALTA, caps=caps) == ("VA-11", "unpacked-too-big")
    many = gate.tree({f"f{n}": b"" for n in range(21)}, "many")
    assert gate.refused(many, VALTA, caps=caps) == ("VA-11", "too-many-files")
    deep = gate.tree({"bot.py": TEXT, "/".join("x" * 14): b"1"}, "deep")
    assert gate.refused(deep, VALTA, caps=caps) == ("VA-11", "name-too-long")


def test_a_long_line_is_only_a_long_line(gate: Gate) -> None:
    assert gate.take(gate.put("bot.py", b"x" * 1_000_000)).source_bytes == 1_000_000


def test_what_is_judged_is_what_was_read(gate: Gate) -> None:
    path = gate.put("bot.py")
    taken = gate.take(path)
    path.write_bytes(b"other")
    assert kept(taken) == PLAIN


def test_a_file_that_becomes_a_link_meanwhile_is_not_followed(gate: Gate, tmp_path: Path) -> None:
    """Somebody changes a file into a link and back as quickly as he can: nobody else's bytes are ever read."""
    secret = tmp_path / "secret"
    secret.write_bytes(b"SECRET")
    tree = gate.tree({"bot.py": TEXT, "a.dat": b"mine"})
    stop = threading.Event()

    def swap() -> None:
        at, other = tree / "a.dat", tree / "spare"
        while not stop.is_set():
            other.symlink_to(secret)
            os.replace(other, at)
            other.write_bytes(b"mine")
            os.replace(other, at)

    racer = threading.Thread(target=swap)
    racer.start()
    try:
        for _ in range(200):
            try:
                found = entries.read_folder(tree, Caps(), lambda name: name == "spare")
            except (Unfit, IntakeTrouble):
                continue
            assert all(entry.data in (TEXT, b"mine", b"") for entry in found)
    finally:
        stop.set()
        racer.join()


@pytest.mark.parametrize("swapped", ["a.dat", "b"])
def test_what_becomes_a_link_between_the_look_and_the_opening_is_trouble(
    gate: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swapped: str
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "x").write_bytes(b"SECRET")
    tree = gate.tree({"bot.py": TEXT, "a.dat": b"mine", "b/x": b"mine"})
    look, looks = os.stat, []

    def look_and_swap(name: Any, **how: Any) -> os.stat_result:
        seen = look(name, **how)
        looks.append(name)
        if name == swapped.encode() and looks.count(name) == 2:  # the last one before it is opened
            (tree / swapped).rename(tmp_path / "gone")
            (tree / swapped).symlink_to(other if swapped == "b" else other / "x")
        return seen

    monkeypatch.setattr("pdcheck.conformance.gate.entries.os.stat", look_and_swap)
    with pytest.raises(IntakeTrouble):
        entries.read_folder(tree, Caps(), lambda _: False)


def test_trouble_of_the_machine_is_no_refusal(gate: Gate, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        gate.take(gate.inbox / "nothing.py")
    with pytest.raises(IntakeTrouble, match="cannot be kept"):
        read_submission(gate.put("bot.py"), PRIME, tmp_path / "nowhere")


def test_what_is_laid_can_be_read_by_whoever_builds_it(gate: Gate) -> None:
    before = os.umask(0o077)
    try:
        taken = gate.take(gate.put("a.zip", zipped({"x/main.py": TEXT, "y/field.dat": b"1"})), VALTA)
    finally:
        os.umask(before)
    modes = {
        str(p.relative_to(taken.folder)): stat.S_IMODE(p.stat().st_mode) for p in taken.folder.rglob("*")
    }
    assert modes == {"x": 0o755, "y": 0o755, "x/main.py": 0o644, "y/field.dat": 0o644}


def test_a_code_or_detail_that_is_not_in_the_table_raises() -> None:
    with pytest.raises(KeyError):
        Unfit("nonsense")
    with pytest.raises(TypeError):
        Refused("PD-6.5", "link")
    assert str(Refused("PD-6.5", "link", name="a")) == "PD-6.5: link (name=a)"
