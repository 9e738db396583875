"""The correct bot that every faulty bot is made from, and the table that they enter themselves in.

Law of this file: `Bot` breaks no requirement of the specification page; each of its methods is a place where
one fault can be put. It makes the smallest legal play of few cards that it finds cheaply, else it passes.
"""

from __future__ import annotations

import os
import sys

from .text import dumps, loads

TYPE_CHECKING = False  # as in `typing`, which costs milliseconds of every bot's start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    Message = dict[str, Any]
    Cards = list[int]

MOST_DIGITS = 40  # what this bot finds primes for without thinking long; beyond, it passes
MOST_CANDIDATES = 600
SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
MERSENNE = (3, 7, 31, 127, 8191, 131071, 524287, 2147483647)
LEADS = (5, 4, 3, 2, 1)  # the most cards first: its matches are short


class Fault:
    """One row of the table. `bot()` makes the player; `summary` is the first line of its docstring; `cause`, for a
    bot that does not answer, the word that says why ("" for the others)."""

    __slots__ = ("bot", "cause", "level", "requirement", "summary")

    def __init__(
        self, requirement: str, level: str, summary: str, bot: type[Bot], cause: str = ""
    ) -> None:
        self.cause = cause
        self.requirement = requirement
        self.level = level
        self.summary = summary
        self.bot = bot


FAULTS: dict[str, Fault] = {}


def fault(
    requirement: str, level: str, word: str, cause: str = ""
) -> Callable[[type[Bot]], type[Bot]]:
    """Enter a bot in the table as e.g. `io-2-banner`: the requirement it breaks, then its own word."""

    def enter(bot: type[Bot]) -> type[Bot]:
        name = f"{requirement.lower()}-{word}"
        if name in FAULTS or level not in ("MUST", "SHOULD", "INFO"):
            raise ValueError(f"{name} ({level}) cannot be entered")
        FAULTS[name] = Fault(requirement, level, (bot.__doc__ or "").strip().splitlines()[0], bot, cause)
        return bot

    return enter


def import_section(section: str) -> Any:
    """Import one module of this package, under whatever name the package was itself imported."""
    return __import__(f"{__package__}.{section}", fromlist=["*"])


def is_prime(number: int) -> bool:
    """Miller-Rabin with the first 15 primes: proven up to 3.3e24, and sure enough above for a bot."""
    if number < 2:
        return False
    for prime in SMALL_PRIMES:
        if number % prime == 0:
            return number == prime
    return all(is_strong_probable_prime(number, base) for base in SMALL_PRIMES)


def is_strong_probable_prime(number: int, base: int) -> bool:
    """One Miller-Rabin round for an odd number above `base`."""
    odd = number - 1
    twos = (odd & -odd).bit_length() - 1
    power = pow(base, odd >> twos, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


def ascending(hand: Cards, count: int, above: int) -> Iterator[int]:
    """Numbers of exactly `count` cards of the hand, first card not 0, larger than `above`, smallest first."""
    floor = str(above + 1).zfill(count)
    if len(floor) > count or len(hand) < count:
        return
    left = [hand.count(digit) for digit in range(10)]

    def grow(place: int, prefix: str, tight: bool) -> Iterator[int]:
        if place == count:
            yield int(prefix)
            return
        lowest = int(floor[place]) if tight else 0
        for digit in range(lowest or (place == 0), 10):
            if left[digit]:
                left[digit] -= 1
                yield from grow(place + 1, prefix + str(digit), tight and digit == int(floor[place]))
                left[digit] += 1

    yield from grow(0, "", True)


def find(
    hand: Cards, counts: Iterable[int], above: int, good: Callable[[int], bool], most: int = MOST_CANDIDATES
) -> Cards | None:
    """The first number that is `good` among at most `most` candidates a count, as cards, else None."""
    for count in counts:
        if not 0 < count <= MOST_DIGITS:
            continue
        for tried, number in enumerate(ascending(hand, count, above)):
            if good(number):
                return digits(number)
            if tried == most:
                break
    return None


def digits(number: int) -> Cards:
    return [int(digit) for digit in str(number)]


def holds(hand: Cards, cards: Cards) -> bool:
    """Whether the hand has all the cards, counted with multiplicity."""
    return all(hand.count(card) >= cards.count(card) for card in cards)


def field_size(numbers: list[str]) -> int:
    """Cards on the whole field: what a play has to match (0: the player leads with 1 to 5)."""
    return sum(map(len, numbers))


def counts_and_floor(numbers: list[str]) -> tuple[Iterable[int], int]:
    """Which card counts are legal on this field, and what a play must be larger than."""
    if not numbers:
        return LEADS, 0
    size = field_size(numbers)
    return ((size,), int(numbers[-1])) if size <= MOST_DIGITS else ((), 0)


class Bot:
    """Plays by the book: one line an answer, at once, legal, and quiet otherwise."""

    def __init__(self) -> None:
        self.action: object = None  # of the message being answered
        self.name = ""
        self.uid = 0
        self.names: list[str] = []
        self.time = 10.0  # seconds
        self.init_hand: Cards = []

    # From bytes to answers ------------------------------------------------------------------------------

    def run(self) -> int:
        """Play until told to quit or until the input ends; returns the exit status."""
        self.start()
        for line in self.lines():
            message = self.parse(line)
            self.action = message.get("action")
            text = self.reply(message)
            if text is not None:
                self.answer(text)
            if self.action == "quit":
                return self.after_quit()
            self.after_answer()
        return self.at_eof()

    def start(self) -> None:
        """Before the first message."""

    def lines(self) -> Iterator[bytes]:
        """Whole lines without their LF, however they arrive; a last line without LF is not a message."""
        rest = bytearray()
        while chunk := self.read():
            rest += chunk
            if b"\n" in chunk:
                *whole, rest = rest.split(b"\n")
                yield from map(bytes, whole)

    def read(self) -> bytes:
        return os.read(0, 65536)

    def parse(self, line: bytes) -> Message:
        try:
            message = loads(line.decode())
        except ValueError:
            return {}
        return message if isinstance(message, dict) else {}

    def answer(self, text: str) -> None:
        self.write(text.encode() + b"\n")

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(1, data) :]

    def after_answer(self) -> None:
        """After each answer but the one to `quit`."""

    def after_quit(self) -> int:
        return 0

    def at_eof(self) -> int:
        return 0

    # One message ----------------------------------------------------------------------------------------

    def reply(self, message: Message) -> str | None:
        """The answer without its LF; None: silence."""
        match self.action:
            case "init":
                self.name = message["names"][message["uid"]]
                self.uid, self.names, self.time = message["uid"], message["names"], message["time"]
                self.init_hand = message["hand"]
                return self.on_init(message)
            case "play":
                return self.on_play(message)
            case "pass":
                return self.on_pass(message)
            case "quit":
                return self.on_quit()
        return self.on_unknown(message)

    def on_init(self, message: Message) -> str | None:
        return ""

    def on_pass(self, message: Message) -> str | None:
        return ""

    def on_quit(self) -> str | None:
        return ""

    def on_unknown(self, message: Message) -> str | None:
        return ""

    def on_play(self, message: Message) -> str | None:
        cards = self.choose(message["hand"], message["numbers"])
        return self.say_pass() if cards is None else self.say_number(cards)

    def choose(self, hand: Cards, numbers: list[str]) -> Cards | None:
        """The play as cards, None to pass."""
        counts, floor = counts_and_floor(numbers)
        return find(hand, counts, floor, is_prime)

    def say_number(self, cards: Cards) -> str:
        return dumps({"action": "number", "cards": cards})

    def say_pass(self) -> str:
        return '{"action": "pass"}'


class Passer(Bot):
    """The correct bot, but it always passes, which the rules allow: a fault after a pass shows at once."""

    def choose(self, hand: Cards, numbers: list[str]) -> Cards | None:
        return None


class Tempted(Bot):
    """The correct bot, but a play that tempts it goes before a legal one."""

    def choose(self, hand: Cards, numbers: list[str]) -> Cards | None:
        size = field_size(numbers)
        if size > MOST_DIGITS:
            return None
        return self.tempt(hand, numbers, size) or super().choose(hand, numbers)

    def tempt(self, hand: Cards, numbers: list[str], size: int) -> Cards | None:
        """The illegal play, if hand and field (of `size` cards) make it possible."""
        raise NotImplementedError


def safety_net(seconds: int) -> None:
    """End this process by SIGALRM after a while, so that no faulty bot outlives its test for long."""
    import signal

    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(seconds)


def die_by(signal_number: int) -> None:
    """Die by this signal without a core file."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal_number)


def complain(text: str) -> None:
    """Say something on stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
