"""What may be written at the cursor."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from lsprotocol import types as lsp

from shelfread.core.source import Source
from shelfread.server.completions import complete, cursor_at
from shelfread.server.open_documents import Positions
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy
from support.markdown_upstream import odd_text
from support.marked import Marked, read_marked
from support.project import BARE

LIST = """# List

- [One](#one)
- [Two](#two)
- [Three](#three)

## One

* **A Study of Serving Systems** (OSDI'22) \\[[Paper](https://example.org/a.pdf)] \\[[Code](https://github.com/x/a)]
* **A Study of Other Systems** (SOSP'23) \\[[Paper](https://example.org/b.pdf)] \\[[Code](https://github.com/x/b)]
* **A Study of More Systems** (OSDI'20) \\[[Paper](https://example.org/c.pdf)] \\[[Talk](https://youtu.be/abcdefghijk)]
{}
## Two

## Three

## The Fourth
"""


def items(marked: Marked) -> list[lsp.CompletionItem]:
    cursor = cursor_at(marked.document.source, marked.offset, marked.positions)
    return complete(cursor, marked.document, marked.context)


def completed(texts: str | Mapping[str, str], label: str, taxonomy: Taxonomy = BARE) -> str:
    """Return the line of the cursor after the completion with a label; a client would show it for what is written."""
    marked = read_marked(texts, taxonomy)
    (item,) = (item for item in items(marked) if item.label == label)
    assert isinstance(item.text_edit, lsp.TextEdit)
    start, end = marked.positions.span(item.text_edit.range)
    text = marked.document.source.text
    assert item.filter_text is not None and item.filter_text.casefold().startswith(
        text[start : marked.offset].casefold()
    )
    line = marked.document.source.line_at(start)
    return Source(text[:start] + item.text_edit.new_text + text[end:]).lines[line]


def labels(texts: str | Mapping[str, str], taxonomy: Taxonomy = BARE) -> list[str]:
    return [
        item.label
        for item in sorted(items(read_marked(texts, taxonomy)), key=lambda item: item.sort_text or "")
    ]


@pytest.mark.parametrize("written", ["\\[[‸", "\\[[Co‸", "\\[‸", "[‸", "[co‸", "\\[[‸]]", "[‸]"])
def test_labels_of_links_in_the_form_of_the_list(written: str) -> None:
    text = LIST.format(f"* **A Study** (OSDI'23) {written}\n")
    assert labels(text)[:3] == ["Paper", "Code", "Talk"]
    assert completed(text, "Code") == "* **A Study** (OSDI'23) \\[[Code](url)]"


def test_a_bracket_around_a_label_stays() -> None:
    text = LIST.format("* **A Study** (OSDI'23) [see [‸]]\n")
    assert completed(text, "Code") == "* **A Study** (OSDI'23) [see \\[[Code](url)]]"


def test_roles_that_the_list_lacks_come_last() -> None:
    found = labels(LIST.format("* **A Study** (OSDI'23) [‸\n"))
    assert found.index("Slides") > 2 and len(found) == len(set(found))


@pytest.mark.parametrize(
    ("written", "label", "line"),
    [
        ("* **A Study** (SOS‸", "SOSP'23", "* **A Study** (SOSP'23"),
        ("* **A Study** (s‸)", "SOSP'23", "* **A Study** (SOSP'23)"),
        ("* **A Study** (SO‸SP'21)", "SOSP", "* **A Study** (SOSP'21)"),
        # No entry of the list has a venue without brackets, so it is not known how a year is written there.
        ("* **A Study** SOS‸ and", "SOSP", "* **A Study** SOSP and"),
        # A former name.
        ("* **A Study** (NIP‸)", "NeurIPS'23", "* **A Study** (NeurIPS'23)"),
    ],
)
def test_venues_in_the_form_of_the_list(written: str, label: str, line: str) -> None:
    assert completed(LIST.format(f"{written}\n"), label) == line


def test_the_year_of_a_venue_is_that_of_the_section() -> None:
    text = LIST.format("\n## 2019\n\n* **A Study** (OSD‸\n")
    assert completed(text, "OSDI'19") == "* **A Study** (OSDI'19"


def test_no_venues_in_prose() -> None:
    assert labels(LIST.format("\nSome words of prose: Sos‸\n")) == []
    assert labels(LIST.format("\n`* (SOS‸`\n")) == []


def test_sections_that_the_contents_lack_come_first() -> None:
    text = LIST.format("").replace("- [Three](#three)\n", "- [Three](#three)\n- ‸\n")
    assert labels(text) == ["The Fourth", "One", "Two", "Three"]
    assert completed(text, "The Fourth") == "- [The Fourth](#the-fourth)"
    assert completed(text.replace("‸", "[The‸]"), "The Fourth") == "- [The Fourth](#the-fourth)"


def test_subjects_in_headings() -> None:
    taxonomy = load("machine-learning")
    text = "# List\n\n## reinf‸\n"
    assert completed(text, "Reinforcement Learning", taxonomy) == "## Reinforcement Learning"
    assert labels(text) == []


def test_positions_are_of_the_client_s_encoding() -> None:
    marked = read_marked(LIST.format("😀 [Co‸"))
    item = next(item for item in items(marked) if item.label == "Code")
    assert isinstance(item.text_edit, lsp.TextEdit)
    line = item.text_edit.range.start.line
    assert item.text_edit.range == lsp.Range(lsp.Position(line, 3), lsp.Position(line, 6))


def test_every_edit_is_in_the_line_of_the_cursor() -> None:
    for seed in range(100):
        random = Random(seed)
        text = odd_text(random)
        offset = random.randrange(len(text) + 1)
        marked = read_marked(text)._replace(offset=offset)
        line = marked.document.source.line_at(offset)
        for item in items(marked):
            assert isinstance(item.text_edit, lsp.TextEdit)
            start, end = item.text_edit.range.start, item.text_edit.range.end
            assert start.line == end.line == line and start.character <= end.character, seed


def test_a_text_that_changed_since_it_was_read_is_no_problem() -> None:
    marked = read_marked(LIST.format(""))
    source = Source(LIST.format("") + "\n\n* **A Study** [Co")
    cursor = cursor_at(source, len(source.text), Positions(source))
    assert "Code" in [item.label for item in complete(cursor, marked.document, marked.context)]
