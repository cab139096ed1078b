"""Fixes that edit several files, through the front door: all of them, or none."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group

TAXONOMY = """
concepts:
  scheduling: {prefLabel: Cluster Scheduling, hiddenLabel: [Cluster Allocation]}
  storage: {prefLabel: Storage, hiddenLabel: [Storge]}
"""
ENTRY = (
    "\n- Tiresias: A Cluster Manager [[Paper](https://www.usenix.org/conference/nsdi19/presentation/gu)]\n"
)
FIX = ["fix", "--taxonomy", "subjects.yaml", "--select", "taxonomy", "--unsafe-fixes"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "subjects.yaml").write_text(TAXONOMY)
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/a.md").write_text(f"# A\n\n## Cluster Allocation\n{ENTRY}\n## Storge\n{ENTRY}")
    (tmp_path / "index.md").write_text(
        "[a](lists/a.md#cluster-allocation) and [b](lists/a.md#storge)\r\n", newline=""
    )
    return tmp_path


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, words)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_links_from_other_files_follow_a_heading(folder: Path, jobs: str) -> None:
    done = shelfread(*FIX, "-j", jobs, ".")
    assert done.exit_code == 0, done.output
    assert (
        folder / "index.md"
    ).read_bytes() == b"[a](lists/a.md#cluster-scheduling) and [b](lists/a.md#storage)\r\n"
    assert "## Cluster Scheduling" in (folder / "lists/a.md").read_text()
    assert "2 findings fixed" in done.output
    assert shelfread(*FIX, ".").output.startswith("No problems found")


def test_a_file_that_was_not_named_is_not_changed_nor_its_links_broken(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*.md")}
    done = shelfread(*FIX, "lists/a.md")
    assert done.exit_code == 1
    assert "not fixed: it changes index.md too: name that file as well" in done.output
    assert before == {path: path.read_bytes() for path in folder.rglob("*.md")}


def test_a_diff_shows_every_file(folder: Path) -> None:
    done = shelfread("check", "--diff", *FIX[1:], ".")
    assert "+[a](lists/a.md#cluster-scheduling) and [b](lists/a.md#storage)" in done.output
    assert "+## Cluster Scheduling" in done.output


def test_fixes_in_the_same_line_are_made_together_with_those_of_one_file(folder: Path) -> None:
    (folder / "lists/a.md").write_text(
        f"# A\n\n## Cluster Allocation\n{ENTRY}\n[x](http://arxiv.org/abs/1706.03762)\n"
    )
    (folder / "index.md").write_text(
        "[x](http://arxiv.org/abs/1706.03762) [a](lists/a.md#cluster-allocation)\n"
    )
    done = shelfread(
        "fix", "--taxonomy", "subjects.yaml", "--select", "taxonomy,link/insecure", "--unsafe-fixes", "."
    )
    assert done.exit_code == 0, done.output
    assert (
        folder / "index.md"
    ).read_text() == "[x](https://arxiv.org/abs/1706.03762) [a](lists/a.md#cluster-scheduling)\n"
