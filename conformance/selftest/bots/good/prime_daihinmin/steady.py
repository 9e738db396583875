#!/usr/bin/env python3
"""steady: plays the smallest legal number, cuts with a Mersenne or Belphegor's prime when it holds one.

Style: plain functions, bytes in and bytes out, the standard `json` module, a Miller-Rabin test of its own.
Nothing is kept between two messages. Run: `python3 steady.py`.
"""

import json
import sys

BELPHEGOR = "1" + "0" * 13 + "666" + "0" * 13 + "1"
MERSENNE = ["3", "7", "31", "127", "8191", "131071", "524287", "2147483647"]
LONGEST = 40  # digits; above, this bot passes
TRIES = 500  # candidates looked at in one turn
WITNESSES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41]  # proven up to 3.3e24


def probably_prime(n):
    if n < 43:
        return n in WITNESSES
    if any(n % p == 0 for p in WITNESSES):
        return False
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    return all(passes_round(n, a, d, s) for a in WITNESSES)


def passes_round(n, a, d, s):
    x = pow(a, d, n)
    if x == 1 or x == n - 1:
        return True
    for _ in range(s - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


def counted(text):
    return [text.count(digit) for digit in "0123456789"]


def affordable(text, have):
    return all(need <= got for need, got in zip(counted(text), have, strict=True))


def first_from(low, have):
    """The smallest arrangement of held cards, as long as `low` and not below it; None when there is none."""
    have, taken = list(have), []
    for digit in map(int, low):  # follow `low` as far as the cards go
        if not have[digit]:
            break
        have[digit] -= 1
        taken.append(digit)
    if len(taken) == len(low):
        return low
    while True:  # then go above it at the last place where that is possible
        place = len(taken)
        for digit in range(int(low[place]) + 1, 10):
            if have[digit]:
                have[digit] -= 1
                return "".join(map(str, taken)) + str(digit) + smallest(have, len(low) - place - 1)
        if not taken:
            return None
        have[taken.pop()] += 1


def smallest(have, length):
    text = ""
    for digit in range(10):
        text += str(digit) * min(have[digit], length - len(text))
    return text


def search(length, above, have, tries):
    """The smallest held prime of `length` cards above a number, and how many tries are left."""
    low = str(max(above + 1, 10 ** (length - 1)))
    while len(low) == length and tries > 0:
        text = first_from(low, have)
        if text is None:
            break
        tries -= 1
        if probably_prime(int(text)):
            return text, tries
        low = str(int(text) + 1)
    return None, tries


def choose(hand, numbers):
    have = [hand.count(digit) for digit in range(10)]
    if affordable(BELPHEGOR, have):
        return BELPHEGOR
    total = sum(map(len, numbers))
    if total > LONGEST or total > len(hand):
        return None
    above = int(numbers[-1]) if numbers else 0
    lengths = [total] if numbers else range(min(5, len(hand)), 0, -1)
    for cut in MERSENNE:
        if len(cut) in lengths and int(cut) > above and affordable(cut, have):
            return cut
    tries = TRIES
    for length in lengths:
        text, tries = search(length, above, have, tries)
        if text is not None:
            return text
    return None


def answer(line):
    try:
        message = json.loads(line.decode("utf-8"))
        action = message["action"]
    except (ValueError, KeyError, TypeError):
        return b"", None
    if action != "play" or not message.keys() >= {"hand", "numbers"}:
        return b"", action
    text = choose(message["hand"], message["numbers"])
    if text is None:
        return b'{"action":"pass"}', action
    return b'{"action":"number","cards":[%s]}' % ",".join(text).encode(), action


def main():
    for line in iter(sys.stdin.buffer.readline, b""):
        if not line.endswith(b"\n"):
            break
        reply, action = answer(line)
        sys.stdout.buffer.write(reply + b"\n")
        sys.stdout.buffer.flush()
        if action == "quit":
            break


if __name__ == "__main__":
    main()
