"""A contestant's own bot behind walls: `--sandbox best` and `strict`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.sandbox import WallsError, bubblewrap
from pdcheck.conformance.selftest import programs

TIDY = programs.bots_folder("good", load_pack("prime-daihinmin")) / "tidy.c"
Check = Callable[..., tuple[int, str, Mapping[str, Any]]]


@pytest.fixture
def bot(needs: Callable[[str], str]) -> Iterator[Path]:
    """A good bot in a folder that every user can read."""
    needs("bwrap")
    needs("gmp.h")
    folder = Path(tempfile.mkdtemp(prefix="bot-"))
    try:
        folder.chmod(0o755)
        subprocess.run([needs("cc"), "-O2", "-o", folder / "tidy", TIDY, "-lgmp"], check=True)
        yield folder / "tidy"
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def check(pdcheck: Callable[..., Any], tmp_path: Path) -> Check:
    """`check(sandbox, bot)`: the requirements of conduct; exit status, stderr, the JSON report."""

    def run(sandbox: str, bot: Path) -> tuple[int, str, Mapping[str, Any]]:
        file = tmp_path / "report.json"
        options = ("--sandbox", sandbox, "--profile", "quick", "--only", "PD-6", "--json", file)
        said = pdcheck(*options, bot)
        return said.status, said.err, json.loads(file.read_text("utf-8")) if file.exists() else {}

    return run


@pytest.mark.parametrize("sandbox", ["best", "strict"])
def test_a_good_bot_conforms_behind_walls_and_their_limits_are_told(
    check: Check, bot: Path, sandbox: str
) -> None:
    status, _, report = check(sandbox, bot)
    assert (status, report["verdict"]) == (0, "conforms")
    assert set(report["machine"]["limits"].values()) == {"enforced"}


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without bubblewrap."""

    def find() -> str:
        raise WallsError("there is no bwrap here")

    monkeypatch.setattr(bubblewrap, "find", find)


@pytest.mark.usefixtures("without")
def test_best_without_walls_is_watched_and_says_so(check: Check, bot: Path) -> None:
    status, told, report = check("best", bot)
    assert (status, report["verdict"]) == (0, "conforms")
    assert "note: no walls here (there is no bwrap here): the bot is only watched" in told
    assert set(report["machine"]["limits"].values()) == {"watched"}


@pytest.mark.usefixtures("without")
def test_strict_without_walls_judges_nothing(check: Check, bot: Path) -> None:
    status, told, report = check("strict", bot)
    assert (status, report) == (3, {})
    assert "--sandbox strict: there is no bwrap here; this says nothing about the bot" in told


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's bots are somebody else")
def test_what_the_bots_user_cannot_read_is_no_fault_of_the_bots(check: Check, bot: Path) -> None:
    bot.chmod(0o700)
    status, told, report = check("strict", bot)
    assert (status, report) == (3, {})
    assert "cannot be read by the user" in told
    bot.parent.chmod(0o700)
    assert check("strict", bot)[0] == 3
