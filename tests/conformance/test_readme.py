"""What README shows of a terminal is what the kit prints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from pdcheck.conformance.cli import main
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.selftest import matrix

FAULT = "pd-3.3-counts-last-number"
README = Path(__file__).parents[2] / "README.md"

pytestmark = [pytest.mark.source, pytest.mark.full]


def shown() -> tuple[list[str], list[str]]:
    """The command line of the excerpt, and the lines below it."""
    lines = [line.strip() for line in README.read_text("utf-8").splitlines()]
    start = next(at for at, line in enumerate(lines) if line.startswith("$ pdcheck "))
    end = next(at for at, line in enumerate(lines) if at > start and line.startswith("./mybot "))
    return shlex.split(lines[start])[2:], [line for line in lines[start + 1 : end + 1] if line]


def first_missing(wanted: Sequence[str], printed: Sequence[str]) -> str:
    """The first line that is not printed, after those before it; "" when all are. `…` stands for anything."""
    rest = iter([" ".join(line.split()) for line in printed])
    for line in wanted:
        pattern = ".*".join(re.escape(part) for part in " ".join(line.split()).split("…"))
        if not any(re.fullmatch(pattern, seen) for seen in rest):
            return line
    return ""


def test_the_excerpt_is_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words, wanted = shown()
    assert len(wanted) >= 8
    command = matrix.faulty_bot(load_pack("prime-daihinmin"), FAULT).command
    bot = tmp_path / "mybot"
    bot.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n", "utf-8")
    bot.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["--no-color", *words])
    assert ended.value.code == 1
    assert first_missing(wanted, capsys.readouterr().out.splitlines()) == ""
