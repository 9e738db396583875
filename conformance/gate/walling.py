"""The walls of one judging, proven before anything is judged.

Law: what the gate promises is tried from inside, first; where a property does not hold, nothing is judged (WallsError).
All that is made here lies in one scratch folder, which goes however the gate ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pdcheck.conformance.sandbox import WallsError, bubblewrap, host
from pdcheck.conformance.sandbox.observed import LEFT
from pdcheck.conformance.sandbox.proof import failed, prove
from pdcheck.conformance.sandbox.properties import PROPERTIES, Held
from pdcheck.conformance.sandbox.walls import Limits
from pdcheck.conformance.sandbox.workshop import Workshop
from pdcheck.conformance.scratch import scratch

LIMITS = {
    "memory": ("memory",),
    "network": ("network",),
    "files": ("files", "write"),
    "processes": ("processes",),
}
"""What a report tells of → the properties that it is."""


@dataclass(frozen=True, slots=True)
class Walling:
    """A workshop whose walls hold, and the `scratch` folder that all of it lies in."""

    scratch: str
    workshop: Workshop
    held: Mapping[str, Held]

    @property
    def limits(self) -> Mapping[str, str]:
        """As a report tells them."""
        statuses = {name: {self.held[one].status for one in of} for name, of in LIMITS.items()}
        return {
            name: next(status for status in ("off", "watched", "enforced") if status in found)
            for name, found in statuses.items()
        }

    @property
    def properties(self) -> Sequence[Mapping[str, Any]]:
        """Each property: what it promises, whether it holds, and how often it was tried."""
        return [
            {
                "name": name,
                "promise": PROPERTIES[name].promise,
                "status": held.status,
                "attempts": len(held.attempts),
            }
            for name, held in self.held.items()
        ]

    @property
    def promised(self) -> Mapping[str, Any]:
        """What of the walls a verdict depends on."""
        return {
            "bubblewrap": bubblewrap.version(),
            "memory": "cgroup" if self.workshop.cgroups else "address space",
            "user": "own" if self.workshop.user else "the gate's",
            "limits": repr(Limits()),
        }

    @property
    def hidden(self) -> Mapping[str, str]:
        """Folders that no submitter is shown, and what is shown instead."""
        there = self.workshop.folder
        return {
            os.path.join(there, "bot"): "",
            there: "…",
            self.scratch: "…",
        }


@contextmanager
def proven() -> Iterator[Walling]:
    """Walls that hold, for one judging. Raises WallsError, which names what does not hold."""
    with scratch() as folder, Workshop(folder) as workshop:
        plain = host.walls()
        # The walls of the cases whose calls are told are lower in one place: they are tried, too.
        told = prove(workshop, replace(plain, leaves=LEFT))
        held = prove(workshop, plain)
        if broken := [*failed(held), *failed(told)]:
            raise WallsError(f"the walls do not hold here: {'; '.join(broken)}")
        yield Walling(folder, workshop, held)
