"""Which feature explains a breakdown: one that separates the failing cases from the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pdcheck.conformance import causes
from pdcheck.conformance.case import Case
from pdcheck.conformance.causes import FEW, GENERAL, LAST, Spans, explain
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.setting import Setting
from pdcheck.scenarios.pack import Feature, Span
from pdcheck.scenarios.scenario import Deliver, Scenario, Style

PACK = load_pack("prime-daihinmin")
FLAG = Feature("flag", "PD-2.1", "the flag is up")
SIZE = Feature("size", "PD-2.2", "there are {at} or more")
SMALL = Feature("size", "PD-2.3", "there are only {at}", low=True)


def cases(*values: float, flag: float = 0) -> list[Spans]:
    return [{"flag": Span(flag, flag), "size": Span(value, value)} for value in values]


def words(failing: Sequence[Spans], passing: Sequence[Spans], *table: Feature) -> tuple[str, str]:
    cause = explain(failing, passing, table)
    assert cause is not None
    return cause.requirement, cause.words


def test_a_feature_that_only_failing_cases_have_explains_them() -> None:
    assert words(cases(5, 7, flag=1), cases(5, 7, 9), FLAG) == (
        "PD-2.1",
        "it happens where the flag is up (2 cases), and none of 3 other cases are like that",
    )


def test_the_least_of_the_failing_cases_is_the_value_told() -> None:
    requirement, told = words(cases(20, 8), cases(1, 7.5), SIZE)
    assert (requirement, "8 or more" in told) == ("PD-2.2", True)
    assert "7.5 or more" in words(cases(7.5, 8), cases(1, 2), SIZE)[1], "a fraction is told as one"


def test_low_features_go_down() -> None:
    requirement, told = words(cases(2, 3), cases(4, 9), SMALL)
    assert (requirement, "only 3" in told) == ("PD-2.3", True)
    assert explain(cases(2, 3), cases(3, 1), [SMALL]) is None
    assert explain(cases(2, 3), cases(4, 9), [SIZE]) is None


def test_a_span_counts_by_its_telling_end() -> None:
    wide: list[Spans] = [{"size": Span(1, 9)}]
    narrow: list[Spans] = [{"size": Span(4, 5)}]
    assert words(wide, narrow, SIZE)[0] == "PD-2.2"
    assert words(wide, narrow, SMALL)[0] == "PD-2.3"
    assert explain(narrow, wide, [SIZE, SMALL]) is None


def test_the_first_of_the_table_wins() -> None:
    failing, passing = cases(9, flag=1), cases(1, 2)
    assert words(failing, passing, FLAG, SIZE)[0] == "PD-2.1"
    assert words(failing, passing, SIZE, FLAG)[0] == "PD-2.2"


def test_a_perfect_separation_goes_before_an_earlier_one_with_exceptions() -> None:
    passing = cases(*[1] * 19) + cases(1, flag=1)
    assert words(cases(9, flag=1), passing, FLAG, SIZE)[0] == "PD-2.2"


@pytest.mark.parametrize(
    ("exceptions", "others", "explains"), [(1, 19, True), (2, 18, True), (3, 17, False), (1, 8, False)]
)
def test_a_few_exceptions_are_let_pass(exceptions: int, others: int, explains: bool) -> None:
    passing = cases(*[1] * others) + cases(*[1] * exceptions, flag=1)
    assert (exceptions <= len(passing) * FEW) is explains
    cause = explain(cases(1, 2, flag=1), passing, [FLAG])
    assert (cause is not None) is explains
    if cause:
        assert f"only {exceptions} of {len(passing)} other cases" in cause.words


def test_one_failing_case_alone_lets_no_exception_pass() -> None:
    passing = cases(*[1] * 19)
    assert explain(cases(1, flag=1), passing, [FLAG]) is not None
    assert explain(cases(1, flag=1), passing + cases(1, flag=1), [FLAG]) is None


def test_one_failing_case_without_the_feature_refutes_it() -> None:
    assert explain(cases(1, flag=1) + cases(1), cases(1, 1), [FLAG]) is None


@pytest.mark.parametrize(
    ("failing", "passing"), [([], cases(1)), (cases(1, flag=1), []), ([], [])], ids=["none", "all", "no-case"]
)
def test_there_must_be_something_to_compare(failing: list[Spans], passing: list[Spans]) -> None:
    assert explain(failing, passing, [FLAG, SIZE, SMALL]) is None


def test_what_a_case_does_not_show_is_no_evidence() -> None:
    unseen: list[Spans] = [{"flag": Span(0, 0)}]
    assert explain(cases(9) + unseen, cases(1, 2), [SIZE]) is None, "a failing case that does not show it"
    assert words(cases(9), cases(1) + unseen, SIZE)[0] == "PD-2.2"


def test_an_empty_table_explains_nothing() -> None:
    assert explain(cases(1, flag=1), cases(1), []) is None


# --- the features of any game -------------------------------------------------------------------------------


def made(setting: Setting | None = None, **more: Any) -> Case:
    scenario = Scenario(game="any", name="made", about="IO-1", why="Made by hand.", **more)
    return Case("x/made", "x", scenario, setting or Setting())


def raised(case: Case) -> set[str]:
    return {name for name, span in causes.of_case(case, [b"x\n"]).items() if span.greatest} - {"line_bytes"}


@pytest.mark.parametrize(
    ("case", "names"),
    [
        (made(), set()),
        (made(Setting("s", beside=True)), {"second_copy"}),
        (made(Setting("s", {"HOME": None})), {"other_surroundings"}),
        (made(Setting("s", elsewhere=True)), {"other_surroundings"}),
        (made(Setting("s", listen=True)), set()),
        (made(deliver=Deliver(pieces=3)), {"pieces"}),
        (made(deliver=Deliver(together=True)), {"two_at_once"}),
        (made(interject={"action": "x"}), {"two_at_once", "unknown_action"}),
        (made(style=Style(unknown_keys=True)), {"unknown_keys"}),
        (made(style=Style(key_order="reversed")), {"spelling"}),
        (made(style=Style(spaces="wide")), {"spelling"}),
        (made(style=Style(escapes=True)), {"names_spelled"}),
        (made(style=Style(raw_utf8=True)), {"names_spelled"}),
    ],
)
def test_features_of_a_case(case: Case, names: set[str]) -> None:
    assert raised(case) == names


def test_line_bytes_are_the_least_and_the_greatest() -> None:
    assert causes.of_case(made(), [b"ab\n", b"x" * 100])["line_bytes"] == Span(3, 100)
    assert causes.of_case(made(), [])["line_bytes"] == Span(0, 0)


def test_every_feature_names_a_requirement_and_can_be_told() -> None:
    for feature in (*GENERAL, *PACK.feature_table, *LAST):
        assert feature.requirement in PACK.catalogue()
        assert feature.words.format(at=7)
    assert {feature.name for feature in (*GENERAL, *LAST)} == causes.of_case(made(), []).keys()
