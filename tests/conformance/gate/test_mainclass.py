"""Which class a Java source is started by."""

from __future__ import annotations

import pytest
from pdcheck.conformance.gate.mainclass import MainClass, main_class
from pdcheck.conformance.gate.refusal import Unfit

MAIN = "public static void main(String[] args) { }"


@pytest.mark.parametrize(
    ("source", "name", "file"),
    [
        (f"public class Bot {{ {MAIN} }}", "Bot", "Bot.java"),
        (f"class Bot {{ {MAIN} }}", "Bot", "Bot.java"),
        (f"package a.b;\nimport java.util.*;\npublic final class Bot {{ {MAIN} }}", "a.b.Bot", "Bot.java"),
        (f"class Helper {{ }} public class Bot {{ {MAIN} }} class Other {{ {MAIN} }}", "Bot", "Bot.java"),
        (f"class Upload {{ {MAIN} }} class Other {{ {MAIN} }}", "Upload", "Upload.java"),
        (f"public class Field {{ }} class Start {{ {MAIN} }}", "Start", "Field.java"),
        (
            f'/* class No {{ {MAIN} }} */ // class No {{\nclass Bot {{ String s = "}}{{"; {MAIN} }}',
            "Bot",
            "Bot.java",
        ),
        (f"class Bot {{ char c = '{{', d = '\\'', e = '\\u007b'; {MAIN} }}", "Bot", "Bot.java"),
        (f'class Bot {{ String s = """\n  class X {{ "quoted" \\""" }} }}""";  {MAIN} }}', "Bot", "Bot.java"),
        (
            f"class A {{ class Inner {{ static void main(String a) {{}} }} }} class B {{ {MAIN} }}",
            "B",
            "B.java",
        ),
        ("class A { static public final void main(final String... a) { } }", "A", "A.java"),
        (
            "@Deprecated\npublic\nclass A { @Override static void main(java.lang.String a[]) { } }",
            "A",
            "A.java",
        ),
        (
            "class A { void main(String[] a) { } } enum B { X; static void main(String[] a) { } }",
            "B",
            "B.java",
        ),
        (f"public record 点(int x) {{ {MAIN} }}", "点", "点.java"),
    ],
)
def test_the_class_and_the_file_are_found(source: str, name: str, file: str) -> None:
    assert main_class(source.encode(), name="somewhere/Upload.java") == MainClass(name, file)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("", "no-main-class"),
        ("class A { void main() { } }", "no-main-class"),
        (f"// {MAIN}\nclass A {{ }}", "no-main-class"),
        (f"class A {{ {MAIN} }} class B {{ {MAIN} }}", "several-main-classes"),
    ],
)
def test_what_cannot_be_started_is_refused(source: str, code: str) -> None:
    with pytest.raises(Unfit, match=code):
        main_class(source.encode(), name="Upload.java")


UNITS = ("/*", '"', '"""', "'", "\\'", "'\\u", "class A ", "void main(", "{", "}", "package a.", " ")


@pytest.mark.parametrize("unit", UNITS)
def test_a_hostile_source_is_read_in_no_time(unit: str) -> None:
    for text in (unit * (2**20 // len(unit)), "class A {" + unit * (2**20 // len(unit))):
        with pytest.raises(Unfit):
            main_class(text.encode(), name="A.java")
