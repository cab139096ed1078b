"""The examples of docs/entry-schemas.md report what it shows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.docs import PAGES, fences

PAGE = PAGES["docs/entry-schemas.md"]


@pytest.mark.parametrize("name", ["papers", "software", "apis"])
def test_an_example_reports_what_is_shown(name: str, tmp_path: Path) -> None:
    (taxonomy,), (text,), (shown,) = (fences(PAGE, f"{kind} {name}") for kind in ("yaml", "markdown", "text"))
    (tmp_path / "taxonomy.yaml").write_text(taxonomy, "utf-8")
    (tmp_path / "list.md").write_text(text, "utf-8")
    arguments = (
        "check list.md --isolated --taxonomy taxonomy.yaml --select taxonomy/entry --output-format json"
    )
    command = [sys.executable, "-m", "shelfread", *arguments.split()]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode == 1 and not ran.stderr, ran.stderr
    found = json.loads(ran.stdout)["diagnostics"]
    lines = [f"{each['path']}:{each['line']}:{each['column']}: {each['message']}" for each in found]
    assert lines == shown.splitlines()
