"""The messages and replies of Prime Daihinmin: what is none."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pdcheck.schemas import explain, load

GAME = "prime_daihinmin"
MESSAGES = ["message_init", "message_play", "message_pass", "message_quit"]
REPLIES = ["reply_number", "reply_pass"]


def at(value: Any, path: tuple[str | int, ...], put: Any) -> Any:
    """A copy of `value` with `put` at `path`."""
    made = copy.deepcopy(value)
    here = made
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = put
    return made


class TestPrimeDaihinmin:
    @pytest.mark.parametrize("name", MESSAGES + REPLIES)
    def test_no_key_beyond_the_protocols(self, name: str) -> None:
        for example in load(f"{GAME}/{name}")["examples"]:
            [complaint] = explain(f"{GAME}/{name}", {**example, "more": 1})
            assert complaint.actual == "also the key more"

    @pytest.mark.parametrize("name", MESSAGES + REPLIES)
    def test_no_example_is_another_message(self, name: str) -> None:
        for other in set(MESSAGES + REPLIES) - {name}:
            for example in load(f"{GAME}/{other}")["examples"]:
                assert explain(f"{GAME}/{name}", example)

    @pytest.mark.parametrize(
        "entry",
        [
            [],
            ["A", "OK", 1],
            ["A", "OK", 1, [], 1],
            ["A", "ok", 1, []],
            ["A", "OK ", 1, []],
            ["A", "ERRORS", 1, []],
            ["A", "OK", -1, []],
            ["A", "OK", 1.0, []],
            ["A", "OK", 1, ["05"]],
            ["A", "OK", 1, [5]],
            ["A", "OK", 1, ["0"]],
            ["", "OK", 1, []],
            {"name": "A"},
        ],
    )
    def test_what_is_no_record_entry(self, entry: object) -> None:
        assert explain(f"{GAME}/record_entry", entry)

    @pytest.mark.parametrize(
        "status", ["OK", "PASSED", "MERSENNE", "BELPHEGOR", "ERROR", "ERROR:out of time"]
    )
    def test_each_status(self, status: str) -> None:
        assert explain(f"{GAME}/record_entry", ["A", status, 0, []]) == []

    @pytest.mark.parametrize(
        ("path", "put"),
        [
            (("uid",), 8),
            (("uid",), -1),
            (("names",), ["A"]),
            (("names",), list("ABCDEFGHI")),
            (("hand",), []),
            (("hand",), "123"),
        ],
    )
    def test_what_is_no_init(self, path: tuple[str | int, ...], put: object) -> None:
        good = load(f"{GAME}/message_init")["examples"][0]
        assert [c.path for c in explain(f"{GAME}/message_init", at(good, path, put))] == [path[0]]

    @pytest.mark.parametrize("draw", [[], [1, 2, 3, 4, 5, 6], [10], ["1"]])
    def test_what_is_no_draw(self, draw: object) -> None:
        good = load(f"{GAME}/message_pass")["examples"][0]
        assert explain(f"{GAME}/message_pass", {**good, "draw": draw})

    @pytest.mark.parametrize(
        "hands", [[["A", 1]], [["A", 1], ["B"]], [["A", 1], ["B", 1, 1]], [["A", 1], ["B", 1.0]]]
    )
    def test_what_is_no_list_of_hands(self, hands: object) -> None:
        good = load(f"{GAME}/message_play")["examples"][0]
        assert explain(f"{GAME}/message_play", {**good, "hands": hands})

    def test_large_messages(self) -> None:
        play = load(f"{GAME}/message_play")["examples"][0]
        large = {**play, "hand": [0] * 1200, "numbers": ["9" * 1280], "record": play["record"] * 200}
        assert explain(f"{GAME}/message_play", large) == []
