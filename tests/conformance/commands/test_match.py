"""`pdcheck match`: both streams held to the control program's form, and worked out again from the transcript."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck import schemas

Script = Callable[..., Path]
Play = Callable[..., Any]
"""The fixture `play`: gives what one match left (`status`, `out`, `err`, `log`)."""

PASSES = """
import json, sys
for line in sys.stdin:
    action = json.loads(line)["action"]
    print('{"action": "pass"}' if action == "play" else "", flush=True)
    if action == "quit": break
"""
PASSES_IN_C = r"""
#include <stdio.h>
#include <string.h>
static char line[1 << 20];
int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "{\"action\": \"play\"", 17)) puts("{\"action\": \"pass\"}");
        else puts("");
        fflush(stdout);
        if (!strncmp(line, "{\"action\": \"quit\"", 17)) return 0;
    }
    return 0;
}
"""


@pytest.fixture
def bots(script: Script) -> Mapping[str, Path]:
    """Python bots by name."""
    return {
        name: script(name, code)
        for name, code in {
            "passes": PASSES,
            "dies": "raise SystemExit(3)",
            "never-reads": "import signal; signal.pause()",
            "never-answers": "import sys; sys.stdin.read()",
            "floods": "import os\ninput()\nwhile True: os.write(1, b'x' * 65536)",
            "floods-lines": "import os\ninput()\nwhile True: os.write(1, b'{}\\n' * 20000)",
            "two-lines": PASSES.replace('else "", flush', 'else "\\n" if action == "init" else "", flush'),
            "garbage": "import sys\nfor line in sys.stdin: print('\\xff\\x00 what?', flush=True)",
            "stays": PASSES.replace('if action == "quit": break', "pass") + "\nimport signal; signal.pause()",
        }.items()
    }


# --- working it out again -----------------------------------------------------------------------------------


class Again:
    """The match as the messages of the transcript tell it, without any code of the kit."""

    def __init__(self, log: Mapping[str, Any]) -> None:
        self.names = [seat["name"] for seat in log["seats"]]
        self.limit = log["limits"]["time"]
        seats = range(len(self.names))
        self.hands: list[list[int]] = [[] for _ in seats]
        self.stock = 3001 - 199 * len(self.names)
        self.shown: list[str] = []
        self.spent = [0.0 for _ in seats]
        self.out: set[int] = set()
        self.left: list[int] = [199 for _ in seats]
        self.field: list[str] = []
        self.end = ""
        self._asked: dict[int, Any] = {}
        self._dealt: dict[int, bool] = {}
        for event in log["events"]:
            self._take(event)

    def _take(self, event: Mapping[str, Any]) -> None:
        seat = event["seat"]
        if event["kind"] == "sent":
            # The record, which comes last and grows with every action, is not needed: reading it would take most time.
            text, record, _ = event["text"].partition(', "record": ')
            message = json.loads(text + "}" if record else text)
            self._asked[seat] = message
            if message["action"] == "init":
                self.hands[seat] = list(message["hand"])
                if len(self._asked) == len(self.names) and not self.shown:
                    self.shown += [self._line("init", s, [], "OK") for s in range(len(self.names))]
            elif message["action"] == "play":
                assert message["hand"] == self.hands[seat], "the message tells another hand"
                assert [cards for _, cards in message["hands"]] == [len(hand) for hand in self.hands]
                self.field = list(message["numbers"])
        elif event["kind"] == "line":
            self.spent[seat] += event["cost"]
            self._answer(seat, self._asked[seat], event["text"])
        elif event["kind"] == "ruling" and event["requirement"]:
            self.out.add(seat)
        elif event["kind"] == "over":
            self.end = event["reason"]

    def _answer(self, seat: int, message: Mapping[str, Any], line: str) -> None:
        if message["action"] == "pass":
            self.hands[seat] = sorted(self.hands[seat] + message["draw"])
            self.stock -= len(message["draw"])
            self.shown.append(self._line("pass", seat, self.field, "PASSED"))
        if message["action"] != "play":
            return
        reply = json.loads(line)
        if reply["action"] != "number":
            return
        digits = "".join(map(str, reply["cards"]))
        for card in reply["cards"]:
            self.hands[seat].remove(card)
        cut = "BELPHEGOR" if len(digits) == 31 and digits[14:17] == "666" else "OK"
        if bin(int(digits))[2:].strip("1") == "":
            cut = "MERSENNE"
        field = [*self.field, digits]
        self.shown.append(self._line("play", seat, field, cut))

    def _line(self, action: str, seat: int, field: list[str], status: str) -> str:
        hand = "".join(map(str, self.hands[seat]))
        return f"{action}: {self.names[seat]} {hand} ({','.join(field)}) [{status}]"

    @property
    def winner(self) -> str:
        return next((name for name, hand in zip(self.names, self.hands, strict=True) if not hand), "")

    @property
    def ranking(self) -> list[tuple[int, str]]:
        """(score, name), as they are printed."""
        rows = [
            (3001 if seat in self.out else len(hand), name)
            for seat, (name, hand) in enumerate(zip(self.names, self.hands, strict=True))
        ]
        return sorted(rows)


def check_clean(played: Any, limit: str = "10.0") -> Again:
    """Hold both streams against the transcript; for matches in which nobody is put out."""
    assert played.status == 0, played.err
    again = Again(played.log)
    err = played.err.splitlines()
    assert err[0] == f"players: {', '.join(again.names)}"
    assert err[1] == f"stock: {3001 - 199 * len(again.names)}"
    assert err[2] == f"time limit: {limit}"
    assert re.fullmatch(r"time \(s\): \d+\.\d{3}", err[-1])
    end = {"winner": f"Winner: {again.winner}", "stock": "No stock", "survivor": "Only one survivor"}[
        again.end
    ]
    assert err[-2] == end
    assert err[3:-2] == again.shown
    rows = [
        re.fullmatch(r"(\d) : (\S+) (\d+) (\S+) (-?\d+\.\d{3})", line)
        for line in played.out.splitlines()[:-1]
    ]
    assert all(rows)
    found = [(int(row[3]), row[2]) for row in rows if row]
    assert found == again.ranking
    for row, (score, name) in zip(rows, again.ranking, strict=True):
        assert row
        assert int(row[1]) == sum(other <= score for other, _ in again.ranking)
        left = float(limit) - again.spent[again.names.index(name)]
        assert float(row[5]) == pytest.approx(left, abs=0.002)
    assert played.out.splitlines()[-1] == f"stock: {again.stock}"
    return again


# --- clean matches ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("houses", "seed"),
    [
        *(
            (houses, seed)
            for houses in ("steady greedy cutter chaos", "chaos chaos chaos")
            for seed in (1, 2, 3)
        ),
        *(("greedy " * 8, seed) for seed in (1, 2, 3)),
        ("cutter steady", 1),  # two seats play until the stock is gone: a transcript of many megabytes
    ],
)
def test_a_clean_match_of_house_players(play: Play, houses: str, seed: int) -> None:
    players = [word for at, name in enumerate(houses.split()) for word in (f"P{at}.x-{at}", f"house:{name}")]
    played = play(*players, seed=seed)
    check_clean(played)


@pytest.mark.parametrize("seats", range(2, 9))
def test_from_two_to_eight_seats_with_any_mix(play: Play, bots: Mapping[str, Path], seats: int) -> None:
    commands = [str(bots["passes"]), "house:steady", "house:chaos", "house:greedy"]
    players = [word for at in range(seats) for word in (f"N{at}", commands[at % 4])]
    assert check_clean(play("-t", "60", *players), "60.0").names == [f"N{at}" for at in range(seats)]


def test_bots_in_c(play: Play, tmp_path: Path, needs: Callable[[str], str]) -> None:
    source = tmp_path / "bot.c"
    source.write_text(PASSES_IN_C)
    subprocess.run([needs("gcc"), "-O1", "-o", "bot", source.name], cwd=tmp_path, check=True)
    played = play("A", "./bot", "B", "house:steady", "C", "./bot", "D", "./bot")
    check_clean(played)


def test_the_last_pass_is_shown_as_a_pass(play: Play) -> None:
    again = check_clean(play("A", "house:passer", "B", "house:passer"))
    assert again.end == "stock"
    assert again.stock == 0


def test_a_draw_shares_the_worst_place(play: Play) -> None:
    played = play(*(word for name in "DACB" for word in (name, "house:passer")), show=False)
    rows = [line.split() for line in played.out.splitlines()[:-1]]
    assert [row[2] for row in rows if row[3] == rows[0][3]] == sorted(
        row[2] for row in rows if row[3] == rows[0][3]
    )
    assert {row[0] for row in rows} <= {"1", "2", "3", "4"}
    shared = sum(row[3] == rows[0][3] for row in rows)
    assert rows[0][0] == str(shared)


def test_without_show_no_action_is_printed(play: Play) -> None:
    played = play("A", "house:steady", "B", "house:steady", show=False)
    words = [re.sub(":.*", "", line) for line in played.err.splitlines()]
    assert words[:3] + words[4:] == ["players", "stock", "time limit", "time (s)"]
    assert words[3] in ("Winner", "No stock")


def test_debug_prints_messages_and_what_bots_say_on_stderr(
    gear: ModuleType, script: Script, tmp_path: Path
) -> None:
    bot = script("bot", "import sys\nprint('grüezi', file=sys.stderr, flush=True)" + PASSES)
    done = gear.kit("match", "-d", "--seed", "1", "A", bot, "B", "house:steady", cwd=tmp_path)
    assert done.returncode == 0
    assert re.search(r'^A: \{"action": "init", "uid": 0', done.stderr, re.M)
    assert re.search(r'^B: \{"action": "play"', done.stderr, re.M)
    assert "A: gr" in done.stderr
    assert len(done.stdout.splitlines()) == 3


def test_the_transcript_is_valid(play: Play, bots: Mapping[str, Path]) -> None:
    played = play("A", bots["passes"], "B", "house:steady", "C", bots["dies"])
    assert schemas.explain("transcript", played.log) == []


def test_a_transcript_on_stdout_is_alone_there(gear: ModuleType, tmp_path: Path) -> None:
    done = gear.kit("match", "--transcript", "-", "A", "house:steady", "B", "house:steady", cwd=tmp_path)
    assert json.loads(done.stdout)["game"] == "prime-daihinmin"
    assert re.search("^1 : ", done.stderr, re.M), "the ranking is there for people"


def test_a_seed_repeats_and_another_does_not(play: Play) -> None:
    players = ("A", "house:chaos", "B", "house:chaos", "C", "house:steady")

    def lines(seed: int | None) -> list[str]:
        return [
            line for line in play(*players, seed=seed).err.splitlines() if not line.startswith("time (s)")
        ]

    assert lines(5) == lines(5)
    assert lines(5) != lines(6)
    assert lines(None) != lines(None)


def test_options_may_stand_anywhere(gear: ModuleType, tmp_path: Path) -> None:
    done = gear.kit(
        "match", "A", "house:steady", "-s", "B", "house:steady", "--seed", "4", "-t", "5", cwd=tmp_path
    )
    assert done.returncode == 0
    assert "time limit: 5.0\n" in done.stderr
    assert "init: A " in done.stderr


# --- bots that do not play along ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "requirement", "timed"),
    [
        ("dies", "IO-1", False),
        ("never-reads", "PD-5.1", True),
        ("never-answers", "PD-5.1", True),
        ("floods", "IO-3", False),
        ("floods-lines", "IO-3", False),
        ("two-lines", "IO-3", False),
    ],
)
def test_a_bot_that_does_not_play_along_is_out_and_the_match_goes_on(
    play: Play, bots: Mapping[str, Path], bot: str, requirement: str, timed: bool
) -> None:
    # Half a second is little for a Python bot on a busy machine: only those who are to run out of it have so much.
    seconds = "0.5" if timed else "30"
    played = play("-t", seconds, "A", "house:steady", "B", bots[bot], "C", "house:steady")
    assert played.status == 0, played.err
    score, status = played.status_of("B")
    assert score == "3001"
    assert status.startswith(f"ERROR:{requirement} ")
    assert re.search(rf"^B: {re.escape(requirement)} \S", played.err, re.M)
    assert ("Error: time limit exceeded: B\n" in played.err) is timed
    assert re.search(r"^(Winner: [AC]|No stock)$", played.err, re.M)
    assert len(re.findall(r"^B: ", played.err, re.M)) == 1, "it is told once"
    assert played.status_of("A")[1] == played.status_of("C")[1] == "OK"
    assert played.out.splitlines()[-1].startswith("stock: ")


def test_what_a_bot_says_that_is_no_answer_puts_it_out(play: Play, bots: Mapping[str, Path]) -> None:
    played = play("A", bots["garbage"], "B", "house:steady", "C", "house:steady", "-t", "30")
    assert played.status_of("A")[1].startswith("ERROR:")
    assert played.status == 0


@pytest.mark.parametrize("bot", ["dies", "never-answers", "floods"])
def test_when_nobody_plays_along_it_still_comes_to_an_end(
    play: Play, bots: Mapping[str, Path], bot: str
) -> None:
    played = play("-t", "0.5", *(word for name in "ABCD" for word in (name, str(bots[bot]))))
    assert played.status == 0
    assert "Only one survivor" in played.err
    assert len(played.out.splitlines()) == 5


def test_a_bot_that_stays_after_quit_is_ended(
    play: Play, bots: Mapping[str, Path], token: str, gear: ModuleType
) -> None:
    played = play("-t", "60", "A", f"{bots['stays']} {token}", "B", "house:steady")
    assert played.status == 0
    assert played.status_of("A")[1] == "OK"
    gear.until(lambda: not gear.bearers(token), "it is gone")


def test_a_bot_that_cannot_be_started_is_a_usage_error(
    gear: ModuleType, script: Script, tmp_path: Path
) -> None:
    bot = script("bot", "", shebang="#!/no/such/interpreter")
    done = gear.kit("match", "A", bot, "B", "house:steady", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith("pdcheck: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_an_interrupted_match_says_nothing_wrong_and_leaves_nothing(
    gear: ModuleType, token: str, bots: Mapping[str, Path], tmp_path: Path, number: signal.Signals
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = f"{bots['never-answers']} {token}"
    kit = subprocess.Popen(
        [*gear.KIT, "match", "-t", "1000", "A", command, "B", command],
        env={**gear.os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        gear.until(
            lambda: sum("never-answers" in line for line in gear.bearers(token).values()) >= 2, "both are up"
        )
        # The kit has a word of the match only once the bots are started and the first message is out.
        gear.until(lambda: list(scratch.glob("pdcheck-*/home-*")), "the match has begun")
        kit.send_signal(number)
        out, err = kit.communicate(timeout=gear.AT_MOST)
    finally:
        kit.kill()
        kit.wait()
    assert kit.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    gear.until(lambda: not gear.bearers(token), "both bots are gone")
    gear.until(lambda: not list(scratch.iterdir()), "the scratch folder is gone")
