"""What is told of the machine a run was made on."""

from __future__ import annotations

import os
import platform
from functools import cache
from typing import Any

from pdcheck.conformance.watch import limits


@cache
def machine(sandbox: str = "none") -> dict[str, Any]:
    """System, cores and interpreter, and for each kind of limit whether it is enforced, watched or off in this
    sandbox. Raises ValueError for an unknown one."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "limits": dict(limits(sandbox)),
    }
