"""What every test file may use, and what every test run is held to.

A tool that a test needs is asked for with the fixture ``needs``: absent, the test is skipped on a developer's
machine and fails where ``CI`` is set. No test may leave a process behind: each test process looks for its
children at the end.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Other work on the machine must not fail a test: no deadline for an example, none for drawing one. What
# hypothesis sets by itself where CI is set (derandomized, no database) stays.
settings.register_profile(
    "tests", parent=settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")


def pytest_xdist_auto_num_workers() -> int:
    """Two test processes a core: most of a test's time it waits for a bot to start, to answer or to end."""
    return 2 * (len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1)


# Whoever starts the tests in the background has these ignored, and so would all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
for _number in (signal.SIGQUIT, signal.SIGHUP):
    signal.signal(_number, signal.SIG_DFL)

COMMANDS = {  # command: the Debian package that has it
    "bash": "bash",
    "bwrap": "bubblewrap",
    "c++": "g++",
    "cc": "gcc",
    "g++": "g++",
    "gcc": "gcc",
    "git": "git",
    "java": "default-jdk-headless",
    "javac": "default-jdk-headless",
    "make": "make",
    "node": "nodejs",
    "ps": "procps",
    "python3": "python3",
}
HEADERS = {  # header: the Debian package that has it
    "gmp.h": "libgmp-dev",
    "gmpxx.h": "libgmp-dev",
    "nlohmann/json.hpp": "nlohmann-json3-dev",
}

# Processes that belong to the interpreter for as long as it lives, by a part of their command line.
THE_INTERPRETERS_OWN = ("multiprocessing.resource_tracker",)

_first_seen: dict[int, str] = {}  # a child's pid: the test after which it was first seen


@cache
def _find_header(name: str) -> str | None:
    """The header as the C++ compiler finds it: its folders differ between systems."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        return None
    probe = subprocess.run(
        [compiler, "-x", "c++", "-E", "-"],
        input=f"#include <{name}>\n",
        capture_output=True,
        text=True,
        check=False,
    )
    return name if probe.returncode == 0 else None


@pytest.fixture(scope="session")
def needs() -> Callable[[str], str]:
    """Ask for a command (``needs("node")`` → its path) or a C header (``needs("gmp.h")`` → its name).

    Absent, it skips the test with the package to install, or fails it where ``CI`` is set: there, a skip
    would hide that nothing was tested. A name in neither table raises KeyError.
    """

    def ask(name: str) -> str:
        if name in HEADERS:
            package, found = HEADERS[name], _find_header(name)
        else:
            package, found = COMMANDS[name], shutil.which(name)
        if found is not None:
            return found
        reason = f"needs {name} (Debian package {package})"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)

    return ask


def _children() -> dict[int, str]:
    """This process's children, zombies too: pid → command line. Empty where the kernel does not tell."""
    found: dict[int, str] = {}
    for listing in Path("/proc/self/task").glob("*/children"):
        try:
            pids = listing.read_text().split()
        except OSError:  # the thread has ended since
            continue
        for pid in pids:
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
                name = Path(f"/proc/{pid}/comm").read_text().strip()
            except OSError:  # the child has ended and was reaped since
                continue
            line = b" ".join(words).decode(errors="replace")
            if not any(part in line for part in THE_INTERPRETERS_OWN):
                found[int(pid)] = line or f"[{name}] (ended, never waited for)"
    return found


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Note after which test a child was first there, so that the message at the end can say it."""
    now = {pid: _first_seen.get(pid, nodeid) for pid in _children()}
    _first_seen.clear()  # a pid that is gone may come again as another process
    _first_seen.update(now)


@pytest.fixture(scope="session", autouse=True)
def _no_process_left() -> Iterator[None]:
    """Autouse and of the widest scope, so that it is torn down after every other fixture."""
    before = _children()
    yield
    left = [
        f"  {pid}  {line}  (first seen after {_first_seen.get(pid, 'the last test')})"
        for pid, line in _children().items()
        if pid not in before
    ]
    if left:
        pytest.fail("the tests left processes behind:\n" + "\n".join(left), pytrace=False)
