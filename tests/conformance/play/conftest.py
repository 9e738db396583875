"""What the tests of `pdcheck play` share."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BOT = """
import sys
order = [(r, c) for r in range(16, 0, -1) for c in range(16, 0, -1)]
taken = set()
def move():
    cell = next(cell for cell in order if cell not in taken)
    taken.add(cell)
    print(*cell, flush=True)
number = input()
print("LastCells", flush=True)
for made in range(128):
    if made or number == "2":
        taken.add(tuple(map(int, input().split())))
    move()
if number == "1": input()
"""
"""Takes the last free cell, and ends by itself."""


@pytest.fixture(scope="session")
def glass() -> ModuleType:
    """`glass.py` beside this file."""
    name = "helper_glass"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / "glass.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def sit(glass: ModuleType, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """`sit("valtapeli", "human", …, size=(24, 80))`: somebody sits down; the `Sitting`."""
    with ExitStack() as stack:
        yield lambda *words, **options: stack.enter_context(glass.Sitting(*words, cwd=tmp_path, **options))


@pytest.fixture
def last_cells(script: Callable[..., Path]) -> Path:
    """A small bot."""
    return script("last-cells", BOT)
