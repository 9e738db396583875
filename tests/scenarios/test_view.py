"""Views: what a maker makes is valid, holds only changes, stays small, and gives the pictures it was made from."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios import view
from pdcheck.scenarios.view import Cell, Chip, ViewMaker, counted, misfit, picture, telling
from pdcheck.schemas import explain

WRONG = Ruling(0, "stopped", violation=Violation("VA-5", "a free cell", "a taken one"))
FLAW = Ruling(0, "move", flaws=(Violation("VA-12", "one space", "two"),))

cells = st.dictionaries(
    st.integers(0, 5), st.builds(Cell, st.sampled_from(["", "a", "x", "!"]), st.sampled_from(["", "7", "12"]))
)
rows = st.dictionaries(
    st.sampled_from(["one", "two"]), st.lists(st.text("abc:!é 7²", max_size=9), max_size=4)
)


def maker() -> ViewMaker:
    return ViewMaker({"one": "One", "two": "Two"}, grid=(2, 3))


@settings(max_examples=25)
@given(st.lists(st.tuples(cells, rows), min_size=1, max_size=9))
def test_pictures_are_what_the_steps_said(steps: list[tuple[dict[int, Cell], dict[str, list[str]]]]) -> None:
    made = maker()
    for at, (changed, told) in enumerate(steps):
        made.step(f"step {at}", cells=changed, rows=told)
    found = made.view()
    assert found is not None
    assert explain("view", found) == []
    assert misfit(found) is None
    board: dict[int, Cell] = {}
    beside: dict[str, list[Chip]] = {}
    for at, (changed, told) in enumerate(steps):
        board |= changed
        beside |= {key: [Chip(text) for text in texts] for key, texts in told.items()}
        seen = picture(found, at)
        assert seen.cells == board
        assert {key: chips for key, chips in seen.rows.items() if chips} == {
            k: c for k, c in beside.items() if c
        }


def test_a_row_that_stays_is_told_once() -> None:
    made = maker()
    for _ in range(3):
        made.step("the same", rows={"one": ["a"]})
    found = made.view()
    assert found is not None
    assert [step.get("rows") for step in found["steps"]] == [{"one": [":a"]}, None, None]


def test_nothing_that_happened_is_no_view() -> None:
    assert maker().view() is None


def test_an_unknown_row_is_an_error() -> None:
    with pytest.raises(KeyError, match="no row 'three'; there are: one, two"):
        maker().step("x", rows={"three": []})


def test_of_a_long_story_the_end_is_kept_and_stands_on_what_was_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(view, "STEPS", 2)
    made = maker()
    for at in range(4):
        made.step(f"step {at}", cells={at: Cell("a")}, rows={"one": [str(at)]} if at < 3 else {})
    found = made.view()
    assert found is not None
    assert explain("view", found) == []
    assert found["left_out"] == 2
    assert [step["caption"] for step in found["steps"]] == ["step 2", "step 3"]
    assert picture(found, 0).cells == dict.fromkeys(range(3), Cell("a"))
    assert picture(found, 1).rows == {"one": [Chip("2")]}


def test_long_texts_and_rows_are_cut() -> None:
    made = maker()
    made.step(
        "c" * 9_999,
        ruling=Ruling(0, "out", violation=Violation("PD-1", "e" * 9_999, "a")),
        rows={"one": ["x" * 9_999] * 99},
    )
    found = made.view()
    assert found is not None
    assert len(str(found)) < 3_000
    assert found["steps"][0]["rows"]["one"][-1] == ":+75"


@pytest.mark.parametrize(
    ("rulings", "requirement", "at"),
    [
        ([None, None], "VA-5", 1),
        ([None, WRONG, None], "", 1),
        ([FLAW, None, WRONG, None], "VA-12", 0),
        ([FLAW, None, WRONG, None], "VA-5", 2),
        ([FLAW, None, FLAW, None], "VA-99", 2),
    ],
)
def test_the_step_to_look_at_is_the_one_that_broke_it(
    rulings: list[Ruling | None], requirement: str, at: int
) -> None:
    made = maker()
    for ruling in rulings:
        made.step("x", ruling=ruling)
    found = made.view()
    assert found is not None
    assert telling(found, requirement) == at


@pytest.mark.parametrize("text", ["\ud800", "\x1b[2J", "\u202e", "a\nb"], ids=ascii)
def test_what_a_bot_wrote_is_harmless_in_it(text: str) -> None:
    made = ViewMaker({"one": text}, title=text, legend={"a": text})
    made.step(text, ruling=Ruling(0, text, violation=Violation("PD-1", text, text)), rows={"one": [text]})
    found = made.view()
    assert explain("view", found) == []
    assert json.dumps(found, ensure_ascii=False).encode("utf-8").decode().isprintable()


def test_marks_say_whether_the_seat_was_put_out() -> None:
    made = maker()
    made.step("x", ruling=WRONG)
    made.step("x", ruling=FLAW)
    found = made.view()
    assert found is not None
    assert [step["mark"] for step in found["steps"]] == ["wrong", "flaw"]
    assert found["steps"][0]["note"] == "VA-5: expected a free cell, got a taken one"


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ({"at": 6}, ("steps[0].at", "a cell below 6", "6")),
        ({"bad": 6}, ("steps[0].bad", "a cell below 6", "6")),
        ({"cells": "5=a 6=a"}, ("steps[0].cells", "cells below 6", "6")),
        ({"rows": {"three": []}}, ("steps[0].rows", "keys of the view's rows (one, two)", "three")),
    ],
)
def test_what_the_schema_cannot_say(step: dict[str, Any], told: tuple[str, str, str]) -> None:
    given = {"grid": [2, 3], "rows": [["one", ""], ["two", ""]], "steps": [{"caption": "x", **step}]}
    assert explain("view", given) == []
    assert misfit(given) == told


def test_equal_neighbours_are_counted() -> None:
    assert counted("aab") == [("a", 2), ("b", 1)]
    assert counted("") == []
