"""The examples of docs/entry-schemas.md report what it shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from shelfread.cli import group
from support.docs import PAGES, fences

PAGE = PAGES["docs/entry-schemas.md"]


@pytest.mark.parametrize("name", ["papers", "software", "apis"])
def test_an_example_reports_what_is_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (taxonomy,), (text,), (shown,) = (fences(PAGE, f"{kind} {name}") for kind in ("yaml", "markdown", "text"))
    (tmp_path / "taxonomy.yaml").write_text(taxonomy, "utf-8")
    (tmp_path / "list.md").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    arguments = (
        "check list.md --isolated --taxonomy taxonomy.yaml --select taxonomy/entry --output-format json"
    )
    done = CliRunner().invoke(group, arguments.split())
    assert done.exit_code == 1
    found = json.loads(done.output)["diagnostics"]
    lines = [f"{each['path']}:{each['line']}:{each['column']}: {each['message']}" for each in found]
    assert lines == shown.splitlines()
