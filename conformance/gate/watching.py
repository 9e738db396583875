"""Watches an inbox and has each submission judged once.

Law: one thread changes the queue, the others only judge. Whatever goes wrong with one submission is told and leaves
the others alone; whatever goes wrong with the queue is told and tried again at the next look. A watcher that is told
to stop ends what it judges, gives its claims back and counts nothing against what was ended.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import math
import signal
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pdcheck.conformance.gate.arrivals import Steady, arrivals, look_of
from pdcheck.conformance.gate.children import Stopped
from pdcheck.conformance.gate.claims import Patience
from pdcheck.conformance.gate.executors import Away, Judge
from pdcheck.conformance.gate.outcome import HOPELESS, TROUBLE, Outcome, Result, dumped, outcome_of, shown
from pdcheck.conformance.gate.pace import Pace, Pauses
from pdcheck.conformance.gate.queue import TOLD, WAITING, Held, Queue

_INBOX = "/"
"""Before a name of the inbox, which is then no ticket's."""
CHANGED = "it changed while it was judged"
MOST_TAKEN = 32
"""In one look: however many are dropped at once, the first ones are judged meanwhile."""
TOLD_AGAIN = 60.0
"""Seconds after which the same trouble is told again."""
STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Told(NamedTuple):
    """Something that happened. `what`: taken, judging, told, again (it will be tried again), stopped, moved (a claim
    was ended), trouble. `name` and `detail` are safe to show."""

    what: str
    name: str
    detail: str = ""


Tell = Callable[[Told], None]


@dataclass(slots=True)
class Tally:
    """What one watcher did."""

    taken: int = 0
    judged: int = 0
    errors: int = 0
    stopped: int = 0


def watch(
    inbox: Path,
    outbox: Path,
    jobs: int,
    judge: Judge,
    stop: threading.Event,
    *,
    once: bool = False,
    pace: Pace = Pace(),  # noqa: B008 (it is frozen)
    tell: Tell = lambda told: None,
) -> Tally:
    """Judge what is dropped into `inbox`, up to `jobs` at a time, each in a thread that calls `judge`, and tell it in
    `outbox`; until `stop` is set or, with `once`, until nothing is left to do that no other watcher is doing. Raises
    UsageError when the two folders will not do; with `once`, OSError when the inbox cannot be read."""
    queue = Queue(inbox.absolute(), outbox.absolute())
    watcher = _Watcher(queue, jobs, judge, stop, pace, tell)
    with watcher.pool:
        try:
            watcher.run(once)
        except BaseException:
            stop.set()  # or the threads would be waited for as long as they judge
            raise
        finally:
            watcher.finish()
    return watcher.tally


@dataclass(slots=True)
class _Job:
    """A submission that is being judged."""

    held: Held
    path: Path
    look: str
    troubles: list[str]


class _Watcher:
    def __init__(
        self, queue: Queue, jobs: int, judge: Judge, stop: threading.Event, pace: Pace, tell: Tell
    ) -> None:
        self.tally = Tally()
        self.pool = ThreadPoolExecutor(jobs, "judge")
        self._queue, self._jobs, self._judge = queue, jobs, judge
        self._stop, self._pace, self._tell = stop, pace, tell
        self._steady = Steady(pace.settle)
        self._patience = Patience(pace.patience)
        self._pauses = Pauses(pace)
        self._running: dict[Future[Result], _Job] = {}
        self._confirmed = time.monotonic()
        self._told: dict[Told, float] = {}

    def run(self, once: bool) -> None:
        """Look, and look again."""
        while not self._stop.is_set():
            try:
                left = self._look()
            except OSError as error:
                if once:
                    raise
                self._trouble("", error)
                left = 1
            if once and not left and not self._running:
                return
            self._rest()

    def finish(self) -> None:
        """Wait for what is being judged, and tell what is known."""
        while self._running:
            concurrent.futures.wait(self._running, self._pace.confirms, concurrent.futures.FIRST_COMPLETED)
            self._confirm()
            self._collect()
        with contextlib.suppress(OSError):
            self._publish()

    def _rest(self) -> None:
        if self._running:
            first = concurrent.futures.FIRST_COMPLETED
            concurrent.futures.wait(self._running, self._pace.interval, first)
        else:
            self._stop.wait(self._pace.interval)

    def _look(self) -> int:
        """One look at everything; how much is left to do that no other watcher is doing."""
        self._confirm()
        self._collect()
        left = self._take()
        left += self._finish_told()
        left += self._hand_out()
        self._publish()
        return left

    def _confirm(self) -> None:
        now = time.monotonic()
        if now - self._confirmed >= self._pace.confirms:
            self._confirmed = now
            for job in self._running.values():
                job.held.claim.confirm()

    def _take(self) -> int:
        """Take what is complete; how many are not yet."""
        left = tried = 0
        names = arrivals(self._queue.inbox)
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                look = look_of(self._queue.inbox / name)
                if not self._pauses.is_over(_INBOX + name, 0):
                    continue  # it could not be taken; that is no reason to wait with `once`
                steady = self._steady.is_steady(name, look)
                if not steady or tried >= MOST_TAKEN or self._stop.is_set():
                    left += 1
                    continue
                tried += 1
                left += not self._take_one(name, look)
        waiting = self._queue.tickets(WAITING)
        self._steady.only([*names, *waiting])
        self._pauses.only([*(_INBOX + name for name in names), *waiting])
        return left

    def _take_one(self, name: str, look: str) -> bool:
        """Whether it need not be looked at again at once."""
        try:
            held = self._queue.take(name)
        except OSError as error:
            self._pauses.failed(_INBOX + name)
            self._trouble(name, error)
            return True
        if held is None:
            return False
        try:
            path = self._queue.upload(held)
            # Another may have dropped a second one of this name, not yet whole, after another watcher took the first.
            if path and look_of(path) == look:
                self._steady.vouch(held.ticket, look)
        finally:
            held.release()
        self.tally.taken += 1
        self._tell(Told("taken", shown(name)))
        return True

    def _finish_told(self) -> int:
        """Hand over what was judged by a watcher that ended before it could; how many are left."""
        left = 0
        for ticket in self._queue.tickets(TOLD):
            held = self._queue.hold(TOLD, ticket)
            if held is None:
                left += self._look_after(TOLD, ticket)
                continue
            with self._released(held):
                if self._queue.has_outcome(held):
                    self._queue.hand_over(held)
                else:
                    self._queue.reopen(held)
        return left

    def _hand_out(self) -> int:
        """Have as many judged as there is room for; how many wait for their time."""
        left = 0
        tickets = self._queue.tickets(WAITING)
        self._patience.only(
            self._queue.place(stage, ticket)
            for stage, some in ((WAITING, tickets), (TOLD, self._queue.tickets(TOLD)))
            for ticket in some
        )
        mine = {job.held.ticket for job in self._running.values()}
        for ticket in tickets:
            if len(self._running) >= self._jobs or self._stop.is_set():
                return left + 1
            if ticket in mine:
                continue
            held = self._queue.hold(WAITING, ticket)
            left += self._start(held) if held else self._look_after(WAITING, ticket)
        return left

    def _look_after(self, stage: str, ticket: str) -> int:
        """End a claim that nobody confirms; whether this leaves something to do."""
        if not self._patience.is_over(self._queue.place(stage, ticket)):
            return 0
        other = self._queue.take_over(stage, ticket)
        if other:
            self._tell(Told("moved", "", f"{ticket} is now {other}: its watcher did not confirm its claim"))
        return 1

    def _start(self, held: Held) -> int:
        """Have one judged, if its time has come; 1 when something is left to do with it."""
        try:
            job = self._job(held)
        except Exception as error:
            held.release()
            if not isinstance(error, FileNotFoundError):  # else it was taken over
                self._trouble("", error)
            return 1
        if job is None:
            held.release()
            return 1
        self._tell(Told("judging", shown(job.path.name)))
        self._running[self.pool.submit(self._judge, job.path, job.path.name)] = job
        return 0

    def _job(self, held: Held) -> _Job | None:
        """What is to be judged; None when that is nothing, or not now."""
        if self._queue.has_outcome(held):
            self._queue.close(held)
            self._queue.hand_over(held)
            return None
        path = self._queue.upload(held)
        if path is None:
            self._queue.drop(held)
            return None
        look, troubles = look_of(path), self._queue.troubles(held)
        if not self._steady.is_steady(held.ticket, look) or not self._pauses.is_over(
            held.ticket, len(troubles)
        ):
            return None
        return _Job(held, path, look, troubles)

    def _collect(self) -> None:
        """Deal with what is judged."""
        for future in [future for future in self._running if future.done()]:
            job = self._running.pop(future)
            with self._released(job.held):
                try:
                    result = _result(future, job)
                except Stopped:
                    self.tally.stopped += 1
                    self._tell(Told("stopped", shown(job.path.name)))
                    continue
                except Away as error:  # nothing was tried, so nothing counts
                    self._pauses.failed(job.held.ticket)
                    self._trouble(job.path.name, error)
                    continue
                self._settle(job, result)

    def _settle(self, job: _Job, result: Result) -> None:
        name, troubles = job.path.name, job.troubles
        if not result.is_verdict:
            troubles = [*troubles, result.why or f"exit status {result.status}"]
            if len(troubles) < self._pace.tries and result.status not in HOPELESS:
                self._queue.note_troubles(job.held, troubles)
                self._tell(Told("again", shown(name), shown(troubles[-1])))
                return
        outcome: Outcome = outcome_of(name, job.held.ticket, result, troubles)
        self._queue.keep(job.held, outcome)
        self._queue.close(job.held)
        self.tally.judged += result.is_verdict
        self.tally.errors += not result.is_verdict
        self._queue.hand_over(job.held)

    def _publish(self) -> None:
        for ticket in self._queue.ready():
            try:
                file = self._queue.publish(ticket)
            except OSError as error:  # it stays ready, and the others do not wait for it
                self._trouble("", error)
                continue
            if file:
                self._tell(Told("told", file))

    @contextlib.contextmanager
    def _released(self, held: Held) -> Iterator[None]:
        """Whatever comes of the step: its claim is released, and trouble is told."""
        try:
            yield
        except Exception as error:  # whatever it is, it is about this one submission
            self._pauses.failed(held.ticket)
            self._trouble("", error)
        finally:
            held.release()

    def _trouble(self, name: str, error: Exception) -> None:
        """Tell it; what lasts is not told at every look."""
        told, now = Told("trouble", shown(name), shown(str(error))), time.monotonic()
        if now - self._told.get(told, -math.inf) >= TOLD_AGAIN:
            self._told = {one: at for one, at in self._told.items() if now - at < TOLD_AGAIN} | {told: now}
            self._tell(told)


def _result(future: Future[Result], job: _Job) -> Result:
    """What came of a judging. Raises Stopped, Away."""
    try:
        result = future.result()
        dumped(result.report)
    except (Stopped, Away):
        raise
    except Exception:
        return Result(TROUBLE, why=traceback.format_exc(limit=-3))
    try:
        same = look_of(job.path) == job.look
    except OSError:
        same = False
    return result if same else Result(TROUBLE, why=CHANGED)


@contextlib.contextmanager
def stopping(stop: threading.Event) -> Iterator[None]:
    """Have signals set `stop`, for as long as this is entered; only in the main thread. A handler may not set an event
    itself: the thread it interrupts may be inside that event's lock."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    caught = [one for one in STOPPING if one == signal.SIGTERM or signal.getsignal(one) != signal.SIG_IGN]
    wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    before = {one: signal.signal(one, lambda number, frame: None) for one in caught}

    def hear() -> None:
        while heard := ours.recv(1):
            if heard[0] in caught:
                stop.set()

    listener = threading.Thread(target=hear, name="signals", daemon=True)
    listener.start()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup)
        theirs.close()
        listener.join()
        ours.close()
