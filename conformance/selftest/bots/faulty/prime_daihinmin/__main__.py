"""`python3 THIS_FILE FAULT` plays one faulty bot over stdin and stdout; `--list` prints the table.

Law of this file: a bot starts fast and leaves nothing behind, so only the section that holds the fault is
imported and no byte code is written.
"""

from __future__ import annotations

import sys

if __package__ in (None, ""):
    sys.dont_write_bytecode = True
    sys.path[0] = __file__.rpartition("/")[0] + "/.."
    from prime_daihinmin.base import FAULTS, import_section
else:
    from .base import FAULTS, import_section


def usage() -> int:
    print("usage: python3 prime_daihinmin/__main__.py (FAULT | --list)", file=sys.stderr)
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
    for prefix, section in (
        ("io-", "io"),
        ("js-", "js"),
        ("pd-2.", "messages"),
        ("pd-3.", "plays"),
        ("pd-6.4-", "files"),
        ("pd-", "conduct"),
    ):
        if arguments[0].startswith(prefix):
            special = (name for name in ("flaky", "silence") if f"-{name}-" in arguments[0])
            import_section(next(special, section))
            break
    if arguments[0] not in FAULTS:
        import_section("torture")
    fault = FAULTS.get(arguments[0])
    if fault is None:
        print(f"no fault is named {arguments[0]!r}", file=sys.stderr)
        return usage()
    return fault.bot().run()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
