"""Where a report goes."""

from __future__ import annotations

from pathlib import Path

from support.command_line import FIXED, here, sample, shelfread
from support.reports import read_sarif

__all__ = ["here", "sample"]


def test_a_file_in_a_format_and_the_text_here(here: Path) -> None:
    plain = shelfread("check", "list.md")
    done = shelfread("check", "list.md", "--output-file", "report.sarif", "--output-format", "sarif")
    assert (done.exit_code, done.stdout, done.stderr) == (1, plain.stdout, "")
    assert read_sarif((here / "report.sarif").read_text()) == [("list.md", '"teh" is misspelt')]
    assert sorted(path.name for path in here.iterdir()) == [
        ".shelfread",
        ".shelfread.yaml",
        "list.md",
        "report.sarif",
    ]
    done = shelfread("fix", "list.md", "--output-file", "report.sarif", "--output-format", "sarif")
    assert done.exit_code == 0 and read_sarif((here / "report.sarif").read_text()) == []
    assert (here / "list.md").read_text() == FIXED
