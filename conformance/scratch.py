"""A folder for what one run leaves lying about, which is gone after it however the run ends.

Law: the warden knows the folder's name before there is a folder, so that no moment is left at which a kill would
leave it behind.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from pdcheck.conformance.files import temporary
from pdcheck.conformance.transports.warden import PREFIX, warden


@contextmanager
def scratch() -> Iterator[str]:
    """The folder's path. Raises RuntimeError inside another one of this process: the warden knows one at a time."""
    keeper = warden()
    prefix = f"{PREFIX}{secrets.token_hex(8)}-"
    keeper.owns(os.path.join(tempfile.gettempdir(), prefix))
    try:
        with temporary(prefix) as folder:
            yield folder
    finally:
        keeper.disowns()
