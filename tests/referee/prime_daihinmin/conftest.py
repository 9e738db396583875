"""The second formulation of the rules, and the facts of the announcement's sample match."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def naive() -> ModuleType:
    """`naive.py` beside this file; tests are imported by path, so it is too."""
    spec = importlib.util.spec_from_file_location("prime_daihinmin_naive", HERE / "naive.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def sample() -> dict[str, Any]:
    """What `sample_match.json` says of itself in its `about`."""
    facts: dict[str, Any] = json.loads((HERE / "sample_match.json").read_text(encoding="ascii"))
    return facts
