"""What comes of a submission: a judging's result, and the outcome that is told in the outbox.

Law: only admitting and refusing are verdicts. Whatever else a judging ends with is trouble of the gate's own, which is
tried again, and in the end told as an error and never held against the submission.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

SCHEMA = 1
ADMIT, REFUSE, USAGE, TROUBLE, INCONCLUSIVE = 0, 1, 2, 3, 4
VERDICTS = {ADMIT: "admit", REFUSE: "refuse"}
ERROR = "error"
HOPELESS = (USAGE,)
"""Exit statuses that are no verdict, and that trying again does not change."""
LONGEST_NAME = 200
"""Bytes of a submission's name that are kept in its result's: `.error.json` and a number still fit a file system."""
_SAFE = {*range(0x21, 0x7F), 0x20} - {*b"/"}


class Result(NamedTuple):
    """What a judging gave. `status`: its exit status; `report`: plain JSON; `why`: what kept it from a verdict."""

    status: int
    feedback: str = ""
    report: Mapping[str, Any] | None = None
    why: str = ""

    @property
    def is_verdict(self) -> bool:
        """Whether it says something about the submission."""
        return self.status in VERDICTS


class Outcome(NamedTuple):
    """What is told of a submission, and the name of the file (without a number) in which it is told."""

    file: str
    body: Mapping[str, Any]

    @property
    def is_error(self) -> bool:
        """Whether it could not be judged."""
        return bool(self.body["verdict"] == ERROR)


def outcome_of(name: str, ticket: str, result: Result, troubles: list[str]) -> Outcome:
    """What is told of a submission of this name when its last judging gave this result; `troubles`: what kept the
    ones before it, and it, from a verdict."""
    verdict = VERDICTS.get(result.status, ERROR)
    ending = ".json" if result.is_verdict else ".error.json"
    body = {
        "schema": SCHEMA,
        "submission": shown(name),
        "ticket": ticket,
        "verdict": verdict,
        "exit_status": result.status,
        "tries": len(troubles) + result.is_verdict,
        "troubles": troubles,
        "feedback": result.feedback,
        "report": result.report,
    }
    return Outcome(file_name(name) + ending, body)


def shown(name: str) -> str:
    """A file's name as text that can be written anywhere: the bytes that are no printable text as `%XX`."""
    try:
        os.fsencode(name).decode("utf-8")
    except UnicodeDecodeError:
        return "".join(chr(byte) if byte in _SAFE else f"%{byte:02X}" for byte in os.fsencode(name))
    return "".join(
        one if one.isprintable() else "".join(f"%{byte:02X}" for byte in one.encode()) for one in name
    )


def file_name(name: str) -> str:
    """The name that a submission's result has before its ending: its own where that is short, printable text."""
    told = shown(name)
    if len(told.encode()) <= LONGEST_NAME:
        return told
    digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
    return told.encode()[: LONGEST_NAME - 17].decode("utf-8", "ignore") + "~" + digest


def numbered(file: str, number: int) -> str:
    """The same name for a later submission of the same name: `bot.py.json`, `bot.py~2.json`, `bot.py~3.json` …"""
    if number == 1:
        return file
    for ending in (".error.json", ".json"):
        if file.endswith(ending):
            return f"{file.removesuffix(ending)}~{number}{ending}"
    raise ValueError(f"{file!r} is no result's name")


def dumped(value: Any) -> bytes:
    """JSON that is ASCII only: no byte of it is wrong in any encoding. Raises ValueError, TypeError for what is no
    JSON."""
    return (json.dumps(value, allow_nan=False) + "\n").encode("ascii")
