"""What hostile bots do to their own streams and folders."""

from __future__ import annotations

import os
import shutil

from .base import PASS, hostile, messages, serve, sleep, write


@hostile("closes-stdout", "IO-1", "PD-5.1", "PD-2.3")
def closes_stdout() -> None:
    """Closes its stdout at its first turn, and stays."""
    serve(upon="play", do=lambda: (os.close(1), sleep()) and None)


@hostile("closes-stdin", "PD-5.1", "PD-2.3", "IO-1")
def closes_stdin() -> None:
    """Closes its stdin after `init`, so that what is written to it fails, and stays."""
    for _ in messages():
        write(b"\n")
        os.close(0)
        sleep()


@hostile("closes-everything", "IO-1", "PD-5.1", "PD-2.1")
def closes_everything() -> None:
    """Closes every descriptor that it has, and stays."""
    os.closerange(0, 4096)
    sleep()


@hostile("swaps-streams", "IO-5", "IO-1", "PD-2.1", "PD-5.1", "IO-4")
def swaps_streams() -> None:
    """Answers on stderr, and has stdout be its stdin."""
    for action in messages():
        write(PASS if action == "play" else b"\n", to=2)


@hostile("talks-to-itself", "IO-3", "IO-5", "PD-2.1", "PD-2.3", "PD-5.1")
def talks_to_itself() -> None:
    """Opens its stdin for writing, and sends itself messages that nobody else sent."""
    own = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    write(b'{"action": "play"}\n' * 50, to=own)
    serve()


@hostile("steals-its-answers", "PD-5.1", "PD-2.1", "IO-4", "PD-2.3")
def steals_its_answers() -> None:
    """Opens its stdout for reading, and takes back each answer before it is read."""
    own = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
    for action in messages():
        write(PASS if action == "play" else b"\n")
        try:
            while os.read(own, 65536):
                pass
        except BlockingIOError:
            continue


@hostile("chokes-stdin", "PD-5.1", "PD-2.1", "PD-2.3")
def chokes_stdin() -> None:
    """Fills its own stdin, so that nothing more can be written to it, and reads none of it."""
    own = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(own, b"x" * 4096)
    except BlockingIOError:
        sleep()


@hostile("deletes-its-folders", "IO-1", "PD-6.4")
def deletes_its_folders() -> None:
    """Deletes its HOME and the folder around it, and ends in the middle of the match."""
    home = os.environ.get("HOME", "")
    above = os.path.dirname(home)
    for folder, name in ((home, "home-"), (above, "pdcheck-")):
        if os.path.basename(folder).startswith(name):  # no other HOME than the kit's is in danger
            shutil.rmtree(folder, ignore_errors=True)
    serve(upon="play", do=lambda: os._exit(0))


@hostile("litters-its-home", "IO-1", "PD-6.4")
def litters_its_home() -> None:
    """Fills its HOME with folders that it takes its own rights away from, and ends in the middle of the match."""
    home = os.environ.get("HOME", "")
    if os.path.basename(home).startswith("home-"):
        deep = home
        for _ in range(60):
            deep = os.path.join(deep, "x" * 50)
            os.mkdir(deep)
        for name in ("a\nb", "-rf", "\x1b[31m"):
            os.symlink("/", os.path.join(home, name))
        os.mkdir(os.path.join(home, "locked"))
        os.mkdir(os.path.join(home, "locked", "inner"))
        os.chmod(os.path.join(home, "locked"), 0)
        os.chmod(home, 0o500)
    serve(upon="play", do=lambda: os._exit(0))
