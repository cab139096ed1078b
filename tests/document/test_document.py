"""What is read from lists: the cases of data/entries, sections, and what holds for any text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.export import entry_data
from shelfread.document.model import Document, Entry, Field
from shelfread.document.read import read
from shelfread.taxonomy.load import load
from support.paths import DATA

CASES = DATA / "entries"
TAXONOMY = load(None)


def document(text: str) -> Document:
    return read(Source.from_bytes(text.encode(), "list.md"), TAXONOMY.vocabulary)


def cases() -> Iterator[Any]:
    """The cases of each file: a title, and between lines with a full stop the input and what is expected."""
    for path in sorted(CASES.glob("*.md")):
        parts = re.split(r"^\.\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for at in range(0, len(parts) - 2, 3):
            title = parts[at].strip().splitlines()[-1]
            yield pytest.param(parts[at + 1], yaml.safe_load(parts[at + 2]), id=f"{path.stem}: {title}")


@pytest.mark.parametrize(("text", "expected"), list(cases()))
def test_entries(text: str, expected: list[dict[str, Any]]) -> None:
    read_from = document(text)
    entries = [entry_data(entry, read_from, TAXONOMY) for entry in read_from.entries]
    assert [_part(entry, wanted) for entry, wanted in zip(entries, expected, strict=False)] == expected
    assert len(entries) == len(expected), [entry["title"] for entry in entries]


def _part(entry: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Those fields of an entry that a case states; of links label and role."""
    part = {key: entry[key] for key in wanted}
    if "links" in part:
        part["links"] = [[link["label"], link["role"]] for link in entry["links"]]
    if "identifiers" in part:
        part["identifiers"] = {kind: entry["identifiers"].get(kind) for kind in wanted["identifiers"]}
    return part


# ------------------------------------------------------------------------------------- sections
SECTIONS = """\
# Shelves

Setext heading
--------------

### [Linked](https://x.org) and `coded`:

## Bold items

1. **Scheduling**:
   - *A Paper on Scheduling of Things* (OSDI21)
   - **Deep**
     - *A Paper on Deeper Scheduling* (OSDI22)
2. **Storage**:
   - *A Paper on Storage of Things* (SOSP21)

<h2 align="center">In HTML</h2>

<details><summary>Folded</summary>

- [A Paper in a Fold](https://arxiv.org/abs/2001.00001)

</details>

**A bold paragraph**

- [A Paper Below Bold](https://arxiv.org/abs/2001.00002)

**Another bold one**

- [A Paper Below Another](https://arxiv.org/abs/2001.00003)

## CCS 2024

- [A Paper of That Year](https://dl.acm.org/doi/10.1145/1.2)
"""


def test_sections() -> None:
    found = document(SECTIONS)
    assert [(section.kind, section.path[1:]) for section in found.sections] == [
        ("heading", ()),
        ("heading", ("Setext heading",)),
        ("heading", ("Setext heading", "Linked and coded")),
        ("heading", ("Bold items",)),
        ("item", ("Bold items", "Scheduling")),
        ("item", ("Bold items", "Scheduling", "Deep")),
        ("item", ("Bold items", "Storage")),
        ("html", ("In HTML",)),
        ("details", ("In HTML", "Folded")),
        ("bold", ("In HTML", "A bold paragraph")),
        ("bold", ("In HTML", "Another bold one")),
        ("heading", ("CCS 2024",)),
    ]
    for section in found.sections:
        above = found.sections[section.parent].path if section.parent is not None else ()
        assert section.path == (*above, section.title)
        assert found.source.text[section.span.start : section.span.end].strip()
    assert [(entry.title.value, _path(entry, found)[1:]) for entry in found.entries] == [
        ("A Paper on Scheduling of Things", ("Bold items", "Scheduling")),
        ("A Paper on Deeper Scheduling", ("Bold items", "Scheduling", "Deep")),
        ("A Paper on Storage of Things", ("Bold items", "Storage")),
        ("A Paper in a Fold", ("In HTML", "Folded")),
        ("A Paper Below Bold", ("In HTML", "A bold paragraph")),
        ("A Paper Below Another", ("In HTML", "Another bold one")),
        ("A Paper of That Year", ("CCS 2024",)),
    ]


def test_a_heading_states_venue_and_year() -> None:
    last = document(SECTIONS).sections[-1]
    assert last.citation is not None and last.citation.venue is not None
    assert (last.citation.venue.label, last.year) == ("CCS", 2024)


def _path(entry: Entry, found: Document) -> tuple[str, ...]:
    return found.sections[entry.section].path if entry.section is not None else ()


# ------------------------------------------------------------------------- what holds for any text
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


@given(TEXTS | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200))
def test_spans_hold_what_was_read(text: str) -> None:
    found = document(text)
    text = found.source.text
    for entry in found.entries:
        assert 0 <= entry.span.start <= entry.span.end <= len(text)
        assert 1 <= entry.line <= entry.end_line <= len(found.source.lines) + 1
        for field in _fields(entry):
            assert 0 <= field.span.start <= field.span.end <= len(text), field
        assert _letters(entry.title.value) in _letters(_stripped(text, entry.title.span)), entry.title


def _fields(entry: Entry) -> Iterator[Field]:
    yield entry.title
    yield from filter(None, (entry.name, entry.description))
    yield from (*entry.authors, *entry.affiliations, *entry.notes)


def _stripped(text: str, span: Span) -> str:
    """What stands at a span, without tags and addresses, entities as the characters they are."""
    found = text[span.start : span.end].replace("&amp;", "&")
    return re.sub(r"<[^>]*>|\]\([^)]*\)", "", found)


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


@given(TEXTS)
def test_line_ends_change_nothing(text: str) -> None:
    assert _exported(text) == _exported(text.replace("\n", "\r\n"))


def _exported(text: str) -> list[dict[str, Any]]:
    found = document(text)
    entries = [entry_data(entry, found, TAXONOMY) for entry in found.entries]
    for entry in entries:
        entry["notes"] = [note.replace("\r\n", "\n") for note in entry["notes"]]
    return entries
