"""A watcher: each submission is judged once and told once, and what goes wrong is told and left to be tried again."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from fakejudge import content, in_a_thread
from pdcheck.conformance.gate import claims
from pdcheck.conformance.gate.arrivals import arrivals
from pdcheck.conformance.gate.children import Stopped
from pdcheck.conformance.gate.executors import Away
from pdcheck.conformance.gate.outcome import Result
from pdcheck.conformance.gate.queue import DONE, FAILED, WAITING, Queue
from pdcheck.conformance.gate.watching import CHANGED, Tally, watch
from place import PACE, Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_every_submission_has_one_result(place: Place) -> None:
    place.drop("good.py", "good")
    place.drop("bad.py", "status 1")
    (place.inbox / "folder").mkdir()
    (place.inbox / "folder" / "bot.c").write_text("c")
    assert place.once() == Tally(taken=3, judged=3)
    results = place.results()
    assert set(results) == {"good.py.json", "bad.py.json", "folder.json"}
    good = results["good.py.json"]
    assert good["report"] == {"text": "good", "name": "good.py"}
    assert (good["verdict"], good["exit_status"], good["feedback"]) == ("admit", 0, "about good.py")
    assert results["bad.py.json"]["verdict"] == "refuse"
    assert arrivals(place.inbox) == []
    assert place.kept(DONE) == ["bad.py", "folder", "good.py"]
    assert place.once() == Tally()
    assert place.results() == results


def test_the_same_again_is_another_submission(place: Place) -> None:
    for text in ("one", "two", "two"):
        place.drop("bot.py", text)
        place.once()
    told = {name: result["report"]["text"] for name, result in place.results().items()}
    assert told == {"bot.py.json": "one", "bot.py~2.json": "two", "bot.py~3.json": "two"}
    assert len({result["ticket"] for result in place.results().values()}) == 3


def test_a_result_that_was_taken_away_is_not_told_again(place: Place) -> None:
    place.drop("bot.py", "one")
    place.once()
    (place.outbox / "bot.py.json").unlink()
    place.once()
    assert place.results() == {}


def test_what_is_not_yet_there_is_left(place: Place) -> None:
    for name in (".hidden", "bot.py.part", "bot.py.tmp"):
        place.drop(name, "half")
    assert place.once() == Tally()
    assert len(os.listdir(place.inbox)) == 4
    (place.inbox / "bot.py.part").rename(place.inbox / "bot.py")
    assert place.once().judged == 1


def test_trouble_is_tried_again_and_never_held_against_a_submission(place: Place) -> None:
    place.drop("bot.py", "fine")
    answers = iter([Result(3, why="no compiler"), Result(4), Result(0, "fine")])
    assert place.once(lambda path, name: next(answers)).judged == 1
    result = place.results()["bot.py.json"]
    assert (result["verdict"], result["tries"]) == ("admit", 3)
    assert result["troubles"] == ["no compiler", "exit status 4"]


def test_trouble_without_end_is_told_as_an_error(place: Place) -> None:
    place.drop("bot.py", "fine")

    def judge(path: Path, name: str) -> Result:
        raise ZeroDivisionError("by the judge")

    assert place.once(judge) == Tally(taken=1, errors=1)
    (result,) = place.results().items()
    assert result[0] == "bot.py.error.json"
    assert result[1]["verdict"] == "error"
    assert result[1]["tries"] == PACE.tries
    assert all("by the judge" in trouble for trouble in result[1]["troubles"])
    assert place.kept(FAILED) == ["bot.py"]


def test_what_could_not_be_tried_counts_for_nothing(place: Place) -> None:
    place.drop("bot.py", "fine")
    answers = iter([Away("no cluster")] * 9)

    def judge(path: Path, name: str) -> Result:
        for error in answers:
            raise error
        return in_a_thread(path, name)

    assert place.once(judge).judged == 1
    result = place.results()["bot.py.json"]
    assert (result["tries"], result["troubles"]) == (1, [])
    assert place.words("trouble") == ["no cluster"], "told once, for it is the same all the time"


def test_a_wrong_use_is_not_tried_again(place: Place) -> None:
    place.drop("bot.py", "status 2")
    place.once()
    assert place.results()["bot.py.error.json"]["tries"] == 1


@pytest.mark.parametrize("report", [{"x": float("nan")}, {"x": {1, 2}}])
def test_a_report_that_is_no_json_is_trouble(place: Place, report: dict[str, Any]) -> None:
    place.drop("bot.py", "fine")
    place.once(lambda path, name: Result(0, "", report))
    assert set(place.results()) == {"bot.py.error.json"}


def test_a_submission_that_changes_while_it_is_judged_is_judged_again(place: Place) -> None:
    place.drop("bot.py", "half")
    seen = []

    def judge(path: Path, name: str) -> Result:
        seen.append(content(path))
        path.write_text("the whole of it")
        os.utime(path, ns=(1, 1))
        return in_a_thread(path, name)

    place.once(judge)
    assert seen == ["half", "the whole of it"]
    assert place.results()["bot.py.json"]["troubles"] == [CHANGED]


def test_a_second_one_dropped_while_the_first_is_judged_is_not_lost(place: Place) -> None:
    place.drop("bot.py", "one")

    def judge(path: Path, name: str) -> Result:
        if content(path) == "one":
            place.drop("bot.py", "two")
        return in_a_thread(path, name)

    assert place.once(judge).judged == 2
    assert {result["report"]["text"] for result in place.results().values()} == {"one", "two"}


def test_the_oldest_is_judged_first(place: Place) -> None:
    order: list[str] = []

    def judge(path: Path, name: str) -> Result:
        order.append(name)
        return in_a_thread(path, name)

    queue = Queue(place.inbox, place.outbox)
    for name in ("z", "m", "a"):
        place.drop(name, name)
        held = queue.take(name)
        assert held is not None
        held.release()
    place.once(judge, jobs=1)
    assert order == ["z", "m", "a"]


def test_no_more_are_judged_at_once_than_there_are_jobs(place: Place) -> None:
    for number in range(9):
        place.drop(f"{number}.py", "bot")
    lock, running, most = threading.Lock(), 0, 0
    both = threading.Barrier(3)

    def judge(path: Path, name: str) -> Result:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        both.wait()  # three are there at once, or the test hangs
        with lock:
            running -= 1
        return in_a_thread(path, name)

    place.once(judge, jobs=3)
    assert most == 3
    assert len(place.results()) == 9


def test_told_to_stop_it_ends_what_it_judges_and_gives_its_claims_back(place: Place) -> None:
    place.drop("bot.py", "one")
    place.drop("next.py", "two")

    def judge(path: Path, name: str) -> Result:
        place.stop.set()
        raise Stopped

    tally = watch(place.inbox, place.outbox, 1, judge, place.stop, pace=PACE, tell=place.told.append)
    assert tally == Tally(taken=2, stopped=1)
    assert place.results() == {}
    (first, second) = Queue(place.inbox, place.outbox).tickets(WAITING)
    for ticket in (first, second):
        claim = claims.claim(place.inbox / ".pdcheck" / WAITING / ticket)
        assert claim is not None
        claim.release()
    place.stop.clear()
    place.once()
    assert {name: result["troubles"] for name, result in place.results().items()} == {
        "bot.py.json": [],
        "next.py.json": [],
    }


def test_what_was_judged_when_it_is_told_to_stop_is_told(place: Place) -> None:
    place.drop("bot.py", "one")

    def judge(path: Path, name: str) -> Result:
        place.stop.set()
        return in_a_thread(path, name)

    watch(place.inbox, place.outbox, 1, judge, place.stop, pace=PACE)
    assert set(place.results()) == {"bot.py.json"}


def test_odd_names_get_results_of_names_that_are_text(place: Place) -> None:
    names = [b"caf\xc3\xa9.py", b"\xff\xfe.py", b"new\nline.py", b"x" * 255, b"error.json", b"-rf"]
    for name in names:
        (place.inbox / os.fsdecode(name)).write_text("bot")
    assert place.once().judged == len(names)
    results = place.results()
    assert len(results) == len(names)
    assert {"café.py.json", "%FF%FE.py.json", "new%0Aline.py.json", "error.json.json", "-rf.json"} <= set(
        results
    )
    assert all(name.isprintable() and len(name.encode()) <= 255 for name in results)


def test_links_and_devices_are_judged_as_they_are(place: Place, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (place.inbox / "link.py").symlink_to(tmp_path / "secret")
    (place.inbox / "nowhere.py").symlink_to(tmp_path / "nowhere")
    os.mkfifo(place.inbox / "fifo.py")
    kinds = []

    def judge(path: Path, name: str) -> Result:
        kinds.append((name, path.is_symlink(), path.is_fifo()))
        return Result(1)

    assert place.once(judge).judged == 3
    assert sorted(kinds) == [("fifo.py", False, True), ("link.py", True, False), ("nowhere.py", True, False)]
    assert (tmp_path / "secret").read_text() == "secret"
