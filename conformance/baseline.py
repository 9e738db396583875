"""A baseline: the findings of a bot that are known, and let pass while they are the same.

Law: a file for people and for version control: a line a finding, sorted, nothing in it that changes by itself
(no time, path or count). A finding that is not in it fails the run, and so does a line whose fault is gone. What
was not tried in this run is neither.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pdcheck.conformance.usage import UsageError
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.pack import GamePack

if TYPE_CHECKING:
    from pdcheck.conformance.findings import Finding
    from pdcheck.conformance.report import Report, Row

SCHEMA = 1
DEFAULT_FILE = "pdcheck-baseline.toml"
BROKEN = "broken"
"""The kind of a finding that is no breakdown."""
LONGEST_FILE = 1 << 20
HEAD = """\
# What pdcheck already found in this bot: it passes while it is the same.
# `pdcheck --write-baseline` writes this file; a line whose fault is mended is to be taken out.
"""


class Known(NamedTuple):
    """One known finding. `kind`: how it shows, the same in each run; `case` is one where it does; `message` is for
    people. `line` of the file it was read from, 0 where that cannot be told."""

    requirement: str
    level: str
    kind: str
    case: str
    message: str
    line: int = 0

    @property
    def key(self) -> tuple[str, str, str]:
        """Equal for findings that are the same."""
        return (self.requirement, self.level, self.kind)

    @property
    def shown(self) -> str:
        """The finding in a line."""
        return f"{self.requirement} {self.level} {self.message}"


@dataclass(frozen=True, slots=True)
class Baseline:
    """A whole file: what the run was that found these, and what it found."""

    file: str
    suite: str
    game: str
    rules: str
    profile: str
    seed: int
    findings: tuple[Known, ...] = ()

    def place(self, known: Known) -> str:
        """Where a finding stands, in words."""
        return f"line {known.line} of {self.file}" if known.line else f"its entry in {self.file}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run beside a baseline. `untried`: known findings that this run says nothing about, each with why."""

    baseline: Baseline
    known: tuple[Known, ...] = ()
    new: tuple[Known, ...] = ()
    gone: tuple[Known, ...] = ()
    untried: tuple[tuple[Known, str], ...] = ()

    @property
    def fails(self) -> bool:
        """Whether the run is not what the baseline has."""
        return bool(self.new or self.gone)

    def as_json(self) -> dict[str, Any]:
        """The comparison as `schemas/report.json` has it."""
        return {
            "file": self.baseline.file,
            "known": [_told(known) for known in self.known],
            "new": [_told(known) for known in self.new],
            "gone": [_told(known) | {"line": known.line or None} for known in self.gone],
            "untried": [_told(known) | {"reason": why} for known, why in self.untried],
        }


class Asked(NamedTuple):
    """What `--baseline` and `--write-baseline` ask for: the file, what is in it (None: no such file yet), whether it
    is to be written."""

    file: str
    before: Baseline | None
    write: bool


def asked_for(file: str | None, write: bool, pack: GamePack) -> Asked | None:
    """What the options ask for; None without them. Raises UsageError: nothing that is no baseline is overwritten."""
    if not file and not write:
        return None
    name = file or DEFAULT_FILE
    if not write:
        return Asked(name, read_baseline(name, pack), write)
    if not Path(name).parent.is_dir():
        raise UsageError(f"--baseline {name}: there is no folder {Path(name).parent}")
    there = os.path.lexists(name)
    try:
        return Asked(name, read_baseline(name, pack) if there else None, write)
    except UsageError as error:
        raise UsageError(f"{error}; it is not overwritten") from None


def settle(report: Report, asked: Asked | None) -> str:
    """Hold the report against the baseline asked for, written anew before where that was asked for. What went wrong
    with the writing, in a line; "" when nothing did."""
    if asked is None:
        return ""
    made, trouble = asked.before, ""
    if asked.write and (report.interrupted or report.troubles):
        trouble = "this run is not whole"
    elif asked.write:
        new = baseline_of(report, asked.file, asked.before)
        try:
            write_baseline(new)
            made = new
        except OSError as error:  # the verdict stands
            trouble = error.strerror or type(error).__name__
    if made is not None:
        apply(report, made)
    return f"pdcheck: --baseline {asked.file}: {trouble}; it is not written" if trouble else ""


def read_baseline(file: str, pack: GamePack) -> Baseline:
    """The baseline in a file. Raises UsageError, in one line, for a file that is none, or is another game's."""
    value, text = _parsed(file)
    from pdcheck import schemas

    wrong = schemas.explain("baseline", value)
    if wrong:
        path, expected, actual = wrong[0]
        at = re.match(r"findings\[(\d+)\]", path)
        line = _lines(text, len(value.get("findings", ())))[int(at[1])] if at else 0
        place = f"{file}:{line}" if line else file
        raise UsageError(f"--baseline {place}: {path or 'the file'}: expected {expected}, got {actual}")
    if value["game"] != pack.name:
        raise UsageError(f"--baseline {file}: it is of the game {value['game']}, not {pack.name}")
    lines = _lines(text, len(value["findings"]))
    findings = [Known(**entry, line=line) for entry, line in zip(value["findings"], lines, strict=True)]
    for known in findings:
        if known.requirement not in pack.catalogue():
            raise UsageError(f"--baseline {file}:{known.line}: there is no requirement {known.requirement}")
    fields = {name: value[name] for name in ("suite", "game", "rules", "profile", "seed")}
    return Baseline(file, **fields, findings=tuple(findings))


def _parsed(file: str) -> tuple[dict[str, Any], str]:
    try:
        mode = os.stat(file).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # a FIFO would be waited for
            raise UsageError(f"--baseline {file}: not a regular file")
        with open(file, "rb") as stream:
            data = stream.read(LONGEST_FILE + 1)
        if len(data) > LONGEST_FILE:
            raise UsageError(f"--baseline {file}: over {LONGEST_FILE} bytes; that is no baseline")
        text = data.decode("utf-8")
        return tomllib.loads(text), text
    except FileNotFoundError:
        raise UsageError(f"--baseline {file}: no such file; --write-baseline makes it") from None
    except OSError as error:
        raise UsageError(f"--baseline {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"--baseline {file}: not UTF-8 text (byte {error.start})") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"--baseline {file}: not TOML: {error}") from None


def _lines(text: str, count: int) -> list[int]:
    """The line of each finding, where they are written one a line; else 0 for all."""
    found = [at for at, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\{\s*requirement\s*=", line)]
    return found if len(found) == count else [0] * count


def write_baseline(baseline: Baseline) -> None:
    """Write the file, all of it or nothing. Raises OSError."""
    path = Path(baseline.file)
    path = path.resolve() if path.is_symlink() else path
    made, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with open(made, "w", encoding="utf-8") as file:
            file.write(dump_baseline(baseline))
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def dump_baseline(baseline: Baseline) -> str:
    """The text of the file: the same findings always give the same text."""
    head: dict[str, str | int] = {
        "schema": SCHEMA,
        "game": baseline.game,
        "suite": baseline.suite,
        "rules": baseline.rules,
        "profile": baseline.profile,
        "seed": baseline.seed,
    }
    lines = [f"{name} = {_toml(value)}" for name, value in head.items()]
    rows = [f"  {{{_entry(known)}}}," for known in sorted(baseline.findings, key=_by_requirement)]
    listed = ["findings = [", *rows, "]"] if rows else ["findings = []"]
    return HEAD + "\n".join([*lines, *listed]) + "\n"


def _entry(known: Known) -> str:
    return ", ".join(f"{name} = {_toml(value)}" for name, value in _told(known).items())


def _told(known: Known) -> dict[str, str]:
    return {name: getattr(known, name) for name in ("requirement", "level", "kind", "case", "message")}


def _toml(value: str | int) -> str:
    """A TOML value; JSON's strings are TOML's, but for two things: DEL, and halves of surrogate pairs."""
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return text.encode("utf-8", "replace").decode("utf-8")


def _by_requirement(known: Known) -> tuple[Any, ...]:
    page, _, numbers = known.requirement.partition("-")
    return page, [int(number) for number in numbers.split(".")], known.kind, known.level


def kind_of(finding: Finding) -> str:
    """How a fault shows, without what differs from machine to machine."""
    return re.sub(r"\S*/(?=[^\s/])", "", finding.breakdown).strip() or BROKEN


def compare(report: Report, baseline: Baseline) -> Comparison:
    """What a run and a baseline have in common, and what not."""
    had = {known.key: known for known in baseline.findings}
    found: dict[tuple[str, str, str], Known] = {}
    waived: set[tuple[str, str, str]] = set()
    for row in report.rows:
        for known in _known(row):
            found[known.key] = known
            if row.status == "waived":
                waived.add(known.key)
    gone, untried = [], []
    for key, known in had.items():
        if key not in found:
            why = _untried(known, report, baseline)
            if why:
                untried.append((known, why))
            else:
                gone.append(known)
    return Comparison(
        baseline,
        known=tuple(known for key, known in had.items() if key in found),
        new=tuple(known for key, known in found.items() if key not in had and key not in waived),
        gone=tuple(gone),
        untried=tuple(untried),
    )


def _known(row: Row) -> Iterable[Known]:
    """A row's findings above INFO, as a baseline would have them."""
    for finding in row.findings:
        if finding.level in (Level.MUST, Level.SHOULD):
            message = finding.message
            yield Known(row.requirement.id, str(finding.level), kind_of(finding), finding.case, message)


def _untried(known: Known, report: Report, baseline: Baseline) -> str:
    """Why this run says nothing of a known finding that it does not have; "" when it does say that it is gone."""
    plan = report.plan
    for name, there, here in (
        ("suite", baseline.suite, plan.pack.suite),
        ("rule set", baseline.rules, plan.rules),
    ):
        if there != here:
            return f"the baseline is of the {name} {there}, this run of {here}"
    case = next((case for case in plan.cases if case.id == known.case), None)
    scripted = {scenario.name for scenario in plan.pack.scenarios()}
    same = (baseline.profile, baseline.seed) == (plan.profile, plan.seed)
    if case is not None and case.scenario.name not in scripted and not same:
        return f"its case {known.case} is generated: other with another profile or seed"
    if known.case not in report.tried:
        return f"its case {known.case} was not run"
    row = next(row for row in report.rows if row.requirement.id == known.requirement)
    return "it could not be told this time (inconclusive)" if row.status == "inconclusive" else ""


def baseline_of(report: Report, file: str, before: Baseline | None = None) -> Baseline:
    """The baseline of a run: what it found (waived things excepted), and of the one `before` what it did not try."""
    plan = report.plan
    found = {known.key: known for row in report.rows if row.status != "waived" for known in _known(row)}
    for known, _ in compare(report, before).untried if before else ():
        found.setdefault(known.key, known)
    findings = tuple(sorted(found.values(), key=_by_requirement))
    made = Baseline(file, plan.pack.suite, plan.pack.name, plan.rules, plan.profile, plan.seed, findings)
    lines = _lines(dump_baseline(made), len(findings))
    numbered = [known._replace(line=line) for known, line in zip(findings, lines, strict=True)]
    return Baseline(file, made.suite, made.game, made.rules, made.profile, made.seed, tuple(numbered))


def apply(report: Report, baseline: Baseline) -> None:
    """Let the known findings of a report pass, and make it fail for what is new or gone."""
    report.baseline = compare(report, baseline)
    known = {entry.key for entry in report.baseline.known}
    gone: Mapping[str, Known] = {entry.requirement: entry for entry in report.baseline.gone}
    for row in report.rows:
        keys = {entry.key for entry in _known(row)}
        if row.status in ("fail", "warn"):
            if keys <= known:
                row.status, row.reason = "waived", f"known: it is in {baseline.file}"
            else:
                row.status, row.reason = "fail", f"new: not in {baseline.file}"
        elif row.status in ("pass", "info") and row.requirement.id in gone:
            place = baseline.place(gone[row.requirement.id])
            row.reason = f"no longer broken as it was: remove {place}"
    report.settle()
