"""Valtapeli as people see it: what is drawn, what is read, and letters that stay with their regions."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pdcheck.referee.game import Over
from pdcheck.referee.valtapeli.board import CELLS, NEIGHBOURS, SIZE, Board
from pdcheck.referee.valtapeli.codec import read_move, read_name
from pdcheck.referee.valtapeli.flow import Valtapeli
from pdcheck.referee.violations import Ruling, Violation
from pdcheck.scenarios.seatview import Cell, Complaint, Due, Line, Look, plain, width_of
from pdcheck.scenarios.valtapeli.table import LETTERS, MANY, BoardView, Letters

WIDE = Look(79, 19)


def seen(moves: Sequence[int] = (), names: Sequence[str] = ("human", "bot")) -> tuple[BoardView, Valtapeli]:
    game = Valtapeli(names)
    for cell in moves:
        game.board.claim(cell)
    return BoardView(game), game


def drawn(lines: Sequence[Line]) -> str:
    return "\n".join(map(plain, lines))


# --- letters ------------------------------------------------------------------------------------------------

orders = st.integers(0, 2**32).map(lambda seed: random.Random(seed).sample(range(CELLS), CELLS))


@given(orders, st.integers(0, CELLS))
@settings(max_examples=30)
def test_letters_are_those_of_the_regions(order: list[int], count: int) -> None:
    moves = order[:count]
    board, signs = Board(moves), Letters(moves).of
    labels = board.labels()
    assert set(signs) == set(moves[::2])
    by_region = {(labels[cell], sign) for cell, sign in signs.items()}
    assert len(by_region) == len(board.regions()), "one letter a region"
    lettered = [sign for _, sign in by_region if sign != MANY]
    assert len(lettered) == len(set(lettered)), "one region a letter"


@given(orders)
@settings(max_examples=10)
def test_a_region_keeps_its_letter_while_it_grows(order: list[int]) -> None:
    signs = Letters()
    for count in range(1, CELLS + 1, 2):
        before, new = dict(signs.of), order[count - 1]
        signs.follow(order[:count])
        touched = {before[near] for near in NEIGHBOURS[new] if near in before}
        for cell, sign in before.items():
            assert signs.of[cell] == sign or sign in touched
        if touched:
            assert signs.of[new] in touched
            sizes = {sign: sum(other == sign for other in before.values()) for sign in touched - {MANY}}
            assert sizes.get(signs.of[new], 0) == max(sizes.values(), default=0), "the largest keeps its own"
    assert signs.of == Letters(order).of


def test_more_regions_than_letters() -> None:
    apart = [cell for cell in range(CELLS) if (cell // SIZE + cell) % 2 == 0]
    between = [cell for cell in range(CELLS) if cell not in set(apart)]
    moves = [cell for pair in zip(apart, between, strict=True) for cell in pair]
    signs = Letters(moves).of
    assert [signs[cell] for cell in apart[: len(LETTERS)]] == list(LETTERS)
    assert {signs[cell] for cell in apart[len(LETTERS) :]} == {MANY}


def test_regions_without_a_letter_join_the_one_that_has() -> None:
    apart = [cell for cell in range(CELLS // 2) if (cell // SIZE + cell) % 2 == 0][: len(LETTERS)]
    later = [CELLS - 1, CELLS - 2, CELLS - 2 - SIZE]
    # Player 2's cells do not matter here, and may be any.
    moves = [cell for own in [*apart, *later] for cell in (own, -1)]
    signs = Letters(moves)
    assert {signs.of[cell] for cell in later} == {MANY}
    end = apart[-1] + SIZE
    path = [
        *range(CELLS - 1 - SIZE, CELLS // 2 + SIZE - 1, -SIZE),
        *range(CELLS // 2 + SIZE - 1, end - 1, -1),
    ]
    signs.follow([*moves, *(cell for own in path for cell in (own, -1))])
    assert {signs.of[cell] for cell in [*later, *path]} == {signs.of[apart[-1]]} == {LETTERS[-1]}


# --- drawing ------------------------------------------------------------------------------------------------


def test_the_board_beside_what_it_is_worth() -> None:
    view, _ = seen([0, 255, 1, 254, 100])
    lines = view.draw(WIDE)
    text = drawn(lines)
    assert text.split("\n")[1].startswith(" 1  A  A  .")
    assert " B ]" not in text
    assert plain(lines[7])[3 + 3 * 4 :][:3] == "[B]"
    for part in ("move 6 of 256", ">2 # bot", "last: human 7 5", "score 5", "2 regions", "A    2       4"):
        assert part in text
    styles = {span.style for line in lines for span in line if span.text.strip() in ("A", "[B]")}
    assert len(styles) == 2, "a colour a region"


def test_pointer_and_hint() -> None:
    view, _ = seen([0])
    look = Look(79, 19, 1, pointer=Cell(0, 1), hint=Cell(1, 0))
    rows = [plain(line) for line in view.draw(look)]
    assert rows[1][3:9] == "[A]>.<"
    assert rows[2][3:6] == "?.?"


@given(st.integers(1, 140), st.integers(1, 60), orders, st.integers(0, CELLS))
@settings(max_examples=60)
def test_any_size(width: int, height: int, order: list[int], count: int) -> None:
    view, _ = seen(order[:count])
    lines = view.draw(Look(width, height))
    assert 0 < len(lines) <= max(height, 1)
    if width >= 35 and height >= 17:
        rows = [plain(line)[:35] for line in lines[1:17]]
        assert [row[:2].strip() for row in rows] == [str(row) for row in range(1, 17)]
        assert max(map(width_of, lines[:17])) <= width
        cell = 3 if width >= 77 else 2
        assert [plain(lines[0])[3 + cell * at :][: cell - 1][-1] for at in range(16)] == [*"1234567890123456"]


def test_a_stopped_bot_and_a_name_of_its_own_are_shown() -> None:
    view, game = seen()
    game.said[1] = "Deep"
    game.stopped[1] = Violation("VA-4", "a move", "none")
    assert " 2 # bot (Deep) stopped" in drawn(view.draw(WIDE))


# --- reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["5 12", " 5  12 ", "5,12", "5, 12", "05 12", "5\t12"])
def test_what_is_typed_becomes_a_plain_line(typed: str) -> None:
    view, _ = seen()
    assert view.read(0, typed) == b"5 12\n"


@pytest.mark.parametrize(
    "typed", ["", "5", "5 12 3", "0 1", "17 1", "1 -1", "a b", "５ 12", "5 12\x00", "\ud800 1"]
)
def test_what_is_no_move_names_its_rule(typed: str) -> None:
    view, _ = seen()
    found = view.read(0, typed)
    assert isinstance(found, Complaint)
    assert found.text.startswith(("VA-4: ", "IO-6: "))


def test_a_taken_cell_says_whose_it_is() -> None:
    view, _ = seen([0, 1])
    assert view.read(0, "1 2") == Complaint("VA-5: 1 2, which bot has claimed; expected a free cell")


def test_pointing_means_what_typing_does() -> None:
    view, _ = seen()
    assert view.read(0, view.pointed(Cell(15, 0))) == b"16 1\n"


@given(orders, st.integers(0, CELLS - 1))
@settings(max_examples=20)
def test_a_hint_can_be_played(order: list[int], count: int) -> None:
    view, game = seen(order[:count])
    hint = view.hint(count % 2)
    assert hint.cell
    assert isinstance(view.read(0, view.pointed(hint.cell)), bytes)
    assert str(game.board.gain(hint.cell.row * SIZE + hint.cell.column)) in hint.lines[0]


# --- messages -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["human", "human1", "x", "Ä-ö", "a name that is long", ""])
def test_the_name_is_said_for_the_person(name: str) -> None:
    view, _ = seen(names=(name, "other"))
    first, second = view.hear(0, b"1\n"), view.hear(0, b"2\n")
    assert first.asks
    assert not second.asks
    assert first.reply == second.reply
    assert not read_name(first.reply.rstrip(b"\n")).flaws


def test_a_move_asks_for_another_until_the_board_is_full() -> None:
    view, game = seen(range(CELLS - 1))
    assert view.hear(1, b"16 15\n") == Due(b"", True)
    game.board.claim(CELLS - 1)
    assert view.hear(0, b"16 16\n") == Due(b"", False)
    assert view.turn() is None


def test_rulings_in_words() -> None:
    view, game = seen([0, 255, 1])
    assert view.told(Ruling(0, "move", "1 1")) == "1: human 1 1 [1]"
    assert view.told(Ruling(0, "move", "1 2")) == "3: human 1 2 [4]"
    game.said.update({0: "Human", 1: "Deep"})
    assert view.told(Ruling(0, "name", "Human")) == ""
    assert view.told(Ruling(1, "name", "Deep")) == "bot says its name: Deep"
    taken = Violation("VA-5", "a free cell", "1 1: player 1 claimed it")
    assert view.told(Ruling(1, "stopped", "1 1", violation=taken)).startswith(
        "bot is stopped for VA-5: 1 1: player 1 claimed it; expected a free cell"
    )
    game.stopped[1] = taken
    assert view.told(Ruling(1, "replaced", "16 16")) == "2: bot (stopped) 16 16 [1]"


def test_the_result() -> None:
    view, game = seen([0, 255, 1, 254, 100])
    over = game._over()
    assert isinstance(over, Over)
    assert view.result(over) == ["human scores 5 against bot: 2² + 1²"]


def test_only_its_own_game() -> None:
    with pytest.raises(TypeError, match="no match of Valtapeli"):
        BoardView(object())  # type: ignore[arg-type]


def test_moves_read_as_the_referee_reads_them() -> None:
    view, _ = seen()
    for row in range(SIZE):
        line = view.read(0, view.pointed(Cell(row, row)))
        assert isinstance(line, bytes)
        assert read_move(line.rstrip(b"\n")) == (row * SIZE + row, ())
