"""What links open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shelfread.server.features.link_targets import document_links
from support.marked import read_marked


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, without git, beside a file that is none of it."""
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "guide.md").write_text("# Guide\n\n## The End\n")
    (root / "a picture.png").write_text("")
    (tmp_path / "secret.txt").write_text("")
    os.symlink(tmp_path / "secret.txt", root / "link.txt")
    monkeypatch.chdir(root)
    return root


def opened(text: str, folder: Path) -> dict[str, str]:
    """Return what the links of a list open, by their spans' text."""
    texts = {"list.md": text, "docs/guide.md": (folder / "docs" / "guide.md").read_text()}
    (folder / "list.md").write_text(text)
    marked = read_marked(texts)
    source = marked.document.source
    found = document_links(marked.document, lambda path: marked.documents[path].source, marked.context)
    return {source.text[slice(*link.span)]: link.uri for link in found}


def test_pages_of_the_web_are_opened(folder: Path) -> None:
    text = (
        "[a](https://example.org/a_(b)) <https://example.org/c> https://example.org/d [e][label] "
        '<a href="http://example.org/f">f</a> ![g](https://example.org/g.png) <me@example.org>\n\n'
        "[label]: https://example.org/漢\n"
    )
    assert opened(text, folder) == {
        "https://example.org/a_(b)": "https://example.org/a_(b)",
        "https://example.org/c": "https://example.org/c",
        "https://example.org/d": "https://example.org/d",
        "[e][label]": "https://example.org/%E6%BC%A2",
        "http://example.org/f": "http://example.org/f",
        "https://example.org/g.png": "https://example.org/g.png",
        "me@example.org": "mailto:me@example.org",
        "https://example.org/漢": "https://example.org/%E6%BC%A2",
    }


def test_anchors_and_files_of_the_project_are_opened(folder: Path) -> None:
    text = "[a](#one) [b](docs/guide.md#the-end) [c](a%20picture.png) [d](docs) [e](docs/guide.md#no)\n\n## One\n"
    root = folder.as_uri()
    assert opened(text, folder) == {
        "#one": f"{root}/list.md#L3",
        "docs/guide.md#the-end": f"{root}/docs/guide.md#L3",
        "a%20picture.png": f"{root}/a%20picture.png",
        "docs": f"{root}/docs",
        "docs/guide.md#no": f"{root}/docs/guide.md",
    }


@pytest.mark.parametrize(
    "url",
    [
        "../secret.txt",
        "docs/../../secret.txt",
        "%2e%2e/secret.txt",
        "link.txt",
        "/etc/passwd",
        "//example.org/share",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "command:workbench.action.quit",
        "vscode://x/y",
        "data:text/html,x",
        "missing.txt",
        "#missing",
        "a%00b",
        "",
    ],
)
def test_nothing_else_is_opened(url: str, folder: Path) -> None:
    assert opened(f"[x](<{url}>)\n", folder) == {}
