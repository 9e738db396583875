"""What rests on time is tried again: what counts as the same sight, and what comes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pdcheck.conformance.again import Flaky, key_of
from pdcheck.conformance.confirm import Confirm
from pdcheck.conformance.findings import CaseResult, Finding
from pdcheck.referee.catalogue import Level

SLOW = Finding("PD-5.1", Level.MUST, "late", "an answer to `pass` within 10 s", "nothing", timed=True)
AT_ANOTHER = replace(SLOW, expected="an answer to `play` within 10 s")
STAYS = Finding("IO-11", Level.MUST, "stays", "it ends on SIGTERM", "it runs", timed=True, at_end=True)
LEAVES = replace(STAYS, expected="no process is left")


def tried(
    first: Finding, second: Finding | None, calm: bool
) -> tuple[CaseResult, dict[tuple[str, str], Flaky]]:
    """What is left of a case that showed the first finding, and the other one alone."""
    results = [CaseResult("case", findings=[replace(first, calm=calm)])]
    confirm = Confirm()
    again = CaseResult("case", findings=[second] if second else [])
    confirm.try_all(results, lambda case, brief: again, float("inf"))
    flaky: dict[tuple[str, str], Flaky] = {}
    confirm.drop(results, flaky)
    return results[0], flaky


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize(("first", "second"), [(SLOW, SLOW), (SLOW, AT_ANOTHER), (STAYS, STAYS)])
def test_an_overrun_is_the_same_one_at_whichever_answer(first: Finding, second: Finding, calm: bool) -> None:
    left, flaky = tried(first, second, calm)
    assert [finding.requirement for finding in left.findings] == [first.requirement]
    assert (left.inconclusive, flaky) == ((), {})


@pytest.mark.parametrize(("first", "second"), [(SLOW, None), (STAYS, LEAVES)])
def test_what_is_not_seen_again_is_inconclusive_or_on_a_calm_machine_flaky(
    first: Finding, second: Finding | None
) -> None:
    left, flaky = tried(first, second, calm=False)
    assert (left.findings, left.inconclusive, flaky) == ([], (first.requirement,), {})
    left, flaky = tried(first, second, calm=True)
    assert [finding.expected for finding in left.findings] == [first.expected]
    assert flaky == {key_of(first): Flaky("case", 2, 1)}
