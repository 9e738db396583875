"""What a source asks for, and what of that no list names."""

from __future__ import annotations

import pytest
from pdcheck.conformance.gate import toolchains
from pdcheck.conformance.gate.imports import MOST, imports, unlisted


@pytest.mark.parametrize(
    ("language", "source", "asked", "told"),
    [
        (
            "cpp",
            '#include <vector>\n # include "json.hpp"\n#include <gmpxx.h>',
            "vector json.hpp gmpxx.h",
            "",
        ),
        ("cpp", "#include <boost/multiprecision/cpp_int.hpp>", "boost/multiprecision/cpp_int.hpp", ""),
        ("cpp", "#include </etc/passwd>\n#include MACRO", "/etc/passwd MACRO", "/etc/passwd MACRO"),
        (
            "c",
            "#include <stdio.h>\n#include <pthread.h>\n#include <sys/socket.h>",
            None,
            "pthread.h sys/socket.h",
        ),
        ("python", "import sys, json as j, sympy\nfrom collections.abc import Mapping", None, "sympy"),
        ("python", "  from numpy.linalg import det\nimport numpy as np", "numpy", ""),
        ("python", "from . import x\nfrom .y import z\n__import__('gmpy2')", None, "gmpy2"),
        ("java", "import java.util.*;\nimport static java.lang.Math.max;\nimport com.x.Y;", None, "com.x.Y"),
        ("javascript", 'const a = require("fs"), b = require("lodash");', "fs lodash", "lodash"),
        ("javascript", "import x from 'node:readline';\nimport { y } from \"./y.js\"", None, "./y.js"),
        (
            "csharp",
            "using System.Numerics;\nusing Utf8Json;\nusing Newtonsoft.Json;",
            None,
            "Newtonsoft.Json",
        ),
        ("csharp", "using (var x = new Y());\nusing var z = W;", "", ""),
        ("ruby", "require 'json'\nrequire 'nokogiri'", None, "nokogiri"),
        (
            "haskell",
            "import qualified Data.Map as M\nimport Math.NumberTheory.Primes",
            None,
            "Math.NumberTheory.Primes",
        ),
        ("go", 'import (\n  "fmt"\n  big "math/big"\n  "github.com/x/y"\n)', None, "github.com/x/y"),
        ("rust", "use std::io;\nuse rand::Rng;", "std rand", "rand"),
        ("perl", "use strict;\nuse JSON;\nuse 5.010;", None, "JSON"),
        ("lua", "local j = require('cjson')", None, "cjson"),
        ("php", "<?php require_once 'x.php';", None, "x.php"),
        ("pascal", "uses SysUtils, Math,gmp;", "SysUtils Math gmp", "gmp"),
        ("shell", ". /etc/profile\necho", None, "/etc/profile"),
        ("brainfuck", "import x", "", ""),
    ],
)
def test_what_is_asked_for_and_what_is_told(language: str, source: str, asked: str | None, told: str) -> None:
    if asked is not None:
        assert [one.name for one in imports(language, source.encode())] == asked.split()
    assert [one.name for one in unlisted(language, source.encode())] == told.split()


def test_the_line_is_told_once() -> None:
    assert unlisted("python", b"x = 1\nimport sympy\nimport sympy\n") == [("sympy", 2)]


def test_a_file_beside_the_source_is_its_own() -> None:
    assert unlisted("cpp", b'#include "tables.hpp"', ["tables.hpp"]) == []
    assert unlisted("python", b"import field", ["field.py", "main.py"]) == []


UNITS = (
    "import a,",
    "from .",
    "uses   ",
    "use ",
    " ",
    "require(",
    "import x as ",
    "#include <",
    "using a=",
    '"',
)


@pytest.mark.parametrize(
    "language", ["cpp", "python", "java", "javascript", "csharp", "ruby", "haskell", "pascal"]
)
def test_hostile_lines_are_read_in_no_time(language: str) -> None:
    """Lines that make regular expressions try again and again: nobody would wait for the end of this test."""
    for unit in UNITS:
        line = (unit * 500)[:500].encode()
        unlisted(language, b"\n".join([line] * 2000))
        unlisted(language, unit.encode() * (2**20 // len(unit)))
    many = b"\n".join(b"import a%d" % n for n in range(9000))
    assert len(imports("python", many)) == MOST


def test_every_table_is_of_a_language_that_is_taken() -> None:
    for language in {toolchain.language for toolchain in toolchains.table().values()}:
        assert imports(language, b"") == []
