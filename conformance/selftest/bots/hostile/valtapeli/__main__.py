"""`python3 THIS_FILE NAME` plays one hostile bot over stdin and stdout; `--list` prints the table."""

from __future__ import annotations

import sys

if __package__ in (None, ""):
    sys.dont_write_bytecode = True
    sys.path[0] = __file__.rpartition("/")[0] + "/.."
    from valtapeli.base import limit, usage
    from valtapeli.catalogue import HOSTILE
else:
    from .base import limit, usage
    from .catalogue import HOSTILE


def main(arguments: list[str]) -> int:
    if arguments == ["--list"]:
        width = max(map(len, HOSTILE))
        for name, row in HOSTILE.items():
            print(f"{name:{width}}  {', '.join(row.requirements):24}  {row.summary}")
        return 0
    if len(arguments) != 1 or arguments[0] not in HOSTILE:
        return usage()
    limit()
    HOSTILE[arguments[0]].play()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
