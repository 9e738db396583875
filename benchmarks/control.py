"""The contest's control program, made to run on today's Python and to deal by seed.

Law: it is not part of the project. Its place is an argument; it is patched into the scratch folder by a few
substitutions, each of which has to fit (or to be there already).
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

SEED = "BENCHMARK_DEAL"
"""The environment variable that holds the deal's seed."""


class Patch(NamedTuple):
    """Replace the first `old` by `new`; not needed where `done` is there already. All but `new` are patterns."""

    old: str
    new: str
    done: str


PATCHES = (
    Patch(r"\.setDaemon\((\w+)\)", r".daemon = \1", r"\.daemon = |daemon=True"),
    Patch(r"\.isAlive\(", ".is_alive(", r"\.is_alive\("),
    # The second fault: before the first turn there is no current player to name.
    Patch(r"self\.player\.name, str\(e\)", "player.name, str(e)", r"\bplayer\.name, str\(e\)"),
    Patch(
        r"random\.shuffle\(self\.stock\)",
        f'random.seed(int(os.environ["{SEED}"])), random.shuffle(self.stock)',
        r"(?!)",
    ),
)


class NotTheControlProgram(Exception):
    """The file given is not it; the message says what was missing."""


def patched(source: Path, scratch: Path, *, document: bool) -> Path:
    """The program, patched, as a file in `scratch`. Of a `document` the first Python listing is taken.

    Raises NotTheControlProgram.
    """
    text = source.read_text("utf-8").replace("\u00a0", " ")
    if document:
        listing = re.search(r"^#![^\n]*python.*?^if __name__ ==[^\n]*\n[^\n]+\n", text, re.M | re.S)
        if listing is None:
            raise NotTheControlProgram(f"{source}: there is no Python listing in it")
        text = listing[0]
    for patch in PATCHES:
        text, times = re.subn(patch.old, patch.new, text, count=1)
        if not times and not re.search(patch.done, text):
            raise NotTheControlProgram(f"{source}: nothing in it looks like {patch.old}")
    program = scratch / "control_program.py"
    program.write_text(text, "utf-8")
    return program


def load(program: Path) -> ModuleType:
    """The program as a module."""
    spec = importlib.util.spec_from_file_location("control_program", program)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bury(process: subprocess.Popen[bytes]) -> None:
    """End and reap one of its bots, which it leaves behind."""
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
