"""Nothing of this machine is shown to a submitter, and what is shown is short."""

from __future__ import annotations

import getpass
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdcheck.conformance.gate.scrub import HIDDEN, MOST, Scrubber, elided, of_this_machine, trimmed

PLACES = {"/srv/gate/run-7/src/": "", "/srv/gate/run-7": "gate", "/people/anna": "~"}
scrub = Scrubber(PLACES, ["judge-3.example.org", "anna", "root"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/srv/gate/run-7/src/bot.cpp:3:5: error: x", "bot.cpp:3:5: error: x"),
        ("in /srv/gate/run-7/out/bot", "in gate/out/bot"),
        ("/people/anna/.cache: no", "~/.cache: no"),
        ("at judge-3.example.org by anna, Anna.", f"at {HIDDEN} by {HIDDEN}, {HIDDEN}."),
        ("banana; the square root", "banana; the square root"),
        ("/tmp/ccX1y2Z3.o: in function", f"{HIDDEN}/cc.o: in function"),
        ("/etc/passwd", f"{HIDDEN}/passwd"),
        ("file:///var/lib/x/y.js:1", "file://…/y.js:1"),
        ("/usr/include/c++/12/vector:3: /src/bot.cpp", "/usr/include/c++/12/vector:3: /src/bot.cpp"),
        ("a/b // c /d x/y/z https://a.org/b/c", "a/b // c /d x/y/z https://a.org/b/c"),
        ("tab\there\x1b[31mred\x07\u202e", "tab here\\x1b[31mred\\x07\\u202e"),
        ("a\r\nb\rc", "a\nb\\x0dc"),
    ],
)
def test_what_is_hidden_and_what_is_shown(text: str, shown: str) -> None:
    assert scrub(text) == shown


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    assert scrub(b"a\xffb\0") == "a\\xffb\\x00"


def test_a_link_is_hidden_by_both_its_names(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    hides = Scrubber({str(tmp_path / "link"): "it"})
    assert hides(f"{tmp_path}/link/a {tmp_path}/real/a") == "it/a it/a"


@given(
    st.lists(
        st.sampled_from(
            ["/srv/gate/run-7", "/srv", "/gate", "/run-7/src/", "/", "x", " ", "\n", "/people/anna"]
        )
    )
)
def test_no_hidden_place_is_ever_left(parts: list[str]) -> None:
    shown = scrub("".join(parts))
    assert not [place for place in ("/srv/gate/run-7", "/people/anna") if place in shown]


def test_a_place_put_together_by_what_is_taken_out_is_hidden_too() -> None:
    hides = Scrubber({"/usr/mine/": "", "/usr/mine": "it"})
    assert hides("/usr/usr/mine//mine") == HIDDEN


def test_a_cut_leaves_no_half_of_a_path() -> None:
    text = "x" * (MOST - 30) + "\n/srv/gate/run-7/src/bot.cpp and more\n" * 3
    assert "/srv" not in scrub(text)
    assert "/srv" not in scrub(text.encode())
    assert len(scrub("/srv/gate/run-7/" * 100_000)) <= MOST


def test_this_machines_own_names_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "judge-3.example.org")
    monkeypatch.setattr(getpass, "getuser", lambda: "hanako")
    hides = of_this_machine({"/bot/": ""})
    shown = hides(f"/bot/a.c {Path.home()}/x {os.getcwd()}/y judge-3.example.org judge-3 by Hanako")
    assert shown.startswith("a.c ")
    assert f"{Path.home()}/" not in shown
    assert os.getcwd() not in shown
    assert shown.endswith(f"{HIDDEN} {HIDDEN} by {HIDDEN}")


def test_a_user_without_a_name_is_nobody_to_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert of_this_machine({})("hello") == "hello"


def test_the_first_errors_are_kept() -> None:
    text = "\n".join(
        [*(f"note {n}" for n in range(50)), "bot.c:1: error: this", *(f"more {n}" for n in range(50))]
    )
    assert trimmed(text, lines=4) == ["bot.c:1: error: this", "more 0", "more 1", "… (+48)"]
    assert trimmed("a\n\nb\n1 error generated.\n") == ["a", "b"]
    assert trimmed("") == []


def test_a_long_line_keeps_its_ends() -> None:
    line = elided("<" + "x" * 1_000_000 + ">")
    assert (len(line), line[0], line[-1]) == (160, "<", ">")
    assert elided("short") == "short"


@pytest.mark.parametrize("unit", ["/", "/a", "a/", "/a/", " /aaa", "error ", "cc1234567", "\t", "\x1b", "…/"])
def test_hostile_output_is_read_in_no_time(unit: str) -> None:
    assert trimmed(scrub(unit * (2 * MOST // len(unit)))) is not None
    assert trimmed(scrub((unit * 40 + "\n") * 9000))
