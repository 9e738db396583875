"""Tar, read by hand: ustar, what GNU and pax add for long names, and nothing else.

Law: pure. Only files and folders come out; a link or device is refused as such, and so is whatever the reader does
not know. No header makes it look anywhere but at the next one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pdcheck.conformance.gate.entries import Found, Skip
from pdcheck.conformance.gate.names import checked, shown
from pdcheck.conformance.gate.refusal import Unfit

BLOCK = 512
LONGEST_HEADER = 1 << 16
"""Bytes of an extension header: a name, and the times and numbers that pax adds."""
_MAGIC = slice(257, 262)
_OCTAL = re.compile(rb"[ \0]*([0-7]{1,12})[ \0]*\Z")
_FILES = b"0\x007"
_FOLDER = b"5"
_LINKS = b"12"
_DEVICES = b"346"
_GNU_NAME, _GNU_LINK, _PAX, _PAX_ALL = b"L", b"K", b"x", b"g"


def is_tar(data: bytes) -> bool:
    """Whether it begins as a tar does; one of before 1988 has nothing to know it by but its sum."""
    block = data[:BLOCK]
    return (
        len(block) == BLOCK and (block[_MAGIC] == b"ustar" or b"\0" in block[:100]) and _sum_is_right(block)
    )


def read(data: bytes, found: Found, skip: Skip) -> None:
    """Put its files into `found`. Raises Unfit."""
    at, added = 0, dict[str, bytes]()
    ended = False
    while len(data) - at >= BLOCK:
        block = data[at : at + BLOCK]
        if not block.strip(b"\0"):
            ended = True
            break
        if not _sum_is_right(block):
            raise Unfit("archive-damaged")
        kind = block[156:157]
        size = _size(block, added if kind not in (_GNU_NAME, _GNU_LINK, _PAX, _PAX_ALL) else {})
        start = at + BLOCK
        if start + size > len(data):
            raise Unfit("archive-damaged")
        body = data[start : start + size]
        at = start + -(-size // BLOCK) * BLOCK
        if kind in (_GNU_NAME, _GNU_LINK, _PAX, _PAX_ALL):
            found.see()
            added |= _extension(kind, body)
        else:
            _member(kind, block, body, added, found, skip)
            added = {}
    if not ended and (
        at == 0 or at < len(data)
    ):  # a last block of zeros may be missing, half a header may not
        raise Unfit("archive-damaged")


def _member(
    kind: bytes, block: bytes, body: bytes, added: Mapping[str, bytes], found: Found, skip: Skip
) -> None:
    name = added.get("path", _name(block))
    if kind in _LINKS:
        raise Unfit("link", name=shown(name))
    if kind in _DEVICES:
        raise Unfit("special-file", name=shown(name))
    if kind != _FOLDER and kind not in _FILES:
        raise Unfit("archive-kind")
    path = checked(name)
    if any(map(skip, path.split("/"))):
        return
    found.see()
    if kind == _FOLDER or name.endswith(b"/"):
        return
    if not path:
        raise Unfit("archive-damaged")
    found.add(path, body, executable=bool(_number(block[100:108]) & 0o100))


def _extension(kind: bytes, body: bytes) -> Mapping[str, bytes]:
    """What an extension header says of the next member that matters here: its whole name, its size."""
    if len(body) > LONGEST_HEADER:
        raise Unfit("archive-damaged")
    if kind == _GNU_NAME:
        return {"path": body.rstrip(b"\0")}
    if kind != _PAX:  # a link's name is of no use; of what is said for all members at once nothing is
        return {}
    records = dict(_records(body))
    if any(key.startswith(b"GNU.sparse") for key in records):
        raise Unfit("archive-kind")
    return {key: records[key.encode()] for key in ("path", "size") if key.encode() in records}


def _records(body: bytes) -> list[tuple[bytes, bytes]]:
    """`LENGTH KEY=VALUE\\n`, where the length counts the whole record."""
    found: list[tuple[bytes, bytes]] = []
    while body.strip(b"\0"):
        length, _, _ = body[:8].partition(b" ")
        if not length.isdigit() or not len(length) + 2 < int(length) <= len(body):
            raise Unfit("archive-damaged")
        record, body = body[len(length) + 1 : int(length)], body[int(length) :]
        key, equals, value = record.partition(b"=")
        if not equals or not value.endswith(b"\n"):
            raise Unfit("archive-damaged")
        found.append((key, value[:-1]))
    return found


def _name(block: bytes) -> bytes:
    name = block[:100].split(b"\0")[0]
    prefix = block[345:500].split(b"\0")[0] if block[257:263] == b"ustar\0" else b""
    return prefix + b"/" + name if prefix else name


def _size(block: bytes, added: Mapping[str, bytes]) -> int:
    if block[156:157] in (_FOLDER, *(bytes([byte]) for byte in _LINKS + _DEVICES)):
        return 0
    if "size" not in added:
        return _number(block[124:136])
    if not added["size"].isdigit() or len(added["size"]) > 12:
        raise Unfit("archive-damaged")
    return int(added["size"])


def _number(field: bytes) -> int:
    """Octal digits; what is too large for them is too large for the gate."""
    if not field.strip(b" \0"):
        return 0
    match = _OCTAL.match(field)
    if match is None:
        raise Unfit("archive-damaged")
    return int(match[1], 8)


def _sum_is_right(block: bytes) -> bool:
    match = _OCTAL.match(block[148:156])
    return match is not None and int(match[1], 8) == sum(block) - sum(block[148:156]) + 8 * 0x20
