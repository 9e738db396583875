"""`pdcheck match --rules`: where the announcement and the control program differ."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Script = Callable[..., Path]
Play = Callable[..., Any]
"""The fixture `play`: gives what one match left."""

# Leads 0,0,0,0,p where it can, answers with its smallest single prime, else passes: what v0.11a alone takes.
ZEROS = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["action"] != "play":
        print(flush=True)
        if message["action"] == "quit": break
        continue
    hand, field = message["hand"], message["numbers"]
    lead = next(([0, 0, 0, 0, p] for p in (2, 3, 5, 7) if p in hand and hand.count(0) >= 4), None)
    print(json.dumps({"action": "pass"} if field or not lead else {"action": "number", "cards": lead}), flush=True)
"""
# An unknown action once, at its first turn; else it passes.
SHRUGS_ONCE = """
import json, sys
turns = 0
for line in sys.stdin:
    action = json.loads(line)["action"]
    turns += action == "play"
    answer = {"action": "shrug" if turns == 1 else "pass"}
    print(json.dumps(answer) if action == "play" else "", flush=True)
    if action == "quit": break
"""


def test_leading_zeros_go_by_the_rule_set(play: Play, script: Script) -> None:
    players = ("-t", "60", "A", str(script("zeros", ZEROS)), "B", "house:passer")
    published = play(*players)
    assert published.status_of("A") == ("3001", published_words(published, "A"))
    assert "PD-3.6" in published.status_of("A")[1]
    control = play(*players, rules="v0.11a")
    assert control.status_of("A")[1] == "OK"
    first = next(line for line in control.err.splitlines() if line.startswith("play: A "))
    assert re.search(r" \([2357]\) \[(OK|MERSENNE)\]$", first)


def published_words(played: Any, name: str) -> str:
    """The words of an error are the same in the status and on stderr."""
    said = re.search(rf"^{name}: (.*)$", played.err, re.M)
    assert said
    return f"ERROR:{said[1]}"


def test_an_unknown_action_is_a_free_turn_by_v0_11a_only(play: Play, script: Script) -> None:
    players = ("-t", "60", "A", str(script("shrugs", SHRUGS_ONCE)), "B", "house:passer", "C", "house:passer")
    assert play(*players).status_of("A")[1].startswith("ERROR:PD-2.3")
    control = play(*players, rules="v0.11a")
    assert control.status_of("A")[1] == "OK"
    shown = [line.split(" ")[:2] for line in control.err.splitlines() if line.startswith(("pass:", "play:"))]
    assert shown[:3] == [["pass:", "B"], ["pass:", "C"], ["pass:", "A"]], (
        "no draw and no line for a free turn"
    )


def test_a_house_cheat_is_out_by_the_announcement_and_in_by_the_program(play: Play) -> None:
    players = ("A", "house:cheat-zero", "B", "house:steady")
    assert "PD-3.6" in play(*players).status_of("A")[1]
    assert play(*players, rules="v0.11a").status_of("A")[1] == "OK"
