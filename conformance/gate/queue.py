"""The queue in an inbox: what was dropped there, on its way to a result in the outbox.

Law: where a submission stands is told by which folder its own folder (its ticket) lies in, and by nothing else; each
step is one rename, by whoever has the ticket's claim. So a kill leaves it before a step or after it.

    INBOX/name                          dropped by somebody
    INBOX/.pdcheck/waiting/T/upload/name   taken: it waits, is being judged, or waits to be tried again (tries.json)
    INBOX/.pdcheck/told/T/outcome.json  judged: never judged again; its result is on its way to the outbox
    OUTBOX/.pdcheck/ready-…/T.json      the result, whole, on the outbox's file system
    INBOX/.pdcheck/done/T (failed/T)    the outbox has the result; the submission is kept (failed: to be dropped again)
    OUTBOX/name.json                    told, by one rename that replaces nothing

The result is told when its ticket is done and not before, so that the step to `done` is what makes it one result:
before it a kill leads to the same file being written again, after it to the same file being renamed. Whoever reads the
outbox may take results away at any moment: nothing is concluded from what is no longer there.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdcheck.conformance.gate import claims, durable
from pdcheck.conformance.gate.claims import Claim
from pdcheck.conformance.gate.outcome import Outcome, dumped, numbered
from pdcheck.conformance.usage import UsageError

STATE = ".pdcheck"
WAITING, TOLD, DONE, FAILED = "waiting", "told", "done", "failed"
UPLOAD, OUTCOME, TRIES = "upload", "outcome.json", "tries.json"
_TICKET = re.compile(r"[0-9]{20}-[0-9a-f]{8}")


@dataclass(slots=True)
class Held:
    """A ticket whose claim this process has. `stage`: the folder it lies in."""

    ticket: str
    stage: str
    claim: Claim

    @property
    def folder(self) -> Path:
        """Where it lies now, as far as this process knows."""
        return self.claim.folder

    def release(self) -> None:
        """Let others have it."""
        self.claim.release()


class Queue:
    """One inbox and one outbox, as one of several processes sees them. Every method may raise OSError, which leaves
    the queue as it was before it or as it is after it."""

    def __init__(self, inbox: Path, outbox: Path) -> None:
        """Raises UsageError when these two cannot be an inbox and an outbox."""
        _check(inbox, outbox)
        self.inbox, self.outbox = inbox, outbox
        self._state = inbox / STATE
        try:
            for folder in (self._state, *(self._state / stage for stage in (WAITING, TOLD, DONE, FAILED))):
                durable.own_folder(folder)
            durable.own_folder(outbox / STATE)
            self._ready = outbox / STATE / f"ready-{self._identity()}"
            durable.own_folder(self._ready)
            self._try_a_lock()
        except OSError as error:
            raise UsageError(f"{error.filename or self._state}: {error.strerror or error}") from None

    def _identity(self) -> str:
        """Tells this inbox from others that have the same outbox."""
        file = self._state / "id"
        if not file.exists():
            durable.write_new(file, secrets.token_hex(8).encode())
        return file.read_text("ascii")

    def _try_a_lock(self) -> None:
        claim = claims.claim(self._state)
        if claim:
            claim.release()

    def tickets(self, stage: str) -> list[str]:
        """What is in a stage, the oldest first."""
        return sorted(filter(_TICKET.fullmatch, os.listdir(self._state / stage)))

    def place(self, stage: str, ticket: str) -> Path:
        """A ticket's folder, if it is in this stage."""
        return self._state / stage / ticket

    def take(self, name: str) -> Held | None:
        """Take what was dropped under this name: from now on it is the queue's, and nobody else can take it. None:
        it is no longer there. Raises OSError when it cannot be moved."""
        held = self._new()
        if held is None:
            return None
        try:
            durable.move(self.inbox / name, held.folder / UPLOAD / name)
        except FileNotFoundError:
            self._drop_and_release(held)
            return None
        except BaseException:
            self._drop_and_release(held)
            raise
        return held

    def _new(self) -> Held | None:
        """An empty ticket; None when another swept it away at once."""
        ticket = f"{time.time_ns():020d}-{secrets.token_hex(4)}"
        folder = self.place(WAITING, ticket)
        folder.mkdir(mode=0o700)
        claim = claims.claim(folder)
        if claim is None:
            return None
        with contextlib.suppress(FileExistsError):
            (folder / UPLOAD).mkdir(mode=0o700)
        durable.sync_folder(folder)
        durable.sync_folder(folder.parent)
        return Held(ticket, WAITING, claim)

    def _drop_and_release(self, held: Held) -> None:
        with contextlib.suppress(OSError):
            self.drop(held)
        held.release()

    def hold(self, stage: str, ticket: str) -> Held | None:
        """The claim on a ticket; None when another has it, or it is no longer in this stage."""
        claim = claims.claim(self.place(stage, ticket))
        return Held(ticket, stage, claim) if claim else None

    def upload(self, held: Held) -> Path | None:
        """What was dropped, where it lies now; None for an empty ticket, whose taker was killed."""
        try:
            names = sorted(os.listdir(held.folder / UPLOAD))
        except FileNotFoundError:
            return None
        return held.folder / UPLOAD / names[0] if names else None

    def drop(self, held: Held) -> None:
        """Remove an empty ticket, and release it. Raises OSError when it is not empty."""
        with contextlib.suppress(FileNotFoundError):
            (held.folder / UPLOAD).rmdir()  # first: it fails when there is something in it
        (held.folder / TRIES).unlink(missing_ok=True)
        (held.folder / claims.FILE).unlink()
        held.release()  # NFS keeps a file that is open, under another name
        with contextlib.suppress(OSError):  # another has claimed it meanwhile, and removes it
            held.folder.rmdir()

    def troubles(self, held: Held) -> list[str]:
        """What kept the judgings so far from a verdict, one text for each."""
        value = _read(held.folder / TRIES)
        return [str(one) for one in value] if isinstance(value, list) else []

    def note_troubles(self, held: Held, troubles: list[str]) -> None:
        """Have every watcher know of them."""
        durable.write(held.folder / TRIES, dumped(troubles))

    def has_outcome(self, held: Held) -> bool:
        """Whether it was judged, and its holder killed in the next moment."""
        return _outcome(held.folder) is not None

    def keep(self, held: Held, outcome: Outcome) -> None:
        """Write down what is to be told."""
        durable.write(held.folder / OUTCOME, dumped({"file": outcome.file, "body": outcome.body}))

    def close(self, held: Held) -> None:
        """What has its outcome is not judged again."""
        self._step(held, TOLD)

    def reopen(self, held: Held) -> None:
        """What is closed but has no outcome that can be read (a damaged disk) is to be judged again: nothing of it was
        told, for that takes the outcome."""
        self._step(held, WAITING)

    def hand_over(self, held: Held) -> None:
        """Put a closed ticket's result where `publish` finds it. Raises ValueError when it has none."""
        outcome = _outcome(held.folder)
        if outcome is None:
            raise ValueError(f"{held.folder}: no outcome")
        durable.write(self._result(held.ticket), dumped(outcome.body))
        try:
            self._step(held, FAILED if outcome.is_error else DONE)
        except FileNotFoundError:  # taken over: it will be told under the new ticket, and this file by nobody
            if not any(self.place(stage, held.ticket).exists() for stage in (DONE, FAILED)):
                self._result(held.ticket).unlink(missing_ok=True)
            raise

    def _step(self, held: Held, stage: str) -> None:
        if not held.claim.holds():
            raise FileNotFoundError(errno.ENOENT, "it was taken over", str(held.folder))
        target = self.place(stage, held.ticket)
        durable.move(held.folder, target)
        held.stage = stage
        held.claim.moved(target)

    def _result(self, ticket: str) -> Path:
        return self._ready / f"{ticket}.json"

    def ready(self) -> list[str]:
        """The tickets whose results are ready to be told, or soon will be."""
        found = []
        for entry in sorted(os.listdir(self._ready)):
            ticket, _, ending = entry.partition(".")
            if ending == "json":
                found.append(ticket)
            else:
                self._sweep(ticket, entry)
        return found

    def publish(self, ticket: str) -> str | None:
        """Tell a result, if its ticket is done; the name of the file in the outbox. Needs no claim: of two processes
        one finds nothing left to rename."""
        outcome = _outcome(self.place(DONE, ticket)) or _outcome(self.place(FAILED, ticket))
        if outcome is None:
            return None
        number = 1
        try:
            while not durable.move_new(self._result(ticket), self.outbox / numbered(outcome.file, number)):
                number += 1
        except FileNotFoundError:
            return None
        return numbered(outcome.file, number)

    def _sweep(self, ticket: str, entry: str) -> None:
        """Remove what a kill left half written, when nobody can be writing it."""
        if not self.place(TOLD, ticket).exists():
            with contextlib.suppress(OSError):
                (self._ready / entry).unlink()

    def take_over(self, stage: str, ticket: str) -> str | None:
        """End the claim on a ticket whose holder is stopped or cut off, by giving the ticket another name; the new
        name, None when it is gone. Whatever the old holder does next fails."""
        other = f"{ticket.partition('-')[0]}-{secrets.token_hex(4)}"
        old, new = self.place(stage, ticket), self.place(stage, other)
        try:
            durable.move(old, new)
        except FileNotFoundError:
            return None
        claim = claims.claim(new)
        if claim:  # the old holder has ended in this moment
            claim.release()
        else:
            (new / claims.FILE).unlink(missing_ok=True)  # its lock is on it
        return other


def _check(inbox: Path, outbox: Path) -> None:
    for folder, what in ((inbox, "inbox"), (outbox, "outbox")):
        if not folder.is_dir():
            raise UsageError(f"{folder}: the {what} is no folder")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UsageError(f"{folder}: the {what} cannot be written to")
    into = os.path.relpath(os.path.realpath(outbox), os.path.realpath(inbox)).split(os.sep)
    if not into[0].startswith(".") or into == [os.curdir]:  # names with a dot are no submissions
        raise UsageError(f"{outbox}: the outbox is in the inbox, where its results would be submissions")


def _outcome(folder: Path) -> Outcome | None:
    value = _read(folder / OUTCOME)
    if not isinstance(value, dict) or not value.keys() >= {"file", "body"}:
        return None
    return Outcome(value["file"], value["body"])


def _read(file: Path) -> Any:
    """JSON of the queue's own; None for none."""
    try:
        return json.loads(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return None
