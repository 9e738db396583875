"""The board of Valtapeli step by step: every step's picture says what the board is."""

from __future__ import annotations

import random

import pytest
from pdcheck.referee.valtapeli.board import CELLS, FIRST, Board, cell_at
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.valtapeli.viewer import board_view, view
from pdcheck.scenarios.view import Moment, Told, picture, telling
from pdcheck.schemas import explain

NAMES = ("Alpha", "Beta")


def game(seed: int, moves: int = CELLS) -> list[int]:
    """Moves of which neighbours tend to follow each other, so that regions grow and join."""
    rng = random.Random(seed)
    return sorted(range(CELLS), key=lambda cell: cell // 16 // (1 + seed) + rng.random())[:moves]


@pytest.mark.parametrize("seed", range(3))
def test_each_step_shows_the_regions_as_they_are(seed: int) -> None:
    moves = game(seed)
    found = board_view(moves, NAMES)
    assert found is not None
    assert explain("view", found) == []
    assert len(found["steps"]) == CELLS
    for at in (0, 1, 5, 40, 99, 200, CELLS - 1):
        seen, board = picture(found, at), Board(moves[: at + 1])
        labels = board.labels()
        regions: dict[int, list[int]] = {}
        for cell in range(CELLS):
            if board.owners[cell] == FIRST:
                regions.setdefault(labels[cell], []).append(cell)
            else:
                tone = "x" if board.owners[cell] else ""
                assert cell not in seen.cells or seen.cells[cell] == (tone, "")
                assert bool(tone) == (cell in seen.cells)
        for cells in regions.values():
            tones = {seen.cells[cell].tone for cell in cells}
            assert len(tones) == 1
            assert (tones == {"s"}) == (len(cells) == 1)
            assert [seen.cells[cell].label for cell in cells] == [str(len(cells)), *[""] * (len(cells) - 1)]
        (score,) = seen.rows["score"]
        assert score.text == str(board.score())
        sizes = [int(chip.text.partition("²")[0]) for chip in seen.rows["regions"] if chip.tone]
        assert sizes == list(board.regions()[: len(sizes)])


def test_a_whole_match_is_small() -> None:
    assert len(str(board_view(game(1)))) < 60_000


def test_a_wrong_move_is_marked_where_it_was_tried() -> None:
    broken = Violation("VA-5", "a free cell", "1 1: player 2 claimed it")
    happened: list[Moment] = [
        Told(0, b"1\n"),
        Ruling(0, "name", "Alpha"),
        Ruling(1, "name", "Beta"),
        Ruling(0, "move", "2 2"),
        Ruling(1, "move", "1 1"),
        Ruling(0, "stopped", "1 1", violation=broken),
        Ruling(0, "replaced", "1 2"),
    ]
    found = view(happened, NAMES, 0)
    assert found is not None
    assert explain("view", found) == []
    at = telling(found, "VA-5")
    step = found["steps"][at]
    assert (step["caption"], step["mark"]) == ("Alpha is stopped at its move 1 1", "wrong")
    assert (step["at"], step["bad"]) == (cell_at(1, 1), cell_at(1, 1))
    assert found["steps"][at + 1]["caption"] == "3. Alpha, stopped, gets the first free cell: 1 2"
    assert found["steps"][2]["caption"] == "1. Alpha: 2 2"


def test_who_is_stopped_without_a_move_is_told_so() -> None:
    silent = Ruling(1, "stopped", "", violation=Violation("VA-1", "a name", "nothing"))
    found = view([silent], NAMES, 1)
    assert found is not None
    assert found["steps"][0]["caption"] == "Beta is stopped"
    assert "bad" not in found["steps"][0]


def test_a_word_that_is_no_move_does_no_harm() -> None:
    found = view([Ruling(0, "move", "\ud800"), Ruling(0, "stopped", "17 1"), Ruling(1, "unasked")], NAMES, 0)
    assert found is not None
    assert explain("view", found) == []
    assert [step.get("cells") for step in found["steps"]] == [None, None, None]


def test_where_nothing_happened_nothing_is_shown() -> None:
    assert view([Told(0, b"1\n")], NAMES, 0) is None
    assert board_view([]) is None


def test_a_move_can_be_pointed_at() -> None:
    found = board_view([5, 6, 7], title="under another clock", bad=1)
    assert found is not None
    assert found["title"] == "under another clock"
    assert [step.get("bad") for step in found["steps"]] == [None, 6, None]
    assert explain("view", found) == []
