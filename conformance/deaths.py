"""Why a bot ended: from its exit status and its last words to a cause its author can act on.

Law: pure, one table; of the rows whose pattern is found in the end of stderr the one found last wins, for it is the
last words that tell: what came before was got over. An uncaught exception that comes later still wins over them all,
and a signal that no exception ends in is told by what it is. What no row knows is "crashed", told by status and last
line.
"""

from __future__ import annotations

import re
import signal
from typing import NamedTuple


class Death(NamedTuple):
    """A cause in words (`word: more`), and the fix where the requirement's own would not help ("")."""

    cause: str
    fix: str = ""


class _Row(NamedTuple):
    word: str
    pattern: str
    told: str
    fix: str
    status: int | None = None


_PUT_BESIDE = "put it beside the bot and load it from the folder of the bot's own file, or do without it"
_ROWS = (
    _Row(
        "wrong interpreter",
        r"env: ['‘\"]?([^'‘’\"\n:]+)['’\"]?: (?:No such file|Permission)",
        "its first line asks `env` for {0}, which is not in PATH here",
        "name an interpreter that the contest's machine has in the first line (`#!/usr/bin/env python3`), with LF, "
        "not CR LF, at its end",
    ),
    _Row(
        "wrong interpreter",
        r"(?i:bad interpreter|required file not found|exec format error|cannot execute binary file)[^\n]*",
        "the system cannot run it: {whole}",
        "build it on the kind of machine it will run on, or name an interpreter that is there in the first line",
    ),
    _Row(
        "wrong interpreter",
        r"SyntaxError: Missing parentheses in call to '(\w+)'[^\n]*",
        "written for Python 2, started by Python 3 ({0} is a function now)",
        "start it with Python 2 by its first line, or port it: print(…)",
    ),
    _Row(
        "syntax error",
        r"SyntaxError: [^\n]*(?:Non-ASCII|invalid syntax)[^\n]*",
        "the program does not parse; if it does elsewhere, the interpreter here is older (or another): {whole}",
        "mend that line, or name the interpreter it was written for in the first line",
    ),
    _Row(
        "wrong interpreter",
        r"UnsupportedClassVersionError[^\n]*",
        "compiled for a newer Java than the one that runs it: {whole}",
        "compile with `javac --release N`, N being the version of the contest's machine",
    ),
    _Row(
        "wrong interpreter",
        r"You must install (?:or update )?\.NET[^\n]*",
        "the .NET runtime it was built for is not installed",
        "publish it self-contained, or for the runtime that is there",
    ),
    _Row(
        "wrong interpreter",
        r"(?m)^[^\n]*?(?:exec: )?([^\s:]+): (?:command )?not found$",
        "its start script calls {0}, which is not in PATH here",
        'start the bot by a path relative to the script ("$(dirname "$0")/mybot"), with `exec`',
    ),
    _Row(
        "missing library",
        r"error while loading shared libraries: ([^:\n]+)[^\n]*",
        "the shared library {0} is not installed here",
        "link statically (-static, or -static-libstdc++ -static-libgcc), or use only libraries the contest has",
    ),
    _Row(
        "missing library",
        r"version `([^']+)' not found[^\n]*",
        "built on a newer system than it runs on: the C or C++ library lacks {0}",
        "build on the contest's system, or link statically",
    ),
    _Row(
        "missing library",
        r"(?:UnsatisfiedLinkError|OSError: (?=lib)|Could not load file or assembly|LoadLibrary)[^\n]*",
        "a native library is not there: {whole}",
        _PUT_BESIDE,
    ),
    _Row(
        "missing module",
        r"ModuleNotFoundError: No module named '?([\w.]+)",
        "Python has no module {0} here",
        _PUT_BESIDE,
    ),
    _Row(
        "missing module", r"ImportError: [^\n]*", "Python cannot import what it needs: {whole}", _PUT_BESIDE
    ),
    _Row(
        "missing module",
        r"Cannot find (?:module|package) '([^'\n]+)'",
        "Node finds no module {0} here",
        _PUT_BESIDE,
    ),
    _Row(
        "missing class",
        r"(?:Could not find or load main class|ClassNotFoundException:|NoClassDefFoundError:) ([\w.$/]+)",
        "Java finds no class {0}",
        "name the class path (-cp FOLDER) and the class as declared, package and all; a jar needs its Main-Class",
    ),
    _Row(
        "missing module",
        r"Unable to access jarfile ([^\n]+)",
        "Java finds no jar {0} in the working folder",
        _PUT_BESIDE,
    ),
    _Row(
        "missing module",
        r"(?:cannot load such file -- |Can't locate |Failed opening required |no field package\.preload\[)['\"]?"
        r"([^\s'\"\]]+)",
        "it finds no {0} here",
        _PUT_BESIDE,
    ),
    _Row(
        "missing file",
        r"(?:FileNotFoundError|NoSuchFileException|ENOENT|FileNotFoundException)\b(?!')[^\n]*",
        "a file that it opens is not there: {whole}",
        "look for files beside the bot's own file, not in the working folder or HOME; better, do without them",
    ),
    _Row(
        "out of memory",
        r"(?:MemoryError|OutOfMemoryError|bad_alloc|heap out of memory|[Cc]annot allocate memory|OutOfMemoryException)"
        r"[^\n]*",
        "it wanted more memory than it could have: {whole}",
        "sieve less, keep less; Java: mind -Xmx",
    ),
    _Row(
        "stack overflow",
        r"(?:RecursionError|StackOverflowError|Maximum call stack size exceeded|stack level too deep)[^\n]*",
        "it called itself too often: {whole}",
        "turn the recursion into a loop with a list of its own",
    ),
    _Row(
        "long number",
        r"Exceeds the limit \((\d+)[^\n]*",
        "Python refuses to convert integers of more than {0} digits unless told otherwise",
        "call sys.set_int_max_str_digits(0) when the bot starts",
    ),
    _Row(
        "encoding",
        r"Unicode(?:Decode|Encode)Error[^\n]*",
        "it reads or writes text in an encoding that does not have it: {whole}",
        "name the encoding: UTF-8 in both directions, whatever the locale says",
    ),
    _Row(
        "end of input",
        r"(?:EOFError|EOFException|NoSuchElementException: No line found|UnexpectedEof)[^\n]*",
        "it took what it read for the end of its input: {whole}",
        "",
    ),
    _Row(
        "syntax error",
        r"(?m)^[^\n]*SyntaxError[^\n]*$",
        "the program does not parse: {whole}",
        "mend that line; if it runs elsewhere, the interpreter here is another version: name it in the first line",
        status=1,
    ),
)
_SIGNALS: dict[int, str] = {
    signal.SIGSEGV: "it used memory that is not its own (an index out of bounds, a null pointer, a stack overflow)",
    signal.SIGBUS: "it read or wrote memory that is not there",
    signal.SIGABRT: "it gave up by itself: an assertion, an uncaught exception, a corrupted heap",
    signal.SIGFPE: "a division by zero, or an integer overflow in one",
    signal.SIGILL: "this processor has no such instruction: built with -march=native on another machine?",
    signal.SIGTRAP: "a trap instruction: an overflow or bounds check of its language",
    signal.SIGPIPE: "it wrote to a pipe whose other end was closed",
    signal.SIGKILL: "it was killed from outside: out of memory, most often",
    signal.SIGXCPU: "it used more CPU time than it is allowed",
    signal.SIGXFSZ: "it wrote a larger file than it is allowed",
    signal.SIGSYS: "it made a system call that is forbidden here",
    signal.SIGALRM: "its own alarm clock",
    signal.SIGTERM: "it was told to end, by itself or by another program",
}
_BY_EXCEPTION = (signal.SIGABRT,)
"""Signals that an uncaught exception ends in, in languages such as C++ and C#."""
_BEFORE_A_SIGNAL = ("out of memory", "stack overflow")
"""What words may tell of the cause of another one; whatever else was written is older news."""
_STATUSES = {
    0: "by itself, as if it were done: after one message, or because it took something for the end of its input",
    126: "what its start script calls cannot be executed (no run bit, or not a program)",
    127: "what its start script calls, or a library, is not there",
}
_UNCAUGHT = re.compile(
    r"(?m)^(?:Exception in thread \S+ )?((?:[A-Za-z_][\w.$]*)(?:Error|Exception|Exit|Interrupt))\b(:?[^\n]*)"
)


def explain(status: int | None, words: str) -> Death:
    """Why it ended: `status` as in `Exit` (None: it still runs, and only its stdout was closed), `words` the end of
    its stderr."""
    how = _how(status)
    last = _last_words(status, words)
    if last:
        row, found = last
        told = row.told.format(*found.groups(), whole=found[0].strip())
        return Death(f"{row.word}: {told} ({how})", row.fix)
    if status is None:
        return Death("closed: it closed its stdout and goes on running")
    number = _number(status)
    more = _SIGNALS.get(number, "") if number else _STATUSES.get(status, "")
    uncaught = _uncaught(words)
    if uncaught and not number:
        more = f"uncaught {uncaught[1]}{uncaught[2]}"
    word = {126: "wrong interpreter", 127: "wrong interpreter", 0: "ended"}.get(status, "crashed")
    return Death(f"{word}: {how}" + (f": {more}" if more else ""))


def _last_words(status: int | None, words: str) -> tuple[_Row, re.Match[str]] | None:
    """The row that tells why, and where; None when none does."""
    told: tuple[_Row, re.Match[str]] | None = None
    by_signal = status is not None and _number(status) not in (0, *_BY_EXCEPTION)
    for row in _ROWS:
        if row.status not in (None, status) or (by_signal and row.word not in _BEFORE_A_SIGNAL):
            continue
        for found in re.finditer(row.pattern, words):
            if told is None or found.start() > told[1].start():
                told = (row, found)
    uncaught = None if by_signal else _uncaught(words)
    return None if told and uncaught and uncaught.start() > told[1].end() else told


def _uncaught(words: str) -> re.Match[str] | None:
    """The last exception that ended it, with its message."""
    found = list(_UNCAUGHT.finditer(words))
    return found[-1] if found else None


def _number(status: int) -> int:
    """The signal that ended it, or what it started; 0 for none."""
    return -status if status < 0 else status - 128 if 128 < status < 192 else 0


def _how(status: int | None) -> str:
    if status is None:
        return "still running"
    number = _number(status)
    try:
        name = signal.Signals(number).name if number else ""
    except ValueError:
        name = ""
    if status < 0:
        return f"killed by signal {number}" + (f", {name}" if name else "")
    return f"exit status {status}" + (f", {name} in a program it started" if name else "")
