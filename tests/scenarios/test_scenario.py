"""Scenario files: read as the schema says, mistakes told in one line with their place, written back equal."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.scenarios.document import DEEPEST, flow, parse
from pdcheck.scenarios.scenario import (
    CUTS,
    ENDINGS,
    Deliver,
    Expect,
    Scenario,
    ScenarioError,
    Style,
    Tempting,
    dump_scenario,
    load_scenarios,
    read_scenarios,
)
from pdcheck.schemas import explain

HEAD = "schema: 1\ngame: some-game\nscenarios:\n"
ONE = HEAD + "  - name: a-name\n    about: IO-1\n    why: It may.\n"

FULL: dict[str, Any] = {
    "name": "full",
    "about": "PD-3.1",
    "why": "All fields: with a colon.",
    "blame": False,
    "rules": "published",
    "seats": 4,
    "seat": 1,
    "names": ["A", "B", "Ж", 'quo"te'],
    "hand": {"0": 26, "1": 2},
    "field": ["5"],
    "others": {"out": [2], "players": {"0": "steady"}},
    "turns": 2,
    "time": 3.5,
    "style": {"key_order": "reversed", "spaces": "none", "unknown_keys": "deep", "mixed": True},
    "deliver": {"pieces": 3, "together": True, "cut": "before-lf", "gap": 0.05},
    "interject": {"action": "frobnicate", "deep": [None, True, 1.5, {"x": "y"}]},
    "ending": "eof",
    "expect": {"legal": ["7"], "tempting": [{"play": "4", "breaks": "PD-3.5"}]},
}


def file(*scenarios: dict[str, Any]) -> str:
    return flow({"schema": 1, "game": "some-game", "scenarios": list(scenarios)})


def message(text: str) -> str:
    with pytest.raises(ScenarioError) as caught:
        read_scenarios(text, "x.yaml")
    told = str(caught.value)
    assert told.isprintable()
    return told


def test_the_least_scenario_has_all_defaults() -> None:
    (scenario,) = read_scenarios(ONE, "x.yaml")
    assert scenario == Scenario(game="some-game", name="a-name", about="IO-1", why="It may.")
    assert (scenario.turns, scenario.ending, scenario.blame) == (1, "quit", True)
    assert scenario.expect.legal is None


def test_a_full_scenario_keeps_everything() -> None:
    (scenario,) = read_scenarios(file(FULL), "x.yaml")
    assert scenario.names == ("A", "B", "Ж", 'quo"te')
    assert scenario.style == Style(key_order="reversed", spaces="none", unknown_keys="deep", mixed=True)
    assert scenario.deliver == Deliver(pieces=3, together=True, cut="before-lf", gap=0.05)
    assert scenario.interject == FULL["interject"]
    assert scenario.expect == Expect(("7",), (Tempting("4", "PD-3.5"),))
    assert (scenario.hand, scenario.others, scenario.blame) == (FULL["hand"], FULL["others"], False)


def test_a_whole_number_of_seconds_stays_one() -> None:
    (scenario,) = read_scenarios(file({**FULL, "time": 10}), "x.yaml")
    assert type(scenario.time) is int


def complaint(text: str) -> str | None:
    try:
        read_scenarios(text, "x.yaml")
    except ScenarioError as error:
        return str(error)
    return None


SCENARIO = "  - name: a\n    about: IO-1\n    why: It may.\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "x.yaml:1:1: the file: expected a mapping with the keys schema, game and scenarios"),
        ("- 1\n", "x.yaml:1:1: the file: expected a mapping"),
        ("schema: 2\ngame: g\nscenarios: []\n", "1:9: schema: expected 1, the version of this form, got 2"),
        ("schema: 1\nscenarios: [x]\n", "x.yaml:1:1: the file: expected the key game"),
        ("schema: 1\ngame: g\nscenarios: []\n", "x.yaml:3:12: scenarios: expected scenarios, at least one"),
        ("schema: 1\ngame: g\nmore: 1\nscenarios: []\n", "3:7: more: expected no keys but schema, game"),
        (HEAD + "  - 1\n", "x.yaml:4:5: scenarios[0]: expected a mapping, got 1"),
        (HEAD + "  - about: IO-1\n    why: x\n", "x.yaml:4:5: scenarios[0]: expected the key name"),
        (HEAD + "  - name: Not-This\n", "4:11: scenarios[0].name: expected lower case words joined"),
        (HEAD + "  - about: PD 3\n", "4:12: scenarios[0].about: expected a requirement's ID, such as PD-3.1"),
        (ONE + "    seats: 9\n", "x.yaml:7:12: scenarios[0].seats: expected 2 to 8 seats, got 9"),
        (ONE + "    seat: 8\n", "scenarios[0].seat: expected a seat, 0 to 7, got 8"),
        (ONE + "    seats: 3\n    seat: 3\n", "8:11: scenarios[0].seat: expected a seat below 3"),
        (ONE + "    seats: 3\n    names: [a, b]\n", "8:12: scenarios[0].names: expected 3 names, one a seat"),
        (ONE + "    names: [a]\n", "scenarios[0].names: expected 2 to 8 names"),
        (ONE + "    hand: 123\n", "scenarios[0].hand: expected cards: a string in quotes"),
        (ONE + "    hand: {}\n", "scenarios[0].hand: expected cards"),
        (ONE + "    hand: {'1': -1}\n", "x.yaml:7:17: scenarios[0].hand.1: expected how many cards"),
        (ONE + "    hand: {'1': 1.0}\n", "hand.1: expected how many cards: an integer from 0, got 1.0"),
        (ONE + "    hand: {1: 1}\n", '7:12: keys are strings: write "1" in quotes'),
        (ONE + "    hand: 0123\n", "7:11: 0123 is no number as JSON writes it; a run of cards wants quotes"),
        (ONE + f"    hand: {'9' * 5000}\n", "7:11: an integer of 5000 digits; a run of cards wants quotes"),
        (ONE + "    field: [5]\n", "7:13: scenarios[0].field[0]: expected a string in quotes, not empty"),
        (ONE + "    turns: 1.5\n", "scenarios[0].turns: expected an integer from 0"),
        (ONE + "    turns: true\n", "scenarios[0].turns: expected an integer from 0, got true"),
        (ONE + "    time: 0\n", "scenarios[0].time: expected seconds: a number above 0, got 0"),
        (ONE + "    time: 1e999\n", "7:11: 1e999 is too large for a number"),
        (ONE + "    time: .inf\n", 'scenarios[0].time: expected seconds: a number above 0, got ".inf"'),
        (ONE + "    style: {spaces: some}\n", "scenarios[0].style.spaces: expected one of none, wide"),
        (ONE + "    style: {order: none}\n", "7:20: scenarios[0].style.order: expected no keys but"),
        (ONE + "    deliver: {pieces: 0}\n", "deliver.pieces: expected an integer from 1, got 0"),
        (ONE + "    deliver: {cut: half}\n", "deliver.cut: expected one of before-lf, in-character, in-escape"),
        (ONE + "    deliver: {gap: 0}\n", "deliver.gap: expected seconds: a number above 0, got 0"),
        (ONE + "    style: {unknown_keys: wide}\n", "unknown_keys: expected true, false or one of deep, long, odd"),
        (ONE + "    interject: [1]\n", "scenarios[0].interject: expected a mapping, got a list of 1"),
        (ONE + "    ending: stop\n", "ending: expected one of quit, eof, eof-before-init, eof-at-init"),
        (ONE + "    blame: yes\n", 'scenarios[0].blame: expected true or false, got "yes"'),
        (ONE + "    expect: {legal: 7}\n", "scenarios[0].expect.legal: expected a list of strings, got 7"),
        (
            ONE + "    expect: {tempting: [{play: '4'}]}\n",
            "7:25: scenarios[0].expect.tempting[0]: expected the key breaks, got a mapping of play",
        ),
        (ONE + "    colour: red\n", "x.yaml:7:13: scenarios[0].colour: expected no keys but name, about"),
        (ONE + "    why: Again.\n", "x.yaml:7:5: the key 'why' is there twice"),
        (HEAD + SCENARIO + SCENARIO, "7:11: scenarios[1].name: expected a name of its own (scenarios[0] has"),
        ("a: [1\n", "x.yaml:2:1: not YAML: "),
        ("a: 'b\n", "not YAML: "),
        ("\tschema: 1\n", "not YAML: "),
        ("a: \x00\n", "not YAML: "),
        ("a: \ud800\n", "x.yaml: not YAML: it holds a lone surrogate"),
        ('{"a\\n\\x07": 1, schema: 1, game: g}', "x.yaml:1:13: a\\x0a\\x07: expected no keys but"),
        ("a: !<%0A%07> x\n", "x.yaml:1:4: a tag ("),
        ("a: 1\n---\nb: 2\n", "x.yaml:2:1: a second document"),
        ("a: &x [1]\nb: *x\n", "x.yaml:2:4: an alias (*x): write it out"),
        ("&x [*x]\n", "an alias (*x)"),
        ("a: !!python/object:os.system x\n", "x.yaml:1:4: a tag (tag:yaml.org,2002:python/object:os.system)"),
        ("a: !!map {}\n", "a tag ("),
        ("? [a]\n: 1\n", "a key is a word, not a mapping or a list"),
        ("null: 1\n", 'keys are strings: write "null" in quotes'),
        ("[" * 100, f"x.yaml:1:{DEEPEST + 1}: nested more than {DEEPEST} deep"),
        ("{a: " * 100, f"nested more than {DEEPEST} deep"),
        ("[" * 100_000, "nest"),  # the C parser has a limit of its own and reads ahead
        ("{a: " * 100_000, "nest"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_line_with_its_place(text: str, told: str) -> None:
    assert told in message(text)


def test_a_yaml_bomb_is_refused_at_its_first_alias() -> None:
    lines = ['a0: &a0 ["x", "x"]'] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    assert "x.yaml:2:10: an alias (*a0)" in message("\n".join(lines))


def test_a_long_value_is_not_quoted_in_full() -> None:
    assert len(message(ONE + f"    rules: [{'x' * 10_000}]\n")) < 200
    assert len(message(ONE + f"    ending: {'x' * 10_000}\n")) < 250


def test_plain_words_mean_what_json_would_say() -> None:
    text = "a: [yes, no, on, 1, -1, 1.5, 1e3, true, null, ~, 1_000x, 12:30, 2026-01-01, '1', 0x10, 0o7]"
    expected = ["yes", "no", "on", 1, -1, 1.5, 1e3, True, None, None]
    expected += ["1_000x", "12:30", "2026-01-01", "1", "0x10", "0o7"]
    assert parse(text).value == {"a": expected}


def test_the_place_of_what_is_not_there_is_that_of_what_holds_it() -> None:
    found = parse("a:\n  - b: 1\n")
    assert tuple(found.place(("a", 0, "b"))) == (2, 8)
    assert tuple(found.place(("a", 0, "c"))) == (2, 5)
    assert tuple(found.place(())) == (1, 1)


@given(
    st.text(alphabet=st.characters(codec=None), max_size=60) | st.text("-: []{}&*!#'\"|>?a1\n ", max_size=60)
)
def test_no_text_gives_anything_but_scenarios_or_one_line(text: str) -> None:
    told = complaint(text)
    assert told is None or told.isprintable()


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for key, part in inside for path in paths(part, (*here, key)))]


JUNK: list[Any] = [
    *(None, True, False, 0, 1, -1, 7, 8, 9, 1.0, 0.5, "", "x", "7", "PD-3.1", "eof", "wide", "Ä\n"),
    *([], ["A"], ["A", "B"], [1], {}, {"a": 1}, {"play": "1"}),
]


@given(st.sampled_from(paths(FULL)[1:]), st.sampled_from(JUNK), st.booleans())
def test_the_reader_takes_what_the_schema_takes(path: tuple[Any, ...], junk: Any, add: bool) -> None:
    changed = copy.deepcopy(FULL)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place["more" if add and isinstance(place, dict) else path[-1]] = junk
    whole = {"schema": 1, "game": "some-game", "scenarios": [changed]}
    complaints = explain("scenario", whole)
    told = complaint(flow(whole))
    if told and ("names, one a seat" in told or "a seat below" in told):
        return  # what a schema cannot say
    assert bool(told) == bool(complaints), (told, complaints)


CARDS = st.text("0123456789", min_size=1, max_size=60) | st.dictionaries(
    st.sampled_from("0123456789"), st.integers(0, 300), min_size=1
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(min_size=1), part, max_size=3),
    max_leaves=6,
)
WORDS = st.text(min_size=1, max_size=40)
IDS = st.sampled_from(["IO-1", "PD-3.10", "JS-6"])
SCENARIOS = st.builds(
    Scenario,
    game=st.just("some-game"),
    name=st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,2}", fullmatch=True),
    about=IDS,
    why=WORDS,
    blame=st.booleans(),
    rules=st.none() | WORDS,
    seat=st.none() | st.integers(0, 7),
    hand=st.none() | CARDS,
    field=st.lists(st.text("0123456789", min_size=1), max_size=3).map(tuple),
    others=st.dictionaries(WORDS, JSON, max_size=3),
    turns=st.integers(0, 9),
    time=st.none() | st.integers(1, 99) | st.floats(0.001, 1e9),
    style=st.builds(
        Style,
        st.sampled_from([None, "reversed", "shuffled"]),
        st.sampled_from([None, "none", "wide"]),
        st.sampled_from([False, True, "deep", "long", "odd"]),
        *[st.booleans()] * 3,
    ),
    deliver=st.builds(
        Deliver,
        st.integers(1, 9),
        st.booleans(),
        st.none() | st.sampled_from(CUTS),
        st.none() | st.floats(0.001, 1),
    ),
    interject=st.none() | st.dictionaries(WORDS, JSON, max_size=3),
    ending=st.sampled_from(ENDINGS),
    expect=st.builds(
        Expect,
        st.none() | st.lists(WORDS, max_size=3).map(tuple),
        st.lists(st.builds(Tempting, WORDS, IDS), max_size=2).map(tuple),
    ),
)


@given(SCENARIOS)
def test_what_is_written_reads_back_equal(scenario: Scenario) -> None:
    text = dump_scenario(scenario)
    (back,) = read_scenarios(text, "x.yaml")
    if isinstance(scenario.hand, str) and isinstance(back.hand, dict):
        assert "".join(card * count for card, count in back.hand.items()) == scenario.hand
        back = Scenario(
            **{**{name: getattr(back, name) for name in Scenario.__slots__}, "hand": scenario.hand}
        )
    assert back == scenario
    assert dump_scenario(back) == text


def test_a_long_sorted_hand_is_written_as_counts() -> None:
    scenario = Scenario(game="g", name="n", about="IO-1", why="w", hand="0" * 40 + "1")
    assert 'hand: {"0": 40, "1": 1}' in dump_scenario(scenario)
    unsorted = Scenario(game="g", name="n", about="IO-1", why="w", hand="1" + "0" * 40)
    assert f'hand: "1{"0" * 40}"' in dump_scenario(unsorted)


def test_defaults_are_not_written() -> None:
    (scenario,) = read_scenarios(ONE, "x.yaml")
    assert dump_scenario(
        scenario
    ) == HEAD + '  - name: "a-name"\n    about: IO-1\n    why: "It may."\n'.replace("HEAD", "")


def test_what_no_file_can_say_is_not_written() -> None:
    scenario = Scenario(game="g", name="n", about="IO-1", why="w", others={"x": float("nan")})
    with pytest.raises(ValueError, match="nan"):
        dump_scenario(scenario)
    with pytest.raises(TypeError, match="set"):
        dump_scenario(Scenario(game="g", name="n", about="IO-1", why="w", others={"x": {1}}))


def test_files_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for section in ("pd-2.10-b", "pd-2.9-a", "io-7-c"):
        (tmp_path / f"{section}.yaml").write_text(ONE.replace("a-name", section.replace(".", "-")))
    (tmp_path / "notes.txt").write_text("not read")
    names = [scenario.name for scenario in load_scenarios(tmp_path.iterdir())]
    assert names == ["io-7-c", "pd-2-9-a", "pd-2-10-b"]


def test_a_name_may_be_used_once_in_all_files(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(ONE)
    (tmp_path / "b.yaml").write_text(ONE)
    with pytest.raises(ScenarioError, match=r"^b\.yaml: the name a-name is also in a\.yaml$"):
        load_scenarios(tmp_path.iterdir())


def test_a_file_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"a: \xff\n")
    with pytest.raises(ScenarioError, match=r"^a\.yaml: not UTF-8 at byte 3$"):
        load_scenarios(tmp_path.iterdir())


def test_the_parser_written_in_python_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = file(FULL)
    fast = read_scenarios(text, "x.yaml")
    wrong = message(ONE + "    seats: 9\n")
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert read_scenarios(text, "x.yaml") == fast
    assert message(ONE + "    seats: 9\n") == wrong
    assert "an alias" in message("&x [*x]\n")
