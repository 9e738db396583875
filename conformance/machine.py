"""What is told of the machine a run was made on."""

from __future__ import annotations

import os
import platform
from functools import cache
from typing import Any

LIMITS = ("memory", "network", "files", "processes")


@cache
def machine() -> dict[str, Any]:
    """System, cores and interpreter, and for each kind of limit whether it is enforced, watched or off."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "limits": dict.fromkeys(LIMITS, "off"),
    }
