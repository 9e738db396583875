"""A contestant's report beside the gate's: what differs, and what that is due to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from pdcheck import schemas
from pdcheck.conformance.gate.compare import CAUSES, SAME, UNEXPLAINED, Row, compare
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.usage import UsageError

PACK = load_pack("prime-daihinmin")
PLAYED, FILES = "PD-3.1", "PD-6.4"
TIMED = next(iter({PACK.match_time, PACK.told_time, PACK.hang, *PACK.timing} - {""}))
FINDING = {
    "level": "MUST",
    "message": "broken",
    **dict.fromkeys(("expected", "actual", "cause", "fix", "flaky", "shrunk", "scenario", "replay")),
}
LIMITS = dict.fromkeys(("memory", "network", "files", "processes"), "watched")


def row(requirement: str, status: str, **more: Any) -> dict[str, Any]:
    findings = [FINDING] if status in ("fail", "warn", "waived") else []
    base = {"id": requirement, "level": "MUST", "status": status, "reason": None, "cases": 1}
    return {**base, "findings": findings, **more}


def report(*rows: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    timing = dict.fromkeys(("wall_p50_ms", "wall_p99_ms", "wall_max_ms", "cpu_total_s", "budget_used_share"))
    value = {
        "schema": 1,
        "pdcheck": "0.1.0",
        "suite": PACK.suite,
        "game": PACK.name,
        "rules": "published",
        "profile": "standard",
        "seed": 0,
        "bot": {"command": ["./bot"], "sha256": "0" * 64},
        "verdict": "fails" if any(one["status"] == "fail" for one in rows) else "conforms",
        "elapsed_s": 1,
        "requirements": list(rows),
        "timing": {"turns": 1, **timing},
        "machine": {"cores": 2, "limits": LIMITS},
        **more,
    }
    assert not schemas.explain("report", value)
    return value


def only(local: dict[str, Any], gate: dict[str, Any]) -> Row:
    """The one row that differs."""
    (differing,) = [one for one in compare(local, gate, PACK).rows if one.differs]
    return differing


def test_equal_reports_agree() -> None:
    one = report(row(PLAYED, "pass"), row(FILES, "fail"))
    comparison = compare(one, one, PACK)
    assert comparison.agree
    assert comparison.notes == ()
    assert [(one.requirement, one.kind) for one in comparison.rows] == [(PLAYED, SAME), (FILES, SAME)]
    assert comparison.as_json()["rows"] == []


def walled(**more: str) -> dict[str, Any]:
    return {"machine": {"cores": 2, "limits": {**LIMITS, **more}}}


def measured(speed: float, factor: float = 1.0) -> dict[str, Any]:
    calibration = {"times_as_fast": speed, "cpu_factor": factor}
    return {"machine": {"cores": 2, "limits": LIMITS, "calibration": calibration}}


FLAKY = [{**FINDING, "flaky": {"runs": 6, "failed": 2}}]
DIFFERENCES: dict[str, tuple[str, dict[str, Any], dict[str, Any], str]] = {
    "another suite": (
        "version",
        report(row(PLAYED, "pass"), suite="prime-daihinmin/0"),
        report(row(PLAYED, "fail")),
        "suite prime-daihinmin/0 there",
    ),
    "a requirement the older kit has not": (
        "version",
        report(pdcheck="0.0.9"),
        report(row(PLAYED, "pass")),
        "pdcheck 0.0.9 there",
    ),
    "waived": (
        "waived",
        report(row(PLAYED, "waived", reason="known")),
        report(row(PLAYED, "fail")),
        "the contestant's run lets it pass: known",
    ),
    "strict": (
        "strict",
        report(row(PLAYED, "warn")),
        report(row(PLAYED, "fail")),
        "counted by the gate only",
    ),
    "not run": (
        "not-run",
        report(row(FILES, "not-run", reason="no /proc")),
        report(row(FILES, "pass")),
        "the contestant's run did not try it: no /proc",
    ),
    "not decided": (
        "inconclusive",
        report(row(PLAYED, "pass")),
        report(row(PLAYED, "inconclusive")),
        "the gate could not tell",
    ),
    "flaky": (
        "flaky",
        report(row(PLAYED, "pass")),
        report(row(PLAYED, "fail", findings=FLAKY)),
        "in 2 of 6 runs of the gate",
    ),
    "other rules": (
        "settings",
        report(row(PLAYED, "pass"), rules="control", seed=3),
        report(row(PLAYED, "fail")),
        "rules control there, published in the gate",
    ),
    "another seed": (
        "settings",
        report(row(PLAYED, "pass"), seed=3),
        report(row(PLAYED, "fail")),
        "seed 3 there, 0 in the gate",
    ),
    "a wall on it": (
        "sandbox",
        report(row(FILES, "pass"), **walled(files="off")),
        report(row(FILES, "fail"), **walled(files="enforced")),
        "files: off there, enforced in the gate",
    ),
    "a slower machine": (
        "speed",
        report(row(TIMED, "pass"), **measured(3.0)),
        report(row(TIMED, "fail"), **measured(1.5)),
        "3.0 times as fast",
    ),
    "another factor": (
        "speed",
        report(row(TIMED, "pass"), **measured(3.0, 2.0)),
        report(row(TIMED, "fail"), **measured(3.0)),
        "--cpu-factor 2.0 there, 1.0 in the gate",
    ),
    "a wall it runs into": (
        "walls",
        report(row(PLAYED, "pass")),
        report(row(PLAYED, "fail"), **walled(memory="enforced", network="enforced")),
        "only the gate denies (memory, network)",
    ),
    "another machine": (
        "machine",
        report(row(PLAYED, "pass")),
        report(row(PLAYED, "fail"), machine={"cores": 4, "limits": LIMITS}),
        "cores 2 there, 4 in the gate",
    ),
    "nothing": (
        UNEXPLAINED,
        report(row(PLAYED, "pass")),
        report(row(PLAYED, "fail")),
        "nothing in the two reports explains it",
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_a_difference_is_explained(name: str) -> None:
    kind, local, gate, why = DIFFERENCES[name]
    differing = only(local, gate)
    assert differing.kind == kind
    assert why in differing.why
    comparison = compare(local, gate, PACK)
    assert not comparison.agree
    assert bool(comparison.unexplained) == (kind == UNEXPLAINED)
    json.dumps(comparison.as_json(), allow_nan=False)


def test_every_cause_is_put_to_the_test() -> None:
    assert {kind for kind, *_ in DIFFERENCES.values()} == {*CAUSES, UNEXPLAINED}


def test_a_wall_explains_no_success() -> None:
    """What only the contestant's run finds, a higher wall does not hide."""
    local, gate = report(row(PLAYED, "fail")), report(row(PLAYED, "pass"), **walled(memory="enforced"))
    assert only(local, gate).kind == UNEXPLAINED


def test_time_explains_nothing_that_does_not_rest_on_it() -> None:
    local, gate = report(row(PLAYED, "pass"), **measured(3.0)), report(row(PLAYED, "fail"), **measured(1.0))
    assert only(local, gate).kind == UNEXPLAINED


def test_how_the_runs_differ_is_noted() -> None:
    local = report(row(PLAYED, "pass"), bot={"command": ["x"], "sha256": "1" * 64}, profile="quick")
    gate = report(row(PLAYED, "pass"), **walled(files="enforced"))
    comparison = compare(local, gate, PACK)
    assert comparison.agree
    assert [note.partition(" ")[0] for note in comparison.notes] == ["profile", "the", "files:"]


def test_rows_are_in_the_catalogues_order_and_unknown_ones_last() -> None:
    local = report(row("ZZ-1", "pass"), row(FILES, "pass"))
    rows = compare(local, report(row(PLAYED, "pass"), row(FILES, "pass")), PACK).rows
    assert [one.requirement for one in rows] == [PLAYED, FILES, "ZZ-1"]


def test_reports_of_two_games_are_not_compared() -> None:
    other = report(game="valtapeli", suite="valtapeli/1")
    with pytest.raises(UsageError, match="valtapeli"):
        compare(other, report(), PACK)
