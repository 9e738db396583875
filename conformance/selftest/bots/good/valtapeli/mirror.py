#!/usr/bin/env python3
"""mirror: answers each move with the cell opposite it, and where that is taken with the free cell nearest to it.

Style: one class with a generator of moves, `readline` on text streams. As player 1 it opens beside the middle and mirrors
from then on; its last input line is left unread. Run: `python3 mirror.py`.
"""

import sys

SIDE = 16
OPENING = (8, 9)


class Mirror:
    def __init__(self):
        self.free = {(row, column) for row in range(1, SIDE + 1) for column in range(1, SIDE + 1)}

    def answer(self, row, column):
        """The opposite cell, or else the nearest free one; of several, the uppermost and leftmost."""
        self.free.discard((row, column))
        wanted = (SIDE + 1 - row, SIDE + 1 - column)
        if wanted not in self.free:
            wanted = min(self.free, key=lambda cell: (self.distance(cell, wanted), cell))
        return self.take(wanted)

    def take(self, cell):
        self.free.remove(cell)
        return cell

    @staticmethod
    def distance(one, other):
        return abs(one[0] - other[0]) + abs(one[1] - other[1])


def say(*words):
    print(*words, flush=True)


def main():
    number = sys.stdin.readline()
    if not number:
        return
    say("Mirror")
    player, left = Mirror(), SIDE * SIDE // 2
    if int(number) == 1:
        say(*player.take(OPENING))
        left -= 1
    while left and (line := sys.stdin.readline()).endswith("\n"):
        say(*player.answer(*map(int, line.split())))
        left -= 1


if __name__ == "__main__":
    main()
