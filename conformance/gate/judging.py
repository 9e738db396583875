"""One submission through the gate: taken in, built, judged behind walls, and told.

Law: the same checks and the same verdict as `pdcheck` gives at home; only the walls are higher. A refusal is always the
submission's fault and names the requirement. Whatever is the machine's is `Trouble` (exit status 3), never a refusal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pdcheck.conformance import checks, kit
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.gate import own
from pdcheck.conformance.gate.building import BuildRefused, Built, build
from pdcheck.conformance.gate.enclosure import Enclosure
from pdcheck.conformance.gate.feedback import refusal
from pdcheck.conformance.gate.identity import identity
from pdcheck.conformance.gate.names import shown
from pdcheck.conformance.gate.recipe import STARTS
from pdcheck.conformance.gate.refusal import IntakeTrouble, Refused
from pdcheck.conformance.gate.submission import Submission, read_submission
from pdcheck.conformance.gate.walling import Walling, proven
from pdcheck.conformance.report import Report, compile_report
from pdcheck.conformance.sandbox import WallsError
from pdcheck.conformance.transports import StartError
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import GamePack, Upload

DECISIONS = {"conforms": "admitted", "fails": "refused", "inconclusive": "inconclusive", "error": "error"}


class Trouble(Exception):
    """The gate could not do its work; to be tried again, never held against the submission."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be judged and how; `time` in seconds (None: the game's)."""

    pack: GamePack
    rules: str
    profile: str = "standard"
    seed: int = 0
    jobs: int = 1
    time: float | None = None
    strict: bool = False
    language: str = ""
    user: str | None = None

    @property
    def upload(self) -> Upload:
        """What the game's contest takes. Raises UsageError for a game that does not say."""
        if self.pack.upload is None:
            raise UsageError(f"{self.pack.name} does not say what is handed in: there is no gate for it")
        return self.pack.upload


@dataclass(slots=True)
class Judged:
    """What came of it. `refused`: why it was not judged at all; `log`: what its build said; `hidden`: folders of this
    machine → what a submitter is shown instead."""

    report: Report
    submission: Submission | None = None
    refused: Refused | None = None
    log: str = ""
    hidden: Mapping[str, str] = field(default_factory=dict)
    key: str = ""

    @property
    def decision(self) -> str:
        """admitted, refused, inconclusive or error."""
        return DECISIONS[self.report.verdict]


Found = Mapping[str, Any]
"""A verdict reached before."""
Known = Callable[[str], Found | None]


def judge(
    path: Path,
    order: Order,
    *,
    watch: kit.Watch = lambda _: None,
    known: Known = lambda _: None,
) -> Judged | Found:
    """Judge the upload at `path`. `known(key)` gives what was found before for a key of everything that the verdict
    depends on, or None. Raises UsageError, and Trouble for the machine's own."""
    started = time.monotonic()
    order.upload  # noqa: B018  # before anything is read
    try:
        with proven() as walling:
            into = Path(walling.scratch, "upload")
            into.mkdir(mode=0o700)
            return _judged(path, into, order, walling, watch, known, started)
    except (IntakeTrouble, WallsError, StartError, OSError) as error:
        raise Trouble(str(error)) from error


def _judged(
    path: Path, into: Path, order: Order, walling: Walling, watch: kit.Watch, known: Known, started: float
) -> Judged | Found:
    submission: Submission | None = None
    hidden = {str(path): shown(path.name), str(into): ""}
    try:
        submission = read_submission(path, order.upload, into, user=order.user, language=order.language)
        key, parts = identity(submission, order, walling)
        if (found := known(key)) is not None:
            return dict(found)
        hidden |= walling.hidden
        built = build(submission, walling.workshop, order.pack.memory)
    except Refused as why:
        return _refused(order, why, "", submission, hidden, started)
    except BuildRefused as failed:
        return _refused(order, failed.why, failed.log, submission, hidden, started)
    plan = _plan(order, submission, built, walling)
    try:
        report = kit.check(plan, watch)
    except StartError:
        if not (submission.run or built.command[0].startswith(built.folder)):
            raise  # a runtime of this machine's
        lacks = Refused(STARTS, "build-no-bot", name=shown(built.command[0]))
        return _refused(order, lacks, built.log, submission, hidden, started)
    own.settle(report, order.upload, submission)
    _refuse_half_a_judgement(report)
    report.gate = _told(submission, built, walling, key, parts)
    return Judged(report, submission, None, built.log, hidden, key)


def _plan(order: Order, submission: Submission, built: Built, walling: Walling) -> kit.Plan:
    bot = Bot(built.command, built.folder, built.environment, submission.sha256)
    return kit.Plan(
        pack=order.pack,
        bot=bot,
        cases=checks.all_cases(order.pack, order.profile, order.seed),
        rules=order.rules,
        profile=order.profile,
        seed=order.seed,
        jobs=order.jobs,
        time=order.time,
        strict=order.strict,
        scratch=walling.scratch,
        enclosure=Enclosure(built.walls, walling.workshop, walling.limits),
    )


def _refuse_half_a_judgement(report: Report) -> None:
    """Raises Trouble where a requirement that the gate has to judge was not."""
    if report.verdict == "conforms" and (rows := own.unjudged(report)):
        told = "; ".join(f"{row.requirement.id}: {row.reason}" for row in rows)
        raise Trouble(f"not everything could be judged here: {told}")


def _refused(
    order: Order,
    why: Refused,
    log: str,
    submission: Submission | None,
    hidden: Mapping[str, str],
    started: float,
) -> Judged:
    """The report of a submission that was not judged."""
    told = refusal(why, "en")
    name, sha256 = (submission.name, submission.sha256) if submission else ("submission", None)
    bot = Bot((name,), ".", {}, sha256)
    plan = kit.Plan(
        order.pack, bot, (), order.rules, order.profile, order.seed, order.jobs, strict=order.strict
    )
    finding = own.refusal_finding(order.pack, why, told)
    reason = {"*": f"the submission is not taken ({why.requirement})"}
    report = compile_report(plan, [], [finding], reason, time.monotonic() - started)
    for row in report.rows:
        if row.status == "not-run":
            row.reason = reason["*"]
    report.verdict = "fails"
    details = {"requirement": why.requirement, "code": why.code, "details": dict(why.details), "told": told}
    report.gate = {"submission": _of(submission), "refusal": details}
    return Judged(report, submission, why, log, hidden)


def _told(
    submission: Submission, built: Built, walling: Walling, key: str, parts: Mapping[str, Any]
) -> Mapping[str, Any]:
    return {
        "submission": _of(submission),
        "refusal": None,
        "build": {"tools": dict(parts["tools"]), "seconds": round(built.seconds, 3)},
        "properties": walling.properties,
        "key": key,
        "depends_on": dict(parts),
    }


def _of(submission: Submission | None) -> Mapping[str, Any] | None:
    if submission is None:
        return None
    return {
        "name": submission.name,
        "kind": submission.kind,
        "language": submission.language,
        "sha256": submission.sha256,
        "source_bytes": submission.source_bytes,
        "data_bytes": submission.data_bytes,
        "left_out": list(submission.left_out),
    }
