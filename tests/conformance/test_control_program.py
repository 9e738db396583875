"""`pdcheck match --rules v0.11a` beside the contest's own control program: the same bots, deals, bytes.

The program is not a part of this project. It is read out of the announcement that PDCHECK_ANNOUNCEMENT names, and
made to run on today's Python, each time these tests run. Compared are both streams (but for times, and the words of
an error, which are our own) and every message that every bot received.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

VARIABLE = "PDCHECK_ANNOUNCEMENT"
DOCUMENT = os.environ.get(VARIABLE, "")
pytestmark = pytest.mark.skipif(not DOCUMENT, reason=f"{VARIABLE} does not name the contest's announcement")

FIRST, LAST = "#!/usr/bin/env python", "    main()\n"
PATCHES = (
    ("t.setDaemon(True)", "t.daemon = True"),
    ("t.isAlive()", "t.is_alive()"),
    # Its error path in the deal names a player that is not there yet.
    (
        'player.status = "ERROR:ERROR in initialize"',
        'player.status = "ERROR:ERROR in initialize"; self.player = player',
    ),
    ("random.shuffle(self.stock)", "random.seed(int(os.environ['DEAL'])); random.shuffle(self.stock)"),
    # The bots here go by themselves; a missing pkill must not write into its stderr.
    ('os.system("pkill -TERM -P {}".format(pid))', "player.solver.wait()"),
)

ACTOR = r'''
"""One bot with many parts; what it hears goes into a file, byte for byte."""
import json, random, sys
from pdcheck.referee.prime_daihinmin.rules import BELPHEGOR_DIGITS as BELPHEGOR
from pdcheck.referee.prime_daihinmin.table import counts
from pdcheck.referee.primes import primality
from pdcheck.scenarios.prime_daihinmin import players

part, seed, log = sys.argv[1], int(sys.argv[2]), open(sys.argv[3], "wb", buffering=0)


def prime(digits):
    return primality(int(digits)).prime


def holds(hand, digits):
    return all(have >= want for have, want in zip(hand, counts(digits), strict=True))


class Zeros(players.Steady):
    """Leads with leading zeros, and answers with them: also with an equal number."""

    def choose(self, hand, field):
        wanted = sum(map(len, field))
        last = int(field[-1]) if field else 0
        for size in ([wanted] if field else [5, 4, 3, 2, 1]):
            for number in (2, 3, 5, 7, 11, 13, 17, 19, 23, 31, 53, 127, 8191):
                digits = str(number).rjust(size, "0")
                if len(digits) == size and number >= last and holds(hand, digits):
                    return digits
        return ""


class Equal(players.Steady):
    """Plays the very number that lies there, where it can."""

    def choose(self, hand, field):
        if len(field) == 1 and holds(hand, field[0]):
            return field[0]
        return super().choose(hand, field)


class SixLead(players.Steady):
    """Leads 0,0,0,0,0,3: six cards."""

    def choose(self, hand, field):
        return super().choose(hand, field) if field else "000003"


class Shrugs(players.Steady):
    """An unknown action every so often."""

    def __init__(self):
        self.turns = 0

    def turn(self, hand, field):
        self.turns += 1
        return b'{"action": "draw"}\n' if self.turns % 3 == 2 else super().turn(hand, field)


class CutsAndShrugs(players.Cutter):
    """An unknown action right after its own cut, once."""

    def __init__(self):
        self.cut = False

    def turn(self, hand, field):
        if self.cut:
            self.cut = False
            return b'{"action": "Pass"}\n'
        answer = super().turn(hand, field)
        digits = self.choose(hand, field)
        self.cut = digits in players.MERSENNE_DIGITS
        return answer


class Dumps(players.House):
    """Collects zeros until it holds Belphegor's prime, and plays it with all zeros it has left."""

    def choose(self, hand, field):
        if not holds(hand, BELPHEGOR):
            return ""
        return "0" * (hand[0] - BELPHEGOR.count("0")) + BELPHEGOR


class Below(players.Steady):
    """Leads Belphegor with a zero too few: not its prime, and too long."""

    def choose(self, hand, field):
        return super().choose(hand, field) if field else "1" + "0" * 12 + "666" + "0" * 13 + "1"


class GoesOut(players.House):
    """Wins with Belphegor as its last play: gets rid of all else first, zeros apart."""

    def __init__(self):
        self.chance = random.Random(seed)

    def choose(self, hand, field):
        if field or not holds(hand, BELPHEGOR):
            return ""
        need = counts(BELPHEGOR)
        rest = [digit for digit in range(1, 10) for _ in range(hand[digit] - need[digit])]
        if not rest:
            return "0" * (hand[0] - need[0]) + BELPHEGOR
        if len(rest) <= 8:
            plan = self.split(rest)
            return plan[0] if plan else ""
        return self.five(rest)

    def five(self, rest):
        even = [card for card in rest if card in (2, 4, 5, 6, 8)]
        odd = [card for card in rest if card in (1, 3, 7, 9)]
        for take in (4, 3, 2, 1, 0):
            for _ in range(400):
                if len(even) < take or len(odd) < 5 - take:
                    break
                cards = self.chance.sample(even, take) + self.chance.sample(odd, 4 - take)
                left = list(odd)
                for card in cards:
                    if card in left:
                        left.remove(card)
                self.chance.shuffle(cards)
                digits = "".join(map(str, cards)) + str(self.chance.choice(left))
                if prime(digits):
                    return digits
        return ""

    def split(self, rest, tries=400):
        if not rest:
            return []
        for _ in range(tries):
            size = self.chance.randint(1, min(5, len(rest)))
            cards = list(rest)
            self.chance.shuffle(cards)
            digits = "".join(map(str, cards[:size]))
            if prime(digits):
                plan = self.split(sorted(cards[size:]), 8)
                if plan is not None:
                    return [digits, *plan]
        return None


class Dies(players.Steady):
    """Ends in its third turn, or in its second pass notice."""

    def __init__(self, action):
        self.action, self.seen = action, 0

    def turn(self, hand, field):
        self.seen += self.action == "play"
        return b"" if self.seen == 3 and self.action == "play" else super().turn(hand, field)

    def notice(self, action):
        self.seen += self.action == action
        return b"" if self.seen == 2 and self.action == action else players.EMPTY


class Ahead(players.House):
    """An extra line at the deal: from then on every answer is given one message early."""

    def notice(self, action):
        return b"anything\n" + players.PASS if action == "init" else players.PASS


class AfterPass(players.House):
    """An extra line after the pass notice."""

    def notice(self, action):
        return b"\n" + players.PASS if action == "pass" else players.EMPTY


class Talks(players.Steady):
    """What it says to init and pass is ignored, whatever it is."""

    def notice(self, action):
        return b'{"action": "number", "cards": [1]}\n'


class Odd(players.Steady):
    """Usable JSON that is odd: a key twice, more keys, CR LF, spaces."""

    def turn(self, hand, field):
        digits = self.choose(hand, field)
        cards = ", ".join(digits)
        if not digits:
            return b' {"action": "number", "more": [null], "action": "pass"}\r\n'
        return f'{{"action": "number", "cards": [1, 2], "x": NaN, "cards": [ {cards} ]}}\r\n'.encode()


class Feeds(players.Steady):
    """White space around its answers that JSON does not know, but that is stripped from the line."""

    def turn(self, hand, field):
        return b"\f " + super().turn(hand, field)[:-1] + b"\v\f\n"


class Wins(players.House):
    """Plays a Mersenne prime, or a prime of one or two cards, of its own hand only; used for short matches."""

    def choose(self, hand, field):
        for digits in ("2", "3", "5", "7") if not field else ():
            if holds(hand, digits):
                return digits
        return ""


PARTS = {
    "zeros": Zeros, "equal": Equal, "six-lead": SixLead, "shrugs": Shrugs, "cuts-and-shrugs": CutsAndShrugs,
    "dumps": Dumps, "below": Below, "goes-out": GoesOut, "dies-in-play": lambda: Dies("play"),
    "dies-in-pass": lambda: Dies("pass"), "ahead": Ahead, "after-pass": AfterPass, "talks": Talks, "odd": Odd,
    "feeds": Feeds,
    "wins": Wins,
}
player = PARTS[part]() if part in PARTS else players.player(part, seed)
for line in sys.stdin.buffer:
    log.write(line)
    answer = player.answer(line)
    if answer == b"":
        sys.exit(1)
    if answer is not None:
        sys.stdout.buffer.write(answer)
        sys.stdout.flush()
    if b'"action": "quit"' in line[:20]:
        break
'''


class Played(NamedTuple):
    """What one program made of a match."""

    out: str
    err: str
    heard: list[str]


@pytest.fixture(scope="session")
def control(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The control program, patched, in a folder that is gone afterwards."""
    text = Path(DOCUMENT).read_text("utf-8").replace("\u00a0", " ")
    start = text.index(FIRST)
    program = text[start : text.index(LAST, start) + len(LAST)]
    for old, new in PATCHES:
        assert old in program, f"the announcement has no {old!r}"
        program = program.replace(old, new)
    file = tmp_path_factory.mktemp("control") / "program.py"
    file.write_text(program, "utf-8")
    return file


@pytest.fixture
def both(control: Path, tmp_path: Path, gear: ModuleType) -> Callable[..., tuple[Played, Played]]:
    """`both(parts, seed, options…)`: the match as the control program plays it, and as `pdcheck match` does."""
    actor = tmp_path / "actor.py"
    actor.write_text(ACTOR, "utf-8")

    def play(parts: str, seed: int, *options: str) -> tuple[Played, Played]:
        return (
            one("control", [sys.executable, str(control)], parts, seed, options),
            one("kit", [*gear.KIT, "match", "--rules", "v0.11a", "--seed", str(seed)], parts, seed, options),
        )

    def one(folder: str, command: list[str], parts: str, seed: int, options: tuple[str, ...]) -> Played:
        logs = tmp_path / folder
        logs.mkdir(exist_ok=True)
        players, files = [], []
        for seat, part in enumerate(parts.split()):
            files.append(logs / f"{seat}.log")
            players += ["ABCDEFGH"[seat], f"{sys.executable} {actor} {part} {seed + seat} {files[-1]}"]
        done = subprocess.run(
            [*command, *options, *players],
            env={**os.environ, "DEAL": str(seed)},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return Played(done.stdout, done.stderr, [file.read_text() for file in files])

    return play


def same(one: Played, two: Played) -> None:
    """Fails at the first difference that matters."""
    pairs = [("stdout", _ranking(one.out), _ranking(two.out)), ("stderr", _told(one.err), _told(two.err))]
    for seat, (heard, also) in enumerate(zip(one.heard, two.heard, strict=True)):
        pairs.append((f"what seat {seat} heard", _lines(heard), _lines(also)))
    differences = []
    for where, left, right in pairs:
        at = next((at for at, (a, b) in enumerate(zip_longest(left, right)) if a != b), None)
        if at is not None:
            lines = [
                f"{who}: {_around(some, other, at)}"
                for who, some, other in (("control program", left, right), ("pdcheck        ", right, left))
            ]
            differences.append("\n  ".join([f"{where}, line {at + 1}", *lines]))
    if differences:
        pytest.fail("\n".join(differences), pytrace=False)


def _around(some: list[str], other: list[str], at: int) -> str:
    """The line and its neighbours, cut to where it differs."""
    line = some[at] if at < len(some) else "(nothing)"
    beside = other[at] if at < len(other) else ""
    common = next((at for at, (a, b) in enumerate(zip_longest(line, beside)) if a != b), len(line))
    return f"…{line[max(0, common - 60) : common + 90]}…" if len(line) > 150 else line


def _lines(text: str) -> list[str]:
    return [re.sub(r'"ERROR:[^"]*"', '"ERROR"', line) for line in text.splitlines()]


def _ranking(text: str) -> list[str]:
    lines = [re.sub(r"ERROR:.* ", "ERROR ", line) for line in text.splitlines()]
    shaped = re.compile(r"(\d : [A-H] \d+ \S+) -?\d+\.\d{3}")
    return [found[1] if (found := shaped.fullmatch(line)) else line for line in lines]


def _told(text: str) -> list[str]:
    """The lines of stderr without times, reasons of errors, and (`init:` apart, where it stands) their words."""
    kept = [line for line in text.splitlines() if not re.match(r"[A-H]: |time \(s\): \d", line)]
    assert re.search(r"^time \(s\): \d+\.\d{3}$", text, re.M)
    return [re.sub(r"\[ERROR:.*\]", "[ERROR]", line) for line in kept]


CLEAN = ["steady greedy cutter chaos", "chaos chaos chaos chaos", "cutter cutter", "steady chaos greedy"]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("parts", CLEAN)
@pytest.mark.parametrize("options", [(), ("-s",), ("-s", "-t", "30")], ids=["plain", "show", "time"])
def test_clean_matches(
    both: Callable[..., tuple[Played, Played]], parts: str, seed: int, options: tuple[str, ...]
) -> None:
    one, two = both(parts, seed, *options)
    same(one, two)
    assert "ERROR" not in two.out


ROWS = [
    ("rows 1 and 2", "zeros steady zeros chaos"),
    ("rows 1 and 2", "zeros zeros zeros zeros"),
    ("row 1", "six-lead steady chaos greedy"),
    ("row 2", "wins equal equal steady"),
    ("row 2", "steady equal steady equal"),
    ("row 3", "dumps passer wins passer"),
    ("row 3", "dumps dumps dumps"),
    ("row 3", "below steady steady"),
    ("row 4", "goes-out passer passer"),
    ("row 4", "passer goes-out"),
    ("row 5", "shrugs shrugs steady chaos"),
    ("row 5", "cuts-and-shrugs cutter cuts-and-shrugs passer"),
    ("row 5", "shrugger passer shrugger"),
    ("row 8", "cheat-composite cutter chaos steady"),
    ("row 8", "cheat-count cheat-count cheat-composite greedy"),
    ("row 9", "passer passer passer passer"),
    ("row 9", "cheat-composite cheat-composite"),
    ("row 9", "cheat-count cheat-composite steady"),
    ("row 10", "passer wins passer wins"),
    ("row 10", "passer cutter cheat-composite cutter"),
    ("row 11", "cheat-hand steady chaos"),
    ("row 11", "steady cheat-hand cheat-hand cheat-hand"),
    ("row 13", "odd odd talks steady"),
    ("row 13", "babbler odd greedy"),
    ("row 13", "feeds steady feeds"),
    ("row 14", "ahead steady chaos"),
    ("row 14", "after-pass talks passer"),
    ("row 14", "ahead ahead"),
    ("death", "dies-in-play steady chaos greedy"),
    ("death", "dies-in-pass passer passer passer"),
    ("zeros", "cheat-zero cheat-zero steady"),
]


@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize(("row", "parts"), ROWS, ids=[f"{row}: {parts}" for row, parts in ROWS])
def test_rows(both: Callable[..., tuple[Played, Played]], row: str, parts: str, seed: int) -> None:
    del row
    same(*both(parts, seed, "-s", "-t", "60"))


TIMED = [
    ("row 6", "dozer passer steady"),
    ("row 6", "steady dozer dozer"),
    ("silence", "mute steady chaos"),
    ("silence", "late-mute late-mute steady"),
]


@pytest.mark.parametrize(("row", "parts"), TIMED, ids=[f"{row}: {parts}" for row, parts in TIMED])
def test_rows_that_take_time(both: Callable[..., tuple[Played, Played]], row: str, parts: str) -> None:
    del row
    same(*both(parts, 21, "-s", "-t", "4"))


def test_the_rows_are_really_met(both: Callable[..., tuple[Played, Played]]) -> None:
    control, _ = both("goes-out passer passer", 11, "-s", "-t", "60")
    assert "BELPHEGOR" in control.out, "row 4: nobody went out with Belphegor's prime"
    control, _ = both("zeros zeros zeros zeros", 11, "-s", "-t", "60")
    assert re.search(r"\((\d+),\1[,)]", control.err), "row 2: no equal number was played"
    control, _ = both("dumps passer wins passer", 11, "-s", "-t", "60")
    assert "[BELPHEGOR]" in control.err, "row 3: Belphegor's prime was never played"
