"""The eye on one bot: looks at fixed points of the runner's loop, and writes down what has changed.

Law: it looks between the bot's turns and while the kit waits anyway, never in place of reading an answer. Only changes
are written, so that a quiet bot leaves a short transcript, and everything is bounded.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from typing import Any

from pdcheck.conformance import control
from pdcheck.conformance.conduct.sights import is_shell
from pdcheck.conformance.transcript import Probe, Transcript
from pdcheck.conformance.transports import orphans
from pdcheck.conformance.transports.process import ProcessTransport
from pdcheck.conformance.watch import limits, processes
from pdcheck.conformance.watch.observer import Call
from pdcheck.conformance.watch.places import places
from pdcheck.conformance.watch.transport import LAUNCHER, ObservedTransport

LOOK = 0.02
"""Seconds between looks while the kit waits."""
MOST_PROBES = 4000
MEMORY_STEP = 1.1
"""Memory is told when it has grown by a tenth, and where it passes the limit."""
LIMIT_KIB = 1 << 20
QUIET = 0.005
"""CPU seconds that are too little to tell movement by."""
MAPS_OF = 8
"""Processes of one bot whose mapped files are read; more is a finding already."""
IDLE_FROM, IDLE_TO = 0.1, 0.3
"""PD-6.2: "the kit idles 300 ms after an answer; … the time between 100 and 300 ms"."""
IDLE_SHARE = 0.2

Clock = Callable[[], float]


class Watcher:
    """Watches one seat's bot for a runner. `idles`: before which of its messages (from 1) the kit idles first;
    `limit_kib`: the memory it may use.

    After two idle times in which it used little the third is not needed for "2 of 3".
    """

    def __init__(
        self,
        transport: ProcessTransport,
        seat: int,
        log: Transcript,
        idles: tuple[int, ...] = (),
        limit_kib: int = LIMIT_KIB,
    ) -> None:
        self.seat = seat
        self._transport = transport
        self._log = log
        self._idles = idles
        self._limit_kib = limit_kib
        self._environment = transport.launch.environment
        self._folder = transport.launch.folder or os.getcwd()
        self._clock: Clock = lambda: 0.0
        self._others: Callable[[], set[int]] = set
        self._messages = 0
        self._next_look = 0.0
        self._written = 0
        self._tree: dict[int, processes.Seen] = {}
        self._since = self._still = 0.0
        started = processes.Seen(0, 0, "", transport.launch.command, {})
        self._programs: dict[tuple[Any, ...], processes.Seen] = {(): started}
        self._settled = False
        self._watch: dict[str, Any] = {}
        self._unreadable = 0
        self._descriptors: dict[int, set[tuple[int, str]]] = {}
        self._files: set[tuple[Any, ...]] = set()
        self._libraries: set[str] = set()
        self._peak = 0
        self._calm = 0
        self._calls = 0
        self._rested = False
        self._state: tuple[int, ...] = ()
        if isinstance(transport, ObservedTransport):
            transport.told = self._told

    def begin(self, clock: Clock, others: Callable[[], set[int]]) -> None:
        """The bot is started; `others()`: children of this process that are none of the bot's doing."""
        self._clock, self._others = clock, others

    def wait(self, poll: select.poll, milliseconds: int | None) -> list[tuple[int, int]]:
        """As `poll.poll(milliseconds)`, with a look at the bot now and then."""
        until = None if milliseconds is None else self._clock() + milliseconds / 1000
        while True:
            now = self._clock()
            left = None if until is None else until - now
            slice_ = LOOK if left is None else min(LOOK, max(0.0, left))
            ready = poll.poll(int(slice_ * 1000) + 1 if slice_ else 0)
            if ready or (left is not None and left <= LOOK):
                return ready
            self.look()

    def sending(self, seat: int) -> None:
        """Before a message goes out: to this bot, after it has answered the last one."""
        if seat != self.seat or self._transport.status is not None:
            return
        self._messages += 1
        if self._messages == 1:
            self._begin_watch()
        self.look(thorough=self._messages <= 2)
        if self._messages > 1:
            self._settle()
        if self._messages in self._idles and self._calm < 2 and self._tree:
            self._idle()

    def look(self, *, thorough: bool = False) -> None:
        """One look at all of the tree; `thorough`: at the files it has mapped, too."""
        if self._transport.status is not None or not self._transport.pid:
            return
        orphaned = orphans.children() - self._others() - {self._transport.pid}
        pids = processes.tree([self._transport.pid, *(pid for pid in orphaned if _own_session(pid))])
        found = {pid: seen for pid in pids if (seen := processes.look(pid)) is not None}
        if any(LAUNCHER in seen.command for seen in found.values()):
            return
        now = self._clock()
        if not self._settled:
            for seen in found.values():
                self._programs.setdefault((seen.pid, seen.exe, seen.command), seen)
        if _told(found) != _told(self._tree):
            self._tell_processes(found)
            self._since = now
        self._tree, self._still = found, now
        self._look_at_memory()
        for pid in list(found)[:MAPS_OF]:
            self._look_at_files(pid, thorough=thorough)

    def quiet(self) -> bool:
        """Whether nothing has moved in its whole tree since this was asked last: no call, no CPU, no new process."""
        self.look()
        pids = list(self._tree)
        state = (*pids, round(processes.cpu(pids) / QUIET), self._calls)
        same, self._state = state == self._state, state
        self._rested = same and not any(map(processes.busy, pids))
        return self._rested

    def end(self) -> None:
        """The last look, before the bot is told to go or is ended."""
        self.look(thorough=True)
        self._settle()
        self._tell_watch()
        if self._tree:
            self._tell("held", {"seconds": self._held()})

    def _held(self) -> float:
        """Seconds between the first look and the last one that showed the processes as they were told last."""
        return round(self._still - self._since, 6)

    def _begin_watch(self) -> None:
        """Before the first message: how it is watched, and the folders that are its own."""
        transport = self._transport
        calls = "off"
        if isinstance(transport, ObservedTransport):
            calls = "seccomp" if transport.listens else f"off: {transport.refused or 'not connected'}"
        self.look()
        rested = transport.deaf() or (self._rested and self._reads())
        self._watch = {
            "looks": False,
            "calls": calls,
            "files": limits()["files"],
            "rested": rested,
            "pid": transport.pid,
            "program": os.path.basename(transport.launch.command[0]),
            "folder": self._folder,
        }
        self._tell_watch()
        if rested:
            self.look()  # the one before may have met it in mid-exec, when nothing tells what it runs
            self._settle()

    def _reads(self) -> bool:
        """Whether it waits for its input: what sleeps, or is a start script that waits, is still at its start."""
        stdin = self._transport.streams()[0]
        return any(processes.reads(seen.pid, stdin) for seen in self._tree.values() if not is_shell(seen.exe))

    def _settle(self) -> None:
        """Its start is over: what it runs from now on adds no folder to its own."""
        if not self._settled:
            self._tell_watch()
            self._settled = True

    def _tell_watch(self) -> None:
        """How it is watched, and the folders of every program that its processes have run; told when that changed."""
        if not self._watch:
            return
        values = {**self._watch}
        if not self._settled:
            # What a start script's helpers ran, and are gone with, is not the bot.
            run = [seen for seen in self._programs.values() if seen.pid in {0, *self._tree} or not self._tree]
            found = places(run, self._environment, self._folder)
            values |= {"looks": values["looks"] or bool(self._tree)}
            values["own"] = sorted({*values.get("own", ()), *found.own})
            values["runtime"] = sorted({*values.get("runtime", ()), *found.runtime})
        if self._unreadable:
            values["unreadable"] = self._unreadable
        if values != self._watch:
            self._watch = values
            self._tell("watch", values)

    def _tell_processes(self, tree: dict[int, processes.Seen]) -> None:
        told = []
        for seen in tree.values():
            values = seen.as_json()
            if len(seen.threads) > 1:
                values["libraries"] = sorted({os.path.basename(path) for path in processes.mapped(seen.pid)})
                values["go"] = processes.is_go(f"/proc/{seen.pid}/exe")
            told.append(values)
        self._tell("processes", {"processes": told, "held": self._held()})

    def _look_at_memory(self) -> None:
        pids = list(self._tree)
        if len(pids) == 1:
            kib, how = processes.memory(pids[0], "VmHWM"), "peak"
        else:
            kib, how = sum(processes.memory(pid, "VmRSS") for pid in pids), "sum"
            if kib > self._limit_kib >= self._peak:
                kib, how = sum(map(processes.proportional, pids)), "shares"
            # One of them alone may have been larger between two looks.
            largest = max((processes.memory(pid, "VmHWM") for pid in pids), default=0)
            kib, how = max((kib, how), (largest, "peak"))
        if kib > self._peak * MEMORY_STEP or kib > self._limit_kib >= self._peak:
            self._peak = kib
            self._tell("memory", {"kib": kib, "how": how, "processes": len(pids)})

    def _look_at_files(self, pid: int, *, thorough: bool) -> None:
        known = self._descriptors.setdefault(pid, set())
        exe = self._tree[pid].exe
        for key, found in processes.descriptors(pid, known):
            known.add(key)
            if found.target.startswith("/"):
                self._tell_file(pid, exe, "descriptor", found.target, found.flags)
            else:
                values = {
                    "pid": pid,
                    "exe": exe,
                    "how": "socket",
                    "family": found.family,
                    "address": found.address,
                }
                self._tell("opened", values)
        if thorough:
            for path in processes.mapped(pid):
                self._tell_file(pid, exe, "mapping", path, 0)

    def _tell_file(self, pid: int, exe: str, how: str, path: str, flags: int) -> None:
        gone = " (deleted)"
        path = path.removesuffix(gone)
        if (path, flags) not in self._files:
            self._files.add((path, flags))
            values = {
                "pid": pid,
                "exe": exe,
                "how": how,
                "path": path,
                "flags": oct(flags),
                "write": bool(flags & 0o3),
                "folder": os.path.isdir(path),
            }
            self._tell("opened", values)

    def _told(self, call: Call) -> None:
        """One system call; the same one again in answer to the same message is told once."""
        self._calls += 1
        self._unreadable += "unreadable" in call.values
        if "command" in call.values and not self._settled and os.path.exists(call.values["path"]):
            run = call.values
            seen = processes.Seen(call.pid, 0, run["path"], tuple(run["command"]), {}, run["folder"])
            self._programs.setdefault((seen.pid, seen.exe, seen.command), seen)
        key = (call.exe, call.name, self._messages, *map(str, call.values.items()))
        if key in self._files or self._written >= MOST_PROBES:
            return
        self._files.add(key)
        self._tell("call", {"pid": call.pid, "exe": call.exe, "call": call.name, **call.values})

    def _idle(self) -> None:
        """PD-6.2: do nothing for a while after its answer, and see how much CPU its tree uses meanwhile."""
        began = self._clock()
        self._pass_time(began + IDLE_FROM)
        pids = list(self._tree)
        used, starved, from_ = processes.cpu(pids), processes.waited(pids), self._clock()
        self._pass_time(began + IDLE_TO)
        self.look()
        to = self._clock()
        used, starved = processes.cpu(pids) - used, processes.waited(pids) - starved
        if used + starved < IDLE_SHARE * (to - from_):
            self._calm += 1
        values = {
            "from": round(from_ - began, 6),
            "seconds": round(to - from_, 6),
            "cpu": round(max(0.0, used), 6),
            "starved": round(max(0.0, starved), 6),
            "late": round(to - began - IDLE_TO, 6),
        }
        machine = control.current()
        if machine is not None:
            values["stalled"] = round(machine.stalled(began, to), 6)
        self._tell("idle", values)

    def _pass_time(self, until: float) -> None:
        """Nothing is read of the bot meanwhile, but the calls that it makes go on."""
        poll = select.poll()
        transport = self._transport
        listening = transport.listening if isinstance(transport, ObservedTransport) else -1
        if listening >= 0:
            poll.register(listening, select.POLLIN)
        while (left := until - self._clock()) > 0:
            for _, mask in poll.poll(int(left * 1000) + 1):
                assert isinstance(transport, ObservedTransport)
                transport.let_go_on(mask)
                if transport.listening < 0:
                    poll.unregister(listening)

    def _tell(self, what: str, values: dict[str, Any]) -> None:
        if self._written < MOST_PROBES:
            self._written += 1
            self._log.events.append(Probe(self._clock(), self.seat, what, values))


def _told(tree: dict[int, processes.Seen]) -> list[dict[str, Any]]:
    return [seen.as_json() for seen in tree.values()]


def _own_session(pid: int) -> bool:
    try:
        return os.getsid(pid) != os.getsid(0)
    except OSError:
        return False
