"""The outline of lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from lsprotocol import types as lsp

from shelfread.server.list_outline import MOST, find_symbols, outline
from shelfread.server.open_documents import Positions
from support.markdown_upstream import odd_text
from support.marked import read_marked

PAPERS = """# Systems 😀

Some words.

## Training

* **Orca: A Distributed Serving System** (OSDI'22) \\[[Paper](https://example.org/a.pdf)]

### 漢字

* **Efficient Memory Management for Serving** (SOSP'23) \\[[Paper](https://example.org/b.pdf)]
  * Ada Stone, Ben Field

## Tools

* [Alpha](https://example.org/alpha) - The first tool.
* [Beta](https://example.org/beta) - The second tool.
"""


def tree(text: str) -> list[object]:
    document = read_marked(text).document
    return names(outline(document, Positions(document.source)))


def names(symbols: Sequence[lsp.DocumentSymbol]) -> list[object]:
    found: list[object] = []
    for symbol in symbols:
        found += [symbol.name, names(symbol.children)] if symbol.children else [symbol.name]
    return found


def flat(symbols: Sequence[lsp.DocumentSymbol]) -> Iterator[lsp.DocumentSymbol]:
    for symbol in symbols:
        yield symbol
        yield from flat(symbol.children or ())


def test_sections_and_entries_are_nested() -> None:
    assert tree(PAPERS) == [
        "Systems 😀",
        [
            "Training",
            ["Orca: A Distributed Serving System", "漢字", ["Efficient Memory Management for Serving"]],
            "Tools",
            ["Alpha", "Beta"],
        ],
    ]


def test_a_range_is_the_section_and_its_selection_the_title() -> None:
    document = read_marked(PAPERS).document
    symbols = {symbol.name: symbol for symbol in flat(outline(document, Positions(document.source)))}
    assert symbols["Systems 😀"].selection_range == lsp.Range(lsp.Position(0, 2), lsp.Position(0, 12))
    assert symbols["Training"].range == lsp.Range(lsp.Position(4, 0), lsp.Position(11, 24))
    assert symbols["漢字"].range.start == lsp.Position(8, 0)
    orca = symbols["Orca: A Distributed Serving System"]
    assert (orca.detail, orca.range.start, orca.selection_range.start.character) == (
        "OSDI 2022",
        lsp.Position(6, 0),
        4,
    )
    assert symbols["Alpha"].detail == "The first tool."


def test_what_serves_as_a_heading_is_a_section() -> None:
    text = """# List

<details><summary>Old</summary>

* [Alpha](https://example.org/alpha) - First.

</details>

* [Beta](https://example.org/beta) - Second.
* Group
  * [Gamma](https://example.org/gamma) - Third.
  * [Delta](https://example.org/delta) - Fourth.
* [Epsilon](https://example.org/epsilon) - Fifth.
"""
    assert tree(text) == ["List", ["Old", ["Alpha"], "Beta", "Group", ["Gamma", "Delta"], "Epsilon"]]
    document = read_marked(text).document
    symbols = {symbol.name: symbol for symbol in flat(outline(document, Positions(document.source)))}
    assert (symbols["Old"].range.start.line, symbols["Old"].range.end.line) == (2, 6)
    assert (symbols["Group"].range.start.line, symbols["Group"].range.end.line) == (9, 11)


def test_rows_of_tables_are_entries() -> None:
    markdown = "# T\n\n| Title | Venue |\n|---|---|\n| [A Study of Things](https://example.org/a) | OSDI 2020 |\n| [A Study of Others](https://example.org/b) | SOSP 2021 |\n"
    html = (
        "# T\n\n<table>\n<tr><th>Title</th><th>Venue</th></tr>\n"
        '<tr><td><a href="https://example.org/a">A Study of Things</a></td><td>OSDI 2020</td></tr>\n'
        '<tr><td><a href="https://example.org/b">A Study of Others</a></td><td>SOSP 2021</td></tr>\n</table>\n'
    )
    for text in (markdown, html):
        assert tree(text) == ["T", ["A Study of Things", "A Study of Others"]]


def test_a_name_is_never_empty_nor_several_lines() -> None:
    found = tree("#\n\nTitle\nin two\n===\n\n## ![](a.png)\n")
    assert found == ["(untitled)", "Title in two", ["(untitled)"]]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_end_as_in_the_text(newline: str) -> None:
    document = read_marked(PAPERS.replace("\n", newline)).document
    (top,) = outline(document, Positions(document.source))
    assert top.range.end == lsp.Position(16, 53)


def test_selections_are_within_their_ranges() -> None:
    for seed in range(150):
        document = read_marked(odd_text(Random(seed))).document
        for symbol in flat(outline(document, Positions(document.source))):
            ranges = (
                symbol.range.start,
                symbol.selection_range.start,
                symbol.selection_range.end,
                symbol.range.end,
            )
            places = [(position.line, position.character) for position in ranges]
            assert places == sorted(places) and places[-1][0] < len(document.source.lines), seed
            assert symbol.name, seed


def test_symbols_are_found_by_words_in_all_files() -> None:
    marked = read_marked({"a.md": PAPERS, "b.md": "# Serving Systems\n"})
    facts = marked.context.project.facts.values()
    found = find_symbols(facts, "serving SYSTEM")
    assert [(symbol.name, symbol.container, symbol.place.path) for symbol in found] == [
        ("Orca: A Distributed Serving System", "Training", "a.md"),
        ("Serving Systems", "", "b.md"),
    ]
    assert find_symbols(facts, "nothing like this") == []


def test_no_more_symbols_than_can_be_looked_through() -> None:
    facts = read_marked("# A\n\n" + "## Heading\n\n" * (MOST + 10)).context.project.facts.values()
    assert len(find_symbols(facts, "head")) == MOST
