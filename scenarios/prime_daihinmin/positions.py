"""Prime Daihinmin: from a scenario to a deal and what has happened since.

Law: a position is a match prefix that really happened. What a scenario leaves open is derived (who laid the
field, what the others hold, the stock), then every action before the candidate's turn is played through the
referee; a position that no match can reach raises ScenarioError, naming the scenario and what is impossible.
The candidate has not acted yet: only seats before it have, in the first round, and more than once by cutting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pdcheck.referee.prime_daihinmin.rules import DEFAULT_RULES, RULE_SETS, RuleSet
from pdcheck.referee.prime_daihinmin.table import DECK, SEATS, Move, Setup, Table, counts, deal
from pdcheck.referee.violations import elide
from pdcheck.scenarios.scenario import Scenario, ScenarioError

FILLER_CARDS = 30
"""What another seat holds beside the cards it plays, unless its hand is given."""
DEFAULT_HAND = "00112233445566778899"
USUAL_SEATS = 4
NAMES = "ABCDEFGH"
DECK_FACTORS = range(1, 1_000)
LEAST_STOCK = 50
"""A derived stock holds at least so many cards: enough for every seat to pass in one round."""

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Others:
    """`others` of a scenario, read. Seats are integers, cards ten counts (the deal's hand), plays digits."""

    hands: Mapping[int, Counts]
    out: tuple[int, ...]
    before: tuple[Move, ...] | None
    """The actions before the candidate's first turn, in full; None: derive them from the field. When they end
    at the turn of a seat that has a player or a script, that seat goes on from there."""
    stock: str | None
    """In the order drawn."""
    deck: Counts | None
    """The whole deck, instead of the contest's (or a multiple of it)."""
    players: Mapping[int, str]
    """House players by name."""
    deal: int | None
    """A whole deck shuffled by this seed and dealt as in the contest: nothing else is set then."""
    script: Mapping[int, tuple[str, ...]]
    """What a seat plays after the candidate's first turn, each when it is legal; "" passes."""


def setup(scenario: Scenario, *, time: float = 10.0, proven: bool = False) -> Setup:
    """The deal and the actions since, up to the candidate's first turn (whose seat `seat_of` tells).

    `time` in seconds is used where the scenario names none; a `proven` position is not played through once more.
    Raises ScenarioError when the scenario cannot be.
    """
    others = others_of(scenario)
    seat = seat_of(scenario)
    seats = _seat_count(scenario, seat, others)
    names = scenario.names or tuple(NAMES[:seats])
    if len(set(names)) != len(names):
        raise _impossible(scenario, f"two seats have the same name: {', '.join(names)}")
    budget = time if scenario.time is None else scenario.time
    if others.deal is not None:
        return _dealt(scenario, others.deal, names, budget)
    moves = others.before if others.before is not None else _field_moves(scenario, seat, others)
    hands, stock = _deal(scenario, seat, seats, others, moves)
    position = Setup(names, hands, stock[::-1], budget, others.out, moves)
    if not proven:
        _happens(scenario, position, seat, others)
    return position


def seat_of(scenario: Scenario) -> int:
    """The candidate's seat: the given one, else the first with enough seats before it to lay the field."""
    if scenario.seat is not None:
        return scenario.seat
    others = others_of(scenario)
    free = [seat for seat in range(SEATS.stop - 1) if seat not in others.out]
    if others.before is not None:
        after = max((move.seat for move in others.before), default=-1)
        free = [seat for seat in free if seat > after]
        needed = 0
    else:
        needed = len(scenario.field)
    if needed >= len(free):
        raise _impossible(scenario, f"a field of {needed} numbers needs {needed} seats before the candidate")
    return free[needed]


def rules_of(scenario: Scenario) -> RuleSet:
    """The rule set the scenario is played by. Raises ScenarioError for an unknown name."""
    name = scenario.rules or DEFAULT_RULES
    if name not in RULE_SETS:
        raise _impossible(scenario, f"no rule set is named {name}; there are: {', '.join(RULE_SETS)}")
    return RULE_SETS[name]


def cards_of(scenario: Scenario) -> Counts:
    """The candidate's hand at the deal, which is also its hand at its first turn."""
    return _cards(scenario, "hand", DEFAULT_HAND if scenario.hand is None else scenario.hand)


def others_of(scenario: Scenario) -> Others:
    """`others`, read. Raises ScenarioError for a key that is not known and for values of the wrong form."""
    given = scenario.others
    if unknown := [key for key in given if key not in _OTHERS]:
        raise _impossible(scenario, f"others.{unknown[0]} is not known; there are: {', '.join(_OTHERS)}")
    seat_maps = {
        key: dict(_by_seat(scenario, key, given.get(key, {}))) for key in ("hands", "players", "script")
    }
    out = _list(scenario, "others.out", given.get("out", []))
    if not all(type(seat) is int and 0 <= seat < SEATS.stop - 1 for seat in out):
        raise _impossible(scenario, "others.out lists seats, 0 to 7")
    before, stock, deck = given.get("before"), given.get("stock"), given.get("deck")
    return Others(
        hands={s: _cards(scenario, f"others.hands.{s}", hand) for s, hand in seat_maps["hands"].items()},
        out=tuple(sorted(set(out))),
        before=None if before is None else tuple(_moves(scenario, before)),
        stock=None if stock is None else _digits(scenario, "others.stock", stock),
        deck=None if deck is None else _cards(scenario, "others.deck", deck),
        players={s: str(name) for s, name in seat_maps["players"].items()},
        deal=_seed(scenario, given.get("deal")),
        script={s: tuple(_script(scenario, s, plays)) for s, plays in seat_maps["script"].items()},
    )


_OTHERS = ("hands", "out", "before", "stock", "deck", "players", "script", "deal")


def _impossible(scenario: Scenario, why: str) -> ScenarioError:
    return ScenarioError(f"scenario {scenario.name}: {why}")


def _digits(scenario: Scenario, where: str, value: Any) -> str:
    if not isinstance(value, str) or not value.isascii() or (value and not value.isdigit()):
        raise _impossible(scenario, f"{where}: expected digits in quotes, got {elide(repr(value), 60)}")
    return value


def _cards(scenario: Scenario, where: str, value: Any) -> Counts:
    if not isinstance(value, Mapping):
        return counts(_digits(scenario, where, value))
    if not set(value) <= set("0123456789") or not all(type(n) is int and n >= 0 for n in value.values()):
        raise _impossible(scenario, f"{where}: expected digits, or a count of each digit, 0 to 9")
    return tuple(value.get(card, 0) for card in "0123456789")


def _list(scenario: Scenario, where: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise _impossible(scenario, f"{where}: expected a list")
    return value


def _by_seat(scenario: Scenario, key: str, value: Any) -> Iterator[tuple[int, Any]]:
    if not isinstance(value, Mapping):
        raise _impossible(scenario, f"others.{key}: expected a mapping from seats")
    for seat, part in value.items():
        if str(seat) not in {str(s) for s in range(SEATS.stop - 1)}:
            raise _impossible(scenario, f"others.{key}: {seat!r} is no seat, 0 to 7")
        yield int(seat), part


def _moves(scenario: Scenario, value: Any) -> Iterator[Move]:
    """[seat, digits] or [seat, digits, times]: the same action so many times, as a cutter can."""
    for at, entry in enumerate(_list(scenario, "others.before", value)):
        where = f"others.before[{at}]"
        seat, digits, times = (
            (*_list(scenario, where, entry), 1)[:3] if len(entry) in (2, 3) else (None, "", 1)
        )
        if type(seat) is not int or type(times) is not int or times < 1:
            raise _impossible(scenario, f"{where}: expected [seat, digits] or [seat, digits, times]")
        yield from [Move(seat, _digits(scenario, where, digits))] * times


def _script(scenario: Scenario, seat: int, value: Any) -> Iterator[str]:
    where = f"others.script.{seat}"
    for digits in _list(scenario, where, value):
        yield _digits(scenario, where, digits)


def _seat_count(scenario: Scenario, seat: int, others: Others) -> int:
    named = {*others.hands, *others.out, *others.players, *others.script}
    seats = scenario.seats or len(scenario.names) or max(USUAL_SEATS, seat + 1, *(s + 1 for s in named))
    if beyond := [s for s in named | {move.seat for move in others.before or ()} if not 0 <= s < seats]:
        raise _impossible(scenario, f"seat {beyond[0]} is named, but there are {seats} seats")
    if seat >= seats:
        raise _impossible(scenario, f"the candidate's seat is {seat}, but there are {seats} seats")
    if seat in named or any(move.seat == seat for move in others.before or ()):
        raise _impossible(scenario, f"seat {seat} is the candidate's and cannot be set under others")
    if len(others.out) > seats - 2:
        raise _impossible(
            scenario, f"{len(others.out)} of {seats} seats are out: nobody is left to play with"
        )
    return seats


def _seed(scenario: Scenario, value: Any) -> int | None:
    if value is not None and type(value) is not int:
        raise _impossible(scenario, "others.deal is a seed: an integer")
    return value


def _dealt(scenario: Scenario, seed: int, names: Sequence[str], time: float) -> Setup:
    set_too = [key for key in ("hands", "out", "before", "stock", "deck") if key in scenario.others]
    if scenario.hand is not None or scenario.field or set_too:
        raise _impossible(scenario, "others.deal deals a whole deck: no hand, field or stock can be set")
    return deal(names, seed, time=time)


def _field_moves(scenario: Scenario, seat: int, others: Others) -> tuple[Move, ...]:
    """The seats just before the candidate lay the field, one number each; earlier ones pass."""
    before = [s for s in range(seat) if s not in others.out]
    idle = len(before) - len(scenario.field)
    if idle < 0:
        raise _impossible(
            scenario,
            f"a field of {len(scenario.field)} numbers needs as many seats before the candidate, "
            f"there are {len(before)} (seat {seat}{', some out' if others.out else ''})",
        )
    laid = [""] * idle + [_digits(scenario, "field", number) for number in scenario.field]
    return tuple(map(Move, before, laid))


def _deal(
    scenario: Scenario, seat: int, seats: int, others: Others, moves: Sequence[Move]
) -> tuple[tuple[Counts, ...], str]:
    """Every seat's hand at the deal, and the stock in the order drawn.

    A hand that is not given holds what its seat will play and some of the rest of the deck.
    """
    hands = {seat: cards_of(scenario), **others.hands}
    if not any(hands[seat]):
        raise _impossible(scenario, "the candidate holds no card, so the match is over")
    derived = [s for s in range(seats) if s not in hands]
    played = {s: counts("".join(_played(s, others, moves))) for s in derived}
    needed = [sum(hand[card] for hand in (*hands.values(), *played.values())) for card in range(10)]
    if others.stock is not None and others.deck is not None:
        raise _impossible(scenario, "others: deck and stock exclude each other")
    rest, filler = _rest(scenario, needed, len(derived), others)
    for at, s in enumerate(derived):
        extra = counts(rest[at * filler : (at + 1) * filler])
        hands[s] = tuple(a + b for a, b in zip(played[s], extra, strict=True))
    stock = rest[len(derived) * filler :] if others.stock is None else others.stock
    if not stock:
        raise _impossible(scenario, "no card is left for the stock")
    return tuple(hands[s] for s in range(seats)), stock


def _played(seat: int, others: Others, moves: Sequence[Move]) -> Iterator[str]:
    yield from (move.digits for move in moves if move.seat == seat)
    yield from others.script.get(seat, ())


def _rest(scenario: Scenario, needed: Sequence[int], derived: int, others: Others) -> tuple[str, int]:
    """What is left of the deck when `needed` is taken, mixed, and how many of it each derived hand gets."""
    if others.deck is not None:
        rest = [held - taken for held, taken in zip(others.deck, needed, strict=True)]
        if min(rest) < 0:
            card = next(card for card in range(10) if rest[card] < 0)
            raise _impossible(
                scenario, f"the deck has {others.deck[card]} × {card}, the hands need {needed[card]}"
            )
        return _mixed(rest), min(FILLER_CARDS, sum(rest) // (derived + 1))
    wanted = derived * FILLER_CARDS + LEAST_STOCK
    for factor in DECK_FACTORS:
        rest = [held * factor - taken for held, taken in zip(DECK, needed, strict=True)]
        if min(rest) >= 0 and sum(rest) >= wanted:
            return _mixed(rest), FILLER_CARDS
    raise _impossible(scenario, f"it needs more cards than {DECK_FACTORS[-1]} decks have")


def _mixed(rest: Sequence[int]) -> str:
    """The cards in an order where neighbours differ; the same counts always give the same order."""
    cards = "".join(str(card) * count for card, count in enumerate(rest))
    stride = max(1, len(cards) // 10)
    return "".join([cards[start::stride] for start in range(stride)])


def _happens(scenario: Scenario, position: Setup, seat: int, others: Others) -> None:
    """Play the position through the referee; raise where that, or the scenario's own field, is not so."""
    table = Table(position, rules_of(scenario))
    for out in position.out:
        table.put_out(out, "")
    table.open(Setup(position.names, position.hands, position.stock, position.time))
    for number, move in enumerate(position.before, 1):
        _act(scenario, table, number, move)
    turn = table.next_turn()
    plays_on = others.before is not None and (turn in others.players or turn in others.script)
    if turn != seat and not plays_on:
        went = f"the match ends before ({table.end})" if turn is None else f"it is seat {turn}'s turn"
        raise _impossible(scenario, f"the candidate is in seat {seat}, but {went}")
    if others.before is not None and scenario.field and tuple(table.field) != scenario.field:
        lying = elide(", ".join(table.field) or "nothing")
        raise _impossible(scenario, f"after others.before the field holds {lying}, not what `field` says")
    if others.before is None and len(table.field) != len(scenario.field):
        raise _impossible(scenario, "a number of the field clears it, so it does not lie there")


def _act(scenario: Scenario, table: Table, number: int, move: Move) -> None:
    turn = table.next_turn()
    if turn != move.seat:
        went = f"the match has ended ({table.end})" if turn is None else f"it is seat {turn}'s turn"
        raise _impossible(scenario, f"action {number}, of seat {move.seat}: {went}")
    if not move.digits:
        table.pass_(move.seat, table.draw())
        return
    violation = table.play(move.seat, [int(digit) for digit in move.digits]).violation
    if violation is not None:
        what = f"action {number}, seat {move.seat} plays {elide(move.digits, 60)}"
        wrong = f"{violation.requirement}: expected {violation.expected}, got {violation.actual}"
        raise _impossible(scenario, f"{what}: {wrong}")
