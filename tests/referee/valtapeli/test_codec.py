"""Lines: what is strict, what is understood all the same, what is none; the grammar beside each schema."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck import schemas
from pdcheck.referee.valtapeli.codec import (
    looks_like_a_move,
    move_line,
    read_move,
    read_name,
    shown,
    turn_line,
)
from pdcheck.referee.valtapeli.grammar import Grammar
from pdcheck.schemas import explain

KINDS = ("valtapeli/turn_number", "valtapeli/name", "valtapeli/move")

few = settings(max_examples=25)
near_lines = st.one_of(
    st.binary(max_size=12),
    st.text("0123456789 +-\t", max_size=9).map(str.encode),
    st.text("aZ09 _\u00e4", max_size=11).map(str.encode),
    st.tuples(st.integers(-1, 20), st.integers(-1, 20)).map(lambda pair: b"%d %d" % pair),
    st.integers(-1, 4).map(lambda number: b"%d" % number),
)


def requirements(flaws: tuple[Any, ...]) -> list[str]:
    return [flaw.requirement for flaw in flaws]


@pytest.mark.parametrize("kind", KINDS)
def test_examples_are_written_and_read_back(kind: str) -> None:
    grammar = Grammar(kind)
    for example in schemas.load(kind)["examples"]:
        line = grammar.write(example)
        assert line.endswith(b"\n")
        assert grammar.read(line[:-1]) == (example, True)


@pytest.mark.parametrize("kind", KINDS)
@few
@given(line=near_lines)
def test_a_line_is_strict_where_its_value_writes_it_and_the_schema_takes_that(kind: str, line: bytes) -> None:
    grammar = Grammar(kind)
    value, plain = grammar.read(line)
    good = value is not None and explain(kind, value) == [] and grammar.write(value) == line + b"\n"
    assert plain == good


@pytest.mark.parametrize("kind", KINDS)
@few
@given(line=near_lines)
def test_a_line_with_its_lf_is_none(kind: str, line: bytes) -> None:
    assert Grammar(kind).read(line + b"\n").value is None


def test_an_unknown_kind_raises() -> None:
    with pytest.raises(KeyError, match="no schema is named"):
        Grammar("valtapeli/pass")


def test_every_move_is_written_and_read_back() -> None:
    for cell in range(256):
        assert read_move(move_line(cell)[:-1]) == (cell, ())
    assert move_line(0) == b"1 1\n"
    assert move_line(255) == b"16 16\n"
    assert shown(15) == "1 16"
    assert [turn_line(1), turn_line(2)] == [b"1\n", b"2\n"]


@pytest.mark.parametrize(
    ("line", "cell"),
    [
        (b"+1 16", 15),
        (b"01 016", 15),
        (b"1  16", 15),
        (b"1\t16", 15),
        (b" 1 16", 15),
        (b"1 16 ", 15),
        (b" +01\t 16 ", 15),
        (b"0000000000000001 1", 0),
    ],
)
def test_a_harmless_deviation_is_told_and_taken(line: bytes, cell: int) -> None:
    found, flaws = read_move(line)
    assert (found, requirements(flaws)) == (cell, ["VA-12"])
    assert flaws[0].expected == f"the line as `{shown(cell)}`"


def test_a_cr_is_its_own_flaw() -> None:
    assert read_move(b"1 16\r") == (15, read_move(b"1 16\r").flaws)
    assert requirements(read_move(b"1 16\r").flaws) == ["IO-15"]
    assert requirements(read_move(b"01 16\r").flaws) == ["VA-12", "IO-15"]
    assert requirements(read_move(b"17 1\r").flaws)[0] == "VA-4"
    assert requirements(read_name(b"First\r").flaws) == ["IO-15"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "an empty line"),
        (b"  ", "white space"),
        (b"1", "1 part"),
        (b"1 2 3", "3 parts"),
        (b"0 5", "no row 0"),
        (b"17 1", "no row 17"),
        (b"1 17", "no column 17"),
        (b"-1 99", "no row -1 and no column 99"),
        (b"1,16", "1,16"),
        (b"1.0 2.0", "1.0 2.0"),
        (b"1e0 2", "1e0 2"),
        (b"A1", "A1"),
        (b"a b", "a b"),
        (b"1 - 2", "3 parts"),
        (b"--1 2", "--1 2"),
        (b"1_0 2", "1_0 2"),
        (b"9" * 5000 + b" 1", "9999"),
        (b'{"row": 1}', "row"),
    ],
)
def test_what_is_no_move(line: bytes, words: str) -> None:
    cell, flaws = read_move(line)
    assert cell is None
    assert flaws[0].requirement == "VA-4"
    assert words in flaws[0].actual


@pytest.mark.parametrize("line", ["1 １６".encode(), b"1 \xff", b"\xef\xbb\xbf1 1", b"1\x001"])
def test_what_is_no_plain_text(line: bytes) -> None:
    cell, flaws = read_move(line)
    assert cell is None
    assert flaws[0].requirement in ("VA-4", "IO-6")


@pytest.mark.parametrize("name", ["abc", "ABC", "123", "a1B2c3D4e"])
def test_names(name: str) -> None:
    assert read_name(name.encode()) == (name, ())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "an empty line"),
        (b"ab", "of 2 characters"),
        (b"abcdefghij", "of 10 characters"),
        (b"my bot", "with"),
        (b"my-bot", "with «-»"),
        ("pöllö".encode(), "with «ö»"),
        (b"8 8", "which is a move"),
    ],
)
def test_what_is_no_name(line: bytes, words: str) -> None:
    name, flaws = read_name(line)
    assert name is None
    assert flaws[0].requirement == "VA-1"
    assert words in flaws[0].actual


def test_spaces_around_a_name() -> None:
    name, flaws = read_name(b" First ")
    assert (name, requirements(flaws)) == ("First", ["VA-12"])


@few
@given(line=near_lines)
def test_nothing_raises_and_a_must_comes_first(line: bytes) -> None:
    for value, flaws in (read_move(line), read_name(line)):
        musts = [flaw for flaw in flaws if flaw.requirement in ("VA-1", "VA-4", "IO-6")]
        assert len(musts) == (value is None)
        assert list(flaws[:1]) == musts or not musts
    assert looks_like_a_move(line) or read_move(line).cell is None
