"""What a submitter is told: in three languages, short, and with nothing of the machine in it."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest
from pdcheck.conformance.gate.feedback import (
    LANGUAGES,
    MOST_LINES,
    WIDTH,
    Lang,
    Outcome,
    Told,
    feedback,
    refusal,
    topic,
)
from pdcheck.conformance.gate.refusal import CODES, Detail, Refused, Unfit
from pdcheck.conformance.gate.scrub import Scrubber
from pdcheck.conformance.packs import BUILT_IN, load_pack

TEXTS = tomllib.loads(files("pdcheck.conformance.gate").joinpath("feedback.toml").read_text("utf-8"))
SCRUB = Scrubber({"/srv/gate/run-7/src/": "", "/srv/gate/run-7": "gate"}, ["judge-3"])


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize(
    ("section", "key"), [(section, key) for section, rows in TEXTS.items() for key in rows]
)
def test_each_message_is_there_in_all_languages_with_the_same_placeholders(section: str, key: str) -> None:
    row = TEXTS[section][key]
    assert set(row) == set(LANGUAGES)
    assert all(text.strip() for text in row.values())
    assert len({frozenset(placeholders(text)) for text in row.values()}) == 1
    assert len(set(row.values())) == len(LANGUAGES), "one of them is not translated"


def test_there_is_a_text_for_each_code_and_a_code_for_each_text() -> None:
    assert set(TEXTS["refusal"]) == set(CODES)
    for code, details in CODES.items():
        assert placeholders(TEXTS["refusal"][code]["en"]) == set(details), code


@pytest.mark.parametrize("game", BUILT_IN)
def test_each_requirement_has_a_topic(game: str) -> None:
    for requirement in load_pack(game).catalogue():
        assert all(topic(requirement.id, lang) for lang in LANGUAGES), requirement.id


def test_no_topic_is_of_no_requirement() -> None:
    known = {one.id for game in BUILT_IN for one in load_pack(game).catalogue()}
    known |= {one.partition(".")[0] for one in known}
    assert set(TEXTS["topic"]) <= known
    assert topic("XY-1", "en") == ""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_refusal_can_be_told(code: str, lang: Lang) -> None:
    numbers = {"bytes", "limit", "status", "seconds"}
    details: dict[str, Detail] = {
        name: 1_234_567 if name in numbers else "odd {name}" for name in CODES[code]
    }
    told = refusal(Unfit(code, **details), lang)
    assert "\n" not in told
    assert all(name not in numbers or "1234567" in re.sub(r"[,\u00a0]", "", told) for name in details)


def test_an_admission_is_one_line() -> None:
    assert feedback(Outcome("bot.py", "admitted"), "en", SCRUB) == "bot.py: admitted.\n"
    assert feedback(Outcome("bot.py", "admitted"), "ja", SCRUB) == "bot.py: 受理されました。\n"
    assert feedback(Outcome("bot.py", "admitted"), "fi", SCRUB) == "bot.py: hyväksytty.\n"


def test_a_refusal_says_which_requirement_and_why() -> None:
    why = Refused("PD-6.5", "source-too-big", bytes=2_310_442, limit=2**20)
    outcome = Outcome("bot.cpp", "refused", refused=why)
    assert feedback(outcome, "en", SCRUB) == (
        "bot.cpp: not admitted.\nPD-6.5: one source file of at most 1 MiB\n"
        "  The source has 2,310,442 bytes; at most 1,048,576 are taken.\n"
    )
    assert "2\u00a0310\u00a0442 tavua" in feedback(outcome, "fi", SCRUB)


def test_what_the_compiler_said_is_shown_without_a_path_of_the_host() -> None:
    output = (
        b"/srv/gate/run-7/src/bot.cpp:3:5: error: expected \x1b[31m;\n on judge-3 in /srv/gate/run-7/out\n"
    )
    outcome = Outcome("bot.cpp", "refused", Refused("PD-6.5", "build-failed", status=1), output)
    told = feedback(outcome, "en", SCRUB)
    assert "What the compiler said:\n  | bot.cpp:3:5: error: expected \\x1b[31m;\n" in told
    assert "srv" not in told
    assert "judge-3" not in told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_is_short_whatever_happened(lang: Lang) -> None:
    findings = [
        Told(f"{family}-{n}", level, f"line {n}\nmore {'x' * 5000}", n)
        for level, family in (("MUST", "PD-3"), ("SHOULD", "IO"), ("INFO", "QQ"))
        for n in range(1, 200)
    ]
    output = "\n".join(f"bot.c:{n}: error: {'y' * 5000}" for n in range(5000))
    full = Outcome(
        "b" * 900, "refused", Refused("PD-6.5", "build-failed", status=1), output, findings, "pdcheck ./bot"
    )
    for outcome in (full, Outcome("bot", "refused", findings=findings, command="pdcheck " + "z" * 900)):
        lines = feedback(outcome, lang, SCRUB).splitlines()
        assert len(lines) <= MOST_LINES
        assert max(map(len, lines)) <= WIDTH + 60  # a frame around what was elided


def test_findings_are_told_by_how_much_they_weigh() -> None:
    findings = [Told("IO-9", "SHOULD", "status 1"), Told("PD-3.5", "MUST", "91 is 7 × 13\nnot a prime", 3)]
    told = feedback(Outcome("bot", "refused", findings=findings, command="pdcheck ./bot"), "en", SCRUB)
    assert told.splitlines() == [
        "bot: not admitted.",
        "",
        "Must be mended:",
        "  PD-3.5: only legal numbers are played (3 times)",
        "    91 is 7 × 13",
        "",
        "Better mended (does not prevent admission):",
        "  IO-9: it ends after the last message, with status 0",
        "    status 1",
        "",
        "To see it yourself: pdcheck ./bot",
    ]


def test_trouble_of_the_machine_tells_nothing_against_the_submission() -> None:
    findings = [Told("PD-3.5", "MUST", "91 is 7 × 13")]
    assert len(feedback(Outcome("bot", "error", findings=findings), "fi", SCRUB).splitlines()) == 1
    assert len(feedback(Outcome("bot", "inconclusive", findings=findings), "en", SCRUB).splitlines()) == 1


def test_what_is_not_in_the_table_raises() -> None:
    with pytest.raises(KeyError):
        feedback(Outcome("bot", "refused", findings=[Told("PD-3.5", "MAYBE", "x")]), "en", SCRUB)
    with pytest.raises(KeyError):
        feedback(Outcome("bot", "admitted"), "sv", SCRUB)  # type: ignore[arg-type]
    with pytest.raises(KeyError):
        feedback(Outcome("bot", "perhaps"), "en", SCRUB)  # type: ignore[arg-type]
