"""The report as one page of HTML that needs nothing else: no network, no other file, no JavaScript to be read.

Law: made from the JSON report alone, so a report of last year gives the same page as the run did. Whatever is in it may
come from a bot: every string is made visible and cut to a length, the templates escape it, data for the script has
no `<`, and the page's own policy forbids every load and every script but its own.
"""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup
from pdcheck.referee.violations import elide
from pdcheck.scenarios.document import visible
from pdcheck.scenarios.view import Picture, chip_of, picture, telling

LONGEST = 4000
"""Characters of one text that are shown."""
DEEPEST = 32
"""Of what is nested deeper, which no report of ours is, a … is shown."""
MOST_FINDINGS = 400
MOST_VIEWS = 24
OF_LINES = ("cause", "fix", "traceback")
"""What the kit writes in several lines."""
VERDICTS = {
    "conforms": "Conforms",
    "fails": "Does not conform",
    "inconclusive": "Inconclusive",
    "error": "The kit itself failed",
}
SAYS = {
    "conforms": "Every requirement that was tried is met.",
    "fails": "At least one requirement that a bot must meet is not met.",
    "inconclusive": "This run says neither that the bot conforms nor that it does not.",
    "error": "Please report this; it says nothing about the bot.",
}
STATUSES = {
    "fail": "a requirement that must be met is not",
    "warn": "a requirement that should be met is not",
    "info": "worth knowing; it costs nothing",
    "inconclusive": "it could not be told",
    "waived": "not met, and known to be so",
    "not-run": "nothing was tried",
    "pass": "met wherever it was tried",
}
LEVELS = {
    "MUST": "What the bot must mend",
    "SHOULD": "What it should mend",
    "INFO": "Worth knowing",
}
TIMING = {
    "turns": "Answers",
    "wall_p50_ms": "Half of the answers came within (ms)",
    "wall_p99_ms": "99 of 100 came within (ms)",
    "wall_max_ms": "The slowest took (ms)",
    "wall_total_s": "All answers, by the clock (s)",
    "cpu_total_s": "CPU time (s)",
    "budget_used_share": "Share of a match's budget used, at most",
}
FIELDS = {
    "sent": "Sent",
    "expected": "Expected",
    "actual": "Received",
    "cause": "Likely cause",
    "fix": "What to do",
}
RUN = {
    "game": "Game",
    "rules": "Rules",
    "suite": "Suite",
    "profile": "Profile",
    "seed": "Seed",
    "cases": "Cases",
    "elapsed_s": "Seconds",
    "pdcheck": "pdcheck",
}
SUBMISSION = {
    "name": "Name",
    "language": "Language",
    "kind": "Handed in as",
    "sha256": "SHA-256",
    "source_bytes": "Bytes of source",
    "data_bytes": "Bytes of data",
    "left_out": "Left out",
}
BASELINE = {"new": "New", "gone": "Gone", "known": "Known", "untried": "Not tried"}
POLICY = "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'"
UNIT, EDGE = 10, 12
"""Size of a cell of a board, and the room for the numbers along its edge, in units of the picture."""


def render(report: Mapping[str, Any]) -> str:
    """The page of a report as `Report.as_json` gives it, valid by `schemas/report.json`."""
    report = _shown(report)
    command = visible(shlex.join(report["bot"]["command"]))
    return _page(
        "report.html",
        title=f"{VERDICTS[report['verdict']]}: {command}",
        pdcheck=report["pdcheck"],
        report=report,
        verdict=VERDICTS[report["verdict"]],
        says=_words(report),
        command=command,
        tally=_tally(report),
        statuses=STATUSES,
        fields=FIELDS,
        **_findings(report),
        undecided=[row for row in report["requirements"] if row["status"] == "inconclusive"],
        troubles=_troubles(report.get("kit_failures", ())),
        compared=_compared(report.get("baseline")),
        views=[_view(view) for view in report.get("views", ())[:MOST_VIEWS]],
        times=_times(report["timing"]),
        run=[(words, report[key]) for key, words in RUN.items() if report.get(key) is not None],
        machine=list(_flat(report["machine"])),
        submission=list(_submission(report.get("gate", {}))),
    )


def _submission(gate: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What the gate tells of a submission."""
    if gate:
        yield "Decision", gate["decision"]
    for key, words in SUBMISSION.items():
        value = (gate.get("submission") or {}).get(key)
        if value not in (None, "", []):
            yield words, ", ".join(value) if isinstance(value, list) else str(value)
    yield from gate.get("build", {}).get("tools", {}).items()
    if gate.get("refusal"):
        yield "Refused", f"{gate['refusal']['requirement']}: {gate['refusal']['told']}"


def render_match(match: Mapping[str, Any]) -> str:
    """The page of one match: `pdcheck`, `game` and `rules` in words, `seed` or null, `names` of the seats, `places`
    (place, name, score, status; may be empty) and `view`, null where there is none."""
    match = _shown(match)
    seen = _view(match["view"]) if match["view"] else None
    return _page("match.html", title=" – ".join(match["names"]), seen=seen, **match)


def _page(template: str, **parts: Any) -> str:
    style, script = _text("report.css"), _text("report.js")
    policy = POLICY.format(style=_hash(style), script=_hash(script))
    made = _environment().get_template(template)
    return made.render(policy=policy, style=Markup(style), script=Markup(script), **parts) + "\n"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "sort_keys": True}
    made.filters["figure"] = _figure
    return made


def _text(name: str) -> str:
    return (files("pdcheck.conformance.reports") / "templates" / name).read_text("utf-8")


def _hash(text: str) -> str:
    """A source expression of the policy: only what has exactly this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _shown(value: Any, key: str = "", depth: int = 0) -> Any:
    """The value with every string in it made visible and cut to a length, down to a depth."""
    if isinstance(value, str):
        text = value if key == "cells" else elide(value, LONGEST)
        return "\n".join(map(visible, text.split("\n"))) if key in OF_LINES else visible(text)
    if not isinstance(value, Mapping | list | tuple):
        return value
    if depth >= DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return {visible(name): _shown(part, name, depth + 1) for name, part in value.items()}
    return [_shown(part, key, depth + 1) for part in value]


def _words(report: Mapping[str, Any]) -> str:
    """What the verdict says, in a sentence."""
    verdict = report["verdict"]
    if verdict == "fails" and all(row["status"] != "fail" for row in report["requirements"]):
        return "What was found differs from the baseline."
    doubt = report.get("doubt") if verdict == "inconclusive" else None
    return f"{SAYS[verdict]} The reason, or what may help: {doubt}." if doubt else SAYS[verdict]


def _tally(report: Mapping[str, Any]) -> list[tuple[str, int]]:
    statuses = [row["status"] for row in report["requirements"]]
    return [(status, statuses.count(status)) for status in STATUSES if status in statuses]


def _findings(report: Mapping[str, Any]) -> dict[str, Any]:
    """The findings by their level, each with its requirement, in the order of the catalogue; how many are left out;
    and the links of each requirement's row to them."""
    every = [(at, row, found) for at, row in enumerate(report["requirements"]) for found in row["findings"]]
    every.sort(key=lambda item: list(LEVELS).index(item[2]["level"]))
    sections: dict[str, list[dict[str, Any]]] = {level: [] for level in LEVELS}
    links: dict[int, list[str]] = {}
    views = 0
    for number, (at, row, found) in enumerate(every[:MOST_FINDINGS], 1):
        seen = found.get("views", ())[: max(0, MOST_VIEWS - views)]
        views += len(seen)
        anchor = f"finding-{number}"
        links.setdefault(at, []).append(anchor)
        pictures = [_view(view, row["id"]) for view in seen]
        sections[found["level"]].append({**found, "row": row, "anchor": anchor, "pictures": pictures})
    return {
        "sections": [(LEVELS[level], found) for level, found in sections.items() if found],
        "left_out": max(0, len(every) - MOST_FINDINGS),
        "links": links,
    }


def _view(view: Mapping[str, Any], requirement: str = "") -> dict[str, Any]:
    """A view with the step to show first."""
    at = telling(dict(view), requirement)
    legend = [chip_of(text) for text in view.get("legend", ())]
    return {"data": view, "at": at, "picture": picture(dict(view), at), "legend": legend}


def _figure(seen: Picture, grid: Sequence[int]) -> dict[str, Any]:
    """The board of a picture: one path for each tone, the labels, and where the marks are."""
    rows, columns = grid
    paths: dict[str, str] = {}
    labels = []
    for index in range(rows * columns):
        cell = seen.cells.get(index)
        x, y = _corner(index, columns)
        tone = cell.tone if cell else ""
        paths[tone] = paths.get(tone, "") + f"M{x} {y}h9v9h-9z"
        if cell and cell.label:
            labels.append((x + 4.5, y + 6.5, cell.label))
    marks = {key: _corner(seen.step[key], columns) for key in ("at", "bad") if key in seen.step}
    size = (EDGE + columns * UNIT, EDGE + rows * UNIT)
    edges = [(EDGE + UNIT * at + 4.5, 8.5, at + 1) for at in range(columns)]
    edges += [(5, EDGE + UNIT * at + 6.5, at + 1) for at in range(rows)]
    return {"size": size, "paths": sorted(paths.items()), "labels": labels, "marks": marks, "edges": edges}


def _corner(index: int, columns: int) -> tuple[int, int]:
    return EDGE + index % columns * UNIT, EDGE + index // columns * UNIT


def _troubles(given: Iterable[Mapping[str, str]]) -> list[tuple[list[str], str]]:
    """The kit's own failures; one that came in many cases is told once."""
    cases: dict[str, list[str]] = {}
    for failure in given:
        cases.setdefault(failure["traceback"], []).append(failure["case"])
    return [(all_of, traceback) for traceback, all_of in cases.items()]


def _compared(baseline: Mapping[str, Any] | None) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """The findings of a baseline, by how they compare."""
    if not baseline:
        return []
    return [(words, baseline[key]) for key, words in BASELINE.items() if baseline[key]]


def _times(timing: Mapping[str, Any]) -> list[tuple[str, str]]:
    if not timing["turns"]:
        return []
    told = [(key, words, timing.get(key)) for key, words in TIMING.items()]
    return [
        (words, f"{value:.1%}" if key == "budget_used_share" else f"{value:,}")
        for key, words, value in told
        if type(value) in (int, float)
    ]


def _flat(value: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """What is nested, as rows of words."""
    for key, part in value.items():
        name = f"{before}{key}"
        if isinstance(part, Mapping):
            yield from _flat(part, f"{name}: ")
        elif isinstance(part, list):
            yield name, ", ".join(map(str, part))
        elif part is not None:
            yield name, str(part)
