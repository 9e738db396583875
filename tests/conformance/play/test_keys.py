"""A keyboard's bytes to keys, in whichever pieces they come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.conformance.play.keys import BACKSPACE, CLEAR, END, ENTER, Keys

KEYS = [
    (b"5", "5"),
    ("é".encode(), "é"),
    (b"\r", ENTER),
    (b"\n", ENTER),
    (b"\x7f", BACKSPACE),
    (b"\x15", CLEAR),
    (b"\x04", END),
    (b"\x1b[A", "up"),
    (b"\x1bOB", "down"),
    (b"\x1b[1;5C", "right"),
    (b"\x1b[D", "left"),
]


@pytest.mark.parametrize(("data", "key"), KEYS)
def test_each(data: bytes, key: str) -> None:
    assert Keys().feed(data) == [key]


@pytest.mark.parametrize("data", [b"\x1b[3~", b"\x1b[15~", b"\x00", b"\x1b\x1b[5~", b"\x1bOP"])
def test_what_is_no_key_of_ours_is_nothing(data: bytes) -> None:
    keys = Keys()
    assert keys.feed(data) == []
    assert keys.feed(b"q") == ["q"]


@pytest.mark.parametrize(
    ("data", "pressed"),
    [
        (b"\x1b[\r", [ENTER]),
        ("\x1b[é".encode(), ["é"]),
        (b"\x1b[12\r", [ENTER]),
        (b"\x1bO\r", [ENTER]),
        (b"\x1b[>0c", []),
        (b"\x1b[!1m", []),
        (b"\x1b[[A", []),
        (b"\x1b[[\r", [ENTER]),
        (b"\x1b[1\x1b[A", ["up"]),
    ],
)
def test_an_odd_sequence_does_not_stop_the_keyboard(data: bytes, pressed: list[str]) -> None:
    for pieces in ([data], [data[at : at + 1] for at in range(len(data))]):
        keys = Keys()
        assert [key for piece in (*pieces, b"q") for key in keys.feed(piece)] == [*pressed, "q"]


def test_a_lone_escape_takes_nothing_with_it() -> None:
    keys = Keys()
    assert keys.feed(b"\x1b") == []
    assert keys.feed(b"h") == ["h"]


@given(st.lists(st.sampled_from(KEYS)), st.data())
def test_pieces_do_not_matter(pressed: list[tuple[bytes, str]], data: st.DataObject) -> None:
    stream = b"".join(part for part, _ in pressed)
    keys, found, at = Keys(), [], 0
    while at < len(stream):
        size = data.draw(st.integers(1, len(stream) - at))
        found += keys.feed(stream[at : at + size])
        at += size
    assert found == [key for _, key in pressed]


@given(st.lists(st.binary()))
def test_nothing_raises_and_the_keyboard_goes_on(pieces: list[bytes]) -> None:
    keys = Keys()
    for piece in pieces:
        keys.feed(piece)
    keys.feed(b"[A" + b"\x1b[" + b"1" * 64)
    assert keys.feed(b"q")[-1] == "q"
