"""Prime Daihinmin step by step: hands and field of the view are those of the referee's own table."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from pdcheck.referee.game import Answer, Ask, Over
from pdcheck.referee.prime_daihinmin.flow import PrimeDaihinmin
from pdcheck.referee.prime_daihinmin.table import deal
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.pack import Player
from pdcheck.scenarios.prime_daihinmin import players
from pdcheck.scenarios.prime_daihinmin.viewer import view
from pdcheck.scenarios.view import Moment, Told, picture, telling
from pdcheck.schemas import explain

NAMES = ("A", "B", "C")


def message(**keys: Any) -> bytes:
    return json.dumps(keys).encode() + b"\n"


def texts(found: Any, at: int, row: str) -> list[str]:
    return [chip.text for chip in picture(found, at).rows.get(row, ())]


def test_a_turn_is_shown_with_hand_and_field() -> None:
    sizes = [["A", 3], ["B", 4], ["C", 9]]
    happened: list[Moment] = [
        Told(1, message(action="init", uid=1, names=NAMES, hand=[2, 2, 5, 7], time=10)),
        Ruling(1, "init"),
        Ruling(0, "ok", "13"),
        Told(1, message(action="play", name="B", hand=[2, 2, 5, 7], numbers=["13"], hands=sizes, record=[])),
        Ruling(1, "out", "22", violation=Violation("PD-3.5", "a prime", "22 = 2 · 11")),
        Ruling(2, "ok", "17"),
    ]
    found = view(happened, NAMES, 1)
    assert found is not None
    assert explain("view", found) == []
    captions = [step["caption"] for step in found["steps"]]
    assert captions == ["B is dealt 4 cards", "A plays 13", "B is to play", "B is out for 22", "C plays 17"]
    at = telling(found, "PD-3.5")
    assert captions[at] == "B is out for 22"
    assert texts(found, at, "hand1") == ["2×2", "5×1", "7×1"]
    assert texts(found, at, "field") == ["13"]
    assert texts(found, at, "play") == ["22"]
    assert texts(found, at, "sizes") == ["A: 3", "B: 4", "C: 9"]
    assert texts(found, len(captions) - 1, "field") == ["13", "17"]
    assert texts(found, len(captions) - 1, "sizes") == ["A: 3", "B: 4", "C: 7"]


def test_who_plays_twice_running_has_an_empty_field_between() -> None:
    happened: list[Moment] = [Ruling(0, "ok", "5"), Ruling(1, "pass", "12345"), Ruling(0, "ok", "11")]
    found = view(happened, NAMES[:2], 0)
    assert found is not None
    assert texts(found, 2, "field") == ["11"]


def test_cards_drawn_join_the_hand() -> None:
    happened: list[Moment] = [
        Told(0, message(action="init", hand=[1, 3])),
        Told(0, message(action="pass", name="A", draw=[3, 3, 9], record=[])),
        Ruling(0, "pass", "339"),
    ]
    found = view(happened, NAMES, 0)
    assert found is not None
    assert texts(found, 2, "hand0") == ["1×1", "3×3", "9×1"]
    assert found["steps"][2]["caption"] == "A passes and draws 3 3 9"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\n",
        b"[]\n",
        b'{"action": "play"}\n',
        b'{"action": ["play"]}\n',
        b'{"action": "init", "hand": 7}\n',
        b"[" * 9_999,
        message(action="play", hand=[{}], numbers=[[]], hands=[["A"], 7, ["B", "x"]]),
    ],
    ids=range(8),
)
def test_a_message_that_is_none_does_no_harm(data: bytes) -> None:
    found = view([Told(0, data), Ruling(0, "ok", "2")], NAMES, 0)
    assert found is not None
    assert explain("view", found) == []


def test_a_whole_match_shows_what_the_referee_holds() -> None:
    """Each time a seat is asked, its hand in the view is the one on the referee's own table."""
    game = PrimeDaihinmin(deal(NAMES, 5, hand_cards=40))
    seats: list[Player] = [players.player(name, at) for at, name in enumerate(("steady", "cutter", "steady"))]
    happened: list[Moment] = []
    hands: list[tuple[int, Counter[int]]] = []

    def told(ask: Ask) -> Answer:
        happened.append(Told(ask.seat, ask.message))
        said = seats[ask.seat].answer(ask.message)
        assert said is not None
        return Answer(said.rstrip(b"\n"))

    course = game.course()
    step: Any = next(course)
    while not isinstance(step, Over):
        answer: Any = None
        if isinstance(step, Ask):
            if step.kind == "play":
                hands.append((step.seat, +Counter(dict(enumerate(game.table.seats[step.seat].hand)))))
            answer = told(step)
        else:
            assert isinstance(step, Ruling)
            happened.append(step)
        step = course.send(answer)
    found = view(happened, NAMES, 0)
    assert found is not None
    assert explain("view", found) == []
    asked = [at for at, step in enumerate(found["steps"]) if "is to play" in step["caption"]]
    assert len(asked) == len(hands) > 20
    for at, (seat, hand) in zip(asked, hands, strict=True):
        shown = {int(card): int(n) for card, n in (t.split("×") for t in texts(found, at, f"hand{seat}"))}
        assert shown == hand
        assert texts(found, at, "sizes")[seat] == f"{NAMES[seat]}: {hand.total()}"
