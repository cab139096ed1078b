"""The repository that a list is in."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.index.disk import find_repository


@pytest.mark.parametrize(
    ("url", "owner", "name"),
    [
        ("https://github.com/ada/awesome-engines.git", "ada", "awesome-engines"),
        ("git@github.com:ada/awesome-engines.git", "ada", "awesome-engines"),
        ("ssh://git@example.org:22/ada/awesome-engines/", "ada", "awesome-engines"),
    ],
)
def test_the_name_of_a_repository(tmp_path: Path, url: str, owner: str, name: str) -> None:
    git = tmp_path / "some-folder" / ".git"
    git.mkdir(parents=True)
    found = find_repository(str(git.parent))
    assert found is not None and (found.owner, found.name) == ("", "some-folder") and not found.is_awesome
    (git / "config").write_text(f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n\tfetch = x\n')
    found = find_repository(str(git.parent / "docs"))
    assert found is not None and (found.owner, found.name) == (owner, name) and found.is_awesome
