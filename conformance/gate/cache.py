"""Verdicts by what they depend on: the same submission, suite, limits and tools need not be judged again.

Law: an entry that is not exactly what was put there is no entry, and the next one takes its place. Only verdicts are
kept, never the gate's own trouble. The cache is an aid: what is wrong with its folder never stops a judging.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pdcheck.conformance.gate import durable
from pdcheck.conformance.gate.outcome import VERDICTS

FORMAT = 1
LONGEST_ENTRY = 64 << 20
LEFT_BEHIND = 24 * 3600.0
"""Seconds after which a half written file belongs to nobody any more."""


def key_of(parts: Mapping[str, Any]) -> str:
    """The key of everything that a verdict depends on, by name: plain JSON (the submission's hash, suite, rules,
    profile, seed, limits, versions of kit and tools …). Raises TypeError, ValueError for anything else."""
    return hashlib.sha256(_canonical({"format": FORMAT, "parts": dict(parts)})).hexdigest()


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


class Cache:
    """A folder of verdicts, which any number of processes may use at once."""

    def __init__(self, folder: Path) -> None:
        """Raises OSError when there can be no such folder, PermissionError when others may write in it: whoever does
        decides verdicts."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        durable.own_folder(folder)
        self._folder = folder
        self._sweep()

    def get(self, key: str) -> dict[str, Any] | None:
        """What was put under this key; None for nothing, and for what is damaged."""
        try:
            file = os.open(self._file(key), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(file, "rb") as stream:
                if not stat.S_ISREG(os.fstat(file).st_mode):
                    return None
                data = stream.read(LONGEST_ENTRY + 1)
        except OSError:
            return None
        return _entry(key, data)

    def put(self, key: str, value: Mapping[str, Any], status: int) -> bool:
        """Keep a value, plain JSON, with which a judging of this exit status ended; whether it was kept. What is no
        verdict is not. Raises TypeError, ValueError for what is no JSON."""
        data = _written(key, dict(value), status)
        if status not in VERDICTS or len(data) > LONGEST_ENTRY:
            return False
        try:
            durable.write(self._file(key), data)
        except OSError:  # a full disk; there is a verdict all the same
            return False
        return True

    def _file(self, key: str) -> Path:
        if len(key) != 64 or set(key) - set("0123456789abcdef"):
            raise ValueError(f"{key!r} is no key")
        return self._folder / f"{key}.json"

    def _sweep(self) -> None:
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._folder):
                if entry.name.endswith(durable.UNFINISHED):
                    with contextlib.suppress(OSError):
                        if time.time() - entry.stat(follow_symlinks=False).st_mtime > LEFT_BEHIND:
                            os.unlink(entry.path)


def _written(key: str, value: dict[str, Any], status: int) -> bytes:
    """A line with the sum of the next one, which names its key: an entry copied under another name is none."""
    body = _canonical({"key": key, "status": status, "value": value})
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body + b"\n"


def _entry(key: str, data: bytes) -> dict[str, Any] | None:
    total, _, body = data.partition(b"\n")
    if not body.endswith(b"\n") or hashlib.sha256(body[:-1]).hexdigest().encode() != total:
        return None
    try:
        entry = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict) or entry.get("key") != key or entry.get("status") not in VERDICTS:
        return None
    value = entry.get("value")
    return value if isinstance(value, dict) else None
