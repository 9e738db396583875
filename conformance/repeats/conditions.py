"""Under what a match is repeated: a table, one row a condition.

Law: each row changes one thing around the bot and nothing in the match; `together` changes all of them. `HELD` rows are
played only where plain repetition already differs: they keep one thing the same that otherwise changes with every run,
and the one under which a bot plays the same way, and another way when it is held otherwise, names the cause. The
process id is another one in every run anyway.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from pdcheck.conformance.case import Case
from pdcheck.conformance.repeats import clock, surroundings
from pdcheck.conformance.setting import Setting

LATE = 0.04
"""Seconds by which a late line is late."""
HASH_SEED = "PYTHONHASHSEED"


class Condition(NamedTuple):
    """`words` completes "the moves change …"; `cause` is what that means and `remedy` what to do about it."""

    name: str
    varied: str
    words: str
    changed: Mapping[str, Any]
    """Fields of `Setting` that differ from plain ones."""
    cause: str
    remedy: str = ""
    counter: str = ""
    """Of one that holds something: the condition that holds it otherwise, under which the moves must differ."""
    about: str = ""
    """What a game may have a hint about (`Repeats.hints`)."""

    @property
    def setting(self) -> Setting:
        """The setting it is played in."""
        return Setting(self.name, **self.changed)


PLAIN, AGAIN, TOGETHER = "plain", "again", "together"

_RANDOM = (
    "something decides that is another thing in each run: most likely random numbers without a fixed seed; if there "
    "are none, the order of a hash table, memory that was never set, the process id, or threads that race"
)
_RANDOM_FIX = (
    "Take out rand, random and Math.random, or seed a generator of your own with a constant. If there are none: set "
    "every variable before it is read (C, C++: try -fsanitize=memory or valgrind), use no process id, and let no "
    "result depend on which thread is done first."
)
_TIMED = "the time it takes decides: a search that stops by the clock, or threads that race"
_TIMED_FIX = (
    "Stop a search after a count of nodes or iterations, never after a time; let no result depend on which thread is "
    "done first."
)
_ORDER_FIX = (
    "Order things by a number of their own, never by a pointer, id(), Object.hashCode or the order of a hash table "
    "keyed by them. Set every variable before it is read."
)

VARIED: Final = (
    Condition(
        "late",
        "lines that come late",
        "when some of the other's lines come late",
        {"late": LATE},
        f"how long it waits decides: it thinks on while the other is in turn, or stops a search by the clock "
        f"(every 8th line came {LATE * 1000:.0f} ms late)",
        "Think only between reading a line and writing the answer, and bound that by a count of nodes, not by time.",
    ),
    Condition(
        "clock",
        "another date and time",
        "when the date and the time of day are others",
        {"clock": clock.ANOTHER},
        "the date or the time of day decides: most likely a generator is seeded with it, as by srand(time(NULL))",
        "Seed the generator with a constant, or do without one.",
    ),
    Condition(
        "addresses",
        "addresses that are not randomised",
        "when its memory lies elsewhere (addresses not randomised)",
        {"fixed": True},
        "addresses in memory decide: the order of pointers, of id() or hash codes made from them, or memory never set",
        _ORDER_FIX,
        about="order",
    ),
    Condition(
        "environment",
        "other environment variables",
        "when environment variables are others",
        {
            "changes": {
                "PDCHECK_REPEATS": "x" * 1531,  # moves the stack, too
                "TZ": "Pacific/Chatham",
                "USER": "somebody",
                "LOGNAME": "somebody",
                "TERM": "xterm-256color",
                "COLUMNS": "213",
                HASH_SEED: "20011",
            }
        },
        "an environment variable decides (TZ, USER, TERM, COLUMNS, PYTHONHASHSEED, or how many there are), or memory "
        "that was never set",
        "Read nothing from the environment; set every variable before it is read.",
    ),
    Condition(
        "folder",
        "another working folder",
        "when it is started in another folder",
        {"elsewhere": True},
        "the working folder decides: a file that is found only there (an opening book, a log, a cache), or its name",
        "Put what it needs into the program, or find files beside the program, not in the working folder.",
    ),
    Condition(
        "locale",
        "another locale",
        "when the locale is another",
        {"changes": {"LANG": "C", "LC_ALL": "C"}},
        "the locale decides: how strings are sorted, upper and lower case, or the decimal point",
        "Compare bytes or numbers, not text by the locale; in Java use Locale.ROOT.",
    ),
    Condition(
        "load", "a busy machine", "when it shares its core with a busy process", {"crowded": True}, _TIMED, _TIMED_FIX
    ),
)  # fmt: skip
"""What is varied, each alone. The order is that in which a cause is looked for."""

HELD: Final = (
    Condition(
        "held-clock",
        "the clock held",
        "",
        {"clock": clock.COUNTED},
        "the clock decides: a search that stops by it, or a seed taken from it (with a clock that goes on only when it "
        "is read it played the same way each time)",
        "Stop a search after a count of nodes or iterations, never after a time; seed a generator with a constant.",
        "other-clock",
    ),
    Condition(
        "held-hash",
        "PYTHONHASHSEED held",
        "",
        {"changes": {HASH_SEED: "0"}},
        "the order of a set of strings decides, which Python changes with every run (with PYTHONHASHSEED=0 it played "
        "the same way each time)",
        "Sort before you choose: never the first one that a set gives. The contest does not set PYTHONHASHSEED.",
        "other-hash",
        "hash",
    ),
    Condition(
        "held-addresses",
        "addresses held",
        "",
        {"fixed": True},
        "addresses in memory decide: the order of pointers, of id() or hash codes made from them, or memory never set "
        "(with addresses that are not randomised it played the same way each time)",
        _ORDER_FIX,
        about="order",
    ),
)

COUNTERS: Final = (
    Condition("other-clock", "another clock held", "", {"clock": clock.COUNTED_OTHERWISE}, ""),
    Condition("other-hash", "another PYTHONHASHSEED held", "", {"changes": {HASH_SEED: "1"}}, ""),
)
UNCHANGED: Final = (
    Condition(PLAIN, "nothing", "", {}, ""),
    Condition(AGAIN, "nothing", "when nothing is changed", {}, _RANDOM, _RANDOM_FIX),
)


def _together() -> Condition:
    changed: dict[str, Any] = {}
    for row in VARIED:
        changes = {**changed.get("changes", {}), **row.changed.get("changes", {})}
        changed |= row.changed
        if changes:
            changed["changes"] = changes
    cause = "several changes together decide, none of them alone: most likely the time it takes, or memory never set"
    words = "when everything around it is changed at once"
    return Condition(TOGETHER, "all of these together", words, changed, cause, _TIMED_FIX)


ALL: Final = _together()
CONDITIONS: Final[Mapping[str, Condition]] = {
    row.name: row for row in (*UNCHANGED, *VARIED, ALL, *HELD, *COUNTERS)
}


def untried(cases: Sequence[Case], folder: str, program: str = "", started_in: str = ".") -> dict[str, str]:
    """The conditions of these cases that cannot be made on this machine for this program, each with the reason.
    `folder` is where what they need is made ready. `together` goes without them."""
    asked = {case.repeats for case in cases}
    if any(asked):  # what a closer look would want
        asked |= {row.name for row in (*VARIED, *HELD)}
    rows = [row for row in CONDITIONS.values() if row.name in asked]
    clocks: Mapping[str, str] = {}
    if any("clock" in row.changed for row in rows):
        clocks = clock.unseen(program, started_in) or clock.prepare(folder)
    fixed = surroundings.refusal() if any("fixed" in row.changed for row in rows) else ""
    found = {
        row.name: clocks.get(row.changed.get("clock", ""), "") or (fixed if "fixed" in row.changed else "")
        for row in rows
        if row is not ALL
    }
    return {name: why for name, why in found.items() if why}


def under(case: Case, condition: str) -> Case:
    """The same match under another condition."""
    stem = case.id.removesuffix(f"/{case.repeats}")
    row = CONDITIONS[condition]
    return dataclasses.replace(
        case, id=f"{stem}/{condition}", setting=row.setting, repeats=condition, alone="crowded" in row.changed
    )
