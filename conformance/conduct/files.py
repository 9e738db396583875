"""PD-6.4: no connection, and no file but its own program, its libraries and what its runtime opens at its start.

Law: pure; what may be opened is in `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pdcheck.conformance.conduct import rules
from pdcheck.conformance.conduct.processes import runtimes_of
from pdcheck.conformance.conduct.sights import SHOWN, At, Broken, Sights, is_script_work, shown
from pdcheck.scenarios.pack import Conduct


def judge_files(sights: Sights, conduct: Conduct) -> Iterator[Broken]:
    if not sights.watch.get("looks"):  # it was gone before its own folders could be found out
        return
    expected = (
        "no connection, and no file but its program, its libraries and what its runtime opens at its start"
    )
    told = [
        *(_opened(sights, sight) for sight in sights.opened),
        *(_call(sights, call) for call in sights.calls),
    ]
    # A descriptor and the call that opened it are one sight; the call tells more.
    words = sorted({line for line in told if line})
    if words:
        more = f" (and {len(words) - SHOWN} more)" if len(words) > SHOWN else ""
        yield Broken(conduct.files, expected, "; ".join(words[:SHOWN]) + more)


def _opened(sights: Sights, sight: At) -> str:
    """What a look at descriptors and mapped files shows; "" when it may be."""
    values = sight.values
    if values["how"] == "socket":
        family, address = values["family"], values["address"]
        if family in rules.HARMLESS_FAMILIES and rules.LOCAL_SOCKETS.fullmatch(address):
            return ""
        return f"a {family} socket {shown(address)} is open {sight.when}".replace("  ", " ")
    if may_open(sights, values["path"], values["exe"], write=values["write"], start=sight.start):
        return ""
    if is_script_work(sights, sight) and not values["write"]:
        return ""
    # As for calls: a JVM, for one, holds its working folder open for a moment at its start.
    if values.get("folder") and not values["write"] and sight.start:
        return ""
    if any(values["path"] in (call.values.get("path"), call.values.get("real")) for call in sights.calls):
        return ""
    mode = "for writing" if values["write"] else "for reading"
    return f"{shown(values['path'])} is open {mode} {sight.when} (flags {values['flags']})"


def _call(sights: Sights, call: At) -> str:
    values = call.values
    if values.get("ring"):
        return _ring(sights, call)
    if "address" in values:
        if values["family"] in rules.HARMLESS_FAMILIES and rules.LOCAL_SOCKETS.fullmatch(values["address"]):
            return ""
        return f"{values['call']} to {shown(values['address'])} ({values['family']}) {call.when}"
    if "family" in values:
        family = values["family"]
        return "" if _may_make(sights, call, family) else f"a socket of {family} was made {call.when}"
    if "write" not in values or (is_script_work(sights, call) and not values["write"]):
        return ""
    # Runtimes look for files in many places at their start; what is not there was not opened.
    if not values["exists"] and not values["write"] and call.start:
        return ""
    paths = (values["path"], values["real"])
    if any(may_open(sights, path, values["exe"], write=values["write"], start=call.start) for path in paths):
        return ""
    if values["folder"] and not values["write"] and call.start:
        return ""
    done = {"unlink": "removed", "rmdir": "removed", "mkdir": "made", "rename": "renamed", "symlink": "made"}
    verb = next((word for name, word in done.items() if values["call"].startswith(name)), "")
    if verb:
        return f"{shown(values['path'])} was {verb} {call.when} ({values['call']})"
    mode = "for writing" if values["write"] else "for reading"
    missing = "" if values["exists"] or values["write"] else ", which is not there,"
    flags = f", flags {values['flags']}" if values["flags"] else ""
    return f"{shown(values['path'])}{missing} was opened {mode} {call.when} ({values['call']}{flags})"


def _may_make(sights: Sights, call: At, family: str) -> bool:
    """Whether a socket that is not connected yet is harmless, or its runtime's doing at the start."""
    if family in rules.HARMLESS_FAMILIES:
        return True
    known = runtimes_of(sights, call.values["exe"]) if call.start else set()
    return any(family in rules.SOCKETS_AT_START.get(name, ()) for name in known)


def _ring(sights: Sights, call: At) -> str:
    """Files are opened through an io_uring without a call; some runtimes have one for what they do anyway."""
    exe = call.values["exe"]
    if call.start or runtimes_of(sights, exe) & rules.WITH_RINGS:
        return ""
    return f"an io_uring, through which files are opened unseen, was used {call.when} ({call.values['call']})"


def may_open(sights: Sights, path: str, exe: str, *, write: bool, start: bool) -> bool:
    """Whether the rules let a bot that runs the program `exe` open this path."""
    for rule in rules.ANYWHERE:
        if (
            re.fullmatch(rule.path, path, re.S)
            and (rule.write or not write)
            and (start or not rule.start_only)
            and (not rule.runtime or rule.runtime in runtimes_of(sights, exe))
        ):
            return True
    pids = "|".join(map(str, sorted(sights.pids | {sights.watch.get("pid", 0)})))
    if re.fullmatch(rules.OWN_PROCESS.format(pids=pids), path):
        return not write or path.endswith(("/comm", "/oom_score_adj", "/coredump_filter", "/timerslack_ns"))
    own, runtime = sights.watch.get("own", ()), sights.watch.get("runtime", ())
    if any(_inside(path, folder) for folder in (*own, *runtime)):
        return not write or bool(rules.CACHES.fullmatch(path))
    return not write and any(_above(path, folder) for folder in own)


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _above(path: str, folder: str) -> bool:
    """Whether it is one of the names that runtimes look for in the folders above the program."""
    parts = folder.rstrip("/").split("/")
    above = ("/".join(parts[:many]) + "/" for many in range(len(parts), 0, -1))
    return any(path.startswith(up) and rules.ANCESTORS.fullmatch(path[len(up) :]) for up in above)
