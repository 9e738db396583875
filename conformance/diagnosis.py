"""Why a bot broke down: from a transcript to the requirement at the root, and the cause in words.

Law: pure. The cause begins with its word (`missing flush: …`, `sleeping: …`), so that the first line says what to
look for. What `probes` saw only words the cause; which requirement breaks rests on what the bot wrote, on what it did
when its input was closed, and on the second looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pdcheck.conformance import blame, deaths, doing
from pdcheck.conformance.story import Story
from pdcheck.conformance.transcript import Line
from pdcheck.referee.violations import Violation, quoted
from pdcheck.scenarios.exchange import GENERAL_SHAPE, Answers
from pdcheck.scenarios.pack import GamePack

SYSTEM_SHARE = 0.15
"""Of the CPU time: a bot whose kernel time is above asks the system again and again."""


SMALL_SHARE = 0.1
"""Of the time used: an answer that was waited for less is not what it was lost at."""
MOST_LINES = 1_000
"""Of an answer that is one object over several lines."""
ONE_LINE = "exactly one line for each message"
UNFLUSHED = "silent: unflushed"
NO_LF = "silent: no LF"
KEPT = "silent: kept"
"""What tells its requirement by itself, whatever the case is about."""
HANG = "hang"
LOST_STEP = "lost step"
A_LINE_AHEAD = f"{LOST_STEP} IO-3"
"""Lines too many that are answers, and so are taken for the next ones."""
FIXES = {
    "sleeping": "do not sleep before an answer; to wait for input, read it (a blocking read costs nothing)",
    "stopped": (
        "do not stop the process (SIGSTOP, SIGTSTP); a program in the background is stopped as well when it reads from "
        "or sets up a terminal (/dev/tty)"
    ),
    "dead-locked": (
        "look at what it waits for: a lock that is taken twice, a thread or child that waits in turn, a pipe that "
        "nobody reads or writes; a child needs its own end of a pipe closed in the parent"
    ),
    "answered on stderr": "write answers to stdout, and only logs to stderr",
    "spinning": (
        "look for a loop that does not end: a read whose end of input is not seen, a poll without a timeout, a search "
        "without a clock in it"
    ),
}
"""Word of a cause → what helps, where the advice of the requirement does not fit."""


class Diagnosis(NamedTuple):
    """What broke down: `breakdown` is how ("" for a legal question or one of time); `idiom` what of its language may
    help (`flush`, `line`, `eof`, "": the requirement's own); `fix` where the requirement's own does not help."""

    requirement: str
    breakdown: str
    cause: str | None
    idiom: str = ""
    fix: str = ""
    needs: Mapping[str, str] = {}
    """Environment variables that it does not work without."""
    terminal_only: bool = False
    """Whether it works only when its streams are terminals."""
    expected: str = ""
    actual: str = ""
    """What was expected and received, where the line that broke the rule is not the one at fault."""
    general: str = ""
    """The requirement that is told where it shows sometimes only; "": the same."""


def diagnose(violation: Violation, story: Story, pack: GamePack) -> Diagnosis:
    """The root of what put the bot out."""
    found = _root(violation, story, pack)
    word = (found.cause or "").partition(":")[0]
    return found._replace(fix=found.fix or FIXES.get(word, ""))


def _root(violation: Violation, story: Story, pack: GamePack) -> Diagnosis:
    broken = violation.requirement
    if broken == "IO-1":
        return _died(story)
    answers, surplus = pack.answers, story.surplus(pack.answers.due)
    if broken == "IO-3" and surplus <= 0 and story.open_line:
        return Diagnosis("IO-3", NO_LF, "no line end: the answer was written without a line feed at its end")
    if broken == pack.match_time and pack.hang and not story.late:
        return Diagnosis(broken, "", _out_of_cpu(story))
    if broken == pack.match_time or (broken == pack.hang and story.hangs):
        return _late(story, story.late, pack) if story.late else _silent(story, pack, broken)
    if broken in answers.mistaken and surplus > 0 and story.doubled(answers.meant):
        return _lost_step("IO-3", surplus)
    if broken not in GENERAL_SHAPE | answers.shape:
        return Diagnosis(broken, "", None)
    if surplus > 0:
        return _strayed(story, answers, surplus)
    if broken in answers.unreadable and story.prompts(answers.meant):
        return Diagnosis(
            "IO-5", "shape IO-5", "a prompt stands before its answers, without a line end of its own"
        )
    return Diagnosis(broken, f"shape {broken}", None)


# --- it died --------------------------------------------------------------------------------------------------


def _died(story: Story) -> Diagnosis:
    tail = story.stderr_tail
    last = tail.rpartition("\n")[2].partition(":")[0]
    status = story.exit.status if story.exit else None
    word = "alive" if status is None else status
    breakdown = f"died {word} {re.sub('0x[0-9a-f]+|[0-9]+', 'N', last)}"
    cause, fix = deaths.explain(status, tail)
    said = f"its stderr ends with:\n{tail}" if tail else "nothing on its stderr"
    surroundings = _surroundings(story, breakdown)
    if surroundings:
        return surroundings._replace(cause=f"{surroundings.cause}\n{cause}\n{said}")
    return Diagnosis("IO-1", breakdown, f"{cause}\n{said}", fix=fix)


def _surroundings(story: Story, breakdown: str) -> Diagnosis | None:
    """What of a terminal the bot cannot do without, as the second looks have shown; None when it is not that."""
    term = story.look("term")
    if term.get("works"):
        given = " ".join(f"{name}={value}" for name, value in term["set"].items())
        cause = (
            f"needs TERM: with {given} set it works, without it breaks down each time; the rest of the run goes on "
            "with that set"
        )
        return Diagnosis("IO-12", breakdown, cause, needs=term["set"])
    if story.look("terminal").get("works"):
        cause = "needs a terminal: it works when its streams are one, and the contest gives it pipes"
        return Diagnosis("IO-12", breakdown, cause, terminal_only=True)
    return None


# --- it said nothing ------------------------------------------------------------------------------------------


def _silent(story: Story, pack: GamePack, broken: str) -> Diagnosis:
    """A bot that wrote nothing in time: what it did when its input was closed, and what was seen of it, tell why."""
    kind = story.awaited or "message"
    overdue = "overdue" in story.notes
    if not overdue and _kept(story, pack.answers):
        cause = (
            "still reading: the message came together with the one before it, and it has read both; now it waits for "
            "more: it asks (poll, select) whether there is more in the pipe while the message lies in its own buffer, "
            "or it drops what it has read beyond a line"
        )
        # One that only sometimes does so may as well have missed a message by chance.
        return Diagnosis("IO-8", KEPT, cause, "line", general=pack.silence.get(kind, pack.match_time))
    waits = {"waits", "deaf"} & set(story.notes) or doing.only_reads(story.look("silence"))
    if overdue or not waits:
        cause, idiom = _busy(story)
        # All of a match's time is no breakdown: which answer it ran out at says little. A hang is at one answer.
        return Diagnosis(broken, "" if broken == pack.match_time else HANG, cause, idiom)
    if story.look("term").get("works") and (found := _surroundings(story, f"silent: {kind}")):
        return found
    works = story.look("terminal").get("works")
    requirement = pack.silence.get(kind, broken)
    if story.look("together").get("lines") == 1:
        cause = (
            "still reading: it answers only when its input ends, and then once for two messages: it reads to the end "
            "of its input before it answers"
        )
        return Diagnosis(requirement, f"silent: {kind}", cause, "line")
    if story.look("more").get("answers"):
        cause = (
            "still reading: it answers only when more bytes come than the message has, which ends with its line feed: "
            "it reads blocks of a fixed size, not lines"
        )
        return Diagnosis("IO-8", f"silent: {kind}", cause, "line")
    after = [out for out in story.outs if out.at > story.lapsed_at and out.data]
    if after or works:
        return Diagnosis("IO-4", UNFLUSHED, _unflushed(story, works), "flush")
    elsewhere = _on_stderr(story, pack.answers)
    if elsewhere:
        cause = f"answered on stderr: it waits for more input instead of answering `{kind}` on stdout; {elsewhere}"
        return Diagnosis(requirement, f"silent: {kind}", cause)
    cause, idiom = _doing(story, kind)
    return Diagnosis(requirement, f"silent: {kind}", cause, idiom)


def _kept(story: Story, answers: Answers) -> bool:
    """Whether it has read the message, sent before its last answer, and waits for input all the same."""
    look = story.look("silence")
    if not (look and story.asked and story.lines and story.lines[-1].at > story.asked.at):
        return False
    if len(story.lines) > answers.due(story.asked_before):
        return False  # its last answer was to this message, which is due another one
    unread, threads = look.get("unread", {}), list(doing.threads(look))
    waits = doing.reads(threads) or doing.may_read(threads)
    return doing.idle(look) and waits and unread.get("pipe") == 0 and not unread.get("kit")


def _unflushed(story: Story, works: bool | None) -> str:
    after = [out.data for out in story.outs if out.at > story.lapsed_at and out.data]
    if not after:
        return "missing flush: under a terminal it answers, into a pipe it does not: its output is kept back there"
    told = f"missing flush: the answer came only when its input was closed: {quoted(after[0].split(bytes([10]))[0])}"
    if works:
        return f"{told}; under a terminal it comes at once"
    if works is False:
        return (
            f"{told}; under a terminal it does not come either: it is kept in a buffer of the bot's own (or the bot "
            "reads to the end of its input first)"
        )
    return told


def _on_stderr(story: Story, answers: Answers) -> str:
    """What looks like the awaited answer on stderr instead; "" when nothing does."""
    since = story.asked.at if story.asked else 0.0
    said = b"".join(event.data for event in story.complaints if since <= event.at <= story.lapsed_at)
    for line in said.splitlines():
        if answers.whole(line):
            return f"its stderr has what looks like the answer: {quoted(line)}"
    if said and not said.strip() and said.endswith(b"\n"):
        return "its stderr got the empty line"
    return ""


def _doing(story: Story, kind: str) -> tuple[str, str]:
    """Cause and idiom of a bot that waits, for its input or for something that will not come."""
    look = story.look("silence")
    threads = list(doing.threads(look))
    locked = doing.locked(threads)
    if locked and not doing.reads(threads) and not doing.may_read(threads):
        return f"dead-locked: it waits instead of answering `{kind}`: {locked}", ""
    words = f"still reading: it waits for more input instead of answering `{kind}`"
    pipe, kit = look.get("unread", {}).get("pipe"), look.get("unread", {}).get("kit", 0)
    if pipe is None:
        return f"{words} (a blank line, a longer line, or the end of its input?)", "line"
    if pipe + kit:
        return f"{words}; {_unread(story, pipe + kit)}", "line"
    more = "it has read the whole message, line end and all, and wants more: a blank line, a longer line, or the end "
    return f"{words}; {more}of its input?", "line"


def _busy(story: Story) -> tuple[str, str]:
    """Cause and idiom of a bot that was at something else when its time was over."""
    look = story.look("silence")
    if not look:
        return "it was still busy when its time was over", ""
    threads = list(doing.threads(look))
    states = {thread["state"] for thread in threads}
    overdue = _overdue(story)
    if states & {"T", "t"}:
        return "stopped: its process is stopped (SIGSTOP, SIGTSTP, or a debugger) and does not run at all", ""
    if in_all := _in_all(story, look):
        return in_all, ""
    if look["ran"] > doing.BUSY_SHARE * look["looked"] or "R" in states:
        return _running(story, look, overdue), ""
    call = next((thread["call"] for thread in threads if thread.get("call") in doing.SLEEPS), None)
    if call:
        return f"sleeping: it sleeps ({call}) with the message unanswered{overdue}", ""
    locked = doing.locked(threads)
    if locked and not doing.reads(threads):
        return f"dead-locked: {locked}{overdue}", ""
    if "overdue" in story.notes and doing.reads(threads):
        return f"late: it answered when its time was just over{overdue}", ""
    if doing.reads(threads) or doing.may_read(threads):
        left = (look["unread"]["pipe"] or 0) + look["unread"]["kit"]
        more = f"; {_unread(story, left)}" if left else ""
        came = "; its answer came only when its input was closed" if overdue else ""
        return f"still reading: it waits for more input{more}{came}", "line"
    seen = ", ".join(sorted({doing.shown(thread) for thread in threads})) or "nothing known"
    return f"waiting: it does nothing and does not answer ({seen}){_lacking(look)}{overdue}", ""


def _in_all(story: Story, look: Mapping[str, Any]) -> str:
    """The cause where the answers before took the time, and not the one that is missing; "" where they did not."""
    spent = sum(line.cost for line in story.lines)
    last = story.probes["silence"].at - story.asked.at if story.asked else spent
    if last >= SMALL_SHARE * spent:
        return ""
    word = "computing too long" if look["cpu"] > spent / 2 else "waiting"
    return (
        f"{word}: the {len(story.lines)} answers before took {spent:.1f} s together ({look['cpu']:.1f} s of CPU in "
        f"all); for this one it had {last:.1f} s"
    )


def _running(story: Story, look: Mapping[str, Any], overdue: str) -> str:
    since = story.asked
    used = max(0.0, look["cpu"] - since.cpu) if since else look["cpu"]
    wall = max(0.0, story.probes["silence"].at - since.at) if since else 0.0
    told = f"it used {used:.1f} s of CPU in the {wall:.1f} s since the message"
    terminal = story.look("terminal")
    if not overdue and terminal.get("works") and terminal.get("patience"):
        overdue = (
            f"; given {terminal['patience']:.0%} more time it answered, after {terminal['seconds']:.1f} s"
        )
    if overdue:
        return f"computing too long: {told}{overdue}"
    if look["cpu"] and look["system"] > SYSTEM_SHARE * look["cpu"]:
        told += ", much of it in the system (a loop that reads or polls without waiting?)"
    else:
        told += " (an endless loop, or a search without a clock?)"
    more = "; given more time it did not answer either" if terminal.get("patience") else ""
    return f"spinning: {told}{more}"


def _out_of_cpu(story: Story) -> str | None:
    """Cause of a bot whose CPU time was used up before its answer came: by itself, or by what it started."""
    look = story.look("silence")
    if not look:
        return None
    states = {thread["state"] for thread in doing.threads(look)}
    if "R" in states or look["ran"] > doing.BUSY_SHARE * look["looked"]:
        return _running(story, look, _overdue(story))
    return f"computing too long: the bot itself waits, while what it has started computes{_overdue(story)}"


def _overdue(story: Story) -> str:
    """That, and how much later, the answer came after all."""
    after = next((out for out in story.outs if out.at > story.lapsed_at and out.data), None)
    return f"; its answer came {after.at - story.lapsed_at:.1f} s too late" if after else ""


def _late(story: Story, line: Line, pack: GamePack) -> Diagnosis:
    """The answer came, too late: by its own CPU time, or without."""
    used = blame.turn_of(story, line).cpu
    if pack.hang:  # its CPU time is what is charged, so many times as the contest's machine is slower
        whole = blame.cpu_since_line(story, line)
        told = f"computing too long: {line.cost:.2f} s were charged for this answer, {whole:.2f} s used on the CPU"
        told += ", most of it before it was asked" if used < whole / 2 else ""
        return Diagnosis(pack.match_time, "", told)
    if used <= 0:
        return Diagnosis(pack.match_time, "", None)
    word = "computing too long" if used > line.cost / 2 else "waiting"
    return Diagnosis(
        pack.match_time, "", f"{word}: this answer took {line.cost:.2f} s, {used:.2f} s of it on the CPU"
    )


def _unread(story: Story, left: int) -> str:
    size = len(story.asked.data) if story.asked else left
    if left >= size:
        return f"it has not begun to read the message ({left} bytes wait for it)"
    return f"{left} of the message's {size} bytes are not read yet"


def _lacking(look: Mapping[str, Any]) -> str:
    return "; not to be looked at here: " + ", ".join(look["lacks"]) if look.get("lacks") else ""


# --- it lost step ---------------------------------------------------------------------------------------------


def _lost_step(requirement: str, surplus: int, told: str = "", word: str = "") -> Diagnosis:
    """`told`: the line at fault, in words, where it is not the one that broke the rule."""
    cause = f"{word}{surplus} more line(s) than messages: later answers no longer match their messages"
    expected = ONE_LINE if told else ""
    return Diagnosis(requirement, f"{LOST_STEP} {requirement}", cause, expected=expected, actual=told)


def _strayed(story: Story, answers: Answers, surplus: int) -> Diagnosis:
    """What the surplus lines are: text before the first message's answer (IO-2), other text (IO-5), or an answer over
    several lines, answers and blank lines too many (IO-3)."""
    lines = _whole_lines(story)
    text = [at for at, line in enumerate(lines) if line.strip() and not answers.meant(line, at)]
    if not text:
        return _lost_step("IO-3", surplus)
    spread = _spread(lines, answers)
    if spread:
        told = f"an object over {len(spread)} lines, the first of them: {quoted(spread[0])}"
        return _lost_step("IO-3", surplus, told, "pretty-printed JSON: ")
    first = text[0] == 0 and all(answers.meant(line, at) for at, line in enumerate(lines[1:]) if line.strip())
    return _lost_step("IO-2" if first else "IO-5", surplus, f"a line of text: {quoted(lines[text[0]])}")


def _whole_lines(story: Story) -> list[bytes]:
    heads = []
    for out in story.outs:
        heads.append(out.data)
        if len(out.data) < out.size:  # of a flood only the head is kept: what comes next begins anywhere
            break
    return b"".join(heads).split(b"\n")[:-1]


def _spread(lines: Sequence[bytes], answers: Answers) -> Sequence[bytes]:
    """The lines of the first object that takes several of them; none when there is no such object."""
    for at, line in enumerate(lines):
        if answers.meant(line, at) and line.strip() and not answers.whole(line):
            ends = range(at + 2, min(at + MOST_LINES, len(lines)) + 1)
            return next((lines[at:end] for end in ends if answers.whole(b"\n".join(lines[at:end]))), ())
    return ()
