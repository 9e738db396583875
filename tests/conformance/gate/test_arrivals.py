"""What is complete, what may be tried again, and what results are called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pdcheck.conformance.gate.arrivals import Steady, look_of
from pdcheck.conformance.gate.outcome import file_name, numbered
from pdcheck.conformance.gate.pace import Pace, Pauses


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_look_tells_what_was_written_and_not_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "a").write_text("a")
    (folder / "in" / "loop").symlink_to(folder)
    looks = [look_of(folder)]
    folder.rename(tmp_path / "renamed")
    folder = tmp_path / "renamed"
    assert look_of(folder) == looks[0]
    for change in (
        lambda: (folder / "in" / "a").write_text("longer"),
        lambda: os.utime(folder / "in" / "a", ns=(5, 5)),
        lambda: (folder / "in" / "b").mkdir(),
        lambda: (folder / "in" / "b").rename(folder / "b"),
    ):
        change()
        looks.append(look_of(folder))
    assert len(set(looks)) == len(looks)
    with pytest.raises(FileNotFoundError):
        look_of(tmp_path / "nothing")


def test_steady_is_what_looks_the_same_for_long_enough() -> None:
    clock = Clock()
    steady = Steady(1.0, clock)
    seen = []
    for clock.now, look in ((0, "a"), (0.5, "a"), (1, "b"), (1.5, "b"), (2, "b"), (3, "a")):
        seen.append(steady.is_steady("bot", look))
    assert seen == [False, False, False, False, True, False]
    steady.vouch("other", "x")
    assert steady.is_steady("other", "x")
    steady.only(["bot"])
    assert not steady.is_steady("other", "x")


def test_pauses_grow_and_have_an_end() -> None:
    pace = Pace(pause=5, longest_pause=30)
    assert [pace.pause_after(troubles) for troubles in (0, 1, 2, 3, 4, 5000)] == [0, 5, 10, 20, 30, 30]
    clock = Clock()
    pauses = Pauses(pace, clock)
    seen = [pauses.is_over("t", 1)]
    for clock.now in (4.9, 5.0):
        seen.append(pauses.is_over("t", 1))
    assert seen == [False, False, True]
    assert not pauses.is_over("t", 2), "it failed again: another, longer pause"
    assert pauses.is_over("other", 0)
    pauses.failed("other")
    assert not pauses.is_over("other", 0)


def test_names_of_results() -> None:
    assert [numbered("a.json", number) for number in (1, 2)] == ["a.json", "a~2.json"]
    assert numbered("a.error.json", 3) == "a~3.error.json"
    with pytest.raises(ValueError, match="no result's name"):
        numbered("a.txt", 2)
    long = [file_name("é" * 120 + str(number)) for number in range(2)]
    assert len(set(long)) == 2
    assert all(len(name.encode()) <= 200 for name in long)
