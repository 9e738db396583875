"""Starts a bot whose system calls are to be told to the kit: installs the filter, passes its descriptor on, execs.

Law: a program of its own, run with `python -I -S`, that imports next to nothing and leaves no trace in the bot but
the filter: signals, environment and descriptors are as it was given them. Where the kernel refuses the filter it says
so and the bot runs without it.

Arguments: the number of the socket to the kit, the number of seccomp(2), the filter in hexadecimal, `keep` or `drop`
(the variable LC_CTYPE, which this interpreter may set by itself), the bot's command.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # without the enumerations of `signal`, which take time
import _socket
import array
import ctypes
import os
import sys

NO_NEW_PRIVILEGES = 38
MODE_FILTER = 1
SPEED, LISTEN, NOT_BY_SIGNALS = 1 << 2, 1 << 3, 1 << 5
"""SPEC_ALLOW, NEW_LISTENER, WAIT_KILLABLE_RECV (the last one since Linux 5.19)."""
NOT_STARTED = 127


class Program(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def install(number: int, code: bytes) -> tuple[int, int]:
    """The descriptor that the kit listens on and 0, or -1 and why not."""
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return -1, ctypes.get_errno()
    for flags in (SPEED | LISTEN | NOT_BY_SIGNALS, SPEED | LISTEN):
        descriptor: int = libc.syscall(number, MODE_FILTER, flags, ctypes.byref(filter_))
        if descriptor >= 0:
            return descriptor, 0
    return -1, ctypes.get_errno()


def main(channel: str, number: str, code: str, locale: str, *command: str) -> None:
    """Never returns."""
    for ignored in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(ignored, _signal.SIG_DFL)
    if locale == "drop":
        os.environ.pop("LC_CTYPE", None)
    descriptor, error = install(int(number), bytes.fromhex(code))
    kit = _socket.socket(fileno=int(channel))
    passed = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [descriptor]))] if not error else []
    kit.sendmsg([str(error).encode()], passed)
    kit.close()
    try:
        os.execvpe(command[0], list(command), os.environ)
    except OSError as failed:
        os.write(2, f"{command[0]}: {failed.strerror}\n".encode())
        os._exit(NOT_STARTED)


if __name__ == "__main__":
    main(*sys.argv[1:])
