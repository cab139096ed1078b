"""The sections and entries of a list as a tree, and those of all files of a project by parts of their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.spans import find_parents
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.one_line import one_line
from shelfread.document.entry_data import citation_and_year
from shelfread.document.model import Document, Entry
from shelfread.index.facts import Facts
from shelfread.server.features.folding import section_spans
from shelfread.server.features.under_cursor import FileSpan
from shelfread.server.positions import Positions

_LONGEST = 200
_UNTITLED = "(untitled)"
"""Editors refuse an empty name."""
MOST = 300
"""So many symbols are returned at most: more cannot be looked through."""


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
    for section, span in zip(document.sections, section_spans(document), strict=True):
        above = top if section.parent is None else sections[section.parent]
        kind = lsp.SymbolKind.Namespace
        sections.append(place(above, shown(section.title), "", kind, span, section.span))
    entries = sorted(document.entries, key=lambda entry: (entry.span.start, -entry.span.end))
    nested: list[list[lsp.DocumentSymbol]] = []
    for entry, parent in zip(entries, find_parents([entry.span for entry in entries]), strict=True):
        above = top if entry.section is None else sections[entry.section]
        if parent >= 0 and entries[parent].section == entry.section:
            above = nested[parent]
        name, detail = entry_name(entry), _detail(entry, document)
        nested.append(place(above, name, detail, lsp.SymbolKind.Object, entry.span, entry.title.span))
    for _, above, symbol in sorted(placed, key=lambda item: item[0]):
        above.append(symbol)
    return top


def entry_name(entry: Entry) -> str:
    """Return the title of an entry as one line, with its name in front if the title does not have it."""
    title, name = entry.title.value, entry.name.value if entry.name is not None else ""
    return shown(title if name.casefold() in title.casefold() else f"{name}: {title}")


def shown(title: str) -> str:
    """Return a title as one line of bounded length that is not empty."""
    line = one_line(title)
    return (line if len(line) <= _LONGEST else f"{line[:_LONGEST].rstrip()}…") or _UNTITLED


def _detail(entry: Entry, document: Document) -> str:
    """Return the venue and year of a paper, else what an entry is described as."""
    citation, year = citation_and_year(entry, document)
    venue = "" if citation is None else citation.venue.label if citation.venue else citation.text
    if entry.kind == "paper":
        return one_line(f"{venue} {year or ''}")
    return shown(entry.description.value) if entry.description is not None else ""


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
            yield Symbol(shown(landmark.text), lsp.SymbolKind.Namespace, "", FileSpan(facts.path, span))
    last = -1
    for _, listing in facts.identities:
        if listing.entry != last:  # an entry may have several keys
            last = listing.entry
            container = shown(listing.section[-1]) if listing.section else ""
            name = shown(listing.printed_title)
            yield Symbol(name, lsp.SymbolKind.Object, container, FileSpan(facts.path, listing.span))
