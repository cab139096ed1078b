"""Formatting as `shelfread format` does it: of documents and of ranges, by small edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shelfread.cli import group
from support.language_client import LanguageClient, edited

TEXT = """\
#  A 😀

- a
- b
- c
- d
- e
- f
- g
- h
- i
- j
* k

##B

Some text   
with *emphasis* .

## C

- x
+ y 中
"""  # noqa: W291


def formatted(folder: Path, text: str) -> str:
    words = ["format", "-", "--stdin-filename", str(folder / "list.md")]
    return CliRunner().invoke(group, words, input=text.encode()).stdout_bytes.decode()


def ask(client: LanguageClient, uri: str, lines: tuple[int, int] | None = None) -> list[dict[str, Any]]:
    """Return the edits that format a document, or some of its lines, from 0."""
    given: dict[str, Any] = {"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}}
    if lines is None:
        found: list[dict[str, Any]] = client.request("textDocument/formatting", **given)
    else:
        range = {"start": {"line": lines[0], "character": 0}, "end": {"line": lines[1], "character": 0}}
        found = client.request("textDocument/rangeFormatting", range=range, **given)
    return found


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_a_document_is_formatted_as_on_the_command_line(running: LanguageClient, newline: str) -> None:
    text = TEXT.replace("\n", newline)
    uri = running.open(running.folder / repr(newline) / "list.md", text)
    edits = ask(running, uri)
    after = edited(text, edits)
    assert after == formatted(running.folder, text) != text
    assert sum(len(edit["newText"]) for edit in edits) < 20
    running.change(uri, 2, {"text": after})
    assert ask(running, uri) == []


def test_the_configuration_chooses_the_style(running: LanguageClient) -> None:
    folder = running.folder / "stars"
    folder.mkdir()
    (folder / ".shelfread.yaml").write_text("format: {bullet: '*'}\n")
    uri = running.open(folder / "list.md", "# A\n\n- a\n- b\n")
    assert edited("# A\n\n- a\n- b\n", ask(running, uri)) == "# A\n\n* a\n* b\n"
    (folder / ".shelfread.yaml").write_text("format: {bulet: '*'}\n")
    error = running.error(
        "textDocument/formatting", textDocument={"uri": uri}, options={"tabSize": 4, "insertSpaces": True}
    )
    assert error["code"] == -32803 and "unknown key 'bulet', did you mean 'bullet'?" in error["message"]


def test_a_range_is_formatted_in_whole_blocks(running: LanguageClient) -> None:
    uri = running.open(running.folder / "range" / "list.md", TEXT)
    whole = ask(running, uri)
    first = ask(running, uri, (0, 1))
    assert edited(TEXT, first) == TEXT.replace("#  A", "# A")
    assert all(edit in whole for edit in first)
    assert ask(running, uri, (5, 6)) == [], "a marker alone would split the list"
    everything = ask(running, uri, (0, 99))
    assert edited(TEXT, everything) == formatted(running.folder, TEXT)
    assert ask(running, uri, (99, 0)) == []


@pytest.mark.parametrize(
    "text",
    [
        "# MIT License\n\nPermission is hereby granted, free of charge\n\n\n\n* a\n",
        "<!-- shelfread-format off -->\n#  A\n",
    ],
)
def test_what_is_left_alone_is_not_formatted(running: LanguageClient, text: str) -> None:
    uri = running.open(running.folder / str(len(text)) / "LICENSE.md", text)
    assert ask(running, uri) == []


def test_what_is_not_open_has_no_edits(running: LanguageClient) -> None:
    assert ask(running, "file:///not/open.md") == []
    uri = running.open(running.folder / "plain.txt", "#  A\n", language="plaintext")
    assert ask(running, uri) == []
