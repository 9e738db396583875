"""Ends the bots when the kit itself is killed.

Law: one tiny shell a kit process, reading from a line whose other end only the kit holds: `+ ID` for each process
group begun, `- ID` for each ended. When the line closes, the kit is gone, however it died: what is left is killed by
group, and what has a scratch folder's name removed. The shell costs a millisecond once; a parent-death signal by an
exec helper costs that for every bot, and reaches only the first process of a group.

A bot that was started and not yet told of, or a child that left its bot's group, is known by its environment: HOME
lies in the scratch folder. A process not yet past its exec holds the line open itself, so none is overlooked.

A bot has the kit's user. The line is a socket, which nobody can open through /proc as they could a pipe; what is
removed is named when the shell starts, and what is killed can only be one group. A bot can kill the shell itself, or
stop it: it is started anew, and `blows` tells.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import select
import socket
import subprocess

from pdcheck.conformance import helpers

PREFIX = "pdcheck-"
"""How the name of a scratch folder begins; nothing else is ever removed."""

_SCRIPT = r"""
trap '' HUP INT QUIT TERM PIPE
name=$1 home=$2
groups=' '
while read -r what id; do
  case $id in ''|*[!0-9]*|0*|1|????????*) continue ;; esac
  case $what in
    +) groups="$groups$id " ;;
    -) groups="${groups%% $id *} ${groups#* $id }" ;;
  esac
done
for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
case $name in /PREFIX*|/*/PREFIX*) ;; *) exit ;; esac
if test -n "$home"; then
  for file in $(grep -lszE -- "$home" /proc/[0-9]*/environ); do
    id=${file#/proc/}
    kill -s KILL -- "-${id%/environ}" "${id%/environ}" 2>/dev/null
  done
fi
for try in 1 2 3 4 5; do
  rm -rf -- "$name"* && exit
  sleep 1
done
""".replace("PREFIX", PREFIX)
"""`$1`: how the scratch folder's path begins, or nothing; `$2`: a pattern for HOME in it, for one entry of an
environment. What is being killed may still make a file in a folder that is being removed: hence the tries."""


class Warden:
    """Keeps the list of process groups that must not outlive this process."""

    def __init__(self) -> None:
        self._path = ""
        self._groups: set[int] = set()
        self._blows: list[int] = []
        self._start()

    @property
    def pid(self) -> int:
        """Its own process."""
        pid: int = self._process.pid
        return pid

    def began(self, group: int) -> None:
        """This process group is now running."""
        self._groups.add(group)
        self._say(f"+ {group}\n")

    def ended(self, group: int) -> None:
        """This process group is gone."""
        self._groups.discard(group)
        self._say(f"- {group}\n")

    def owns(self, path: str) -> None:
        """What there is of such a path, and of longer ones that begin with it, goes when the kit does. Raises
        ValueError when it is not a scratch folder's, RuntimeError while it owns another."""
        name = os.path.basename(path)
        # The beginning alone would be every kit's.
        if not os.path.isabs(path) or not name.startswith(PREFIX) or name == PREFIX:
            raise ValueError(f"{path!r} is no scratch folder")
        if self._path:
            raise RuntimeError(f"{path!r} while there is {self._path!r}")
        self._path = path
        self._anew()

    def disowns(self) -> None:
        """What it owned is gone, or stays. Its shell may still know the name, which nothing else ever has."""
        self._path = ""

    def blows(self) -> list[int]:
        """The signals that stopped or ended it, though nobody but the kit has business with it."""
        self._harmed()
        return list(self._blows)

    def close(self) -> None:
        """The kit ends in order: every group still listed is killed, and the warden with it."""
        self._line.close()
        helpers.end(self._process)

    def _start(self) -> None:
        # grep takes a newline for the end of a pattern; a folder with one in its name is removed, no more.
        home = "" if "\n" in self._path else f"^HOME={_escaped(self._path)}[^/]*(/|$)"
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    ["/bin/sh", "-c", _SCRIPT, "pdcheck-warden", self._path, home],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            except BaseException:
                ours.close()
                raise
        self._line = ours
        helpers.enter(self.pid)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # noticed at the next word
            self._line.send("".join(f"+ {group}\n" for group in sorted(self._groups)).encode())

    def _anew(self) -> None:
        """Another shell in this one's place, which knows what this one knew."""
        old, line = self._process, self._line
        self._start()
        old.kill()  # before its line closes: it would end what runs
        old.wait()
        line.close()

    def _say(self, line: str) -> None:
        """Tell it; one that is stopped or gone is started anew, one that is behind is waited for."""
        while True:
            try:
                self._line.send(line.encode(), socket.MSG_DONTWAIT)
                return
            except BlockingIOError:
                if not self._harmed():
                    room = select.poll()
                    room.register(self._line, select.POLLOUT)
                    room.poll(helpers.LOOK * 1000)
                    continue
            except (BrokenPipeError, ConnectionResetError):
                self._process.wait()
                self._harmed()
            self._anew()
            return

    def _harmed(self) -> bool:
        """Note what has befallen it; whether it will not read on."""
        if number := helpers.blow(self._process):
            self._blows.append(number)
        return self._process.returncode is not None or helpers.look(self.pid)[0] == "T"


def _escaped(name: str) -> str:
    """As an extended regular expression."""
    return re.sub(r"[][\\.*^$+?(){}|]", r"\\\g<0>", name)


_wardens: dict[int, Warden] = {}
"""By the process whose it is. A forked worker keeps its parent's, whose line therefore closes when the last worker is
gone, too: none can still be making folders then."""


def warden() -> Warden:
    """This process's warden; a forked worker gets its own."""
    pid = os.getpid()
    if pid not in _wardens:
        _wardens[pid] = Warden()
    return _wardens[pid]


def blows() -> list[int]:
    """What befell this process's warden, if it has one."""
    own = _wardens.get(os.getpid())
    return own.blows() if own else []


def pids() -> set[int]:
    """The process of this process's warden, if it has one: it changes when that one is killed."""
    own = _wardens.get(os.getpid())
    return {own.pid} if own else set()


@atexit.register
def end() -> None:
    """End this process's warden, if it has one."""
    own = _wardens.pop(os.getpid(), None)
    if own:
        with contextlib.suppress(OSError):
            own.close()
