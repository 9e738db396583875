"""The referee's answer to one situation."""

from __future__ import annotations

from typing import Any

import pytest
from pdcheck.referee.valtapeli.board import CELLS, coordinates
from pdcheck.referee.valtapeli.question import legal


def test_what_stands_on_the_board() -> None:
    told = legal({"moves": ["1 1", [2, 2], "1 2"]}, None)
    assert {key: told[key] for key in ("turn", "free", "first_free", "regions", "score")} == {
        "turn": 2,
        "free": 253,
        "first_free": [1, 3],
        "regions": [2],
        "score": 4,
    }
    assert told["board"][:2] == ["11" + "." * 14, ".2" + "." * 14]


def test_the_empty_and_the_full_board() -> None:
    assert legal({}, None)["turn"] == 1
    full = legal({"moves": [list(coordinates(cell)) for cell in range(CELLS)]}, None)
    assert (full["turn"], full["free"], full["first_free"]) == (None, 0, None)


@pytest.mark.parametrize(
    ("play", "breaks"),
    [("1 1", "VA-5"), ([1, 1], "VA-5"), ("0 1", "VA-4"), ("x", "VA-4"), (5, "VA-4"), ([1], "VA-4")],
)
def test_a_play_that_is_not_legal(play: Any, breaks: str) -> None:
    told = legal({"moves": ["1 1"]}, play)
    assert (told["legal"], told["breaks"]) == (False, breaks)
    assert told["expected"]
    assert told["actual"]


def test_a_play_that_is_legal() -> None:
    assert legal({"moves": ["1 1", "5 5"]}, "1 2") == {"legal": True, "gain": 3, "flaws": []}
    assert legal({}, " 1 2")["flaws"][0]["requirement"] == "VA-12"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"move": []}, "unknown key 'move'"),
        ({"moves": "1 1"}, "a list of moves"),
        ({"moves": ["1 1", "0 1"]}, "move 2: a row and a column"),
        ({"moves": ["1 1", "1 1"]}, "move 2: 1 1 is already claimed by player 1"),
    ],
)
def test_what_is_no_state(state: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        legal(state, None)
