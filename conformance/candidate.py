"""The candidate: how a setting becomes the process of the bot under test.

Law: the one door to its transport. What stands between the bot and the machine is an `Enclosure`; in the open there
is nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Protocol

from pdcheck.conformance.bot import Bot
from pdcheck.conformance.files import temporary
from pdcheck.conformance.repeats import clock
from pdcheck.conformance.setting import Setting
from pdcheck.conformance.transports.process import Launch, ProcessTransport
from pdcheck.conformance.transports.terminal import TerminalTransport
from pdcheck.conformance.watch import calls
from pdcheck.conformance.watch.transport import ObservedTransport

NO_FILE_CAN_BE_MADE = "/proc"
"""A folder in which even root cannot make a file, where there is one."""


class Enclosure(Protocol):
    """What bots run behind."""

    @property
    def limits(self) -> Mapping[str, str]:
        """memory, network, files and processes → whether each is enforced, watched or off; none: as the sandbox is."""
        ...

    def transport(self, launch: Launch, setting: Setting) -> ProcessTransport:
        """The transport of a bot to be started so. Raises StartError where such a setting cannot be made."""
        ...


class Open:
    """Nothing between the bot and the machine: how contestants check their own."""

    limits: Mapping[str, str] = {}

    def transport(self, launch: Launch, setting: Setting) -> ProcessTransport:
        """On pipes or a terminal, its system calls told where they are watched."""
        if setting.terminal:
            return TerminalTransport(launch)
        observed = calls.machine() if setting.watched == "calls" else None
        return ProcessTransport(launch) if observed is None else ObservedTransport(launch, observed)


OPEN = Open()


def launched(stack: ExitStack, bot: Bot, setting: Setting, scratch: str | None) -> Launch:
    """How the bot is started in this setting, with fresh folders in `scratch` that are gone when `stack` closes."""
    if scratch:  # a bot can delete what it finds above its HOME
        os.makedirs(scratch, exist_ok=True)
    home = stack.enter_context(temporary("home-", scratch))
    folder = None
    if setting.unwritable and os.path.isdir(NO_FILE_CAN_BE_MADE):
        folder = NO_FILE_CAN_BE_MADE
    elif setting.elsewhere or setting.unwritable:
        folder = stack.enter_context(temporary("cwd-", scratch))
        if setting.unwritable:
            os.chmod(folder, 0o500)
    told = clock.variables(setting.clock, scratch)
    return bot.launch(home, changes={**setting.changes, **told}, folder=folder)
