"""The origin of a repository, read from its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.index.disk import Disk, find_origin
from support.gitrepo import configure_origin


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/list.git",
        "https://github.com/acme/list/",
        "git@github.com:acme/list.git",
        "ssh://git@github.com/acme/list",
        "ssh://git@github.com:22/acme/list.git",
        "https://jane:hunter2@github.com/acme/list",
        "github.com:acme/list",
    ],
)
def test_the_origin_is_read(tmp_path: Path, url: str) -> None:
    configure_origin(tmp_path, url)
    origin = find_origin(Disk(), str(tmp_path))
    assert origin is not None
    assert (origin.host, origin.owner, origin.name) == ("github.com", "acme", "list")
    assert "dev/next" in origin.branches


@pytest.mark.parametrize(
    "url", ["/srv/git/list.git", "../list", "file:///srv/list", "", "https://github.com/acme"]
)
def test_an_origin_elsewhere_is_none(tmp_path: Path, url: str) -> None:
    configure_origin(tmp_path, url)
    assert find_origin(Disk(), str(tmp_path)) is None


def test_a_work_tree_beside_the_main_one_knows_its_origin(tmp_path: Path) -> None:
    configure_origin(tmp_path, "https://github.com/acme/list")
    own = tmp_path / ".git" / "worktrees" / "one"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "HEAD").write_text("ref: refs/heads/one\n")
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / ".git").write_text(f"gitdir: {own}\n")
    origin = find_origin(Disk(), str(tmp_path / "one"))
    assert origin is not None
    assert origin.branches == {"HEAD", "main", "master", "one"}
