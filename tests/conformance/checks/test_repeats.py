"""The list of cases in which matches are repeated."""

from __future__ import annotations

import pytest
from pdcheck.conformance import checks
from pdcheck.conformance.checks import repeats
from pdcheck.conformance.header import setting_of
from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.repeats.conditions import ALL, PLAIN, VARIED
from pdcheck.conformance.repeats.settle import SECTION, with_twins

PACK = load_pack("valtapeli")
assert PACK.repeats


def test_a_game_that_does_not_ask_for_it_has_none() -> None:
    pack = load_pack("prime-daihinmin")
    assert pack.repeats is None
    assert not [case for case in checks.all_cases(pack, "quick", 0) if case.section == SECTION]


@pytest.mark.parametrize("profile", checks.PROFILES)
def test_each_profile_repeats_matches_in_both_seats(profile: str) -> None:
    cases = [case for case in checks.all_cases(PACK, profile, 3) if case.section == SECTION]
    assert cases == [case for case in checks.all_cases(PACK, profile, 3) if case.section == SECTION]
    assert len({case.id for case in cases}) == len(cases)
    repeated = [case for case in cases if case.repeats]
    assert {case.scenario.seat for case in repeated} == {0, 1}
    for name in {case.scenario.name for case in repeated}:
        scenarios = [case.scenario for case in repeated if case.scenario.name == name]
        assert all(scenario == scenarios[0] for scenario in scenarios), "the match itself is never changed"
    assert (
        {case.requirement for case in cases} == {PACK.repeats.same, PACK.repeats.name}
        if PACK.repeats
        else False
    )


def test_every_change_is_made_alone_and_all_together() -> None:
    cases = list(repeats.cases(PACK, 0, 1, 8, each=True))
    settings = {case.repeats: case.setting for case in cases if case.repeats}
    assert list(settings) == [PLAIN, "again", *(row.name for row in VARIED), ALL.name]
    together = settings[ALL.name]
    assert together.late
    assert together.clock
    assert together.fixed
    assert together.crowded
    assert together.elsewhere
    assert {"TZ", "LC_ALL", "PYTHONHASHSEED"} <= set(together.changes)
    assert settings[PLAIN] == settings["again"].__class__(PLAIN)
    for row in VARIED:
        assert settings[row.name] != settings[PLAIN]


def test_few_changes_are_all_together() -> None:
    assert [case.repeats for case in repeats.cases(PACK, 0, 1, 8, each=False)] == [
        *("", ""),
        *repeats.FEW,
        *(PLAIN, "again"),  # whole
    ]


def test_whole_matches_are_played_again_where_the_others_are_cut() -> None:
    cut, whole = (
        {
            case.scenario.name
            for case in repeats.cases(PACK, 0, 2, turns, each=False)
            if not case.scenario.turns
        }
        for turns in (8, 0)
    )
    assert len(cut) == len(whole) == 2


def test_a_setting_survives_a_transcript() -> None:
    for case in repeats.cases(PACK, 0, 1, 8, each=True):
        assert setting_of(case.as_json()["setting"], "here") == case.setting


def test_a_case_played_again_has_what_it_is_compared_with() -> None:
    named, _, plain, again, *others, _, _ = repeats.cases(PACK, 0, 1, 8, each=True)
    assert [case.repeats for case in with_twins(plain, PACK)] == [PLAIN, "again"]
    assert [case.repeats for case in with_twins(again, PACK)] == [PLAIN, "again"]
    for case in others:
        twin, same = with_twins(case, PACK)
        assert (twin.repeats, twin.scenario) == (PLAIN, case.scenario)
        assert same == case
        assert twin.id != case.id
    assert {case.scenario.seat for case in with_twins(named, PACK)} == {0, 1}
    assert with_twins(named, load_pack("prime-daihinmin")) == [named]
