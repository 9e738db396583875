"""Faults in the use of time and of the machine (PD-5.1 to PD-5.3, PD-6.1 to PD-6.3).

Law of this file: every line and every play is right. Nothing outlives the bot, however it ends, and no
file is left behind.
"""

from __future__ import annotations

import os
import sys
import time

from .base import Bot, Passer, fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import Message

ANNOUNCED = 10.0  # seconds
LARGE_HAND = 190  # cards: as at a deal


# PD-5: time -------------------------------------------------------------------------------------------------


class Sleeper(Bot):
    """Sleeps for `naps()` seconds before its first answer to `play`."""

    slept = False

    def on_init(self, message: Message) -> str | None:
        self.slept = False
        return super().on_init(message)

    def naps(self) -> float:
        raise NotImplementedError

    def on_play(self, message: Message) -> str | None:
        if not self.slept:
            self.slept = True
            time.sleep(self.naps())
        return super().on_play(message)


@fault("PD-5.1", "MUST", "oversleeps")
class Oversleeps(Sleeper):
    """The dreamer thinks longer than its ten seconds; told less, it hurries (or PD-5.3 would fail too)."""

    def naps(self) -> float:
        return self.time + 0.5 if self.time >= ANNOUNCED else 0


@fault("PD-5.1", "MUST", "tires-late")
class TiresLate(Bot):
    """The tiring needs 4 seconds a play from its third play on, which only a match will show."""

    plays = 0

    def on_init(self, message: Message) -> str | None:
        self.plays = 0
        return super().on_init(message)

    def on_play(self, message: Message) -> str | None:
        self.plays += 1
        if self.plays >= 3 and self.time >= ANNOUNCED:
            time.sleep(0.4 * self.time)
        return super().on_play(message)


@fault("PD-5.1", "MUST", "slow-notice")
class SlowNotice(Passer):
    """The regretful passes quickly, then thinks about it past its time while it confirms the draw."""

    def on_pass(self, message: Message) -> str | None:
        if self.time >= ANNOUNCED:
            time.sleep(self.time + 0.5)
        return super().on_pass(message)


@fault("PD-5.2", "SHOULD", "uses-nine-tenths")
class UsesNineTenths(Sleeper):
    """The brinkman uses nine tenths of the time it is told."""

    def naps(self) -> float:
        return 0.9 * self.time


@fault("PD-5.3", "SHOULD", "assumes-ten-seconds")
class AssumesTenSeconds(Sleeper):
    """The habitual uses six of the ten seconds that it always had, whatever it is told now."""

    def naps(self) -> float:
        return 0.6 * ANNOUNCED


# PD-6.1: one process, one thread ----------------------------------------------------------------------------


@fault("PD-6.1", "MUST", "second-thread")
class SecondThread(Bot):
    """The twin keeps a second thread from `init` on, which only waits."""

    waits = False

    def on_init(self, message: Message) -> str | None:
        if not self.waits:
            import _thread

            lock = _thread.allocate_lock()
            lock.acquire()
            _thread.start_new_thread(lock.acquire, ())
            self.waits = True
        return super().on_init(message)


@fault("PD-6.1", "MUST", "second-process")
class SecondProcess(Bot):
    """The parent keeps a child process from `init` on, and takes it along when it ends.

    The child waits for the end of a pipe whose other end only the parent holds, so it cannot outlive it.
    """

    child = 0

    def on_init(self, message: Message) -> str | None:
        if not self.child:
            reader, self.writer = os.pipe()
            self.child = os.fork()
            if self.child == 0:
                for descriptor in (0, 1, 2, self.writer):
                    os.close(descriptor)
                os.read(reader, 1)
                os._exit(0)
            os.close(reader)
        return super().on_init(message)

    def after_quit(self) -> int:
        if self.child:
            os.close(self.writer)
            os.waitpid(self.child, 0)
        return 0

    at_eof = after_quit


@fault("PD-6.1", "MUST", "forks-to-think")
class ForksToThink(Bot):
    """The delegator has a child process for 0.3 seconds while it answers its first play."""

    forked = False

    def on_play(self, message: Message) -> str | None:
        if not self.forked:
            self.forked = True
            child = os.fork()
            if child == 0:
                for descriptor in (0, 1, 2):
                    os.close(descriptor)
                time.sleep(0.3)
                os._exit(0)
            os.waitpid(child, 0)
        return super().on_play(message)


@fault("PD-6.1", "MUST", "double-forks")
class DoubleForks(Bot):
    """The grandparent's child is gone at once, and the grandchild it leaves to others ends a moment later."""

    def on_init(self, message: Message) -> str | None:
        child = os.fork()
        if child == 0:
            if os.fork() == 0:
                os.setsid()
                for descriptor in (0, 1, 2):
                    os.close(descriptor)
            os._exit(0)
        os.waitpid(child, 0)
        return super().on_init(message)


@fault("PD-6.1", "MUST", "runs-a-command")
class RunsACommand(Bot):
    """The manager has another program do its arithmetic, at each first play."""

    asked = False

    def on_play(self, message: Message) -> str | None:
        if not self.asked:
            self.asked = True
            child = os.posix_spawn("/bin/true", ["true"], {})
            os.waitpid(child, 0)
        return super().on_play(message)


def wait_in_threads(many: int) -> None:
    """Start threads that wait for a lock nobody gives back."""
    import _thread

    for _ in range(many):
        lock = _thread.allocate_lock()
        lock.acquire()
        _thread.start_new_thread(lock.acquire, ())


@fault("PD-6.1", "MUST", "thread-at-start")
class ThreadAtStart(Bot):
    """The early twin has its second thread before it reads anything, as if it came with the runtime."""

    def start(self) -> None:
        wait_in_threads(1)


@fault("PD-6.1", "MUST", "worker-pool")
class WorkerPool(Bot):
    """The foreman has a pool of four workers ready at its start, as numeric libraries do."""

    def start(self) -> None:
        wait_in_threads(4)


@fault("PD-6.1", "MUST", "brief-thread")
class BriefThread(Bot):
    """The flash starts a thread in answer to a play, and it is gone before the answer is."""

    def on_play(self, message: Message) -> str | None:
        import _thread

        done = _thread.allocate_lock()
        done.acquire()
        _thread.start_new_thread(done.release, ())
        done.acquire()
        return super().on_play(message)


# PD-6.2: others' turns --------------------------------------------------------------------------------------


@fault("PD-6.2", "MUST", "ponders")
class Ponders(Bot):
    """The ponderer computes in others' turns, and looks up only to see whether a message has come."""

    pondering = False

    def after_answer(self) -> None:
        self.pondering = True

    def read(self) -> bytes:
        if self.pondering:
            from select import select

            while not select([0], [], [], 0)[0]:
                pass
        return super().read()


@fault("PD-6.2", "MUST", "thinks-on")
class ThinksOn(Bot):
    """The late thinker computes another 0.4 seconds after each of its first five answers."""

    thought = 0

    def after_answer(self) -> None:
        if self.thought < 5:
            self.thought += 1
            until = time.monotonic() + 0.4
            while time.monotonic() < until:
                pass


@fault("PD-6.2", "MUST", "ponders-by-timer")
class PondersByTimer(Bot):
    """The interrupted reads like everybody else, but a timer makes it think most of the time meanwhile."""

    awake = False

    def after_answer(self) -> None:
        if not self.awake:
            import signal

            self.awake = True
            signal.signal(signal.SIGALRM, self.think)
            signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)

    def think(self, *_: object) -> None:
        until = time.monotonic() + 0.012
        while time.monotonic() < until:
            pass

    def after_quit(self) -> int:
        if self.awake:
            import signal

            signal.setitimer(signal.ITIMER_REAL, 0)
        return 0

    at_eof = after_quit


# PD-6.3: memory ---------------------------------------------------------------------------------------------


@fault("PD-6.3", "MUST", "1.2-gib")
class TooMuchMemory(Bot):
    """The collector fills 1.2 GiB with a table of primes at its first play with a large hand.

    That may take seconds where pages are slow; told less than the announced time, it does without (PD-5.3).
    """

    table = b""

    def on_play(self, message: Message) -> str | None:
        if not self.table and self.time >= ANNOUNCED and len(message["hand"]) >= LARGE_HAND:
            self.table = b"\x01" * (12 * 2**30 // 10)
        return super().on_play(message)


@fault("PD-6.3", "MUST", "behind-a-shell")
class BehindAShell(TooMuchMemory):
    """The hidden collector runs behind a shell that only waits: the process started first stays small."""

    def start(self) -> None:
        if os.environ.get("BEHIND_A_SHELL"):
            return
        os.environ["BEHIND_A_SHELL"] = "1"
        folder = os.path.dirname(os.path.abspath(__file__))
        again = [sys.executable, "-B", "-S", folder, "pd-6.3-behind-a-shell"]
        os.execv("/bin/sh", ["sh", "-c", '"$@"; exit $?', "sh", *again])


@fault("PD-6.3", "MUST", "never-forgets")
class NeverForgets(Bot):
    """The historian keeps 48 MiB more with each play: it is only too much late in a long match."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[bytes] = []

    def on_play(self, message: Message) -> str | None:
        if self.time >= ANNOUNCED and len(self.kept) < 24:
            self.kept.append(b"\x01" * (48 * 2**20))
        return super().on_play(message)
