"""One situation put to the referee: what can be played, or whether one play can.

Law: pure; a state is a hand and a field, as JSON gives them. What is wrong with the state is one ValueError that
names the place; what is wrong with the play is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pdcheck.referee.prime_daihinmin.plays import legal as legal_plays
from pdcheck.referee.prime_daihinmin.replies import Number, read_play_reply
from pdcheck.referee.prime_daihinmin.rules import RuleSet, judge
from pdcheck.referee.prime_daihinmin.table import counts

LISTED = 1000


def legal(state: Mapping[str, Any], play: Any, rules: RuleSet) -> Mapping[str, Any]:
    """`{"plays": […], "complete": …}` for a state `{"hand": …, "field": […]}`, or, with `play` (digits, cards, or a
    whole reply), `{"legal": …, …}` with the first requirement broken. Raises ValueError for a state that is none."""
    unknown = sorted(set(state) - {"hand", "field"})
    if unknown:
        raise ValueError(f"state: the keys are hand and field, not {unknown[0]}")
    if "hand" not in state:
        raise ValueError("state: the key hand is missing")
    hand = counts(_digits(state["hand"], "hand"))
    field = [
        _digits(number, f"field[{at}]") for at, number in enumerate(_list(state.get("field", []), "field"))
    ]
    if play is None:
        found, complete = legal_plays(hand, field, LISTED, rules)
        return {"plays": found, "complete": complete}
    return _judged(hand, field, play, rules)


def _judged(hand: tuple[int, ...], field: list[str], play: Any, rules: RuleSet) -> Mapping[str, Any]:
    if isinstance(play, Mapping):
        import json

        reply, flaws = read_play_reply(json.dumps(play).encode())
        if not isinstance(reply, Number):
            if not flaws:
                return {"legal": True, "outcome": "pass"}
            return {"legal": False} | flaws[0]._asdict()
        cards = list(reply.cards)
    else:
        cards = [int(digit) for digit in _digits(play, "play")]
    if not cards:
        raise ValueError("play: at least one card is expected")
    verdict = judge(hand, field, cards, rules)
    if verdict.violation is None:
        return {"legal": True, "outcome": verdict.status.lower(), "test": verdict.test}
    return {"legal": False, "test": verdict.test or None} | verdict.violation._asdict()


def _digits(value: Any, where: str) -> str:
    if isinstance(value, str) and (not value or (value.isascii() and value.isdigit())):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return str(value)
    if isinstance(value, list) and all(type(card) is int and 0 <= card <= 9 for card in value):
        return "".join(map(str, value))
    if isinstance(value, Mapping) and all(
        key in "0123456789" and len(key) == 1 and type(n) is int and n >= 0 for key, n in value.items()
    ):
        return "".join(key * n for key, n in value.items())
    raise ValueError(f"{where}: digits are expected: a string, a list of cards, or a count of each card")


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{where}: a list of numbers is expected")
    return value
