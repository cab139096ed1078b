"""Renaming of the labels of reference definitions."""

from __future__ import annotations

import pytest

from shelfread.server.features.rename_section import RenameError
from shelfread.server.features.renaming import prepare_rename, rename
from support.marked import read_marked

TEXT = """[one][Lab‸el], [label], [label][], ![picture][LABEL] and [two][other].

[label]: https://example.org/a
[Label]: https://example.org/never
[other]: https://example.org/b
"""


def renamed(text: str, name: str) -> str:
    marked = read_marked(text)
    assert prepare_rename(marked.document, marked.documents.get, marked.context, marked.offset) is not None
    edits = rename(marked.document, marked.documents.get, marked.context, marked.offset, name)
    return marked.edited(edits)["list.md"]


def test_all_links_of_a_label_change() -> None:
    assert renamed(TEXT, "new name") == (
        "[one][new name], [label][new name], [label][new name], ![picture][new name] and [two][other].\n\n"
        "[new name]: https://example.org/a\n[new name]: https://example.org/never\n[other]: https://example.org/b\n"
    )


def test_another_case_keeps_links_without_a_text() -> None:
    text = "[label‸] and [x][label]\n\n[label]: https://example.org/a\n"
    assert renamed(text, "Label") == "[label] and [x][Label]\n\n[Label]: https://example.org/a\n"


def test_a_label_is_renamed_at_its_definition() -> None:
    assert renamed("[x][a]\n\n[‸a]: https://example.org\n", "b") == "[x][b]\n\n[b]: https://example.org\n"


def test_the_label_is_the_present_name() -> None:
    marked = read_marked(TEXT)
    found = prepare_rename(marked.document, marked.documents.get, marked.context, marked.offset)
    assert found is not None
    assert (found.name, marked.document.source.text[slice(*found.span)]) == ("Label", "Label")


def test_links_in_links_are_renamed() -> None:
    text = "[![a][x]][x‸]\n\n[x]: https://example.org/a.png\n"
    assert renamed(text, "y") == "[![a][y]][y]\n\n[y]: https://example.org/a.png\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "the new name is empty"),
        ("a\nb", "line break"),
        ("a]b", "is no label"),
        ("[a", "is no label"),
        ("^1", "is no label"),
        ("a\\", "is no label"),
        ("OTHER", "there is a definition of .OTHER. already"),
    ],
)
def test_a_name_that_is_no_label_is_refused(name: str, reason: str) -> None:
    with pytest.raises(RenameError, match=reason):
        renamed(TEXT, name)


def test_words_in_brackets_do_not_become_links() -> None:
    with pytest.raises(RenameError, match="other words of the list would become links"):
        renamed("[x][a‸] and [Paper] in brackets\n\n[a]: https://example.org\n", "paper")
