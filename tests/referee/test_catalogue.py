"""The catalogue against the published list of requirements, its reader against faulty files, its examples."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from pdcheck.referee.catalogue import (
    TITLE_LENGTH,
    Catalogue,
    Level,
    Requirement,
    UnknownRequirement,
    packaged,
    read_catalogue,
)
from pdcheck.referee.primes import BELPHEGOR, is_mersenne_prime, primality

FILES = ("io.toml", "js.toml", "prime_daihinmin/requirements.toml")

# Written by hand from the specification: the IDs and levels are fixed, this is what fixes them.
PUBLISHED = """
    IO-1 MUST     IO-2 MUST     IO-3 MUST     IO-4 MUST     IO-5 MUST     IO-6 MUST     IO-7 MUST
    IO-8 MUST     IO-9 SHOULD   IO-10 SHOULD  IO-11 MUST    IO-12 SHOULD  IO-13 INFO    IO-14 MUST
    IO-15 SHOULD  IO-16 MUST
    JS-1 MUST     JS-2 SHOULD   JS-3 SHOULD   JS-4 SHOULD   JS-5 SHOULD   JS-6 SHOULD
    PD-2.1 MUST   PD-2.2 SHOULD PD-2.3 MUST   PD-2.4 MUST   PD-2.5 SHOULD PD-2.6 MUST   PD-2.7 SHOULD
    PD-2.8 SHOULD PD-2.9 MUST   PD-2.10 MUST  PD-2.11 MUST  PD-2.12 MUST  PD-2.13 MUST  PD-2.14 MUST
    PD-3.1 MUST   PD-3.2 MUST   PD-3.3 MUST   PD-3.4 MUST   PD-3.5 MUST   PD-3.6 MUST
    PD-3.7 RULE   PD-3.8 RULE   PD-3.9 RULE
    PD-4 RULE
    PD-5.1 MUST   PD-5.2 SHOULD PD-5.3 SHOULD
    PD-6.1 MUST   PD-6.2 MUST   PD-6.3 MUST   PD-6.4 MUST   PD-6.5 MUST   PD-6.6 RULE   PD-6.7 INFO
"""
_WORDS = PUBLISHED.split()
LEVELS = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))

ENTRY = {
    "id": "PD-3.1",
    "level": "MUST",
    "title": "every card is in the hand",
    "text": "Every card played\nis in   the hand.",
    "source": "announcement",
    "good": "→ a\n← b",
    "bad": "→ a\n← c",
    "fix": "count\nthem",
}


def toml(*entries: dict[str, object]) -> str:
    """A catalogue file with these entries. JSON's strings are TOML's basic strings."""
    return "\n".join(
        "[[requirement]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in entry.items())
        for entry in entries
    )


def entry(**changes: object) -> dict[str, object]:
    """A good entry with changes; a value of None leaves the key out."""
    return {key: value for key, value in (ENTRY | changes).items() if value is not None}


def made_of(*ids: str) -> Catalogue:
    return read_catalogue(toml(*(entry(id=one) for one in ids)))


BAD_IDS = [
    "PD",
    "PD-",
    "pd-3.1",
    "PD-3.1.1",
    "PD-03",
    "PD-3.01",
    "PD 3.1",
    "P-1",
    "PD-3.",
    "PD-٣",
    "PD-3\n-1",
]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return packaged("pdcheck.referee", *FILES)


def test_ids_and_levels_are_the_published_ones_in_natural_order(catalogue: Catalogue) -> None:
    assert {one.id: one.level.value for one in catalogue} == LEVELS
    assert [one.id for one in catalogue] == list(LEVELS)
    assert len(catalogue) == len(LEVELS) == 56


def test_every_entry_is_filled_in(catalogue: Catalogue) -> None:
    for one in catalogue:
        for key in ("title", "text", "source", "good", "bad", "fix"):
            assert getattr(one, key).strip() == getattr(one, key) != "", (one.id, key)
        assert len(one.title) <= TITLE_LENGTH, one.id
        assert one.text.endswith((".", "?")), f"{one.id}: the text is whole sentences"
        assert one.fix.endswith("."), f"{one.id}: the fix is whole sentences"
        assert one.good != one.bad, one.id
    assert len({one.title for one in catalogue}) == len(catalogue)
    assert len({one.text for one in catalogue}) == len(catalogue)


def test_only_what_an_upload_shows_is_the_gates(catalogue: Catalogue) -> None:
    assert [one.id for one in catalogue if one.where == "gate"] == ["PD-6.5", "PD-6.6", "PD-6.7"]
    assert {one.where for one in catalogue} == {"gate", None}


def test_a_source_is_never_a_path(catalogue: Catalogue) -> None:
    for one in catalogue:
        assert not re.search(r"[/\\]|\.(md|txt|toml|py)\b", one.source), one.id


@pytest.mark.parametrize(
    ("requirement_id", "number"),
    [
        ("IO-7", "256 KiB"),
        ("IO-7", "1 MiB"),
        ("IO-9", "2 s"),
        ("IO-10", "2 s"),
        ("IO-13", "1 MiB"),
        ("PD-2.10", "2 to 8 seats"),
        ("PD-2.11", "1 card to over 1,000 cards"),
        ("PD-2.12", "1,280 digits"),
        ("PD-3.2", "1 to 5 cards"),
        ("PD-3.9", "draws 5 cards"),
        ("PD-4", "3,001 cards"),
        ("PD-4", "2,205"),
        ("PD-5.1", "10 s"),
        ("PD-5.1", "160 digits or 300 cards"),
        ("PD-5.2", "80 %"),
        ("PD-5.3", "max(3 s, 3 ×"),
        ("PD-6.2", "20 %"),
        ("PD-6.2", "100 and 300 ms"),
        ("PD-6.3", "2^30 bytes"),
        ("PD-6.5", "2^20 bytes"),
        ("PD-6.6", "1 to 32 characters"),
    ],
)
def test_the_numbers_of_the_specification_are_in_the_text(
    catalogue: Catalogue, requirement_id: str, number: str
) -> None:
    assert number in catalogue[requirement_id].text


def answers(example: str) -> list[dict[str, object]]:
    """The bot's whole JSON answers in an example; elided ones are left out."""
    lines = re.findall(r"^← (\{.*\})(?:\s|$)", example, flags=re.MULTILINE)
    return [json.loads(line) for line in lines if "…" not in line]


def played(example: str) -> list[list[int]]:
    return [list(answer["cards"]) for answer in answers(example) if "cards" in answer]  # type: ignore[call-overload]


def number(cards: list[int]) -> int:
    return int("".join(map(str, cards)))


def test_good_examples_of_plays_are_primes_and_json(catalogue: Catalogue) -> None:
    plays = [cards for one in catalogue.select(["IO", "JS", "PD-2", "PD-3"]) for cards in played(one.good)]
    assert len(plays) >= 12
    for cards in plays:
        if cards != [1, 8, 9] and cards != [1, 8, 9, 9]:  # the announcement's own example of the form
            assert primality(number(cards)).prime, cards


def test_examples_of_legality_show_what_they_say(catalogue: Catalogue) -> None:
    def only(requirement_id: str, which: str) -> list[int]:
        (cards,) = played(getattr(catalogue[requirement_id], which))
        return cards

    assert only("PD-3.1", "bad").count(3) == 2
    assert len(only("PD-3.2", "bad")) > 5
    assert len(only("PD-3.2", "good")) <= 5
    assert len(only("PD-3.3", "good")) == 4 != len(only("PD-3.3", "bad"))
    assert number(only("PD-3.4", "good")) > 31 == number(only("PD-3.4", "bad"))
    assert not primality(number(only("PD-3.5", "bad"))).prime
    assert only("PD-3.6", "bad")[0] == 0 != only("PD-3.6", "good")[0]
    assert number(only("PD-3.7", "good")) == BELPHEGOR
    assert is_mersenne_prime(number(only("PD-3.8", "good")))
    assert is_mersenne_prime(number(only("PD-3.8", "bad")))


def test_reading_folds_prose_and_keeps_examples() -> None:
    (one,) = read_catalogue(toml(entry()))
    assert one == Requirement(
        id="PD-3.1",
        level=Level.MUST,
        title="every card is in the hand",
        text="Every card played is in the hand.",
        source="announcement",
        good="→ a\n← b",
        bad="→ a\n← c",
        fix="count them",
    )
    assert read_catalogue(toml(entry(where="gate")))["PD-3.1"].where == "gate"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[requirement]", "io.toml: not valid TOML"),
        ("x = 1\n" + toml(entry()), "io.toml: unknown key 'x'"),
        ("requirement = 3", "io.toml: 'requirement' must be an array of tables"),
        ("requirement = [3]", "io.toml: 'requirement' must be an array of tables"),
        ("[requirement]\nid = 'PD-1'", "io.toml: 'requirement' must be an array of tables"),
        (toml(entry(), entry(id="PD-4", colour="red")), "io.toml: entry 2 (PD-4): unknown key 'colour'"),
        *(
            (toml(entry(**{key: None})), f"key '{key}' is missing; required are id, level, title")
            for key in ENTRY
            if key != "id"
        ),
        (toml(entry(id=None)), "io.toml: entry 1 (no id): key 'id' is missing"),
        *((toml(entry(**{key: " \n"})), f"'{key}' must be a string that is not empty") for key in ENTRY),
        (toml(entry(text=5)), "'text' must be a string that is not empty, got 5"),
        (toml(entry(good=["a"])), "'good' must be a string that is not empty, got ['a']"),
        (toml(entry(level="must")), "level must be one of MUST, SHOULD, INFO, RULE, got 'must'"),
        (toml(entry(level="MAY")), "level must be one of MUST, SHOULD, INFO, RULE, got 'MAY'"),
        *((toml(entry(id=bad)), f"an id looks like IO-3 or PD-2.10, got {bad!r}") for bad in BAD_IDS),
        (toml(entry(title="x" * 61)), "a title has at most 60 characters, this one 61"),
        (toml(entry(where="upload")), "'where' must be one of gate, got 'upload'"),
        (toml(entry(), entry()), "io.toml: PD-3.1: this ID is given twice"),
    ],
)
def test_a_fault_in_a_file_is_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        read_catalogue(text, names=["io.toml"])
    assert str(caught.value).startswith("io.toml: ")
    assert "\n" not in str(caught.value)


def test_an_id_in_two_files_is_told_with_the_second_file() -> None:
    with pytest.raises(ValueError, match=re.escape("text 2: PD-3.1: this ID is given twice")):
        read_catalogue(toml(entry()), toml(entry()))


def test_adding_catalogues() -> None:
    both = made_of("PD-2.1") + made_of("IO-1", "PD-1")
    assert [one.id for one in both] == ["PD-1", "PD-2.1", "IO-1"]
    with pytest.raises(ValueError, match=re.escape("PD-2.1: this ID is given twice")):
        made_of("PD-2.1") + made_of("IO-1", "PD-2.1")


def test_order_is_natural_whatever_the_files_order() -> None:
    ids = ["IO-1", "IO-2", "IO-10", "PD-2.1", "PD-2.2", "PD-2.10", "PD-3.1", "PD-4", "PD-10.1"]
    shuffled = ids[3:]
    random.Random(1).shuffle(shuffled)
    assert [one.id for one in made_of("IO-10", "IO-1", "IO-2", *shuffled)] == ids


@pytest.mark.parametrize(
    ("prefixes", "selected"),
    [
        (["PD-3"], ["PD-3.1", "PD-3.2", "PD-3.10"]),
        (["PD-3.1"], ["PD-3.1"]),
        (["PD-3.10"], ["PD-3.10"]),
        (["PD"], ["PD-3.1", "PD-3.2", "PD-3.10", "PD-4", "PD-30.1"]),
        (["PD-4"], ["PD-4"]),
        (["IO-1"], ["IO-1"]),
        (["PD-30", "IO-10", "PD-30.1"], ["IO-10", "PD-30.1"]),
        ([], []),
    ],
)
def test_select(prefixes: list[str], selected: list[str]) -> None:
    small = made_of("IO-1", "IO-10", "PD-3.1", "PD-3.2", "PD-3.10", "PD-4", "PD-30.1")
    assert [one.id for one in small.select(prefixes)] == selected


@pytest.mark.parametrize("prefix", ["PD-3.", "PD-", "P", "", "pd-3.1", "PD-3.11", "PD-5", "XX", "PD-3.1.1"])
def test_select_refuses_what_selects_nothing(prefix: str) -> None:
    small = made_of("IO-1", "PD-3.1", "PD-3.10")
    with pytest.raises(UnknownRequirement, match=re.escape(f"no requirement or prefix {prefix!r}")):
        small.select(["IO-1", prefix])


def test_an_unknown_id_names_its_neighbours(catalogue: Catalogue) -> None:
    with pytest.raises(KeyError) as caught:
        catalogue["pd-3.33"]
    assert str(caught.value).startswith("no requirement 'pd-3.33'; did you mean ")
    assert "PD-3.3" in str(caught.value)
    with pytest.raises(KeyError, match=r"^no requirement '§§§§'$"):
        catalogue.level_of("§§§§")


def test_lookups(catalogue: Catalogue) -> None:
    assert catalogue["PD-3.5"].title == "plays a prime"
    assert catalogue.level_of("IO-13") is Level.INFO
    assert "PD-3.5" in catalogue
    assert "PD-3" not in catalogue
    assert 5 not in catalogue


def test_a_requirement_cannot_be_changed(catalogue: Catalogue) -> None:
    with pytest.raises(AttributeError):
        catalogue["PD-3.5"].level = Level.INFO  # type: ignore[misc]


def test_packaged_reads_any_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some_plug_in_game").mkdir()
    (tmp_path / "some_plug_in_game" / "__init__.py").touch()
    (tmp_path / "some_plug_in_game" / "ours.toml").write_text(toml(entry(id="XY-1", title="é")), "utf-8")
    (tmp_path / "some_plug_in_game" / "bad.toml").write_text(toml(entry(id="XY-1", level="?")), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert packaged("some_plug_in_game", "ours.toml")["XY-1"].title == "é"
    with pytest.raises(ValueError, match=re.escape("bad.toml: entry 1 (XY-1): level must be one of")):
        packaged("some_plug_in_game", "bad.toml")
    with pytest.raises(FileNotFoundError):
        packaged("some_plug_in_game", "none.toml")
