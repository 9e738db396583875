"""How the code hangs together: which folder imports which, what the pure ones do not touch, what no file has.

The checks read the tree as it is (tracked files and new ones): a new file is held to them from its first day.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.source

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("conformance", "scenarios", "referee", "schemas")
PURE_FOLDERS = ("referee", "schemas")
MOST_LINES = 450
MOST_LINES_OF_TESTS = 500

# What a pure module never imports, and why. Bytes, seeds and times come in as arguments.
WORLD = {
    "the clock": {"time", "sched"},
    "files": {"os", "io", "pathlib", "tempfile", "shutil", "glob", "fcntl", "mmap"},
    "the system": {"resource", "platform", "ctypes", "pty"},
    "processes and signals": {"subprocess", "signal", "multiprocessing", "pexpect", "ptyprocess"},
    "sockets": {"socket", "select", "selectors", "ssl", "http", "urllib", "socketserver"},
    "concurrency": {"threading", "_thread", "asyncio", "concurrent", "queue"},
    "hidden state": {"logging", "warnings", "secrets", "uuid", "locale", "atexit", "gc"},
    "the terminal": {"click", "rich", "curses", "getpass"},
}
# Modules of which a pure module may use only what is named, and why that much.
PARTLY = {
    "random": {"Random"},  # a generator made from a seed that came in; never the module's own, shared one
    "importlib": {"resources"},  # data packaged beside the code: catalogues and schemas
    "sys": {"maxsize", "intern"},  # constants of the build; not argv, streams, path or the int digit limit
    "datetime": {"timedelta"},  # a length; not now() or today()
}
BUILTINS = {"open", "input", "print", "exec", "eval", "__import__", "breakpoint"}
# (file, what): why this one may all the same. Keep it short.
EXCEPTIONS = {
    (
        "schemas/__init__.py",
        "pathlib",
    ): "the folder of the schemas packaged beside it, read and never written",
}

OWN_PATHS = re.compile(r"(?<![\w.~-])/(?:work|root)/")
REGISTRY_HOSTS = [
    ".".join(parts)  # joined here, so that this file passes its own check
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("crates", "io"),
        ("deb", "debian", "org"),
    )
]
BOTS = ROOT / "conformance" / "selftest" / "bots"  # programs run by their path, not modules of the kit
CODE = {".py", ".c", ".h", ".cc", ".cpp", ".hpp", ".java", ".js", ".mjs", ".sh"}


@cache
def project_files() -> tuple[Path, ...]:
    """Every file of the project: what git tracks or would, and in an unpacked sdist whatever is there."""
    git = shutil.which("git")
    if git and (ROOT / ".git").exists():
        listing = subprocess.run(
            [
                git,
                "-c",
                f"safe.directory={ROOT}",
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
        names = [os.fsdecode(name) for name in listing.stdout.split(b"\0") if name]
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if not is_generated(path)]
    paths = (ROOT / name for name in sorted(names))
    return tuple(path for path in paths if path.is_file() and not path.is_symlink())


def is_generated(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return (
        "__pycache__" in parts
        or parts[0] in {".git", ".venv", ".dev", "build", "dist"}
        or "_cache" in parts[0]
    )


def python_files(*folders: str) -> list[Path]:
    return [p for p in project_files() if p.suffix == ".py" and p.relative_to(ROOT).parts[0] in folders]


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), filename=str(path))


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of every import, also inside functions; a relative one begins with its dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def used_attributes(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, "module.attribute") for modules of PARTLY, also under another name (`import random as r`)."""
    names = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in PARTLY
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            yield node.lineno, f"{names[node.value.id]}.{node.attr}"


def impurities(tree: ast.AST) -> Iterator[tuple[int, str, str]]:
    """(line, what, why not) for everything by which a module would touch the world."""
    why = {module: reason for reason, modules in WORLD.items() for module in modules}
    for line, name in imported(tree):
        top, _, rest = name.partition(".")
        if top in why:
            yield line, top, why[top]
        elif top in PARTLY and rest and rest.split(".")[0] not in PARTLY[top]:
            yield line, name, f"of {top} only {sorted(PARTLY[top])}"
    for line, name in used_attributes(tree):
        top, _, attribute = name.partition(".")
        if attribute not in PARTLY[top]:
            yield line, name, f"of {top} only {sorted(PARTLY[top])}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BUILTINS:
            yield node.lineno, f"{node.func.id}()", "touches the world"


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """import-linter with this project's contract, on the packages under ``folder``."""
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [program, "--config", ROOT / "pyproject.toml", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_go_one_way() -> None:
    done = lint_imports(ROOT / ".dev")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("folder", "line"),
    [
        ("referee", "import pdcheck.conformance.x"),
        ("referee", "from pdcheck.scenarios import x"),
        ("referee", "from pdcheck import conformance"),
        ("schemas", "from pdcheck.referee.x import y"),
        ("scenarios", "def f() -> None:\n    from pdcheck.conformance.x import y"),
    ],
)
def test_the_contract_sees_a_wrong_import(folder: str, line: str, tmp_path: Path) -> None:
    for name in FOLDERS:
        (tmp_path / "pdcheck" / name).mkdir(parents=True)
        (tmp_path / "pdcheck" / name / "__init__.py").touch()
        (tmp_path / "pdcheck" / name / "x.py").write_text("y = 1\n")
    (tmp_path / "pdcheck" / folder / "wrong.py").write_text(line + "\n")
    done = lint_imports(tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"pdcheck.{folder}.wrong" in done.stdout


def test_the_pure_folders_touch_nothing() -> None:
    found, excused = [], set()
    for path in python_files(*PURE_FOLDERS):
        name = str(path.relative_to(ROOT))
        for line, what, why in impurities(parse(path)):
            if (name, what) in EXCEPTIONS:
                excused.add((name, what))
            else:
                found.append(f"{name}:{line}: {what} ({why})")
    assert not found, "\n".join(found)
    assert excused == set(EXCEPTIONS), "an exception that nothing needs any more"


@pytest.mark.parametrize(
    "code",
    [
        "import time",
        "import os.path",
        "def f():\n    from subprocess import run",
        "import random\nrandom.shuffle([1])",
        "import random as r\nr.seed(1)",
        "from random import randrange",
        "import importlib.metadata",
        "import sys\nsys.stderr.write('x')",
        "from datetime import datetime",
        "open('x')",
    ],
)
def test_an_impurity_is_seen(code: str) -> None:
    assert list(impurities(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "import random\nr = random.Random(7)",
        "from random import Random",
        "from importlib import resources",
        "import importlib.resources\nimportlib.resources.files('x')",
        "from collections.abc import Callable",
        "import json, re, tomllib, gmpy2",
    ],
)
def test_what_is_pure_passes(code: str) -> None:
    assert not list(impurities(ast.parse(code)))


def test_imports_name_the_installed_package() -> None:
    """`import referee` would make a second class of the same name, and elsewhere find another module."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in python_files(*FOLDERS, "tests", "benchmarks")
        for line, name in imported(parse(path))
        # The benchmarks are never installed: `python -m benchmarks` is their only name.
        if name.split(".")[0]
        in {*FOLDERS, "tests", *(() if path.parent.name == "benchmarks" else ("benchmarks",))}
        or (name.startswith(".") and BOTS not in path.parents)
    ]
    assert not found, "\n".join(found)


def test_every_folder_with_modules_is_a_package() -> None:
    """A folder without __init__.py would be left out of the import contract without a word."""
    folders = {path.parent for path in python_files(*FOLDERS) if BOTS not in path.parents}
    assert folders
    assert not [str(f.relative_to(ROOT)) for f in sorted(folders) if not (f / "__init__.py").is_file()]


def test_no_file_is_too_long() -> None:
    code = [p for p in project_files() if p.suffix in CODE or p.name in {"Makefile", "run"}]
    lengths = {str(p.relative_to(ROOT)): len(p.read_bytes().splitlines()) for p in code}
    assert lengths
    most = {name: MOST_LINES_OF_TESTS if name.startswith("tests/") else MOST_LINES for name in lengths}
    assert not {name: lines for name, lines in lengths.items() if lines > most[name]}


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = []
    for path in project_files():
        text = path.read_bytes().decode(errors="replace")
        found += [f"{path.relative_to(ROOT)}: {host}" for host in REGISTRY_HOSTS if host in text]
        found += [f"{path.relative_to(ROOT)}: {hit.group()}" for hit in OWN_PATHS.finditer(text)]
    assert not found, "\n".join(found)
