"""The schemas: sound in themselves, strict where they must be, and resolvable without a network."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from jsonschema import Draft202012Validator
from pdcheck import schemas
from pdcheck.schemas import Complaint, explain, load, names, validator

GAME = "prime_daihinmin"
MESSAGES = ["message_init", "message_play", "message_pass", "message_quit"]
REPLIES = ["reply_number", "reply_pass"]


def at(value: Any, path: tuple[str | int, ...], put: Any) -> Any:
    """A copy of `value` with `put` at `path`; `put` is DROP: without what is there."""
    made = copy.deepcopy(value)
    here = made
    for step in path[:-1]:
        here = here[step]
    if put is DROP:
        del here[path[-1]]
    else:
        here[path[-1]] = put
    return made


DROP = object()


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for key, below in schema.items():
            if key not in ("examples", "const", "enum"):
                yield from subschemas(below)
    elif isinstance(schema, list):
        for below in schema:
            yield from subschemas(below)


def places_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    yield path, value
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in below:
        yield from places_of(inner, (*path, step))


def words(schema: Any) -> str:
    """What a schema names: its enum or const, as one comparable string."""
    return json.dumps(schema["enum"] if "enum" in schema else [schema["const"]])


# The kinds of event as conditions: these choose what else an event needs, and refuse nothing themselves.
CONDITIONS = {
    words(rule["if"]["properties"]["kind"]) for rule in load("transcript")["$defs"]["event"]["allOf"]
}


def test_all_the_schemas_of_the_protocol_are_there() -> None:
    wanted = {f"{GAME}/{name}" for name in MESSAGES + REPLIES} | {"scenario", "transcript", "report"}
    assert wanted <= set(names())
    assert names() == sorted(names())


@pytest.mark.parametrize("name", names())
class TestEverySchema:
    def test_is_a_schema_of_draft_2020_12(self, name: str) -> None:
        assert load(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        Draft202012Validator.check_schema(load(name))

    def test_says_what_it_is(self, name: str) -> None:
        document = load(name)
        assert document["$id"] == f"{schemas.BASE}{name}.json"
        assert document["title"]
        assert document["description"]
        assert document["examples"]

    def test_takes_its_examples(self, name: str) -> None:
        for example in load(name)["examples"]:
            assert explain(name, example) == []

    def test_refers_only_to_what_is_here(self, name: str) -> None:
        known = {f"{schemas.BASE}{other}.json" for other in names()}
        document = load(name)
        for schema in subschemas(document):
            target = urljoin(document["$id"], schema.get("$ref", ""))
            assert target.partition("#")[0] in known

    def test_misses_each_key_it_requires(self, name: str) -> None:
        """Every key that the schema requires is in an example and, taken out of it, is missed by its name."""
        missed = {
            key
            for example in load(name)["examples"]
            for path, value in places_of(example)
            for key in (value if isinstance(value, dict) else ())
            if f"the key '{key}'" in [c.expected for c in explain(name, at(example, (*path, key), DROP))]
        }
        required = {key for schema in subschemas(load(name)) for key in schema.get("required", ())}
        assert required - missed <= {"text", "base64"}  # of these one is asked for: see TestTranscript

    def test_refuses_what_no_enum_or_const_names(self, name: str) -> None:
        """A stranger put for each value and key of the examples: every enum and const refuses one."""
        refused = set()
        for example in load(name)["examples"]:
            for path, value in places_of(example):
                spoilt = [at(example, path, "stranger")] if path else ["stranger"]
                if isinstance(value, dict):
                    spoilt.append(at(example, (*path, "stranger"), 1))
                for error in (error for wrong in spoilt for error in validator(name).iter_errors(wrong)):
                    refused |= {
                        words(e.schema) for e in (error, *error.context) if e.validator in ("enum", "const")
                    }
        assert {
            words(s) for s in subschemas(load(name)) if {"enum", "const"} & s.keys()
        } - refused <= CONDITIONS


def test_nothing_is_fetched() -> None:
    """All references resolve with the network gone, in a fresh interpreter so that nothing is cached."""
    code = (
        "import socket\n"
        "def none(*a, **k): raise AssertionError('network')\n"
        "socket.socket = socket.create_connection = socket.getaddrinfo = none\n"
        "from pdcheck.schemas import names, load, validator\n"
        "for name in names():\n"
        "    for example in load(name)['examples']: validator(name).validate(example)\n"
        "    for wrong in (None, [], {}, 1, 'x'): list(validator(name).iter_errors(wrong))\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=120)


def test_opening_the_door_does_not_import_jsonschema() -> None:
    code = (
        "import sys, pdcheck.schemas as s; s.names(); s.load('report'); sys.exit('jsonschema' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


class TestTheDoor:
    @pytest.mark.parametrize("call", [load, validator, lambda name: explain(name, {})])
    @pytest.mark.parametrize("name", ["", "reports", "prime_daihinmin", "../schemas/report", "report.json"])
    def test_an_unknown_name_raises_and_lists_the_known(self, call: Any, name: str) -> None:
        with pytest.raises(KeyError, match=r"prime_daihinmin/reply_number.*transcript"):
            call(name)

    def test_a_document_is_the_callers_own(self) -> None:
        load("report")["title"] = "spoilt"
        assert load("report")["title"] == "A report"

    def test_a_validator_is_made_once(self) -> None:
        assert validator("report") is validator("report")

    def test_every_file_has_a_name(self) -> None:
        folder = Path(schemas.__file__).parent
        assert len(names()) == len(list(folder.rglob("*.json")))


class TestStrictness:
    @pytest.mark.parametrize("card", [1.0, 3e0, -0.0, True, False, "1", None, [1], {"1": 1}, 10, -1])
    def test_what_is_no_card(self, card: object) -> None:
        assert explain(f"{GAME}/card", card)
        assert explain(
            f"{GAME}/reply_number", {"action": "number", "cards": [1, card]}
        )  # through a reference

    @pytest.mark.parametrize("time", [float("nan"), float("inf"), True, "10.0", 0, -1, None])
    def test_what_is_no_time(self, time: object) -> None:
        good = load(f"{GAME}/message_init")["examples"][0]
        assert [c.path for c in explain(f"{GAME}/message_init", at(good, ("time",), time))] == ["time"]

    def test_a_pattern_ends_at_the_end(self) -> None:
        assert explain(f"{GAME}/field_number", "5") == []
        assert explain(f"{GAME}/field_number", "5\n")

    @pytest.mark.parametrize("name", ["report", "transcript", "scenario"])
    def test_version_one_is_an_integer(self, name: str) -> None:
        good = load(name)["examples"][0]
        for version in (1.0, True, 2, "1"):
            assert explain(name, at(good, ("schema",), version))[0].path == "schema"


class TestComplaints:
    def test_says_where_what_and_what_instead(self) -> None:
        found = explain(f"{GAME}/reply_number", {"action": "number", "cards": [1, 1.0]})
        assert found == [Complaint("cards[1]", "an integer (3, not 3.0)", "1.0")]

    def test_one_for_each_error_the_most_telling_first(self) -> None:
        found = explain(f"{GAME}/reply_number", {"action": "Number", "cards": ["1", 11]})
        assert {c.path for c in found} == {"action", "cards[0]", "cards[1]"}
        assert found[0].path == "action"

    def test_long_values_are_elided(self) -> None:
        [found] = explain(f"{GAME}/field_number", "x" * 100_000)
        assert len(found.actual) <= 200
        assert "…" in found.actual

    def test_a_game_and_the_shared_schema_complain_once(self) -> None:
        good = load(f"{GAME}/scenario")["examples"][0]
        assert len(explain(f"{GAME}/scenario", at(good, ("scenarios", 0, "hand"), 2357))) == 1

    def test_keys_that_are_no_strings(self) -> None:
        file = {"schema": 1, "scenarios": [{"hand": {0: 26}}]}
        assert explain("scenario", file) == [
            Complaint("scenarios[0].hand", 'keys that are strings: "0"', "the key 0, without quotes")
        ]

    def test_a_value_inside_itself(self) -> None:
        loop: dict[str, Any] = {}
        loop["others"] = loop
        assert explain("scenario", loop)

    def test_any_value_gets_an_answer(self) -> None:
        for name in names():
            for value in (
                None,
                True,
                0,
                0.5,
                float("nan"),
                "",
                [],
                {},
                object(),
                [object()],
                {"a": {"b": object()}},
            ):
                assert all(isinstance(c, Complaint) for c in explain(name, value))
