"""Files and folders that a bot had its hands on: looked into and taken away without being led astray.

Law: nothing here blocks, follows what is no plain file, or fails because of what a bot has made.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


def opened(path: str | os.PathLike[str]) -> BinaryIO:
    """A plain file, opened for reading. Raises OSError for anything else: a FIFO would be waited for, and some devices
    act when they are opened."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "not a plain file", os.fspath(path))
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "not a plain file", os.fspath(path))
    return os.fdopen(file, "rb")


@contextmanager
def temporary(prefix: str, folder: str | None = None) -> Iterator[str]:
    """A fresh folder, which is gone afterwards whatever was made in it."""
    path = tempfile.mkdtemp("", prefix, folder)
    try:
        yield path
    finally:
        remove(path)


def remove(folder: str) -> None:
    """Take a folder away. What is nested too deep for Python's own way is taken by `rm`; what cannot be is left."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        subprocess.run(["rm", "-rf", "--", folder], check=False, stderr=subprocess.DEVNULL)
