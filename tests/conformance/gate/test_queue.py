"""The queue under several watchers, on full disks, and where claims are ended."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from fakejudge import in_a_thread
from pdcheck.conformance.gate import durable
from pdcheck.conformance.gate.arrivals import arrivals
from pdcheck.conformance.gate.outcome import Result, outcome_of
from pdcheck.conformance.gate.queue import TOLD, WAITING, Queue
from pdcheck.conformance.gate.watching import MOST_TAKEN, Tally, watch
from pdcheck.conformance.usage import UsageError
from place import PACE, Enough, Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


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


def test_nothing_is_told_before_its_ticket_is_done(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else its holder, killed in that moment, would be followed by one that tells it again."""
    place.drop("bot.py", "one")
    queue, other = (Queue(place.inbox, place.outbox) for _ in range(2))
    held = queue.take("bot.py")
    assert held is not None
    queue.keep(held, outcome_of("bot.py", held.ticket, Result(0), []))
    queue.close(held)
    step = durable.move
    seen = []

    def move(source: Path, target: Path) -> None:
        seen.append((other.ready(), other.publish(held.ticket)))
        step(source, target)

    monkeypatch.setattr(durable, "move", move)
    queue.hand_over(held)
    held.release()
    assert seen == [([held.ticket], None)]
    assert other.publish(held.ticket) == "bot.py.json"
    assert queue.publish(held.ticket) is None
    assert set(place.results()) == {"bot.py.json"}


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


def test_what_is_no_ticket_is_left_alone(place: Place) -> None:
    place.once()
    for stage in (WAITING, TOLD):
        (place.inbox / ".pdcheck" / stage / ".nfs0001").write_text("a file system's own")
    place.drop("bot.py", "one")
    assert place.once().judged == 1
    assert place.words("trouble") == []


def test_an_empty_ticket_of_a_killed_watcher_goes(place: Place) -> None:
    queue = Queue(place.inbox, place.outbox)
    for number, parts in enumerate(("", "upload", "claim", "upload/ claim")):
        folder = queue.place(WAITING, f"{number:020d}-00000000")
        folder.mkdir()
        for part in parts.split():
            (folder / part).mkdir() if part.startswith("upload") else (folder / part).touch()
    assert place.once() == Tally()
    assert queue.tickets(WAITING) == []


def test_many_that_are_dropped_at_once_are_all_judged(place: Place) -> None:
    for number in range(3 * MOST_TAKEN):
        place.drop(f"{number}.py", "bot")
    assert place.once().judged == 3 * MOST_TAKEN
    assert len(place.results()) == 3 * MOST_TAKEN
