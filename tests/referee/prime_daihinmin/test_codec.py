"""Messages to bytes: exactly as Python's json.dumps writes the same values."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.prime_daihinmin.codec import QUIT, Encoder, cards, text
from pdcheck.referee.prime_daihinmin.table import Entry, Seat

names = st.lists(
    st.one_of(st.text("ABCxyz019.-", min_size=1, max_size=32), st.text(max_size=8)),
    min_size=2,
    max_size=8,
    unique=True,
)
hands = st.lists(st.integers(0, 12), min_size=10, max_size=10)
fields = st.lists(st.integers(2, 10**40).map(str), max_size=4)
statuses = st.sampled_from(["OK", "PASSED", "MERSENNE", "BELPHEGOR", 'ERROR:PD-3.1 "a" \\ \x07', "ERROR:é"])


def listed(hand: list[int]) -> list[int]:
    return [card for card in range(10) for _ in range(hand[card])]


def dumped(value: object) -> bytes:
    return json.dumps(value).encode("ascii") + b"\n"


def told(record: list[Entry]) -> list[Any]:
    return [[entry.name, entry.status, entry.cards, list(entry.field)] for entry in record]


@st.composite
def seats(draw: st.DrawFn) -> list[Seat]:
    return [Seat(index, name, draw(hands)) for index, name in enumerate(draw(names))]


@given(seats=seats(), time=st.one_of(st.integers(1, 100), st.floats(0.001, 1e6)))
def test_init(seats: list[Seat], time: float) -> None:
    everyone = [seat.name for seat in seats]
    encoder = Encoder(everyone, time, [])
    for seat in seats:
        assert encoder.init(seat) == dumped(
            {"action": "init", "uid": seat.index, "names": everyone, "hand": listed(seat.hand), "time": time}
        )


@settings(max_examples=150)
@given(data=st.data(), seats=seats())
def test_play_and_pass_with_a_record_that_grows_between_messages(
    data: st.DataObject, seats: list[Seat]
) -> None:
    record: list[Entry] = []
    everyone = [seat.name for seat in seats]
    growing = Encoder(everyone, 10.0, record)
    entries = st.builds(Entry, st.sampled_from(everyone), statuses, st.integers(0, 3001), fields.map(tuple))
    for _ in range(data.draw(st.integers(1, 4))):
        record += data.draw(st.lists(entries, max_size=3))
        seat, field = data.draw(st.sampled_from(seats)), data.draw(fields)
        drawn = data.draw(st.lists(st.integers(0, 9), max_size=5))
        play = {
            "action": "play",
            "name": seat.name,
            "hand": listed(seat.hand),
            "numbers": field,
            "hands": [[other.name, other.size] for other in seats],
            "record": told(record),
        }
        notice = {"action": "pass", "name": seat.name, "draw": drawn, "record": told(record)}
        for encoder in (growing, Encoder(everyone, 10.0, list(record))):
            assert encoder.play(seat, field, seats) == dumped(play)
            assert encoder.pass_(seat, drawn) == dumped(notice)


def test_a_field_that_is_kept_and_then_changed_in_place_is_written_as_it_is() -> None:
    field = ["2"]
    seat = Seat(0, "A", [1] * 10)
    encoder = Encoder(["A", "B"], 10.0, [])
    assert b'"numbers": ["2"]' in encoder.play(seat, field, [seat])
    field.append("3")
    assert b'"numbers": ["2", "3"]' in encoder.play(seat, field, [seat])
    field.clear()
    assert b'"numbers": []' in encoder.play(seat, field, [seat])


def test_a_message_handed_out_does_not_change_when_the_record_grows() -> None:
    record = [Entry("A", "OK", 3, ())]
    seat = Seat(0, "A", [1] * 10)
    encoder = Encoder(["A", "B"], 10.0, record)
    first = encoder.play(seat, [], [seat])
    copy = bytes(first)
    record.append(Entry("A", "OK", 2, ("5",)))
    assert encoder.play(seat, ["5"], [seat]) != first
    assert first == copy


def test_the_time_is_written_as_it_was_given() -> None:
    seat = Seat(0, "A", [1] * 10)
    assert b'"time": 10.0}' in Encoder(["A"], 10.0, []).init(seat)
    assert b'"time": 10}' in Encoder(["A"], 10, []).init(seat)


@given(hand=hands)
def test_cards(hand: list[int]) -> None:
    assert b"[" + cards(hand) + b"]" == text(listed(hand))


def test_quit() -> None:
    assert dumped({"action": "quit"}) == QUIT
