"""`pdcheck sandbox`: what of the walls holds on this machine, tried here and now."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from pdcheck.conformance.commands.common import ended_by_signals, tell, writable
from pdcheck.conformance.sandbox import WallsError, bubblewrap
from pdcheck.conformance.sandbox.proof import failed, prove
from pdcheck.conformance.sandbox.properties import PROPERTIES, Held, judged
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.scratch import scratch
from rich.console import Console
from rich.markup import escape
from rich.table import Table

COLOURS: Mapping[str, str] = {"enforced": "green", "watched": "yellow", "off": "red"}
NOT_ALL = 3


class SandboxOptions(NamedTuple):
    """`json`: a file for the whole proof ("-": stdout, and no table)."""

    json: str | None = None
    colour: bool = True


def run_sandbox(options: SandboxOptions) -> int:
    """Print the table; 0 when all of it holds, so that a gate would start, else 3."""
    writable("--json", options.json)
    with ended_by_signals(), scratch() as folder:
        told, held = _found(folder)
    if options.json:
        _write(options.json, _document(told, held))
    if options.json != "-":
        _show(told, held, options)
    return NOT_ALL if failed(held) else 0


def _found(folder: str) -> tuple[dict[str, str], dict[str, Held]]:
    """What the walls are made of here, and what of them holds."""
    try:
        told = {"walls": bubblewrap.version()}
        with Workshop(folder) as workshop:
            told["user"] = f"{workshop.user.number}, of its own" if workshop.user else "the kit's own"
            told["memory"] = "a cgroup for each bot" if workshop.cgroups else "address space of each process"
            return told, prove(workshop)
    except WallsError as error:
        return {"walls": f"none: {error}"}, judged({})


def _document(told: Mapping[str, str], held: Mapping[str, Held]) -> dict[str, Any]:
    rows = [
        {
            "name": row.name,
            "status": held[row.name].status,
            "promise": row.promise,
            "means": list(row.means),
            "why": held[row.name].why,
            "attempts": [
                {"name": attempt.name, "done": attempt.done, "how": attempt.how}
                for attempt in held[row.name].attempts
            ],
        }
        for row in PROPERTIES.values()
    ]
    return {"schema": 1, **told, "properties": rows}


def _write(file: str, document: Mapping[str, Any]) -> None:
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if file == "-":
        sys.stdout.write(text)
        return
    try:
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:  # the table is shown all the same
        tell(f"pdcheck: --json {file}: {error.strerror}; it is not written")


def _show(told: Mapping[str, str], held: Mapping[str, Held], options: SandboxOptions) -> None:
    for name, value in told.items():
        print(f"{name:7} {value}")
    if sys.stdout.isatty():
        Console(no_color=not options.colour).print(_table(held))
        return
    for row in PROPERTIES.values():
        found = held[row.name]
        print(f"{found.status:9} {row.name:16} {_tried(found):>9}  {found.why or row.promise}")


def _table(held: Mapping[str, Held]) -> Table:
    table = Table("property", "status", "tried", "what a bot cannot do: …", "by")
    for row in PROPERTIES.values():
        found = held[row.name]
        promise = escape(f"{row.promise}\n{found.why}" if found.why else row.promise)
        status = f"[{COLOURS[found.status]}]{found.status}"
        table.add_row(row.name, status, _tried(found), promise, ", ".join(row.means))
    return table


def _tried(found: Held) -> str:
    return f"{len(found.attempts)} tries" if len(found.attempts) != 1 else "1 try"
