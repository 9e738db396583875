"""A failing case as a test for pytest, to be kept in the contestant's repository.

Law: the file stands alone: the scenario is in it, the bot's command is relative to it, and nothing but pytest and
pdcheck is needed. It passes a linter as it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pdcheck.conformance.case import Case
from pdcheck.conformance.findings import Finding
from pdcheck.conformance.setting import PLAIN
from pdcheck.conformance.version import __version__
from pdcheck.referee.violations import elide
from pdcheck.scenarios.document import visible
from pdcheck.scenarios.scenario import dump_scenario

LONGEST_LINE = 100

TEMPLATE = '''\
"""{title}

Made by pdcheck {version}. It needs pytest and pdcheck, and the bot where it was: {words}
"""

from pathlib import Path

from pdcheck.conformance.testing import findings

FOLDER = {folder}
BOT = {bot}
SCENARIO = {scenario}


def test_{name}() -> None:
    found = findings(BOT, SCENARIO, {arguments})
    assert not found, "\\n".join(found)
'''


def pytest_text(
    case: Case,
    finding: Finding,
    words: Sequence[str],
    *,
    folder: Path,
    file: Path,
    options: Mapping[str, Any],
) -> str:
    """The text of the test. `words` are the bot's command as given, run in `folder`; `file` is where the text will be.

    `options`: `rules`, `time` and `env` as `testing.findings` takes them; None and empty ones are left out.
    """
    to_folder = os.path.relpath(folder.resolve(), file.parent.resolve())
    arguments: dict[str, Any] = {name: value for name, value in options.items() if value}
    if case.setting != PLAIN:
        arguments["setting"] = _changed(asdict(case.setting))
    given = "".join(f", {name}={_literal(value)}" for name, value in arguments.items())
    relative = [_relative(word, folder) for word in words]
    told = f"{finding.requirement} {finding.message}".replace("\\", "/").replace('"', "'")
    title = elide(visible(told), LONGEST_LINE - 20).rstrip(". ")
    return TEMPLATE.format(
        title=f"{title}.",
        version=__version__,
        words=visible(" ".join(relative)).replace("\\", "/").replace('"', "'"),
        folder="Path(__file__).parent" + ("" if to_folder == "." else f" / {_literal(to_folder)}"),
        bot=_literal(relative[0] if len(relative) == 1 else relative),
        scenario=_block(dump_scenario(case.scenario)),
        name=re.sub(r"[^a-z0-9]+", "_", f"{finding.requirement} {case.scenario.name}".lower()),
        arguments=f"folder=FOLDER{given}",
    )


def _block(text: str) -> str:
    """A literal of several lines, where nothing in the text could end it."""
    plain = '"""' not in text and all(line.isprintable() for line in text.splitlines())
    return f'r"""\n{text}"""' if plain else _literal(text)


def _changed(setting: dict[str, Any]) -> dict[str, Any]:
    usual = asdict(PLAIN)
    return {name: value for name, value in setting.items() if value != usual[name]}


def _relative(word: str, folder: Path) -> str:
    """A path of a file below the bot's folder, from there; any other word as it is."""
    if not os.path.isabs(word) or not Path(word).exists():
        return word
    inside = os.path.relpath(word, folder.resolve())
    return word if inside.startswith("..") else os.path.join(".", inside)


def _literal(value: Any) -> str:
    """A Python literal in double quotes, as formatters want it."""
    if isinstance(value, str):
        return '"' + "".join(_escape(c) for c in value) + '"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(value)


def _escape(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else character.encode("unicode_escape").decode()
