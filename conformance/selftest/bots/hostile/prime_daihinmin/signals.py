"""What signals hostile bots send, and which they do not heed.

Law of this file: a signal goes to the bot itself, to the process that started it, or to that one's helpers; to that
one's group only where it is known to be the kit's alone (it was told so: PDCHECK_HOSTILE is set).
"""

from __future__ import annotations

import os
import signal

from .base import child, hostile, messages, serve, sleep, void, write


def shoot_parent(number: int, *, group: bool = False) -> None:
    parent = os.getppid()
    if group and "PDCHECK_HOSTILE" in os.environ:
        os.killpg(os.getpgid(parent), number)
    else:
        os.kill(parent, number)


@hostile("ignores-all", "IO-9", "IO-10", "IO-11")
def ignores_all() -> None:
    """Heeds no signal that can be ignored, neither `quit` nor the end of its input, and spins."""
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGALRM}:
        signal.signal(number, signal.SIG_IGN)
    serve()
    while True:
        pass


@hostile("stops-itself", "PD-5.1", "PD-2.3")
def stops_itself() -> None:
    """Stops itself at its first turn."""
    serve(upon="play", do=lambda: os.kill(os.getpid(), signal.SIGSTOP))


@hostile("kills-itself", "IO-1")
def kills_itself() -> None:
    """Kills itself at its first turn."""
    serve(upon="play", do=lambda: os.kill(os.getpid(), signal.SIGKILL))


@hostile("stops-its-parent", "IO-16")
def stops_its_parent() -> None:
    """Stops the process that started it, and plays on."""
    serve(upon="play", do=lambda: shoot_parent(signal.SIGSTOP))


@hostile("kills-its-parent", "IO-16")
def kills_its_parent() -> None:
    """Kills the process that started it."""
    serve(upon="play", do=lambda: shoot_parent(signal.SIGKILL))


@hostile("kills-its-parents-group", "IO-16")
def kills_its_parents_group() -> None:
    """Kills the whole process group of the process that started it."""
    serve(upon="play", do=lambda: shoot_parent(signal.SIGKILL, group=True))


@hostile("terminates-its-parent", "IO-16")
def terminates_its_parent() -> None:
    """Ends the process that started it in the politest way."""
    serve(upon="play", do=lambda: shoot_parent(signal.SIGTERM))


@hostile("signal-storm", "IO-1")
def signal_storm() -> None:
    """Sends the process that started it signals that it does not wait for, and ends in the middle of the match."""
    for number in (signal.SIGINT, signal.SIGCHLD, signal.SIGWINCH, signal.SIGURG, signal.SIGCONT) * 200:
        shoot_parent(number)
    for action in messages():
        if action == "play":
            os._exit(3)
        write(b"\n")


def helpers(word: bytes) -> list[int]:
    """The processes beside the one that started this bot which have the word in their command."""
    parent, found = os.getppid(), []
    with open(f"/proc/{parent}/task/{parent}/children", "rb") as file:
        pids = [int(pid) for pid in file.read().split()]
    for pid in pids:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if pid != os.getpid() and word in file.read():
                found.append(pid)
    return found


def shoot_helpers(word: bytes, number: int) -> None:
    for pid in helpers(word):
        os.kill(pid, number)


@hostile("stops-the-warden", "IO-16")
def stops_the_warden() -> None:
    """Stops the process that would end it if the kit were killed, and plays on."""
    serve(upon="play", do=lambda: shoot_helpers(b"pdcheck-warden", signal.SIGSTOP))


@hostile("kills-the-warden", "IO-16")
def kills_the_warden() -> None:
    """Kills the process that would end it if the kit were killed, and plays on."""
    serve(upon="play", do=lambda: shoot_helpers(b"pdcheck-warden", signal.SIGKILL))


@hostile("stops-the-control", "IO-16")
def stops_the_control() -> None:
    """Stops the process that shows whether the machine stood still, and plays on."""
    serve(upon="play", do=lambda: shoot_helpers(b"import mmap", signal.SIGSTOP))


@hostile("lowers-its-parents-limits", "IO-16")
def lowers_its_parents_limits() -> None:
    """Leaves the process that started it hardly a file to open, and plays on."""
    import resource

    serve(upon="play", do=lambda: void(resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (8, 8))))


@hostile("feeds-the-warden", "IO-1")
def feeds_the_warden() -> None:
    """Tells the process that ends bots to remove a folder and kill a child of its own, and ends in mid match."""
    folder = os.environ["HOME"] + "/pdcheck-victim"
    os.mkdir(folder)
    pid = child(sleep, session=True)

    def feed() -> None:
        for warden in helpers(b"pdcheck-warden"):
            try:
                line = os.open(f"/proc/{warden}/fd/0", os.O_WRONLY)
            except OSError:
                continue
            write(f"/ {folder}\n+ {pid}\n".encode(), line)
        os._exit(3)

    serve(upon="play", do=feed)
