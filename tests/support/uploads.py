"""Archives of every kind, good and hostile, made in memory."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Mapping, Sequence

PLAIN = {"bot.py": b"print(1)\n"}


def zipped(files: Mapping[str, bytes], *, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files; a name that ends in / is a folder."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def zip_of_modes(files: Sequence[tuple[str, int, bytes]]) -> bytes:
    """A zip of these names, Unix modes and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, mode, data in files:
            row = zipfile.ZipInfo(name)
            row.create_system = 3
            row.external_attr = mode << 16
            archive.writestr(row, data)
    return out.getvalue()


def symlink_zip(name: str, target: str) -> bytes:
    """A zip with one symbolic link."""
    return zip_of_modes([(name, stat.S_IFLNK | 0o777, target.encode())])


def tarred(files: Mapping[str, bytes], *, mode: str = "w", style: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar of these files; `mode` as tarfile has it, such as `w:gz`."""
    return tar_of([(member(name, len(data)), data) for name, data in files.items()], mode=mode, style=style)


def tar_of(
    members: Sequence[tuple[tarfile.TarInfo, bytes]], *, mode: str = "w", style: int = tarfile.PAX_FORMAT
) -> bytes:
    """A tar of these members."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=style) as archive:  # type: ignore[call-overload]
        for row, data in members:
            archive.addfile(row, io.BytesIO(data) if row.isreg() else None)
    return out.getvalue()


def member(name: str, size: int = 0, *, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    """One member of a tar."""
    row = tarfile.TarInfo(name)
    row.size, row.type, row.linkname = size, kind, link
    return row
