"""PD-6.2 and PD-6.3: CPU used in others' turns, and memory.

Law: pure. Where the machine could be the reason, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pdcheck.conformance.conduct.sights import At, Broken, Sights
from pdcheck.scenarios.pack import Conduct

IDLE_SHARE = 0.2
IDLE_BROKEN = 2
"""PD-6.2: "over 20 % of the time between 100 and 300 ms, in 2 of 3 tries, with the control process calm"."""
LATE = 0.1
"""Seconds by which the kit itself came back too late from idling: the machine was not calm."""
MOST_STARVED = 0.5
"""Of the time of a try: a bot that waited longer for a core, and used little, shows nothing."""


def calm(idles: Iterable[At]) -> list[At]:
    """The tries that tell. One against the bot: neither the kit nor all of the machine stood still, or what it had to
    do right after its answer may only have come late. One for it: it could have run."""
    return [idle for idle in idles if (_steady(idle) if _share(idle) > IDLE_SHARE else _free(idle))]


def _steady(idle: At) -> bool:
    late: float = max(idle.values["late"], idle.values.get("stalled", 0.0))
    return late <= LATE


def _free(idle: At) -> bool:
    starved: float = idle.values["starved"]
    seconds: float = idle.values["seconds"]
    return starved <= seconds * MOST_STARVED


def judge_idle(sights: Sights, conduct: Conduct) -> Iterator[Broken]:
    telling = calm(sights.idles)
    busy = [idle for idle in telling if _share(idle) > IDLE_SHARE]
    if len(busy) >= IDLE_BROKEN:
        shares = ", ".join(f"{_share(idle):.0%}" for idle in telling)
        yield Broken(
            conduct.idle,
            f"at most {IDLE_SHARE:.0%} of the time between 100 and 300 ms after an answer",
            f"CPU used while it was not its turn, in {len(telling)} tries: {shares}",
            timed=True,
        )


def _share(idle: At) -> float:
    """Its share of the time; while it waited for a core it could use none, so most of that does not count."""
    values = idle.values
    seconds: float = values["seconds"]
    cpu: float = values["cpu"]
    return cpu / (seconds - min(values["starved"], seconds * MOST_STARVED)) if seconds > 0 else 0.0


def judge_memory(sights: Sights, conduct: Conduct) -> Iterator[Broken]:
    most = conduct.most_memory // 1024
    expected = f"at most {conduct.most_memory // 2**20:,} MiB, all its processes together"
    worst = max(sights.memory, key=lambda sight: int(sight.values["kib"]), default=None)
    if worst is not None and worst.values["kib"] > most:
        of = f" of {worst.values['processes']} processes" if worst.values["processes"] > 1 else ""
        yield Broken(conduct.memory, expected, f"{worst.values['kib'] // 1024:,} MiB{of} {worst.when}")
    elif sights.peak_kib > most:
        yield Broken(conduct.memory, expected, f"a peak of {sights.peak_kib // 1024:,} MiB")
