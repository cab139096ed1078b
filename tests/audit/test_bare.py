"""Bare repositories, read at HEAD without a work tree: the same rows as of a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.docs import PAGES, fences
from support.gitrepo import commit, do, put, repo
from support.many_lists import audit, errors, table

pytestmark = pytest.mark.slow

__all__ = ["repo"]

LIST = """\
# Awesome Tools

See [the guide](docs/guide.md), ![a picture](img/picture.png), [the same](https://github.com/one/awesome-tools/blob/main/docs/guide.md),
[nothing](docs/nothing.md) and [an alias](alias/guide.md).

## Search

- [Fd](https://github.com/sharkdp/fd) - Finds files.
- [Ripgrep](htps://github.com/BurntSushi/ripgrep) - Searches fast.
"""
FILES: dict[str, str | bytes] = {
    "README.md": LIST,
    "docs/guide.md": "# Guide\n\n- [Bat](http://github.com/sharkdp/bat) - Shows files blazing fast.\n",
    "img/picture.png": b"\x89PNG\x00",
    "vendor/other/README.md": LIST,
    ".gitignore": "docs/\n",
    ".shelfread.yaml": "presets: [core]\nrules:\n  link/insecure: error\n  link/absolute-self: on\n",
    ".shelfread/rules/entry/hype.md": fences(PAGES["docs/own-rules.md"], "markdown")[0],
}


def mirror(name: str = "awesome-tools") -> Path:
    """A bare clone of the working directory, beside it."""
    folder = Path(f"../mirrors/{name}")
    do("clone", "--quiet", "--mirror", "--no-hardlinks", ".", str(folder))
    do("remote", "set-url", "origin", "https://github.com/one/awesome-tools.git", cwd=folder)
    return folder


def rows(name: str, output: str = "out") -> list[dict[str, Any]]:
    """The rows of a table but for what says where they are from."""
    return [
        {key: value for key, value in row.items() if key not in ("list", "digest")}
        for row in table(name, output)
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_the_same_rows_as_of_a_checkout(repo: Path) -> None:
    put(FILES)
    Path("alias").symlink_to("docs")
    do("add", "--force", "--all")
    head = commit({})
    do("remote", "add", "origin", "https://github.com/one/awesome-tools")
    mirror()
    os.rename(repo, repo.parent / "awesome-tools")
    os.chdir(repo.parent)
    audit("mirrors/awesome-tools")
    from_mirror = {name: rows(name) for name in ("lists", "entries", "findings", "links")}
    os.rename("out", "before")
    audit("awesome-tools")
    assert {name: rows(name) for name in from_mirror} == from_mirror
    (row,) = table("lists")
    assert (row["status"], row["commit"], row["files"], row["entries"]) == ("complete", head, 3, 3)
    found = {(finding["rule"], finding["path"]) for finding in table("findings")}
    assert found == {
        ("link/malformed", "README.md"),
        ("link/missing-file", "README.md"),
        ("link/absolute-self", "README.md"),
        ("link/insecure", "docs/guide.md"),
        ("entry/hype", "docs/guide.md"),
    }


def test_only_a_new_commit_is_read(repo: Path) -> None:
    commit({"README.md": LIST})
    folder = mirror()
    assert "unchanged" not in audit(str(folder))
    assert "1 unchanged" in audit(str(folder))
    head = commit({"README.md": LIST.replace("Fd", "Find")})
    do("push", "--quiet", str(folder), "main")
    assert "unchanged" not in audit(str(folder))
    assert table("lists")[0]["commit"] == head and table("entries")[0]["title"] == "Find"


def test_a_repository_within_another(repo: Path) -> None:
    """The mirrors lie in the work tree of a study."""
    commit({"README.md": LIST, ".shelfread.yaml": "rules:\n  link/malformed: off\n"})
    do("clone", "--quiet", "--mirror", ".", "mirrors/tools")
    audit("mirrors")
    assert errors() == {"tools": None} and len(table("entries")) == 2


def test_damaged_repositories(repo: Path) -> None:
    commit({"README.md": LIST})
    for name in ("good", "headless", "lost", "empty", "not-git"):
        mirror(name)
    (repo.parent / "mirrors/headless/HEAD").write_text("nothing\n")
    for kept in (repo.parent / "mirrors/lost/objects").rglob("*"):
        if kept.is_file():
            kept.chmod(0o644)
            kept.write_bytes(b"garbage")
    do("update-ref", "-d", "refs/heads/main", cwd=repo.parent / "mirrors/empty")
    (repo.parent / "mirrors/not-git/config").write_text("[core]\n\trepositoryformatversion = 99\n")
    audit("../mirrors")
    found = errors()
    assert found["good"] is None
    assert found["empty"] == "no Markdown files that git does not ignore"
    for name in ("headless", "lost", "not-git"):
        assert (found[name] or "").startswith(("git failed: fatal:", "HEAD is no commit")), found


def make_tree(*entries: str) -> str:
    """The hash of a tree, which may have names that git would not check out."""
    lines = "".join(f"{entry}\0" for entry in entries)
    made = subprocess.run(["git", "mktree", "-z"], input=lines, capture_output=True, check=True, text=True)
    return made.stdout.strip()


def blob(text: str) -> str:
    Path("blob").write_text(text)
    return do("hash-object", "-w", "blob")


def test_nothing_is_written_outside(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = repo.parent / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    planted = make_tree(f"100644 blob {blob('# Planted')}\tplanted.md")
    tree = make_tree(
        f"040000 tree {planted}\t..",
        f"040000 tree {planted}\t.GIT",
        f"100644 blob {blob(LIST)}\tREADME.md",
        f"120000 blob {blob('../../../secret')}\tlink.md",
        f"120000 blob {blob('/etc')}\tetc",
        f"120000 blob {blob('docs/../../../..')}\tway",
        f"120000 blob {blob('.')}\tself",
    )
    do("update-ref", "refs/heads/main", do("commit-tree", tree, "-m", "Hostile"))
    folder = mirror("hostile")
    audit(str(folder))
    assert errors() == {"hostile": None}
    assert [row["path"] for row in table("entries")] == ["README.md", "README.md"]
    assert list(scratch.iterdir()) == [] and not list(repo.parent.rglob("planted.md"))
