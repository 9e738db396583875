"""What a user installs: the wheel, built from the sdist, has all that the kit reads at run time and no more.

Built without isolation, with the locked build backend, so no network is used.
"""

from __future__ import annotations

import email
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from pdcheck.conformance.version import __version__

pytestmark = pytest.mark.source

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("conformance", "referee", "scenarios", "schemas")
PACKAGED_DATA = {  # folder: the endings of the data files that the code there reads
    "conformance/repeats": (".c",),
    "conformance/reports/templates": (".html", ".css", ".js"),
    "conformance/selftest/bots": (".py", ".c", ".cpp", ".java", ".js", ".sh", ".toml"),
    "referee": (".toml",),
    "scenarios": (".yaml",),
    "schemas": (".json",),
}


def build(kind: str, source: Path, out: Path) -> Path:
    """The one file that `python -m build` makes: kind is "sdist" or "wheel"."""
    done = subprocess.run(
        [sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", out, source],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        if hasattr(tarfile, "data_filter"):  # since 3.11.4
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(folder)
    (tree,) = folder.iterdir()
    return tree


@pytest.fixture(scope="module")
def wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", unpacked, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def members(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def source_files(folders: Iterable[str], endings: tuple[str, ...]) -> set[str]:
    """Paths below ROOT; caches are left out."""
    return {
        str(path.relative_to(ROOT))
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.name.endswith(endings) and "__pycache__" not in path.parts
    }


def read_from(wheel: Path, ending: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(ending))
        return archive.read(name).decode()


def test_everything_is_below_pdcheck(members: list[str]) -> None:
    info = f"pdcheck-{__version__}.dist-info/"
    below = tuple(f"pdcheck/{folder}/" for folder in FOLDERS)
    assert not [name for name in members if not name.startswith((*below, info))]
    assert len(members) == len(set(members))


def test_no_test_cache_or_build_output_is_inside(members: list[str]) -> None:
    unwanted = ("/tests/", "/test_", "conftest", "__pycache__", ".dev/", ".pdcheck/")
    built = (".pyc", ".class", ".o", ".so", ".out")
    assert not [name for name in members if any(part in name for part in unwanted) or name.endswith(built)]


def test_every_module_is_inside(members: list[str]) -> None:
    expected = {f"pdcheck/{name}" for name in source_files(FOLDERS, (".py", "py.typed"))}
    assert expected
    assert not expected - set(members)


@pytest.mark.parametrize("folder", sorted(PACKAGED_DATA))
def test_the_data_is_inside(folder: str, members: list[str]) -> None:
    expected = {f"pdcheck/{name}" for name in source_files([folder], PACKAGED_DATA[folder])}
    assert expected, f"{folder} has no {PACKAGED_DATA[folder]}"
    assert not expected - set(members)


def test_the_command_is_declared(wheel: Path) -> None:
    assert "pdcheck = pdcheck.conformance.cli:main" in read_from(wheel, "/entry_points.txt")


def test_the_version_is_the_codes(wheel: Path) -> None:
    assert email.message_from_string(read_from(wheel, "/METADATA"))["Version"] == __version__


def test_the_sdist_can_be_worked_in(unpacked: Path, needs: Callable[[str], str]) -> None:
    """Whoever unpacks it can run `make test`: what that needs is there, the links are made.

    The links are not in the sdist, which would hold what they point to, a second copy of everything.
    """
    for name in (
        "Makefile",
        "requirements.lock",
        "pyproject.toml",
        "tests/conftest.py",
        "CONTRIBUTING.md",
        "LICENSE",
    ):
        assert (unpacked / name).is_file(), name
    assert not (unpacked / ".dev").exists()
    subprocess.run([needs("make"), "--silent", "links"], cwd=unpacked, check=True)
    for folder in FOLDERS:
        assert (unpacked / ".dev" / "pdcheck" / folder).readlink() == Path("..") / ".." / folder


@pytest.mark.parametrize("folder", FOLDERS)
def test_an_editable_install_finds_the_folder(folder: str) -> None:
    link = ROOT / ".dev" / "pdcheck" / folder
    assert link.is_symlink()
    assert link.readlink() == Path("..") / ".." / folder
    assert (link / "__init__.py").samefile(ROOT / folder / "__init__.py")
