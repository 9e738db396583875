"""Everything that a verdict depends on, and one hash of it.

Law: two judgings of one identity give one verdict. What is not in here must not change any.
"""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pdcheck.conformance.gate import building, toolchains
from pdcheck.conformance.gate.cache import key_of
from pdcheck.conformance.gate.submission import Submission
from pdcheck.conformance.version import __version__

if TYPE_CHECKING:
    from pdcheck.conformance.gate.judging import Order
    from pdcheck.conformance.gate.walling import Walling


def identity(submission: Submission, order: Order, walling: Walling) -> tuple[str, Mapping[str, Any]]:
    """The hash and what it is of. Raises MissingToolchain."""
    tools = [toolchains.find(submission.chosen)]
    if submission.makefile:
        tools.append(toolchains.find([toolchains.maker()]))
    parts = {
        "submission": submission.sha256,
        "name": submission.name,  # the submitter is told of it
        "language": submission.language,
        "user": order.user,
        "pdcheck": __version__,
        "suite": order.pack.suite,
        "rules": order.rules,
        "profile": order.profile,
        "seed": order.seed,
        "time": order.time,
        "strict": order.strict,
        "memory": order.pack.memory,
        "build": {
            "seconds": building.SECONDS,
            "memory": building.MOST_MEMORY,
            "bytes": building.MOST_BUILT,
        },
        "tools": {one.toolchain.name: one.version() for one in tools},
        "tasks": tools[0].toolchain.most_tasks,
        "address_space": tools[0].toolchain.address_space,
        "libraries": _libraries(tools[0]),
        "libc": " ".join(platform.libc_ver()),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "walls": walling.promised,
    }
    return key_of(parts), parts


def _libraries(tool: toolchains.Installed) -> Mapping[str, str]:
    """The libraries that its builds may use, by their headers as they are here."""
    found = {}
    for library in tool.toolchain.library:
        for folder in toolchains.HEADERS:
            with contextlib.suppress(OSError):
                if library.header:
                    header = os.stat(os.path.join(folder, library.header))
                    found[library.name] = f"{header.st_size} {header.st_mtime_ns}"
                    break
    return found
