"""Faults in a bot's name (VA-1, VA-2).

Law of this file: the name is all that is wrong; every move is right, and in each run the same.
"""

from __future__ import annotations

import os

from .base import Bot, fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


# VA-1: 3 to 9 letters and digits ----------------------------------------------------------------------------


@fault("VA-1", "MUST", "two-letters")
class TwoLetters(Bot):
    """The terse has a name of two letters."""

    name = "Ai"


@fault("VA-1", "MUST", "ten-letters")
class TenLetters(Bot):
    """The long-winded has a name of ten letters."""

    name = "Valtaaja10"


@fault("VA-1", "MUST", "hyphen")
class Hyphen(Bot):
    """The double-barrelled has a hyphen in its name."""

    name = "Max-Emil"


@fault("VA-1", "MUST", "umlaut")
class Umlaut(Bot):
    """The native writes its name as its mother does, in UTF-8."""

    name = "Möttönen"


@fault("VA-1", "MUST", "two-words")
class TwoWords(Bot):
    """The proper gives its first and its last name."""

    name = "Bot Smith"


@fault("VA-1", "MUST", "empty")
class Empty(Bot):
    """The nameless answers its turn number with an empty line."""

    name = ""


@fault("VA-1", "MUST", "no-name-as-first")
class NoNameAsFirst(Bot):
    """The rash moves at once in seat 1, without a name."""

    def say_name(self) -> None:
        if self.seat == 2:
            super().say_name()


@fault("VA-1", "MUST", "silence-wants-blank-line", "still reading")
class WantsBlankLine(Bot):
    """The reader of letters waits for the empty line at the end of each."""

    def lines(self) -> Iterator[bytes]:
        letter: list[bytes] = []
        for line in super().lines():
            if line:
                letter.append(line)
            else:
                yield b"".join(letter)
                letter.clear()


@fault("VA-1", "MUST", "silence-reads-to-end", "still reading")
class ReadsToEnd(Bot):
    """The scholar reads everything to its end before it says who it is."""

    def lines(self) -> Iterator[bytes]:
        letter = bytearray()
        while chunk := self.read():
            letter += chunk
        yield bytes(letter.partition(b"\n")[0])


@fault("VA-1", "MUST", "silence-on-stderr", "answered on stderr")
class OnStderr(Bot):
    """The misdirected writes each answer to stderr."""

    def write(self, data: bytes) -> None:
        os.write(2, data)


# VA-2: the same name ----------------------------------------------------------------------------------------


@fault("VA-2", "MUST", "by-letter-case")
class ByLetterCase(Bot):
    """The humble writes its name small in seat 2."""

    def say_name(self) -> None:
        self.answer("janus" if self.seat == 2 else "Janus")


@fault("VA-2", "MUST", "by-pid")
class ByPid(Bot):
    """The registered has the end of its process ID in its name."""

    def say_name(self) -> None:
        self.answer(f"Bot{os.getpid() % 100000}")


@fault("VA-2", "MUST", "by-day")
class ByDay(Bot):
    """The saint of the day has the number of the day in its name."""

    def say_name(self) -> None:
        import time

        self.answer(f"Day{int(time.time()) // 86400 % 1000:03}")


@fault("VA-2", "MUST", "by-folder")
class ByFolder(Bot):
    """The local is called after the folder that it was started in."""

    def say_name(self) -> None:
        self.answer(f"Bot{sum(os.getcwd().encode()) % 100000}")


@fault("VA-2", "MUST", "by-locale")
class ByLocale(Bot):
    """The polyglot's name is another one in another language."""

    def say_name(self) -> None:
        self.answer("Mestari" if os.environ.get("LANG", "").startswith("C.") else "Master")
