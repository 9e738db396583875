"""What jsonschema found, in plain words.

Law: one complaint an error; each keyword used in the schemas has its sentence in a table, any other is quoted
as it stands. A complaint says what was wanted and what is there, LONGEST_QUOTE characters of a value at most.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

Error: TypeAlias = Any  # jsonschema's ValidationError, whose typing calls every attribute possibly unset
LONGEST_QUOTE = 200  # characters of a value that a complaint shows


class Complaint(NamedTuple):
    """One fault of a value: where ("scenarios[2].hand"; "" is the whole), what was wanted, what came."""

    path: str
    expected: str
    actual: str


def stray_keys(value: object) -> Iterator[Complaint]:
    trail: list[tuple[str, object]] = [("", value)]
    seen: set[int] = set()  # YAML's aliases make one object appear in many places, even inside itself
    while trail:
        path, here = trail.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if isinstance(here, dict):
            for key, below in here.items():
                if isinstance(key, str):
                    trail.append((_step(path, key), below))
                else:
                    yield Complaint(
                        path,
                        f'keys that are strings: "{key}"',
                        f"the key {_elided(repr(key))}, without quotes",
                    )
        elif isinstance(here, list):
            trail.extend((f"{path}[{at}]", below) for at, below in enumerate(here))


def _step(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def complaint(error: Error) -> Complaint:
    path = ""
    for step in error.absolute_path:
        path = f"{path}[{step}]" if isinstance(step, int) else _step(path, step)
    expected = _EXPECTED.get(str(error.validator), _as_the_schema_says)(error)
    if error.validator in _ABOUT_KEYS:
        return Complaint(path, expected, _ABOUT_KEYS[str(error.validator)](error))
    return Complaint(path, expected, shown(error.instance))


def shown(value: object, longest: int = LONGEST_QUOTE) -> str:
    """A value as JSON on one line, the middle of a long one left out."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = (
            repr(value) if not isinstance(value, dict | list) else f"{type(value).__name__} that is not JSON"
        )
    return _elided(text, longest)


def _elided(text: str, longest: int = LONGEST_QUOTE) -> str:
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[:half]}…{text[len(text) - half :]}"


_TYPES = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "an integer (3, not 3.0)",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def _either(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _types(error: Error) -> str:
    wanted = error.validator_value
    return _either(_TYPES[word] for word in ([wanted] if isinstance(wanted, str) else wanted))


def _missing(error: Error) -> list[str]:
    return [key for key in error.validator_value if key not in error.instance]


def _unknown(error: Error) -> list[str]:
    allowed = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    return [str(key) for key in error.instance if key not in allowed]


def _no_more_keys(error: Error) -> str:
    allowed = sorted(error.schema.get("properties", {})) if isinstance(error.schema, dict) else []
    return f"no keys but {', '.join(allowed)}"


def _as_the_schema_says(error: Error) -> str:
    return _elided(f"{error.validator} {shown(error.validator_value)}")


_EXPECTED: dict[str, Callable[[Error], str]] = {
    "type": _types,
    "enum": lambda e: f"one of {', '.join(shown(word) for word in e.validator_value)}",
    "const": lambda e: shown(e.validator_value),
    # jsonschema gives one error a missing key and names it in the message only, first
    "required": lambda e: f"the key {e.message.split(' is a required')[0]}",
    "additionalProperties": _no_more_keys,
    "pattern": lambda e: f"a string of the form {e.validator_value}{_such_as(e)}",
    "minimum": lambda e: f"{e.validator_value} or more",
    "maximum": lambda e: f"{e.validator_value} or less",
    "exclusiveMinimum": lambda e: f"more than {e.validator_value}",
    "minItems": lambda e: f"at least {e.validator_value} item{'s' * (e.validator_value != 1)}",
    "maxItems": lambda e: f"at most {e.validator_value} items",
    "items": lambda e: (
        f"{len(e.schema.get('prefixItems', ()))} items" if isinstance(e.schema, dict) else "fewer items"
    ),
    "minLength": lambda e: f"at least {e.validator_value} character{'s' * (e.validator_value != 1)}",
    "maxLength": lambda e: f"at most {e.validator_value} characters",
    "maxProperties": lambda e: f"at most {e.validator_value} keys",
    "minProperties": lambda e: f"at least {e.validator_value} key{'s' * (e.validator_value != 1)}",
    "uniqueItems": lambda _: "no item twice",
    "oneOf": lambda e: f"exactly one of the keys {_either(_choices(e))}",
    "anyOf": lambda e: f"one of the {len(e.validator_value)} forms the schema gives",
}


def _such_as(error: Error) -> str:
    examples = error.schema.get("examples") if isinstance(error.schema, dict) else None
    return f", such as {_either(shown(example) for example in examples)}" if examples else ""


def _choices(error: Error) -> list[str]:
    return [key for choice in error.validator_value for key in choice.get("required", ())]


_ABOUT_KEYS: dict[str, Callable[[Error], str]] = {
    "required": lambda e: f"missing; there are: {_elided(', '.join(e.instance)) or 'no keys'}",
    "additionalProperties": lambda e: (
        f"also the key{'s' * (len(_unknown(e)) > 1)} {_elided(', '.join(_unknown(e)))}"
    ),
}
