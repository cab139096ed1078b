"""`shelfread export` where there is nothing to export, or not all of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import shelfread

EXPORT = ("export", "--format", "json", "--output-file", "list.json")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prose.md").write_text("# Notes\n\nNo list.\n")
    (tmp_path / "tools.md").write_text("# Tools\n\n- [fd](https://github.com/sharkdp/fd) - Finds files.\n")
    return tmp_path


@pytest.mark.parametrize("wrong", ["nowhere.md", "binary.md", "empty"])
def test_an_earlier_export_stays_if_nothing_can_be_read(folder: Path, wrong: str) -> None:
    (folder / "binary.md").write_bytes(b"\xff\xfe\0\1")
    (folder / "empty").mkdir()
    assert shelfread(*EXPORT, "tools.md").exit_code == 0
    before = (folder / "list.json").read_bytes()
    done = shelfread(*EXPORT, wrong)
    assert done.exit_code == 2 and done.stderr.startswith(f"shelfread: {wrong}")
    assert (folder / "list.json").read_bytes() == before


def test_what_can_be_read_is_exported(folder: Path) -> None:
    done = shelfread(*EXPORT, "tools.md", "nowhere.md")
    assert done.exit_code == 2 and "nowhere.md: no such file" in done.stderr
    assert "Finds files" in (folder / "list.json").read_text()


@pytest.mark.parametrize("form", ["json", "bibtex", "csv"])
def test_no_entries_are_said(folder: Path, form: str) -> None:
    done = shelfread("export", "--format", form, "prose.md")
    assert done.exit_code == 0
    assert done.stderr == (
        "shelfread: no entries found in prose.md: 'shelfread export --annotate' shows how lists are read\n"
    )
    assert not shelfread("export", "--format", form, "prose.md", "tools.md").stderr


def test_an_import_reads_no_folder(folder: Path) -> None:
    done = shelfread("import", ".")
    assert (done.exit_code, done.stderr) == (2, "shelfread: .: a folder: name a file in it\n")


def test_only_papers(folder: Path) -> None:
    paper = "- Tidy: Sorting Shelves by Colour (OSDI 2020) [[Paper](https://example.org/tidy)]\n"
    (folder / "list.md").write_text(
        f"# A\n\n## Papers\n\n{paper}\n## Tools\n\n- [Fd](https://one.org) - Finds files.\n\n"
        "## Courses\n\n| Course | By |\n|---|---|\n| [Calculus 1](https://one.org/c) | Ada Stone |\n"
    )
    shown = json.loads(shelfread("export", "list.md", "--papers").stdout)
    assert [entry["name"] for entry in shown] == ["Tidy"]
    assert shelfread("export", "tools.md", "--papers").stderr == "shelfread: no papers found\n"
    assert shelfread("export", "list.md", "--papers", "--annotate").exit_code == 2


@pytest.mark.parametrize(("form", "is_said"), [("markdown", True), ("bibtex", True), ("json", False)])
def test_a_link_that_a_format_leaves_out_is_said(form: str, is_said: bool) -> None:
    Path("list.md").write_text(
        "# Tools\n\n- [Box](https://example.org/) - Boxes.\n- [Kit](htps://kit.org/) - Kits.\n"
    )
    done = shelfread("export", "--format", form, "list.md")
    said = "shelfread: list.md:4: the link htps://kit.org/ is left out: its scheme is none of the web\n"
    assert done.stderr == said * is_said
