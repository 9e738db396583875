"""Zip, read by hand from its table at the end: files stored or deflated, and nothing else.

Law: pure. Only files and folders come out; a link is refused as such, and so is what is encrypted or of a kind that
the reader does not know. Sizes are what was unpacked, sums are checked, and nothing is read but where the table points.
"""

from __future__ import annotations

import stat
import struct
import zlib
from typing import NamedTuple

from pdcheck.conformance.gate.entries import Found, Skip
from pdcheck.conformance.gate.names import checked, shown
from pdcheck.conformance.gate.refusal import Unfit

_HEADS = (b"PK\x03\x04", b"PK\x05\x06")
"""Of an archive's first file, and of an empty archive."""
_END = struct.Struct("<4s4H2LH")
_ROW = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_LONGEST_COMMENT = 1 << 16
_ENCRYPTED = 0x41
"""Bits of the flags: encrypted, strongly encrypted."""
_STORED, _DEFLATED = 0, 8
_UNIX = (3, 19)
"""Systems whose archives have Unix modes: Unix, macOS."""
_MANY = 0xFFFF
"""What the table's end says where there are more files than it can say (zip64)."""


class Row(NamedTuple):
    """One row of the table."""

    name: bytes
    flags: int
    method: int
    sum: int
    packed: int
    size: int
    mode: int
    """As Unix has it; 0 where the archive was made elsewhere."""
    at: int


def is_zip(data: bytes) -> bool:
    """Whether it begins as a zip does."""
    return data.startswith(_HEADS)


def read(data: bytes, found: Found, skip: Skip) -> None:
    """Put its files into `found`. Raises Unfit."""
    for row in _table(data, found):
        if stat.S_ISLNK(row.mode):
            raise Unfit("link", name=shown(row.name))
        if stat.S_IFMT(row.mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise Unfit("special-file", name=shown(row.name))
        path = checked(row.name)
        if any(map(skip, path.split("/"))):
            continue
        found.see()
        if row.name.endswith(b"/") or stat.S_ISDIR(row.mode):
            continue
        if not path:
            raise Unfit("archive-damaged")
        found.add(path, _body(data, row, found.room), executable=bool(row.mode & stat.S_IXUSR))


def _table(data: bytes, found: Found) -> list[Row]:
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - _END.size - _LONGEST_COMMENT))
    if at < 0 or at + _END.size > len(data):
        raise Unfit("archive-damaged")
    _, disk, first, here, count, size, start, comment = _END.unpack_from(data, at)
    if _MANY in (disk, here, count) or 0xFFFFFFFF in (size, start):
        raise Unfit("archive-kind")
    if disk or first or here != count or start + size > at or at + _END.size + comment > len(data):
        raise Unfit("archive-damaged")
    if count > 2 * found.caps.files:  # before any of it is read; folders and what is left out are rows, too
        raise Unfit("too-many-files", limit=found.caps.files)
    rows: list[Row] = []
    for _ in range(count):
        row, start = _row(data, start, at)
        rows.append(row)
    if sum(row.packed for row in rows) > len(data):  # rows that share what they unpack
        raise Unfit("archive-damaged")
    return rows


def _row(data: bytes, start: int, end: int) -> tuple[Row, int]:
    """The row at `start`, and where the next one is."""
    if start + _ROW.size > end:
        raise Unfit("archive-damaged")
    fields = _ROW.unpack_from(data, start)
    head, made_by, _, flags, method, _, _, checksum, packed, size, name, extra, comment = fields[:13]
    mode, at = fields[15] >> 16, fields[16]
    following = start + _ROW.size + name + extra + comment
    if head != b"PK\x01\x02" or following > end:
        raise Unfit("archive-damaged")
    if flags & _ENCRYPTED:
        raise Unfit("archive-encrypted")
    if method not in (_STORED, _DEFLATED) or 0xFFFFFFFF in (packed, size, at):
        raise Unfit("archive-kind")
    words = data[start + _ROW.size : start + _ROW.size + name]
    return Row(
        words, flags, method, checksum, packed, size, mode if made_by >> 8 in _UNIX else 0, at
    ), following


def _body(data: bytes, row: Row, room: int) -> bytes:
    if row.at + _LOCAL.size > len(data):
        raise Unfit("archive-damaged")
    head, *_, name, extra = _LOCAL.unpack_from(data, row.at)
    start = row.at + _LOCAL.size + name + extra
    if head != b"PK\x03\x04" or start + row.packed > len(data):
        raise Unfit("archive-damaged")
    body = data[start : start + row.packed]
    if row.method == _DEFLATED:
        inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            body = inflate.decompress(body, room + 1)
        except zlib.error:
            raise Unfit("archive-damaged") from None
        if len(body) <= room and not inflate.eof:
            raise Unfit("archive-damaged")
    if len(body) <= room and (len(body) != row.size or zlib.crc32(body) != row.sum):
        raise Unfit("archive-damaged")
    return body
