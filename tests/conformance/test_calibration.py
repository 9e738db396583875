"""How fast this machine is said to be: told, and never judged by."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from pdcheck.conformance import calibration
from pdcheck.conformance.calibration import calibrated, gigahertz, statement
from pdcheck.scenarios.pack import Reference

CONTEST = Reference("an x86-64 at 1.73 GHz", 1.73)


@pytest.fixture(autouse=True)
def _measured_anew() -> Any:
    gigahertz.cache_clear()
    yield
    gigahertz.cache_clear()


def test_it_measures_something_a_core_can_be_once_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    first = gigahertz()
    assert 0.2 < first < 12
    monkeypatch.setattr(hashlib, "md5", None)
    assert gigahertz() == first


def test_the_statement_names_the_machine_and_what_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "gigahertz", lambda: 3.46)
    raw, given = statement(CONTEST, 1.0), statement(CONTEST, 2.5)
    assert "about 2.0 times as fast as the contest's, an x86-64 at 1.73 GHz" in raw
    assert raw.endswith("judged on raw CPU time unless --cpu-factor is given")
    assert given.endswith("judged with --cpu-factor 2.5")
    assert calibrated(CONTEST, 2.5)["calibration"] == {
        "reference": "an x86-64 at 1.73 GHz",
        "times_as_fast": 2.0,
        "cpu_factor": 2.5,
        "statement": given,
    }


def test_a_game_without_a_machine_is_told_nothing() -> None:
    assert calibrated(None, 1.0) == {}


def test_where_it_cannot_be_measured_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("disabled for FIPS")

    monkeypatch.setattr(hashlib, "md5", refuse)
    assert gigahertz() == 0.0
    assert "could not be measured" in statement(CONTEST, 1.0)
    assert calibrated(CONTEST, 1.0)["calibration"]["times_as_fast"] is None
