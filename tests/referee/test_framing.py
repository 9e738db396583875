"""Bytes into lines: the same lines however the bytes arrive, and never more held than the limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.referee.framing import LINE_LIMIT, Framer

streams = st.binary(max_size=60).map(lambda data: data.replace(b"\x00", b"\n"))


def drained(framer: Framer) -> list[bytes]:
    return [framer.take() for _ in range(len(framer))]


@st.composite
def pieces(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    data = draw(streams)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    ends = [*cuts, len(data)]
    return data, [data[start:end] for start, end in zip([0, *cuts], ends, strict=True) if start < end]


@given(cut=pieces())
def test_any_pieces_make_the_same_lines(cut: tuple[bytes, list[bytes]]) -> None:
    data, parts = cut
    framer = Framer()
    lines = []
    for part in parts:
        framer.feed(part)
        lines += drained(framer)
    assert [*lines, framer.partial] == data.split(b"\n")
    assert not framer.overflown


def test_only_lf_ends_a_line() -> None:
    framer = Framer()
    framer.feed(b"a\rb\x0bc\x0c\xe2\x80\xa8d\r\n")
    assert drained(framer) == [b"a\rb\x0bc\x0c\xe2\x80\xa8d\r"]


def test_nothing_fed_is_no_line() -> None:
    framer = Framer()
    framer.feed(b"")
    assert len(framer) == 0
    assert framer.partial == b""


@pytest.mark.parametrize("step", [1, 3, 100])
def test_a_line_as_long_as_the_limit_passes_and_one_byte_more_does_not(step: int) -> None:
    for size in (10, 11):
        framer = Framer(limit=10)
        data = b"x" * size + b"\n"
        for start in range(0, len(data), step):
            framer.feed(data[start : start + step])
        assert framer.overflown is (size > 10)
        assert drained(framer) == ([b"x" * 10] if size == 10 else [])


def test_an_overflown_framer_keeps_the_head_and_takes_no_more() -> None:
    framer = Framer(limit=10)
    framer.feed(b"ok\n")
    framer.feed(b"y" * 11)
    head = framer.partial
    assert framer.overflown
    for _ in range(5):
        framer.feed(b"z" * 1000 + b"\n")
    assert framer.partial == head == b"y" * 11
    assert drained(framer) == [b"ok"]


def test_lines_that_are_not_taken_are_bounded_too() -> None:
    framer = Framer(limit=100)
    for _ in range(1000):
        framer.feed(b"\n")
    assert framer.overflown
    assert len(framer) <= 102


def test_taking_lines_makes_room() -> None:
    framer = Framer(limit=10)
    for _ in range(50):
        framer.feed(b"abcdefgh\n")
        assert framer.take() == b"abcdefgh"
    assert not framer.overflown


def test_the_usual_limit_takes_the_longest_answer_there_is() -> None:
    assert LINE_LIMIT == 2**20
    with pytest.raises(IndexError):
        Framer().take()


def test_clear_forgets_lines_and_what_came_since() -> None:
    framer = Framer()
    framer.feed(b"one\ntwo\nthr")
    framer.clear()
    framer.feed(b"ee\n")
    assert drained(framer) == [b"ee"]
