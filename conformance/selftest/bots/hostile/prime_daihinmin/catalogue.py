"""The whole table of hostile bots: `HOSTILE`, name → `Row(requirements, summary, play)`."""

from . import output, processes, signals, streams
from .base import HOSTILE, Row

__all__ = ["HOSTILE", "Row", "output", "processes", "signals", "streams"]
