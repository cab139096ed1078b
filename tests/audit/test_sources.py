"""What SOURCE names: repositories, folders of them, files that name folders."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from shelfread.audit.list_task import find_lists
from shelfread.core.errors import InputError

LIST = "# List\n\n- [Fd](https://github.com/sharkdp/fd) - Finds files.\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(*names: str) -> None:
    """Write a list, or for a name that ends with `/` make a folder."""
    for name in names:
        if name.endswith("/"):
            Path(name).mkdir(parents=True)
        else:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(LIST)


def names(*sources: str, output: str = "out") -> list[str]:
    return [each.name for each in find_lists(sources, output)]


def test_a_folder_of_folders() -> None:
    write("all/b/README.md", "all/a/list.markdown", "all/owner/c/docs/list.md", "all/no-list/notes.txt")
    write("all/.hidden/list.md", "all/node_modules/x/readme.md", "all/empty/")
    assert names("all") == ["a", "b", "owner/c/docs"]
    assert names("all/owner") == ["c/docs"]
    assert names("all/a") == ["a"]


def test_a_folder_of_repositories() -> None:
    """The README of the whole is no list, and a repository needs no Markdown to be one."""
    write("all/README.md", "all/a/.git/", "all/b/list.md", "all/b/.git/", "all/docs/page.md")
    assert names("all") == ["a", "b", "docs"]


def test_a_list_with_folders_of_its_own() -> None:
    write("list/README.md", "list/docs/more.md")
    assert names("list") == ["list"]


def test_a_file_that_names_folders() -> None:
    write("lists/a/README.md", "lists/b/README.md", "elsewhere/c/README.md")
    Path("lists/names.txt").write_text("# The lists\n\na\r\n./b/\n../elsewhere/c\n../elsewhere/gone\n")
    assert names("lists/names.txt") == ["../elsewhere/c", "../elsewhere/gone", "a", "b"]
    assert names("lists/names.txt", "lists") == names("lists/names.txt")


def test_equal_names() -> None:
    write("one/list/README.md", "two/list/README.md", "two/other/README.md")
    assert names("one", "two") == ["one/list", "other", "two/list"]
    assert names("one", "one/list", "one/../one") == ["list"]


def test_the_output_is_no_list() -> None:
    write("all/a/README.md", "all/out/README.md")
    assert names("all", output="all/out") == ["a"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_links_to_other_folders_are_not_followed() -> None:
    write("all/a/README.md", "secret/README.md")
    Path("all/b").symlink_to(Path("secret").resolve())
    Path("all/loop").symlink_to(".")
    assert names("all") == ["a"]
    Path("alias").symlink_to("all")
    assert names("alias") == ["a"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("none", "none: no such file or folder"),
        (
            "empty",
            "empty: no list: no repository and no Markdown file in it or its folders; links are not followed",
        ),
        (
            "empty.txt",
            "empty.txt: no list: no repository and no Markdown file in it or its folders; links are not followed",
        ),
        (
            "links",
            "links: no list: no repository and no Markdown file in it or its folders; links are not followed",
        ),
        ("out", "out: the lists and what --output names are one folder: name another one for the output"),
        ("list.md", "list.md: a Markdown file: name its folder, or a file that names folders"),
        ("binary", "binary:1: not UTF-8 at byte 0 (0xff): save the file as UTF-8"),
    ],
)
def test_wrong_sources(source: str, said: str) -> None:
    write("empty/", "list.md", "links/", "out/a/README.md")
    Path("links/a").symlink_to(Path("empty").resolve())
    Path("empty.txt").write_text("# nothing\n")
    Path("binary").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError) as error:
        find_lists([source], "out")
    assert str(error.value) == said


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read() -> None:
    write("all/a/README.md", "all/locked/README.md")
    Path("all/locked").chmod(0)
    try:
        assert names("all") == ["a", "locked"]
    finally:
        Path("all/locked").chmod(0o755)
