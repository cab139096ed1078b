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
def test_a_document_is_formatted_as_on_the_command_line(client: LanguageClient, newline: str) -> None:
    text = TEXT.replace("\n", newline)
    uri = client.open(client.folder / repr(newline) / "list.md", text)
    edits = ask(client, uri)
    after = edited(text, edits)
    assert after == formatted(client.folder, text) != text
    assert sum(len(edit["newText"]) for edit in edits) < 20
    client.change(uri, 2, {"text": after})
    assert ask(client, uri) == []


def test_the_configuration_chooses_the_style(client: LanguageClient) -> None:
    folder = client.folder / "stars"
    folder.mkdir()
    (folder / ".shelfread.yaml").write_text("format: {bullet: '*'}\n")
    uri = client.open(folder / "list.md", "# A\n\n- a\n- b\n")
    assert edited("# A\n\n- a\n- b\n", ask(client, uri)) == "# A\n\n* a\n* b\n"
    (folder / ".shelfread.yaml").write_text("format: {bulet: '*'}\n")
    error = client.error(
        "textDocument/formatting", textDocument={"uri": uri}, options={"tabSize": 4, "insertSpaces": True}
    )
    assert error["code"] == -32803 and "unknown key 'bulet', did you mean 'bullet'?" in error["message"]


def test_a_range_is_formatted_in_whole_blocks(client: LanguageClient) -> None:
    uri = client.open(client.folder / "range" / "list.md", TEXT)
    whole = ask(client, uri)
    first = ask(client, uri, (0, 1))
    assert edited(TEXT, first) == TEXT.replace("#  A", "# A")
    assert all(edit in whole for edit in first)
    assert ask(client, uri, (5, 6)) == [], "a marker alone would split the list"
    everything = ask(client, uri, (0, 99))
    assert edited(TEXT, everything) == formatted(client.folder, TEXT)
    assert ask(client, uri, (99, 0)) == []


@pytest.mark.parametrize(
    "text",
    [
        "# MIT License\n\nPermission is hereby granted, free of charge\n\n\n\n* a\n",
        "<!-- shelfread-format off -->\n#  A\n",
    ],
)
def test_what_is_left_alone_is_not_formatted(client: LanguageClient, text: str) -> None:
    uri = client.open(client.folder / str(len(text)) / "LICENSE.md", text)
    assert ask(client, uri) == []


def test_what_is_not_open_has_no_edits(client: LanguageClient) -> None:
    assert ask(client, "file:///not/open.md") == []
    uri = client.open(client.folder / "plain.txt", "#  A\n", language="plaintext")
    assert ask(client, uri) == []
