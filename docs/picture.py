"""Make `docs/terminal.svg`: a real run on a faulty bot, as a terminal of 110 columns shows it.

Run from the repository's root: `.venv/bin/python docs/picture.py`.
"""

import io
import re
from dataclasses import replace
from pathlib import Path

from pdcheck.conformance.packs import load_pack
from pdcheck.conformance.reports import terminal
from pdcheck.conformance.selftest import matrix
from rich.console import Console

FAULT = "pd-3.3-counts-last-number"


def main() -> None:
    """Check the bot and draw the report."""
    pack = load_pack("prime-daihinmin")
    bot = replace(matrix.faulty_bot(pack, FAULT), command=("./mybot",))
    report = matrix.check(pack, matrix.faulty_bot(pack, FAULT), matrix.all_cases(pack.name, "quick"), "quick")
    report.plan = replace(report.plan, bot=bot)
    for row in report.rows:
        for at, finding in enumerate(row.findings):
            again = f"pdcheck replay .pdcheck/{finding.case.replace('/', '-')}.yaml ./mybot"
            row.findings[at] = replace(finding, replay=again)
    console = Console(record=True, width=110, file=io.StringIO(), force_terminal=True, highlight=False)
    console.print("$ pdcheck --profile quick ./mybot")
    terminal.write_to(report, console)
    # The picture must not load fonts from anywhere: every viewer has some monospaced one.
    drawn = re.sub(r"@font-face \{.*?\}", "", console.export_svg(title="pdcheck"), flags=re.S)
    Path("docs/terminal.svg").write_text(re.sub(r"[ \t]+$", "", drawn, flags=re.M), "utf-8")


main()
