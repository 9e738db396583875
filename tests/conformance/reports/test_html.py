"""The page: whole by itself, well formed, every finding in it, and nothing of what a bot wrote does anything."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from pdcheck.conformance.report_reader import ReportError, read_report
from pdcheck.conformance.reports import html
from pdcheck.conformance.reports.html import render
from pdcheck.scenarios.valtapeli.viewer import board_view
from pdcheck.schemas import explain, load

VOID = {"meta", "br", "input", "link", "img", "hr"}
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}<!--\x1b[2J\x00\u202e\u2066\ud800"
CONTROL = {
    chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
URL = re.compile(r"(?:https?|ftp|file|data|javascript|//)[:/]", re.IGNORECASE)


class Page(HTMLParser):
    """A page as a browser would take it apart; fails where tags do not fit."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice in {tag}"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        inside = self.open[-1] if self.open else ""
        if inside == "script":
            self.scripts.append((self.tags[-1][1], data))
        elif inside == "style":
            self.styles.append(data)
        else:
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def classes(self) -> list[str]:
        return [word for _, attributes in self.tags for word in (attributes.get("class") or "").split()]


def example(**changes: Any) -> dict[str, Any]:
    """A report with a finding of each level, a board and all that may be there."""
    report: dict[str, Any] = copy.deepcopy(load("report")["examples"][0])
    first = report["requirements"][0]
    (finding,) = first["findings"]
    finding |= {"sent": "5 5", "case": "va-5/x", "times": 3, "views": [board_view([1, 2, 3], bad=2)]}
    first["title"] = "plays cards of its hand"
    other = copy.deepcopy(finding) | {
        "message": "Another one.",
        "level": "SHOULD",
        "flaky": None,
        "views": [],
    }
    last = copy.deepcopy(finding) | {
        "message": "A third one.",
        "level": "INFO",
        "replay": None,
        "cause": "a\nb",
    }
    first["findings"] += [other, last]
    return report | {"cases": 7, "doubt": None} | changes


def everywhere(value: Any, text: str, key: str = "") -> Any:
    """The report with this text in each string that is free."""
    fixed = {
        "id",
        "level",
        "status",
        "suite",
        "game",
        "verdict",
        "profile",
        "sha256",
        "limits",
        "cells",
        "breaks",
        "requirement",
        "mark",
        "decision",
        "key",
        "kind",
    }
    if isinstance(value, dict):
        made = {name: part if name in fixed else everywhere(part, text, name) for name, part in value.items()}
        return made | ({text: text} if key == "machine" else {})
    if isinstance(value, list):
        if key == "rows" and value and isinstance(value[0], list):  # of a view: key and label
            return [[name, text] for name, _ in value]
        return [everywhere(part, text, key) for part in value]
    return (f"a:{text}" if re.match(r"^[a-lsx!]?:", value) else text) if isinstance(value, str) else value


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
    elif isinstance(value, str):
        yield value


def test_every_finding_is_there_with_all_its_parts() -> None:
    report = example()
    assert explain("report", report) == []
    page = Page(render(report))
    assert page.classes().count("finding") == 3
    for finding in report["requirements"][0]["findings"]:
        for key in ("message", "expected", "actual", "cause", "fix", "sent", "case", "replay", "shrunk"):
            assert (finding[key] or "") in page.text
    assert "in 2 of 6 runs" in page.text
    assert "and in 2 more" in page.text
    order = [page.text.index(f["message"]) for f in report["requirements"][0]["findings"]]
    assert order == sorted(order), "the gravest first"
    assert page.text.index("Does not conform") < order[0]
    for row in report["requirements"]:
        assert row["id"] in page.text


def test_links_within_the_page_lead_somewhere_and_nothing_else_is_linked() -> None:
    page = Page(render(example()))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [attributes["href"] or "" for _, attributes in page.tags if "href" in attributes]
    assert targets
    assert all(target[0] == "#" and target[1:] in ids for target in targets)
    for tag, attributes in page.tags:
        assert not {"src", "srcset", "action", "formaction", "style", "background"} & attributes.keys(), tag
        assert not [name for name in attributes if name.startswith("on")], tag
        values = [v or "" for name, v in attributes.items() if name != "content"]
        assert not [value for value in values if URL.search(value)], tag
    assert not URL.search("".join(page.styles))
    assert "@import" not in "".join(page.styles)


def test_the_policy_lets_in_this_style_and_this_script_and_nothing_else() -> None:
    page = Page(render(example()))
    (policy,) = [
        m["content"] or "" for m in page.all("meta") if m.get("http-equiv") == "Content-Security-Policy"
    ]
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    (script,) = [text for attributes, text in page.scripts if "type" not in attributes]

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert parts == {
        "default-src": "'none'",
        "style-src": source("".join(page.styles)),
        "script-src": source(script),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    for word in ("innerHTML", "eval(", "fetch(", "XMLHttpRequest", "import("):
        assert word not in script


def test_nothing_that_a_bot_wrote_does_anything() -> None:
    failure = {"kit_failures": [{"case": "x", "traceback": "y"}]}
    report, harmless = (everywhere(example(**failure), text) for text in (EVIL, "harmless"))
    assert explain("report", report) == []
    text = render(report)
    text.encode("utf-8")
    assert not (CONTROL - {"\n"}) & set(text)
    page, tame = Page(text), Page(render(harmless))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in tame.tags], "the same tags, whatever the texts"
    assert len(page.scripts) == len(tame.scripts)
    assert page.text.count("</script><script>alert(1)</script>") > 20
    assert "49" not in page.text.replace("149", "")
    for attributes, data in page.scripts:
        if attributes.get("type") == "application/json":
            assert "<" not in data
            assert "\\u003c" in data
            json.loads(data)


def test_the_page_of_a_match_is_as_safe() -> None:
    def match(text: str) -> dict[str, Any]:
        places = [{"place": 1, "name": text, "score": 3, "status": text}]
        words = dict.fromkeys(("pdcheck", "game", "rules"), text)
        view = {"rows": [["a", text]], "steps": [{"caption": text, "rows": {"a": [f"a:{text}"]}}]}
        return {**words, "seed": 1, "names": [text, text], "places": places, "view": view}

    text = html.render_match(match(EVIL))
    text.encode("utf-8")
    assert not (CONTROL - {"\n"}) & set(text)
    page, harmless = Page(text), Page(html.render_match(match("harmless")))
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in harmless.tags]
    assert "not shown step by step" in Page(html.render_match(match("x") | {"view": None})).text


def test_a_view_in_the_page_is_the_one_of_the_report() -> None:
    report = example()
    given = report["requirements"][0]["findings"][0]["views"][0]
    page = Page(render(report))
    data = [
        json.loads(text) for attributes, text in page.scripts if attributes.get("type") == "application/json"
    ]
    assert data == [given, given]


def test_without_a_script_the_step_that_broke_is_shown() -> None:
    report = example()
    view = board_view([0, 255, 1, 200], bad=2)
    assert view is not None
    view["steps"][2] |= {"breaks": ["PD-3.1"], "note": "PD-3.1: expected this, got that"}
    report["requirements"][0]["findings"] = [report["requirements"][0]["findings"][0] | {"views": [view]}]
    page = Page(render(report))
    assert "Step 3 of 4" in page.text
    (figure,) = page.all("figure")
    assert figure["data-at"] == "2"
    paths = {a["class"]: a["d"] or "" for a in page.all("path")}
    assert paths["t-a"] == "M12 12h9v9h-9zM22 12h9v9h-9z", "the two cells of the starter's region"
    assert paths["t-x"] == "M162 162h9v9h-9z"
    assert paths["t-0"].count("M") == 253, "the fourth move is not made yet"
    assert "bad" in paths
    hidden = [attributes for _, attributes in page.tags if "hidden" in attributes]
    assert {(a.get("class") or "").split()[0] for a in hidden} == {"controls", "filter", "copy"}


def test_long_texts_are_cut_with_a_word_about_it_and_the_page_stays_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = example()
    (finding, *_) = report["requirements"][0]["findings"]
    report["requirements"][0]["findings"] = [finding | {"actual": "x" * 10**6, "cause": "y\n" * 10**6}] * 9
    text = render(report)
    assert len(text) < 700_000
    assert "996000 more" in text
    monkeypatch.setattr(html, "MOST_FINDINGS", 4)
    monkeypatch.setattr(html, "MOST_VIEWS", 2)
    page = Page(render(report))
    assert page.classes().count("finding") == 4
    assert page.classes().count("viewer") == 2
    assert "5 more findings are in the JSON report" in page.text


@pytest.mark.parametrize(
    ("changes", "title", "words"),
    [
        ({"verdict": "conforms", "requirements": []}, "Conforms", "Every requirement that was tried is met."),
        ({}, "Does not conform", "must meet is not met"),
        ({"requirements": []}, "Does not conform", "differs from the baseline"),
        ({"verdict": "error"}, "The kit itself failed", "says nothing about the bot"),
        ({"verdict": "inconclusive", "doubt": "run it again"}, "Inconclusive", "may help: run it again."),
        ({"verdict": "inconclusive", "interrupted": True}, "Inconclusive", "The run was interrupted"),
    ],
)
def test_the_verdict_comes_first_in_words(changes: dict[str, Any], title: str, words: str) -> None:
    page = Page(render(example(**changes)))
    assert page.text.strip().startswith(f"{title}: ./mybot")
    assert words in page.text


def test_what_is_not_there_is_not_missed() -> None:
    """The least that the contract promises is enough."""
    for report in load("report")["examples"]:
        Page(render(report))


def test_it_is_the_same_each_time_and_whatever_the_order_of_keys() -> None:
    report = example()
    text = render(report)
    assert render(copy.deepcopy(report)) == text
    turned = json.loads(json.dumps(report), object_pairs_hook=lambda pairs: dict(sorted(pairs)))
    assert turned == report
    assert render(json.loads(json.dumps(report))) == text


def paths_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in below:
        yield from paths_of(part, (*path, key))


@pytest.mark.parametrize("stranger", [None, "x"], ids=repr)
def test_a_report_is_refused_in_one_line_or_shown_whatever_is_in_it(stranger: Any) -> None:
    report = example()
    report["requirements"][0]["findings"] = report["requirements"][0]["findings"][:1]
    told = []
    for path in paths_of(report):
        if not path or "steps" in path[:-2]:
            continue
        spoilt = copy.deepcopy(report)
        here = spoilt
        for key in path[:-1]:
            here = here[key]  # type: ignore[index]
        here[path[-1]] = stranger  # type: ignore[index]
        try:
            read = read_report(json.dumps(spoilt), "r.json")
        except ReportError as error:
            told.append(str(error))
        else:
            Page(render(read))
    assert len(told) > 40
    assert not [line for line in told if not re.fullmatch(r"r\.json: \S.*: expected .+, got .+", line)]


def test_the_script_is_one(needs: Callable[[str], str], tmp_path: Path) -> None:
    page = Page(render(example()))
    (script,) = [text for attributes, text in page.scripts if "type" not in attributes]
    file = tmp_path / "report.js"
    file.write_text(script, "utf-8")
    done = subprocess.run([needs("node"), "--check", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
