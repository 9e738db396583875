"""The packaged scenarios: each follows the schema, has really happened, and tells the truth."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import gmpy2  # type: ignore[import-untyped]
import pytest
import yaml
from pdcheck.referee.clock import Stamp
from pdcheck.referee.match import Match, Send
from pdcheck.referee.prime_daihinmin.codec import Encoder
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.rules import judge
from pdcheck.referee.prime_daihinmin.table import DECK, Table, counts
from pdcheck.scenarios.pack import Player
from pdcheck.scenarios.prime_daihinmin.players import Passer, Scripted, player
from pdcheck.scenarios.prime_daihinmin.positions import cards_of, others_of, seat_of, setup
from pdcheck.scenarios.scenario import dump_scenario, load_scenarios, read_scenarios
from pdcheck.schemas import explain

FOLDER = files("pdcheck.scenarios.prime_daihinmin")
FILES = sorted(file.name for file in FOLDER.iterdir() if file.name.endswith(".yaml"))
SCENARIOS = {scenario.name: scenario for scenario in load_scenarios(FOLDER.iterdir())}
BELPHEGOR = "1" + "0" * 13 + "666" + "0" * 13 + "1"


@cache
def opened(name: str) -> Table:
    """The table at the candidate's first turn. Shared: not to be played on."""
    scenario = SCENARIOS[name]
    position = setup(scenario)
    table = Table(position)
    for out in position.out:
        table.put_out(out, "out at the deal")
    table.open(position)
    assert table.next_turn() == seat_of(scenario)
    return table


@cache
def message(name: str) -> bytes:
    """The `play` message of the candidate's first turn."""
    scenario, table = SCENARIOS[name], opened(name)
    position = setup(scenario)
    encoder = Encoder(position.names, position.time, table.record)
    return encoder.play(table.seats[seat_of(scenario)], table.field, table.seats)


@pytest.mark.parametrize("file", FILES)
def test_a_file_follows_the_schema(file: str) -> None:
    document = yaml.safe_load(FOLDER.joinpath(file).read_text("utf-8"))
    assert explain("prime_daihinmin/scenario", document) == []


@pytest.mark.parametrize("file", FILES)
def test_a_file_is_about_its_section(file: str) -> None:
    if file == "basic.yaml":
        return
    words = file.removesuffix(".yaml").split("-")
    section = f"{words[0]}-{words[1]}".upper()
    for scenario in read_scenarios(FOLDER.joinpath(file).read_text("utf-8"), file):
        # A section's file may also hold the plays that only look like it (Belphegor with 25 zeros is PD-3.1).
        assert scenario.about.split("-")[0] == section.split("-")[0]
        assert scenario.about.split(".")[0] == section.split(".")[0] or section.startswith("JS")


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_has_really_happened(name: str) -> None:
    scenario, table = SCENARIOS[name], opened(name)
    seat = table.seats[seat_of(scenario)]
    assert tuple(seat.hand) == cards_of(scenario)
    assert not seat.out
    if scenario.field:
        assert tuple(table.field) == scenario.field
    assert all(entry.name != seat.name for entry in table.record[len(table.seats) :])
    told = json.loads(message(name))
    assert told["hands"] == [[s.name, s.size] for s in table.seats]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_cards_make_whole_decks_unless_the_stock_is_given(name: str) -> None:
    position = setup(SCENARIOS[name])
    if {"stock", "deck"} & set(SCENARIOS[name].others):
        return
    whole = [sum(cards) for cards in zip(*position.hands, counts(position.stock), strict=True)]
    assert whole == [count * (whole[1] // DECK[1]) for count in DECK]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_can_be_written_and_read_again(name: str) -> None:
    scenario = SCENARIOS[name]
    (back,) = read_scenarios(dump_scenario(scenario), "x.yaml")
    assert cards_of(back) == cards_of(scenario)
    assert replace(back, hand=scenario.hand) == scenario
    assert dump_scenario(back) == dump_scenario(scenario)


@pytest.mark.parametrize("name", SCENARIOS)
def test_why_is_one_line_that_ends(name: str) -> None:
    assert SCENARIOS[name].why.isprintable()
    assert SCENARIOS[name].why.endswith(".")


def arrangements(cards: Counter[str], length: int, number: str = "") -> Iterator[str]:
    """Every number of so many cards, each once."""
    if len(number) == length:
        yield number
        return
    for card in sorted(cards):
        if cards[card]:
            cards[card] -= 1
            yield from arrangements(cards, length, number + card)
            cards[card] += 1


def brute_force(hand: Sequence[int], field: Sequence[str]) -> list[str]:
    """PD-3 once more, by trying everything: independent of the referee."""
    cards = Counter({str(card): count for card, count in enumerate(hand) if count})
    lying = "".join(field)
    lengths = [len(lying)] if field else [1, 2, 3, 4, 5]
    found = [
        number
        for length in lengths
        if length <= cards.total()
        for number in arrangements(cards, length)
        if number[0] != "0"
        and int(number) > int(field[-1] if field else 1)
        and gmpy2.is_prime(int(number), 40)
    ]
    return found + [BELPHEGOR] * (Counter(BELPHEGOR) <= cards)


COMPLETE = [name for name, scenario in SCENARIOS.items() if scenario.expect.legal is not None]
TEMPTING = [name for name, scenario in SCENARIOS.items() if scenario.expect.tempting]


@pytest.mark.parametrize("name", COMPLETE)
def test_the_legal_plays_are_all_of_them(name: str) -> None:
    table = opened(name)
    hand = table.seats[seat_of(SCENARIOS[name])].hand
    assert sorted(brute_force(hand, table.field)) == sorted(SCENARIOS[name].expect.legal or ())
    for digits in SCENARIOS[name].expect.legal or ():
        assert judge(hand, table.field, [int(digit) for digit in digits]).violation is None


@pytest.mark.parametrize("name", TEMPTING)
def test_a_tempting_play_is_refused_for_what_it_says(name: str) -> None:
    table = opened(name)
    hand = table.seats[seat_of(SCENARIOS[name])].hand
    for play, breaks in SCENARIOS[name].expect.tempting:
        violation = judge(hand, table.field, [int(digit) for digit in play]).violation
        assert violation is not None
        assert violation.requirement == breaks, play


def test_every_requirement_that_a_scenario_can_show_has_several() -> None:
    about = Counter(scenario.about for scenario in SCENARIOS.values())
    breaks = Counter(tempting.breaks for s in SCENARIOS.values() for tempting in s.expect.tempting)
    for requirement in [*(f"PD-2.{n}" for n in range(1, 15)), *(f"PD-3.{n}" for n in range(1, 10))]:
        assert about[requirement] >= 1, requirement
    for requirement in ("IO-7", "IO-8", "IO-9", "IO-10", "IO-11", "JS-2", "JS-3", "JS-4", "JS-6"):
        assert about[requirement] >= 2, requirement
    for requirement in [f"PD-3.{n}" for n in range(1, 7)]:
        assert breaks[requirement] >= 3, requirement
    assert sum(len(s.expect.legal or ()) == 1 for s in SCENARIOS.values()) >= 20, "only one legal play"


def test_every_seat_and_number_of_seats_occurs() -> None:
    positions = [(len(setup(s).names), seat_of(s)) for s in SCENARIOS.values() if s.about == "PD-2.10"]
    assert {seats for seats, _ in positions} == set(range(2, 9))
    assert {seat for seats, seat in positions if seats == 8} == set(range(8))


@pytest.mark.parametrize("number", ["3", "7", "31", "127", "8191", "131071", "524287", "2147483647"])
def test_a_mersenne_prime_can_be_played_where_the_scenario_says(number: str) -> None:
    table = opened(f"mersenne-{number}")
    hand = table.seats[seat_of(SCENARIOS[f"mersenne-{number}"])].hand
    assert table.field
    assert judge(hand, table.field, [int(digit) for digit in number]).status == "MERSENNE"


@pytest.mark.parametrize(
    ("name", "playable"),
    [
        ("belphegor-wins", True),
        ("belphegor-with-26-zeros", True),
        ("belphegor-on-one-card", True),
        ("belphegor-on-four-cards", True),
        ("belphegor-on-a-wide-field", True),
        ("belphegor-with-27-zeros", True),
        ("belphegor-with-25-zeros", False),
        ("belphegor-with-two-sixes", False),
        ("belphegor-with-a-single-one", False),
    ],
)
def test_belphegor_can_be_played_or_not(name: str, playable: bool) -> None:
    table = opened(name)
    hand = table.seats[seat_of(SCENARIOS[name])].hand
    verdict = judge(hand, table.field, [int(digit) for digit in BELPHEGOR])
    assert (verdict.status == "BELPHEGOR") == playable


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("line-past-4096-bytes", 4_097, 4_200),
        ("line-past-8192-bytes", 8_193, 8_300),
        ("line-past-65536-bytes", 65_537, 65_640),
        ("a-long-line-in-pieces", 65_537, 70_000),
        ("line-of-256-kib", 262_044, 262_144),
        ("line-of-1-mib", 1_048_476, 1_048_576),
    ],
)
def test_a_long_line_is_as_long_as_it_says(name: str, least: int, most: int) -> None:
    """In bytes with the LF: just past a small buffer's end, or as near as can be below a limit of IO-7."""
    assert least <= len(message(name)) <= most
    assert json.loads(message(name))["numbers"] == ["2"]


def asked(name: str) -> list[dict[str, Any]]:
    """What a candidate that always passes is told, over the scenario's turns, among the others as cast."""
    scenario = SCENARIOS[name]
    others, seat = others_of(scenario), seat_of(scenario)
    players: dict[int, Player] = {other: Passer() for other in range(8)}
    players |= {other: player(house) for other, house in others.players.items()}
    players |= {other: Scripted(script) for other, script in others.script.items()}
    match = Match(PrimeDaihinmin(setup(scenario)))
    told: list[dict[str, Any]] = []
    events = deque(match.begin())
    while events and sum(said["action"] == "play" for said in told) < scenario.turns:
        event = events.popleft()
        if isinstance(event, Send):
            if event.seat == seat:
                told.append(json.loads(event.data))
            answer = players[event.seat].answer(event.data)
            assert answer is not None
            events.extend(match.sent(event.seat, Stamp(0.0)))
            events.extend(match.received(event.seat, answer, Stamp(0.0)))
    return told


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("field-emptied-by-passing", [["2"], ["5"]]),
        ("field-emptied-by-a-cut", [["2", "5"], ["2"]]),
        ("field-emptied-by-belphegor", [["11", "13"], ["2"]]),
        ("field-emptied-twice", [["2"], ["11"]]),
        ("the-drawn-cards-are-mine", [[], []]),
        ("three-passes-in-a-row", [[], [], [], []]),
        ("pass-into-the-end-of-the-stock", [[]]),
        ("pass-with-one-card-left-in-stock", [["5"]]),
        ("an-opponent-is-put-out-on-the-way", [[], [], []]),
    ],
)
def test_the_field_between_two_turns(name: str, fields: list[list[str]]) -> None:
    assert [said["numbers"] for said in asked(name) if said["action"] == "play"] == fields


@pytest.mark.parametrize(
    ("name", "lengths"),
    [
        ("numbers-of-640-digits", [5, 5, 10, 20, 40, 80, 160, 320, 640]),
        ("numbers-of-1280-digits", [5, 5, 10, 20, 40, 80, 160, 320, 640, 1280]),
    ],
)
def test_the_longest_numbers_really_come(name: str, lengths: list[int]) -> None:
    first, second = [said for said in asked(name) if said["action"] == "play"]
    assert [len(number) for number in first["numbers"]] == lengths[:7]
    assert [len(number) for number in second["numbers"]] == lengths


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("a-pass-draws-five", 5),
        ("a-pass-draws-four", 4),
        ("a-pass-draws-three", 3),
        ("a-pass-draws-one", 1),
        ("pass-with-one-card-left-in-stock", 1),
    ],
)
def test_so_many_cards_are_drawn(name: str, drawn: int) -> None:
    scenario = SCENARIOS[name]
    table = Table(setup(scenario))
    table.open(setup(scenario))
    assert table.next_turn() == seat_of(scenario)
    assert len(table.draw()) == drawn


def test_the_draw_that_comes_unsorted_does() -> None:
    told = asked("drawn-cards-come-unsorted")
    draws = [said["draw"] for said in told if said["action"] == "pass"]
    assert draws[0] == [9, 0, 9, 0, 7]
    assert told[-1]["hand"] == sorted([4, *draws[0], *draws[1]])


def test_an_opponent_that_cheats_leaves_no_trace_but_its_silence() -> None:
    plays = [said for said in asked("an-opponent-is-put-out-on-the-way") if said["action"] == "play"]
    moved = Counter(name for name, *_ in plays[-1]["record"][3:])
    assert (moved["A"], moved["B"], moved["C"]) == (2, 0, 2)
