"""What the game says of its lines and its matches: what is due, what is meant as an answer, what is played again."""

from __future__ import annotations

import pytest
from pdcheck.referee.game import Over, Place
from pdcheck.referee.violations import Ruling
from pdcheck.scenarios.summary import Used
from pdcheck.scenarios.valtapeli.features import features
from pdcheck.scenarios.valtapeli.pack import PACK

MOVES = [f"{row} {column}\n".encode() for row in range(1, 17) for column in range(1, 17)]


@pytest.mark.parametrize(
    ("messages", "due"),
    [
        ([], 0),
        ([b"1\n"], 2),
        ([b"2\n"], 1),
        ([b"1\n", *MOVES[:3]], 5),
        ([b"2\n", *MOVES[:3]], 4),
        ([b"2\n1 1\n"], 2),
        ([b"1\n", b"1 ", b"1"], 2),
        ([b"1\n", *MOVES[:127]], 129),
        ([b"1\n", *MOVES[:128]], 129),
        ([b"2\n", *MOVES[:128]], 129),
    ],
)
def test_lines_that_are_due(messages: list[bytes], due: int) -> None:
    assert PACK.answers.due(messages) == due


def test_the_first_line_is_a_name_and_the_others_are_moves() -> None:
    meant = PACK.answers.meant
    assert [meant(line, 0) for line in (b"Tester", b"My Bot", b"1 1", b"")] == [True, False, False, False]
    assert all(meant(line, 1) for line in (b"1 16", b"0 99", b"8"))
    assert not any(meant(line, 1) for line in (b"Tester", b""))
    assert PACK.answers.message(b"1 1\n")
    assert not PACK.answers.message(b"1 ")


def test_its_last_move_is_a_feature_of_either_seat() -> None:
    assert features([b"1\n", *MOVES[:126]])["last_due"].greatest == 0
    assert features([b"1\n", *MOVES[:127]])["last_due"].greatest == 1
    assert features([b"2\n", *MOVES[:127]])["last_due"].greatest == 0
    assert features([b"2\n", *MOVES[:128]])["last_due"].greatest == 1
    assert features([b"1\n", *MOVES[:126]], gone=True)["last_due"].greatest == 1, (
        "it was not told the other's"
    )
    assert features([b"2\n", *MOVES[:126]], gone=True)["last_due"].greatest == 0
    assert features([b"2\n", *MOVES[:127]], gone=True)["last_due"].greatest == 1


def test_a_match_is_played_again_with_the_cells_that_the_other_took() -> None:
    assert PACK.rematch
    rulings = {
        0: [Ruling(0, "name", "Ann"), Ruling(0, "move", "1 1"), Ruling(0, "replaced", "1 2")],
        1: [Ruling(1, "move", "2 2")],
    }
    scenario = PACK.rematch(["Ann", "Bob"], 7, 1, rulings)
    assert (scenario.seat, scenario.names, scenario.others) == (1, ("Ann", "Bob"), {"script": ["1 1", "1 2"]})
    stage = PACK.stage(scenario, PACK.default_rules, None)
    assert (stage.seat, list(stage.game.names)) == (1, ["Ann", "Bob"])


def test_a_match_that_is_decided_is_told_with_its_board() -> None:
    rows = ["11" + "2" * 14, *["2" * 16] * 15]
    over = Over(
        "full",
        (Place(0, "Ann", 1, 4, "OK"), Place(1, "Bob", 1, 0, "STOPPED")),
        {"board": rows, "regions": [2, 1, 1]},
    )
    used = [Used(29.0, 1.0, 2.0), Used(30.0, 0.0, 0.5)]
    told = PACK.summary(over, used)
    assert list(told.aside) == ["stopped: Bob"]
    assert [line.split() for line in told.told[:2]] == [
        [str(n) for n in range(1, 17)],
        ["1", *"##" + "." * 14],
    ]
    assert list(told.told[-2:]) == ["regions: 3 (2, 2 of 1)", "score: Ann 4"]
    times = PACK.times(["Ann", "Bob"], used).told
    assert times[0] == "time: Ann 1.000 s of CPU, 2.000 s waited for"
