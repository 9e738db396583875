"""Whole submissions through `pdcheck gate`: built, judged behind walls, and told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pdcheck import schemas
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.selftest import programs
from uploads import symlink_zip, zipped

GOOD = programs.bots_folder("good", load_pack("prime-daihinmin"))
TIDY, STEADY = GOOD / "tidy.c", GOOD / "steady.py"
Gate = Callable[..., Any]


@pytest.fixture
def gate(pdcheck: Callable[..., Any], needs: Callable[[str], str], tmp_path: Path) -> Gate:
    """`gate(name, text, *options)`: hand in a file of this name; (exit status, stdout, the JSON report)."""
    for tool in ("bwrap", "cc", "python3"):
        needs(tool)

    def run(name: str, text: str | bytes, *options: str | Path) -> tuple[int, str, Mapping[str, Any]]:
        upload = tmp_path / "uploads" / name
        upload.parent.mkdir(exist_ok=True)
        upload.write_bytes(text if isinstance(text, bytes) else text.encode())
        file = tmp_path / "report.json"
        file.unlink(missing_ok=True)
        said = pdcheck("gate", "--profile", "quick", "--json", file, *options, upload)
        report = json.loads(file.read_text("utf-8")) if file.exists() else {}
        if report:
            assert not schemas.explain("report", report)
        return said.status, said.out, report

    return run


def statuses(report: Mapping[str, Any], *, than: str = "pass") -> dict[str, str]:
    return {row["id"]: row["status"] for row in report["requirements"] if row["status"] != than}


def test_a_good_bot_in_c_is_admitted_and_everything_was_judged(gate: Gate, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    status, out, report = gate(
        "tidy.c", TIDY.read_bytes(), "--report-dir", folder, "--html", tmp_path / "page.html"
    )
    assert (status, out) == (0, "tidy.c: admitted.\n")
    assert report["verdict"] == "conforms"
    assert statuses(report) == {}, "PD-6.5 and PD-6.7 as well"
    assert set(report["machine"]["limits"].values()) == {"enforced"}
    gate_ = report["gate"]
    assert gate_["decision"] == "admitted"
    assert gate_["submission"]["language"] == "c"
    assert all(row["status"] == "enforced" and row["attempts"] for row in gate_["properties"])
    assert set(gate_["build"]["tools"]) == {"C (GCC)"}
    assert {"report.json", "report.html", "build.log", "feedback.en.txt", "feedback.ja.txt"} <= {
        file.name for file in folder.iterdir()
    }
    assert "tidy.c" in (tmp_path / "page.html").read_text("utf-8")


BROKEN = '#include "nothing.h"\nint main(void) { return helper(); }\n'


def test_what_does_not_compile_is_refused_with_the_compilers_words_and_no_path(gate: Gate) -> None:
    status, out, report = gate("bot.c", BROKEN)
    assert status == 1
    assert report["verdict"] == "fails"
    assert report["gate"]["refusal"]["code"] == "build-failed"
    assert statuses(report, than="not-run") == {"IO-1": "fail"}
    assert "nothing.h: No such file" in out
    assert "bot.c:1:10" in out
    for hidden in (tempfile.gettempdir(), "pdcheck-", os.path.expanduser("~"), os.getcwd()):
        assert hidden not in out


@pytest.mark.parametrize(("lang", "word"), [("en", "not admitted"), ("ja", "受理"), ("fi", "hyväksytty")])
def test_the_submitter_is_told_in_three_languages(gate: Gate, lang: str, word: str) -> None:
    status, out, report = gate("bot.c", BROKEN, "--lang", lang)
    assert status == 1
    assert word in out
    assert out == report["gate"]["feedback"][lang]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("large.py", b"#" * 2**20 + b"\n", "source-too-big"),
        ("bot.bas", b"print 1\n", "unsupported-language"),
        ("bot.xyz", b"what\n", "unknown-language"),
        ("bot.c", b"\x7fELF", "not-text"),
        ("linked.zip", symlink_zip("bot.py", "/etc/passwd"), "link"),
        ("escape.zip", zipped({"../bot.py": b"print(1)\n"}), "outside"),
        ("two.zip", zipped({"a.py": b"print(1)\n", "b.py": b"print(1)\n"}), "several-sources"),
    ],
)
def test_what_the_contest_does_not_take_is_refused_before_anything_is_built(
    gate: Gate, name: str, data: bytes, code: str
) -> None:
    status, _, report = gate(name, data)
    assert status == 1
    assert report["gate"]["refusal"]["code"] == code
    assert report["gate"]["refusal"]["requirement"] == "PD-6.5"
    assert statuses(report, than="not-run") == {"PD-6.5": "fail"}


def test_a_user_id_that_is_none_is_refused(gate: Gate) -> None:
    status, _, report = gate("tidy.c", TIDY.read_bytes(), "--user", "-me")
    assert (status, report["gate"]["refusal"]["requirement"]) == (1, "PD-6.6")


def test_a_wall_that_does_not_hold_is_no_refusal(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pdcheck.conformance.gate.walling.failed", lambda held: ["network: a port was reached"]
    )
    status, out, report = gate("tidy.c", TIDY.read_bytes())
    assert (status, report) == (3, {})
    assert "test system failed, not your program" in out


def test_the_same_again_is_known_and_another_seed_is_not(
    gate: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    _, out, first = gate("tidy.c", TIDY.read_bytes(), "--cache", cache)
    with monkeypatch.context() as patched:
        patched.setattr("pdcheck.conformance.gate.judging.build", lambda *_: pytest.fail("it is built again"))
        assert gate("tidy.c", TIDY.read_bytes(), "--cache", cache) == (0, out, first)
    _, _, other = gate("bot.c", BROKEN, "--cache", cache)
    assert other["verdict"] == "fails"
    status, out, _ = gate("renamed.c", BROKEN, "--cache", cache)
    assert (status, out.split(":")[0]) == (1, "renamed.c")


ASKED = "def answer(line):\n"
# Each is tried by a good bot whenever it is asked, and it plays on: who only looks at its answers sees nothing.
HIDDEN = """    import contextlib
    with contextlib.suppress(BaseException):
        {code}
"""
TRIED: Mapping[str, tuple[str, str]] = {
    "connects": ("PD-6.4", "import socket; socket.create_connection(('127.0.0.1', 1), 1)"),
    "an abstract socket": (
        "PD-6.4",
        "import socket; socket.socket(socket.AF_UNIX).connect('\\0pdcheck')",
    ),
    "reads the passwords": ("PD-6.4", "open('/etc/passwd').read()"),
    "reads the transcripts": ("PD-6.4", "open('/tmp/.pdcheck/transcript.json').read()"),
    "reads the referee's memory": ("PD-6.4", "open('/proc/1/mem').read(1)"),
    "reads the referee's environment": ("PD-6.4", "open('/proc/1/environ').read(1)"),
    "looks for other submissions": ("PD-6.4", "open('/var/spool/submissions/bot.py').read()"),
    "fills its temporary files": ("PD-6.4", "open('/tmp/full', 'wb').write(bytes(1 << 30))"),
    "forks": ("PD-6.1", "import os; os.fork() or os._exit(0)"),
    "makes a session of its own": ("PD-6.1", "import os; os.fork() == 0 and (os.setsid(), os._exit(0))"),
    "starts a thread": ("PD-6.1", "import threading; threading.Thread(target=int).start()"),
    "stops its parent": ("IO-16", "import os; os.kill(os.getppid(), 19)"),
    "kills everybody": ("IO-16", "import os; os.kill(-1, 9)"),
}


@pytest.mark.full
@pytest.mark.parametrize("name", TRIED)
def test_what_a_wall_keeps_off_is_a_finding_though_the_bot_hides_it(gate: Gate, name: str) -> None:
    requirement, code = TRIED[name]
    source = STEADY.read_text("utf-8")
    assert source.count(ASKED) == 1
    status, out, report = gate("bot.py", source.replace(ASKED, ASKED + HIDDEN.format(code=code)))
    assert status == 1
    assert {row for row, found in statuses(report).items() if found == "fail"} == {requirement}
    assert requirement in out


BOMBS: Mapping[str, tuple[str, str]] = {
    "includes an endless file": ("bot.c", '#include "/dev/zero"\nint main(void) { return 0; }\n'),
    "includes the passwords": ("bot.c", '#include "/etc/passwd"\nint main(void) { return 0; }\n'),
    "an endless template": (
        "bot.cpp",
        "template <int N> struct T { T<N + 1> *next; static int f() { return T<N + 1>::f(); } };\n"
        "int main() { return T<0>::f(); }\n",
    ),
    "an endless constant": (
        "bot.cpp",
        "constexpr long f(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i % 3; return s; }\n"
        "static_assert(f(1L << 60) == 1);\nint main() { return 0; }\n",
    ),
    "macros that double": (
        "bot.c",
        "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\n#define C(x) B(B(B(x)))\n"
        "int main(void) { return 0; }\nchar t[] = { C(1,) };\n",
    ),
    "a program without end": ("bot.c", "char big[1L << 40] = {1};\nint main(void) { return big[0]; }\n"),
    "no code at all": ("bot.java", "class Bot { }\n"),
}


@pytest.mark.full
@pytest.mark.parametrize("name", BOMBS)
def test_a_build_that_is_an_attack_is_refused_and_leaves_nothing(gate: Gate, name: str) -> None:
    file, text = BOMBS[name]
    status, out, report = gate(file, text)
    assert status == 1
    assert report["gate"]["refusal"]["requirement"] in ("IO-1", "PD-6.5")
    assert "root:" not in out, "what is in the password file"
    assert gate("bot.py", "print(\n")[0] == 1, "the gate goes on"


MAKEFILE = b"all:\n\techo escaped > /usr/escaped\n\techo escaped > ../escaped\n\tcc -O2 -o bot tidy.c\n"


@pytest.mark.full
def test_a_makefile_builds_a_bot_and_writes_nowhere_else(gate: Gate, needs: Callable[[str], str]) -> None:
    needs("make")
    good = zipped({"tidy.c": TIDY.read_bytes(), "Makefile": b"bot: tidy.c\n\tcc -O2 -o bot tidy.c\n"})
    assert gate("good.zip", good)[:2] == (0, "good.zip: admitted.\n")
    status, _, report = gate("bad.zip", zipped({"tidy.c": TIDY.read_bytes(), "Makefile": MAKEFILE}))
    assert (status, report["gate"]["refusal"]["code"]) == (1, "build-failed")
    assert not Path("/usr/escaped").exists()


@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("prime-daihinmin", "steady.py"),
        ("prime-daihinmin", "keeper.cpp"),
        ("prime-daihinmin", "Careful.java"),
        ("prime-daihinmin", "nimble.js"),
        ("valtapeli", "mason.c"),
        ("valtapeli", "mirror.py"),
        ("valtapeli", "plain.sh"),
        ("valtapeli", "Surveyor.java"),
        ("valtapeli", "ripple.js"),
    ],
)
def test_every_good_bot_is_admitted(gate: Gate, needs: Callable[[str], str], game: str, name: str) -> None:
    for tool in {".cpp": ("g++", "gmpxx.h", "nlohmann/json.hpp"), ".java": ("javac",), ".js": ("node",)}.get(
        Path(name).suffix, ()
    ):
        needs(tool)
    source = programs.bots_folder("good", load_pack(game)) / name
    status, out, report = gate(name, source.read_bytes(), "--game", game)
    assert (status, out) == (0, f"{name}: admitted.\n")
    assert {row for row, found in statuses(report).items() if found != "not-run"} == set()


def test_whoever_does_not_read_changes_no_verdict(gate: Gate, tmp_path: Path) -> None:
    """A page that has gone, or a full disk behind stdout, is not taken for an admission."""
    (tmp_path / "bot.c").write_text(BROKEN)
    command = [sys.executable, "-m", "pdcheck.conformance", "gate", "--json", "r.json", "bot.c"]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.DEVNULL, check=False)
    assert ended.returncode == 1
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["verdict"] == "fails"


def test_a_relative_path_is_no_secret_of_the_host(
    gate: Gate, pdcheck: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "bot.c").write_text(BROKEN)
    said = pdcheck("gate", "--lang", "en", "bot.c")
    assert said.status == 1
    assert said.out.startswith("bot.c: not admitted.\n")
    assert "bot.c:1:10" in said.out


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--executor", "nonsense"), "only with --watch"),
        (("--once",), "only with --watch"),
        (("--language", "klingon"), "no such language"),
        (("--json", "-", "--html", "-"), "stdout holds one of them"),
        (("--watch", ".", "--out", "out", "--language", "klingon"), "no such language"),
        (("--watch", "."), "needs --out"),
    ],
)
def test_wrong_options_are_told_before_anything_is_taken(
    pdcheck: Callable[..., Any], options: tuple[str, ...], word: str
) -> None:
    said = pdcheck("gate", *options, *(() if "--watch" in options else ("bot.c",)))
    assert said.status == 2
    assert word in said.err


def made(recipe: str, **more: bytes) -> bytes:
    """An archive of a good source and a Makefile with these lines."""
    lines = "".join(f"\t{line}\n" for line in recipe.split("\n"))
    return zipped({"tidy.c": TIDY.read_bytes(), "Makefile": f"all:\n{lines}".encode(), **more})


@pytest.mark.full
@pytest.mark.parametrize("game", ["prime-daihinmin", "valtapeli"])
@pytest.mark.parametrize(
    "recipe",
    [
        "printf '\\177ELF' > bot; chmod 755 bot",
        "printf '\\177ELF\\002\\001%060d' 1 > bot; chmod 755 bot",
        "ln -s /etc/shadow bot",
        "mkdir bot",
        "mkfifo bot",
        "cc -O2 -o bot tidy.c -lgmp; chmod 0 bot",
    ],
)
def test_what_a_makefile_makes_may_be_no_program(
    gate: Gate, needs: Callable[[str], str], game: str, recipe: str
) -> None:
    needs("make")
    status, _, report = gate("bot.zip", made(recipe), "--game", game)
    assert status == 1
    assert {row for row, found in statuses(report).items() if found == "fail"} == {"IO-1"}


@pytest.mark.full
def test_a_pipe_that_a_bot_is_started_with_is_not_waited_for(gate: Gate, needs: Callable[[str], str]) -> None:
    needs("make")
    archive = made("mkfifo p", **{"pdcheck.toml": b'run = ["/bin/sh", "./p"]\n'})
    assert gate("bot.zip", archive, "--game", "valtapeli")[0] == 1


@pytest.mark.full
def test_folders_within_folders_are_taken_away(gate: Gate, needs: Callable[[str], str]) -> None:
    needs("make")
    recipe = "cc -O2 -o bot tidy.c -lgmp\nfor i in `seq 1200`; do mkdir d; cd d; done\nchmod 0 ."
    before = set(_scratch())
    status, out, _ = gate("bot.zip", made(recipe))
    assert (status, out) == (0, "bot.zip: admitted.\n")
    deep = "/".join(["bot", *["d"] * 100])
    assert not [name for name in set(_scratch()) - before if list(Path(_place(name)).glob(f"*/{deep}"))]


def _scratch() -> list[str]:
    return [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("pdcheck-")]


def _place(name: str) -> str:
    return os.path.join(tempfile.gettempdir(), name)
