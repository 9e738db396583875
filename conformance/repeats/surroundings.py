"""What is changed around a bot's process when it starts: where its memory lies, and who it shares a core with.

Law: what is asked for holds for what is started inside and for nothing else: this process is afterwards as it was. The
neighbour is a process of the kit's own: it ends with the case, and by itself when the kit is gone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

from pdcheck.conformance.transports.warden import warden

ASK = 0xFFFFFFFF
ADDR_NO_RANDOMIZE = 0x0040000
AT_WORK_WITHIN = 10_000
"""Milliseconds in which the neighbour has begun; it is not waited for any longer."""
BUSY = """
import os, sys
kit = int(sys.argv[1])
os.write(1, b".")
while os.getppid() == kit:
    for _ in range(20_000):
        pass
"""


def refusal() -> str:
    """Why memory cannot be laid out the same way each time here; "" when it can."""
    if sys.platform != "linux":
        return "only on Linux"
    libc = ctypes.CDLL(None, use_errno=True)
    before = libc.personality(ASK)
    if libc.personality(before | ADDR_NO_RANDOMIZE) < 0:
        return f"the system refuses it ({os.strerror(ctypes.get_errno())})"
    libc.personality(before)
    return ""


@contextlib.contextmanager
def around(stack: ExitStack, *, fixed: bool, crowded: bool) -> Iterator[None]:
    """What is started inside has its memory at `fixed` addresses, or stays on one core with a process that computes
    all the time (`crowded`), which `stack` ends."""
    warden()  # it outlives this, and so must not start in here
    with ExitStack() as here:
        if crowded:
            here.enter_context(_one_core())
            stack.enter_context(_neighbour())
        if fixed:
            here.enter_context(_fixed_addresses())
        yield


@contextlib.contextmanager
def _fixed_addresses() -> Iterator[None]:
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None)
    before = libc.personality(ASK)
    libc.personality(before | ADDR_NO_RANDOMIZE)
    try:
        yield
    finally:
        libc.personality(before)


@contextlib.contextmanager
def _one_core() -> Iterator[None]:
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, before)


@contextlib.contextmanager
def _neighbour() -> Iterator[None]:
    """A process that computes, from when it has begun."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", BUSY, str(os.getpid())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        bufsize=0,
    )
    try:
        warden().began(process.pid)
        assert process.stdout
        begun = select.poll()
        begun.register(process.stdout, select.POLLIN)
        begun.poll(AT_WORK_WITHIN)
        yield
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()
        warden().ended(process.pid)
