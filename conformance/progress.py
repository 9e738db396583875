"""Live progress: a bar on a terminal, now and then a plain line elsewhere.

Law: progress goes to stderr, never into a report; it is gone when the run is over.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from pdcheck.conformance.kit import Progress, Watch

PLAIN_EVERY = 10.0
"""Seconds between two plain lines."""


@contextmanager
def progress(stream: TextIO, *, quiet: bool = False) -> Iterator[Watch]:
    """A `Watch` for the run."""
    if quiet:
        yield lambda _: None
    elif stream.isatty():
        with _bar(stream) as watch:
            yield watch
    else:
        yield _plain(stream)


@contextmanager
def _bar(stream: TextIO) -> Iterator[Watch]:
    from rich import progress as rich_progress
    from rich.console import Console

    columns = (
        rich_progress.TextColumn("{task.description:12}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TimeElapsedColumn(),
    )
    bar = rich_progress.Progress(*columns, console=Console(file=stream), transient=True, auto_refresh=False)
    with bar:
        task = bar.add_task("starting", total=None)
        shown = 0.0

        def watch(at: Progress) -> None:
            nonlocal shown
            now = time.monotonic()
            bar.update(task, completed=at.done, total=at.total, description=at.section)
            if now - shown > 0.1:
                shown = now
                bar.refresh()

        yield watch


def _plain(stream: TextIO) -> Watch:
    last = time.monotonic()

    def watch(at: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PLAIN_EVERY:
            last = now
            with suppress(OSError):
                print(f"{at.done} of {at.total} cases ({at.section})", file=stream, flush=True)

    return watch
