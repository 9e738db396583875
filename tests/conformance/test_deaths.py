"""Why a bot ended: exit status and last words in, a cause out."""

from __future__ import annotations

import pytest
from pdcheck.conformance.deaths import explain

KNOWN = [
    (
        127,
        "env: ‘pypy9’: No such file or directory",
        "wrong interpreter: its first line asks `env` for pypy9",
    ),
    (127, "env: pypy9: No such file or directory", "wrong interpreter: its first line asks `env` for pypy9"),
    (127, "sh: 1: mybot: not found", "wrong interpreter: its start script calls mybot"),
    (127, "run.sh: line 3: mybot: command not found", "wrong interpreter: its start script calls mybot"),
    (126, "run.sh: 1: ./bot: Exec format error", "wrong interpreter: the system cannot run it"),
    (
        1,
        "SyntaxError: Missing parentheses in call to 'print'. Did you …",
        "wrong interpreter: written for Python 2",
    ),
    (
        1,
        '  File "b.py", line 2\nSyntaxError: invalid syntax',
        "syntax error: the program does not parse; if it does elsewhere",
    ),
    (1, "SyntaxError: Unexpected token ')'", "syntax error: the program does not parse"),
    (
        1,
        "java.lang.UnsupportedClassVersionError: Bot has been compiled by …",
        "wrong interpreter: compiled for a newer",
    ),
    (
        127,
        "./bot: error while loading shared libraries: libgmp.so.10: cannot open shared object file: No such file",
        "missing library: the shared library libgmp.so.10",
    ),
    (
        1,
        "./bot: /lib/libc.so.6: version `GLIBC_2.38' not found (required by ./bot)",
        "missing library: built on a newer",
    ),
    (1, "ModuleNotFoundError: No module named 'sympy'", "missing module: Python has no module sympy"),
    (
        1,
        "Error: Cannot find module '/house/me/dist/bot.js'",
        "missing module: Node finds no module /house/me/dist/bot.js",
    ),
    (1, "Error: Could not find or load main class Bot", "missing class: Java finds no class Bot"),
    (1, "Error: Unable to access jarfile bot.jar", "missing module: Java finds no jar bot.jar"),
    (1, "cannot load such file -- prime (LoadError)", "missing module: it finds no prime"),
    (2, "Can't locate Math/Prime.pm in @INC", "missing module: it finds no Math/Prime.pm"),
    (1, "FileNotFoundError: [Errno 2] No such file or directory: 'primes.txt'", "missing file: "),
    (134, "terminate called after throwing an instance of 'std::bad_alloc'", "out of memory: "),
    (1, "RecursionError: maximum recursion depth exceeded", "stack overflow: "),
    (
        1,
        "ValueError: Exceeds the limit (4300 digits) for integer string conversion",
        "long number: Python refuses",
    ),
    (1, "UnicodeDecodeError: 'ascii' codec can't decode byte 0xe3", "encoding: "),
    (1, "EOFError: EOF when reading a line", "end of input: "),
    (1, "Traceback …\nKeyError: 'hand'", "crashed: exit status 1: uncaught KeyError: 'hand'"),
    (
        1,
        'Exception in thread "main" java.lang.IllegalStateException: oh',
        "crashed: exit status 1: uncaught java.lang",
    ),
    (-11, "", "crashed: killed by signal 11, SIGSEGV: it used memory that is not its own"),
    (139, "Segmentation fault", "crashed: exit status 139, SIGSEGV in a program it started"),
    (-6, "Assertion failed", "crashed: killed by signal 6, SIGABRT: it gave up by itself"),
    (-9, "", "crashed: killed by signal 9, SIGKILL: it was killed from outside"),
    (-63, "", "crashed: killed by signal 63"),
    (127, "", "wrong interpreter: exit status 127"),
    (126, "", "wrong interpreter: exit status 126"),
    (0, "", "ended: exit status 0: by itself"),
    (3, "", "crashed: exit status 3"),
    (None, "", "closed: "),
]


@pytest.mark.parametrize(("status", "words", "cause"), KNOWN, ids=range(len(KNOWN)))
def test_last_words_tell_the_cause(status: int | None, words: str, cause: str) -> None:
    assert explain(status, words).cause.startswith(cause)


@pytest.mark.parametrize(
    ("status", "words", "cause"),
    [
        (
            -11,
            "ImportError: no numpy, using pure Python",
            "crashed: killed by signal 11, SIGSEGV: it used memory",
        ),
        (139, "FileNotFoundError: book.txt; going on without", "crashed: exit status 139, SIGSEGV"),
        (-11, "java.lang.StackOverflowError", "stack overflow: "),
        (-6, "Unhandled exception. System.IO.FileNotFoundException: no book.txt", "missing file: "),
        (
            1,
            "ModuleNotFoundError: No module named 'gmpy2'\n\nDuring handling of …:\n\nKeyError: 3",
            "crashed: exit status 1: uncaught KeyError: 3",
        ),
        (1, "FileNotFoundError: book.txt\ngoing on\nMemoryError", "out of memory: "),
        (
            1,
            "Error: ENOENT: no such file, open 'book'\n  errno: -2,\n  code: 'ENOENT',",
            "missing file: a file that",
        ),
        (1, "OSError: [Errno 12] Cannot allocate memory", "out of memory: "),
    ],
)
def test_what_was_got_over_before_is_not_the_cause(status: int, words: str, cause: str) -> None:
    assert explain(status, words).cause.startswith(cause)


def test_what_is_missing_comes_with_a_fix_of_its_own() -> None:
    assert "link statically" in explain(127, "error while loading shared libraries: libx.so: cannot open").fix
    assert explain(3, "Fatal: oh").fix == ""


def test_braces_in_last_words_are_only_words() -> None:
    assert "{0} {whole}" in explain(1, "ImportError: cannot import {0} {whole}").cause
