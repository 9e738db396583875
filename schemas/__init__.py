"""The only door to a schema: what exists, the document, a validator, and what is wrong with a value.

Law: a schema is named by its path in this folder without `.json` ("report", "prime_daihinmin/reply_number").
References go by `$id` (or relative to it) and resolve inside this package; nothing is ever fetched.

Stricter than JSON Schema in three places, because the protocols are:
- "integer" means an integer as written: 1.0 is none (JSON Schema admits it), true is none;
- "number" leaves out NaN and the infinities, which are not JSON;
- a pattern's final `$` is the end of the string, as in ECMA 262, not before a last newline as in Python.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pdcheck.schemas.complaints import Complaint, complaint, stray_keys

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

__all__ = ["Complaint", "explain", "load", "names", "validator"]

FOLDER = Path(__file__).parent
BASE = "https://pdcheck.invalid/schemas/"  # .invalid never resolves (RFC 2606): an identifier, not an address


def names() -> list[str]:
    """All schema names, sorted."""
    return list(_names())


def load(name: str) -> dict[str, Any]:
    """A fresh copy of the schema document. Raises KeyError, listing the names known, for an unknown one."""
    if name not in _names():
        raise KeyError(f"no schema is named {name!r}; there are: {', '.join(_names())}")
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return document


@cache
def validator(name: str) -> Validator:
    """The validator of one schema, made once; references are wired. Raises KeyError for an unknown name."""
    made: Validator = _strict_class()(_untagged(load(name)), registry=_registry())
    return made


def explain(name: str, value: object) -> list[Complaint]:
    """What is wrong with `value` in plain words, the most telling first; empty when it is valid.

    Takes any value that YAML or JSON can give. A mapping with a key that is no string (YAML: `0: 26`) is told
    as that and nothing else, as JSON has no such thing. Raises KeyError for an unknown name.
    """
    check: Any = validator(name)
    if stray := list(stray_keys(value)):
        return stray
    from jsonschema.exceptions import best_match, relevance

    errors = sorted(check.iter_errors(value), key=relevance, reverse=True)
    told = (complaint(best_match([error]) or error) for error in errors)
    return list(dict.fromkeys(told))  # a game's schema narrows the shared one, so both may find the same


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(f.relative_to(FOLDER).with_suffix("").as_posix() for f in FOLDER.rglob("*.json")))


def _untagged(document: dict[str, Any]) -> dict[str, Any]:
    """The document without `$schema`, by which jsonschema would pick its own, laxer class at a reference."""
    return {key: value for key, value in document.items() if key != "$schema"}


@cache
def _registry() -> Any:
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    resources = [DRAFT202012.create_resource(_untagged(load(name))) for name in _names()]
    return Registry().with_resources(
        [(BASE + f"{n}.json", r) for n, r in zip(_names(), resources, strict=True)]
    )


@cache
def _strict_class() -> Any:
    """Draft 2020-12 with the three strictnesses of the module docstring."""
    from jsonschema import Draft202012Validator, validators

    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": lambda _, value: _is_integer(value), "number": lambda _, value: _is_number(value)}
    )
    extend: Any = validators.extend  # untyped
    return extend(Draft202012Validator, {"pattern": _pattern}, type_checker=types)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return _is_integer(value) or (isinstance(value, float) and abs(value) <= 1.7976931348623157e308)


def _pattern(_: Validator, pattern: str, instance: object, __: object) -> Iterator[ValidationError]:
    import re

    from jsonschema.exceptions import ValidationError

    ends = pattern.endswith("$") and not pattern.endswith(r"\$")
    if isinstance(instance, str) and not re.search(pattern[:-1] + r"\Z" if ends else pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")
