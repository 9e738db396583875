"""The catalogue of Valtapeli: complete, at its published levels, and with examples that are what they say."""

from __future__ import annotations

import re

import pytest
from pdcheck.referee.catalogue import TITLE_LENGTH, Catalogue, packaged
from pdcheck.referee.valtapeli.codec import read_move, read_name

# Written by hand from the specification: the IDs and levels are fixed, this is what fixes them.
PUBLISHED = """
    VA-1 MUST  VA-2 MUST  VA-3 MUST  VA-4 MUST  VA-5 MUST   VA-6 SHOULD
    VA-7 MUST  VA-8 MUST  VA-9 MUST  VA-10 MUST VA-11 MUST  VA-12 SHOULD
"""
_WORDS = PUBLISHED.split()
LEVELS = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return packaged("pdcheck.referee", "valtapeli/requirements.toml")


def written(text: str) -> list[str]:
    """The lines that a bot writes in an example."""
    return [line[2:].partition("   [")[0] for line in text.splitlines() if line.startswith("← ")]


def test_ids_and_levels_are_the_published_ones(catalogue: Catalogue) -> None:
    assert {one.id: one.level.value for one in catalogue} == LEVELS
    assert [one.id for one in catalogue if one.where == "gate"] == ["VA-11"]


def test_it_goes_with_what_every_line_game_asks(catalogue: Catalogue) -> None:
    both = packaged("pdcheck.referee", "io.toml") + catalogue
    assert len(both) == 16 + len(LEVELS)


def test_every_entry_is_filled_in(catalogue: Catalogue) -> None:
    for one in catalogue:
        assert len(one.title) <= TITLE_LENGTH, one.id
        assert one.text.endswith("."), one.id
        assert one.fix.endswith("."), one.id
        assert one.good != one.bad, one.id
        assert not re.search(r"[/\\]|\.(md|txt|toml|py)\b", one.source), one.id


@pytest.mark.parametrize(
    ("requirement", "number"),
    [
        ("VA-1", "3 to 9 characters"),
        ("VA-4", "1 to 16"),
        ("VA-6", "128 moves"),
        ("VA-7", "30 s"),
        ("VA-7", "1.73 GHz"),
        ("VA-7", "60 s"),
        ("VA-7", "300 s"),
        ("VA-8", "512 MB"),
        ("VA-11", "1 MB"),
    ],
)
def test_the_numbers_are_there(catalogue: Catalogue, requirement: str, number: str) -> None:
    assert number in catalogue[requirement].text


def test_good_lines_are_names_and_moves_without_a_flaw(catalogue: Catalogue) -> None:
    for one in catalogue:
        for line in written(one.good):
            readings = (read_name(line.encode()), read_move(line.encode()))
            assert any(value is not None and not flaws for value, flaws in readings), (one.id, line)


def test_bad_lines_break_what_they_are_about(catalogue: Catalogue) -> None:
    assert read_name(written(catalogue["VA-1"].bad)[0].encode()).flaws[0].requirement == "VA-1"
    assert read_move(written(catalogue["VA-4"].bad)[0].encode()).flaws[0].requirement == "VA-4"
    assert read_move(written(catalogue["VA-12"].bad)[0].encode()).flaws[0].requirement == "VA-12"
