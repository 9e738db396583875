"""Faults in what a bot opens and connects to (PD-6.4).

Law of this file: every line and every play is right, and no file is left behind.
"""

from __future__ import annotations

import os
import time

from .base import Bot, fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .base import Message


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


class Once(Bot):
    """Does `deed()` at its first play, before it answers; that it fails changes nothing."""

    done = False

    def deed(self) -> None:
        raise NotImplementedError

    def on_play(self, message: Message) -> str | None:
        if not self.done:
            self.done = True
            try:
                self.deed()
            except OSError:
                pass
        return super().on_play(message)


@fault("PD-6.4", "MUST", "glances")
class Glances(Once):
    """The glancer opens a file of the system and closes it at once."""

    def deed(self) -> None:
        os.close(os.open("/etc/hosts", os.O_RDONLY))


@fault("PD-6.4", "MUST", "looks-for-tables")
class LooksForTables(Once):
    """The hopeful looks for a table of primes beside the working folder; there is none, and the attempt counts."""

    def deed(self) -> None:
        os.open("/var/tmp/primes-of-nobody.bin", os.O_RDONLY)


@fault("PD-6.4", "MUST", "scratch-file")
class ScratchFile(Once):
    """The scribbler writes a temporary file, reads it again and deletes it, all within one answer."""

    def deed(self) -> None:
        path = f"/tmp/prime-daihinmin-{os.getpid()}-{time.monotonic_ns()}.tmp"
        with open(path, "w+b", buffering=0) as file:
            os.unlink(path)
            file.write(b"2 3 5 7")


@fault("PD-6.4", "MUST", "maps-file")
class MapsFile(Once):
    """The cartographer maps a file into its memory and closes the descriptor."""

    def deed(self) -> None:
        import mmap

        file = os.open("/etc/hosts", os.O_RDONLY)
        self.map = mmap.mmap(file, 0, access=mmap.ACCESS_READ)
        os.close(file)


@fault("PD-6.4", "MUST", "edits-itself")
class EditsItself(Once):
    """The improver opens its own program for writing (and then leaves it as it is)."""

    def deed(self) -> None:
        os.close(os.open(__file__, os.O_WRONLY | os.O_APPEND))


@fault("PD-6.4", "MUST", "spies")
class Spies(Once):
    """The spy reads about the process that started it, where the contest's other bots could be found, too."""

    def deed(self) -> None:
        os.close(os.open(f"/proc/{os.getppid()}/cmdline", os.O_RDONLY))


@fault("PD-6.4", "MUST", "datagram")
class Datagram(Once):
    """The whisperer sends one datagram (to itself, on the loopback interface) and keeps nothing open."""

    def deed(self) -> None:
        import _socket

        out = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
        out.bind(("127.0.0.1", 0))
        out.sendto(b"7", out.getsockname())
        out.close()


@fault("PD-6.4", "MUST", "local-socket")
class LocalSocket(Once):
    """The neighbour knocks at a local socket where nobody answers."""

    def deed(self) -> None:
        import _socket

        knock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            knock.connect(f"/tmp/prime-daihinmin-{os.getpid()}.sock")
        finally:
            knock.close()
