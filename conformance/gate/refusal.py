"""Why a submission is not taken: a code from one table, with what it is about.

Law: a refusal is the submission's fault and names the requirement that it breaks; trouble of the machine is
`IntakeTrouble`, which is never held against a submission. A code, or a detail of one, that is not in the table raises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Detail = str | int

CODES: Mapping[str, tuple[str, ...]] = {
    # what was handed in
    "empty": ("name",),
    "no-source": (),
    "several-sources": ("names",),
    "unclear-source": ("names",),
    "source-too-big": ("bytes", "limit"),
    "data-too-big": ("bytes", "limit"),
    "no-data-files": ("names",),
    "not-text": ("name",),
    "settings": ("name",),
    "user-id": ("user",),
    # its language
    "unknown-language": ("name",),
    "unsupported-language": ("language",),
    # folders and archives
    "upload-too-big": ("limit",),
    "unpacked-too-big": ("limit",),
    "too-many-files": ("limit",),
    "link": ("name",),
    "special-file": ("name",),
    "outside": ("name",),
    "name-not-utf8": ("name",),
    "name-characters": ("name",),
    "name-too-long": ("name",),
    "name-twice": ("name", "other"),
    "archive-damaged": (),
    "archive-encrypted": (),
    "archive-kind": (),
    # its build
    "no-main-class": ("name",),
    "several-main-classes": ("names",),
    "build-failed": ("status",),
    "build-time": ("seconds",),
    "build-memory": ("limit",),
    "build-output": ("limit",),
    "build-no-bot": ("name",),
}
"""Code → its details."""


class Unfit(Exception):
    """Something that cannot be taken, before it is said which requirement that breaks."""

    def __init__(self, code: str, **details: Detail) -> None:
        """Raises KeyError for an unknown code, TypeError for details that are not those of its row."""
        if sorted(CODES[code]) != sorted(details):
            raise TypeError(f"{code}: its details are {CODES[code]}, not {tuple(details)}")
        super().__init__(code)
        self.code = code
        self.details: Mapping[str, Detail] = details


class Refused(Unfit):
    """A submission that is not taken: the requirement that it breaks, a code of `CODES`, and its details."""

    def __init__(self, requirement: str, code: str, **details: Detail) -> None:
        super().__init__(code, **details)
        self.requirement = requirement

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in self.details.items())
        return f"{self.requirement}: {self.code}" + (f" ({told})" if told else "")


class IntakeTrouble(Exception):
    """The machine could not read, keep or find something: to be tried again, never held against a submission."""


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names for a detail: the first few, and how many there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown}, … ({len(names)})"
