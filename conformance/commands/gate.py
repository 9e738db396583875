"""`pdcheck gate`: what an upload page calls, for one submission or for a folder of them.

Law: stdout is the short word for the submitter, in the language asked for; the full report is the organiser's, in the
files asked for. Exit status: 0 admit, 1 refuse, 2 usage, 3 the gate itself failed, 4 inconclusive; 3 and 4 are to be
tried again.
"""

from __future__ import annotations

import contextlib
import json
import locale
import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO, cast

from pdcheck.conformance import bundle, kit, views
from pdcheck.conformance.commands.check import one_on_stdout
from pdcheck.conformance.commands.common import (
    ended_by_signals,
    pack_of,
    rules_of,
    seconds_of,
    tell,
    text_of,
    writable,
)
from pdcheck.conformance.commands.report import write_html
from pdcheck.conformance.gate import feedback as words
from pdcheck.conformance.gate.cache import Cache
from pdcheck.conformance.gate.compare import compare
from pdcheck.conformance.gate.judging import Judged, Order, Trouble, judge
from pdcheck.conformance.gate.refusal import Unfit
from pdcheck.conformance.gate.scrub import of_this_machine
from pdcheck.conformance.gate.toolchains import named
from pdcheck.conformance.kept import keep
from pdcheck.conformance.progress import progress
from pdcheck.conformance.report_reader import ReportError, read_report
from pdcheck.conformance.usage import UsageError
from pdcheck.scenarios.pack import GamePack

Options = Mapping[str, Any]
FILES = {"--json": "json_file", "--html": "html_file"}
LOCAL = "local"
TOLD = ("fail", "warn", "info")
STATUS = {"admitted": 0, "refused": 1, "error": 3, "inconclusive": 4}


def run_gate(submission: str | None, options: Options) -> int:
    """Judge one submission, or watch a folder; the exit status."""
    _check(options)
    if options["watch"] is not None:
        return _watch(options, submission)
    if submission is None:
        raise UsageError(
            "no submission given: pdcheck gate [OPTIONS] SUBMISSION, or --watch INBOX --out OUTBOX"
        )
    told = judge_to_json(submission, options)
    for line in told["notes"]:
        tell(line)
    _write(told, options)
    return int(told["status"])


def _check(options: Options) -> None:
    """What is wrong with the options is told before anything is read."""
    for option, name in FILES.items():
        writable(option, options[name])
    one_on_stdout(options)
    folder = options["report_dir"]
    if folder and Path(folder).exists() and not Path(folder).is_dir():
        raise UsageError(f"--report-dir {folder}: not a folder")
    alone = [name for name in ("out", "once") if options[name] and options["watch"] is None]
    if alone or (options["executor"] != LOCAL and options["watch"] is None):
        raise UsageError(f"--{alone[0] if alone else 'executor'}: only with --watch INBOX")
    if options["language"]:
        with contextlib.suppress(Unfit):  # a language that is not taken is told of each submission
            named(options["language"])
    _order(pack_of(options["game"]), options).upload  # noqa: B018


def judge_one(path: str, name: str, **options: Any) -> dict[str, Any]:
    """Judge an upload called `name` for a queue: plain JSON, with `status`, `feedback`, `report` and `why`."""
    try:
        told = judge_to_json(path, {**options, "name": name, "quiet": True})
    except UsageError as error:
        return {"status": 2, "feedback": "", "report": None, "why": str(error)}
    return {key: told[key] for key in ("status", "feedback", "report", "why")}


def judge_to_json(upload: str, options: Options) -> dict[str, Any]:
    """Judge it, and tell all that came of it in plain JSON."""
    path = Path(os.path.abspath(upload))  # so that what a submitter is not shown is known by one name
    pack = pack_of(options["game"])
    order = _order(pack, options)
    local = _local(options.get("compare"), pack)
    cache = _cache(options.get("cache"))
    name = options.get("name") or path.name
    try:
        with ended_by_signals(), progress(sys.stderr, quiet=bool(options.get("quiet"))) as watch:
            found = judge(path, order, watch=watch, known=cache.get if cache else lambda _: None)
    except Trouble as trouble:
        return _failed(name, str(trouble), options)
    told = _told(found, name, order, options) if isinstance(found, Judged) else dict(found)
    if cache and isinstance(found, Judged) and found.key and not found.report.interrupted:
        cache.put(found.key, told, told["status"])
    told["feedback"] = told["report"]["gate"]["feedback"][_lang(options)]
    if local is not None:
        compared = compare(local, told["report"], pack)
        told["report"]["gate"]["compared"] = compared.as_json()
        told["notes"] = [*told["notes"], *_compared(compared)]
    return told


def _failed(name: str, why: str, options: Options) -> dict[str, Any]:
    """What is told where the gate could not do its work: nothing of the submission."""
    feedback = words.feedback(words.Outcome(name, "error"), _lang(options), of_this_machine({}))
    return {"status": 3, "feedback": feedback, "report": None, "why": why, "notes": [f"pdcheck: {why}"]}


def _order(pack: GamePack, options: Options) -> Order:
    return Order(
        pack,
        rules_of(pack, options["rules"]),
        options["profile"],
        options["seed"],
        kit.at_most(options["jobs"] or kit.default_jobs()),
        seconds_of("--time", options["time"]),
        options["strict"],
        options["language"] or "",
        options["user"],
    )


def _local(file: str | None, pack: GamePack) -> Mapping[str, Any] | None:
    if not file:
        return None
    try:
        report = read_report(text_of(file), file)
    except ReportError as error:
        raise UsageError(str(error)) from None
    if report["game"] != pack.name:
        raise UsageError(f"--compare {file}: a report of {report['game']}, not of {pack.name}")
    return report


def _cache(folder: str | None) -> Cache | None:
    if not folder:
        return None
    try:
        return Cache(Path(folder))
    except OSError as error:
        raise UsageError(f"--cache {folder}: {error.strerror or error}") from None


def _told(judged: Judged, name: str, order: Order, options: Options) -> dict[str, Any]:
    """What came of a judging."""
    report = judged.report
    by_id = {case.id: case for case in report.plan.cases}
    notes = []
    if report.troubles:
        notes.append(bundle.of_report(report, Path(options.get("report_dir") or ".pdcheck"), dict(options)))
    if by_id and (unseen := views.show(report, by_id)):
        notes.append(unseen)
    if folder := options.get("report_dir"):
        notes += _keep(judged, Path(folder), order)
    texts = _feedback(judged, name, order)
    value = report.as_json()
    value["gate"] = {**value.get("gate", {}), "decision": judged.decision, "feedback": texts}
    return {
        "status": STATUS[judged.decision] if not report.interrupted else report.exit_status,
        "report": value,
        "why": _why(judged),
        "notes": notes,
        "log": judged.log,
    }


def _why(judged: Judged) -> str:
    """What kept it from a verdict."""
    report = judged.report
    if report.troubles:
        return report.troubles[0][1].strip().rpartition("\n")[2]
    return report.doubt if judged.decision == "inconclusive" else ""


def _feedback(judged: Judged, name: str, order: Order) -> dict[str, str]:
    """The word for the submitter, in every language."""
    scrub = of_this_machine(judged.hidden)
    findings = [
        words.Told(row.requirement.id, str(finding.level), finding.message, finding.times)
        for row in judged.report.rows
        if row.status in TOLD and judged.refused is None
        for finding in row.findings[:1]
    ]
    outcome = words.Outcome(
        name,
        cast(words.Decision, judged.decision),
        judged.refused,
        judged.log if judged.refused else "",
        findings,
        f"pdcheck --game {order.pack.name} --profile {order.profile} YOUR-BOT",
    )
    return {lang: words.feedback(outcome, lang, scrub) for lang in words.LANGUAGES}


def _keep(judged: Judged, folder: Path, order: Order) -> list[str]:
    """Keep the failing cases and the build's log; what could not be kept, in words."""
    report = judged.report
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "build.log").write_text(judged.log, "utf-8", "backslashreplace")
        rules = [f"--rules={order.rules}"] if order.rules != order.pack.default_rules else []
        keep(report, folder, {case.id: case for case in report.plan.cases}, rules)
    except OSError as error:
        return [f"pdcheck: --report-dir {folder}: {error.strerror or error}; not everything is kept there"]
    return []


def _compared(compared: Any) -> list[str]:
    """The differences to a contestant's own report, a line each."""
    if compared.agree:
        return [*compared.notes, "the contestant's report and the gate's say the same of every requirement"]
    rows = [
        f"{row.requirement}: {row.local} there, {row.gate} here ({row.why})"
        for row in compared.rows
        if row.differs
    ]
    return [*compared.notes, *rows]


def _lang(options: Options) -> words.Lang:
    """`--lang`, or the locale's, or English."""
    asked = options.get("lang") or (locale.getlocale()[0] or "")[:2]
    return cast(words.Lang, asked) if asked in words.LANGUAGES else "en"


def _write(told: Mapping[str, Any], options: Options) -> None:
    """Write what was asked for; whoever has left, and a full disk, change no verdict."""
    report, folder = told["report"], options["report_dir"]
    json_file, html_file = options["json_file"], options["html_file"]
    aside = "-" in (json_file, html_file)
    if report is None:
        for file in filter(None, (json_file, html_file)):
            _forget(file)
    else:
        text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
        if json_file and json_file != "-":
            _save("--json", Path(json_file), text)
        if folder:
            _save("--report-dir", Path(folder, "report.json"), text)
            for lang, said in report["gate"]["feedback"].items():
                _save("--report-dir", Path(folder, f"feedback.{lang}.txt"), said)
        for page in filter(None, (html_file, folder and str(Path(folder, "report.html")))):
            with contextlib.suppress(OSError):
                if unwritten := write_html(report, page):
                    tell(f"pdcheck: {unwritten}; the page is not written")
        if json_file == "-":
            _say(text, sys.stdout)
    _say(told["feedback"], sys.stderr if aside else sys.stdout)


def _say(text: str, stream: TextIO) -> None:
    with contextlib.suppress(OSError):
        stream.write(text)
        stream.flush()


def _forget(file: str) -> None:
    """A report of an earlier judging would be taken for this one's."""
    if file != "-":
        with contextlib.suppress(OSError):
            os.unlink(file)


def _save(option: str, file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    except OSError as error:  # the verdict stands
        tell(f"pdcheck: {option} {file}: {error.strerror}; it is not written")


PASSED_ON = ("game", "rules", "profile", "seed", "jobs", "time", "strict", "language", "cache", "lang")
"""Options of a watched inbox that each of its judgings is given."""


def _watch(options: Options, submission: str | None) -> int:
    """Judge what is dropped into a folder until told to stop."""
    from pdcheck.conformance.gate.executors import judge_by
    from pdcheck.conformance.gate.pace import Pace
    from pdcheck.conformance.gate.watching import Told, stopping, watch

    if submission is not None:
        raise UsageError("--watch INBOX takes no SUBMISSION: what is dropped into INBOX is judged")
    if options["out"] is None:
        raise UsageError("--watch INBOX needs --out OUTBOX")
    for name in (*FILES.values(), "report_dir", "user", "compare"):
        if options[name]:
            raise UsageError(f"--{name.removesuffix('_file').replace('_', '-')}: only for one SUBMISSION")
    _cache(options["cache"])
    jobs = options["jobs"] or kit.default_jobs()
    # Each judging has one core: several submissions side by side are told apart by the clock as well.
    given = {name: options[name] for name in PASSED_ON} | {"jobs": 1, "user": None}
    given["cache"] = options["cache"] and os.path.abspath(options["cache"])

    def say(told: Told) -> None:
        tell(" ".join(filter(None, (f"{told.what:8}", told.name, told.detail))))

    stop = threading.Event()
    with stopping(stop), judge_by(options["executor"], f"{__name__}:judge_one", given, stop) as judged:
        tally = watch(
            Path(options["watch"]),
            Path(options["out"]),
            jobs,
            judged,
            stop,
            once=options["once"],
            pace=Pace(),
            tell=say,
        )
    tell(f"taken {tally.taken}, judged {tally.judged}, errors {tally.errors}, stopped {tally.stopped}")
    return 3 if tally.errors else 0
