"""An archive's files: zip, and tar as it is or packed by gzip, bzip2 or xz.

Law: pure; bytes in, files out, nothing touches the file system. Known by its first bytes, not by its name. Bytes are
counted as they are unpacked, against absolute limits; an archive within the archive is a file like any other.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from pdcheck.conformance.gate import tarball, zipball
from pdcheck.conformance.gate.entries import Caps, Entry, Found, Skip
from pdcheck.conformance.gate.refusal import Unfit

NOT_TAKEN = (
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
    b"\x04\x22\x4d\x18",
    b"\x1f\x9d",
    b"MSCF",
)
"""7-Zip, RAR, Zstandard, LZ4, compress, cabinet."""
EXTENSIONS = (".zip", ".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".7z", ".rar", ".zst")
"""Names that promise an archive."""
_MEMORY = 160 << 20
"""What unpacking xz may use: its highest level takes 65 MiB."""
_ROUND = 1 << 18
_MOST_STREAMS = 64


class Inflating(Protocol):
    """What zlib, bz2 and lzma agree on, for one stream."""

    def __call__(self, data: bytes, most: int) -> bytes:
        """At most so many bytes more; `data` is what follows of the input."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the stream is whole."""
        ...

    @property
    def rest(self) -> bytes:
        """What follows the stream."""
        ...


class _Other:
    def __init__(self, inflate: Any) -> None:
        self._inflate = inflate

    def __call__(self, data: bytes, most: int) -> bytes:
        inflated: bytes = self._inflate.decompress(data, most)
        return inflated

    @property
    def ended(self) -> bool:
        return bool(self._inflate.eof)

    @property
    def rest(self) -> bytes:
        left: bytes = self._inflate.unused_data
        return left


class _Gzip(_Other):
    """zlib gives back what it had no room for, to be given again."""

    def __init__(self) -> None:
        super().__init__(zlib.decompressobj(zlib.MAX_WBITS | 16))

    def __call__(self, data: bytes, most: int) -> bytes:
        return super().__call__(self._inflate.unconsumed_tail + data, most)


PACKINGS: Mapping[bytes, Callable[[], Inflating]] = {
    b"\x1f\x8b\x08": _Gzip,
    b"BZh": lambda: _Other(bz2.BZ2Decompressor()),
    b"\xfd7zXZ\x00": lambda: _Other(lzma.LZMADecompressor(lzma.FORMAT_XZ, _MEMORY)),
}
"""First bytes → what unpacks a stream that begins so."""


def is_archive(data: bytes, name: str) -> bool:
    """Whether this is meant as an archive. Raises Unfit for one of a kind that is not taken."""
    if data.startswith(NOT_TAKEN):
        raise Unfit("archive-kind")
    if zipball.is_zip(data) or tarball.is_tar(data) or _packing(data) is not None:
        return True
    if name.lower().endswith(EXTENSIONS):
        raise Unfit("archive-damaged")
    return False


def unpack(data: bytes, caps: Caps, skip: Skip) -> list[Entry]:
    """All files of the archive but those left out, sorted by path. Raises Unfit."""
    found = Found(caps)
    if zipball.is_zip(data):
        zipball.read(data, found, skip)
    else:
        packing = _packing(data)
        tarball.read(data if packing is None else _unpacked(data, packing, caps), found, skip)
    return sorted(found.entries)


def _packing(data: bytes) -> Callable[[], Inflating] | None:
    if data.startswith(b"BZh") and data[4:10] != b"1AY&SY":  # a text may well begin so
        return None
    return next((packing for head, packing in PACKINGS.items() if data.startswith(head)), None)


def _unpacked(data: bytes, packing: Callable[[], Inflating], caps: Caps) -> bytes:
    """What is packed, as one: several streams behind one another are unpacked into one, as gzip and xz do."""
    parts: list[bytes] = []
    room = caps.unpacked + 1
    try:
        for part in _streams(data, packing):
            parts.append(part)
            room -= len(part)
            if room <= 0:
                raise Unfit("unpacked-too-big", limit=caps.unpacked)
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
        raise Unfit("archive-damaged") from None
    return b"".join(parts)


def _streams(data: bytes, packing: Callable[[], Inflating]) -> Iterator[bytes]:
    for _ in range(_MOST_STREAMS):
        if not data.rstrip(b"\0"):  # streams may be padded
            return
        inflate = packing()
        given = data
        while not inflate.ended:
            part = inflate(given, _ROUND)
            if not part and not inflate.ended and not given:
                raise EOFError
            given = b""
            yield part
        data = inflate.rest
    raise Unfit("archive-kind")
