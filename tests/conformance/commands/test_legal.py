"""`pdcheck legal`: what can be played, whether a play can, and what is wrong with the question."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Pdcheck = Callable[..., Any]
GAME = "prime-daihinmin"


def test_legal_lists_what_can_be_played(pdcheck: Pdcheck) -> None:
    status, out, err = pdcheck("legal", GAME, "--state", '{"hand": "0123", "field": ["2"]}')
    assert (status, err) == (0, "")
    assert json.loads(out) == {"plays": ["3"], "complete": True}


@pytest.mark.parametrize(
    ("state", "play", "status", "words"),
    [
        ({"hand": "0123", "field": ["2"]}, '"3"', 0, {"legal": True, "outcome": "mersenne"}),
        ({"hand": "0123", "field": ["2"]}, '"2"', 1, {"legal": False, "requirement": "PD-3.4"}),
        ({"hand": "0123", "field": ["2"]}, '"7"', 1, {"legal": False, "requirement": "PD-3.1"}),
        ({"hand": [1, 3]}, "[1, 3]", 0, {"legal": True, "outcome": "ok"}),
        ({"hand": {"1": 1, "3": 1}}, "13", 0, {"legal": True}),
        ({"hand": "13"}, '{"action": "number", "cards": [3, 1]}', 0, {"outcome": "mersenne"}),
        ({"hand": "13"}, '{"action": "number", "cards": ["3"]}', 1, {"requirement": "PD-2.4"}),
        ({"hand": "13"}, '{"action": "pass"}', 0, {"legal": True, "outcome": "pass"}),
        ({"hand": "13"}, '{"action": "Pass"}', 1, {"requirement": "PD-2.3"}),
    ],
)
def test_legal_judges_a_play(
    pdcheck: Pdcheck, tmp_path: Path, state: dict[str, Any], play: str, status: int, words: dict[str, Any]
) -> None:
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    for given in (json.dumps(state), str(file)):
        said = pdcheck("legal", GAME, "--state", given, "--play", play)
        assert (said.status, said.err) == (status, "")
        assert words.items() <= json.loads(said.out).items()


def test_legal_goes_by_the_rule_set(pdcheck: Pdcheck) -> None:
    question = ("legal", GAME, "--state", '{"hand": "007"}', "--play", '"007"')
    assert pdcheck(*question).status == 1
    assert pdcheck(*question, "--rules", "v0.11a").status == 0


@pytest.mark.parametrize(
    ("state", "play"),
    [
        ("{", None),
        ("{}", None),
        ('{"hand": "12x"}', None),
        ('{"hand": "12", "fild": []}', None),
        ('{"hand": "12", "field": "5"}', None),
        ('{"hand": "12", "field": [null]}', None),
        ('{"hand": true}', None),
        ('{"hand": {"x": 1}}', None),
        ("none.json", None),
        (".", None),
        ('{"hand": "12"}', "{"),
        ('{"hand": "12"}', '""'),
        ('{"hand": "12"}', "null"),
        ('{"hand": "12"}', "1.5"),
        ('{"hand": ' + "[" * 100_000, None),
    ],
    ids=lambda text: (text or "")[:30],
)
def test_legal_says_what_is_wrong_with_the_question(pdcheck: Pdcheck, state: str, play: str | None) -> None:
    more = [] if play is None else ["--play", play]
    status, out, err = pdcheck("legal", GAME, "--state", state, *more)
    assert (status, out) == (2, "")
    assert re.fullmatch(r"pdcheck: [^\n]+\n", err), err[:300]


def test_a_file_that_is_wrong_is_named(pdcheck: Pdcheck, tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    for text, told in (
        ('{"moves": ["5 5", "5 5"]}', "move 2"),
        ('{"moves": [\n', "not JSON"),
        ("[]", "a JSON object is expected"),
        ('{"moves": ' + "9" * 5000 + "}", "more digits than can be read"),
    ):
        file.write_text(text)
        status, out, err = pdcheck("legal", "valtapeli", "--state", file)
        assert (status, out) == (2, "")
        assert err.startswith(f"pdcheck: {file}: ")
        assert told in err, err
