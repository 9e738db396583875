"""The folder of what a run leaves: failing cases, reports of the kit's own failures.

Law: it ignores itself in version control, so that nobody commits it by accident.
"""

from __future__ import annotations

from pathlib import Path

DEFAULT_FOLDER = ".pdcheck"


def own_folder(folder: Path) -> None:
    """Make the folder, if it is not there, and have git ignore it. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", "utf-8")
