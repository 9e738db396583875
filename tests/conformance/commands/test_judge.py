"""`pdcheck judge`: a transcript that says nothing of a bot is none to judge, and a file that never ends is none."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance.bot import read_bot
from pdcheck.conformance.case import Case, run_case
from pdcheck.conformance.commands.judge import exchanged
from pdcheck.conformance.header import sights
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.selftest import matrix
from pdcheck.conformance.terms import Terms
from pdcheck.conformance.transcript import Transcript

Pdcheck = Callable[..., Any]
Events = list[dict[str, Any]]
PACK = load_pack("prime-daihinmin")
CASES = {case.id: case for case in matrix.all_cases(PACK.name, "quick")}
GOOD = Path(matrix.__file__).parent / "bots" / "good" / "prime_daihinmin" / "steady.py"
ENDINGS = {
    case.scenario.ending: case for case in CASES.values() if not case.whole and not case.setting.beside
}


@cache
def played(name: str) -> str:
    """The transcript of a case that the good bot played."""
    log, _ = run_case(CASES[name], Terms(read_bot([str(GOOD)]), PACK, PACK.default_rules))
    return json.dumps(log.as_json())


def write(change: Callable[[Events], Events], name: str = "x.json") -> Events:
    value = json.loads(played("basic/leads"))
    value["events"] = change(value["events"])
    Path(name).write_text(json.dumps(value), "utf-8")
    events: Events = value["events"]
    return events


def mine(event: dict[str, Any]) -> bool:
    """Whether it is of the bot, which sits first in basic/leads."""
    return bool(event["seat"] == 0)


NOTHING = "pdcheck: x.json: events: expected messages to seat 0 (A) and what it answered, got none\n"


@pytest.mark.parametrize(
    "change",
    [
        lambda events: [],
        lambda events: [e for e in events if not mine(e)],
        lambda events: [e for e in events if not mine(e) or e["kind"] in ("note", "probe")],
        lambda events: [e for e in events if not mine(e) or e["kind"] in ("note", "probe", "exit")],
        lambda events: [e for e in events if not mine(e) or e["kind"] != "sent"],
        lambda events: [e for e in events if not mine(e) or e["kind"] != "line"],
        lambda events: [e | {"text": "garbage\n"} if e["kind"] == "sent" else e for e in events],
    ],
    ids=["empty", "others", "notes", "exit", "no message", "no line", "garbage"],
)
def test_without_an_exchange_nothing_is_said_of_the_bot(
    pdcheck: Pdcheck, change: Callable[[Events], Events]
) -> None:
    write(lambda events: events)
    assert pdcheck("judge", "x.json").status == 0
    write(change)
    said = pdcheck("judge", "x.json")
    assert (said.status, said.out, said.err) == (2, "", NOTHING)


@pytest.mark.parametrize("ending", sorted(ENDINGS))
def test_what_the_kit_wrote_is_judged_however_it_ended(ending: str) -> None:
    case: Case = ENDINGS[ending]
    log, _ = run_case(case, Terms(read_bot([str(GOOD)]), PACK, PACK.default_rules))
    read = Transcript.from_json(json.dumps(log.as_json()))
    (sight,) = sights(read, PACK, "x")
    assert exchanged(read, sight, PACK)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda events: events[::-1], "].t: expected at least "),
        (lambda events: [e | {"t": -5} for e in events], "events[0].t: expected seconds from 0, got -5\n"),
        (
            lambda events: [e | {"t": 1e308} for e in events],
            "events[0].t: expected seconds from 0, got 1e+308\n",
        ),
    ],
)
def test_times_that_cannot_be(pdcheck: Pdcheck, change: Callable[[Events], Events], told: str) -> None:
    write(change)
    said = pdcheck("judge", "x.json")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("pdcheck: x.json: events[")
    assert told in said.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["judge", "fifo.json"], "fifo.json: expected a file, got a FIFO"),
        (["replay", "fifo.json", GOOD], "fifo.json: expected a file, got a FIFO"),
        (["replay", "fifo.yaml", GOOD], "fifo.yaml: expected a file, got a FIFO"),
        (["--baseline", "fifo.yaml", GOOD], "--baseline fifo.yaml: not a regular file"),
        (["judge", "/dev/zero"], "/dev/zero: expected a file, got a device"),
    ],
)
def test_what_may_never_end_is_refused(pdcheck: Pdcheck, words: list[Any], told: str) -> None:
    os.mkfifo("fifo.json")
    os.mkfifo("fifo.yaml")
    assert pdcheck(*words) == (2, "", f"pdcheck: {told}\n")


def test_a_pipe_of_the_shell_is_read(gear: ModuleType, tmp_path: Path) -> None:
    done = gear.kit("judge", "-q", "/dev/stdin", cwd=tmp_path, stdin=played("basic/leads"))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("mark", ["\ufeff".encode(), "\ufeff".encode("utf-16-le")])
def test_a_byte_order_mark_is_named(pdcheck: Pdcheck, mark: bytes) -> None:
    coding = "utf-8" if len(mark) == 3 else "utf-16-le"
    Path("x.json").write_bytes(mark + played("basic/leads").encode(coding))
    said = pdcheck("judge", "x.json")
    assert said.status == 2
    assert said.err.startswith("pdcheck: x.json")
    assert "a byte order mark (BOM)" in said.err or "no UTF-8 at byte 0" in said.err


def test_names_of_others_do_not_control_the_terminal(pdcheck: Pdcheck) -> None:
    value = json.loads(played("basic/leads"))
    value["case"]["id"] = "a\x1b[2J\nb"
    value["setup"]["scenario"]["about"] = "PD-9\x1b[2J"
    Path("x.json").write_text(json.dumps(value), "utf-8")
    said = pdcheck("judge", "x.json")
    assert said.status == 2
    assert said.err[:-1].isprintable()
    value["setup"]["scenario"]["about"] = "PD-2.3"
    Path("x.json").write_text(json.dumps(value), "utf-8")
    for line in pdcheck("judge", "-v", "x.json").out.splitlines():
        assert line.isprintable()


def test_a_seat_without_an_exchange_does_not_keep_the_others_from_being_judged(
    pdcheck: Pdcheck, gear: ModuleType, tmp_path: Path
) -> None:
    seats = ["a", str(GOOD), "b", str(GOOD)]
    done = subprocess.run(
        [*gear.KIT, "match", "--seed", "4", "--transcript", "m.json", *seats],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0
    value = json.loads(Path("m.json").read_text("utf-8"))
    value["events"] = [event for event in value["events"] if event["seat"] != 0]
    Path("m.json").write_text(json.dumps(value), "utf-8")
    said = pdcheck("judge", "m.json")
    assert said.status == 0
    assert "note: m.json: events: expected messages to seat 0 (a)" in said.err
    assert said.out.count("a transcript: 1 case") == 1
    assert pdcheck("judge", "--seat", "a", "m.json").status == 2
