"""`pdcheck legal`: the referee's answer to one situation, without any bot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pdcheck.conformance.commands.common import pack_of, rules_of, text_of
from pdcheck.conformance.usage import UsageError


def run_legal(game: str, state: str, play: str | None, rules: str | None) -> int:
    """Print what can be played, or whether `play` can; exit status 1 when it cannot."""
    pack = pack_of(game)
    given = _json(state if state.lstrip().startswith("{") else text_of(state), "--state")
    if not isinstance(given, Mapping):
        raise UsageError("--state: a JSON object is expected")
    wanted = None if play is None else _json(play, "--play")
    if play is not None and wanted is None:
        raise UsageError("--play: digits, cards or a whole reply are expected, not null")
    try:
        answer = pack.legal(given, wanted, rules_of(pack, rules))
    except ValueError as error:
        raise UsageError(str(error)) from None
    print(json.dumps(answer, ensure_ascii=False, indent=1))
    return 0 if answer.get("legal", True) else 1


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON: {error}") from None
