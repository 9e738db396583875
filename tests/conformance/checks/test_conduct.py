"""The cases in which a bot is watched, and real programs in them: each has its own runtime's threads and files."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

import pytest
from pdcheck.conformance import checks
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.case import Case, run_case
from pdcheck.conformance.checks import conduct
from pdcheck.conformance.judge import judge
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.terms import Terms

PACK = load_pack("prime-daihinmin")
CASES = checks.all_cases(PACK, "quick", 0)
BOTS = Path(str(files("pdcheck.conformance.selftest"))) / "bots" / "good" / "prime_daihinmin"
GOOD = {
    "Python": ("steady.py", "", "", "{python} {source}"),
    "C": ("tidy.c", "cc", "cc -O2 -o {out}/tidy {source}", "{out}/tidy"),
    "Java": ("Careful.java", "javac java", "javac -d {out} {source}", "java -cp {out} Careful"),
    "JavaScript": ("nimble.js", "node", "", "node {source}"),
}
"""Language → source, tools, how it is built, how it is run."""
WATCHED = [case for case in CASES if case.setting.watched == "calls"]
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing can be watched here")


def found(command: Sequence[str | Path], cases: Sequence[Case] = tuple(WATCHED[:1])) -> list[str]:
    """The requirements that these cases find broken, with what was seen."""
    told = []
    for case in cases:
        bot = read_bot([str(word) for word in command])
        log, stage = run_case(case, Terms(bot, PACK, PACK.default_rules))
        told += [f"{f.requirement}: {f.actual}" for f in judge(case, log, stage, PACK).findings]
    return told


def good(language: str, needs: Callable[[str], str], folder: Path) -> list[str]:
    """The command of a good bot, built."""
    source, tools, build, run = GOOD[language]
    for tool in tools.split():
        needs(tool)
    words = {"source": str(BOTS / source), "out": str(folder), "python": sys.executable}
    if build:
        subprocess.run([word.format(**words) for word in build.split()], check=True, capture_output=True)
    return [word.format(**words) for word in run.split()]


def wrapped(folder: Path, body: str) -> Path:
    script = folder / "start.sh"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return script


def test_few_cases_watch_and_whole_matches_are_looked_at() -> None:
    assert len(WATCHED) == 2
    assert all(case.setting.watched == "looks" for case in CASES if case.whole)
    idling = [case for case in CASES if case.setting.idles]
    assert len(idling) == 1
    assert len(idling[0].setting.idles) == 3


def test_without_a_sandbox_nothing_is_watched() -> None:
    left = conduct.unwatched(CASES)
    assert not any(case.setting.watched for case in left)
    assert [case.id for case in left] == [case.id for case in CASES if case not in WATCHED]


def test_cases_are_the_same_each_time() -> None:
    assert [case.id for case in checks.all_cases(PACK, "quick", 0)] == [case.id for case in CASES]


@pytest.mark.parametrize("start", ['exec "$@"', '"$@"', 'x=$(cat /etc/hostname); cd /; "$@"; exit $?'])
def test_a_start_script_is_no_fault(start: str, needs: Callable[[str], str], tmp_path: Path) -> None:
    assert found([wrapped(tmp_path, start), *good("C", needs, tmp_path)]) == []


MATCH = next(case for case in CASES if case.whole)


@pytest.mark.parametrize("case", [WATCHED[0], MATCH], ids=["watched", "match"])
@pytest.mark.parametrize("start", ["sleep 0.5; cd ../two; exec", "cd ../two; sleep 0.3; "])
def test_a_bot_that_is_executed_late_may_read_its_own_files(
    start: str, case: Case, needs: Callable[[str], str], tmp_path: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    steady = Path(good("Python", needs, tmp_path)[-1]).read_text()
    (tmp_path / "two" / "table.txt").write_text("2 3 5 7")
    opens = "import json\ntable = open('table.txt')\n"
    (tmp_path / "two" / "bot.py").write_text(steady.replace("import json\n", opens, 1))
    run = wrapped(tmp_path / "one", f"cd {tmp_path}/one; {start} {sys.executable} bot.py")
    assert found([run], [case]) == []


def test_what_a_bot_loads_after_a_sleep_is_its_start(needs: Callable[[str], str], tmp_path: Path) -> None:
    steady = Path(good("Python", needs, tmp_path)[-1]).read_text()
    late = "import time; time.sleep(0.6)\nimport decimal, pwd, json; pwd.getpwuid(0)\n"
    (tmp_path / "bot.py").write_text(steady.replace("import json\n", late, 1))
    assert found([sys.executable, tmp_path / "bot.py"], WATCHED) == []


def test_a_bot_may_read_beside_its_program_but_not_write(needs: Callable[[str], str], tmp_path: Path) -> None:
    steady = Path(good("Python", needs, tmp_path)[-1]).read_text()
    (tmp_path / "table.txt").write_text("2 3 5 7")
    bot = tmp_path / "bot.py"
    for mode, told in (("r", []), ("a", ["PD-6.4"])):
        bot.write_text(
            steady.replace("import json", f"import json\nopen({str(tmp_path / 'table.txt')!r}, {mode!r})", 1)
        )
        assert [line[:6] for line in found([sys.executable, bot])] == told


def test_a_thread_that_computes_in_others_turns_breaks_both(
    tmp_path: Path, needs: Callable[[str], str]
) -> None:
    steady = Path(good("Python", needs, tmp_path)[-1]).read_text()
    spinner = (
        "import json, threading\n"
        "def spin():\n"
        "    while True: pass\n"
        "threading.Thread(target=spin, daemon=True).start()\n"
    )
    (tmp_path / "bot.py").write_text(steady.replace("import json\n", spinner, 1))
    assert {line[:6] for line in found([sys.executable, tmp_path / "bot.py"])} == {"PD-6.1", "PD-6.2"}


@pytest.mark.full
def test_a_real_thread_beside_those_of_the_jvm_is_found(needs: Callable[[str], str], tmp_path: Path) -> None:
    run = good("Java", needs, tmp_path)
    assert found(run) == []
    (tmp_path / "Twin.java").write_text(
        "public class Twin { public static void main(String[] a) throws Exception {\n"
        "  Thread t = new Thread(() -> { try { Thread.sleep(1000000); } catch (InterruptedException e) {} });\n"
        "  t.setDaemon(true); t.start(); Careful.main(a); } }\n"
    )
    subprocess.run(["javac", "-cp", tmp_path, "-d", tmp_path, tmp_path / "Twin.java"], check=True)
    (told,) = found([*run[:-1], "Twin"])
    assert told.startswith("PD-6.1")
    assert "1 of them its own doing: `Thread-0`" in told


@pytest.mark.full
def test_a_worker_beside_those_of_node_is_found(needs: Callable[[str], str], tmp_path: Path) -> None:
    run = good("JavaScript", needs, tmp_path)
    assert found(run) == []
    (tmp_path / "twin.js").write_text(
        'const { Worker } = require("worker_threads");\n'
        'new Worker("setInterval(() => {}, 1000)", { eval: true }).unref();\n'
        f"require({run[-1]!r});\n"
    )
    (told,) = found([run[0], tmp_path / "twin.js"])
    assert told.startswith("PD-6.1")
