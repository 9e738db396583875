"""A contestant's report beside the gate's: where they differ, and what that is due to.

Law: both are reports as `schemas/report.json` has them, and nothing else is known of the two runs. The first cause in
the table that applies is told; what none explains is told as unexplained, for then one of the two is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import GamePack

Report = Mapping[str, Any]
BAD = ("fail", "warn")
ABSENT = "absent"
"""The status of a requirement that a report does not have."""
SAME = "same"
UNEXPLAINED = "unexplained"
SETTINGS = ("suite", "pdcheck", "rules", "profile", "seed")
"""What decides which cases are run, the weightiest first."""
OF_THE_MACHINE = ("system", "release", "machine", "cores", "python")


class Row(NamedTuple):
    """One requirement. `kind`: same, or what explains the difference (a name of `CAUSES`, or unexplained)."""

    requirement: str
    level: str
    local: str
    gate: str
    kind: str = SAME
    why: str = ""

    @property
    def differs(self) -> bool:
        """Whether the two reports say different things."""
        return self.kind != SAME


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two reports. `notes`: how the runs themselves differ, in sentences."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    verdicts: tuple[str, str]

    @property
    def agree(self) -> bool:
        """Whether both say the same of every requirement."""
        return not any(row.differs for row in self.rows)

    @property
    def unexplained(self) -> tuple[Row, ...]:
        """The differences without a cause."""
        return tuple(row for row in self.rows if row.kind == UNEXPLAINED)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON: the verdicts, the notes, and the rows that differ."""
        return {
            "agree": self.agree,
            "local_verdict": self.verdicts[0],
            "gate_verdict": self.verdicts[1],
            "notes": list(self.notes),
            "rows": [row._asdict() for row in self.rows if row.differs],
        }


@dataclass(frozen=True, slots=True)
class _Pair:
    """One requirement in both reports."""

    local: Report
    gate: Report
    mine: Mapping[str, Any]
    theirs: Mapping[str, Any]
    limit: str
    timed: bool
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def statuses(self) -> tuple[str, str]:
        return self.mine.get("status", ABSENT), self.theirs.get("status", ABSENT)

    @property
    def sides(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return ("the contestant's run", self.mine), ("the gate", self.theirs)


def compare(local: Report, gate: Report, pack: GamePack) -> Comparison:
    """Two reports of one game, requirement by requirement, in the catalogue's order. Raises UsageError when they are
    of different games."""
    if not local["game"] == gate["game"] == pack.name:
        raise UsageError(f"a report of {local['game']} is not compared with one of {gate['game']}")
    mine = {row["id"]: row for row in local["requirements"]}
    theirs = {row["id"]: row for row in gate["requirements"]}
    settings = _settings(local, gate)
    properties, timed = _properties(pack), _timed(pack)
    order = [one.id for one in pack.catalogue()]
    ids = [*(one for one in order if one in mine or one in theirs), *sorted({*mine, *theirs} - set(order))]
    rows = []
    for one in ids:
        mine_row, their_row = mine.get(one, {}), theirs.get(one, {})
        pair = _Pair(local, gate, mine_row, their_row, properties.get(one, ""), one in timed, settings)
        rows.append(_row(one, pair))
    return Comparison(tuple(rows), tuple(_notes(local, gate, settings)), (local["verdict"], gate["verdict"]))


def _row(requirement: str, pair: _Pair) -> Row:
    level = (pair.theirs or pair.mine)["level"]
    before, after = pair.statuses
    if before == after:
        return Row(requirement, level, before, after)
    for kind, cause in CAUSES.items():
        why = cause(pair)
        if why:
            return Row(requirement, level, before, after, kind, why)
    return Row(requirement, level, before, after, UNEXPLAINED, "nothing in the two reports explains it")


def _properties(pack: GamePack) -> dict[str, str]:
    """Requirement → the property of a sandbox (of `machine.limits`) that bears on it."""
    if pack.conduct is None:
        return {}
    named = {name: getattr(pack.conduct, name) for name in ("processes", "memory", "files")}
    return {requirement: name for name, requirement in named.items() if requirement}


def _timed(pack: GamePack) -> set[str]:
    return {pack.match_time, pack.told_time, pack.margin, pack.hang, *pack.timing, *pack.silence.values()} - {
        ""
    }


def _settings(local: Report, gate: Report) -> dict[str, str]:
    """Name → how it differs, in words."""
    return {
        name: f"{name} {_told(local.get(name))} there, {_told(gate.get(name))} in the gate"
        for name in SETTINGS
        if local.get(name) != gate.get(name)
    }


def _told(value: Any) -> str:
    return "none" if value is None else str(value)


def _limits(report: Report) -> Mapping[str, str]:
    limits: Mapping[str, str] = report["machine"]["limits"]
    return limits


def _version(pair: _Pair) -> str:
    if ABSENT in pair.statuses:
        return pair.settings.get("suite") or pair.settings.get("pdcheck", "")
    return pair.settings.get("suite", "")


def _one_side(status: str, words: str, reason: str) -> Callable[[_Pair], str]:
    """The cause that one side's row has this status: `words` for its side, and its reason or else `reason`."""

    def cause(pair: _Pair) -> str:
        for side, row in pair.sides:
            if row.get("status") == status:
                return f"{side} {words}: {row.get('reason') or reason}"
        return ""

    return cause


def _strict(pair: _Pair) -> str:
    if set(pair.statuses) == set(BAD):
        strict = [side for side, row in pair.sides if row["status"] == "fail"]
        return f"the same fault, counted by {strict[0]} only (--strict, or a baseline)"
    return ""


def _flaky(pair: _Pair) -> str:
    for side, row in pair.sides:
        for finding in row.get("findings", ()):
            seen = finding.get("flaky")
            if seen:
                return f"it does not always show: in {seen['failed']} of {seen['runs']} runs of {side}"
    return ""


def _asked(pair: _Pair) -> str:
    """Other rules are another game; with another profile or seed other cases are generated."""
    return next((pair.settings[name] for name in ("rules", "profile", "seed") if name in pair.settings), "")


def _walls(pair: _Pair) -> str:
    """A wall on what the requirement is about."""
    there, here = (_limits(report).get(pair.limit, "off") for report in (pair.local, pair.gate))
    return f"{pair.limit}: {there} there, {here} in the gate" if pair.limit and there != here else ""


def _speed(pair: _Pair) -> str:
    """A requirement that rests on time, on two machines that are not equally fast."""
    if not pair.timed:
        return ""
    speeds = [_calibration(report, "times_as_fast") for report in (pair.local, pair.gate)]
    factors = [_calibration(report, "cpu_factor") for report in (pair.local, pair.gate)]
    if factors[0] != factors[1]:
        return f"--cpu-factor {_told(factors[0])} there, {_told(factors[1])} in the gate"
    if None not in speeds and speeds[0] != speeds[1]:
        return (
            f"the machine there is {speeds[0]} times as fast as the contest's, the gate's {speeds[1]} times"
        )
    shares = [report["timing"].get("budget_used_share") for report in (pair.local, pair.gate)]
    if None not in shares and shares[0] != shares[1]:
        return f"of a match's time at most {shares[0]:.0%} was used there, {shares[1]:.0%} in the gate"
    return ""


def _calibration(report: Report, name: str) -> Any:
    calibration = report["machine"].get("calibration")
    return calibration.get(name) if isinstance(calibration, Mapping) else None


def _denied(pair: _Pair) -> str:
    """A wall that the requirement is not about, but that the bot may have run into."""
    there, here = _limits(pair.local), _limits(pair.gate)
    higher = sorted(name for name in here if here[name] == "enforced" != there.get(name, "off"))
    if pair.theirs.get("status") in BAD and higher:
        return (
            f"the bot may need what only the gate denies ({', '.join(higher)}): run it with --sandbox strict"
        )
    return ""


def _machines(pair: _Pair) -> str:
    differing = [name for name in OF_THE_MACHINE if _machine(pair.local, name) != _machine(pair.gate, name)]
    if not differing:
        return ""
    told = (
        f"{name} {_told(_machine(pair.local, name))} there, {_told(_machine(pair.gate, name))} in the gate"
        for name in differing
    )
    return "the machines differ: " + "; ".join(told)


def _machine(report: Report, name: str) -> Any:
    return report["machine"].get(name)


CAUSES: Mapping[str, Callable[[_Pair], str]] = {
    "version": _version,
    "waived": _one_side("waived", "lets it pass", "waived"),
    "strict": _strict,
    "not-run": _one_side("not-run", "did not try it", "no reason is given"),
    "inconclusive": _one_side("inconclusive", "could not tell", "the machine may have stalled"),
    "flaky": _flaky,
    "settings": _asked,
    "sandbox": _walls,
    "speed": _speed,
    "walls": _denied,
    "machine": _machines,
}
"""What explains a difference, the surest first."""


def _notes(local: Report, gate: Report, settings: Mapping[str, str]) -> list[str]:
    notes = list(settings.values())
    hashes = [report["bot"]["sha256"] for report in (local, gate)]
    if None not in hashes and hashes[0] != hashes[1]:
        notes.append("the program that ran is not the same file: another version, or built otherwise")
    if local.get("interrupted"):
        notes.append("the contestant's run was interrupted")
    there, here = _limits(local), _limits(gate)
    for name in sorted({*there, *here}):
        before, after = there.get(name, "off"), here.get(name, "off")
        if before != after:
            notes.append(f"{name}: {before} there, {after} in the gate")
    return notes
