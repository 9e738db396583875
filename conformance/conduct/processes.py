"""PD-6.1: one process with one thread, beside those that its runtime starts by itself.

Law: pure; what is a runtime's own is in `rules`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Set
from typing import Any

from pdcheck.conformance.conduct import rules
from pdcheck.conformance.conduct.sights import SHOWN, At, Broken, Sights, is_script_work, is_shell, shown
from pdcheck.scenarios.pack import Conduct

LASTS = 0.5
"""Seconds that too many threads of one name must last before they count: pools start one thread after another."""


TWO_LOOKS = 0.02
"""Seconds between the first and the last look that showed a thread: one that is seen once may not be named yet."""


def judge_processes(sights: Sights, conduct: Conduct, *, whole: bool) -> Iterator[Broken]:
    expected = "one process with one thread, beside those that its runtime starts by itself"
    settled = [_settled(sights, at) for at in range(len(sights.processes))]
    worst = max(settled, key=lambda sight: len(_counted(sight)), default=None)
    if worst is not None and len(counted := _counted(worst)) > 1:
        told = ", ".join(f"`{_command(process)}`" for process in counted[:SHOWN])
        yield Broken(conduct.processes, expected, f"{len(counted)} processes {worst.when}: {told}")
    else:
        yield from _short_lived(sights, conduct, expected)
    lasted = _lasted(sights)
    shown_for = _shown_for(sights, lasted)
    for sight, seconds in zip(sights.processes, lasted, strict=True):
        for process in sight.values["processes"]:
            firsts = sights.first_names(process)
            extra = extra_threads(_steady(process, shown_for, firsts), seconds, firsts, whole=whole)
            if extra:
                told = ", ".join(f"`{shown(name)}`" for name in extra[:SHOWN])
                many = len(process["threads"])
                known = runtime_of(process)
                beside = f"; {known.name}'s own are not counted" if known else ""
                actual = f"{many} threads {sight.when}, {len(extra)} of them its own doing: {told}{beside}"
                yield Broken(conduct.processes, expected, actual)
                return
    yield from _short_threads(sights, conduct, expected)


def _lasted(sights: Sights) -> list[float]:
    """Of each moment's processes, how long they were seen so; where the looks are not told, until they were not."""
    until = [*(sight.at for sight in sights.processes[1:]), sights.end]
    return [sights.held.get(at, until[at] - sight.at) for at, sight in enumerate(sights.processes)]


_Thread = tuple[int, str, str]


def _shown_for(sights: Sights, lasted: list[float]) -> dict[_Thread, float]:
    """Process, thread and its name → seconds between the first and the last look that showed it by that name."""
    first: dict[_Thread, float] = {}
    shown_for: dict[_Thread, float] = {}
    for sight, seconds in zip(sights.processes, lasted, strict=True):
        for process in sight.values["processes"]:
            for thread, name in process["threads"].items():
                key = (process["pid"], thread, name)
                shown_for[key] = sight.at + seconds - first.setdefault(key, sight.at)
    return shown_for


def _steady(
    process: Mapping[str, Any], shown_for: Mapping[_Thread, float], firsts: Set[str]
) -> Mapping[str, Any]:
    """The process without threads that may only not have been named yet: a thread is started with its maker's name,
    and it is itself that takes its own, when it gets a core."""
    pid, known = process["pid"], runtime_of(process) is not None
    threads = {
        thread: name
        for thread, name in process["threads"].items()
        if thread == str(pid)
        or shown_for[pid, thread, name] >= (LASTS if known and name in firsts else TWO_LOOKS)
    }
    return {**process, "threads": threads}


def _settled(sights: Sights, at: int) -> At:
    """One moment's processes; those that were seen still so after the first answer are no more a start script's work
    (what does not change is told once, however long it stays)."""
    sight = sights.processes[at]
    if not sight.script or sight.at + sights.held.get(at, 0.0) <= sights.answered:
        return sight
    return sight._replace(script=False, when="still there after its first answer")


def _counted(sight: At) -> list[Mapping[str, Any]]:
    """The processes of one moment, without shells that have a child to wait for."""
    all_ = sight.values["processes"]
    parents = {process["parent"] for process in all_}
    counted = [p for p in all_ if not (is_shell(p["exe"]) and p["pid"] in parents)]
    # A start script may run one program after another, each for a moment, before the bot is there.
    return counted[:1] if sight.script and any(is_shell(p["exe"]) for p in all_) else counted


def extra_threads(
    process: Mapping[str, Any], seconds: float, firsts: Set[str], *, whole: bool = False
) -> list[str]:
    """The names of a process's threads that its runtime does not start by itself; `seconds`: how long it was so,
    `firsts`: names that its first thread has had."""
    if whole and any(map(rules.NUMERIC.fullmatch, process.get("libraries", ()))):
        return []
    threads = sorted((int(thread), name) for thread, name in process["threads"].items())
    threads.sort(
        key=lambda item: item[0] != process["pid"]
    )  # numbers may have begun anew since the first one
    names = [name for _, name in threads if not re.fullmatch(rules.LIBRARY_THREADS, name)]
    known = runtime_of(process)
    if known is None:
        return names[1:]
    extra, many = _beyond(known, names, firsts)
    # A new thread bears its maker's name until it is given its own: too many of a name count when that lasts.
    if seconds < LASTS:
        return extra
    nameless = [name for name in names if _is_nameless(known, name, firsts)]
    if known.totals and not many and nameless and len(nameless) not in known.totals:
        many = nameless[max(total for total in known.totals if total < len(nameless)) :]
    return extra + many


def _beyond(known: rules.Runtime, names: list[str], firsts: Set[str]) -> tuple[list[str], list[str]]:
    """Of the names of a process's threads, its first thread's first: those that are none of its runtime's, and those
    of which there are too many."""
    extra: list[str] = []
    many: list[str] = []
    nameless = known.nameless or ("", 0)
    left = dict((nameless, *known.threads))
    for at, name in enumerate(names):
        rows = [nameless[0]] if _is_nameless(known, name, firsts) else []
        # A script may be called like one of the runtime's threads: then either row will do.
        rows += [pattern for pattern, _ in known.threads if re.fullmatch(pattern, name)]
        row = next((pattern for pattern in rows if left[pattern]), None)
        if row is not None:
            left[row] -= 1
        elif rows:
            many.append(name)
        else:
            extra += [name] if at else []  # the first is the one that every program has
    return extra, many


def _is_nameless(known: rules.Runtime, name: str, firsts: Set[str]) -> bool:
    """Whether a thread of this name was given none of its own."""
    return known.nameless is not None and (name in firsts or bool(re.fullmatch(known.nameless[0], name)))


def runtimes_of(sights: Sights, exe: str) -> set[str]:
    """The names of the runtimes that processes which run this program are known to have."""
    seen = [p for sight in sights.processes for p in sight.values["processes"] if p["exe"] == exe]
    return {known.name for p in seen or [{"exe": exe, "threads": {}}] if (known := runtime_of(p)) is not None}


def runtime_of(process: Mapping[str, Any]) -> rules.Runtime | None:
    """The runtime that a process (as the watcher tells it) is known to have."""
    name = os.path.basename(process["exe"].removesuffix(" (deleted)"))
    libraries = process.get("libraries", ())
    for runtime in rules.RUNTIMES:
        if runtime.programs and re.fullmatch(runtime.programs, name):
            return runtime
        if runtime.libraries and any(re.fullmatch(runtime.libraries, library) for library in libraries):
            return runtime
    if rules.HASKELL_SIGN in process["threads"].values():
        return rules.HASKELL
    return rules.GO if process.get("go") else None


def _short_lived(sights: Sights, conduct: Conduct, expected: str) -> Iterator[Broken]:
    """Processes that were started, and gone before anybody could look."""
    for call in sights.calls:
        if "thread" not in call.values or call.values["thread"] or is_script_work(sights, call):
            continue
        program = shown(os.path.basename(call.values["exe"])) or "the bot"
        actual = f"{program} started a process {call.when} ({call.values['call']})"
        yield Broken(conduct.processes, expected, actual)
        return


def _short_threads(sights: Sights, conduct: Conduct, expected: str) -> Iterator[Broken]:
    """Threads started and gone, of programs whose runtime starts none."""
    runtimes = {p["pid"]: runtime_of(p) for sight in sights.processes for p in sight.values["processes"]}
    by_exe = {p["exe"]: runtime_of(p) for sight in sights.processes for p in sight.values["processes"]}
    excused = {p["exe"]: _of_libraries(p) for sight in sights.processes for p in sight.values["processes"]}
    for call in sights.calls:
        if not call.values.get("thread") or is_script_work(sights, call):
            continue
        exe = call.values["exe"]
        if runtimes.get(call.values["pid"]) or by_exe.get(exe) or exe not in by_exe:
            continue
        if excused[exe]:
            excused[exe] -= 1
            continue
        yield Broken(conduct.processes, expected, f"it started a thread {call.when} ({call.values['call']})")
        return


def _of_libraries(process: Mapping[str, Any]) -> int:
    """How many of its threads a library has started wherever it is loaded."""
    return sum(bool(re.fullmatch(rules.LIBRARY_THREADS, name)) for name in process["threads"].values())


def _command(process: Mapping[str, Any]) -> str:
    return shown(" ".join(process["command"]), 60)
