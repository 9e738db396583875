"""Prime Daihinmin once more, from the announcement alone and deliberately dumb: what the referee is held
against.

Cards are plain lists and nothing is kept that can be worked out again: `Announced` goes through the whole
history for every question. `Program` is the status machine that the list of differences tells of. Nothing of
the referee is imported here.
"""

from __future__ import annotations

ZEROS = 13
BELPHEGOR = int("1" + "0" * ZEROS + "666" + "0" * ZEROS + "1")
WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)


def is_prime(n: int) -> bool:
    """Miller–Rabin to twenty bases, as a textbook has it; by division while that is quick."""
    if n < 2:
        return False
    for p in WITNESSES:
        if n == p:
            return True
        if n % p == 0:
            return False
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in WITNESSES:
        x = pow(base, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def is_mersenne(n: int) -> bool:
    """Whether a prime is one less than a power of two."""
    power = 2
    while power - 1 < n:
        power = power * 2
    return power - 1 == n


def places(scores: list[int]) -> list[int]:
    """Fewest first; those who tie all get the last of the places that they fill together."""
    ordered = sorted(scores)
    return [max(i + 1 for i, other in enumerate(ordered) if other == score) for score in scores]


def announced(hand: list[int], field: list[str], cards: list[int]) -> str:
    """The status of a play, or the ID of the first rule that it breaks."""
    left = list(hand)
    for card in cards:
        if card not in left:
            return "PD-3.1"
        left.remove(card)
    digits = "".join(str(card) for card in cards)
    if digits == str(BELPHEGOR):
        return "BELPHEGOR"
    if digits[0] == "0":
        return "PD-3.6"
    if not field and len(cards) > 5:
        return "PD-3.2"
    if field and len(cards) != len("".join(field)):
        return "PD-3.3"
    if field and int(digits) <= int(field[-1]):
        return "PD-3.4"
    if not is_prime(int(digits)):
        return "PD-3.5"
    return "MERSENNE" if is_mersenne(int(digits)) else "OK"


class Announced:
    """A match by the announcement. `history` holds what each seat did: (seat, what, cards, status)."""

    def __init__(self, names: list[str], hands: list[list[int]], stock: int) -> None:
        self.names = names
        self.dealt = hands
        self.stocked = stock
        self.history: list[tuple[int, str, list[int], str]] = []

    def number(self, cards: list[int]) -> str:
        seat = self.turn()
        assert seat is not None
        status = announced(self.hands()[seat], self.field(), cards)
        self.history.append((seat, "out" if status.startswith("PD") else "number", cards, status))
        return status

    def pass_(self, drawn: list[int], *, late: bool = False) -> None:
        seat = self.turn()
        assert seat is not None
        self.history.append((seat, "out", drawn, "drew") if late else (seat, "pass", drawn, "PASSED"))

    def other(self) -> None:
        """An action that does not exist."""
        self.silent()

    def silent(self) -> None:
        seat = self.turn()
        assert seat is not None
        self.history.append((seat, "out", [], ""))

    def hands(self) -> list[list[int]]:
        hands = [list(hand) for hand in self.dealt]
        for seat, what, cards, _ in self.history:
            if what == "pass":
                hands[seat].extend(cards)
            for card in cards if what == "number" else ():
                hands[seat].remove(card)
        return [sorted(hand) for hand in hands]

    def stock(self) -> int:
        return self.stocked - sum(
            len(cards) for _, what, cards, status in self.history if what == "pass" or status == "drew"
        )

    def still_in(self) -> list[int]:
        gone = [seat for seat, what, _, _ in self.history if what == "out"]
        return [seat for seat in range(len(self.names)) if seat not in gone]

    def end(self) -> str:
        if any(not hand for hand in self.hands()):
            return "winner"
        if self.stock() == 0 and self.history and self.history[-1][3] in ("PASSED", "drew"):
            return "stock"
        return "survivor" if len(self.still_in()) < 2 else ""

    def turn(self) -> int | None:
        if self.end():
            return None
        if not self.history:
            return 0
        seat, _, _, status = self.history[-1]
        if status in ("MERSENNE", "BELPHEGOR"):
            return seat
        while True:
            seat = (seat + 1) % len(self.names)
            if seat in self.still_in():
                return seat

    def field(self) -> list[str]:
        """What lies before the seat whose turn it is."""
        field: list[str] = []
        for length in range(len(self.history) + 1):
            before = Announced(self.names, self.dealt, self.stocked)
            before.history = self.history[:length]
            if before._leads():
                field = []
            if length < len(self.history) and self.history[length][1] == "number":
                field.append("".join(str(card) for card in self.history[length][2]))
        return field

    def _leads(self) -> bool:
        """Whether the seat on turn cut, or all others still in have passed since it played."""
        seat = self.turn()
        played = [i for i, (_, what, _, _) in enumerate(self.history) if what == "number"]
        if seat is None or not played or self.history[played[-1]][0] != seat:
            return False
        since = self.history[played[-1] + 1 :]
        if self.history[-1][3] in ("MERSENNE", "BELPHEGOR"):
            return True
        passed = {who for who, what, _, _ in since if what == "pass"}
        return all(other in passed for other in self.still_in() if other != seat)

    def record(self) -> list[list[object]]:
        record: list[list[object]] = [
            [n, "OK", len(h), []] for n, h in zip(self.names, self.dealt, strict=True)
        ]
        for length, (seat, what, cards, status) in enumerate(self.history, 1):
            if what == "out":
                continue
            before = Announced(self.names, self.dealt, self.stocked)
            before.history = self.history[: length - 1]
            field = before.field()
            if what == "number":
                field.append("".join(str(card) for card in cards))
            before.history = self.history[:length]
            record.append([self.names[seat], status, len(before.hands()[seat]), field])
        return record

    def scores(self) -> list[int]:
        everything = sum(map(len, self.dealt)) + self.stocked
        return [
            len(hand) if seat in self.still_in() else everything for seat, hand in enumerate(self.hands())
        ]


class Program:
    """A match by the list of differences: a status a seat, and rows 1 to 6 and 8. `mended`: without row 4."""

    def __init__(self, names: list[str], hands: list[list[int]], stock: int, *, mended: bool) -> None:
        self.names = names
        self._hands = [sorted(hand) for hand in hands]
        self._everything = sum(map(len, hands)) + stock
        self._stock = stock
        self._mended = mended
        self._status = ["OK"] * len(names)
        self._mover: int | None = None
        self._field: list[str] = []
        self._over = ""
        self._record: list[list[object]] = []
        for seat in range(len(names)):
            self._write(seat)

    def _write(self, seat: int) -> None:
        self._record.append([self.names[seat], self._status[seat], len(self._hands[seat]), list(self._field)])

    def _forget_passes(self) -> None:
        self._status = ["OK" if status == "PASSED" else status for status in self._status]

    def end(self) -> str:
        if not self._over and self._status.count("ERROR") >= len(self.names) - 1:
            self._over = "survivor"
        return self._over

    def turn(self) -> int | None:
        """Whose turn it is. Asking makes it so: what there is to clear is cleared."""
        if self.end():
            return None
        mover = self._mover
        if mover is not None and self._status[mover] in ("MERSENNE", "BELPHEGOR"):
            self._field = []
            self._forget_passes()
            return mover
        seat = 0 if mover is None else (mover + 1) % len(self.names)
        while self._status[seat] == "ERROR":
            seat = (seat + 1) % len(self.names)
        if [i for i, status in enumerate(self._status) if status not in ("PASSED", "ERROR")] == [seat]:
            self._field = []
            self._forget_passes()
        return seat

    def field(self) -> list[str]:
        self.turn()
        return list(self._field)

    def hands(self) -> list[list[int]]:
        return [sorted(hand) for hand in self._hands]

    def stock(self) -> int:
        return self._stock

    def record(self) -> list[list[object]]:
        return self._record

    def scores(self) -> list[int]:
        lost = ("ERROR",) if self._mended else ("ERROR", "BELPHEGOR")
        return [
            self._everything if status in lost else len(hand)
            for status, hand in zip(self._status, self._hands, strict=True)
        ]

    def number(self, cards: list[int]) -> str:
        seat = self.turn()
        assert seat is not None
        self._mover = seat
        status = self._lay(seat, cards)
        self._status[seat] = status
        if status == "ERROR":
            return status
        gone_out = not self._hands[seat]
        # Row 4: the program had noticed the win before it wrote the entry.
        if not (gone_out and status == "BELPHEGOR" and not self._mended):
            self._write(seat)
        if gone_out:
            self._over = "winner"
            self._forget_passes()
        return status

    def _lay(self, seat: int, cards: list[int]) -> str:
        hand = self._hands[seat]
        if any(card not in hand for card in cards):
            return "ERROR"
        for card in cards:  # rows 8 and 11: gone, and only then counted
            if card not in hand:
                return "ERROR"
            hand.remove(card)
        value = int("".join(str(card) for card in cards))
        if value == BELPHEGOR:
            self._field.append(str(value))
            return "BELPHEGOR"
        lying = len("".join(self._field))
        if (len(cards) != lying) if self._field else (len(cards) > 5):
            return "ERROR"
        if not is_prime(value) or (self._field and value < int(self._field[-1])):
            return "ERROR"
        self._field.append(str(value))
        return "MERSENNE" if is_mersenne(value) else "OK"

    def pass_(self, drawn: list[int], *, late: bool = False) -> None:
        del late  # row 6: nothing is noticed yet
        seat = self.turn()
        assert seat is not None
        self._mover = seat
        self._status[seat] = "PASSED"
        self._hands[seat].extend(drawn)
        self._stock -= len(drawn)
        self._write(seat)
        if not self._stock:
            self._over = "stock"
            self._forget_passes()

    def other(self) -> None:
        """Row 5: a turn in which nothing happens, not even to the status."""
        self._mover = self.turn()

    def silent(self) -> None:
        seat = self.turn()
        assert seat is not None
        self._mover = seat
        self._status[seat] = "ERROR"
