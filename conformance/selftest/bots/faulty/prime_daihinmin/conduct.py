"""Faults in the use of time and of the machine (PD-5.1 to PD-5.3, PD-6.1 to PD-6.4).

Law of this file: every line and every play is right. Nothing outlives the bot, however it ends, and no
file is left behind.
"""

from __future__ import annotations

import os
import time

from .base import Bot, Passer, fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import Message

ANNOUNCED = 10.0  # seconds


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
    """The delegator has a child process for 0.3 seconds while it answers a play."""

    def on_play(self, message: Message) -> str | None:
        child = os.fork()
        if child == 0:
            for descriptor in (0, 1, 2):
                os.close(descriptor)
            time.sleep(0.3)
            os._exit(0)
        os.waitpid(child, 0)
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


# PD-6.3: memory ---------------------------------------------------------------------------------------------


@fault("PD-6.3", "MUST", "1.2-gib")
class TooMuchMemory(Bot):
    """The collector fills 1.2 GiB with a table of primes at its first play.

    That may take seconds where pages are slow; told less than the announced time, it does without (PD-5.3).
    """

    table = b""

    def on_play(self, message: Message) -> str | None:
        if not self.table and self.time >= ANNOUNCED:
            self.table = b"\x01" * (12 * 2**30 // 10)
        return super().on_play(message)


# PD-6.4: files and connections ------------------------------------------------------------------------------


@fault("PD-6.4", "MUST", "writes-file")
class WritesFile(Bot):
    """The archivist writes its hand to a file in /tmp and keeps it open (its name is removed at once)."""

    def on_init(self, message: Message) -> str | None:
        path = f"/tmp/prime-daihinmin-{os.getpid()}-{time.monotonic_ns()}.log"
        self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        os.unlink(path)
        os.write(self.file, repr(message["hand"]).encode())
        return super().on_init(message)


@fault("PD-6.4", "MUST", "reads-file")
class ReadsFile(Bot):
    """The snoop opens a file of the system that is none of its business, and keeps it open."""

    def on_init(self, message: Message) -> str | None:
        self.file = os.open("/etc/passwd", os.O_RDONLY)
        return super().on_init(message)


@fault("PD-6.4", "MUST", "connects")
class Connects(Bot):
    """The networker keeps a TCP connection open (to itself, on the loopback interface)."""

    def on_init(self, message: Message) -> str | None:
        import _socket

        self.listener = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(1)
        self.connection = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        self.connection.connect(self.listener.getsockname())
        return super().on_init(message)
