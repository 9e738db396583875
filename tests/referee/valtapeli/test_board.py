"""The board against a naive flood fill, and the scores that the announcement works out."""

from __future__ import annotations

import random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.valtapeli.board import (
    CELLS,
    FIRST,
    NEIGHBOURS,
    SECOND,
    Board,
    Taken,
    cell_at,
    coordinates,
    owners_of,
    regions_of,
    rows_of,
    score_of,
)

# One end of a game with both of the announcement's results: regions of 63 and 65 against 1, 2, 12 and 113.
ROWS = (
    *("1" * 16, "12" + "1" * 14, "1" * 16, "1" * 16),
    *["2" * 16] * 7,
    *("2" + "1" * 15, "1" * 16, "11" + "2" * 12 + "11", "1" * 16, "22" + "1" * 14),
)

# Drawn whole: an element at a time would take most of the tests' time.
orders = st.integers(0, 2**32).map(lambda seed: random.Random(seed).sample(range(CELLS), CELLS))
boards = st.binary(min_size=CELLS, max_size=CELLS).map(lambda drawn: [byte % 3 for byte in drawn])
few = settings(max_examples=30)


def played(owners: bytes | bytearray) -> Board:
    """A match that ends so: each side takes its cells row by row."""
    first = [cell for cell in range(CELLS) if owners[cell] == FIRST]
    second = [cell for cell in range(CELLS) if owners[cell] == SECOND]
    return Board(cell for pair in zip(first, second, strict=True) for cell in pair)


def test_the_announcements_two_results() -> None:
    owners = owners_of(ROWS)
    assert regions_of(owners, FIRST) == (65, 63)
    assert score_of(owners, FIRST) == 63**2 + 65**2 == 8194
    assert regions_of(owners, SECOND) == (113, 12, 2, 1)
    assert score_of(owners, SECOND) == 1 + 4 + 144 + 113**2 == 12918


def test_the_same_results_as_cells_are_claimed() -> None:
    board = played(owners_of(ROWS))
    assert board.full
    assert board.rows() == ROWS
    assert (board.score(), board.regions()) == (8194, (65, 63))
    assert (board.score(SECOND), board.regions(SECOND)) == (12918, (113, 12, 2, 1))


@few
@given(owners=boards)
def test_any_board_against_a_flood_fill(naive: ModuleType, owners: list[int]) -> None:
    for owner in (FIRST, SECOND):
        sizes = naive.regions(owners, owner)
        assert list(regions_of(owners, owner)) == sizes
        assert score_of(owners, owner) == sum(size**2 for size in sizes)


@few
@given(order=orders, count=st.integers(0, CELLS))
def test_a_match_against_a_flood_fill(naive: ModuleType, order: list[int], count: int) -> None:
    board = Board(order[:count])
    for owner in (FIRST, SECOND):
        sizes = naive.regions(board.owners, owner)
        assert list(board.regions(owner)) == sizes
        assert board.score(owner) == sum(size**2 for size in sizes)
    labels = board.labels()
    for cell, label in enumerate(labels):
        assert (label == 0) == board.is_free(cell)
        if label:
            assert board.region_size(cell) == labels.count(label)
            for near in NEIGHBOURS[cell]:
                if board.owners[near] == board.owners[cell]:
                    assert labels[near] == label


@few
@given(order=orders, count=st.integers(0, CELLS - 1), owner=st.sampled_from([FIRST, SECOND]))
def test_what_a_cell_would_gain(order: list[int], count: int, owner: int) -> None:
    board = Board(order[:count])
    cell = order[count]
    owners = bytearray(board.owners)
    owners[cell] = owner
    assert board.gain(cell, owner) == score_of(owners, owner) - board.score(owner)


@few
@given(order=orders, count=st.integers(0, CELLS))
def test_whose_turn_and_what_is_free(order: list[int], count: int) -> None:
    board = Board(order[:count])
    assert board.turn == 1 + count % 2
    assert board.free() == sorted(order[count:])
    assert board.full == (count == CELLS)
    if count < CELLS:
        assert board.first_free == min(order[count:])


def test_a_full_board_has_no_free_cell() -> None:
    board = Board(range(CELLS))
    with pytest.raises(ValueError):  # noqa: PT011 -- bytearray's own words differ between versions
        _ = board.first_free


def test_a_cell_is_claimed_once() -> None:
    board = Board([cell_at(3, 4)])
    with pytest.raises(Taken, match="3 4 is already claimed by player 1"):
        board.claim(cell_at(3, 4))
    assert board.moves == [cell_at(3, 4)]
    assert board.turn == SECOND


def test_cells_and_coordinates() -> None:
    assert [coordinates(cell) for cell in (0, 15, 240, 255)] == [(1, 1), (1, 16), (16, 1), (16, 16)]
    assert [cell_at(*coordinates(cell)) for cell in range(CELLS)] == list(range(CELLS))
    for row, column in ((0, 1), (1, 0), (17, 1), (1, 17), (-1, 5)):
        with pytest.raises(ValueError, match="rows and columns are 1 to 16"):
            cell_at(row, column)


def test_neighbours_share_a_side() -> None:
    assert [len(NEIGHBOURS[cell]) for cell in (0, 1, 17, 255)] == [2, 3, 4, 2]
    assert set(NEIGHBOURS[cell_at(5, 16)]) == {cell_at(4, 16), cell_at(6, 16), cell_at(5, 15)}


@few
@given(owners=boards)
def test_rows_show_owners(owners: list[int]) -> None:
    assert list(owners_of(rows_of(owners))) == owners


@pytest.mark.parametrize("rows", [[], ["." * 16] * 15, ["." * 15] * 16, ["3" * 16] * 16])
def test_what_is_no_board(rows: list[str]) -> None:
    with pytest.raises(ValueError, match="16 strings of 16"):
        owners_of(rows)
