"""Helpers of the kit's tests: tests are imported by path, so their helpers are loaded by path, too."""

from __future__ import annotations

import importlib.util
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from pdcheck.conformance.cli import main
from pdcheck.conformance.transports import warden

HERE = Path(__file__).parent


def _loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"helper_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def gear() -> ModuleType:
    """`gear.py` beside this file."""
    return _loaded(HERE / "gear.py")


@pytest.fixture(scope="session")
def toys() -> ModuleType:
    """The toy games of the referee's tests."""
    return _loaded(HERE.parent / "referee" / "toys.py")


@pytest.fixture
def token(gear: ModuleType) -> Iterator[str]:
    """A word by which to find every process of one test; whoever still bears it at the end fails the test."""
    if not gear.HAS_PROC:
        pytest.skip("there is no /proc to find processes in")
    word = f"pdcheck-test-{uuid.uuid4().hex}"
    yield word
    gear.until(lambda: not gear.bearers(word), f"nobody bears {word}")


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., Path]:
    """`script(name, body, shebang=…, mode=0o755)` writes a program into the test's folder; its path."""

    def write(name: str, body: str, shebang: str | None = None, mode: int = 0o755) -> Path:
        first = f"#!{sys.executable} -S\n" if shebang is None else f"{shebang}\n" if shebang else ""
        path = tmp_path / name
        path.write_text(first + body, "utf-8")
        path.chmod(mode)
        return path

    return write


class Said(NamedTuple):
    """What a command left: exit status, stdout, stderr."""

    status: int
    out: str
    err: str


@pytest.fixture
def pdcheck(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """The command line in this process and in the test's folder, which is quicker than a new one each time."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Said:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        status = ended.value.code or 0
        assert isinstance(status, int)
        return Said(status, *capfd.readouterr())

    return run


@pytest.fixture(scope="session", autouse=True)
def _warden_goes() -> Iterator[None]:
    """The warden of this test process lives as long as its kit; here that is the session."""
    yield
    for kept in list(warden._wardens.values()):
        kept.close()
    warden._wardens.clear()
