"""Another date and time of day for a bot, by a library that is loaded before its C library.

Law: libfaketime is used for another date where it is installed, else a page of C (`clock.c`) where there is a compiler,
and that one for a clock that is counted. It is compiled once, before the first case, and a small program is run with
each clock: where it does not see it, that is said, and this clock is not given to a bot. Nor is it to a program that
loads no library at all: that it plays the same way would say nothing.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path

from pdcheck.conformance.files import opened
from pdcheck.conformance.transports.warden import warden

ANOTHER, COUNTED, COUNTED_OTHERWISE = "another", "counted", "counted-otherwise"
"""Another date, going on as usual; and two clocks that only go on when they are read, each the same in every run."""
USUAL = "usual"
"""The clock there is, by way of the library that gives another date: whether a bot bears the library."""
SHIFT = 413 * 86_400 + 19_051
"""Seconds by which another date is later: more than a year, and no whole number of days, hours or minutes."""
FAKETIME = "libfaketime.so.1"
FOLDERS = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64")
OWN = "pdcheck-clock.so"
_OWN_WORDS = {ANOTHER: f"+{SHIFT}", COUNTED: "x2", COUNTED_OTHERWISE: "x3"}
_REFUSED = "no-{}-clock"
"""A file by which the processes that start the bots know that a clock is not given to them."""
STATIC = "the program is linked statically, and so loads no library that could give it one"
MOST_HEADERS = 1 << 16
LITTLE, WIDE = 1, 2
"""EI_DATA and EI_CLASS of a little-endian and of a 64-bit ELF file."""
LOADER = 3
"""PT_INTERP: the entry of an ELF file that names the loader of its shared libraries."""
WITHIN = 30.0
"""Seconds for the compiler, or for the program that looks at a clock."""
_LOOK = "import time; print(int(time.time()))"


def prepare(folder: str) -> Mapping[str, str]:
    """Make ready in this folder what `variables` needs; the clocks that cannot be had here, each with the reason."""
    if sys.platform != "linux":
        return dict.fromkeys(_OWN_WORDS, "only on Linux")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    why = (
        "neither libfaketime nor a C compiler is installed"
        if not faketime()
        else "no C compiler is installed"
    )
    if compiler and not os.path.exists(os.path.join(folder, OWN)):
        why = _compile(compiler, folder)
    found = {kind: _refused(kind, folder) if variables(kind, folder) else why for kind in _OWN_WORDS}
    refused = {kind: reason for kind, reason in found.items() if reason}
    for kind in refused:
        Path(folder, _REFUSED.format(kind)).touch()
    return refused


def unseen(program: str, folder: str = ".") -> Mapping[str, str]:
    """The clocks that this program, started in this folder, would not see, each with the reason: all of them where it
    is linked statically."""
    try:
        static = _static(os.path.join(folder, program))
    except (
        OSError,
        ValueError,
        OverflowError,
        IndexError,
        struct.error,
    ):  # no program that anybody could start
        static = False
    return dict.fromkeys(_OWN_WORDS, STATIC) if static else {}


def _static(program: str) -> bool:
    """Whether it is a program that names no loader of libraries."""
    with opened(program) as file:
        ident = file.read(16)
        if ident[:4] != b"\x7fELF":
            return False
        order, wide = "<" if ident[5] == LITTLE else ">", ident[4] == WIDE
        rest = struct.unpack(order + ("HHIQQQIHHH" if wide else "HHIIIIIHHH"), file.read(42 if wide else 30))
        at, size, count = rest[4], rest[8], rest[9]
        file.seek(at)
        table = file.read(min(size * count, MOST_HEADERS))
    kinds = {struct.unpack_from(order + "I", table, i)[0] for i in range(0, len(table) - 3, size)}
    return bool(kinds) and LOADER not in kinds


def variables(kind: str, folder: str | None) -> Mapping[str, str | None]:
    """The environment variables by which a bot gets this clock; none where there is no way, or no other clock asked."""
    own = os.path.join(folder, OWN) if folder else ""
    if folder and os.path.exists(os.path.join(folder, _REFUSED.format(kind))):
        return {}
    library = faketime()
    if kind == ANOTHER and library:
        return _faked(library, SHIFT)
    if kind == USUAL and library:
        return _faked(library, 0)
    if kind and own and os.path.exists(own):
        return {"LD_PRELOAD": own, "PDCHECK_CLOCK": {**_OWN_WORDS, USUAL: "+0"}[kind]}
    return {}


def _faked(library: str, shift: int) -> Mapping[str, str | None]:
    return {"LD_PRELOAD": library, "FAKETIME": f"+{shift}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


def faketime() -> str:
    """The path of libfaketime; "" where it is not installed."""
    places = [Path(folder, f"{platform.machine()}-linux-gnu") for folder in FOLDERS] + [*map(Path, FOLDERS)]
    found = (place / "faketime" / FAKETIME for place in places)
    return next((str(file) for file in found if file.is_file()), "")


def _compile(compiler: str, folder: str) -> str:
    """Compile the library; "" or why that failed. It takes its place at once, whole."""
    source = files("pdcheck.conformance.repeats").joinpath("clock.c")
    with as_file(source) as code, tempfile.TemporaryDirectory(dir=folder) as place:
        made = os.path.join(place, OWN)
        command = [compiler, "-shared", "-fPIC", "-O1", "-w", "-o", made, str(code), "-ldl"]
        try:
            status, _ = _run(command, place)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"the C compiler does not work ({type(error).__name__})"
        if status:
            return f"the C compiler does not work (exit status {status})"
        os.replace(made, os.path.join(folder, OWN))
    return ""


def _refused(kind: str, folder: str) -> str:
    """Why a program that is given this clock does not see it; "" when it does."""
    given = {name: value for name, value in variables(kind, folder).items() if value is not None}
    library = os.path.basename(given["LD_PRELOAD"])
    before = int(time.time())
    try:
        status, said = _run([sys.executable, "-I", "-S", "-c", _LOOK], folder, given)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"a program with {library} does not run ({type(error).__name__})"
    after = int(time.time())
    date = int(said) if said.strip().isdigit() else before
    seen = before + SHIFT <= date <= after + SHIFT if kind == ANOTHER else not before <= date <= after
    return (
        ""
        if status == 0 and seen
        else f"a program with {library} sees the usual clock (exit status {status})"
    )


def _run(command: Sequence[str], folder: str, given: Mapping[str, str] | None = None) -> tuple[int, bytes]:
    """The command's exit status and output. What it starts is in its group, and what it makes in the folder: neither
    stays."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": folder, **(given or {})},
        start_new_session=True,
    )
    try:
        warden().began(process.pid)
        said, _ = process.communicate(timeout=WITHIN)
        return process.returncode, said
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        warden().ended(process.pid)
