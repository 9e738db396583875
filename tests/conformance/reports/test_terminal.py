"""The report for people: what is not the kit's own controls no terminal, and doubt is told with its reason."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from pdcheck.conformance.baseline import Baseline, Comparison, Known
from pdcheck.conformance.bot import Bot
from pdcheck.conformance.checks import all_cases
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.conformance.kit import Plan
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.report import Report, compile_report
from pdcheck.conformance.reports import terminal
from pdcheck.referee.catalogue import Level

PACK = load_pack("prime-daihinmin")
EVIL = "a\x1b]0;title\x07\x1b[2Jb\x7fc\x9bd\u202ee\u2066f\rg\x00"
CONTROL = {
    chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
PLAN = Plan(
    PACK, Bot((f"./bot{EVIL}",), ".", {}, None), all_cases(PACK, "quick", 0)[:3], "published", "quick"
)


def shown(report: Report) -> str:
    stream = io.StringIO()
    terminal.write(report, stream, verbose=True)
    return stream.getvalue()


def finding(**parts: Any) -> Finding:
    return Finding(
        **{
            "requirement": "PD-3.1",
            "level": Level.MUST,
            "message": "m",
            "expected": "e",
            "actual": "a",
            **parts,
        }
    )


def test_no_control_character_of_others_comes_through() -> None:
    names = ("message", "expected", "actual", "sent", "cause", "fix", "case", "shrunk", "replay")
    found = finding(**{name: f"{name} {EVIL}\n{EVIL}" for name in names})
    plan = replace(PLAN, waived={"PD-3.1": EVIL})
    made = compile_report(
        plan, [CaseResult(EVIL, trouble=f"first\nsecond {EVIL}")], [found], {"*": EVIL}, 1.0
    )
    known = Known("PD-3.1", "MUST", "broken", "x", EVIL)
    made.baseline = Comparison(Baseline(EVIL, "s", "g", "r", "p", 0), new=(known,), untried=((known, EVIL),))
    made.bug_report = EVIL
    text = shown(made)
    assert not (CONTROL - {"\n"}) & set(text)
    assert text.count("\\x1b]0;title\\x07") > 15
    assert "first\nsecond " in text, "the kit's own lines stay lines"


def test_only_what_the_kit_writes_in_lines_is_shown_in_lines() -> None:
    found = finding(cause="one\ntwo", actual="one\nPD-9 MUST forged")
    text = shown(compile_report(PLAN, [], [found], {}, 1.0))
    assert "cause  one\n            two\n" in text
    assert "received  one\\x0aPD-9 MUST forged\n" in text


DOUBT = CaseResult("basic/leads", covered=("PD-5.1",), inconclusive=("PD-5.1",))


@pytest.mark.parametrize(
    ("plan", "results", "skipped", "interrupted", "told"),
    [
        (PLAN, [DOUBT], {}, False, "inconclusive: run it again on a calmer machine"),
        (
            PLAN,
            [],
            {"basic": "--max-time 0 was over"},
            False,
            "inconclusive: no case was run (--max-time 0 was over)",
        ),
        (PLAN, [DOUBT], {"*": "interrupted"}, True, "inconclusive: it was interrupted before its end"),
        (replace(PLAN, profile=""), [DOUBT], {}, False, "inconclusive: this transcript does not tell"),
    ],
)
def test_doubt_is_told_with_its_own_reason(
    plan: Plan, results: list[CaseResult], skipped: dict[str, str], interrupted: bool, told: str
) -> None:
    made = compile_report(plan, results, [], skipped, 1.0, interrupted=interrupted)
    text = shown(made)
    assert told in text
    assert ("calmer machine" in text) == ("calmer machine" in told)
    assert ("tried again alone" in text) == (bool(results) and bool(plan.profile))
