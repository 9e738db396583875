"""What is said to be watched, by what the system lets be seen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pdcheck.conformance import watch


@pytest.mark.parametrize(
    ("value", "user", "readable"),
    [("0", 1000, True), ("1", 1000, True), ("2", 1000, False), ("3", 1000, False), ("2", 0, True)],
)
def test_files_are_not_called_watched_where_no_memory_can_be_read(
    value: str, user: int, readable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scope").write_text(value + "\n")
    monkeypatch.setattr(watch, "_YAMA", str(tmp_path / "scope"))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert watch.paths_readable() is readable
    told = watch.limits("watch")
    assert (told["files"] == told["processes"]) is readable
    assert readable or told["files"] == "off"


def test_a_system_without_that_setting_lets_it_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "_YAMA", "/no/such/file")
    assert watch.paths_readable()
