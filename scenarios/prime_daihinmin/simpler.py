"""Prime Daihinmin: ever simpler scenarios to try in place of one that fails.

Law: pure. `simpler` yields a scenario to try and is sent what the bot was sent in it up to its failure, or None where
it does not fail in the same way; what was taken is where the next step goes on from, the most drastic step first.
Not every scenario tried can be: whoever plays them leaves out what `positions.setup` refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import gmpy2  # type: ignore[import-untyped]
from pdcheck.referee.prime_daihinmin.rules import LEAD_CARDS, field_count
from pdcheck.referee.prime_daihinmin.table import DECK, SEATS
from pdcheck.referee.primes import is_mersenne_prime
from pdcheck.scenarios.prime_daihinmin.positions import cards_of, seat_of
from pdcheck.scenarios.scenario import Scenario, ScenarioError

Messages = Sequence[bytes]
"""What the bot was sent, up to its failure."""
Step = Generator[Scenario, Messages | None, None]
FEW_TURNS = 5
"""In more turns than that a derived stock could run out: the whole deck is in play then."""
WHOLE_DECK = {str(card): count for card, count in enumerate(DECK)}
_KEPT = frozenset(
    ["game", "name", "about", "why", "blame", "rules", "turns", "seats", "seat", "hand", "field"]
)
"""Fields that have steps of their own, or say what the scenario is."""


@dataclass
class _Now:
    """The simplest scenario so far that still fails, and what the bot was sent in it."""

    scenario: Scenario
    messages: Messages

    def attempt(self, **changes: Any) -> Generator[Scenario, Messages | None, bool]:
        """Try the scenario with these changes; whether it was taken."""
        tried = replace(self.scenario, **changes)
        if tried == self.scenario:
            return True
        sent = yield tried
        if sent is None:
            return False
        self.scenario, self.messages = tried, sent
        return True


def simpler(scenario: Scenario, messages: Messages) -> Step:
    """Scenarios to try, the most drastic first; see the module's law. `messages` are those of the failure known."""
    now = _Now(scenario, messages)
    if scenario.turns != 1:
        yield from _to_states(now)
    for step in _STEPS:
        try:
            yield from step(now)
        except ScenarioError:  # what is set cannot even be read: nothing to make simpler of it
            return


# A match: one state of it, or a few turns ----------------------------------------------------------------------


def _to_states(now: _Now) -> Step:
    """The position before the failure as a state; else the last 2, 4, 8… turns from such a position; else, where the
    match was dealt from a seed, its beginning only."""
    plays = _plays(now.messages)
    whole = now.scenario
    for turns in _doubling(len(plays)):
        for state in _positions(whole, plays[-turns], turns):
            if (yield from now.attempt(**state)):
                return
    if not plays:
        yield from now.attempt(others={}, turns=1, seats=None, seat=None, names=(), hand=None, field=())
    if now.scenario == whole and (not whole.turns or len(plays) < whole.turns):
        yield from now.attempt(turns=max(1, len(plays)))


def _positions(whole: Scenario, play: Mapping[str, Any], turns: int) -> Iterator[dict[str, Any]]:
    """The fields of a state like the one that a `play` message shows; as plain as it can be, then less so."""
    numbers = tuple(play["numbers"])
    if len(numbers) > SEATS.stop - 2:
        return
    seats = len(play["hands"])
    plain = {
        "hand": "".join(map(str, sorted(play["hand"]))),
        "field": numbers,
        "others": {"deck": WHOLE_DECK} if turns > FEW_TURNS else {},
        "turns": turns,
        "seat": len(numbers),
        "seats": max(SEATS.start, len(numbers) + 1),
        "names": (),
        "time": None,
    }
    yield plain
    if seats > len(numbers):
        names = tuple(name for name, _ in play["hands"])
        yield {**plain, "seats": seats, "names": names, "time": whole.time}


def _plays(messages: Messages) -> list[Mapping[str, Any]]:
    """The `play` messages among what the bot was sent, read; half a line at the end is none."""
    found = []
    for line in b"".join(messages).split(b"\n"):
        try:
            message = json.loads(line)
            if message["action"] == "play" and message["hand"] and "numbers" in message and message["hands"]:
                found.append(message)
        except (ValueError, TypeError, LookupError, RecursionError):
            continue
    return found


def _doubling(most: int) -> list[int]:
    steps = [1 << power for power in range(most.bit_length()) if 1 << power < most]
    return [*steps, most] if most else []


# What surrounds a state -----------------------------------------------------------------------------------------


def _bare(now: _Now) -> Step:
    """Everything at once: a hand on an empty field, then a hand and a field, nothing else set."""
    scenario = now.scenario
    plain = {f.name: _usual(f) for f in fields(Scenario) if f.name not in _KEPT}
    if "deal" in scenario.others:
        return
    if not (yield from now.attempt(**plain, field=(), seats=SEATS.start, seat=0)):
        seat = len(scenario.field)
        yield from now.attempt(**plain, seats=max(SEATS.start, seat + 1), seat=seat)


def _usual(field: Any) -> Any:
    return field.default_factory() if callable(field.default_factory) else field.default


def _surroundings(now: _Now) -> Step:
    """One thing after another: names, time, spelling, delivery, each key of `others`."""
    usual = {f.name: _usual(f) for f in fields(Scenario)}
    for name in ("names", "time", "style", "deliver", "interject", "ending", "expect"):
        yield from now.attempt(**{name: usual[name]})
    for key in tuple(now.scenario.others):
        yield from now.attempt(others={k: v for k, v in now.scenario.others.items() if k != key})


def _turns(now: _Now) -> Step:
    """The fewest turns in which it fails."""
    turns = now.scenario.turns or len(_plays(now.messages)) or 1
    yield from _least(1, turns, lambda number: now.attempt(turns=number))


def _seats(now: _Now) -> Step:
    """Fewer seats: only what lays the field, then one after another taken away."""
    field = now.scenario.field
    if "deal" not in now.scenario.others and "before" not in now.scenario.others:
        yield from now.attempt(seats=max(SEATS.start, len(field) + 1), seat=len(field), others={}, names=())
    for seat in reversed(range(_seat_count(now.scenario))):
        fewer = _without_seat(now.scenario, seat)
        if fewer is not None:
            yield from now.attempt(**fewer)


def _seat_count(scenario: Scenario) -> int:
    return scenario.seats or len(scenario.names) or 0


def _without_seat(scenario: Scenario, gone: int) -> dict[str, Any] | None:
    """The scenario without another seat, those after it moved up; None where that cannot be."""
    seats, seat = _seat_count(scenario), seat_of(scenario)
    if gone == seat or seats <= SEATS.start:
        return None
    others: dict[str, Any] = {}
    for key, value in scenario.others.items():
        if key in ("hands", "players", "script"):
            others[key] = {str(_moved(int(s), gone)): part for s, part in value.items() if int(s) != gone}
        elif key == "out":
            others[key] = [_moved(s, gone) for s in value if s != gone]
        elif key == "before":
            others[key] = [[_moved(s, gone), *rest] for s, *rest in value if s != gone]
        else:
            others[key] = value
    names = tuple(name for at, name in enumerate(scenario.names) if at != gone)
    field = () if "before" in others else scenario.field
    return {"seats": seats - 1, "seat": _moved(seat, gone), "names": names, "others": others, "field": field}


def _moved(seat: int, gone: int) -> int:
    return seat - (seat > gone)


def _earlier(now: _Now) -> Step:
    """What the seats before did: without each action, as often as needed, and each player a plain one."""
    for at in reversed(range(len(now.scenario.others.get("before", ())))):
        before = list(now.scenario.others["before"])
        others = now.scenario.others
        yield from now.attempt(others={**others, "before": before[:at] + before[at + 1 :]}, field=())
    for kind in ("players", "hands", "script"):
        for seat in tuple(now.scenario.others.get(kind, ())):
            left = {s: part for s, part in now.scenario.others[kind].items() if s != seat}
            yield from now.attempt(others={**now.scenario.others, kind: left})


# The field ------------------------------------------------------------------------------------------------------


def _field(now: _Now) -> Step:
    """The field with the fewest cards, laid by the fewest seats, of the plainest numbers."""
    others = now.scenario.others
    if not now.scenario.field or {"deal", "before"} & others.keys():
        return
    size, laid = field_count(now.scenario.field), len(now.scenario.field)
    shapes = [
        (count, lead) for count in range(laid + 1) for lead in range(1, LEAD_CARDS + 1) if count or lead == 1
    ]
    shapes = [shape for shape in shapes if (_cards(*shape), shape[0]) < (size, laid)]
    shapes.sort(key=lambda shape: (_cards(*shape), shape[0]))

    def attempt(at: int) -> Generator[Scenario, Messages | None, bool]:
        count, lead = shapes[at]
        for last in dict.fromkeys((_chain(count, lead, high=False), _chain(count, lead, high=True))):
            # Without the seats that laid the rest; else in the same seats, where names or their number matter.
            if (yield from now.attempt(**_laid(last))) or (yield from now.attempt(field=last)):
                return True
        return False

    if shapes:
        yield from _least(0, len(shapes), lambda at: attempt(at) if at < len(shapes) else _known())
    field = now.scenario.field
    plainer = _chain(len(field), len(field[0]) if field else 1, high=False)
    if field_count(plainer) == field_count(field):
        yield from now.attempt(field=plainer)


def _laid(field: tuple[str, ...]) -> dict[str, Any]:
    return {
        "field": field,
        "seat": len(field),
        "seats": max(SEATS.start, len(field) + 1),
        "others": {},
        "names": (),
    }


def _cards(count: int, lead: int) -> int:
    """The cards on a field of so many numbers: each has as many as all before it together."""
    return lead << (count - 1) if count else 0


@cache
def _chain(count: int, lead: int, *, high: bool) -> tuple[str, ...]:
    """A field of `count` numbers, the first of `lead` cards, that can be laid: the least primes, or (`high`) the last
    one as great as it can be."""
    field: list[str] = []
    for at in range(count):
        size = field_count(field) or lead
        start = int(field[-1]) + 1 if field and len(field[-1]) == size else 10 ** (size - 1)
        number = _prime(start, 1)
        if high and at == count - 1:
            number = _prime(10**size - 1, -1)
        field.append(str(number))
    return tuple(field)


def _prime(start: int, way: int) -> int:
    """The nearest prime from `start` on that stays on the field: one that does not clear it."""
    number = start
    while not gmpy2.is_prime(number) or is_mersenne_prime(number):
        number += way
    return number


# The hand -------------------------------------------------------------------------------------------------------


def _hand(now: _Now) -> Step:
    """Fewer kinds of cards, by halves and then one by one; fewer of each; all of one kind."""
    if "deal" in now.scenario.others:
        return
    size = 8
    while size := size // 2:
        kinds = [card for card, count in enumerate(cards_of(now.scenario)) if count]
        for at in range(0, len(kinds), size):
            hand = cards_of(now.scenario)
            fewer = [0 if card in kinds[at : at + size] else count for card, count in enumerate(hand)]
            yield from now.attempt(hand=_written(fewer))
    hand = cards_of(now.scenario)
    for card in (1, *range(10)):
        if sum(1 for count in cards_of(now.scenario) if count) > 1:
            yield from now.attempt(hand=_written([sum(hand) if card == kind else 0 for kind in range(10)]))
    for card in range(10):
        count = cards_of(now.scenario)[card]
        yield from _least(0, count, lambda number, card=card: _with(now, card, number))  # type: ignore[misc]


def _with(now: _Now, card: int, number: int) -> Generator[Scenario, Messages | None, bool]:
    hand = list(cards_of(now.scenario))
    hand[card] = number
    return (yield from now.attempt(hand=_written(hand)))


def _written(hand: Sequence[int]) -> str:
    return "".join(str(card) * count for card, count in enumerate(hand))


# Search ---------------------------------------------------------------------------------------------------------


def _least(
    least: int, most: int, attempt: Callable[[int], Generator[Scenario, Messages | None, bool]]
) -> Step:
    """The least number that is taken, by halves, where greater ones are, too; `most` is known to be."""
    low, high = least, most
    if low < high and (yield from attempt(low)):
        return
    low += 1
    while low < high:
        middle = (low + high) // 2
        if (yield from attempt(middle)):
            high = middle
        else:
            low = middle + 1


def _known() -> Generator[Scenario, Messages | None, bool]:
    return True
    yield


_STEPS: tuple[Callable[[_Now], Step], ...] = (
    _bare,
    _surroundings,
    _turns,
    _seats,
    _earlier,
    _field,
    _hand,
)
