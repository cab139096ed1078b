"""The sections and entries of a list: how far they reach, as a tree, and by parts of their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span, find_parents
from shelfread.core.source import Source
from shelfread.core.wording import one_line
from shelfread.document.entry_data import citation_and_year
from shelfread.document.model import Document, Entry, Section
from shelfread.index.facts import Facts
from shelfread.server.open_documents import Positions
from shelfread.server.under_cursor import FileSpan, blocks_around, html_tags

_LONGEST = 200
_UNTITLED = "(untitled)"  # editors refuse an empty name
MOST = 300  # so many symbols are returned at most: more cannot be looked through


class Symbol(NamedTuple):
    """A heading or an entry, and the title of the section that it is in."""

    name: str
    kind: lsp.SymbolKind
    container: str
    place: FileSpan


def outline(document: Document, positions: Positions) -> list[lsp.DocumentSymbol]:
    """Return the sections and entries of a list as a tree, in the order of their titles."""
    top: list[lsp.DocumentSymbol] = []
    placed: list[tuple[int, list[lsp.DocumentSymbol], lsp.DocumentSymbol]] = []

    def place(
        above: list[lsp.DocumentSymbol], name: str, detail: str, kind: lsp.SymbolKind, span: Span, title: Span
    ) -> list[lsp.DocumentSymbol]:
        """Note a symbol and the list that it belongs to; return the list of what is below it."""
        # A title can lie outside, as that of a row that several others share. Editors refuse such a selection.
        is_inside = span.start <= title.start <= title.end <= span.end
        selection = positions.range(title if is_inside else Span(span.start, span.start))
        below: list[lsp.DocumentSymbol] = []
        symbol = lsp.DocumentSymbol(name, kind, positions.range(span), selection, detail, children=below)
        placed.append((title.start, above, symbol))
        return below

    sections: list[list[lsp.DocumentSymbol]] = []
    for section, span in zip(document.sections, _section_spans(document), strict=True):
        above = top if section.parent is None else sections[section.parent]
        kind = lsp.SymbolKind.Namespace
        sections.append(place(above, _shown(section.title), "", kind, span, section.span))
    entries = sorted(document.entries, key=lambda entry: (entry.span.start, -entry.span.end))
    nested: list[list[lsp.DocumentSymbol]] = []
    for entry, parent in zip(entries, find_parents([entry.span for entry in entries]), strict=True):
        above = top if entry.section is None else sections[entry.section]
        if parent >= 0 and entries[parent].section == entry.section:
            above = nested[parent]
        name, detail = _entry_name(entry), _detail(entry, document)
        nested.append(place(above, name, detail, lsp.SymbolKind.Object, entry.span, entry.title.span))
    for _, above, symbol in sorted(placed, key=lambda item: item[0]):
        above.append(symbol)
    return top


def _entry_name(entry: Entry) -> str:
    title, name = entry.title.value, entry.name.value if entry.name is not None else ""
    return _shown(title if name.casefold() in title.casefold() else f"{name}: {title}")


def _shown(title: str) -> str:
    line = one_line(title)
    return (line if len(line) <= _LONGEST else f"{line[:_LONGEST].rstrip()}…") or _UNTITLED


def _detail(entry: Entry, document: Document) -> str:
    citation, year = citation_and_year(entry, document)
    venue = "" if citation is None else citation.venue.label if citation.venue else citation.text
    if entry.kind == "paper":
        return one_line(f"{venue} {year or ''}")
    return _shown(entry.description.value) if entry.description is not None else ""


def find_symbols(files: Iterable[Facts], query: str) -> list[Symbol]:
    """Return the headings and entries whose name has all words of a query, in any case and order."""
    words = query.casefold().split()
    symbols: list[Symbol] = []
    for facts in files:
        for symbol in _symbols(facts):
            if all(word in symbol.name.casefold() for word in words):
                symbols.append(symbol)
                if len(symbols) == MOST:
                    return symbols
    return symbols


def _symbols(facts: Facts) -> Iterator[Symbol]:
    for landmark in facts.landmarks:
        if landmark.heading:
            span = Span(landmark.start, landmark.end)
            yield Symbol(_shown(landmark.text), lsp.SymbolKind.Namespace, "", FileSpan(facts.path, span))
    last = -1
    for _, listing in facts.identities:
        if listing.entry != last:  # an entry may have several keys
            last = listing.entry
            container = _shown(listing.section[-1]) if listing.section else ""
            name = _shown(listing.printed_title)
            yield Symbol(name, lsp.SymbolKind.Object, container, FileSpan(facts.path, listing.span))


def _section_spans(document: Document) -> list[Span]:
    """Return the span of each section, from the line of its title to its last line that is not blank."""
    sections, source = document.sections, document.source
    details = _details_spans(document)
    starts = _starts(sections, source)
    spans: list[Span] = []
    for index, (section, end) in enumerate(zip(sections, _following(sections), strict=True)):
        stop = starts[end] if end < len(sections) else len(source.text)
        if section.parent is not None:
            stop = min(stop, spans[section.parent].end)
        if section.kind == "item":
            items = [
                block
                for block in blocks_around(document.tree.blocks, section.span.start)
                if block.kind == "item"
            ]
            stop = min([stop, *(item.end for item in items[-1:])])
        elif section.kind == "details":
            own = [span for span in details if span.start <= section.span.start < span.end]
            stop = min([stop, *(span.end for span in own[-1:])])
        shown = source.text[starts[index] : stop].rstrip()
        spans.append(Span(starts[index], max(section.span.end, starts[index] + len(shown))))
    return spans


def _details_spans(document: Document) -> list[Span]:
    """Return the spans of `<details>` with their tags, outer ones before inner ones; unclosed ones are left out."""
    if "</details" not in document.source.text.lower():
        return []
    opened: list[int] = []
    spans: list[Span] = []
    for tag in html_tags(document.tree.blocks):
        if tag.tag == "details":
            opened.append(tag.start)
        elif tag.tag == "/details" and opened:
            spans.append(Span(opened.pop(), tag.end))
    return sorted(spans)


def _following(sections: Sequence[Section]) -> list[int]:
    """Return for each section the index of the first one after it that is not below it."""
    ends = list(range(1, len(sections) + 1))
    for index in reversed(range(len(sections))):
        end = ends[index]
        while end < len(sections) and sections[end].parent == index:
            end = ends[end]
        ends[index] = end
    return ends


def _starts(sections: Sequence[Section], source: Source) -> list[int]:
    """Return where each section begins: with its line, or with its title if another one is in the same line."""
    starts: list[int] = []
    for section in sections:
        start = source.starts[source.line_at(section.span.start)]
        starts.append(section.span.start if starts and start <= starts[-1] else start)
    return starts
