"""Absolute URLs of the list's own repository."""

from __future__ import annotations

from pathlib import Path

from shelfread.checks.link.missing_file import absolute_self
from support.gitrepo import configure_origin
from support.project import run


def test_full_addresses_into_ones_own_repository(folder: Path) -> None:
    configure_origin(folder, "https://github.com/acme/list")
    (folder / "docs").mkdir()
    for name in ("docs/a.md", "docs/b (c).md", "docs/list.md", "README.md"):
        (folder / name).write_text("x")
    base = "https://github.com/acme/list/blob"
    text = (
        f"[A]({base}/dev/next/docs/a.md) [B](<{base}/main/docs/b (c).md>) [C]({base}/main/README.md#x)\n"
        f"[D]({base}/main/../../etc/passwd) [E]({base}/v1/docs/a.md) [F]({base}/main/docs/list.md)\n"
    )
    found = run(absolute_self, {"docs/list.md": text})
    assert [one.fixed.split("](")[at].split(")")[0].strip("<>") for at, one in enumerate(found[:3], 1)] == [
        "a.md",
        "b%20%28c%29.md",
        "../README.md#x",
    ]
    assert [bool(one.place.edits) for one in found] == [True, True, True, False, True]
    (folder / "mkdocs.yml").write_text("x")
    assert not run(absolute_self, {"docs/list.md": text})[0].place.safe


def test_without_an_origin_nothing_is_ones_own(folder: Path) -> None:
    assert run(absolute_self, "[A](https://github.com/acme/list/blob/main/list.md)\n") == []
