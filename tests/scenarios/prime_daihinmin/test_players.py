"""House players: their characters, and that every one of them is quick, repeatable and minds the protocol."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from pdcheck.referee.clock import Stamp
from pdcheck.referee.game import Over
from pdcheck.referee.match import Match, Send
from pdcheck.referee.prime_daihinmin.codec import Encoder
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS, PUBLISHED, V0_11A, RuleSet, judge
from pdcheck.referee.prime_daihinmin.table import Entry, Seat, counts, deal
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.pack import Player
from pdcheck.scenarios.prime_daihinmin.players import (
    LEGAL_PLAYERS,
    MERSENNE_DIGITS,
    PLAYERS,
    Scripted,
    digits_reply,
    player,
    read,
)

INIT = b'{"action": "init", "uid": 0, "names": ["A", "B"], "hand": [2, 3], "time": 10.0}\n'
NOTICE = b'{"action": "pass", "name": "A", "draw": [1, 2, 3, 4, 5], "record": [["A", "OK", 2, []]]}\n'
QUIT = b'{"action": "quit"}\n'
UNKNOWN = b'{"action": "hello"}\n'


def play_message(hand: str, field: Sequence[str] = (), record: Sequence[Entry] = ()) -> bytes:
    seat = Seat(0, "A", counts(hand))
    return bytes(Encoder(["A", "B"], 10.0, record).play(seat, field, [seat, Seat(1, "B", counts("1"))]))


def digits_of(answer: bytes | None) -> str:
    """The digits an answer plays, "" for a pass."""
    assert answer is not None
    reply = json.loads(answer)
    return "" if reply["action"] == "pass" else "".join(map(str, reply["cards"]))


def choice(house: Player, hand: str, field: Sequence[str] = ()) -> str:
    return digits_of(house.answer(play_message(hand, field)))


class Played(NamedTuple):
    sent: list[Any]
    over: Over
    outs: list[tuple[int, str]]


def match(names: Sequence[str], seed: int, rules: RuleSet = PUBLISHED) -> Played:
    """A whole match of house players. Each answer takes a tenth of a millisecond; silence, eleven seconds."""
    game = PrimeDaihinmin(deal([f"{name}-{seat}" for seat, name in enumerate(names)], seed), rules)
    house = [player(name, seed) for name in names]
    played = Match(game)
    events, sent, outs, now = deque(played.begin()), [], [], 0.0
    while events:
        event = events.popleft()
        if isinstance(event, Ruling) and event.violation:
            outs.append((event.seat, event.violation.requirement))
        if not isinstance(event, Send):
            continue
        events.extend(played.sent(event.seat, Stamp(now)))
        answer = house[event.seat].answer(bytes(event.data))
        sent.append((bytes(event.data), answer))
        now += 11.0 if answer is None else 0.0001
        late = played.tick(event.seat, Stamp(now)) if answer is None else []
        events.extend(late if answer is None else played.received(event.seat, answer, Stamp(now)))
    assert played.done
    assert played.over is not None
    return Played(sent, played.over, outs)


# --- the protocol -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in PLAYERS if name not in ("dead", "dozer")])
def test_every_notice_gets_an_empty_line(name: str) -> None:
    house = player(name)
    assert [house.answer(message) for message in (INIT, NOTICE, QUIT, UNKNOWN)] == [b"\n"] * 4


@pytest.mark.parametrize("name", LEGAL_PLAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_whole_matches_beside_the_others_without_a_violation(name: str, seed: int) -> None:
    seats = [name, *[other for other in LEGAL_PLAYERS if other != name][: 1 + seed], name]
    played = match(seats, seed)
    assert played.outs == []
    assert played.over.reason in ("winner", "stock")


@pytest.mark.parametrize("name", PLAYERS)
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    assert match([name, "chaos", "greedy"], 5) == match([name, "chaos", "greedy"], 5)


def test_another_seed_gives_another_chaos() -> None:
    hand = "0123456789" * 19
    answers = [[player("chaos", seed).answer(play_message(hand)) for _ in range(3)] for seed in range(8)]
    assert len({tuple(some) for some in answers}) > 4
    chaos, again = player("chaos", 3), player("chaos", 3)
    assert [choice(chaos, hand) for _ in range(9)] == [choice(again, hand) for _ in range(9)]


def test_an_unknown_name_raises_and_lists_the_known() -> None:
    with pytest.raises(KeyError, match=r"no house player 'steadfast'; there are: steady, greedy, cutter"):
        player("steadfast")


def test_the_record_is_not_read() -> None:
    odd = 'B", "record": '
    seat = Seat(0, "A", counts("25"))
    record = [Entry(odd, "OK", 3, ("5",))] * 3
    message = bytes(Encoder(["A", odd], 10.0, record).play(seat, [], [seat, Seat(1, odd, counts("1"))]))
    whole = json.loads(message)
    assert len(whole.pop("record")) == 3
    assert read(message) == whole
    cut = message[: message.index(b', "record": ')] + b', "record": [not even JSON]}\n'
    assert digits_of(player("steady").answer(cut)) == "2"
    with pytest.raises(json.JSONDecodeError):
        json.loads(cut)


@pytest.mark.parametrize("name", LEGAL_PLAYERS)
def test_nobody_thinks_about_a_field_that_is_too_long(name: str) -> None:
    assert choice(player(name, 1), "1379" * 100, ["3" * 31, "7" * 31]) == ""


# --- the characters -----------------------------------------------------------------------------------------


def test_digits_reply() -> None:
    assert digits_reply("103") == b'{"action": "number", "cards": [1, 0, 3]}\n'
    assert digits_reply("") == b'{"action": "pass"}\n'


@pytest.mark.parametrize(
    ("hand", "field", "expected"),
    [
        ("2357", [], "2"),
        ("2357", ["3"], "5"),
        ("2357", ["7"], ""),
        ("1234567890", ["2", "5", "13"], "1039"),
        ("4688", [], ""),
        (BELPHEGOR_DIGITS, ["9"], BELPHEGOR_DIGITS),
        (BELPHEGOR_DIGITS + "2", [], "2"),
    ],
)
def test_steady_plays_the_smallest(hand: str, field: list[str], expected: str) -> None:
    assert choice(player("steady"), hand, field) == expected


@pytest.mark.parametrize(
    ("hand", "field", "expected"),
    [
        ("1278931", [], "8191"),
        ("127", [], "127"),
        ("2378", ["2"], "7"),
        ("258", ["2"], "5"),
        ("13", ["2", "5"], "31"),
        ("13", ["37"], ""),
        ("2147483647", ["10007", "10009"], "2147483647"),
        (BELPHEGOR_DIGITS + "8191", ["5"], BELPHEGOR_DIGITS),
    ],
)
def test_cutter_cuts_when_it_can(hand: str, field: list[str], expected: str) -> None:
    assert choice(player("cutter"), hand, field) == expected


def test_the_cutters_list_is_the_mersenne_primes_that_can_occur() -> None:
    lengths = {lead * 2**doubled for lead in range(1, 6) for doubled in range(9)}
    mersenne = [str(2**p - 1) for p in (2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127)]
    assert sorted(MERSENNE_DIGITS, key=int) == [digits for digits in mersenne if len(digits) in lengths]


def test_greedy_leads_with_five_cards_and_prefers_the_awkward_ones() -> None:
    led = choice(player("greedy"), "0123456789" * 5)
    assert len(led) == 5
    assert sum(digit in "024568" for digit in led) == 4
    assert choice(player("greedy"), "2") == "2"
    assert choice(player("greedy"), "89") == "89"
    assert choice(player("greedy"), BELPHEGOR_DIGITS + "2", ["5"]) == BELPHEGOR_DIGITS
    assert choice(player("greedy"), "1379", ["97"]) == ""
    assert len(choice(player("greedy"), "0123456789" * 5, ["10007", "10009"])) == 10


def test_passer_passes() -> None:
    assert choice(player("passer"), "2357") == ""


def test_scripted_keeps_a_play_until_it_is_legal() -> None:
    house = Scripted(["5", "", "7"])
    assert [
        choice(house, "579", ["7"]),  # too small: keeps the 5
        choice(house, "579", ["3"]),
        choice(house, "79", []),  # the scripted pass
        choice(house, "79", ["11"]),  # another count
        choice(house, "79", []),
        choice(house, "9", []),  # the end of the list
    ] == ["", "5", "", "", "7", ""]


def test_scripted_goes_by_the_rules_it_is_given() -> None:
    assert choice(Scripted(["05"]), "05") == ""
    assert choice(Scripted(["05"], V0_11A), "05") == "05"


# --- those that get themselves out --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "requirement"),
    [
        ("cheat-composite", "PD-3.5"),
        ("cheat-hand", "PD-3.1"),
        ("cheat-count", "PD-3.2"),
        ("cheat-zero", "PD-3.6"),
        ("mute", "PD-5.1"),
        ("late-mute", "PD-5.1"),
        ("dozer", "PD-5.1"),
        ("dead", "IO-1"),
        ("late-dead", "IO-1"),
        ("babbler", "JS-1"),
        ("shrugger", "PD-2.3"),
    ],
)
@pytest.mark.parametrize("seed", [1, 4])
def test_each_is_put_out_for_what_it_is_named_after(name: str, requirement: str, seed: int) -> None:
    played = match([name, "steady", "greedy"], seed)
    assert played.outs == [(0, requirement)]
    assert played.over.reason == "winner"
    assert played.over.places[0].score == 3001


def test_every_player_is_either_legal_or_gets_itself_out() -> None:
    for name in PLAYERS:
        assert bool(match([name, "steady", "steady"], 2).outs) is (name not in LEGAL_PLAYERS)


@pytest.mark.parametrize(("name", "plays"), [("mute", 0), ("late-mute", 3), ("late-dead", 0), ("dead", None)])
def test_when_it_goes_quiet(name: str, plays: int | None) -> None:
    house = player(name)
    assert house.answer(INIT) == (b"" if plays is None else b"\n")
    answers = [house.answer(play_message("2357")) for _ in range((plays or 0) + 1)]
    if plays is not None:
        assert all(answers[:plays])
        assert answers[plays] == (None if "mute" in name else b"")


def test_the_dozer_plays_on_in_the_control_program_until_its_next_turn() -> None:
    played = match(["dozer", "steady", "greedy"], 1, V0_11A)
    assert played.outs == [(0, "PD-5.1")]
    statuses = [json.loads(data)["record"] for data, _ in played.sent if b'"action": "play"' in data][-1]
    assert ["dozer-0", "PASSED"] in [entry[:2] for entry in statuses]


@pytest.mark.parametrize("field", [[], ["2"], ["11"], ["2", "5"], ["10007", "10009"]], ids=str)
def test_the_composite_is_wrong_in_nothing_else(field: list[str]) -> None:
    hand = "0123456789" * 3
    digits = choice(player("cheat-composite"), hand, field)
    violation = judge(counts(hand), field, [int(digit) for digit in digits]).violation
    assert violation is not None
    assert violation.requirement == "PD-3.5"


def test_a_cheat_without_a_chance_plays_on() -> None:
    assert choice(player("cheat-composite"), "7", ["5"]) == "7"
    assert choice(player("cheat-count"), "2", ["3"]) == ""
    assert choice(player("cheat-zero"), "2", []) == "2"


def test_the_shrugger_shrugs_once() -> None:
    house = player("shrugger")
    assert house.answer(play_message("2357")) == b'{"action": "shrug"}\n'
    assert choice(house, "2357") == "2"
