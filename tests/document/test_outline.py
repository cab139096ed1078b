"""Sections: headings, and what lists use in their place."""

from __future__ import annotations

from shelfread.document.model import Document, Entry
from support.project import read_text

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
    document = read_text(SECTIONS)
    assert [(section.kind, section.path[1:]) for section in document.sections] == [
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
    for section in document.sections:
        parent = document.sections[section.parent].path if section.parent is not None else ()
        assert section.path == (*parent, section.title)
        assert document.source.text[section.span.start : section.span.end].strip()
    assert [(entry.title.value, _path(entry, document)[1:]) for entry in document.entries] == [
        ("A Paper on Scheduling of Things", ("Bold items", "Scheduling")),
        ("A Paper on Deeper Scheduling", ("Bold items", "Scheduling", "Deep")),
        ("A Paper on Storage of Things", ("Bold items", "Storage")),
        ("A Paper in a Fold", ("In HTML", "Folded")),
        ("A Paper Below Bold", ("In HTML", "A bold paragraph")),
        ("A Paper Below Another", ("In HTML", "Another bold one")),
        ("A Paper of That Year", ("CCS 2024",)),
    ]


def test_venue_and_year_of_a_heading() -> None:
    last = read_text(SECTIONS).sections[-1]
    assert last.citation is not None and last.citation.venue is not None
    assert (last.citation.venue.label, last.year) == ("CCS", 2024)


def _path(entry: Entry, document: Document) -> tuple[str, ...]:
    return document.sections[entry.section].path if entry.section is not None else ()
