"""What `check` imports: with a short list, the imports are most of the time that it takes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.paths import LINTER

MOST = 150
"""The modules of this package that a check of a list of papers needs."""

UNNEEDED = (
    "aiohttp asyncio bibtexparser concurrent ctypes decimal difflib email ftplib hashlib http jsonschema mdformat"
    " multiprocessing pathspec pickle platformdirs random rapidfuzz rdflib re2 referencing rich rispy selectors shutil"
    " socket sqlite3 ssl subprocess tempfile unittest urllib.request xml yaml zipfile"
    " importlib.metadata importlib.resources"
).split()  # fmt: skip
"""Packages that a check without findings of a rare kind, of a taxonomy and of git does not need."""

OTHERS = (
    "shelfread.changes shelfread.document.entry_data shelfread.document.table_rows shelfread.init"
    " shelfread.engine.workers shelfread.fixes.rounds shelfread.format shelfread.imports shelfread.links"
    " shelfread.imports.services shelfread.taxonomy.merge shelfread.taxonomy.heading_resolver"
).split()  # fmt: skip

LIST = """# Papers

## Serving

* Orca: A Distributed Serving System for Transformer-Based Generative Models (OSDI 2022) [[Paper](https://www.usenix.org/conference/osdi22/presentation/yu)]
* FlexGen: High-Throughput Generative Inference of Large Language Models (ICML 2023) [[Paper](https://arxiv.org/abs/2303.06865)] [[Code](https://github.com/FMInference/FlexGen)]
"""

SCRIPT = """
import atexit, sys
from shelfread.__main__ import main
atexit.register(lambda: print(*sys.modules, sep="\\n", file=sys.stderr))
main()
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("short")
    (folder / "list.md").write_text(LIST, "utf-8")
    for _ in range(2):  # the first run may write caches
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, "check", "--isolated", "--preset", "papers", "--output-format", "json", "--no-cache", "list.md"],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(LINTER)}, capture_output=True, text=True,
        )  # fmt: skip
    assert done.returncode == 0 and '"entries": 2' in done.stdout, done.stderr
    return done.stderr.splitlines()


def test_check_imports_few_modules(imported: list[str]) -> None:
    own = sorted(name for name in imported if name.partition(".")[0] == "shelfread")
    assert any(name.startswith("shelfread.checks.paper.") for name in own)
    assert len(own) <= MOST, f"{len(own)}: {own}"


def test_check_imports_nothing_heavy(imported: list[str]) -> None:
    known = {f"{name}." for name in imported}
    found = [name for name in (*UNNEEDED, *OTHERS) if any(each.startswith(f"{name}.") for each in known)]
    assert found == []
