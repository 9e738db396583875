"""The loop: what it stamps, whom it waits for, and how a bot's process is brought to its end."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pdcheck.conformance import parting
from pdcheck.conformance import runner as module
from pdcheck.conformance.delivery import PIECE_GAP
from pdcheck.conformance.runner import Runner
from pdcheck.conformance.transcript import (
    Ended,
    Event,
    Exit,
    Line,
    Note,
    Out,
    Ruled,
    Sent,
    Stderr,
    Transcript,
)
from pdcheck.conformance.transports import StartError, Transport
from pdcheck.conformance.transports.memory import MemoryTransport
from pdcheck.conformance.transports.process import READ_SIZE, Launch, ProcessTransport
from pdcheck.referee.framing import LINE_LIMIT
from pdcheck.referee.game import Ask, Course, Over, Together
from pdcheck.referee.match import Match
from pdcheck.referee.violations import Ruling

Play = Callable[..., Runner]

ECHO = "import sys\nfor line in sys.stdin: print('re:', line, end='', flush=True)"
STUBBORN = "import signal\nfor n in (15, 2, 1): signal.signal(n, signal.SIG_IGN)\nprint('up', flush=True)\n"


@pytest.fixture
def runner(gear: ModuleType, toys: ModuleType) -> Iterator[Play]:
    """`runner(code, times=…, time=…, …)`: a runner, entered, of a toy game that asks one Python bot."""
    entered = []

    def make(code: str | Sequence[str], times: int = 1, limit: float | None = None, **more: Any) -> Runner:
        game = {key: more.pop(key) for key in ("time", "grace", "by_cpu", "seats") if key in more}
        toy = toys.Toy(toys.asking(times, limit=limit), **{"time": 1000.0, **game})
        command = gear.python(code) if isinstance(code, str) else tuple(code)
        bot = ProcessTransport(Launch(command, {"PATH": "/usr/bin:/bin"}))
        made = Runner(Match(toy), [bot], Transcript(), **more).__enter__()
        entered.append(made)
        return made

    yield make
    for one in entered:
        one.close()


def of(runner: Runner, kind: type[Event]) -> list[Any]:
    """The events of one kind."""
    return [event for event in runner.log.events if type(event) is kind]


def notes(runner: Runner) -> list[str]:
    """What was noted, but for what depends on how busy the machine is."""
    return [note.what for note in of(runner, Note) if note.what != "starved"]


def broken(runner: Runner) -> list[str]:
    """The requirements broken, in order."""
    rulings = [event.ruling for event in of(runner, Ruled)]
    return [ruling.violation.requirement for ruling in rulings if ruling.violation]


def process(runner: Runner) -> ProcessTransport:
    transport = runner.transports[0]
    assert isinstance(transport, ProcessTransport)
    return transport


# --- stamps -------------------------------------------------------------------------------------------------


def test_every_message_has_both_stamps_and_time_counts_from_the_first(runner: Play) -> None:
    played = runner(ECHO, 50)
    played.play()
    sent, lines = of(played, Sent), of(played, Line)
    assert [line.data for line in lines] == [b"re: q%d" % number for number in range(50)]
    assert len(sent) == 50
    for message, line in zip(sent, lines, strict=True):
        assert played.log.start <= message.at <= message.done
        assert line.at > message.at
        assert line.cost == line.at - message.at
    for before, after in pairwise(sent):
        assert before.done <= after.at
    spent = played.match.budget(0).spent
    assert spent == pytest.approx(sum(line.cost for line in lines))
    assert [type(event) for event in played.log.events][-1] is Ended


def test_events_are_written_in_the_order_of_their_times(runner: Play) -> None:
    played = runner(f"import sys; sys.stderr.write('hello')\n{ECHO}", 5)
    played.play()
    played.part(0, "eof")
    ends = [event.at for event in played.log.events]
    assert ends == sorted(ends)
    assert b"".join(event.data for event in of(played, Stderr)) == b"hello"


def test_cpu_stamps_only_grow(runner: Play) -> None:
    played = runner(ECHO, 20)
    played.play()
    cpu = [event.cpu for event in played.log.events if isinstance(event, Sent | Line)]
    assert cpu == sorted(cpu)
    assert cpu[-1] > 0


def test_the_clock_is_the_one_that_was_given(gear: ModuleType, toys: ModuleType) -> None:
    ticks = iter(range(10**9))
    toy = toys.Toy(toys.asking(3), time=1e6)
    house = MemoryTransport(_Says([b"a\n", b"b\n", b"c\n"]))
    log = Transcript()
    with Runner(Match(toy), [house], log, clock=lambda: float(next(ticks))) as played:
        played.play()
    lines = of(played, Line)
    assert [line.cost > 0 for line in lines] == [True] * 3
    assert all(line.at == int(line.at) for line in lines)


# --- deadlines ----------------------------------------------------------------------------------------------


def test_a_line_that_drips_in_does_not_move_the_deadline(runner: Play) -> None:
    # A kit that starts its clock anew at each byte would wait for the LF, and take the answer.
    code = (
        "import select, sys\nsys.stdin.readline()\n"
        "for _ in range(2000):\n"
        "    sys.stdout.write('x'); sys.stdout.flush(); select.select([], [], [], 0.01)\n"
        "print(flush=True); sys.stdin.read()"
    )
    played = runner(code, time=0.5)
    played.play()
    assert broken(played) == ["IO-3"]
    (message,), (ruled, *_) = of(played, Sent), of(played, Ruled)
    assert ruled.at >= message.at + 0.5
    assert of(played, Line) == []
    assert sum(out.size for out in of(played, Out)) < 2000


def test_silence_lasts_as_long_as_the_budget_and_not_less(runner: Play) -> None:
    played = runner("import sys; sys.stdin.read()", time=0.3)
    played.play()
    assert broken(played) == ["TOY-5"]
    (message,), (ruled,) = of(played, Sent), of(played, Ruled)
    assert ruled.at >= message.at + 0.3


def test_a_limit_of_its_own_ends_a_question_that_the_budget_would_not(runner: Play) -> None:
    played = runner("import sys; sys.stdin.read()", limit=0.2, time=1e6)
    played.play()
    assert broken(played) == ["IO-9"]


def test_a_game_by_cpu_time_lets_a_bot_sleep_and_ends_one_that_works(runner: Play) -> None:
    sleeps = "import sys, time\nfor line in sys.stdin: time.sleep(0.3); print(flush=True)"
    played = runner(sleeps, 2, time=0.25, by_cpu=True)
    played.play()
    assert broken(played) == []
    works = runner("input()\nwhile True: pass", time=0.25, by_cpu=True)
    works.play()
    assert broken(works) == ["TOY-5"]


def test_an_impatient_runner_finds_a_deaf_bot_early(runner: Play) -> None:
    if not Path("/proc/self/syscall").exists():
        pytest.skip("this system does not tell what a process waits for")
    deaf = runner("import sys; sys.stdin.read()", time=1e5, impatient=True)
    deaf.play()
    assert broken(deaf) == ["TOY-5"]
    assert notes(deaf) == ["awaited", "deaf"]
    assert deaf.match.budget(0).spent == pytest.approx(1e5)


def test_an_impatient_runner_waits_for_one_that_works_or_sleeps(runner: Play) -> None:
    for delay in ("time.sleep(2.5)", "while time.process_time() < 2: pass"):
        played = runner(f"import time\ninput()\n{delay}\nprint('late', flush=True)\ninput()", impatient=True)
        played.play()
        assert broken(played) == []
        assert notes(played) == []


# --- memory players -----------------------------------------------------------------------------------------


class _Says:
    """A house player with its answers laid out."""

    def __init__(self, answers: list[bytes | None]) -> None:
        self.answers = answers
        self.heard: list[bytes] = []

    def answer(self, message: bytes) -> bytes | None:
        self.heard.append(message)
        return self.answers.pop(0)


def _house(toys: ModuleType, answers: list[bytes | None], times: int = 3) -> tuple[Runner, _Says, Any]:
    toy = toys.Toy(toys.asking(times), time=1e9)
    player = _Says(answers)
    return Runner(Match(toy), [MemoryTransport(player)], Transcript()), player, toy


def test_a_house_player_answers_before_anything_is_waited_for(toys: ModuleType) -> None:
    runner, player, _ = _house(toys, [b"a\n", b"b\n", b"c\n"])
    with runner:
        runner.play()
    assert player.heard == [b"q0\n", b"q1\n", b"q2\n"]
    assert [line.data for line in of(runner, Line)] == [b"a", b"b", b"c"]


def test_an_idle_house_player_runs_out_of_its_time_at_once(toys: ModuleType) -> None:
    runner, _, toy = _house(toys, [b"a\n", None])
    with runner:
        runner.play()
    assert toy.lapse == "TOY-5"
    assert runner.match.budget(0).left <= 0
    assert broken(runner) == ["TOY-5"]


def test_a_house_player_may_die(toys: ModuleType) -> None:
    runner, _, toy = _house(toys, [b"a\n", b""])
    with runner:
        runner.play()
    assert toy.lapse == "IO-1"


def test_a_house_player_has_nothing_to_end_and_no_descriptor() -> None:
    transport = MemoryTransport(_Says([]))
    transport.start(lambda fd, mask: None)
    transport.end_input()
    transport.stop()
    transport.stop()
    assert transport.prompt() is None
    assert transport.cpu() == 0.0
    with pytest.raises(AssertionError):
        transport.ready(3, 1)


def test_several_are_asked_at_once_and_an_idle_one_holds_up_nobody(
    toys: ModuleType, gear: ModuleType
) -> None:
    def course(toy: Any) -> Course:
        toy.outcomes = yield Together(tuple(Ask(seat, b"q\n", "question") for seat in range(3)))
        yield Over("done", ())

    toy = toys.Toy(course, seats=3, time=1e9)
    bot = ProcessTransport(Launch(gear.python(ECHO), {}))
    transports: list[Transport] = [MemoryTransport(_Says([None])), bot, MemoryTransport(_Says([b"x\n"]))]
    with Runner(Match(toy), transports, Transcript()) as runner:
        runner.play()
    assert [type(outcome).__name__ for outcome in toy.outcomes] == ["Lapse", "Answer", "Answer"]


# --- floods, pieces -----------------------------------------------------------------------------------------


def test_output_without_a_newline_is_bounded(runner: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OUTPUT_LIMIT", LINE_LIMIT + (4 << 20))
    flood = "import os\nwhile True: os.write(1, b'x' * 65536)"
    played = runner(flood)
    played.play()
    assert broken(played) == ["IO-3"]
    played.part(0, "eof", 1.5)
    outs = of(played, Out)
    assert sum(out.size for out in outs) <= LINE_LIMIT + (4 << 20) + READ_SIZE
    assert sum(len(out.data) for out in outs) <= LINE_LIMIT + (1 << 20)
    assert notes(played) == ["eof", "flood", "stays"]


def test_what_was_sent_in_pieces_arrives_whole_and_counts_from_the_first(runner: Play) -> None:
    def split(seat: int, data: bytes) -> list[bytes]:
        assert seat == 0
        return [data[at : at + 1] for at in range(len(data))]

    code = (
        "import os, sys\nfor _ in range(3):\n"
        "    line, reads = b'', 0\n"
        "    while not line.endswith(b'\\n'): line += os.read(0, 100); reads += 1\n"
        "    print(reads, line, flush=True)"
    )
    played = runner(code, 3, split=split)
    played.play()
    lines = of(played, Line)
    assert [line.data.split(b" ", 1)[1] for line in lines] == [b"b'q%d\\n'" % number for number in range(3)]
    assert any(int(line.data.split()[0]) > 1 for line in lines)
    for message, line in zip(of(played, Sent), lines, strict=True):
        assert message.data.endswith(b"\n")
        assert line.cost >= 2 * PIECE_GAP
        assert line.cost == line.at - message.at


# --- the end ------------------------------------------------------------------------------------------------


def test_a_bot_that_dies_is_heard_to_its_end_first(runner: Play) -> None:
    played = runner("import sys\ninput()\nsys.stderr.write('oh no')\nprint('last')\nsys.exit(5)", 2)
    played.play()
    assert [line.data for line in of(played, Line)] == [b"last"]
    assert broken(played) == ["IO-1"]
    played.part(0, "eof")
    (end,) = of(played, Exit)
    assert end.status == 5
    assert end.peak_kib > 0
    assert b"".join(event.data for event in of(played, Stderr)) == b"oh no"


def test_a_bot_whose_grandchild_holds_its_stdout_is_dead_all_the_same(runner: Play) -> None:
    played = runner(["/bin/sh", "-c", "read x; sleep 1000 & exit 0"])
    played.play()
    assert broken(played) == ["IO-1"]


def test_a_bot_that_closes_its_stdout_cannot_answer(runner: Play) -> None:
    played = runner(["/bin/sh", "-c", "exec >&-; exec sleep 1000"])
    played.play()
    assert broken(played) == ["IO-1"]
    assert of(played, Exit) == []


def test_a_bot_that_never_reads_runs_out_of_time(gear: ModuleType, toys: ModuleType) -> None:
    def course(toy: Any) -> Course:
        outcome = yield Ask(0, b"x" * (10 << 20) + b"\n", "question")
        yield Ruling(0, "out", violation=outcome.violation)
        yield toys.OVER

    toy = toys.Toy(course, time=0.3)
    bot = ProcessTransport(Launch(gear.python("import signal; signal.pause()"), {}))
    with Runner(Match(toy), [bot], Transcript()) as runner:
        runner.play()
        assert bot.unread > 0
    assert broken(runner) == ["TOY-5"]
    assert bot.unread == 0


@pytest.mark.parametrize(
    ("code", "how", "seen", "status"),
    [
        ("input(); print(flush=True)", "quit", ["quit"], 0),
        (ECHO, "eof", ["eof"], 0),
        (ECHO + "\nsys.exit(3)", "eof", ["eof"], 3),
        (ECHO, "term", ["term"], -signal.SIGTERM),
        (ECHO, "quit", ["quit", "stays"], None),
        ("input(); print(flush=True)\nwhile True: pass", "eof", ["eof", "stays"], None),
        ("import signal; signal.signal(15, signal.SIG_IGN)\n" + ECHO, "term", ["term", "stays"], None),
    ],
    ids=["quits", "eof", "eof-3", "term", "stays-at-quit", "stays-at-eof", "ignores-term"],
)
def test_how_a_bot_parts(runner: Play, code: str, how: str, seen: list[str], status: int | None) -> None:
    played = runner(code)
    played.play()
    played.part(0, how, 0.3 if status is None else 60.0)
    assert notes(played) == seen
    assert process(played).status == status
    assert [end.status for end in of(played, Exit)] == ([] if status is None else [status])


def test_survivors_of_its_group_are_noted_and_ended(runner: Play, gear: ModuleType) -> None:
    code = (
        "import os, sys\n"
        "child = os.posix_spawn('/bin/sleep', ['sleep', '1000'], {})\n"
        "input(); print(child, flush=True); input()"
    )
    played = runner(code)
    played.play()
    played.part(0, "eof", 1.0)
    assert notes(played) == ["eof", "survivors"]
    child = int(of(played, Line)[0].data)
    played.close()
    gear.until(lambda: not gear.alive(child), "the child is gone")


def test_parting_from_a_house_player_is_nothing(toys: ModuleType) -> None:
    runner, _, _ = _house(toys, [b"a\n"], 1)
    with runner:
        runner.play()
        runner.part(0, "eof")
    assert notes(runner) == []


@pytest.mark.parametrize("code", ["print('ready', flush=True)\n" + ECHO, ECHO], ids=["speaks", "silent"])
def test_resting_hears_what_a_bot_says_before_it_is_spoken_to(runner: Play, code: str) -> None:
    played = runner(code)
    played.rest(0)
    heard = b"".join(out.data for out in of(played, Out))
    assert heard == (b"ready\n" if "ready" in code else b"")
    assert of(played, Sent) == []
    played.play()
    assert broken(played) == (["IO-2", "IO-2"] if heard else [])


def test_resting_ends_with_a_bot_that_dies_or_never_rests(
    runner: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parting, "REST_AT_MOST", 0.5)
    for code in ("pass", "while True: pass"):
        runner(code).rest(0)


def test_whatever_happens_every_player_is_stopped(gear: ModuleType, toys: ModuleType) -> None:
    bots = [ProcessTransport(Launch(gear.python(STUBBORN + "signal.pause()"), {})) for _ in range(2)]
    toy = toys.Toy(toys.asking(1), seats=2)
    with pytest.raises(ZeroDivisionError), Runner(Match(toy), bots, Transcript()):
        raise ZeroDivisionError
    assert [bot.status for bot in bots] == [-signal.SIGKILL] * 2


def test_a_bot_that_does_not_start_ends_those_that_did(gear: ModuleType, toys: ModuleType) -> None:
    good = ProcessTransport(Launch(gear.python(ECHO), {}))
    bad = ProcessTransport(Launch(("/no/such/program",), {}))
    with pytest.raises(StartError), Runner(Match(toys.Toy(toys.asking(1))), [good, bad], Transcript()):
        raise AssertionError("it was entered")
    assert good.status == -signal.SIGKILL


def test_the_loop_works_without_pidfd(runner: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(pid: int) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr("os.pidfd_open", missing, raising=False)
    played = runner(["/bin/sh", "-c", "read x; sleep 1000 & exit 4"])
    played.play()
    assert broken(played) == ["IO-1"]
    assert [end.status for end in of(played, Exit)] == [4]
    echo = runner(ECHO, 5)
    echo.play()
    echo.part(0, "eof")
    assert process(echo).status == 0


def test_no_descriptor_stays_registered(runner: Play) -> None:
    played = runner(ECHO)
    played.play()
    played.part(0, "eof")
    played.close()
    assert played._owner == {}
    assert played._poll.poll(0) == []
