"""Every shell example of the documentation is run here, in order, or says why it is not run.

Examples with output (`console`) are run and compared by test_docs.py, test_readme.py and the tests of the commands.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from support.command_line import shelfread
from support.docs import PAGES
from support.gitrepo import commit, do, repo
from support.many_lists import kept_processes
from support.paths import ROOT

pytestmark = pytest.mark.slow

__all__ = ["kept_processes", "repo"]

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n+)?```sh\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_ALL = {
    **PAGES,
    **{
        f"{name}/README.md": (ROOT / name / "README.md").read_text("utf-8")
        for name in ("rules", "benchmarks")
    },
}
EXAMPLES = [
    pytest.param(match["text"], id=f"{page}:{text.count(chr(10), 0, match.start()) + 1}")
    for page, text in _ALL.items()
    for match in _FENCE.finditer(text)
    if match["reason"] is None
]
PAPER = "- Rinas: Training with Dataset Shuffling (OSDI 2023) [[Paper](https://arxiv.org/abs/2312.02368)]\n"
FILES = {
    "README.md": f"# Papers\n\n## Training\n\n{PAPER}\n## Serving\n\n"
    "- Orca: A Serving System (OSDI 2022) [[paper](http://dx.doi.org/10.5555/3571885)]\n",
    "taxonomy.yaml": "concepts:\n  training:\n    prefLabel: Training\n  serving:\n    prefLabel: Serving\n",
    ".shelfread.yaml": "taxonomy: taxonomy.yaml\n",
    "zotero.bib": "@article{fd, title = {Finding Files Fast}, author = {Doe, Jane}, year = {2020}}\n",
    "paper.txt": "[1] Jane Doe. Finding Files Fast. In OSDI, 2020.\n[2] Jim Roe. Losing Files Slowly. In SOSP, 2021.\n",
    "page.txt": "Reading list\n\nTraining\n\n• Finding Files Fast, Jane Doe, OSDI 2020\n• Losing Files Slowly, Jim Roe, SOSP 2021\n",
    "site/.keep": "",
    "lists.txt": "# The lists of an organisation\nlists/files\n",
    "lists/files/README.md": "# Files\n\n- [Fd](https://fd.example.org) - Finds files.\n",
    "mirrors/more/README.md": "# More\n\n- [Bat](https://bat.example.org) - Shows files.\n",
    "org.yaml": "presets: [core]\n",
}


def output_of(command: str) -> str:
    """What another program than ours would print."""
    assert command == "xclip -o", f"{command}: say here what it prints, or why the example is not run"
    return "[1] Jane Doe. Finding Files Fast. In OSDI, 2020."


@pytest.mark.usefixtures("kept_processes")
@pytest.mark.parametrize("example", EXAMPLES)
def test_it_runs(example: str, repo: Path) -> None:
    """Findings are no failure: status 1 is as good as 0."""
    commit(FILES)
    do("tag", "v1.0")
    commit({"README.md": FILES["README.md"] + "- Sia: Scheduling (SOSP 2023)\n"})
    for line in example.splitlines():
        other, pipe, ours = line.rpartition(" | ")
        name, *words = shlex.split(ours, comments=True)
        assert name == "shelfread", line
        done = shelfread(*words, input=output_of(other) if pipe else "")
        assert done.exit_code in (0, 1), f"{line}\n{done.output}"
        assert done.exception is None or isinstance(done.exception, SystemExit), line


def test_every_reason_is_a_sentence_part() -> None:
    reasons = [
        match["reason"] for text in _ALL.values() for match in _FENCE.finditer(text) if match["reason"]
    ]
    assert reasons and all(len(reason.split()) > 1 for reason in reasons)
