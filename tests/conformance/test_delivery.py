"""How messages are cut into pieces, and when each piece is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.conformance.delivery import LATE_EVERY, READ_WITHIN, Outbox, late_lines, pieces_of, splitter
from pdcheck.scenarios.scenario import CUTS, Deliver

MESSAGES = st.text(st.sampled_from("ab素Ж𝔅\\u0041 "), max_size=30).map(lambda text: text.encode() + b"\n")
DELIVERIES = st.builds(Deliver, pieces=st.integers(1, 50), cut=st.none() | st.sampled_from(CUTS))


@given(MESSAGES, DELIVERIES)
def test_the_pieces_are_the_message(message: bytes, deliver: Deliver) -> None:
    pieces = pieces_of(message, deliver)
    assert b"".join(pieces) == message
    assert all(pieces)


@pytest.mark.parametrize(
    ("message", "deliver", "wanted"),
    [
        (b"abcdef\n", Deliver(pieces=2), [b"abcd", b"ef\n"]),
        (b"abc\n", Deliver(pieces=1000), [b"a", b"b", b"c", b"\n"]),
        (b"abc\n", Deliver(cut="before-lf"), [b"abc", b"\n"]),
        ("素x".encode() + b"\n", Deliver(cut="in-character"), [b"\xe7", b"\xb4\xa0x\n"]),
        ("Åx素".encode(), Deliver(cut="in-character"), [b"\xc3", b"\x85x\xe7", b"\xb4\xa0"]),
        (rb"\u00e5", Deliver(cut="in-escape"), [rb"\u0", b"0e5"]),
        (b"abc\n", Deliver(cut="in-character"), [b"abc\n"]),
        (b"a\nb\n", Deliver(cut="before-lf"), [b"a\nb", b"\n"]),
    ],
)
def test_where_it_is_cut(message: bytes, deliver: Deliver, wanted: list[bytes]) -> None:
    assert pieces_of(message, deliver) == wanted


def test_only_the_candidates_messages_are_cut() -> None:
    assert splitter(Deliver(), 1) is None
    split = splitter(Deliver(pieces=2), 1)
    assert split is not None
    assert list(split(0, b"ab\n")) == [b"ab\n"]
    assert list(split(1, b"ab\n")) == [b"ab", b"\n"]


def taken(box: Outbox, now: float, *, unread: bool = False) -> list[tuple[int, bytes]]:
    return list(box.take(now, lambda _: unread))


def test_a_piece_comes_a_gap_after_the_one_before() -> None:
    box = Outbox(gap=1.0)
    box.put(3, [b"b", b"c"], now=0.0)
    assert box
    assert box.due() == [1.0]
    assert taken(box, 0.9) == []
    assert taken(box, 1.5) == [(3, b"b")]
    assert box.due() == [2.5]
    assert taken(box, 2.5) == [(3, b"c")]
    assert not box
    assert box.due() == []


def test_a_piece_waits_until_the_one_before_was_read_but_not_for_ever() -> None:
    box = Outbox(gap=0.1)
    box.put(0, [b"b", b"c"], now=0.0)
    assert taken(box, 0.1, unread=True) == []
    assert 0.1 < box.due()[0] < 0.2
    assert taken(box, 0.2) == [(0, b"b")]
    assert taken(box, READ_WITHIN, unread=True) == [(0, b"c")]


def test_the_next_message_never_overtakes_pieces_of_the_last() -> None:
    box = Outbox(gap=0.1)
    box.put(0, [b"b", b"c"], now=0.0)
    box.put(0, [b"e"], now=0.05)
    said = []
    while box:
        said += [piece for _, piece in taken(box, max(box.due()))]
    assert said == [b"b", b"c", b"e"]


def test_every_so_many_lines_of_one_seat_come_late_and_whole() -> None:
    split = late_lines(1)
    pieces = [split(1, b"%d\n" % number) for number in range(1, 2 * LATE_EVERY + 1)]
    assert [list(piece) for piece in pieces] == [
        [b"", b"%d\n" % number] if number % LATE_EVERY == 0 else [b"%d\n" % number]
        for number in range(1, 2 * LATE_EVERY + 1)
    ]
    assert all(list(split(0, b"x\n")) == [b"x\n"] for _ in range(2 * LATE_EVERY))
