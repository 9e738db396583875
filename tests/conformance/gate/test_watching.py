"""A watcher: each submission is judged once and told once, and what goes wrong is told and left to be tried again."""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakejudge import content, in_a_thread
from pdcheck.conformance.gate import claims, durable
from pdcheck.conformance.gate.arrivals import Steady, arrivals, look_of
from pdcheck.conformance.gate.children import Stopped
from pdcheck.conformance.gate.executors import Away
from pdcheck.conformance.gate.outcome import Result, file_name, numbered, outcome_of
from pdcheck.conformance.gate.pace import Pace, Pauses
from pdcheck.conformance.gate.queue import DONE, FAILED, TOLD, WAITING, Queue
from pdcheck.conformance.gate.watching import CHANGED, Tally, Told, watch
from pdcheck.conformance.usage import UsageError

PACE = Pace(interval=0.002, settle=0.0, tries=3, pause=0.0)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Place:
    """An inbox, an outbox, and what a watcher tells."""

    def __init__(self, base: Path) -> None:
        self.inbox, self.outbox = base / "in", base / "out"
        self.inbox.mkdir()
        self.outbox.mkdir()
        self.told: list[Told] = []
        self.stop = threading.Event()

    def drop(self, name: str, text: str) -> None:
        (self.inbox / name).write_text(text)

    def once(
        self, judge: Callable[[Path, str], Result] = in_a_thread, pace: Pace = PACE, jobs: int = 2
    ) -> Tally:
        return watch(
            self.inbox, self.outbox, jobs, judge, self.stop, once=True, pace=pace, tell=self.told.append
        )

    def results(self) -> dict[str, Any]:
        return {path.name: json.loads(path.read_text()) for path in self.outbox.glob("*.json")}

    def kept(self, stage: str) -> list[str]:
        return sorted(path.name for path in (self.inbox / ".pdcheck" / stage).glob("*/upload/*"))

    def words(self, what: str) -> list[str]:
        return [told.detail or told.name for told in self.told if told.what == what]


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


@pytest.mark.parametrize("step", ["move", "write", "move_new"])
def test_a_full_disk_loses_nothing(place: Place, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    place.once()
    place.drop("bot.py", "one")
    place.drop("other.py", "two")
    real, calls = getattr(durable, step), iter(range(1000))

    def full(*arguments: Any) -> Any:
        if next(calls) % 3 == 0:
            raise OSError(errno.ENOSPC, "no space left")
        return real(*arguments)

    monkeypatch.setattr(durable, step, full)
    place.stop = Enough(place, 2)
    watch(place.inbox, place.outbox, 2, in_a_thread, place.stop, pace=PACE, tell=place.told.append)
    assert {name: result["verdict"] for name, result in place.results().items()} == {
        "bot.py.json": "admit",
        "other.py.json": "admit",
    }
    assert "no space left" in " ".join(place.words("trouble"))


class Enough(threading.Event):
    """Set when the outbox has so many results, or after very many looks."""

    def __init__(self, place: Place, results: int) -> None:
        super().__init__()
        self._place, self._results, self._looks = place, results, 0

    def is_set(self) -> bool:
        self._looks += 1
        if len(list(self._place.outbox.glob("*.json"))) >= self._results or self._looks > 20_000:
            self.set()
        return super().is_set()


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


@pytest.mark.parametrize("stage", [WAITING, TOLD])
def test_a_claim_that_nobody_confirms_is_ended(place: Place, stage: str) -> None:
    """Its holder is stopped, and goes on when another has told the result."""
    place.drop("bot.py", "one")
    queue = Queue(place.inbox, place.outbox)
    held = queue.take("bot.py")
    assert held is not None
    if stage == TOLD:
        queue.keep(held, outcome_of("bot.py", held.ticket, Result(0), []))
        queue.close(held)
    place.stop = Enough(place, 1)
    pace = PACE._replace(patience=0.05)
    watch(place.inbox, place.outbox, 1, in_a_thread, place.stop, pace=pace, tell=place.told.append)
    assert len(place.words("moved")) == 1
    before = place.results()
    assert set(before) == {"bot.py.json"}
    step = queue.close if stage == WAITING else queue.hand_over
    with pytest.raises((FileNotFoundError, ValueError)):
        step(held)
    held.release()
    place.stop = threading.Event()
    place.once()
    assert place.results() == before


def test_an_outcome_that_a_disk_has_lost_is_judged_anew(place: Place) -> None:
    place.drop("bot.py", "one")
    queue = Queue(place.inbox, place.outbox)
    held = queue.take("bot.py")
    assert held is not None
    queue.keep(held, outcome_of("bot.py", held.ticket, Result(1), []))
    queue.close(held)
    held.release()
    (held.folder / "outcome.json").write_bytes(bytes(100))
    place.once()
    assert place.results()["bot.py.json"]["verdict"] == "admit"


def test_a_holder_that_goes_on_in_the_middle_of_handing_over_tells_nothing(place: Place) -> None:
    """It has written the result already when another takes its ticket over."""
    place.drop("bot.py", "one")
    queue = Queue(place.inbox, place.outbox)
    held = queue.take("bot.py")
    assert held is not None
    queue.keep(held, outcome_of("bot.py", held.ticket, Result(0), []))
    queue.close(held)
    write = durable.write

    def taken_over(path: Path, data: bytes) -> None:
        write(path, data)
        assert queue.take_over(TOLD, held.ticket)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(durable, "write", taken_over)
        with pytest.raises(FileNotFoundError):
            queue.hand_over(held)
    held.release()
    place.once()
    assert set(place.results()) == {"bot.py.json"}
    assert not [name for ready in (place.outbox / ".pdcheck").iterdir() for name in os.listdir(ready)]


def test_a_running_watchers_claims_are_confirmed(place: Place) -> None:
    """It judges for far longer than the other one is patient."""
    place.drop("bot.py", "one")
    started, other_gone = threading.Event(), threading.Event()
    judged: list[str] = []

    def slow(path: Path, name: str) -> Result:
        judged.append("slow")
        started.set()
        other_gone.wait()
        return in_a_thread(path, name)

    def quick(path: Path, name: str) -> Result:
        judged.append("quick")
        return in_a_thread(path, name)

    pace = PACE._replace(patience=2.0)
    first = threading.Thread(
        target=watch,
        args=(place.inbox, place.outbox, 1, slow, place.stop),
        kwargs={"pace": pace, "once": True},
    )
    first.start()
    started.wait()
    looks = Enough(place, 1)
    looks._looks = 19_000  # a thousand looks of 2 ms and more: longer than it is patient
    watch(place.inbox, place.outbox, 1, quick, looks, pace=pace, tell=place.told.append)
    other_gone.set()
    first.join()
    assert judged == ["slow"]
    assert place.words("moved") == []


def test_two_inboxes_of_one_outbox_meet_and_none_is_replaced(tmp_path: Path) -> None:
    one, two = Place(tmp_path), tmp_path / "other"
    two.mkdir()
    one.drop("bot.py", "one")
    (two / "bot.py").write_text("two")
    one.once()
    watch(two, one.outbox, 1, in_a_thread, threading.Event(), once=True, pace=PACE)
    assert {result["report"]["text"] for result in one.results().values()} == {"one", "two"}


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


def test_what_cannot_be_taken_is_told_and_stays(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.drop("mine.py", "one")
    place.drop("theirs.py", "two")
    real = durable.move

    def move(source: Path, target: Path) -> None:
        if source.parent == place.inbox and source.name == "theirs.py":
            raise PermissionError(errno.EPERM, "not yours")
        real(source, target)

    monkeypatch.setattr(durable, "move", move)
    assert place.once(pace=PACE._replace(pause=1000.0)).judged == 1
    assert [told.name for told in place.told if told.what == "trouble"] == ["theirs.py"]
    assert arrivals(place.inbox) == ["theirs.py"]
    monkeypatch.undo()
    assert place.once().judged == 1, "it is tried again"


def test_folders_that_will_not_do(tmp_path: Path) -> None:
    inbox, outbox = tmp_path / "in", tmp_path / "out"
    inbox.mkdir()
    for wrong in (outbox, inbox, inbox / "out", inbox / "a" / ".." / "out"):
        if wrong.parent.parent == inbox:
            (inbox / "a").mkdir()
            (inbox / "out").mkdir(exist_ok=True)
        with pytest.raises(UsageError):
            Queue(inbox, wrong)
    outbox.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (inbox / ".pdcheck").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="not a folder"):
        Queue(inbox, outbox)


def test_a_look_tells_what_was_written_and_not_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "a").write_text("a")
    (folder / "in" / "loop").symlink_to(folder)
    looks = [look_of(folder)]
    folder.rename(tmp_path / "renamed")
    folder = tmp_path / "renamed"
    assert look_of(folder) == looks[0]
    for change in (
        lambda: (folder / "in" / "a").write_text("longer"),
        lambda: os.utime(folder / "in" / "a", ns=(5, 5)),
        lambda: (folder / "in" / "b").mkdir(),
        lambda: (folder / "in" / "b").rename(folder / "b"),
    ):
        change()
        looks.append(look_of(folder))
    assert len(set(looks)) == len(looks)
    with pytest.raises(FileNotFoundError):
        look_of(tmp_path / "nothing")


def test_steady_is_what_looks_the_same_for_long_enough() -> None:
    clock = Clock()
    steady = Steady(1.0, clock)
    seen = []
    for clock.now, look in ((0, "a"), (0.5, "a"), (1, "b"), (1.5, "b"), (2, "b"), (3, "a")):
        seen.append(steady.is_steady("bot", look))
    assert seen == [False, False, False, False, True, False]
    steady.vouch("other", "x")
    assert steady.is_steady("other", "x")
    steady.only(["bot"])
    assert not steady.is_steady("other", "x")


def test_pauses_grow_and_have_an_end() -> None:
    pace = Pace(pause=5, longest_pause=30)
    assert [pace.pause_after(troubles) for troubles in (0, 1, 2, 3, 4, 5000)] == [0, 5, 10, 20, 30, 30]
    clock = Clock()
    pauses = Pauses(pace, clock)
    seen = [pauses.is_over("t", 1)]
    for clock.now in (4.9, 5.0):
        seen.append(pauses.is_over("t", 1))
    assert seen == [False, False, True]
    assert not pauses.is_over("t", 2), "it failed again: another, longer pause"
    assert pauses.is_over("other", 0)
    pauses.failed("other")
    assert not pauses.is_over("other", 0)


def test_names_of_results() -> None:
    assert [numbered("a.json", number) for number in (1, 2)] == ["a.json", "a~2.json"]
    assert numbered("a.error.json", 3) == "a~3.error.json"
    with pytest.raises(ValueError, match="no result's name"):
        numbered("a.txt", 2)
    long = [file_name("é" * 120 + str(number)) for number in range(2)]
    assert len(set(long)) == 2
    assert all(len(name.encode()) <= 200 for name in long)
