"""The helpers of the Valtapeli referee's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def naive(helper: Callable[[Path], ModuleType]) -> ModuleType:
    """`naive.py` beside this file."""
    return helper(HERE / "naive.py")
