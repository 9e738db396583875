"""The second formulation of the rules, courses driven by hand, and the facts of the sample match."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def naive(helper: Callable[[Path], ModuleType]) -> ModuleType:
    """`naive.py` beside this file."""
    return helper(HERE / "naive.py")


@pytest.fixture(scope="session")
def walks(helper: Callable[[Path], ModuleType]) -> ModuleType:
    """`walk.py` beside this file."""
    return helper(HERE / "walk.py")


@pytest.fixture(scope="session")
def sample() -> dict[str, Any]:
    """What `sample_match.json` says of itself in its `about`."""
    facts: dict[str, Any] = json.loads((HERE / "sample_match.json").read_text(encoding="ascii"))
    return facts
