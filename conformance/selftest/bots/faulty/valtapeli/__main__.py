"""`python3 THIS_FILE FAULT` plays one faulty bot over stdin and stdout; `--list` prints the table.

Law of this file: a bot starts fast and leaves nothing behind, so only the section that holds the fault is
imported and no byte code is written.
"""

from __future__ import annotations

import sys

if __package__ in (None, ""):
    sys.dont_write_bytecode = True
    sys.path[0] = __file__.rpartition("/")[0] + "/.."
    from valtapeli.base import FAULTS, import_section
else:
    from .base import FAULTS, import_section

SECTIONS = (
    ("io-1-", "gone"),
    *((f"io-{number}-", "lines") for number in (2, 3, 4, 5, 6, 8, 15)),
    ("io-", "surroundings"),
    ("va-1-", "names"),
    ("va-2-", "names"),
    ("va-3-", "moves"),
    ("va-4-", "moves"),
    ("va-5-", "cells"),
    ("va-6-", "ends"),
    ("va-7-", "resources"),
    ("va-8-", "resources"),
    ("va-9-", "repeats"),
    ("va-10-", "cells"),
    ("va-12-", "moves"),
)
"""What a name begins with, and the module its fault is in."""


def usage() -> int:
    print("usage: python3 valtapeli/__main__.py (FAULT | --list)", file=sys.stderr)
    return 2


def print_table() -> int:
    faults = import_section("catalogue").FAULTS
    width = max(map(len, faults))
    for name, fault in faults.items():
        print(f"{name:{width}}  {fault.requirement:<7} {fault.level:<6}  {fault.summary}")
    return 0


def main(arguments: list[str]) -> int:
    if arguments == ["--list"]:
        return print_table()
    if len(arguments) != 1:
        return usage()
    section = next((section for prefix, section in SECTIONS if arguments[0].startswith(prefix)), "")
    if section:
        import_section(section)
    fault = FAULTS.get(arguments[0])
    if fault is None:
        print(f"no fault is named {arguments[0]!r}", file=sys.stderr)
        return usage()
    return fault.bot().run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
