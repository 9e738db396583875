"""The one exception for what was asked and cannot be done."""

from __future__ import annotations

from pdcheck.scenarios.document import visible


class UsageError(Exception):
    """One line that says what is wrong; exit status 2. Names in it may come from anybody's file: what a terminal would
    obey is escaped."""

    def __str__(self) -> str:
        return visible(super().__str__())
