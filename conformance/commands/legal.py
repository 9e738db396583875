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
    inline = state.lstrip()[:1] in ("{", "[")
    where = "--state" if inline else state
    given = _json(state if inline else text_of(state), where)
    if not isinstance(given, Mapping):
        raise UsageError(f"{where}: a JSON object is expected")
    wanted = None if play is None else _json(play, "--play")
    if play is not None and wanted is None:
        raise UsageError("--play: digits, cards or a whole reply are expected, not null")
    try:
        answer = pack.legal(given, wanted, rules_of(pack, rules))
    except ValueError as error:
        told = str(error)
        raise UsageError(told if inline or told.startswith("play") else f"{where}: {told}") from None
    print(json.dumps(answer, ensure_ascii=False, indent=1))
    return 0 if answer.get("legal", True) else 1


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{where}: not JSON: {error}") from None
    except RecursionError:
        raise UsageError(f"{where}: JSON that is nested too deep") from None
    except ValueError:
        raise UsageError(f"{where}: a number of more digits than can be read") from None
