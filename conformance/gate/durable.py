"""Files that are whole or not there, whenever the power goes or the process is killed.

Law: bytes reach their name only by a rename within one file system, after they are on the disk; a folder is synced
after what happened in it. What a kill leaves is a name that ends in `.tmp` and nothing else.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

UNFINISHED = ".tmp"
"""How the name of a file ends that is being written."""
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
_NOT_HERE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)
"""What a system or a file system (NFS) says that cannot rename without replacing."""
_AT_FDCWD = -100
_NO_REPLACE, _EXCLUSIVE = 1, 4
"""The flags of Linux's renameat2 and of macOS's renamex_np."""


def write(path: Path, data: bytes) -> None:
    """Write the file, all of it or nothing, in the place of what was there. Raises OSError."""
    made = _written(path, data)
    try:
        os.replace(made, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(made)
        raise
    sync_folder(path.parent)


def write_new(path: Path, data: bytes) -> bool:
    """Write a file where there is none yet; False, and nothing is changed, where there is. Raises OSError."""
    made = _written(path, data)
    try:
        new = move_new(made, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(made)
    return new


def _written(path: Path, data: bytes) -> Path:
    """The bytes on the disk, under a name of their own in the same folder."""
    made = path.with_name(f"{path.name}.{secrets.token_hex(6)}{UNFINISHED}")
    file = os.open(made, _FLAGS, 0o666)
    try:
        with open(file, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(made)
        raise
    return made


def move(source: Path, target: Path) -> None:
    """Rename, for good. Raises OSError: FileNotFoundError when another was quicker."""
    os.rename(source, target)
    sync_folder(target.parent)
    if source.parent != target.parent:
        sync_folder(source.parent)


def move_new(source: Path, target: Path) -> bool:
    """Rename a file, for good, where there is nothing yet; False where there is. Raises OSError.

    One system call where the file system can do that. Elsewhere it is a second name and the end of the first: a kill
    between the two leaves both, and the next call sees by the count of names that only the end is missing (unless the
    second was removed meanwhile: then it is given again).
    """
    if not _renamed_new(source, target):
        return False
    sync_folder(target.parent)
    if source.parent != target.parent:
        sync_folder(source.parent)
    return True


def _renamed_new(source: Path, target: Path) -> bool:
    rename = _rename_new()
    if rename is not None:
        wrong = rename(os.fsencode(source), os.fsencode(target))
        if wrong == 0:
            return True
        if wrong == errno.EEXIST:
            return False
        if wrong not in _NOT_HERE:
            raise OSError(wrong, os.strerror(wrong), str(source), None, str(target))
    return _linked_new(source, target)


def _linked_new(source: Path, target: Path) -> bool:
    if os.lstat(source).st_nlink == 1:
        try:
            os.link(source, target, follow_symlinks=False)
        except FileExistsError:
            return False
    os.unlink(source)
    return True


@cache
def _rename_new() -> Callable[[bytes, bytes], int] | None:
    """A rename that never replaces and returns what was wrong (0: nothing); None where the system has none."""
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        call = getattr(library, "renamex_np", None)
        arguments = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint)
    else:
        call = getattr(library, "renameat2", None)
        arguments = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    if call is None:
        return None
    call.argtypes = arguments
    call.restype = ctypes.c_int

    def rename(source: bytes, target: bytes) -> int:
        if sys.platform == "darwin":
            failed = call(source, target, _EXCLUSIVE)
        else:
            failed = call(_AT_FDCWD, source, _AT_FDCWD, target, _NO_REPLACE)
        return ctypes.get_errno() if failed else 0

    return rename


def sync_folder(path: Path) -> None:
    """See that what happened in the folder is on the disk; nothing where a file system cannot do that for folders."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(file)
    except OSError as error:
        if error.errno not in _NOT_HERE:
            raise
    finally:
        os.close(file)


def own_folder(path: Path) -> None:
    """Make a folder that is this user's alone, if it is not there. Raises OSError; PermissionError when what is there
    is a link, no folder, another user's, or open to others' writing: whoever owns it could change what is in it."""
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)
        sync_folder(path.parent)
    there = os.lstat(path)
    if not path.is_dir() or path.is_symlink():
        raise PermissionError(errno.ENOTDIR, "it is not a folder", str(path))
    if there.st_uid != os.geteuid():
        raise PermissionError(errno.EPERM, "it belongs to another user", str(path))
    if there.st_mode & 0o022:
        raise PermissionError(errno.EPERM, "others may write in it", str(path))
