"""What hostile bots start: children that stay, many of them, or another program in their own place."""

from __future__ import annotations

import os
import time

from .base import PASS, child, hostile, messages, orphan, serve, sleep, write

BOMB = 60  # processes
STORM = 100


@hostile("double-forks", "IO-11", "PD-6.1")
def double_forks() -> None:
    """Plays well, and leaves an orphan in a session of its own."""
    orphan(sleep)
    serve()


@hostile("double-forks-with-pipes", "IO-11", "PD-6.1")
def double_forks_with_pipes() -> None:
    """Plays well, and leaves an orphan that holds all three of its pipes."""
    orphan(sleep, keep=(0, 1, 2))
    serve()


@hostile("nameless-orphan", "IO-11", "PD-6.1")
def nameless_orphan() -> None:
    """Plays well, and leaves an orphan that is another program now and has no environment to know it by."""
    orphan(lambda: os.execve("/bin/sleep", ["[kworker/u8:1]", "100"], {}))
    serve()


@hostile("child-answers", "IO-1", "IO-11", "PD-6.1")
def child_answers() -> None:
    """Ends at once; a child in another session goes on in its place, over the same pipes."""
    child(serve, session=True, keep=(0, 1, 2))


@hostile("reaps-nobody", "IO-1", "PD-6.1")
def reaps_nobody() -> None:
    """Has two hundred zombies before it ends in the middle of the match."""
    for _ in range(200):
        child(lambda: None)
    serve(upon="play", do=lambda: os._exit(3))


@hostile("orphan-storm", "IO-1", "IO-11", "PD-6.1")
def orphan_storm() -> None:
    """Starts a hundred orphans that end at once, each of which its adopter hears of, and ends in mid match."""
    for _ in range(STORM):
        os.waitpid(child(lambda: child(lambda: None) and None), 0)
    serve(upon="play", do=lambda: os._exit(3))


@hostile("process-bomb", "IO-1", "IO-11", "PD-6.1")
def process_bomb() -> None:
    """Starts sixty processes, half of them in sessions of their own, and ends; some go on forking as they are killed."""

    def fork_on() -> None:
        for _ in range(BOMB):
            child(lambda: time.sleep(60))
            time.sleep(1)

    for number in range(BOMB):
        child(fork_on if number % 20 == 0 else sleep, session=number % 2 == 0)
    serve(upon="play", do=lambda: os._exit(3))


@hostile("memory-bomb", "IO-1", "PD-6.3")
def memory_bomb() -> None:
    """Takes all the memory that it can get (600 MiB, its own limit), and ends in the middle of the match."""
    held = []
    try:
        while True:
            held.append(b"\x01" * (16 << 20))
    except MemoryError:
        pass
    serve(upon="play", do=lambda: os._exit(3))


@hostile("many-threads", "IO-3", "PD-6.1", "IO-1")
def many_threads() -> None:
    """Has fifty threads that all answer everything."""
    import _thread

    lock = _thread.allocate_lock()
    lock.acquire()
    _thread.stack_size(256 << 10)
    try:
        for _ in range(50):
            _thread.start_new_thread(lock.acquire, ())
    except RuntimeError:  # each one's share of the address space adds up to its own limit
        pass
    for action in messages():
        write((PASS if action == "play" else b"\n") * 50)


@hostile("becomes-another", "PD-5.1", "PD-2.3", "IO-1")
def becomes_another() -> None:
    """Becomes another program at its first turn, which says nothing."""
    serve(upon="play", do=lambda: os.execv("/bin/sleep", ["sleep", "100"]))


@hostile("false-name", "IO-1")
def false_name() -> None:
    """Calls itself ") Z 1 1 1 (" where the system lists processes, and ends in the middle of the match."""
    with open("/proc/self/comm", "w") as file:
        file.write(") Z 1 1 1 (\n")
    serve(upon="play", do=lambda: os._exit(3))
