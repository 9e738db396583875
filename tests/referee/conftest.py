"""Helpers of the referee's tests: tests are imported by path, so their helpers are loaded by path, too."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"helper_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def helper() -> Callable[[Path], ModuleType]:
    """Load one helper: its path in, the module out."""
    return _loaded


@pytest.fixture(scope="session")
def toys() -> ModuleType:
    """`toys.py` beside this file."""
    return _loaded(HERE / "toys.py")
