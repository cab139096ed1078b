"""Files that are not lists: broken links are found in them, and nothing is changed or taken from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group

ENTRIES = "".join(f"- [Tool {name}](http://github.com/jo/{name}) - Sorts {name}.\n" for name in "abcdef")
CHANGES = f"# Changes\n## 1.1.0\n*  Add [a](http://github.com/jo/a) , see [guide](guide.md).\n\n{ENTRIES}"


def shelfread(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(group, [*words], input=text)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text(f"# Tools\n\n## Sorting\n\n{ENTRIES}")
    (tmp_path / "CHANGELOG.md").write_text(CHANGES)
    (tmp_path / "template.md").write_text(
        "# Tools\n\n- [Tool](@url)\n- [Other]({{ url }}) and [gone](gone.md)\n"
    )
    return tmp_path


def test_only_broken_links_are_found_in_them() -> None:
    found = json.loads(shelfread("check", "--output-format", "json").stdout)["diagnostics"]
    assert {(finding["path"], finding["rule"]) for finding in found if finding["path"] != "README.md"} == {
        ("CHANGELOG.md", "link/missing-file"),
        ("template.md", "link/missing-file"),
    }
    assert [finding["fix"] for finding in found if finding["path"] == "template.md"] == [None]
    assert "link/insecure" in {finding["rule"] for finding in found}


def test_one_line_names_them() -> None:
    said = "2 files are not lists and are checked for broken links only: CHANGELOG.md (changelog), template.md (template)"
    assert shelfread("check").stderr.count(said) == 1
    assert shelfread("check", "README.md").stderr == ""
    assert shelfread("links", "--offline").stderr.count(said) == 1


def test_many_are_counted(root: Path) -> None:
    for number in range(8):
        (root / f"LICENSE-{number}.tmpl.md").write_text("")
    assert "10 files are not lists" in (said := shelfread("check").stderr)
    assert said.rstrip().endswith("(template) and 5 more")


def test_they_are_neither_fixed_nor_formatted(root: Path) -> None:
    shelfread("fix", "--unsafe-fixes")
    assert "http:" not in (root / "README.md").read_text()
    done = shelfread("format")
    assert (root / "CHANGELOG.md").read_text() == CHANGES
    assert "2 files are not lists and are not formatted: CHANGELOG.md (changelog)" in done.stderr
    assert done.stderr.endswith("1 file formatted already\n")


def test_standard_input_comes_out_as_it_went_in() -> None:
    assert shelfread("format", "--stdin-filename", "CHANGELOG.md", "-", text=CHANGES).stdout == CHANGES


def test_no_entries_are_taken_from_them(root: Path) -> None:
    exported = json.loads(shelfread("export").stdout)
    assert {entry["path"] for entry in exported} == {"README.md"}
    assert shelfread("init").exit_code == 0
    assert "from 1 list with 6 entries" in (root / ".shelfread.yaml").read_text()


def test_a_comment_says_that_a_file_is_a_list(root: Path) -> None:
    (root / "CHANGELOG.md").write_text(f"<!-- shelfread-list -->\n# Changes\n\n{ENTRIES}")
    assert len(json.loads(shelfread("export", "CHANGELOG.md").stdout)) == 6
