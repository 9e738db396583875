"""What is said of real programs that are watched: of what a runtime or a start script does, and of what a bot does."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pdcheck.conformance import conduct
from pdcheck.conformance.runner import Runner
from pdcheck.scenarios.pack import Conduct

Broken = Callable[..., dict[str, str]]
NODE, JAVA, BASH = (shutil.which(name) for name in ("node", "java", "bash"))
NODE_BOT = """{title}require('readline').createInterface({{input: process.stdin}})
  .on('line', line => process.stdout.write('re: ' + line + '\\n'))
"""
JAVA_BOT = """public class Bot {{
  public static void main(String[] words) throws Exception {{
    {deed}
    var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    for (String line; (line = in.readLine()) != null; ) System.out.println("re: " + line);
  }}
}}
"""
PYTHON_BOT = "import sys\nfor line in sys.stdin: print('re:', line, end='', flush=True)\n"
CONNECTS = 'try { new java.net.Socket("127.0.0.1", 9).close(); } catch (java.io.IOException e) { }'
THREAD = """
    var parked = new Thread(() -> { for (;;) java.util.concurrent.locks.LockSupport.park(); });
    parked.setDaemon(true);
    parked.start();
"""


@pytest.fixture
def broken(watched: Callable[..., Runner], tmp_path: Path) -> Broken:
    """`broken(name, text)`: what a script of this name, started by its first line, breaks: requirement → in words."""

    def of(name: str, text: str, **more: object) -> dict[str, str]:
        script = tmp_path / name
        script.write_text(text)
        script.chmod(0o755)
        # Past the half second that too many nameless threads must last.
        runner = watched([str(script)], 6, idles=(2, 3, 4), **more)
        wanted = Conduct("processes", "idle", "memory", "files", most_memory=2**30)
        found = {told.requirement: told.actual for told in conduct.findings(runner.log.events, wanted)}
        found.pop("idle", None)  # how soon a compiler at run time is done is a matter of the machine
        return found

    return of


@pytest.mark.full
@pytest.mark.skipif(NODE is None, reason="there is no node")
@pytest.mark.parametrize("observed", [True, False])
@pytest.mark.parametrize("title", ["", "process.title = 'my bot'\n"])
@pytest.mark.parametrize("name", ["nimble.js", "a-very-long-name-of-a-bot.js"])
def test_a_script_that_node_runs_by_its_first_line(
    broken: Broken, name: str, title: str, observed: bool
) -> None:
    assert broken(name, f"#!{NODE}\n" + NODE_BOT.format(title=title), observed=observed) == {}


@pytest.mark.full
@pytest.mark.skipif(NODE is None, reason="there is no node")
def test_node_by_another_name_and_a_thread_of_its_own(broken: Broken, tmp_path: Path) -> None:
    assert NODE is not None
    (tmp_path / "mynode").symlink_to(NODE)
    first = f"#!{tmp_path}/mynode\n"
    assert broken("bot.js", first + NODE_BOT.format(title="")) == {}
    worker = "new (require('worker_threads').Worker)('setInterval(() => 0, 1e6)', {eval: true}).unref()\n"
    assert broken("bot.js", first + NODE_BOT.format(title=worker)).keys() == {"processes"}


@pytest.mark.full
@pytest.mark.skipif(JAVA is None, reason="there is no java")
@pytest.mark.parametrize(
    ("deed", "found"),
    [("", set()), (CONNECTS, {"files"}), (THREAD, {"processes"})],
    ids=["", "net", "thread"],
)
def test_a_java_source_file_that_is_a_script(broken: Broken, deed: str, found: set[str]) -> None:
    assert broken("jbot", f"#!{JAVA} --source 17\n" + JAVA_BOT.format(deed=deed)).keys() == found


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize("observed", [True, False])
@pytest.mark.parametrize(
    ("command", "found"),
    [("{bot} | tee /dev/null", {"processes"}), ("sleep 0.05; {bot}; true", set()), ("exec {bot}", set())],
)
def test_a_start_script(
    broken: Broken, tmp_path: Path, command: str, found: set[str], observed: bool
) -> None:
    (tmp_path / "bot.py").write_text(PYTHON_BOT)
    line = command.format(bot=f"{sys.executable} {tmp_path}/bot.py")
    assert broken("bot", f"#!{BASH}\n{line}\n", observed=observed).keys() == found
