"""Renaming of headings."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from shelfread.checks.contents.sync import sync
from shelfread.checks.link.references import missing_anchor
from shelfread.server.rename_section import RenameError, prepare_rename, rename
from support.marked import Marked, read_marked
from support.project import read_project

A = """# List

- [Graph Networks](#graph-networks)
- [🚀 Systems](#-systems)
- [Graph Networks](#graph-networks-1)
- [Graph Networks](#graph-networks-2)

## Graph Networks

See [below](#graph-networks-1), [the end][end] and <a href="#graph-networks-2">that</a>.

## 🚀 Systems

## Graph Networks

## Graph Networks

[end]: #graph-networks-2 "The end"
"""
B = "# Other\n\n[g](a.md#graph-networks) [h](./a.md#Graph-Networks-1) [s](a.md#%2Dsystems)\n"


def renamed(texts: str | Mapping[str, str], name: str) -> dict[str, str]:
    return renamed_in(read_marked(texts), name)


def renamed_in(marked: Marked, name: str) -> dict[str, str]:
    """Return the texts that change; no link leads to a missing anchor that did not before."""
    edits = rename(marked.document, marked.documents.get, marked.context, marked.offset, name)
    after = marked.edited(edits)
    texts = {path: after.get(path, document.source.text) for path, document in marked.documents.items()}
    documents, context = read_project(texts)
    for path, document in documents.items():
        before = len(list(missing_anchor(marked.documents[path], marked.context)))
        assert len(list(missing_anchor(document, context))) <= before
    return after


def project(heading: int, a: str = A) -> dict[str, str]:
    """Return the project with the mark in one of the headings below the title."""
    lines = a.splitlines(keepends=True)
    found = [index for index, line in enumerate(lines) if line.startswith("## ")]
    lines[found[heading]] = lines[found[heading]].replace("s", "s‸", 1)
    return {"a.md": "".join(lines), "b.md": B}


def test_all_links_change_with_the_heading() -> None:
    after = renamed(project(1), "Serving Systems")
    assert after["a.md"] == A.replace("## 🚀 Systems", "## Serving Systems").replace(
        "[🚀 Systems](#-systems)", "[Serving Systems](#serving-systems)"
    )
    assert after["b.md"] == B.replace("a.md#%2Dsystems", "a.md#serving-systems")


def test_other_headings_of_that_name_keep_their_links() -> None:
    after = renamed(project(0), "Networks of Graphs")
    assert after["a.md"] == (
        A.replace("- [Graph Networks](#graph-networks)\n", "- [Networks of Graphs](#networks-of-graphs)\n")
        .replace("## Graph Networks\n\nSee", "## Networks of Graphs\n\nSee")
        .replace("#graph-networks-1", "#graph-networks")
        .replace("#graph-networks-2", "#graph-networks-1")
    )
    assert (
        after["b.md"]
        == "# Other\n\n[g](a.md#networks-of-graphs) [h](./a.md#graph-networks) [s](a.md#%2Dsystems)\n"
    )


def test_a_name_that_another_heading_has_gets_a_number() -> None:
    after = renamed({"a.md": "[x](#one) [y](#two)\n\n## One‸\n\n## Two\n"}, "Two")
    assert after == {"a.md": "[x](#two) [y](#two-1)\n\n## Two\n\n## Two\n"}


def test_the_words_of_a_title_are_renamed_not_its_markup() -> None:
    marked = read_marked("[Old](#old)\n\n## **[Old‸](https://example.org)**\n")
    found = prepare_rename(marked.document, marked.documents.get, marked.context, marked.offset)
    assert found is not None and found.name == "Old"
    after = renamed_in(marked, "New")
    assert after == {"list.md": "[New](#new)\n\n## **[New](https://example.org)**\n"}


def test_special_characters_are_written_as_in_the_contents() -> None:
    after = renamed("[Old](#old) [**Old**](#old) [old words](#old)\n\n## Old‸\n", "A_b *c* & d")
    words = "[A_b *c* & d](#a_b-c--d) [**A_b *c* & d**](#a_b-c--d) [old words](#a_b-c--d)"
    assert after["list.md"].splitlines()[0] == words


def test_links_in_html_change_too() -> None:
    text = '<ul><li><a href="#old">Old</a></li></ul>\n\n<h2 align="center">Old‸</h2>\n'
    assert renamed(text, "R & D") == {
        "list.md": '<ul><li><a href="#r--d">R & D</a></li></ul>\n\n<h2 align="center">R & D</h2>\n'
    }


def test_words_that_are_markup_in_html_are_not_written_there() -> None:
    text = '<a href="#old">Old</a>\n\n## Old‸\n'
    assert renamed(text, "A &lt; B") == {"list.md": '<a href="#a--b">Old</a>\n\n## A &lt; B\n'}


def test_an_anchor_in_a_tag_stays() -> None:
    text = '[x](#old)\n\n<a name="old"></a>\n\n## Old‸\n'
    assert renamed(text, "New") == {"list.md": text.replace("Old‸", "New")}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_keep_their_ends(newline: str) -> None:
    texts = {path: text.replace("\n", newline) for path, text in project(1).items()}
    after = renamed(texts, "漢字 😀")
    assert after["a.md"] == A.replace("## 🚀 Systems", "## 漢字 😀").replace(
        "[🚀 Systems](#-systems)", "[漢字 😀](#漢字-)"
    ).replace("\n", newline)


def test_an_encoded_link_stays_encoded() -> None:
    after = renamed({"a.md": "[x](#%E6%BC%A2)\n\n## 漢‸\n"}, "字")
    assert after["a.md"] == "[x](#%E5%AD%97)\n\n## 字\n"


def test_a_destination_with_escapes_is_written_anew() -> None:
    after = renamed({"a.md": "[x](<#a\\_b>)\n\n## a_b‸\n"}, "c")
    assert after["a.md"] == "[x](<#c>)\n\n## c\n"


def test_a_section_is_renamed_from_a_link_to_it() -> None:
    texts = {"a.md": A, "b.md": B.replace("#graph-networks)", "#graph-‸networks)")}
    marked = read_marked(texts)
    found = prepare_rename(marked.document, marked.documents.get, marked.context, marked.offset)
    assert found is not None and found.name == "Graph Networks"
    assert marked.document.source.text[slice(*found.span)] == "a.md#graph-networks"
    assert "## Networks\n" in renamed_in(marked, "Networks")["a.md"]


def test_a_setext_heading_is_renamed() -> None:
    assert renamed("[x](#one-two)\n\nOne‸\ntwo\n===\n", "Three") == {"list.md": "[x](#three)\n\nThree\n===\n"}


def test_the_same_name_changes_nothing() -> None:
    assert renamed(project(1), " 🚀 Systems ") == {}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "the new name is empty"),
        (" \t", "the new name is empty"),
        ("a\nb", "has a line break"),
        ("a\r\nb", "has a line break"),
        ("a\0b", "control character"),
        ("x" * 501, "has 501 characters"),
        ("New #", "would not be read as the title"),
        ("!!!", "has no letter or digit"),
        ("[New](https://example.org)", "it would"),
        ("Old (new", "it would leave an unpaired bracket"),
    ],
)
def test_a_name_that_cannot_be_written_is_refused(name: str, reason: str) -> None:
    with pytest.raises(RenameError, match=reason):
        renamed(project(1), name)


def test_nothing_else_can_be_renamed() -> None:
    for text in (
        "Some‸ words.\n",
        "[t‸][x]\n\n[x]: https://example.org\n",
        "* [Al‸pha](https://example.org/a) - A.\n",
        "##‸\n",
    ):
        marked = read_marked(text)
        assert prepare_rename(marked.document, marked.documents.get, marked.context, marked.offset) is None
        with pytest.raises(RenameError, match="nothing here can be renamed"):
            renamed_in(marked, "New")


def test_a_file_that_cannot_be_read_any_more_is_named() -> None:
    marked = read_marked(project(1))
    only = {"a.md": marked.documents["a.md"]}
    with pytest.raises(RenameError, match=r"b\.md: it cannot be read"):
        rename(marked.document, only.get, marked.context, marked.offset, "New")


def test_a_file_that_changed_since_it_was_read_is_named() -> None:
    marked = read_marked({"a.md": "[x](b.md#old‸)\n", "b.md": "# Old\n"})
    changed = {**marked.documents, "b.md": read_marked({"b.md": "# Older\n\n# Old\n"}).document}
    with pytest.raises(RenameError, match=r"b\.md: it changed on disk"):
        rename(marked.document, changed.get, marked.context, marked.offset, "New")


def test_a_link_to_an_anchor_that_the_new_heading_takes_is_refused() -> None:
    # GitHub leads `#new` to the tag until a heading has that name.
    marked = read_marked('[x](#new)\n\n## Old‸\n\n## Some\n\n<a name="new"></a>\n')
    with pytest.raises(RenameError, match="the link to '#new' would lead to another place"):
        renamed_in(marked, "New")


def test_generated_contents_change_as_their_generator_would_write_them() -> None:
    text = (
        "# A\n\n<!-- START doctoc generated TOC please keep comment here to allow auto update -->\n"
        "- [Old](#old)\n- [Two](#two)\n- [Three](#three)\n<!-- END doctoc -->\n\n## Old‸\n\n## Two\n\n## Three\n"
    )
    after = renamed(text, "New")
    assert after["list.md"] == text.replace("‸", "").replace("Old", "New").replace("#old", "#new")


def test_anchors_are_those_of_gitbook_where_the_project_has_them() -> None:
    marked = read_marked("[x](#a-b)\n\n## A & B‸\n")
    gitbook = dataclasses.replace(
        marked.context, project=dataclasses.replace(marked.context.project, slugs="gitbook")
    )
    edits = rename(marked.document, marked.documents.get, gitbook, marked.offset, "C & D")
    assert marked.edited(edits) == {"list.md": "[x](#c-d)\n\n## C & D\n"}


def test_contents_stay_in_step() -> None:
    marked = read_marked(project(2))
    after = renamed_in(marked, "Graphs in Networks")
    documents, context = read_project({"b.md": B, **after})
    assert list(sync(documents["a.md"], context)) == []
