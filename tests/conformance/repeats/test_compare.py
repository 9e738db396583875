"""Where two runs part, and the names of all runs; nothing is played here."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.conformance.repeats.compare import difference, namings, side_by_side
from pdcheck.conformance.repeats.talk import Talk, talk_of
from pdcheck.conformance.transcript import Ruled, Transcript
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.pack import Said

NAME = "name"


def talk(*moves: str, seat: int = 0, stopped: bool = False, name: str = "Bot") -> Talk:
    """A talk of these moves, by the seats in turn, the candidate in `seat`; each seat says its name first."""
    names = (Said(0, NAME, "A"), Said(1, NAME, "B"))
    return Talk(seat, (*names, *(Said(at % 2, "move", what) for at, what in enumerate(moves))), stopped, name)


def test_equal_runs_have_no_difference() -> None:
    assert difference(talk("1 1", "2 2"), talk("1 1", "2 2"), NAME) is None


def test_the_first_move_that_differs_is_found_with_its_numbers() -> None:
    found = difference(talk("1 1", "2 2", "3 3", "4 4"), talk("1 1", "2 2", "3 4", "9 9"), NAME)
    assert found is not None
    assert (found.number, found.place) == (2, 3)
    assert (found.first.what, found.other.what) == ("3 3", "3 4")
    assert [said.what for said in found.before] == ["1 1", "2 2"]


def test_the_second_seats_moves_are_numbered_by_themselves() -> None:
    found = difference(talk("1 1", "2 2", seat=1), talk("1 1", "2 3", seat=1), NAME)
    assert found is not None
    assert (found.number, found.place) == (1, 2)


def test_another_name_is_no_other_move() -> None:
    one = talk("1 1")
    other = Talk(0, (Said(0, NAME, "C"), *one.said[1:]), name="C")
    assert difference(one, other, NAME) is None


@pytest.mark.parametrize("stopped", [(True, False), (False, True), (True, True)])
def test_a_run_in_which_it_was_stopped_is_no_evidence(stopped: tuple[bool, bool]) -> None:
    one, other = talk("1 1", stopped=stopped[0]), talk("2 2", stopped=stopped[1])
    assert difference(one, other, NAME) is None


def test_a_run_that_was_cut_shorter_differs_by_what_it_has_only() -> None:
    assert difference(talk("1 1", "2 2", "3 3"), talk("1 1"), NAME) is None


def test_runs_in_different_seats_are_not_compared() -> None:
    assert difference(talk("1 1"), talk("2 2", seat=1), NAME) is None


def test_a_house_player_that_differs_first_is_the_kits_fault() -> None:
    with pytest.raises(ValueError, match="seat 1, a house player, plays '2 2' and then '2 3'"):
        difference(talk("1 1", "2 2"), talk("1 1", "2 3"), NAME)


@given(st.lists(st.sampled_from(["1 1", "1 2", "2 1"]), max_size=8), st.integers(0, 7))
def test_whatever_is_changed_is_found_there(moves: list[str], at: int) -> None:
    """Only the candidate's own moves can be changed: those at even places."""
    at *= 2
    other = [*moves]
    if at < len(moves):
        other[at] = "9 9"
    found = difference(talk(*moves), talk(*other), NAME)
    assert (found is None) if at >= len(moves) else (found is not None and found.place == at + 1)


def test_both_positions_are_drawn_beside_each_other() -> None:
    found = difference(talk("a"), talk("b"), NAME)
    assert found is not None

    def draw(said: Sequence[Said]) -> list[str]:
        return ["[" + " ".join(word.what for word in said) + "]", "end"]

    assert side_by_side(found, draw, ("first:", "then, a long title:")).splitlines() == [
        "first:     then, a long title:",
        "[a]        [b]",
        "end        end",
    ]


def test_names_are_counted_the_most_frequent_first() -> None:
    talks = [("a", talk(name="Two", seat=1)), ("b", talk(name="One")), ("c", talk(name="One", seat=1)),
             ("d", talk(name=""))]  # fmt: skip
    one, two = namings(talks)
    assert (one.name, one.seats, one.times, one.case) == ("One", (0, 1), 2, "b")
    assert (two.name, two.seats, two.times, two.case) == ("Two", (1,), 1, "a")


def test_a_talk_is_read_from_the_rulings_of_a_transcript() -> None:
    wrong = Violation("IO-1", "a line", "nothing")
    log = Transcript({"seats": [{"name": "us"}, {"name": "them"}]})
    log.events += [
        Ruled(0.0, Ruling(0, NAME, "Bot")),
        Ruled(0.1, Ruling(1, NAME, "House")),
        Ruled(0.2, Ruling(0, "move", "1 1")),
        Ruled(0.3, Ruling(1, "stopped", "", violation=wrong)),
    ]
    read = talk_of(log, 0, NAME, "c")
    assert (read.name, read.stopped, read.language, read.names) == ("Bot", False, "c", ("us", "them"))
    assert [said.what for said in read.said] == ["Bot", "House", "1 1", ""]
    assert talk_of(log, 1, NAME).stopped
    assert read.bare.said == ()
    assert read.bare.name == "Bot"
