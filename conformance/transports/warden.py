"""Ends the bots when the kit itself is killed.

Law: one tiny shell a kit process, reading from a pipe that only the kit holds open: `+ ID` for each process group
begun, `- ID` for each ended, `/ FOLDER` for a scratch folder. When the pipe closes, the kit is gone, however it
died: what is left is killed by group, and the folder removed. The shell costs a millisecond once; a parent-death
signal by an exec helper costs that for every bot, and reaches only the first process of a group.

A bot that was started and not yet told of, or a child that left its bot's group, is known by its environment: HOME
lies in the scratch folder. A process not yet past its exec holds the pipe open itself, so none is overlooked.
"""

from __future__ import annotations

import os
import subprocess

_SCRIPT = r"""
trap '' HUP INT QUIT TERM PIPE
groups=' '
folder=
while read -r what id; do
  case $what in
    +) groups="$groups$id " ;;
    -) groups="${groups%% $id *} ${groups#* $id }" ;;
    /) folder=$id ;;
  esac
done
for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
case $folder in /?*) ;; *) exit ;; esac
for file in $(grep -lsF -- "$folder" /proc/[0-9]*/environ); do
  id=${file#/proc/}
  kill -s KILL -- "-${id%/environ}" "${id%/environ}" 2>/dev/null
done
rm -rf -- "$folder"
"""


class Warden:
    """Keeps the list of process groups that must not outlive this process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )

    @property
    def pid(self) -> int:
        """Its own process."""
        return self._process.pid

    def began(self, group: int) -> None:
        """This process group is now running."""
        self._say("+", group)

    def ended(self, group: int) -> None:
        """This process group is gone."""
        self._say("-", group)

    def owns(self, folder: str) -> None:
        """This scratch folder goes when the kit does."""
        self._say("/", folder)

    def close(self) -> None:
        """The kit ends in order: every group still listed is killed, and the warden with it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _say(self, what: str, group: int | str) -> None:
        assert self._process.stdin is not None
        try:
            os.write(self._process.stdin.fileno(), f"{what} {group}\n".encode())
        except BrokenPipeError:
            raise RuntimeError("the process that ends bots for a killed kit is gone") from None


_wardens: dict[int, Warden] = {}


def warden() -> Warden:
    """This process's warden; a forked worker gets its own."""
    pid = os.getpid()
    if pid not in _wardens:
        _wardens.clear()
        _wardens[pid] = Warden()
    return _wardens[pid]
