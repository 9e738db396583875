"""What the tests of the commands share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest


class Played(NamedTuple):
    """What one match left."""

    status: int
    out: str
    err: str
    log: Mapping[str, Any]

    def status_of(self, name: str) -> tuple[str, str]:
        """Score and status as printed: the words of an error up to the time at the end of the line."""
        row = re.search(rf"^\d : {name} (\d+) (.*) -?\d+\.\d+$", self.out, re.M)
        assert row, self.out
        return row[1], row[2]


Play = Callable[..., Played]


@pytest.fixture
def play(gear: ModuleType, tmp_path: Path) -> Play:
    """`play("A", command, "B", command, …)` with `-s`, a seed and a transcript."""

    def run(*words: str | Path, seed: int | None = 1, show: bool = True, rules: str = "published") -> Played:
        file = tmp_path / "transcript.json"
        options = ["--rules", rules, "--transcript", str(file), *(["-s"] if show else [])]
        options += [] if seed is None else ["--seed", str(seed)]
        done = gear.kit("match", *options, *words, cwd=tmp_path)
        return Played(done.returncode, done.stdout, done.stderr, json.loads(file.read_text()))

    return run
