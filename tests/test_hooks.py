"""The hooks of .pre-commit-hooks.yaml, run by pre-commit from a clone on a real repository."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import Run, commit_all

LIST = """\
# Tools

- [Ripgrep](htps://github.com/BurntSushi/ripgrep) - Searches fast.
- [Fd](https://github.com/sharkdp/fd) - Finds files.
"""


@pytest.fixture
def repository(run: Run, tmp_path: Path) -> Path:
    """A repository with a list, and with a file that is none of the hooks' business."""
    folder = tmp_path / "some list"
    folder.mkdir()
    (folder / "list.md").write_text(LIST)
    (folder / "notes.txt").write_text("[Fd](htps://github.com/sharkdp/fd)\n")
    commit_all(run, folder)
    return folder


@pytest.mark.parametrize("hook", ["shelfread", "shelfread-fix"])
def test_hook(run: Run, clone: Path, repository: Path, hook: str) -> None:
    done = run(
        [sys.executable, "-m", "pre_commit", "try-repo", clone, hook, "--all-files"], repository, status=1
    )
    assert (repository / "notes.txt").read_text() == "[Fd](htps://github.com/sharkdp/fd)\n"
    after = (repository / "list.md").read_text()
    if hook == "shelfread":
        assert "exit code: 1" in done.stdout
        assert "link/malformed" in done.stdout
        assert "list.md:3:" in done.stdout
        assert after == LIST
    else:
        assert "files were modified by this hook" in done.stdout
        assert after == LIST.replace("htps:", "https:")


def test_the_formatting_hook(run: Run, clone: Path, repository: Path) -> None:
    command = [sys.executable, "-m", "pre_commit", "try-repo", clone, "shelfread-format", "--all-files"]
    (repository / "list.md").write_text(LIST.replace("# Tools\n\n", "#  Tools\n"))
    done = run(command, repository, status=1)
    assert "files were modified by this hook" in done.stdout
    assert (repository / "list.md").read_text() == LIST
    assert "Passed" in run(command, repository).stdout


def test_a_sound_list_passes(run: Run, clone: Path, repository: Path) -> None:
    (repository / "list.md").write_text(LIST.replace("htps:", "https:"))
    done = run([sys.executable, "-m", "pre_commit", "try-repo", clone, "--all-files"], repository)
    assert done.stdout.count("Passed") == 3
