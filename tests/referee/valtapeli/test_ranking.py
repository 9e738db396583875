"""The contest's ranking, on tables made by hand."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.valtapeli.ranking import AMONG, POINTS, SHARED, SINGLE, Standing, rank


def table(text: str) -> dict[tuple[str, str], int]:
    """Rows `A: - 5 7`: what A scores as starter against each, in the order of the rows."""
    rows = [line.split() for line in text.strip().splitlines()]
    names = [row[0].rstrip(":") for row in rows]
    return {
        (name, other): int(score)
        for name, row in zip(names, rows, strict=True)
        for other, score in zip(names, row[1:], strict=True)
        if other != name
    }


def told(text: str) -> list[tuple[int, str, int, str]]:
    return [(line.place, line.name, line.points, line.by) for line in rank(table(text))]


def test_a_point_for_each_opponent_who_scored_less_as_starter() -> None:
    assert told("A: - 9 9\nB: 1 - 9\nC: 1 1 -") == [(1, "A", 2, ""), (2, "B", 1, POINTS), (3, "C", 0, POINTS)]


def test_an_equal_score_is_a_point_for_nobody() -> None:
    assert told("A: - 5\nB: 5 -") == [(1, "A", 0, ""), (1, "B", 0, SHARED)]


def test_two_with_equal_points_are_told_apart_by_their_own_match() -> None:
    # A and B beat two each; B beat A, though A's single scores are larger.
    text = """
        A: - 3 90 90
        B: 4 - 8  1
        C: 1 1 - 9
        D: 1 2 1 -
    """
    assert told(text) == [
        (1, "B", 2, ""),
        (2, "A", 2, AMONG),
        (3, "C", 1, POINTS),
        (4, "D", 1, AMONG),
    ]


def test_a_circle_is_told_apart_by_single_scores_from_the_smallest_up() -> None:
    # A beats B, B beats C, C beats A; the smallest scores are 2, 3 and 2, then 9 against 8.
    text = "A: - 9 2\nB: 3 - 9\nC: 8 2 -"
    assert told(text) == [(1, "B", 1, ""), (2, "A", 1, SINGLE), (3, "C", 1, SINGLE)]
    assert rank(table(text))[1].scores == (2, 9)


def test_a_smallest_score_counts_before_a_large_one() -> None:
    text = "A: - 100 1\nB: 2 - 3\nC: 2 2 -"
    assert [line.name for line in rank(table(text))] == ["B", "C", "A"]


def test_those_who_stay_equal_are_compared_again_among_themselves() -> None:
    # Among the four with 2 points A and B have 2, C and D 1; in each pair their own match tells them apart.
    text = """
        A: - 1 9 9 5
        B: 9 - 1 9 5
        C: 1 9 - 1 9
        D: 1 1 9 - 9
        E: 5 5 1 1 -
    """
    assert told(text) == [
        (1, "B", 2, ""),
        (2, "A", 2, AMONG),
        (3, "D", 2, AMONG),
        (4, "C", 2, AMONG),
        (5, "E", 0, POINTS),
    ]


def test_equal_in_everything_is_one_place_and_the_next_is_not_moved_up() -> None:
    text = "A: - 5 9\nB: 5 - 9\nC: 1 1 -"
    assert [(line.place, line.name, line.by) for line in rank(table(text))] == [
        (1, "A", ""),
        (1, "B", SHARED),
        (3, "C", POINTS),
    ]


def test_no_matches_rank_nobody() -> None:
    assert rank({}) == ()


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ({("A", "B"): 1}, "B starts against A"),
        ({("A", "A"): 1}, "against itself"),
        ({("A", "B"): 1, ("B", "A"): -1}, "a score of -1"),
    ],
)
def test_what_is_no_table(scores: dict[tuple[str, str], int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        rank(scores)


@settings(max_examples=30)
@given(data=st.data(), count=st.integers(2, 5))
def test_the_order_keeps_every_rule(data: st.DataObject, count: int) -> None:
    names = "ABCDE"[:count]
    scores = {pair: data.draw(st.integers(0, 2)) for pair in itertools.permutations(names, 2)}
    lines = rank(scores)
    assert sorted(line.name for line in lines) == sorted(names)
    for above, below in itertools.pairwise(lines):
        _hold(above, below, scores, lines)
    assert [line.place for line in lines] == [
        1 + sum(other.place < line.place for other in lines) for line in lines
    ]
    assert lines == rank(dict(reversed(scores.items())))


def _hold(
    above: Standing, below: Standing, scores: dict[tuple[str, str], int], lines: tuple[Standing, ...]
) -> None:
    """What is said to tell two lines apart does."""
    assert above.points >= below.points
    assert (above.points > below.points) is (below.by == POINTS)
    if below.by == SHARED:
        assert above.place == below.place
        assert above.scores == below.scores
    else:
        assert above.place < below.place
    if below.by == SINGLE:
        assert above.scores > below.scores
    tied = [line.name for line in lines if line.points == below.points]
    if below.by == AMONG and len(tied) == 2:
        assert scores[above.name, below.name] > scores[below.name, above.name]
