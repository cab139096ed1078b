"""Reading lists: the cases of data/entries, and properties of any text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shelfread.core.diagnostics import Span
from shelfread.core.yaml_files import yaml_loader
from shelfread.document.entry_data import exported_entry
from shelfread.document.model import Entry, Field
from support.paths import DATA
from support.project import BARE, read_text

CASES = sorted((DATA / "entries").glob("*.md"))


def misread(path: Path, read_as: Callable[[str, Any], list[Any]]) -> Iterator[str]:
    """Yield the cases of a file that are read otherwise than it says.

    A case is a title, the input and what is expected, separated by lines with a full stop.
    """
    parts = re.split(r"^\.\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for index in range(0, len(parts) - 2, 3):
        expected = yaml.load(parts[index + 2], yaml_loader())
        if (found := read_as(parts[index + 1], expected)) != expected:
            title = parts[index].strip().splitlines()[-1]
            yield f"{path.name}: {title}\n  is read as {found}\n  instead of {expected}"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_entries(path: Path) -> None:
    def read_as(text: str, expected: list[dict[str, Any]]) -> list[Any]:
        document = read_text(text)
        entries = [exported_entry(entry, document, BARE) for entry in document.entries]
        stated = [_stated(entry, wanted) for entry, wanted in zip(entries, expected, strict=False)]
        return [*stated, *(entry["title"] for entry in entries[len(expected) :])]

    assert not (wrong := list(misread(path, read_as))), "\n".join(wrong)


def test_what_is_no_entry_has_a_reason() -> None:
    def read_as(text: str, expected: object) -> list[str]:
        return [f"{item.line}-{item.end_line}: {item.reason}" for item in read_text(text).non_entries]

    assert not (wrong := list(misread(DATA / "non_entries.md", read_as))), "\n".join(wrong)


def test_a_hundred_authors_are_read() -> None:
    names = [f"Ada Stone{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(100)]
    text = f"- **Tidy Shelves for Readers** {', '.join(names)}. ICML 2021. [[pdf](https://arxiv.org/abs/2101.00001)]"
    (entry,) = read_text(text).entries
    assert [author.value for author in entry.authors] == names
    assert entry.citation is not None and entry.citation.text == "ICML 2021"


def test_titles_without_links_are_papers_where_a_file_lists_nothing_else() -> None:
    woods = "Oak Elm Ash Fir Yew Box Bay Fig Nut Tea Sal Koa Ohia Kauri Larch Rowan Alder Birch Cedar Maple".split()
    titles = [f"Learning to Sort Shelves of {wood}" for wood in woods]
    text = "# Accepted\n\n" + "".join(f"- {title}\n" for title in titles)
    assert [entry.title.value for entry in read_text(text).entries] == titles
    assert not read_text(
        text.replace("Shelves", "shelves, and do so often, as we do,").replace("L", "l")
    ).entries


def test_one_paragraph_in_a_list_of_other_forms_is_a_note() -> None:
    items = "".join(f"- [Shelf {n}](https://shelf{n}.example.org) - Keeps books.\n" for n in range(30))
    text = (
        f"Our survey: [Shelves That Sort Themselves by Colour](https://arxiv.org/abs/2001.00001)\n\n{items}"
    )
    document = read_text(text)
    assert [entry.dialect for entry in document.entries] == ["classic"] * 30
    assert [(part.line, part.reason) for part in document.non_entries] == [(1, "prose")]


def _stated(entry: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry that a case states, with the label and role of links."""
    stated = {key: entry.get(key, []) for key in wanted}
    if "links" in stated:
        stated["links"] = [[link["label"], link["role"]] for link in entry["links"]]
    if "identifiers" in stated:
        stated["identifiers"] = {kind: entry["identifiers"].get(kind) for kind in wanted["identifiers"]}
    return stated


# ------------------------------------------------------------------------- properties of any text
WORDS = st.sampled_from(
    """Tidy Shelves: A Study|Shelf|[Shelf](https://x.org)|[[Paper]](https://arxiv.org/abs/2001.00001)|by Ada Stone
    and Ben Field|CVPR 2020|(OSDI'21)|**Bold Title of It**|*Ada Stone, Ben Field*|"A Title in Quotes"|<b>x</b>|et al.
    |- |1. |## |> || |\\|---\\||<br>|  |`code`|[x]|![](https://img.shields.io/badge/ACL2025-red)|: |, |. |? |é |😀|(|)|[|]
    |{B}|Authors: |Link: |<li>|<td>|<tr>|<table>|<details><summary>|</details>|2020|[1]: https://x.org|http://a.b/c_d|~~x~~
    |\\[|\\]|**|*|_|"|&amp;|<a href="https://x.org">y</a>|[a][1]""".replace("\n", "").split("|")
)
TEXTS = st.lists(st.one_of(WORDS, st.just("\n"), st.just("\n\n"), st.just("\n  - ")), max_size=40).map(
    "".join
)


UNCERTAIN = {"title", "name", "description", "venue", "year", "authors", "affiliations"}


@given(TEXTS | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200))
def test_spans_contain_the_values_of_fields(text: str) -> None:
    document = read_text(text)
    text = document.source.text
    for entry in document.entries:
        assert 0 <= entry.span.start <= entry.span.end <= len(text)
        assert 1 <= entry.line <= entry.end_line <= len(document.source.lines) + 1
        for field in _fields(entry):
            assert 0 <= field.span.start <= field.span.end <= len(text), field
        assert _letters(entry.title.value) in _letters(_stripped(text, entry.title.span)), entry.title
        assert entry.uncertain <= UNCERTAIN
    for item in document.non_entries:
        assert 0 <= item.span.start <= item.span.end <= len(text), item


def _fields(entry: Entry) -> Iterator[Field]:
    yield entry.title
    yield from filter(None, (entry.name, entry.description))
    yield from (*entry.authors, *entry.affiliations, *entry.notes)


def _stripped(text: str, span: Span) -> str:
    """Return the text of a span without tags and URLs, and with entities resolved."""
    return re.sub(r"<[^>]*>|\]\([^)]*\)", "", text[span.start : span.end].replace("&amp;", "&"))


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


@given(TEXTS)
def test_line_endings_make_no_difference(text: str) -> None:
    assert _exported(text) == _exported(text.replace("\n", "\r\n"))


def _exported(text: str) -> list[dict[str, Any]]:
    document = read_text(text)
    entries = [exported_entry(entry, document, BARE) for entry in document.entries]
    for entry in entries:
        entry["notes"] = [note.replace("\r\n", "\n") for note in entry["notes"]]
    return entries
