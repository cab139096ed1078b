"""Where a report goes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.command_line import FIXED, LIST, here, shelfread
from support.reports import (
    read_sarif,
)
from support.sample import sample

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


def test_where_a_report_cannot_go(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "precious"
    elsewhere.write_text("precious")
    (here / "away").symlink_to(elsewhere)
    (here / "near").symlink_to("target")
    (here / "target").write_text("old")
    for file, why in [
        ("no/such/report", "no/such/report: cannot be written: the folder no/such does not exist"),
        ("away", "outside"),
        (".", "cannot be written"),
        ("list.md", "list.md: is a list: name another file"),
    ]:
        done = shelfread("check", "list.md", "--output-file", file)
        assert done.exit_code == 2 and why in done.stderr, done.stderr
    assert (elsewhere.read_text(), (here / "list.md").read_text()) == ("precious", LIST)
    assert shelfread("check", "list.md", "--output-file", "near").exit_code == 1
    assert (here / "near").is_symlink() and "teh" in (here / "target").read_text()
    assert shelfread("check", "list.md", "--output-file", os.devnull).exit_code == 1
    assert not Path(os.devnull).is_file()
