"""What is changed around a bot: real processes say what they find."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import pytest
from pdcheck.conformance.checks import repeats
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.repeats import clock, surroundings
from pdcheck.conformance.repeats.conditions import untried

PACK = load_pack("valtapeli")

linux = pytest.mark.skipif(sys.platform != "linux", reason="only on Linux")
PROBE = "import time; print(time.time(), time.time_ns() // 10**9, time.monotonic())"
THREADED = f"import threading; t = threading.Thread(target=int); t.start(); t.join(); {PROBE}"


@pytest.fixture
def library(needs: Callable[[str], str], tmp_path: Path) -> Path:
    """A folder in which the clock is ready."""
    needs("cc")
    assert clock.prepare(str(tmp_path)) == {}
    assert [file.name for file in tmp_path.iterdir()] == [clock.OWN], "nothing else is left there"
    return tmp_path


def told(kind: str, folder: Path, code: str = PROBE) -> list[float]:
    """What the clocks show a process that is given this one."""
    env = {**os.environ, **{key: str(value) for key, value in clock.variables(kind, str(folder)).items()}}
    said = subprocess.run([sys.executable, "-I", "-S", "-c", code], env=env, capture_output=True, check=True)
    assert not said.stderr
    return [float(word) for word in said.stdout.split()]


@linux
def test_another_date_is_later_and_no_other_clock_is(library: Path) -> None:
    before, since = time.time(), time.monotonic()
    date, nanoseconds, monotonic = told(clock.ANOTHER, library)
    assert before + clock.SHIFT - 1 <= date <= time.time() + clock.SHIFT + 1
    assert abs(nanoseconds - date) <= 2
    assert since <= monotonic <= time.monotonic()


@linux
def test_a_counted_clock_is_the_same_in_every_run_and_another_one_otherwise(library: Path) -> None:
    first = told(clock.COUNTED, library)
    assert first == told(clock.COUNTED, library)
    assert all(one != other for one, other in zip(first, told(clock.COUNTED_OTHERWISE, library), strict=True))


@linux
def test_where_threads_wait_for_each_other_the_monotonic_clock_is_left_alone(library: Path) -> None:
    since = time.monotonic()
    date, _, monotonic = told(clock.COUNTED, library, THREADED)
    assert since <= monotonic <= time.monotonic()
    assert date > time.time() + 10_000_000


@linux
def test_without_a_compiler_or_libfaketime_it_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(clock, "faketime", lambda: "")
    told = clock.prepare(str(tmp_path))
    assert set(told) == {clock.ANOTHER, clock.COUNTED, clock.COUNTED_OTHERWISE}
    assert all("neither libfaketime nor a C compiler" in why for why in told.values())
    assert clock.variables(clock.ANOTHER, str(tmp_path)) == {}


@linux
def test_a_compiler_that_fails_is_no_trouble(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/false")
    monkeypatch.setattr(clock, "faketime", lambda: "")
    assert set(clock.prepare(str(tmp_path)).values()) == {"the C compiler does not work (exit status 1)"}
    assert not (tmp_path / clock.OWN).exists()
    assert clock.variables(clock.ANOTHER, str(tmp_path)) == {}


@linux
def test_a_library_that_changes_nothing_is_told(
    needs: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Some folders may hold no library that is loaded: the program then sees the usual clock, and runs on."""
    needs("cc")
    monkeypatch.setattr(clock, "faketime", lambda: "")
    (tmp_path / clock.OWN).write_bytes(b"no library")
    told = clock.prepare(str(tmp_path))
    assert told[clock.ANOTHER] == f"a program with {clock.OWN} sees the usual clock (exit status 0)"
    assert set(told) == {clock.ANOTHER, clock.COUNTED, clock.COUNTED_OTHERWISE}
    assert [clock.variables(kind, str(tmp_path)) for kind in told] == [{}] * 3, "a bot is not given it"


@linux
def test_a_clock_that_is_counted_needs_the_library_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """libfaketime alone gives another date."""
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(clock, "faketime", lambda: "/lib/libfaketime.so.1")
    monkeypatch.setattr(clock, "_refused", lambda kind, folder: "")
    held = dict.fromkeys((clock.COUNTED, clock.COUNTED_OTHERWISE), "no C compiler is installed")
    assert clock.prepare(str(tmp_path)) == held
    [case] = [case for case in repeats.cases(PACK, 0, 1, 8, each=True) if case.repeats == "clock"][:1]
    assert {name: why for name, why in untried([case], str(tmp_path)).items() if "clock" in name} == {
        "held-clock": "no C compiler is installed"
    }


@linux
def test_a_program_that_loads_no_library_is_given_no_other_clock(
    needs: Callable[[str], str], tmp_path: Path
) -> None:
    """That it plays the same way would then say nothing of another date."""
    source = tmp_path / "bot.c"
    source.write_text("int main(void) { return 0; }\n")
    for name, how in (("shared", ()), ("static", ("-static",)), ("static-pie", ("-static-pie",))):
        subprocess.run([needs("cc"), *how, "-o", tmp_path / name, source], check=True)
    assert clock.unseen(str(tmp_path / "shared")) == clock.unseen(sys.executable) == {}
    assert clock.unseen(str(source)) == clock.unseen(str(tmp_path / "gone")) == {}
    case = next(case for case in repeats.cases(PACK, 0, 1, 8, each=True) if case.repeats == "clock")
    for name in ("static", "static-pie"):
        told = untried([case], str(tmp_path), str(tmp_path / name))
        assert {row: why for row, why in told.items() if "clock" in row} == {
            "clock": clock.STATIC,
            "held-clock": clock.STATIC,
        }


@linux
def test_what_is_started_inside_has_fixed_addresses_and_nothing_else_has() -> None:
    if why := surroundings.refusal():
        pytest.skip(why)

    def start() -> int:
        return int(subprocess.check_output(["cat", "/proc/self/personality"]), 16)

    with ExitStack() as stack:
        with surroundings.around(stack, fixed=True, crowded=False):
            assert start() & surroundings.ADDR_NO_RANDOMIZE
        assert not start() & surroundings.ADDR_NO_RANDOMIZE


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no core can be chosen here")
def test_a_crowded_bot_shares_its_core_with_a_process_that_computes_and_ends(gear: ModuleType) -> None:
    code = "import os; print(*os.sched_getaffinity(0))"
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    before, known = os.sched_getaffinity(0), set(children.read_text().split())
    with ExitStack() as stack:
        with surroundings.around(stack, fixed=False, crowded=True):
            cores = subprocess.check_output([sys.executable, "-I", "-S", "-c", code]).split()
        assert len(cores) == 1
        assert os.sched_getaffinity(0) == before
        started = [int(pid) for pid in set(children.read_text().split()) - known]
        busy = [pid for pid in started if os.sched_getaffinity(pid) == {int(cores[0])}]
        assert len(busy) == 1
        used = Path(f"/proc/{busy[0]}/schedstat")
        first = int(used.read_text().split()[0])
        gear.until(lambda: int(used.read_text().split()[0]) > first, "it computes")
    assert not gear.alive(busy[0])
