"""The one exception for what was asked and cannot be done."""


class UsageError(Exception):
    """One line that says what is wrong; exit status 2."""
