"""The line kinds of Valtapeli as JSON values: what is none."""

from __future__ import annotations

import pytest
from pdcheck.schemas import explain, load

KINDS = ["turn_number", "name", "move"]


@pytest.mark.parametrize("value", [0, 3, "1", 1.0, True, None, [1]])
def test_what_is_no_turn_number(value: object) -> None:
    assert explain("valtapeli/turn_number", value)


@pytest.mark.parametrize("value", ["", "ab", "abcdefghij", "a b", "a-b", "äöü", "abc\n", 123, None])
def test_what_is_no_name(value: object) -> None:
    assert explain("valtapeli/name", value)


@pytest.mark.parametrize(
    "value", [[0, 1], [1, 17], [1], [1, 2, 3], [1.0, 2], ["1", 2], [True, 2], "1 2", None]
)
def test_what_is_no_move(value: object) -> None:
    assert explain("valtapeli/move", value)


@pytest.mark.parametrize("kind", KINDS)
def test_the_grammar_stands_beside_the_value(kind: str) -> None:
    line = load(f"valtapeli/{kind}")["line"]
    assert set(line) == {"strict", "lenient", "form"}
    for pattern in (line["strict"], line["lenient"]):
        assert pattern.startswith("^")
        assert pattern.endswith("$")


@pytest.mark.parametrize(
    "others",
    [{"player": ""}, {"script": ["0 1"]}, {"script": ["1 1", "1 1"]}, {"avoid": "1 1"}, {"hands": {}}],
)
def test_what_is_no_scene(others: dict[str, object]) -> None:
    scenario = {"name": "a", "about": "VA-5", "why": "w", "others": others}
    assert explain("valtapeli/scenario", {"schema": 1, "game": "valtapeli", "scenarios": [scenario]})
