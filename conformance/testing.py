"""For a contestant's own tests: one situation put before a bot, and what the kit finds.

    from pdcheck.conformance.testing import findings

    def test_my_bot() -> None:
        assert not findings("./mybot", SCENARIO)

Law: played and judged as `pdcheck check` does it, once; nothing of the bot is left when `findings` returns.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pdcheck.conformance.bot import Bot, read_bot
from pdcheck.conformance.case import Case, run_case
from pdcheck.conformance.findings import Finding
from pdcheck.conformance.header import setting_of
from pdcheck.conformance.judge import judge
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.setting import Setting
from pdcheck.conformance.terms import Terms
from pdcheck.referee.catalogue import Level
from pdcheck.scenarios.scenario import Scenario, read_scenarios

__all__ = ["findings"]


def findings(
    bot: str | Sequence[str],
    scenario: str,
    *,
    folder: str | Path = ".",
    rules: str | None = None,
    time: float | None = None,
    env: Sequence[str] = (),
    setting: Mapping[str, Any] | None = None,
) -> list[str]:
    """What a bot does wrong in the scenarios of a file's text, each in a few lines; empty when it does all well.

    `bot` is its command, in `folder`; `time` the match budget in seconds where a scenario names none; `env` more
    variables, NAME=VALUE; `setting` what is different around it, as a transcript's header has it. What is INFO is left
    out. Raises UsageError when there is no such bot, StartError when it cannot be started, ScenarioError when the text
    or the situation is wrong.
    """
    command = [bot] if isinstance(bot, str) else list(bot)
    candidate = read_bot(command, folder=str(folder), extra=env)
    around = setting_of({"name": "given", **(setting or {})}, "setting")
    return [
        f"{found.requirement} {found.level} {found.message}\n"
        f"  sent      {found.sent}\n"
        f"  expected  {found.expected}\n"
        f"  received  {found.actual}\n"
        f"  bot       {shlex.join(command)}"
        for one in read_scenarios(scenario, "scenario")
        for found in _found(one, candidate, around, rules, time)
        if found.level is not Level.INFO
    ]


def _found(
    scenario: Scenario, bot: Bot, setting: Setting, rules: str | None, time: float | None
) -> list[Finding]:
    pack = load_pack(scenario.game)
    case = Case(scenario.name, "test", scenario, setting=setting, alone=True, whole=scenario.turns == 0)
    log, stage = run_case(case, Terms(bot, pack, rules or pack.default_rules, time))
    return judge(case, log, stage, pack).findings
