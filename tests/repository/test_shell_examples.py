"""Every shell example of the documentation is run here, in order, or says why it is not run.

Examples with output (`console`) are run and compared by test_docs.py, test_readme.py and the tests of the commands.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.docs import PAGES
from support.gitrepo import commit, do, repo
from support.paths import ROOT

pytestmark = pytest.mark.slow

__all__ = ["repo"]

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


@pytest.fixture
def bin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with shelfread, and with what examples call to get a text."""
    folder = tmp_path_factory.mktemp("bin")
    scripts = {
        "shelfread": f'exec "{sys.executable}" -m shelfread "$@"',
        "xclip": "echo '[1] Jane Doe. Finding Files Fast. In OSDI, 2020.'",
    }
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are for sh")
@pytest.mark.parametrize("example", EXAMPLES)
def test_it_runs(example: str, repo: Path, bin: Path) -> None:
    commit(FILES)
    do("tag", "v1.0")
    commit({"README.md": FILES["README.md"] + "- Sia: Scheduling (SOSP 2023)\n"})
    environ = {
        **os.environ,
        "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "linter"),
    }
    done = subprocess.run(
        ["sh", "-c", f"set -e; run() {{ \"$@\" || [ $? -eq 1 ]; }}\n{_forgiving(example)}"],
        env=environ, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def _forgiving(example: str) -> str:
    """Findings are no failure: status 1 is as good as 0."""
    return re.sub(r"^shelfread ", "run shelfread ", example, flags=re.MULTILINE)


def test_every_reason_is_a_sentence_part() -> None:
    reasons = [
        match["reason"] for text in _ALL.values() for match in _FENCE.finditer(text) if match["reason"]
    ]
    assert reasons and all(len(reason.split()) > 1 for reason in reasons)
